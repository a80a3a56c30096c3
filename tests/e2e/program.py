"""Starts the program, and the evidence that the tests hand to it."""
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile

BIN = os.environ["GPUMEDIC_BIN"]
SAMPLE = os.environ["GPUMEDIC_SAMPLE"]
SOURCE = pathlib.Path(os.environ["GPUMEDIC_SOURCE"])
SANITIZED = bool(os.environ.get("GPUMEDIC_SANITIZE"))

XID79 = "2025-03-04T05:06:07.123456+09:00 worker-3 kernel: NVRM: Xid (PCI:0000:c4:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.\n"
PLAIN = "2025-03-04T05:00:00.000000+09:00 worker-3 kernel: usb 1-1: new high-speed USB device number 2 using xhci_hcd\n"
FAULT = PLAIN + XID79 + "2025-03-04T05:06:07.200000+09:00 worker-3 kernel: NVRM: GPU 0000:c4:00.0: GPU has fallen off the bus.\n"
ANSWERS = (0, 1, 2)


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout.decode("utf-8")   # strict: what is printed is valid UTF-8
        self.err = done.stderr.decode("utf-8")

    def json(self):
        return json.loads(self.out)


def run(*words, stdin=b"", env=None, timeout=120):
    """Runs gpumedic; a language and time that do not depend on the machine unless the test says otherwise."""
    settings = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "SOURCE_DATE_EPOCH": "1760000000"}
    settings.update(env or {})
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return Result(subprocess.run([BIN, *map(str, words)], input=data, capture_output=True, env=settings, timeout=timeout, check=False))


def sample(name):
    return json.loads(subprocess.run([SAMPLE, name], capture_output=True, check=True).stdout)


@contextlib.contextmanager
def folder(**files):
    """A temporary folder with these files; names have '__' for '.' ("kernel__log")."""
    with tempfile.TemporaryDirectory(prefix="gpumedic-e2e-") as name:
        path = pathlib.Path(name)
        for key, content in files.items():
            target = path / key.replace("__", ".")
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        yield path
