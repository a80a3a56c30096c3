"""One boot of the guest. QEMU starts stopped; the endpoint's configuration header is rewritten in its memory, then it runs."""
import json
import pathlib
import re
import signal
import socket
import struct
import subprocess
import time

# The header of the emulated NVMe drive as QEMU lays it out: vendor 1b36, device 0010, class 010802, revision 2.
NVME_HEADER = re.compile(rb"\x36\x1b\x10\x00.{4}\x02\x02\x08\x01", re.DOTALL)
CONFIG_BYTES = 4096
EXPRESS = 0x10
LINK_32GT_X16 = 0x105


def command(share, kernel, initrd, qmp, serial):
    return ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "qemu64", "-machine", "q35,kernel-irqchip=split", "-m", "3072", "-smp", "2",
            "-device", "intel-iommu,intremap=on,caching-mode=on", "-display", "none", "-serial", f"file:{serial}", "-no-reboot", "-nic", "none",
            # bus 236 is ec: its root port is 0000:ec:00.0, and what is below it 0000:ed:00.0
            "-device", "pxb-pcie,id=bridge,bus_nr=236,bus=pcie.0", "-device", "pcie-root-port,id=root,bus=bridge,chassis=1,slot=1",
            "-device", "nvme,id=gpu,serial=lab0,bus=root",
            "-fsdev", f"local,id=share,path={share},security_model=none", "-device", "virtio-9p-pci,fsdev=share,mount_tag=lab,bus=pcie.0",
            "-kernel", str(kernel), "-initrd", str(initrd), "-qmp", f"unix:{qmp},server=on,wait=off", "-S",
            "-append", "console=ttyS0 panic=-1 intel_iommu=on rdinit=/lab-init"]


def config_spaces(pid, memory):
    """(address, bytes) of each configuration space in QEMU's memory that has the drive's header."""
    for line in pathlib.Path(f"/proc/{pid}/maps").read_text(encoding="utf-8").splitlines():
        place, rights = line.split()[:2]
        low, high = (int(part, 16) for part in place.split("-"))
        if not rights.startswith("rw") or high - low > 256 << 20:
            continue   # the guest's own memory holds copies
        try:
            memory.seek(low)
            content = memory.read(high - low)
        except (OSError, ValueError):
            continue
        for match in NVME_HEADER.finditer(content):
            space = content[match.start():match.start() + CONFIG_BYTES]
            if len(space) == CONFIG_BYTES and space[0x0e] & 0x7f == 0 and space[0x34]:
                yield low + match.start(), space


def disguise(pid):
    """10de:2330, 3D controller, revision a1, a link of 32 GT/s x16."""
    with open(f"/proc/{pid}/mem", "r+b", 0) as memory:
        found = list(config_spaces(pid, memory))
        if len(found) != 1:
            raise RuntimeError(f"{len(found)} configuration spaces look like the endpoint's; exactly one must")
        base, space = found[0]

        def put(offset, data):
            memory.seek(base + offset)
            memory.write(data)
        put(0x00, struct.pack("<HH", 0x10de, 0x2330))
        put(0x08, b"\xa1\x00\x02\x03")
        put(0x2c, struct.pack("<HH", 0x10de, 0x16c1))
        at = space[0x34]
        while at:
            if space[at] == EXPRESS:
                capabilities, = struct.unpack_from("<I", space, at + 0x0c)
                status, = struct.unpack_from("<H", space, at + 0x12)
                put(at + 0x0c, struct.pack("<I", capabilities & ~0x3ff | LINK_32GT_X16))
                put(at + 0x12, struct.pack("<H", status & ~0x3ff | LINK_32GT_X16))
                put(at + 0x2c, struct.pack("<I", 0x3e))
            at = space[at + 1]


def resume(qmp):
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(qmp))
        stream = link.makefile("rw", encoding="utf-8")
        stream.readline()
        for verb in ("qmp_capabilities", "cont"):
            stream.write(json.dumps({"execute": verb}) + "\n")
            stream.flush()
            while "return" not in (answer := json.loads(stream.readline())):
                if "error" in answer:
                    raise RuntimeError(f"QEMU: {answer}")


def boot(share, image, scratch, limit_s):
    """Runs until the guest switches itself off. False: it did not within the limit."""
    qmp = pathlib.Path(scratch) / "qmp"
    process = subprocess.Popen(command(share, *image, qmp, pathlib.Path(scratch) / "serial.log"))
    try:
        for _ in range(200):
            if qmp.exists():
                break
            time.sleep(0.1)
        time.sleep(0.3)
        disguise(process.pid)
        resume(qmp)
        process.wait(timeout=limit_s)
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
