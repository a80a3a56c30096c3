#!/usr/bin/env python3
"""Compares the answers on a few cases with the files beside this one. golden.py NAME; GPUMEDIC_BLESS=1 rewrites."""
import difflib
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent
CASES = {
    "rx-detect": "examples/rx-detect",
    "fallen-off-under-load": "tests/cases/fallen-off-xid79-under-load",
    "gsp-timeout-reset-did-not-help": "tests/cases/gsp-timeout-reset-did-not-help",
    "row-remap-done-after-reset": "tests/cases/row-remap-done-after-reset",
    "nvswitch-crossbar-fatal": "tests/cases/nvswitch-crossbar-fatal-many-gpus",
    "group-not-viable": "tests/cases/group-not-viable-usb-companion",
    "slurm-gres-count-low": "tests/cases/slurm-count-low-because-gpu-fell",
    "healthy-boot-noise": "tests/cases/healthy-boot-nic-aer",
    "inconclusive": "tests/cases/no-devices-and-nothing-else",
}
FORMS = {
    "en.txt": ["--lang", "en"],
    "ko.txt": ["--lang", "ko"],
    "verbose.en.txt": ["-v", "--lang", "en"],
    "verbose.ko.txt": ["-v", "--lang", "ko"],
    "json": ["-o", "json"],
}


def answer(case, words):
    evidence = sorted(str(p.relative_to(SOURCE)) for p in (SOURCE / case).iterdir() if p.name not in ("case.yaml", "README.md"))
    settings = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "SOURCE_DATE_EPOCH": "1780000000"}
    done = subprocess.run([os.environ["GPUMEDIC_BIN"], "diagnose", *evidence, *words], cwd=SOURCE, env=settings, capture_output=True, timeout=120, check=False)
    text = done.stdout.decode("utf-8")
    return re.sub(r"\d+\.\d+\.\d+\+[0-9a-f]{8}", "VERSION", text) + f"exit {done.returncode}\n"


def main():
    name = sys.argv[1]
    bless = os.environ.get("GPUMEDIC_BLESS") == "1"
    differs = 0
    for form, words in FORMS.items():
        path = HERE / f"{name}.{form}"
        now = answer(CASES[name], words)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if now == before:
            continue
        if bless:
            path.write_text(now, encoding="utf-8")
            continue
        differs += 1
        diff = difflib.unified_diff(before.splitlines(), now.splitlines(), f"tests/golden/{path.name}", "now", lineterm="", n=2)
        print("\n".join(diff))
    if differs:
        print(f"\n{differs} answers differ. If that is meant: ./dev bless, read what changed, commit it.")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
