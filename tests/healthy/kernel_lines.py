"""What the kernel of a healthy GPU server says. Each event is a list of (seconds since the line before, message)."""


def port_of(address):
    bus = int(address[5:7], 16)
    return f"{address[:5]}{bus - 1:02x}:01.0"


def boot(m):
    yield 0, (f"Linux version {m.kernel} (build@builder) (gcc (GCC) 11.4.0, GNU ld version 2.38) #{m.rng.randrange(1, 200)}"
              " SMP PREEMPT_DYNAMIC")
    yield 0, f"Command line: BOOT_IMAGE=/vmlinuz-{m.kernel} root=/dev/mapper/vg0-root ro intel_iommu=on iommu=pt vfio-pci.ids={m.board.device}"
    for line in ("BIOS-provided physical RAM map:", "BIOS-e820: [mem 0x0000000000000000-0x000000000009ffff] usable",
                 "BIOS-e820: [mem 0x0000000000100000-0x0000000063bfefff] usable", "NX (Execute Disable) protection: active",
                 "efi: EFI v2.7 by American Megatrends", "SMBIOS 3.5.0 present.", "tsc: Detected 2000.000 MHz processor",
                 "x86/cpu: SGX disabled by BIOS.", "secureboot: Secure boot disabled", "ACPI: Early table checksum verification disabled",
                 "DMAR: IOMMU enabled", "DMAR-IR: Enabled IRQ remapping in x2apic mode", "x2apic enabled",
                 "ACPI: APEI: HEST table parsing has been initialized.", "GHES: APEI firmware first mode is enabled by APEI bit.",
                 "pcieport 0000:00:01.0: PME: Signaling with IRQ 42", "pcieport 0000:00:01.0: AER: enabled with IRQ 42",
                 "pcieport 0000:15:01.0: pciehp: Slot #66 AttnBtn- PwrCtrl- MRL- AttnInd- PwrInd- HotPlug+ Surprise+ Interlock- NoCompl+ IbPresDis- LLActRep+",
                 "mce: CPU0: Thermal monitoring enabled (TM1)", "MCE: In-kernel MCE decoding enabled.", "EDAC MC0: Giving out device to module i10nm_edac",
                 "Spectre V2 : Mitigation: Enhanced / Automatic IBRS", "RETBleed: WARNING: Spectre v2 mitigation leaves CPU vulnerable to RETBleed attacks",
                 "ACPI BIOS Error (bug): Could not resolve symbol [\\_SB.PC00.LPC0], AE_NOT_FOUND (20230331/psargs-330)",
                 "ACPI Error: Aborting method \\_SB.PMI0._GHL due to previous error (AE_NOT_EXIST) (20230331/psparse-529)",
                 "ipmi_si: IPMI System Interface driver", "ipmi_si IPI0001:00: Using irq 0", "hpet_acpi_add: no address or irqs in _CRS",
                 "clocksource: Switched to clocksource tsc", "random: crng init done", "Freeing unused kernel image (initmem) memory: 4788K",
                 "i8042: No controller found", "tpm_tis 00:01: 2.0 TPM (device-id 0x1B, rev-id 22)", "pstore: Using crash dump compression: deflate",
                 "systemd[1]: Detected architecture x86-64.",
                 "nouveau: module is blacklisted", "ast 0000:03:00.0: [drm] Using analog VGA", "resctrl: L3 monitoring detected"):
        yield 0.02, line
    yield 0.1, f"smp: Brought up 2 nodes, {m.cores} CPUs"
    for address in m.gpus:
        port = port_of(address)
        yield 0.001, f"pci {port}: PCI bridge to [bus {address[5:7]}]"
        yield 0.001, f"pci {address}: [{m.board.device}] type 00 class 0x030200 PCIe Endpoint"
        yield 0.001, f"pci {address}: BAR 0 [mem 0x9a000000-0x9affffff]"
        yield 0.001, f"pci {address}: BAR 2 [mem 0x22000000000-0x23fffffffff 64bit pref]"
        yield 0.001, f"pci {address}: Max Payload Size set to 256 (was 128, max 256)"
        yield 0.001, f"pci {address}: Enabling HDA controller"
        yield 0.001, f"pci {address}: PME# supported from D0 D3hot"
        yield 0.001, f"pci {address}: 252.048 Gb/s available PCIe bandwidth, limited by 16.0 GT/s PCIe x16 link at {port} (capable of 504.112 Gb/s with 32.0 GT/s PCIe x16 link)"
        yield 0.001, f"pci {port}: BAR 14: no space for [mem size 0x00200000]" if m.rng.random() < 0.2 else f"pci {port}: enabling Extended Tags"
        yield 0.001, f"pci {address}: Adding to iommu group {m.rng.randrange(10, 200)}"
        yield 0.001, f"pci {address}: vgaarb: bridge control possible"
    for address in m.drives:
        yield 0.01, f"nvme nvme{m.rng.randrange(8)}: pci function {address}"
        yield 0.01, f"nvme nvme{m.rng.randrange(8)}: 63/0/0 default/read/poll queues"
        yield 0.01, f"nvme nvme{m.rng.randrange(8)}: Identify namespace failed (0x2002)" if m.rng.random() < 0.05 else "nvme nvme0: Shutdown timeout set to 10 seconds"
    for address in m.nics:
        yield 0.05, f"mlx5_core {address}: firmware version: 28.39.3560"
        yield 0.05, f"mlx5_core {address}: 504.112 Gb/s available PCIe bandwidth (32.0 GT/s PCIe x16 link)"
        yield 0.05, f"mlx5_core {address}: Port module event: module 0, Cable plugged"
        yield 0.05, f"mlx5_core {address}: E-Switch: Total vports 10, per vport: max uc(128) max mc(2048)"
        yield 0.05, f"mlx5_core {address}: mlx5_pcie_event:301:(pid 1183): PCIe slot advertised sufficient power (75W)."
        yield 0.05, f"mlx5_core {address}: Supported tc chains and prios offload"
    for line in ("EXT4-fs (dm-0): mounted filesystem with ordered data mode. Quota mode: none.", "systemd[1]: Reached target Local File Systems.",
                 "audit: type=1400 audit(1735700012.411:2): apparmor=\"STATUS\" operation=\"profile_load\" name=\"lsb_release\" pid=1091",
                 "bridge: filtering via arp/ip/ip6tables is no longer available by default. Update your scripts to load br_netfilter if you need this.",
                 "Loading iSCSI transport class v2.0-870.", "VFIO - User Level meta-driver version: 0.3", "tun: Universal TUN/TAP device driver, 1.6"):
        yield 0.2, line


def driver_load(m):
    yield 1, "nvidia: loading out-of-tree module taints kernel."
    yield 0, "nvidia: module license 'NVIDIA' taints kernel."
    yield 0, "Disabling lock debugging due to kernel taint"
    yield 0, "nvidia: module verification failed: signature and/or required key missing - tainting kernel"
    yield 0, f"nvidia-nvlink: Nvlink Core is being initialized, major device number {m.rng.randrange(230, 250)}"
    for number, address in enumerate(m.switches):
        yield 0.1, f"nvidia-nvswitch{number}: using MSI"
        yield 0.1, f"nvidia-nvswitch: Probing device {address}, Vendor Id = 0x10de, Device Id = 0x{m.board.switch_device[5:]}, Class = 0x68000"
        yield 0.1, f"nvidia-nvswitch{number}: open (major={m.rng.randrange(500, 511)})"
    for address in m.gpus:
        yield 0.1, f"nvidia {address}: enabling device (0140 -> 0142)"
        yield 0, f"nvidia {address}: PME# disabled"
    yield 0.2, f"NVRM: loading NVIDIA UNIX x86_64 Kernel Module  {m.driver}  Wed Jun 12 03:01:30 UTC 2024"
    yield 0.2, f"nvidia-modeset: Loading NVIDIA Kernel Mode Setting Driver for UNIX platforms  {m.driver}  Wed Jun 12 02:42:53 UTC 2024"
    for number, address in enumerate(m.gpus):
        yield 0.2, f"[drm] [nvidia-drm] [GPU ID 0x{int(address[5:7], 16) << 8:08x}] Loading driver"
        yield 0.1, f"[drm] Initialized nvidia-drm 0.0.0 20160202 for {address} on minor {number}"
    yield 0.3, f"nvidia-uvm: Loaded the UVM driver, major device number {m.rng.randrange(500, 511)}."
    yield 0.1, "nvidia_uvm: module uses symbols nvUvmInterfaceDisableAccessCntr from proprietary module nvidia, inheriting taint."
    yield 0.1, "nvidia-peermem: module verification passed" if m.rng.random() < 0.5 else "nv_peer_mem: registered"
    yield 0.4, "nvidia_drm: module license taints kernel."


def driver_unload(m):
    yield 5, "nvidia-uvm: Unloaded the UVM driver."
    yield 0.5, "[drm] [nvidia-drm] [GPU ID 0x00001b00] Unloading driver"
    yield 0.5, "nvidia-modeset: Unloading"
    for number in range(len(m.switches)):
        yield 0.1, f"nvidia-nvswitch{number}: release (0)"
    yield 0.5, f"nvidia-nvlink: Unregistered Nvlink Core, major device number {m.rng.randrange(230, 250)}"
    for address in m.gpus:
        yield 0.1, f"vfio-pci {address}: enabling device (0140 -> 0142)" if m.rng.random() < 0.3 else f"pci {address}: Removing from iommu group {m.rng.randrange(10, 200)}"


def vm_start(m):
    address = m.gpu()
    yield 20, f"vfio-pci {address}: enabling device (0140 -> 0142)"
    yield 0.5, f"vfio-pci {address}: vfio_ecap_init: hiding ecap 0x19@0x270"
    yield 0, f"vfio-pci {address}: vfio_ecap_init: hiding ecap 0x1e@0x304"
    yield 0, f"vfio-pci {address}: vfio_ecap_init: hiding ecap 0x26@0xd70"
    yield 0.5, f"vfio-pci {address}: vgaarb: deactivate vga console" if m.rng.random() < 0.2 else f"vfio-pci {address}: resetting"
    yield 1.1, f"vfio-pci {address}: reset done"
    yield 0.1, "kvm: SMP vm created on host with unstable TSC; guest TSC will not be reliable" if m.rng.random() < 0.1 else "kvm_intel: L1TF CPU bug present and SMT on, data leak possible."
    yield 0.1, f"tap{m.rng.randrange(16)}: entered promiscuous mode"
    yield 0.1, f"k6t-eth0: port 2(tap{m.rng.randrange(9)}) entered blocking state"
    yield 0.1, f"k6t-eth0: port 2(tap{m.rng.randrange(9)}) entered forwarding state"
    yield 2, f"kvm [{m.rng.randrange(3000, 90000)}]: ignored rdmsr: 0x{m.rng.choice((0x122, 0x345, 0x140)):x} data 0x0"


def vm_stop(m):
    address = m.gpu()
    yield 60, f"vfio-pci {address}: resetting"
    yield 1.2, f"vfio-pci {address}: reset done"
    yield 0.2, f"tap{m.rng.randrange(16)}: left promiscuous mode"
    yield 0.1, f"k6t-eth0: port 2(tap{m.rng.randrange(9)}) entered disabled state"
    if m.rng.random() < 0.3:
        yield 0.1, f"vfio-pci {address}: not ready 1023ms after FLR; waiting"
        yield 1.0, f"vfio-pci {address}: ready 1023ms after FLR"


def network(m):
    nic, veth = m.rng.choice(m.nics), f"cali{m.rng.getrandbits(44):011x}"
    yield 30, f"IPv6: ADDRCONF(NETDEV_CHANGE): {veth}: link becomes ready"
    yield 0.2, f"mlx5_core {nic} enp{int(nic[5:7], 16)}s0f{nic[-1]}np{nic[-1]}: Link up"
    yield 5, f"device {veth} entered promiscuous mode"
    yield 2, f"mlx5_core {nic} enp{int(nic[5:7], 16)}s0f{nic[-1]}np{nic[-1]}: Link down"
    yield 2, f"mlx5_core {nic} enp{int(nic[5:7], 16)}s0f{nic[-1]}np{nic[-1]}: Link up"
    yield 1, "nf_conntrack: default automatic helper assignment has been turned off for security reasons"
    yield 1, f"TCP: request_sock_TCP: Possible SYN flooding on port {m.rng.randrange(1000, 60000)}. Sending cookies."
    yield 1, f"rdma_rxe: unloaded; link layer of mlx5_{m.rng.randrange(9)} is InfiniBand"
    yield 1, f"ib0: multicast join failed for ff12:401b:ffff:0000:0000:0000:ffff:ffff, status -11"


def storage(m):
    yield 40, f"EXT4-fs (nvme{m.rng.randrange(8)}n1p1): mounted filesystem with ordered data mode. Quota mode: none."
    yield 1, f"XFS (dm-{m.rng.randrange(9)}): Mounting V5 Filesystem"
    yield 1, f"XFS (dm-{m.rng.randrange(9)}): Ending clean mount"
    yield 1, f"LNet: {m.rng.randrange(9999)}:0:(o2iblnd_cb.c:3420:kiblnd_check_conns()) Timed out tx for 10.0.3.{m.rng.randrange(250)}@o2ib: 0 seconds"
    yield 1, f"Lustre: scratch-OST{m.rng.randrange(64):04x}-osc: Connection restored to 10.0.3.{m.rng.randrange(250)}@o2ib (at 10.0.3.7@o2ib)"
    yield 1, f"nfs: server filer{m.rng.randrange(4)} not responding, still trying"
    yield 3, f"nfs: server filer{m.rng.randrange(4)} OK"
    yield 1, f"sd {m.rng.randrange(9)}:0:0:0: [sda] Synchronizing SCSI cache"
    yield 1, f"overlayfs: lower directories of different file systems: xino is off"
    yield 1, f"blk_update_request: operation not supported error, dev loop{m.rng.randrange(20)}, sector 0 op 0x9:(WRITE_ZEROES) flags 0x800 phys_seg 0 prio class 0"


def usb(m):
    number = m.rng.randrange(1, 9)
    yield 90, f"usb 1-{number}: new high-speed USB device number {m.rng.randrange(2, 60)} using xhci_hcd"
    yield 0.1, f"usb 1-{number}: New USB device found, idVendor=046b, idProduct=ff01, bcdDevice= 1.00"
    yield 0.1, f"usb 1-{number}: Product: Virtual Hub"
    yield 0.1, f"hub 1-{number}:1.0: 5 ports detected"
    yield 1, f"input: American Megatrends Inc. Virtual Keyboard and Mouse as /devices/pci0000:00/{m.usb}/usb1/1-{number}/input/input{m.rng.randrange(9)}"
    yield 1, f"usb 1-{number}: USB disconnect, device number {m.rng.randrange(2, 60)}"
    yield 1, f"xhci_hcd {m.usb}: xHCI Host Controller"
    yield 1, f"cdc_ether 1-{number}:2.0 enx{m.mac().replace(':', '')}: unregister 'cdc_ether' usb-{m.usb}-{number}, CDC Ethernet Device"


def suspend(m):
    yield 30, "PM: suspend entry (deep)"
    yield 0.2, "Filesystems sync: 0.013 seconds"
    yield 0.1, "Freezing user space processes completed (elapsed 0.003 seconds)"
    for address in m.gpus[:2]:
        yield 0.1, f"nvidia {address}: PM: calling nvidia_pm_suspend"
    yield 0.3, "ACPI: PM: Preparing to enter system sleep state S3"
    yield 0.3, "ACPI: PM: Waking up from system sleep state S3"
    yield 0.3, "OOM killer enabled."
    yield 0.2, "PM: suspend exit"


def work(m):
    pid = m.rng.randrange(2000, 900000)
    yield 30, f"python3[{pid}]: segfault at 0 ip 00007f12c0a1e2b4 sp 00007ffd3c1a error 4 in libtorch_cpu.so[7f12bfa00000+1b000000]"
    yield 5, f"Memory cgroup out of memory: Killed process {pid} (python3) total-vm:21474836kB, anon-rss:16777216kB, file-rss:81kB, shmem-rss:0kB, UID:1000 pgtables:33120kB oom_score_adj:985"
    yield 2, f"oom_reaper: reaped process {pid} (python3), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB"
    yield 2, f"perf: interrupt took too long ({m.rng.randrange(2501, 9999)} > 2500), lowering kernel.perf_event_max_sample_rate to 79000"
    yield 2, f"audit: type=1701 audit(17357{m.rng.randrange(10000, 99999)}.123:{m.rng.randrange(9999)}): auid=1000 uid=1000 pid={pid} comm=\"python3\" sig=6 res=1"
    yield 2, f"docker0: port {m.rng.randrange(1, 40)}(veth{m.rng.getrandbits(28):07x}) entered disabled state"
    yield 2, f"TCP: eth0: Driver has suspect GRO implementation, TCP performance may be compromised."
    yield 2, f"hrtimer: interrupt took {m.rng.randrange(9999)} ns"
    yield 2, "nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context, skipping further processing"


EVENTS = (driver_unload, driver_load, vm_start, vm_start, vm_stop, vm_stop, network, network, storage, usb, suspend, work, work)
