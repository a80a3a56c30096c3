#!/usr/bin/env python3
"""Redacts each case and holds the copy against it: no name of the map is left, and the diagnosis is the same.

    test_cases.py --program BIN [--every N] CASES...
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, check=False)


def answer_of(program, path):
    done = run(program, "diagnose", path, "-o", "json")
    if done.returncode not in (0, 1, 2):
        return None
    answer = json.loads(done.stdout)
    incidents = [(i["fault"], i["class"], i["action"]["class"], [d.get("pci") for d in i["devices"] if d.get("pci")], round(i["confidence"], 2))
                 for i in answer["incidents"]]
    return answer["verdict"], incidents


def same(before, after):
    """Confidence may move by 0.02: a name that is an ordinary word may join what was apart."""
    if before[0] != after[0] or len(before[1]) != len(after[1]):
        return False
    return all(a[:4] == b[:4] and abs(a[4] - b[4]) <= 0.02 for a, b in zip(before[1], after[1]))


def leftovers(folder, tokens):
    """Whole words of the copy, in names of files and in texts, that the map calls a name."""
    texts = {entry["text"]: entry["kind"] for entry in tokens if len(entry["text"]) >= 3}
    made = {entry["token"] for entry in tokens}
    found = set()
    for path in pathlib.Path(folder).rglob("*"):
        words = str(path.relative_to(folder)).lower()
        if path.is_file():
            words += "\n" + path.read_text(encoding="utf-8", errors="replace").lower()
        for text in texts:
            if text in words and text not in made and re.search(rf"(?<![a-z0-9]){re.escape(text)}(?![a-z0-9])", words):
                found.add(text)
    return found


def check(job):
    program, case = job
    with tempfile.TemporaryDirectory() as scratch:
        paths = [path for path in sorted(case.iterdir()) if path.name not in ("case.yaml", "README.md")]
        plain, copy, map_path = pathlib.Path(scratch, "plain"), pathlib.Path(scratch, "copy"), pathlib.Path(scratch, "map.json")
        plain.mkdir()
        for path in paths:
            (plain / path.name).symlink_to(path) if path.is_dir() else (plain / path.name).write_bytes(path.read_bytes())
        done = run(program, "redact", plain, "--to", copy, "--map", map_path)
        if done.returncode != 0:
            return [f"{case.name}: exit code {done.returncode}: {done.stderr.decode(errors='replace')[:300]}"], 0
        tokens = json.loads(map_path.read_text(encoding="utf-8"))["tokens"]
        wrong = []
        if map_path.stat().st_mode & 0o077:
            wrong.append(f"{case.name}: others may read the map")
        if left := leftovers(copy, tokens):
            wrong.append(f"{case.name}: left in the copy: {sorted(left)[:5]}")
        before, after = answer_of(program, plain), answer_of(program, copy)
        if before and not (after and same(before, after)):
            wrong.append(f"{case.name}: {before} became {after}")
        return wrong, len(tokens)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--program", required=True)
    options.add_argument("--every", type=int, default=1, help="only each Nth case")
    options.add_argument("cases", nargs="+", type=pathlib.Path)
    given = options.parse_args()
    cases = [case for folder in given.cases for case in sorted(folder.iterdir()) if (case / "case.yaml").exists()][::given.every]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(check, [(given.program, case) for case in cases]))
    wrong = [line for lines, _ in results for line in lines]
    print("\n".join(wrong + [f"redacted: {len(cases)} cases, {sum(count for _, count in results)} tokens, wrong: {len(wrong)}"]))
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
