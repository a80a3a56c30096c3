"""The guest: a Debian kernel with few modules, and an initramfs with libvirt, QEMU and pciutils in it."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
SUITE = "bookworm"
PACKAGES = ("pciutils", "kmod", "udev", "libvirt-daemon-system", "libvirt-clients", "libvirt-daemon-driver-qemu", "qemu-system-x86", "iproute2", "procps",
            "xxd", "systemd")
MODULES = ("virtio_pci", "9p", "9pnet_virtio", "vfio-pci", "vfio_iommu_type1", "nvme")
NOT_NEEDED = ("/usr/share/man/*", "/usr/share/doc/*", "/usr/share/locale/*")


class Unavailable(Exception):
    """What this machine cannot do: no fault of the program."""


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, text=True, stdout=subprocess.PIPE, **more).stdout


def mirror():
    for path in (*pathlib.Path("/etc/apt").glob("sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*")):
        found = re.search(r"https?://\S+/debian/?(?=\s|$)", path.read_text(encoding="utf-8", errors="replace"))
        if found:
            return found.group(0)
    raise Unavailable("no Debian mirror in apt's sources")


def recipe():
    text = (HERE / "image.py").read_text(encoding="utf-8") + (HERE / "guest/init.sh").read_text(encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def kmod(root, tool, *words):
    """kmod is one program under many names; the guest's own knows the guest's compression."""
    return subprocess.run([tool, *map(str, words)], executable=root / "usr/bin/kmod", check=True, text=True, stdout=subprocess.PIPE).stdout


def unpack_kernel(work):
    package = re.search(r"Depends: (linux-image-\S+)", run("apt-cache", "depends", "linux-image-amd64")).group(1)
    run("apt-get", "-qq", "download", package, cwd=work)
    run("dpkg-deb", "-x", next(work.glob("*.deb")), work / "kernel")
    return package.removeprefix("linux-image-")


def add_modules(work, root, version):
    kmod(root, "depmod", "-b", work / "kernel", version)
    source, target = work / "kernel/lib/modules" / version, root / "lib/modules" / version
    files = set()
    for module in MODULES:
        shown = kmod(root, "modprobe", "-d", work / "kernel", "-S", version, "--show-depends", module)
        files.update(line.split()[1] for line in shown.splitlines() if line.startswith("insmod"))
    for file in files:
        place = target / pathlib.Path(file).relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
    for name in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
        shutil.copy(source / name, target / name)
    kmod(root, "depmod", "-b", root, version)


def pack(root, to):
    names = subprocess.run(["find", ".", "-xdev", "-path", "./dev", "-prune", "-o", "-print0"], cwd=root, check=True, stdout=subprocess.PIPE).stdout
    with open(to, "wb") as out:
        # Unpacked: the guest has no time to inflate 300 MB in emulation.
        subprocess.run(["cpio", "-0", "-o", "-H", "newc", "--quiet"], cwd=root, input=names, stdout=out, check=True)


def build(cache):
    """(kernel, initramfs), from the cache where they are."""
    folder = pathlib.Path(cache) / f"lab-{recipe()}"
    if (folder / "done").exists():
        return folder / "vmlinuz", folder / "initrd.cpio"
    if os.geteuid() != 0:
        raise Unavailable("building it needs root (mmdebstrap)")
    for old in pathlib.Path(cache).glob("lab-*"):
        shutil.rmtree(old, ignore_errors=True)
    work = folder / "work"
    root = work / "root"
    work.mkdir(parents=True)
    print("lab: building the guest's image (about a minute)", flush=True)
    version = unpack_kernel(work)
    excluded = [f"--dpkgopt=path-exclude={path}" for path in NOT_NEEDED]
    run("mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", '--aptopt=APT::Install-Recommends "false"', *excluded,
        f"--include={','.join(PACKAGES)}", SUITE, root, mirror(), stderr=subprocess.DEVNULL)
    add_modules(work, root, version)
    shutil.copy(HERE / "guest/init.sh", root / "lab-init")
    (root / "lab-init").chmod(0o755)
    shutil.copy(work / f"kernel/boot/vmlinuz-{version}", folder / "vmlinuz")
    pack(root, folder / "initrd.cpio")
    shutil.rmtree(work)
    (folder / "done").touch()
    return folder / "vmlinuz", folder / "initrd.cpio"
