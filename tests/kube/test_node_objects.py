"""What is read of one node, and what is said where a part is missing."""
import json
import pathlib
import tempfile
import time

from probe import probe
from scripted_case import Case, listing
from scripted_server import Answer, as_json, refusal

NODE = "mule-3"
NAMES = ["node", "pods", "virtualmachineinstances", "virtualmachines", "events", "kubevirts", "virt-handler"]


def named(name, namespace=None, labels=None, **more):
    meta = {"name": name, **({"namespace": namespace} if namespace else {}), **({"labels": labels} if labels else {})}
    return {"metadata": {**meta, **more.pop("metadata", {})}, **more}


def an_event(kind, namespace, name, host="", reason="SyncFailed"):
    return named(f"{name}.{reason}", namespace, involvedObject={"kind": kind, "namespace": namespace, "name": name},
                 type="Warning", reason=reason, message=f"about {name}", source={"component": "virt-handler", "host": host})


OBJECTS = {
    f"/api/v1/nodes/{NODE}": {"kind": "Node", "apiVersion": "v1", **named(NODE)},
    "/api/v1/pods": listing([
        named("virt-handler-q", "kubevirt", {"kubevirt.io": "virt-handler"}),
        named("virt-launcher-a-x", "train", {"kubevirt.io": "virt-launcher"},
              metadata={"ownerReferences": [{"kind": "VirtualMachineInstance", "name": "a"}]})]),
    "/apis/kubevirt.io/v1/virtualmachineinstances": listing([named("b", "train", status={"phase": "Running"})], "VirtualMachineInstanceList"),
    "/apis/kubevirt.io/v1/virtualmachines": listing(
        [named(name, "train", status={"printableStatus": "Running"}) for name in "abcde"] +
        [named("pinned", "train", spec={"template": {"spec": {"nodeSelector": {"kubernetes.io/hostname": NODE}}}})], "VirtualMachineList"),
    "/apis/kubevirt.io/v1/kubevirts": listing([named("kubevirt", "kubevirt")], "KubeVirtList"),
    "/api/v1/events": listing([
        an_event("VirtualMachine", "train", "c", reason="SuccessfulCreate"),   # only the event below tells that c is ours
        an_event("VirtualMachineInstance", "train", "c", NODE),
        an_event("VirtualMachineInstance", "train", "d", "mule-4"),
        an_event("VirtualMachine", "train", "b", reason="FailedCreate"),
        an_event("Node", "", NODE, reason="Rebooted"),
        an_event("Node", "", "mule-4", reason="Rebooted"),
        an_event("Pod", "train", "virt-launcher-a-x", reason="Killing"),
        an_event("Pod", "train", "other", reason="Killing")], "EventList"),
}
LOG = b'{"component":"virt-handler","level":"error","msg":"Synchronizing the VirtualMachineInstance failed.","name":"c"}\n'


class NodeObjects(Case):
    def read(self, changes=None, **flags):
        """name -> what was told of it, and name -> text."""
        def script(path, query, headers):
            if path in (changes or {}):
                answer = changes[path]
                return answer(path, query, headers) if callable(answer) else answer
            if path.endswith("/log"):
                return Answer(LOG)
            return as_json(OBJECTS[path]) if path in OBJECTS else refusal(404, "NotFound", "not found")
        self.server = self.serve(script)
        with tempfile.TemporaryDirectory() as folder:
            got = probe("node", NODE, folder, kubeconfig=self.config(self.server), attempts=1, **flags)
            told = {pathlib.PurePath(line["name"]).stem: line for line in got.lines}
            texts = {path.stem: path.read_text(encoding="utf-8") for path in pathlib.Path(folder).iterdir()}
        self.assertEqual(list(told), NAMES)
        return told, texts

    @staticmethod
    def names_in(text):
        return [item["metadata"]["name"] for item in json.loads(text)["items"]]

    def test_all_of_a_node(self):
        told, texts = self.read()
        self.assertEqual({name: line["outcome"] for name, line in told.items()}, dict.fromkeys(NAMES, "ok"))
        self.assertEqual(self.names_in(texts["virtualmachines"]), ["a", "b", "c", "pinned"])
        self.assertEqual(self.names_in(texts["events"]), ["c.SyncFailed", "b.FailedCreate", f"{NODE}.Rebooted", "virt-launcher-a-x.Killing", "c.SuccessfulCreate"])
        self.assertEqual(texts["virt-handler"].encode(), LOG)
        asked = {path: query for path, query, _, _ in self.server.seen}
        self.assertEqual(asked["/api/v1/pods"]["fieldSelector"], f"spec.nodeName={NODE}")
        self.assertEqual(asked["/apis/kubevirt.io/v1/virtualmachineinstances"]["labelSelector"], f"kubevirt.io/nodeName={NODE}")

    def test_items_say_their_kind_on_lines_of_their_own(self):
        _, texts = self.read()
        pods = json.loads(texts["pods"])
        self.assertEqual({(item["kind"], item["apiVersion"]) for item in pods["items"]}, {("Pod", "v1")})
        self.assertEqual(texts["pods"], json.dumps(pods, indent=4) + "\n")   # the form that kubectl prints

    def test_no_kubevirt(self):
        absent = Answer(b"404 page not found\n", 404)
        told, _ = self.read({path: absent for path in OBJECTS if "kubevirt.io" in path})
        self.assertEqual([told[name]["outcome"] for name in NAMES], ["ok", "ok", "absent", "absent", "ok", "absent", "ok"])

    def test_each_right_that_is_missing(self):
        for path, name, words in (("/api/v1/pods", "pods", "list pods"), ("/api/v1/events", "events", "list events"),
                                  (f"/api/v1/nodes/{NODE}", "node", f"get nodes {NODE}"),
                                  ("/apis/kubevirt.io/v1/virtualmachines", "virtualmachines", "list virtualmachines.kubevirt.io"),
                                  ("/api/v1/namespaces/kubevirt/pods/virt-handler-q/log", "virt-handler", "get pods/log")):
            told, _ = self.read({path: refusal(403, "Forbidden", "no")})
            with self.subTest(path=path):
                self.assertEqual(told[name]["outcome"], "denied")
                self.assertIn(words, told[name]["why"])
                self.assertIn("deploy/rbac.yaml", told[name]["help"])
        told, _ = self.read({"/api/v1/pods": refusal(403, "Forbidden", "no")})
        self.assertEqual(told["virt-handler"]["outcome"], "denied")   # not "absent": nobody could look

    def test_what_was_read_before_the_end_is_kept(self):
        body = json.dumps(OBJECTS["/api/v1/pods"]).encode()
        told, texts = self.read({"/api/v1/pods": Answer(body[:-20], cut=True)})
        self.assertEqual((told["pods"]["outcome"], told["pods"]["objects"]), ("truncated", 1))
        self.assertEqual(self.names_in(texts["pods"]), ["virt-handler-q"])
        self.assertIn("cut off", told["pods"]["why"])

    def test_time_is_bound_for_all_together(self):
        def slow(*_):
            time.sleep(4)
            return as_json({})
        start = time.monotonic()
        told, texts = self.read({"/apis/kubevirt.io/v1/virtualmachineinstances": slow}, timeout_ms=1200)
        self.assertLess(time.monotonic() - start, 3.5)
        self.assertEqual([told[name]["outcome"] for name in NAMES], ["ok", "ok"] + ["timed_out"] * 5)
        self.assertEqual(self.names_in(texts["node"]), [NODE])

    def test_server_that_is_down(self):
        told, texts = self.read({path: refusal(503, "ServiceUnavailable", "starting") for path in OBJECTS})
        self.assertEqual({told[name]["outcome"] for name in NAMES}, {"failed"})
        self.assertEqual(texts, {})
