"""The README's two commands: `./dev run diagnose ...`, whose answer is compared, and `./dev test`.

They are the lines of the README's first ```sh block; the answer that the README prints (its first ```text block) must be what the
program prints, in order, where a line "..." stands for lines left out. The second command runs with --tests (CI runs it as its last
step by itself). With --in ROOT both run in that chroot, where nothing but the project needs to be installed: all comparing is done
out here.
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


def block_of(readme, kinds):
    found = re.search(rf"^```(?:{kinds})\n(.*?)^```", readme, re.S | re.M)
    return found.group(1).splitlines() if found else []


def commands_of(readme):
    return [line.removeprefix("$ ").split(" # ")[0].strip() for line in block_of(readme, "sh|bash|console") if "./dev " in line]


def told_otherwise(shown, printed):
    """Lines that the README shows and the program does not print at that place. The catalogue's version changes with every entry."""
    rest = iter([line for line in printed.splitlines() if "catalogue" not in line])
    lines = [line for line in shown if line.strip() not in ("", "...") and "catalogue" not in line]
    return [f"README shows what is not printed (in this order): {line}" for line in lines if not any(line == p for p in rest)][:3]


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


def check(readme, root, chroot, tests):
    commands = commands_of(readme)
    if len(commands) != 2 or not commands[0].startswith("./dev run diagnose ") or commands[1] != "./dev test":
        return [f"README: its first sh block must hold `./dev run diagnose ...` and `./dev test`; found {commands}"]
    wrong = []
    plain = run(commands[0], root, chroot)
    if plain.returncode != EXIT:
        wrong.append(f"{commands[0]}: exit code {plain.returncode}, expected {EXIT}")
    wrong += told_otherwise(block_of(readme, "text"), plain.stdout.decode(errors="replace"))
    as_json = run(f"{commands[0]} -o json", root, chroot)
    try:
        wrong += compare(json.loads(as_json.stdout))
    except ValueError as error:
        wrong.append(f"{commands[0]} -o json: not JSON: {error}")
    if tests:
        tested = run(commands[1], root, chroot)
        print(tested.stdout.decode(errors="replace")[-2000:])
        if tested.returncode != 0:
            wrong.append(f"{commands[1]}: exit code {tested.returncode}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--readme", type=pathlib.Path, help="default: ROOT/README.md")
    parser.add_argument("--in", dest="chroot")
    parser.add_argument("--tests", action="store_true", help="run ./dev test too")
    arguments = parser.parse_args()
    readme = (arguments.readme or arguments.root / "README.md").read_text(encoding="utf-8")
    wrong = check(readme, arguments.root, arguments.chroot, arguments.tests)
    for line in wrong:
        print(f"quickstart: {line}")
    print("quickstart: " + ("FAILED" if wrong else "the commands answer as the README says"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
