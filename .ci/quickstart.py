"""The README's two commands, run as they stand there, and the first one's answer compared.

The commands are the `./dev run` lines of the README's first ```sh block. With --in ROOT they run in that chroot (where nothing
but the project needs to be installed: all comparing is done out here).
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

EXIT = 1
FAULT_CLASS = "nvlink_rx_detect_failure"
DEVICE = "0000:ed:00.0"
ACTION = "cold_reboot"


def commands_of(readme):
    for block in re.findall(r"^```(?:sh|bash|console)\n(.*?)^```", readme, re.S | re.M):
        lines = [line.removeprefix("$ ").split(" # ")[0].strip() for line in block.splitlines()]
        found = [line for line in lines if line.startswith("./dev run ")]
        if found:
            return found
    return []


def run(command, root, chroot):
    """Standard error passes through: it shows the build, and why something failed."""
    if chroot:
        inside = f"cd /gpumedic && exec {command}"
        environment = ["env", "-i", "HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
        argv = ["chroot", chroot, *environment, "sh", "-c", inside]
    else:
        argv = shlex.split(command)
    print(f"quickstart: {command}", flush=True)
    return subprocess.run(argv, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)


def compare(answer):
    """What is wrong with the first incident; empty when nothing is."""
    first = (answer.get("incidents") or [{}])[0]
    roots = [device.get("pci") for device in first.get("devices", []) if device.get("role") == "root"]
    expected = {
        "verdict": ("fault", answer.get("verdict")),
        "class": (FAULT_CLASS, first.get("class")),
        "root device": ([DEVICE], roots),
        "action": (ACTION, first.get("action", {}).get("class")),
    }
    return [f"{what}: expected {want}, got {got}" for what, (want, got) in expected.items() if want != got]


def check(readme, root, chroot):
    commands = commands_of(readme)
    if len(commands) != 2 or "diagnose" not in commands[0]:
        return [f"README: its first sh block must hold two `./dev run` lines, the first a diagnosis; found {commands}"]
    wrong = []
    plain = run(commands[0], root, chroot)
    if plain.returncode != EXIT:
        wrong.append(f"{commands[0]}: exit code {plain.returncode}, expected {EXIT}")
    if DEVICE not in plain.stdout.decode(errors="replace"):
        wrong.append(f"{commands[0]}: the text does not name {DEVICE}")
    as_json = run(f"{commands[0]} -o json", root, chroot)
    try:
        wrong += compare(json.loads(as_json.stdout))
    except ValueError as error:
        wrong.append(f"{commands[0]} -o json: not JSON: {error}")
    second = run(commands[1], root, chroot)
    if second.returncode not in (0, 1, 2) or not second.stdout.strip():
        wrong.append(f"{commands[1]}: exit code {second.returncode}, {len(second.stdout)} bytes of answer")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--readme", type=pathlib.Path, help="default: ROOT/README.md")
    parser.add_argument("--in", dest="chroot")
    arguments = parser.parse_args()
    readme = (arguments.readme or arguments.root / "README.md").read_text(encoding="utf-8")
    wrong = check(readme, arguments.root, arguments.chroot)
    for line in wrong:
        print(f"quickstart: {line}")
    print("quickstart: " + ("FAILED" if wrong else "both commands answer as the README says"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
