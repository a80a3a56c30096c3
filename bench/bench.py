"""Time to the answer, and scan speed beside ripgrep: bench.py --root DIR [start] [scan]."""
import argparse
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

LOG_BYTES = 256 << 20
START_RUNS = 20
SCAN_RUNS = 3
RIPGREP = "@vscode/ripgrep@1.18"   # ships ripgrep 15


def timed(argv, accepted):
    """Seconds of one run; output is read through a pipe, as a user's `| jq` would."""
    begin = time.perf_counter()
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    seconds = time.perf_counter() - begin
    if done.returncode not in accepted:
        sys.exit(f"bench: {' '.join(map(str, argv))}: exit code {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    return seconds, done.stdout


def bench_start(root, program):
    runs = [timed([program, "diagnose", root / "examples/rx-detect"], (1,))[0] for _ in range(START_RUNS)]
    print(f"start: {statistics.median(runs) * 1000:.1f} ms median, {min(runs) * 1000:.1f} ms best, "
          f"of {START_RUNS} diagnoses of examples/rx-detect")


def big_log(root, work):
    log = work / f"log-{LOG_BYTES >> 20}.log"
    if not log.is_file() or log.stat().st_size < LOG_BYTES:
        subprocess.run([root / "build/release/bin/bench_log_gen", str(LOG_BYTES), log], check=True)
    log.read_bytes()   # into the page cache: the disk is not what we measure
    return log


def ripgrep(work):
    """The rg program, or None with the reason said."""
    found = sorted(work.glob("node_modules/@vscode/*/bin/rg"))
    if not found and shutil.which("npm"):
        done = subprocess.run(["npm", "install", "--no-save", "--prefix", work, RIPGREP], stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
        found = sorted(work.glob("node_modules/@vscode/*/bin/rg"))
        if not found:
            print(f"scan: ripgrep is missing: npm install {RIPGREP}: {done.stderr.decode(errors='replace')[-300:].strip()}")
    elif not found:
        print("scan: ripgrep is missing, and so is npm, which would bring it")
    return found[0] if found else None


def bench_scan(root, program):
    work = root / "build/bench"
    work.mkdir(parents=True, exist_ok=True)
    log = big_log(root, work)
    patterns = work / "patterns.txt"
    listed = timed([program, "catalog", "patterns"], (0,))[1].decode()
    # ripgrep joins all patterns into one, where a group name may stand once only; it need not capture here anyway.
    patterns.write_text(re.sub(r"\(\?P<\w+>", "(?:", listed), encoding="utf-8")
    count = len(patterns.read_text(encoding="utf-8").splitlines())
    rg = ripgrep(work)
    ours, theirs = [], []
    for _ in range(SCAN_RUNS):
        ours.append(timed([program, "diagnose", log, "-o", "json"], (0, 1, 2))[0])
        if rg:
            seconds, lines = timed([rg, "--no-config", "-c", "-f", patterns, log], (0, 1))
            theirs.append(seconds)
    megabytes = log.stat().st_size / 1e6
    mine = statistics.median(ours)
    print(f"scan: gpumedic {mine:.2f} s = {megabytes / mine:.0f} MB/s (whole diagnosis, {count} patterns, {megabytes:.0f} MB)")
    if theirs:
        other = statistics.median(theirs)
        print(f"scan: ripgrep  {other:.2f} s = {megabytes / other:.0f} MB/s (-c -f, the same patterns; {lines.decode().strip()} lines match)")
        print(f"scan: ratio {other / mine:.2f} (above 1: gpumedic is faster), medians of {SCAN_RUNS} interleaved runs")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("names", nargs="*", choices=["start", "scan", []], metavar="start|scan")
    arguments = parser.parse_args()
    program = arguments.root / "build/release/bin/gpumedic"
    for name in arguments.names or ["start", "scan"]:
        {"start": bench_start, "scan": bench_scan}[name](arguments.root, program)


if __name__ == "__main__":
    main()
