"""What the tests against the scripted server share: certificates, a kubeconfig for a server, and the start of one class."""
import json
import pathlib
import sys
import tempfile
import unittest

from certificates import Authority
from scripted_server import ScriptedServer, as_json


def pod(index, node="mule-3", filler=""):
    return {"metadata": {"name": f"pod-{index}", "namespace": "web", "labels": {"note": filler}},
            "spec": {"nodeName": node}, "status": {"phase": "Running"}}


def listing(items, kind="PodList", version="7", token=""):
    return {"kind": kind, "apiVersion": "v1", "metadata": {"resourceVersion": version, "continue": token}, "items": items}


class Case(unittest.TestCase):
    """One folder, one authority and its server certificate for all tests of a class."""
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        cls.authority = Authority(cls.folder / "ca", "mule-ca")
        cls.certificate, cls.key = cls.authority.issue("server", "/CN=api", "DNS:api.mule.test,IP:127.0.0.1")

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def serve(self, script, **more):
        given = {"certificate": self.certificate, "key": self.key, **more}
        server = ScriptedServer(script, **given)
        self.addCleanup(server.close)
        return server

    def answering(self, answer, **more):
        """A server that always answers the same."""
        return self.serve(lambda *_: answer, **more)

    def config(self, server, user=None, cluster=None, name="config"):
        """The path of a kubeconfig for the server. Values of None leave a field out."""
        entry = {"server": server if isinstance(server, str) else server.url,
                 "certificate-authority": str(self.authority.certificate), **(cluster or {})}
        entry = {key: value for key, value in entry.items() if value is not None}
        path = self.folder / name
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "mule",
            "clusters": [{"name": "c", "cluster": entry}],
            "users": [{"name": "u", "user": {"token": "opensesame"} if user is None else user}],
            "contexts": [{"name": "mule", "context": {"cluster": "c", "user": "u", "namespace": "web"}}]}), encoding="utf-8")
        return path

    def expect_error(self, result, kind, *words):
        self.assertEqual(result.one.get("error"), kind, result.one)
        text = " ".join(result.one[part] for part in ("what", "where", "help"))
        for word in words:
            self.assertIn(word, text)


VERSION = as_json({"major": "1", "minor": "34", "gitVersion": "v1.34.9"})


def main(classes):
    if len(sys.argv) != 2 or sys.argv[1] not in classes:
        sys.exit(f"usage: {sys.argv[0]} CLASS")
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(classes[sys.argv[1]])
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    sys.exit(0 if result.testsRun and result.wasSuccessful() else 1)
