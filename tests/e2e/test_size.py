"""What a big capture costs: memory has a bound whatever the size of the input."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import program
from case import main

LIMIT_KB = 200 * 1024
POD_FILLER = {f"example.com/annotation-{n}": "x" * 100 for n in range(20)}


def pod(number):
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": f"pod-{number}", "namespace": "lab", "annotations": POD_FILLER},
            "spec": {"nodeName": f"node-{number % 7}", "containers": [{"name": "main", "image": "registry.lab/app:1"}]},
            "status": {"phase": "Running", "containerStatuses": [{"name": "main", "ready": True, "restartCount": 0}]}}


def write_must_gather(root, entries=300):
    """A tree as a cluster's collector leaves it: objects of each namespace, logs of each pod, and some files of each node."""
    for number in range(entries):
        kind = number % 4
        folder = root / "quay-io-lab" / f"namespaces-{number % 12}" / f"entry-{number}"
        folder.mkdir(parents=True)
        if kind == 0:
            pods = {"apiVersion": "v1", "items": [pod(n) for n in range(40)], "kind": "List"}
            (folder / "pods.json").write_text(json.dumps(pods, indent=4))
        elif kind == 1:
            (folder / "current.log").write_text("".join(
                f"2025-03-04T05:{n // 60 % 60:02}:{n % 60:02}.000000001Z stderr F I0304 05:00:00.000000       1 main.go:{n}] step {n}\n"
                for n in range(2000)))
        elif kind == 2:
            (folder / "dmesg.txt").write_text("".join(f"[{n:5}.000000] usb 1-1: device number {n}\n" for n in range(2000)))
        else:
            (folder / "lspci.txt").write_text("".join(
                f"{bus:02x}:00.0 Ethernet controller: Example Corp Device {bus:04x}\n" for bus in range(200)))
    (root / "nodes.log").write_text(program.FAULT)
    (root / "all-pods.json").write_text(
        json.dumps({"apiVersion": "v1", "items": [pod(n) for n in range(8000)], "kind": "List"}, indent=4))


def peak_kb(*words):
    """Exit code, standard output, and the peak of resident memory of one run."""
    code = ("import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], capture_output=True, check=False);"
            "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.stdout.write(done.stdout.decode())")
    done = subprocess.run([sys.executable, "-c", code, program.BIN, *map(str, words)], capture_output=True, check=True, timeout=300,
                          env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"})
    first, rest = done.stdout.decode().split("\n", 1)
    code, peak = map(int, first.split())
    return code, rest, peak


class BigCapture(unittest.TestCase):
    def test_a_tree_of_300_entries_is_read_in_bounded_memory(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            write_must_gather(root)
            code, out, peak = peak_kb("diagnose", root, "-o", "json")
        answer = json.loads(out)
        self.assertEqual(code, 1)
        self.assertGreaterEqual(len(answer["sources"]), 300)
        self.assertEqual(answer["incidents"][0]["fault"], "gpu.fallen_off_bus")
        pods = next(source for source in answer["sources"] if source["name"].endswith("all-pods.json"))
        self.assertEqual(pods["records"], 8000)
        if not program.SANITIZED:
            self.assertLess(peak, LIMIT_KB)


if __name__ == "__main__":
    main(globals())
