"""The client against a real kube-apiserver with RBAC. Run by `./dev kube`."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import objects                                             # noqa: E402
from certificates import Authority                         # noqa: E402
from ground import Ground, Unavailable, api_server, etcd, say   # noqa: E402
from objects import DEVICE, NODE, STATES, create           # noqa: E402
from probe import NODES, PODS, PROBE, VMS, probe           # noqa: E402
from scripted_server import Answer, ScriptedServer         # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
RIGHTS = list(yaml.safe_load_all((ROOT / "deploy/rbac.yaml").read_text(encoding="utf-8")))
ROLE = next(item for item in RIGHTS if item["kind"] == "ClusterRole")
ROLE_PATH = f"/apis/rbac.authorization.k8s.io/v1/clusterroles/{ROLE['metadata']['name']}"
PIECES = ["node", "pods", "virtualmachineinstances", "virtualmachines", "events", "kubevirts", "virt-handler"]
HANDLER_LOG = json.dumps({"component": "virt-handler", "kind": "", "level": "error", "msg": "Synchronizing the VirtualMachineInstance failed.",
                          "name": "llm-7", "namespace": "train", "pos": "vm.go:2101", "reason": objects.LIBVIRT,
                          "timestamp": "2026-03-09T04:10:30.114223Z", "uid": "-"}).encode() + b"\n"


def setUpModule():
    global ground, kept, folder, kubelet
    kept = tempfile.TemporaryDirectory()
    folder = pathlib.Path(kept.name)
    authority = Authority(folder / "ca", "ground-ca")
    kubelet = ScriptedServer(lambda *_: Answer(HANDLER_LOG, headers={"Content-Type": "text/plain"}), *authority.issue("kubelet", "/CN=kubelet", "IP:127.0.0.1"))
    ground = Ground(folder, authority)
    start = time.monotonic()
    ground.start()
    say(f"etcd and kube-apiserver answer after {time.monotonic() - start:.1f} s")
    for value in objects.DEFINITIONS:
        create(ground, value)
    wait_for(lambda: ground.ask("GET", "/apis/kubevirt.io/v1/kubevirts", raw=True).startswith(b'{"apiVersion"'), "KubeVirt's kinds are served")
    for value in objects.everything(kubelet.port):
        create(ground, value)
    for value in RIGHTS:
        create(ground, value)
    token = ground.ask("POST", "/api/v1/namespaces/gpumedic/serviceaccounts/gpumedic/token",
                       {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600}})["status"]["token"]
    (folder / "account").mkdir()
    for name, text in (("token", token), ("ca.crt", authority.certificate.read_text()), ("namespace", "gpumedic")):
        (folder / "account" / name).write_text(text, encoding="utf-8")
    wait_for(lambda: told(node()[0], "node")["outcome"] == "ok", "the rights count")


def tearDownModule():
    ground.stop()
    kubelet.close()
    kept.cleanup()


def wait_for(question, what, seconds=30):
    end = time.monotonic() + seconds
    while not question():
        if time.monotonic() > end:
            raise RuntimeError(f"not within {seconds} s: {what}\n{ground.log('apiserver')}")
        time.sleep(0.2)


def as_account(*words, **flags):
    """As the pod's service account."""
    env = {"KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": str(ground.port)}
    return probe(*words, env=env, service_account=folder / "account", **flags)


def admin_config():
    path = folder / "admin.conf"
    path.write_text(json.dumps({"current-context": "a", "contexts": [{"name": "a", "context": {"cluster": "c", "user": "u"}}],
                                "clusters": [{"name": "c", "cluster": {"server": ground.url, "certificate-authority": "ca/ground-ca.crt"}}],
                                "users": [{"name": "u", "user": {"client-certificate": "ca/admin.crt", "client-key": "ca/admin.key"}}]}), encoding="utf-8")
    return path


def as_admin(*words, **flags):
    return probe(*words, kubeconfig=admin_config(), **flags)


def node(name=NODE):
    """What the probe tells, and the texts by name."""
    with tempfile.TemporaryDirectory() as to:
        got = as_account("node", name, to)
        return got.lines, {path.stem: path.read_text(encoding="utf-8") for path in pathlib.Path(to).iterdir()}


def told(lines, name):
    return next(line for line in lines if pathlib.PurePath(line["name"]).stem == name)


def names_in(text):
    return sorted(item["metadata"]["name"] for item in json.loads(text)["items"])


class NodeOfTheAccount(unittest.TestCase):
    def test_documented_rights_suffice(self):
        lines, texts = node()
        self.assertEqual({pathlib.PurePath(line["name"]).stem: line["outcome"] for line in lines}, dict.fromkeys(PIECES, "ok"), lines)
        self.assertEqual(names_in(texts["virtualmachines"]), ["llm-7", "llm-8", "llm-9"])
        self.assertEqual(names_in(texts["virtualmachineinstances"]), ["llm-8", "llm-9"])
        self.assertEqual(names_in(texts["pods"]), [f"virt-handler-{NODE}", "virt-launcher-llm-8-abcde", "virt-launcher-llm-9-fghij"])
        self.assertEqual(names_in(texts["events"]), ["llm-7.syncfailed", f"{NODE}.rebooted"])
        self.assertEqual(texts["virt-handler"].encode(), HANDLER_LOG)
        say(f"one node's objects: {sum(line['ms'] for line in lines)} ms, {sum(line['bytes'] for line in lines)} bytes")

    def test_one_verb_less_is_named(self):
        for index, rule in enumerate(ROLE["rules"]):
            resource, group, verb = rule["resources"][0], rule["apiGroups"][0], rule["verbs"][0]
            self.assertEqual([len(rule[key]) for key in ("resources", "apiGroups", "verbs")], [1, 1, 1])   # so that each goes alone
            smaller = copy.deepcopy(ROLE)
            del smaller["rules"][index]
            piece = {"nodes": "node", "pods/log": "virt-handler"}.get(resource, resource)
            with self.subTest(without=f"{verb} {resource}"):
                ground.ask("PUT", ROLE_PATH, smaller)
                try:
                    wait_for(lambda: told(node()[0], piece)["outcome"] == "denied", f"{verb} {resource} is denied")
                    lines, _ = node()
                    line = told(lines, piece)
                    for word in (f'"{verb}"', f'"{resource}"', f'"{group}"', "deploy/rbac.yaml"):
                        self.assertIn(word, line["help"])
                    self.assertIn("system:serviceaccount:gpumedic:gpumedic", line["why"])   # the server's own words
                    others = {pathlib.PurePath(one["name"]).stem for one in lines if one["outcome"] != "ok"} - {piece}
                    self.assertLessEqual(others, {"virt-handler"} if piece == "pods" else set())
                finally:
                    ground.ask("PUT", ROLE_PATH, ROLE)
                wait_for(lambda: told(node()[0], piece)["outcome"] == "ok", "the right is back")

    def test_nothing_beyond_the_rights(self):
        for words, kind in ((("watch", PODS, 9), '"watch"'), (("list", NODES), '"list"'), (("get", PODS, "train", "virt-launcher-llm-8-abcde"), '"get"')):
            last = as_account(*words).lines[-1]
            self.assertEqual(last.get("error"), "denied", last)
            self.assertIn(kind, last["help"])

    def test_node_that_is_not_there(self):
        lines, _ = node("nowhere")
        self.assertEqual({told(lines, name)["outcome"] for name in PIECES if name != "kubevirts"}, {"absent"})

    def test_diagnosis(self):
        """The texts are evidence that the program reads: the VM whose start fails, its device, the node."""
        with tempfile.TemporaryDirectory() as to:
            as_account("node", NODE, to)
            done = subprocess.run([os.environ["GPUMEDIC_BIN"], "diagnose", to, "-o", "json"], capture_output=True, check=False)
        answer = json.loads(done.stdout)
        self.assertEqual((done.returncode, answer["verdict"]), (1, "fault"))
        first = answer["incidents"][0]
        self.assertEqual([device["pci"] for device in first["devices"] if device["role"] == "root"], [DEVICE])
        self.assertEqual(first["node"], NODE)
        kinds = {source["name"].rpartition("/")[2]: source["kind"] for source in answer["sources"]}
        self.assertEqual(kinds.pop("virt-handler.log"), "virt log")
        kinds.pop("kubevirts.json")   # for a person to read: no reader makes records of KubeVirt's CR yet
        self.assertEqual(set(kinds.values()), {"kubectl"}, kinds)
        say(f"diagnosis of it: {first['fault']}, {first['confidence']:.2f}")


class Collected(unittest.TestCase):
    def test_a_collection_holds_what_the_api_tells(self):
        with tempfile.TemporaryDirectory() as to:
            env = {"PATH": os.environ["PATH"], "HOME": to, "KUBECONFIG": str(admin_config()), "NODE_NAME": NODE}
            done = subprocess.run([os.environ["GPUMEDIC_BIN"], "collect", "--only", "kubernetes", "--to", f"{to}/bundle"], env=env,
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            manifest = json.loads(pathlib.Path(to, "bundle/manifest.json").read_text(encoding="utf-8"))
            item = next(one for one in manifest["items"] if one["name"] == "kubernetes")
            self.assertEqual(item["outcome"], "ok", item)
            self.assertEqual(names_in(pathlib.Path(to, "bundle/kubernetes/virtualmachines.json").read_text(encoding="utf-8")), ["llm-7", "llm-8", "llm-9"])
            answer = json.loads(subprocess.run([os.environ["GPUMEDIC_BIN"], "diagnose", f"{to}/bundle", "-o", "json"], capture_output=True,
                                               check=False).stdout)
            self.assertEqual(answer["incidents"][0]["devices"][0]["pci"], DEVICE)
            say(f"collected in {manifest.get('duration_ms', item['duration_ms'])} ms")

    def test_an_api_that_is_gone_is_told(self):
        with tempfile.TemporaryDirectory() as to:
            config = json.loads(admin_config().read_text(encoding="utf-8"))
            config["clusters"][0]["cluster"]["server"] = "https://127.0.0.1:9"
            path = folder / "gone.conf"
            path.write_text(json.dumps(config), encoding="utf-8")
            env = {"PATH": os.environ["PATH"], "HOME": to, "KUBECONFIG": str(path), "NODE_NAME": NODE}
            subprocess.run([os.environ["GPUMEDIC_BIN"], "collect", "--only", "kubernetes", "--to", f"{to}/bundle"], env=env, capture_output=True, check=False)
            item = json.loads(pathlib.Path(to, "bundle/manifest.json").read_text(encoding="utf-8"))["items"][0]
            self.assertIn(item["outcome"], ("failed", "timed_out"), item)
            self.assertIn("127.0.0.1:9", item["why"])


class States(unittest.TestCase):
    def test_each_state_of_a_vm_arrives(self):
        for state in STATES:
            got = as_admin("get", VMS, "train", f"state-{state.lower()}").text
            self.assertEqual(got["status"]["printableStatus"], state)

    def test_version(self):
        self.assertRegex(as_account("version").one["text"], r"^v1\.\d+\.\d+")

    def test_absent_kinds_and_objects(self):
        self.assertEqual(as_admin("get", VMS, "train", "nobody").one["error"], "not_found")
        self.assertEqual(as_admin("list", "metal3.io/v1alpha1/baremetalhosts/BareMetalHost").one["error"], "not_found")

    def test_strangers(self):
        stranger = folder / "stranger.conf"
        tree = json.loads(admin_config().read_text())
        tree["users"][0]["user"] = {"token": "not-a-token"}
        stranger.write_text(json.dumps(tree), encoding="utf-8")
        self.assertEqual(probe("version", kubeconfig=stranger).one["error"], "unauthorised")


class Lists(unittest.TestCase):
    def setUp(self):
        if not hasattr(Lists, "made"):
            Lists.made = 1200
            start = time.monotonic()
            for index in range(Lists.made):
                ground.ask("POST", "/api/v1/namespaces/default/configmaps", {"metadata": {"name": f"many-{index}"}, "data": {"x": "y" * 500}})
            say(f"{Lists.made} objects made in {time.monotonic() - start:.1f} s")
        self.kind = "/v1/configmaps/ConfigMap"

    def test_pages(self):
        got = as_admin("list", self.kind, "default", page=250).one
        whole = as_admin("list", self.kind, "default", page=0).one
        self.assertEqual(got["items"], whole["items"])
        self.assertGreaterEqual(got["items"], Lists.made)
        self.assertGreaterEqual(got["pages"], 5)

    def test_history_that_is_compacted_in_the_middle(self):
        """Slow pages; meanwhile etcd forgets: the continue token answers 410 and the listing begins anew."""
        def forget():
            time.sleep(1.5)
            ground.ask("POST", "/api/v1/namespaces/default/configmaps", {"metadata": {"generateName": "later-"}})
            ground.compact()
        thread = threading.Thread(target=forget)
        thread.start()
        got = as_admin("list", self.kind, "default", page=100, rate=3, burst=2, timeout_ms=60_000).one
        thread.join()
        self.assertEqual(got.get("restarts"), 1, got)
        self.assertGreaterEqual(got["items"], Lists.made)


class Watching:
    """A probe that watches in the background."""

    def __init__(self, kind):
        self.child = subprocess.Popen([PROBE, "--kubeconfig", str(admin_config()), "--timeout", "60000", "watch", kind, "1000"],
                                      stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.events = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.child.stdout:
            event = json.loads(line)
            name = json.loads(event["object"])["metadata"]["name"] if event.get("object") else ""
            self.events.append((event.get("event") or event.get("error"), name))

    def expect(self, *event, seconds=30):
        wait_for(lambda: event in self.events, f"the watch tells {event}; it told {self.events[-5:]}", seconds)

    def close(self):
        self.child.terminate()
        self.child.wait()
        self.reader.join()
        self.child.stdout.close()


class Watches(unittest.TestCase):
    def setUp(self):
        self.watching = Watching(VMS)
        self.addCleanup(self.watching.close)
        self.watching.expect("synced", "")

    def test_changes_arrive(self):
        made = ground.ask("POST", objects.path_of(objects.machine("new", "Stopped")), objects.machine("new", "Stopped"))
        self.watching.expect("added", "new")
        made["status"] = {"printableStatus": "Starting"}
        ground.ask("PUT", objects.path_of(made, "new") + "/status", made)
        self.watching.expect("modified", "new")
        ground.ask("DELETE", objects.path_of(made, "new"))
        self.watching.expect("deleted", "new")

    def test_server_that_goes_and_comes_back(self):
        ground.stop("apiserver")
        time.sleep(2)
        ground.start_api()
        create(ground, objects.machine("after", "Stopped"))
        self.watching.expect("added", "after", seconds=60)
        self.assertNotIn("unreachable", [kind for kind, _ in self.watching.events])


def main():
    try:
        api_server()
        etcd()
    except Unavailable as why:
        say(f"no real API server here: {why}")
        sys.exit(69)
    unittest.main(verbosity=2)


if __name__ == "__main__":
    main()
