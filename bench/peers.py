#!/usr/bin/env python3
"""What a plain Xid table would have answered, beside our answers, on a folder of labelled cases.

usage: peers.py --bin PATH/gpumedic --cases DIR [--to FILE.md] [--name NAME]

The table (xid_table.tsv) is what most monitors have: the number of the first Xid in the evidence gives an action, its address the device. Both
answers are judged alike: class, device and action against the case's truth. Evidence without an Xid gives the table nothing to say, which is
right for a healthy case.
"""
import argparse
import csv
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import yaml

HERE = pathlib.Path(__file__).parent
XID = re.compile(r"Xid \(PCI:([0-9a-fA-F:.]+)\): (\d+)")


def load_table():
    lines = [line for line in (HERE / "xid_table.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {row["xid"]: row for row in csv.DictReader(lines, delimiter="\t")}


def address(text):
    found = re.search(r"(?:\b[0-9a-f]{4,8}:)?\b([0-9a-f]{2}):([0-9a-f]{2})\b", str(text).lower())
    return found and (found[1], found[2])


def table_answer(folder, table):
    for path in sorted(folder.iterdir()):
        if path.name == "case.yaml":
            continue
        found = XID.search(path.read_text(encoding="utf-8", errors="replace"))
        if found:
            row = table.get(found[2])
            return {"class": row["class"] if row else "", "action": row["action"] if row else "investigate", "devices": {address(found[1])}}
    return {"class": "healthy", "action": "none", "devices": set()}


def our_answer(program, folder):
    with tempfile.TemporaryDirectory() as parent:
        room = shutil.copytree(folder, pathlib.Path(parent) / "evidence", ignore=shutil.ignore_patterns("case.yaml"))
        out = subprocess.run([program, "diagnose", room, "-o", "json"], capture_output=True, check=False).stdout
    data = json.loads(out)
    incidents = [i for i in data["incidents"] if i["state"] == "open"]
    if not incidents:
        return {"class": data["verdict"], "action": "none", "devices": set()}
    top = incidents[0]
    return {"class": top["class"], "action": top["action"]["class"], "devices": {address(d.get("pci")) for d in top["devices"] if d.get("pci")}}


def judge(truth, answer):
    wanted = {address(d) for d in truth.get("devices") or [] if address(d)}
    return {
        "class": answer["class"] in [truth["fault_class"], *(truth.get("also_accept_class") or [])],
        "device": wanted <= answer["devices"],
        "action": answer["action"] in [truth["expected_action_class"], *(truth.get("also_accept_action") or [])],
    }


def render(name, count, scores):
    lines = [f"## {name}: {count} cases", "", "| answers of | class | device | action | all three |", "|---|---|---|---|---|"]
    for who, rows in scores.items():
        cells = [f"{sum(r[k] for r in rows)} ({sum(r[k] for r in rows) / count:.0%})" for k in ("class", "device", "action")]
        whole = sum(all(r.values()) for r in rows)
        lines.append(f"| {who} | {' | '.join(cells)} | {whole} ({whole / count:.0%}) |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--cases", required=True, type=pathlib.Path)
    parser.add_argument("--name", default="")
    parser.add_argument("--to", type=pathlib.Path)
    arguments = parser.parse_args()
    table = load_table()
    scores = {"a plain Xid table": [], "gpumedic": []}
    folders = sorted(p.parent for p in arguments.cases.glob("*/case.yaml"))
    for folder in folders:
        truth = yaml.safe_load((folder / "case.yaml").read_text(encoding="utf-8"))["truth"]
        scores["a plain Xid table"].append(judge(truth, table_answer(folder, table)))
        scores["gpumedic"].append(judge(truth, our_answer(arguments.bin, folder)))
    text = render(arguments.name or arguments.cases.name, len(folders), scores)
    if arguments.to:
        arguments.to.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
