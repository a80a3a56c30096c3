"""What stands in the cluster: two nodes, KubeVirt's kinds, and VMs in every state that they can have.

The CustomResourceDefinitions hold no more than the API server needs (names, versions, the status subresource); the objects follow the
forms that KubeVirt writes. Controllers do not run: what they would do, the tests do.
"""
NODE, PEER = "mule-3", "mule-4"
RESOURCE = "nvidia.com/GH100_H100_SXM5_80GB"
DEVICE = "0000:5d:00.0"
STATES = ["Stopped", "Provisioning", "WaitingForVolumeBinding", "Starting", "Running", "Paused", "Stopping", "Terminating",
          "CrashLoopBackOff", "Migrating", "Unknown", "ErrorUnschedulable", "ErrImagePull", "ImagePullBackOff", "ErrorPvcNotFound",
          "DataVolumeError", "WaitingForReceiver"]
LIBVIRT = ("server error. command SyncVMI failed: \"LibvirtError(Code=1, Domain=0, Message='internal error: Unknown PCI header type "
           f"'127' for device '{DEVICE}'')\"")
MOMENT = "2026-03-09T04:10:{:02d}Z"


def definition(plural, kind, short):
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{plural}.kubevirt.io"},
            "spec": {"group": "kubevirt.io", "scope": "Namespaced",
                     "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List", "shortNames": [short]},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema, "subresources": {"status": {}}}]}}


DEFINITIONS = [definition("virtualmachines", "VirtualMachine", "vm"),
               definition("virtualmachineinstances", "VirtualMachineInstance", "vmi"),
               definition("kubevirts", "KubeVirt", "kv")]


def node(name, kubelet_port, allocatable):
    status = {"capacity": {"cpu": "96", "memory": "2Ti", "pods": "110", RESOURCE: "8"},
              "allocatable": {"cpu": "96", "memory": "2Ti", "pods": "110", RESOURCE: str(allocatable)},
              "conditions": [{"type": kind, "status": value, "reason": reason, "message": "-", "lastHeartbeatTime": MOMENT.format(1),
                              "lastTransitionTime": MOMENT.format(0)}
                             for kind, value, reason in (("Ready", "True", "KubeletReady"), ("DiskPressure", "False", "KubeletHasNoDiskPressure"))],
              "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}, {"type": "Hostname", "address": name}],
              "daemonEndpoints": {"kubeletEndpoint": {"Port": kubelet_port}},
              "nodeInfo": {"bootID": "0b2f8a2e-6a55-4ac3-9f2e-1d62b7a1c0de", "kernelVersion": "6.1.0-39-amd64", "machineID": "-", "systemUUID": "-",
                           "osImage": "Debian GNU/Linux 12", "containerRuntimeVersion": "containerd://1.7", "kubeletVersion": "v1.34.1",
                           "kubeProxyVersion": "", "operatingSystem": "linux", "architecture": "amd64"}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {"kubevirt.io/schedulable": "true", "kubernetes.io/hostname": name}},
            "spec": {"taints": [{"key": "gpu.site/hold", "value": "check", "effect": "NoSchedule"}] if name == NODE else []}, "status": status}


def pod(name, namespace, on, labels, status, container="compute", owner=None, uid="5f0c2c1e-6f0b-4c3e-9d2f-b0c1d2e3f405"):
    meta = {"name": name, "namespace": namespace, "labels": labels}
    if owner:
        meta["ownerReferences"] = [{"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance", "name": owner, "uid": uid}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta,
            "spec": {"nodeName": on, "containers": [{"name": container, "image": "registry.test/kubevirt/x:v1.6.2"}], "restartPolicy": "Never"},
            "status": status}


def machine(name, state, strategy="Always", failures=0):
    status = {"printableStatus": state, "created": state in ("Running", "Paused", "Migrating", "Starting"), "ready": state == "Running",
              "conditions": [{"type": "Ready", "status": "True" if state == "Running" else "False",
                              **({} if state == "Running" else {"reason": "VMINotExists", "message": "VMI does not exist"}),
                              "lastTransitionTime": MOMENT.format(9)}]}
    if failures:
        status["startFailure"] = {"consecutiveFailCount": failures, "lastFailedVMIUID": "-", "retryAfterTimestamp": MOMENT.format(40)}
    return {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": {"name": name, "namespace": "train"},
            "spec": {"runStrategy": strategy, "template": {"spec": {"domain": {"devices": {"gpus": [{"name": "gpu1", "deviceName": RESOURCE}]}}}}},
            "status": status}


def instance(name, phase, on, synchronized=None):
    conditions = [{"type": "LiveMigratable", "status": "False", "reason": "HostDeviceNotLiveMigratable", "message": "-"}]
    if synchronized:
        conditions.append({"type": "Synchronized", "status": "False", "reason": "Synchronizing with the Domain failed.", "message": synchronized})
    return {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance",
            "metadata": {"name": name, "namespace": "train", "labels": {"kubevirt.io/nodeName": on}},
            "spec": {"domain": {"devices": {"gpus": [{"name": "gpu1", "deviceName": RESOURCE}]}}},
            "status": {"phase": phase, "nodeName": on, "conditions": conditions}}


def event(kind, namespace, name, reason, message, host="", component="virt-handler", count=3):
    about = {"kind": kind, "name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "v1", "kind": "Event", "metadata": {"name": f"{name}.{reason.lower()}", "namespace": namespace or "default"},
            "involvedObject": about, "type": "Warning", "reason": reason, "message": message, "count": count,
            "firstTimestamp": MOMENT.format(10), "lastTimestamp": MOMENT.format(30), "source": {"component": component, "host": host}}


def path_of(value, name=None):
    group = value["apiVersion"]
    plural = {"CustomResourceDefinition": "customresourcedefinitions"}.get(value["kind"], value["kind"].lower() + "s")
    namespace = value["metadata"].get("namespace")
    return (f"/api/{group}" if "/" not in group else f"/apis/{group}") + (f"/namespaces/{namespace}" if namespace else "") + f"/{plural}" + (f"/{name}" if name else "")


def create(ground, value):
    """Creates the object, then its status: the API server takes the two apart."""
    made = ground.ask("POST", path_of(value), value)
    if "status" in value and value["kind"] not in ("Event", "CustomResourceDefinition"):
        made["status"] = value["status"]
        ground.ask("PUT", path_of(value, value["metadata"]["name"]) + "/status", made)


def everything(kubelet_port):
    """All objects, in the order in which they can be made."""
    launcher = {"kubevirt.io": "virt-launcher"}
    yield from ({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in ("kubevirt", "train"))
    yield node(NODE, kubelet_port, 8)
    yield node(PEER, kubelet_port, 7)
    for on in (NODE, PEER):
        yield pod(f"virt-handler-{on}", "kubevirt", on, {"kubevirt.io": "virt-handler"}, {"phase": "Running"}, "virt-handler")
    yield {"apiVersion": "kubevirt.io/v1", "kind": "KubeVirt", "metadata": {"name": "kubevirt", "namespace": "kubevirt"}, "spec": {},
           "status": {"phase": "Deployed", "observedKubeVirtVersion": "v1.6.2"}}
    # llm-7's start fails on the node again and again: between two tries there is neither VMI nor pod of it.
    yield machine("llm-7", "CrashLoopBackOff", failures=4)
    yield event("VirtualMachineInstance", "train", "llm-7", "SyncFailed", LIBVIRT, NODE, count=11)
    yield machine("llm-8", "Running")
    yield instance("llm-8", "Running", NODE)
    yield pod("virt-launcher-llm-8-abcde", "train", NODE, launcher, {"phase": "Running"}, owner="llm-8")
    yield machine("llm-9", "Starting")
    yield instance("llm-9", "Scheduled", NODE, LIBVIRT)
    yield pod("virt-launcher-llm-9-fghij", "train", NODE, launcher,
              {"phase": "Failed", "reason": "UnexpectedAdmissionError", "message": "Allocate failed due to no healthy devices"}, owner="llm-9")
    yield machine("far-1", "CrashLoopBackOff", failures=2)
    yield event("VirtualMachineInstance", "train", "far-1", "SyncFailed", "something of another node", PEER)
    yield from (machine(f"state-{state.lower()}", state) for state in STATES)
    yield event("Node", "", NODE, "Rebooted", "Node mule-3 has been rebooted, boot id: 0b2f8a2e", NODE, "kubelet", 1)
