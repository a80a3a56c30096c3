#!/usr/bin/env python3
"""Runs gpumedic on a machine with a broken GPU, in emulation. lab.py --program BIN [--all | --list | NAME...]"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import image
import machine

HERE = pathlib.Path(__file__).resolve().parent
QUICK_LIMIT_S, SLOW_LIMIT_S = 400, 900
UNAVAILABLE = 69


def scenarios():
    """{name: (what it is about, whether it is slow)}; healthy ones first."""
    found = {}
    for path in sorted((HERE / "scenarios").glob("*.sh")):
        title = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        found[path.stem] = (title.removeprefix("slow: "), title.startswith("slow: "))
    return found


def bundle(program, to):
    """The program with its loader and libraries: the guest has neither. Stripped, since it goes over 9p."""
    to.mkdir(parents=True)
    shutil.copy(program, to / "gpumedic")
    subprocess.run(["strip", to / "gpumedic"], check=True)
    listed = subprocess.run(["ldd", program], check=True, text=True, stdout=subprocess.PIPE).stdout
    for path in re.findall(r"(?:=> )?(/\S+) \(0x", listed):
        shutil.copy(pathlib.Path(path).resolve(), to / pathlib.Path(path).name)


def run(name, slow, given, guest):
    out = pathlib.Path(given.out) / name
    shutil.rmtree(out, ignore_errors=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="gpumedic-lab-") as scratch:
        share = pathlib.Path(scratch) / "share"
        (share / "out").mkdir(parents=True)
        bundle(given.program, share / "program")
        shutil.copy(HERE / "guest/library.sh", share / "library.sh")
        shutil.copy(HERE / f"scenarios/{name}.sh", share / "scenario.sh")
        ended = machine.boot(share, guest, scratch, SLOW_LIMIT_S if slow else QUICK_LIMIT_S)
        shutil.copytree(share / "out", out)
        serial = pathlib.Path(scratch) / "serial.log"
        if serial.exists():
            shutil.copy(serial, out / "serial.log")
    log = (out / "scenario.log").read_text(encoding="utf-8", errors="replace") if (out / "scenario.log").exists() else ""
    checks = re.findall(r"^(OK|FAIL) +(.*)$", log, re.MULTILINE)
    for verdict, what in checks:
        print(f"  {verdict:4} {what}")
    whole = ended and (out / "scenario.rc").exists() and bool(checks)
    if not whole:
        print(f"  FAIL the guest did not come to its end; see {out}")
    failed = not whole or any(verdict == "FAIL" for verdict, _ in checks)
    print(f"lab: {name}: {'failed' if failed else 'ok'}, {len(checks)} checks, {time.monotonic() - began:.0f} s", flush=True)
    return not failed


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", type=pathlib.Path)
    options.add_argument("--cache", default=pathlib.Path.home() / ".cache/gpumedic-tests", type=pathlib.Path)
    options.add_argument("--out", default=HERE.parents[1] / "build/lab", type=pathlib.Path)
    options.add_argument("--all", action="store_true")
    options.add_argument("--list", action="store_true")
    options.add_argument("names", nargs="*")
    given = options.parse_args()
    known = scenarios()
    if given.list:
        for name, (title, slow) in known.items():
            print(f"{name:22} {'slow ' if slow else '     '}{title}")
        return 0
    unknown = [name for name in given.names if name not in known]
    if unknown or given.program is None:
        options.error(f"no scenario '{unknown[0]}'; one of: {', '.join(known)}" if unknown else "--program is missing")
    names = given.names or [name for name, (_, slow) in known.items() if given.all or not slow]
    try:
        guest = image.build(given.cache)
    except (image.Unavailable, subprocess.CalledProcessError, OSError) as problem:
        print(f"lab: the guest's image cannot be had here: {problem}", file=sys.stderr)
        return UNAVAILABLE
    results = []
    for name in names:
        print(f"lab: {name}: {known[name][0]}", flush=True)
        results.append(run(name, known[name][1], given, guest))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
