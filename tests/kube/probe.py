"""Runs kube_probe: the program's client, one call at a time."""
import json
import os
import subprocess
import time

PROBE = os.environ["KUBE_PROBE"]
SANITIZED = bool(os.environ.get("GPUMEDIC_SANITIZE"))

NODES = "/v1/nodes/Node"
PODS = "/v1/pods/Pod"
EVENTS = "/v1/events/Event"
VMS = "kubevirt.io/v1/virtualmachines/VirtualMachine"
VMIS = "kubevirt.io/v1/virtualmachineinstances/VirtualMachineInstance"


class Result:
    def __init__(self, done, seconds):
        self.code, self.err, self.seconds = done.returncode, done.stderr.decode("utf-8", "replace"), seconds
        self.lines = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]

    @property
    def one(self):
        if len(self.lines) != 1:
            raise AssertionError(f"{len(self.lines)} lines, exit {self.code}: {self.lines[:3]} {self.err}")
        return self.lines[0]

    @property
    def text(self):
        return json.loads(self.one["text"])


def probe(*words, env=None, timeout=240, **flags):
    """flags: kubeconfig=..., timeout_ms=..., attempts=... ; the surroundings hold nothing but PATH unless `env` says so."""
    named = {"timeout_ms": "timeout"}
    options = [piece for key, value in flags.items() for piece in (f"--{named.get(key, key).replace('_', '-')}", str(value))]
    surroundings = {"PATH": os.environ["PATH"], **(env or {})}
    start = time.monotonic()
    done = subprocess.run([PROBE, *options, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True,
                          env=surroundings, timeout=timeout, check=False)
    result = Result(done, time.monotonic() - start)
    if done.returncode not in (0, 1):
        raise AssertionError(f"kube_probe {words}: exit {done.returncode}: {result.err}")
    return result
