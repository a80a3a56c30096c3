"""Invented GPU servers: names, addresses, versions. Everything is drawn from the seed."""
import dataclasses
import random

KERNELS = ("5.15.0-119-generic", "6.8.0-45-generic", "5.14.0-427.40.1.el9_4.x86_64", "6.1.0-26-amd64", "4.18.0-553.el8.x86_64")
DRIVERS = ("535.183.06", "550.90.07", "550.127.08", "565.57.01", "570.124.06", "575.57.08")


@dataclasses.dataclass
class Board:
    model: str
    device: str       # PCI device id of a GPU
    gpus: int
    switches: int     # NVSwitches on the PCI bus
    switch_device: str
    links: int


BOARDS = (Board("NVIDIA H100 80GB HBM3", "10de:2330", 8, 4, "10de:22a3", 18), Board("NVIDIA H200", "10de:2335", 8, 4, "10de:22a3", 18),
          Board("NVIDIA A100-SXM4-80GB", "10de:20b2", 8, 6, "10de:1af1", 12), Board("NVIDIA L40S", "10de:26b9", 4, 0, "", 0),
          Board("NVIDIA B200", "10de:2901", 8, 0, "", 18), Board("NVIDIA A100 80GB PCIe", "10de:20b5", 2, 0, "", 0))


class Machine:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.board = rng.choice(BOARDS)
        place = rng.choice(("pan", "icn", "gju", "dc2", "hall3", "pod"))
        self.host = f"{place}-{rng.choice(('gpu', 'hgx', 'node', 'ai'))}{rng.randrange(1, 400):03d}"
        self.kernel, self.driver = rng.choice(KERNELS), rng.choice(DRIVERS)
        buses = rng.sample(range(0x10, 0xf0), self.board.gpus + self.board.switches + 6)
        self.gpus = [f"0000:{bus:02x}:00.0" for bus in sorted(buses[:self.board.gpus])]
        self.switches = [f"0000:{bus:02x}:00.0" for bus in sorted(buses[self.board.gpus:self.board.gpus + self.board.switches])]
        rest = buses[-6:]
        self.nics = [f"0000:{bus:02x}:00.{function}" for bus in rest[:2] for function in (0, 1)]
        self.drives = [f"0000:{bus:02x}:00.0" for bus in rest[2:5]]
        self.usb = f"0000:{rest[5]:02x}:00.3"
        self.boot_id = f"{rng.getrandbits(128):032x}"
        self.machine_id = f"{rng.getrandbits(128):032x}"
        self.started = rng.randrange(1_735_700_000, 1_760_000_000)
        self.cores = rng.choice((64, 96, 112, 128, 192))

    def gpu(self):
        return self.rng.choice(self.gpus)

    def uuid(self):
        digits = f"{self.rng.getrandbits(128):032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def mac(self):
        return ":".join(f"{self.rng.randrange(256):02x}" for _ in range(6))
