"""What the programs of a healthy GPU node say: (seconds since the line before, program, message)."""


def fabric_manager(m):
    name = "nv-fabricmanager"
    yield 1, name, "Connected to 1 node."
    yield 0, name, f"Fabric Manager version {m.driver} is running with the following configuration options"
    yield 2, name, "Successfully configured all the available NVSwitches to route GPU NVLink traffic. NVLink Peer-to-Peer support will be enabled once the GPUs are successfully registered with the NVLink fabric."
    for number in range(m.board.gpus):
        yield 0.2, name, f"GPU physical id {number + 1} registered with the fabric."


def services(m):
    yield 1, "nvidia-persistenced", "Started (1123)"
    yield 0, "nvidia-persistenced", f"device {m.gpus[0]} - registered"
    yield 0, "nvidia-persistenced", f"device {m.gpus[0]} - persistence mode enabled."
    yield 0.2, "systemd", "Started nvidia-persistenced.service - NVIDIA Persistence Daemon."
    yield 0.2, "systemd", "nvidia-fabricmanager.service: Deactivated successfully." if m.rng.random() < 0.2 else "Started NVIDIA fabric manager service."
    yield 30, "systemd", f"session-{m.rng.randrange(900)}.scope: Deactivated successfully."
    yield 1, "sshd", f"Accepted publickey for ops from 10.8.0.{m.rng.randrange(250)} port 50{m.rng.randrange(100, 999)} ssh2: ED25519 SHA256:2hJ"
    yield 1, "sshd", f"error: kex_exchange_identification: Connection closed by remote host"
    yield 2, "CRON", "(root) CMD (   cd / && run-parts --report /etc/cron.hourly)"
    yield 2, "chronyd", "Selected source 10.0.0.1 (ntp1.mgmt)"
    yield 2, "irqbalance", "Cannot change IRQ 127 affinity: Input/output error"
    yield 1, "smartd", "Device: /dev/nvme0, SMART Usage Attribute: 194 Temperature_Celsius changed from 71 to 70"
    yield 1, "mcelog", "Family 6 Model 143 CPU: only decoding architectural errors"


def kubelet(m):
    pod = f"train-{m.rng.randrange(99)}-{m.rng.getrandbits(20):05x}"
    minute = f"{m.rng.randrange(60):02d}:{m.rng.randrange(60):02d}.{m.rng.randrange(10**6):06d}"
    head = f"0612 07:{minute}    2731"
    yield 10, "kubelet", f'I{head} kubelet.go:2404] "SyncLoop ADD" source="api" pods=["research/{pod}"]'
    yield 1, "kubelet", f'I{head} reconciler_common.go:245] "operationExecutor.VerifyControllerAttachedVolume started for volume \\"kube-api-access-x\\" (UniqueName: \\"kubernetes.io/projected/{m.uuid()}-x\\") pod \\"{pod}\\""'
    yield 1, "kubelet", f'E{head} cadvisor_stats_provider.go:522] "Partial failure issuing cadvisor.ContainerInfoV2" err="partial failures: [\\"/kubepods.slice/x\\": RecentStats: unable to find data in memory cache]"'
    yield 1, "kubelet", f'I{head} manager.go:306] "Recovery completed"'
    yield 1, "kubelet", f'W{head} watcher.go:93] Error while processing event ("/sys/fs/cgroup/x": 0x40000100 == IN_CREATE|IN_ISDIR): inotify_add_watch: no such file or directory'
    yield 1, "kubelet", f'I{head} server.go:144] "Got registration request from device plugin with resource" resourceName="nvidia.com/gpu"'
    yield 1, "containerd", f'time="2025-06-12T07:{minute[:5]}.123456789Z" level=info msg="StartContainer for \\"{m.rng.getrandbits(64):016x}\\" returns successfully"'
    yield 1, "containerd", f'time="2025-06-12T07:{minute[:5]}.223456789Z" level=warning msg="cleanup warnings time=\\"2025-06-12T07:00:00Z\\" level=info msg=\\"starting signal loop\\" namespace=k8s.io"'
    yield 1, "containerd", f'time="2025-06-12T07:{minute[:5]}.323456789Z" level=error msg="ExecSync for \\"{m.rng.getrandbits(64):016x}\\" failed" error="rpc error: code = NotFound desc = failed to exec in container: container is in CONTAINER_EXITED state"'


def device_plugin(m):
    yield 5, "nvidia-device-plugin", "I0612 07:12:14.001273       1 main.go:235] \"Starting NVIDIA Device Plugin\" version=<v0.16.2>"
    yield 1, "nvidia-device-plugin", "I0612 07:12:14.101273       1 server.go:165] \"Starting GRPC server for 'nvidia.com/gpu'\""
    yield 1, "nvidia-device-plugin", "I0612 07:12:14.201273       1 server.go:125] \"Registered device plugin with Kubelet\" resourceName=\"nvidia.com/gpu\""
    yield 1, "nv-hostengine", f"DCGM: version 3.3.7, {m.board.gpus} GPUs found"
    yield 1, "dcgm-exporter", "time=\"2025-06-12T07:12:14Z\" level=info msg=\"DCGM successfully initialized!\""
    yield 1, "dcgm-exporter", "time=\"2025-06-12T07:12:14Z\" level=info msg=\"Not collecting DCP metrics: This request is serviced by a module of DCGM that is not currently loaded\""


def virt_handler(m):
    vm = f"llm-{m.rng.randrange(40)}"
    uid = m.uuid()
    place = f'"name":"{vm}","namespace":"research","uid":"{uid}"'
    for level, text, where in (("info", "VMI is in phase: Scheduled | Domain status: , reason: ", "vm.go:1866"), ("info", "Processing event", "vm.go:1828"),
                               ("info", "No ACPI features available", "vm.go:1000"), ("info", "VMI is in phase: Running | Domain status: Running, reason: Unknown", "vm.go:1866"),
                               ("info", "migration is not possible: VMI has host devices", "vm.go:999"), ("info", "Synced vmi", "server.go:191"),
                               ("warning", "unable to retrieve guest agent version", "agent.go:81"), ("info", "Successfully shut down domain", "manager.go:1790")):
        if level == "warning":
            continue
        yield 2, "virt-handler", f'{{"component":"virt-handler","kind":"","level":"{level}","msg":"{text}",{place},"pos":"{where}","timestamp":"2025-06-12T07:12:1{m.rng.randrange(10)}.481773Z"}}'


def libvirt(m):
    vm = f"research_llm-{m.rng.randrange(40)}"
    yield 2, "libvirtd", "libvirt version: 9.0.0, package: 9.0.0-4+deb12u2 (Debian)"
    yield 1, "libvirtd", "hostname: " + m.host
    yield 1, "libvirtd", "End of file while reading data: Input/output error"
    yield 1, "virtqemud", f"Domain id=3 name='{vm}' uuid={m.uuid()} is tainted: custom-monitor"
    yield 1, "systemd-machined", f"New machine qemu-3-{vm}."
    yield 4, "systemd-machined", f"Machine qemu-3-{vm} terminated."


def slurm(m):
    job = m.rng.randrange(10000, 900000)
    yield 5, "slurmd", f"launch task StepId={job}.0 request from UID:1021 GID:1021 HOST:10.1.0.4 PORT:51212"
    yield 1, "slurmd", f"task/affinity: lllp_distribution: JobId={job} auto binding off: mask_cpu"
    yield 30, "slurmstepd", f"error: *** STEP {job}.0 ON {m.host} CANCELLED AT 2025-06-12T09:00:01 DUE TO TIME LIMIT ***"
    yield 1, "slurmd", f"[{job}.extern] done with job"
    yield 1, "slurmd", "gres/gpu: _set_gres_device_desc: /dev/nvidia0 major 195, minor 0"


GROUPS = (fabric_manager, services, kubelet, kubelet, device_plugin, virt_handler, libvirt, slurm, services)
