#!/usr/bin/env python3
"""Writes logs of healthy GPU servers in every time form and has them diagnosed: any incident is a false alarm.

    healthy.py --program build/release/bin/gpumedic --bytes 200M --seed 7 [-v] [--keep FOLDER]
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import forms
import kernel_lines
import program_lines
from machines import Machine

FILE_BYTES = 2_000_000
UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}


def lines_of(machine, kernel_only):
    """(since 1970, since boot, program, pid, message), for ever: a boot, then what a working node does, then the next boot."""
    at = machine.started
    while True:
        booted = at
        for delay, text in (*kernel_lines.boot(machine), *kernel_lines.driver_load(machine)):
            at += delay
            yield at, at - booted, "kernel", 0, text
        for _ in range(machine.rng.randrange(60, 200)):
            group = machine.rng.choice(kernel_lines.EVENTS if kernel_only or machine.rng.random() < 0.4 else program_lines.GROUPS)
            for line in group(machine):
                at += line[0] + machine.rng.random()
                program = line[1] if len(line) == 3 else "kernel"
                yield at, at - booted, program, machine.rng.randrange(900, 99999), line[-1]
        at += 400


def write_file(path, seed, form, frame, size):
    machine = Machine(seed)
    written = 0
    with open(path, "w", encoding="utf-8") as out:
        for at, up, program, pid, text in lines_of(machine, form in forms.KERNEL_ONLY):
            line = form(machine, at, up, program, pid, text)
            if frame:
                line = "\n".join(frame(machine, at, part) for part in line.split("\n"))
            written += out.write(line + "\n")
            if written >= size:
                return written


def plan(total, seed):
    """(seed, form, frame): every form bare, every frame around two of the forms, and again until the bytes are there."""
    framed = [(form, frame) for frame in forms.FRAMES for form in (forms.syslog, forms.dmesg_ctime)]
    shapes = [(form, None) for form in forms.TIME_FORMS] + framed
    count = max(1, -(-total // FILE_BYTES))
    return [(seed * 1000 + index, *shapes[index % len(shapes)]) for index in range(max(count, len(shapes)))]


def diagnose(program, path):
    done = subprocess.run([program, "diagnose", path, "-o", "json"], capture_output=True, check=False)
    if done.returncode not in (0, 1, 2):
        return [f"{path}: exit code {done.returncode}: {done.stderr.decode(errors='replace')[:300]}"], None
    answer = json.loads(done.stdout)
    alarms = []
    for incident in answer["incidents"]:
        shown = "; ".join(f"{item.get('line')}: {item.get('raw') or item.get('text')}" for item in incident.get("evidence", [])[:3])
        alarms.append(f"{path}: {incident['fault']} ({incident['confidence']}): {shown}"[:600])
    if answer["verdict"] == "fault" and not alarms:
        alarms.append(f"{path}: verdict fault")
    return alarms, answer


def one(job):
    folder, program, size, verbose, (seed, form, frame) = job
    name = f"{seed}-{form.__name__}{'-in-' + frame.__name__ if frame else ''}.log"
    path = pathlib.Path(folder, name)
    written = write_file(path, seed, form, frame, size)
    alarms, answer = diagnose(program, path)
    verdict = answer["verdict"] if answer else "failed"
    records = answer["stats"]["records"] if answer else 0
    if answer and records * 600 < written and form is not forms.journal_export:
        alarms.append(f"{path}: only {records} records of {written} bytes: the form is not read")
    if verbose:
        print(f"{name}: {verdict}, {records} records")
    return written, records, verdict, alarms, (path if alarms else path.unlink())


def parse_size(text):
    return int(float(text[:-1]) * UNITS[text[-1].upper()]) if text[-1].upper() in UNITS else int(text)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--program", required=True)
    options.add_argument("--bytes", type=parse_size, default=parse_size("200M"))
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--keep", help="a folder for files that raised an alarm (default: they are removed)")
    options.add_argument("-v", "--verbose", action="store_true")
    given = options.parse_args()
    began = time.monotonic()
    jobs = plan(given.bytes, given.seed)
    size = -(-given.bytes // len(jobs))
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or scratch
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            results = list(pool.map(one, [(folder, given.program, size, given.verbose, job) for job in jobs]))
    alarms = [alarm for result in results for alarm in result[3]]
    for alarm in alarms:
        print(alarm)
    verdicts = collections.Counter(result[2] for result in results)
    print(f"healthy logs: {sum(r[0] for r in results) / 1e6:.1f} MB, {len(results)} files, {len(forms.TIME_FORMS)} time forms, {len(forms.FRAMES)} frames, "
          f"{sum(r[1] for r in results)} records, {time.monotonic() - began:.0f} s; verdicts: {dict(verdicts)}; false alarms: {len(alarms)}")
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
