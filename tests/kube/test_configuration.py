"""Where the configuration is found, and what is said of one that is wrong."""
import base64
import json
import sys
import textwrap

from probe import probe
from scripted_case import VERSION, Case
from scripted_server import refusal

PLUGIN = """#!{python}
import json, os, pathlib, sys, time
calls = pathlib.Path({calls!r})
calls.write_text(calls.read_text() + "x" if calls.exists() else "x")
{body}
"""


class Configuration(Case):
    def plugin(self, body, name="plugin"):
        """An executable credential plugin; the file `NAME.calls` grows by one letter with each call."""
        path = self.folder / name
        path.write_text(PLUGIN.format(python=sys.executable, calls=str(path) + ".calls", body=textwrap.dedent(body)), encoding="utf-8")
        path.chmod(0o755)
        calls = self.folder / f"{name}.calls"
        calls.unlink(missing_ok=True)
        return path, lambda: len(calls.read_text()) if calls.exists() else 0

    @staticmethod
    def exec_user(path, **more):
        return {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": str(path), "interactiveMode": "Never", **more}}

    @staticmethod
    def credential(token, expires=None):
        status = {"token": token, **({"expirationTimestamp": expires} if expires else {})}
        return f"print({json.dumps(json.dumps({'kind': 'ExecCredential', 'apiVersion': 'client.authentication.k8s.io/v1', 'status': status}))})"

    def access(self, env, **flags):
        return probe("access", env=env, **flags)

    def test_nothing_anywhere(self):
        self.expect_error(self.access({"HOME": str(self.folder / "nobody")}), "not_found", "KUBECONFIG", "~/.kube/config", "service account")

    def test_order_of_the_search(self):
        home = self.folder / "home"
        (home / ".kube").mkdir(parents=True)
        self.config("https://home.test", name="home/.kube/config")
        listed = self.config("https://listed.test", name="listed")
        asked = self.config("https://asked.test", name="asked")
        self.assertEqual(self.access({"HOME": str(home)}).one["server"], "https://home.test")
        env = {"HOME": str(home), "KUBECONFIG": f"/nowhere/at/all:{listed}"}
        self.assertEqual(self.access(env).one["server"], "https://listed.test")
        self.assertEqual(self.access(env, kubeconfig=asked).one["server"], "https://asked.test")

    def test_listed_files_are_merged(self):
        first, second = self.folder / "first", self.folder / "second"
        first.write_text("kind: Config\ncurrent-context: both\nclusters:\n- {name: c, cluster: {server: 'https://first.test'}}\n", encoding="utf-8")
        second.write_text("current-context: other\nclusters:\n- {name: c, cluster: {server: 'https://second.test'}}\n"
                          "users:\n- {name: u, user: {token: t}}\ncontexts:\n- {name: both, context: {cluster: c, user: u}}\n", encoding="utf-8")
        got = self.access({"KUBECONFIG": f"{first}:{second}"}).one
        self.assertEqual((got["server"], got["namespace"]), ("https://first.test", "default"))

    def test_service_account(self):
        folder = self.folder / "account"
        folder.mkdir()
        (folder / "token").write_text("pod-token", encoding="utf-8")
        (folder / "ca.crt").write_bytes(self.authority.certificate.read_bytes())
        (folder / "namespace").write_text("gpumedic", encoding="utf-8")
        server = self.answering(VERSION)
        env = {"KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": str(server.port)}
        self.assertEqual(probe("version", env=env, service_account=folder).one["text"], "v1.34.9")
        self.assertEqual(server.seen[0][2]["Authorization"], "Bearer pod-token")
        self.assertEqual(probe("access", env=env, service_account=folder).one["namespace"], "gpumedic")
        (folder / "token").unlink()
        self.expect_error(probe("version", env=env, service_account=folder), "not_found", "token", str(folder))

    def test_mistakes_name_file_and_field(self):
        good = json.loads(self.config("https://api.test", name="good").read_text())
        def spoilt(change):
            tree = json.loads(json.dumps(good))
            change(tree)
            path = self.folder / "spoilt"
            path.write_text(json.dumps(tree, indent=1), encoding="utf-8")
            return path
        cluster, user, context = (lambda t: t["clusters"][0]["cluster"]), (lambda t: t["users"][0]["user"]), (lambda t: t["contexts"][0]["context"])
        for change, kind, words in (
                (lambda t: cluster(t).pop("server"), "malformed", ("clusters \"c\"", "server is missing")),
                (lambda t: cluster(t).update(server="api.test:6443"), "malformed", ("server", "https://")),
                (lambda t: cluster(t).update(server=["x"]), "malformed", ("server must be a text",)),
                (lambda t: cluster(t).update({"certificate-authority": "gone.crt"}), "malformed", ("certificate-authority", "gone.crt")),
                (lambda t: cluster(t).update({"certificate-authority-data": "%%%"}), "malformed", ("certificate-authority-data", "base64")),
                (lambda t: cluster(t).update({"certificate-authority-data": base64.b64encode(b"no").decode()}), "malformed", ("PEM",)),
                (lambda t: cluster(t).update({"insecure-skip-tls-verify": True}), "malformed", ("contradicts",)),
                (lambda t: cluster(t).update({"insecure-skip-tls-verify": "maybe"}), "malformed", ("true or false",)),
                (lambda t: cluster(t).update({"proxy-url": "gopher://x"}), "malformed", ("proxy-url",)),
                (lambda t: context(t).update(cluster="d"), "malformed", ("\"d\" is not among the clusters", "There are: c")),
                (lambda t: context(t).pop("user"), "malformed", ("contexts \"mule\"", "user is missing")),
                (lambda t: t.pop("current-context"), "malformed", ("current-context is not set", "There are: mule")),
                (lambda t: t.update(clusters="x"), "malformed", ("clusters must be a list",)),
                (lambda t: t.update(kind="Pod"), "malformed", ("its kind is Pod",)),
                (lambda t: t["users"][0].pop("name"), "malformed", ("must have a name",)),
                (lambda t: user(t).update({"client-certificate-data": base64.b64encode(b"-----BEGIN CERTIFICATE-----").decode()}), "malformed", ("client-key is missing",)),
                (lambda t: user(t).update({"client-key": "k"}), "malformed", ("client-certificate is missing",)),
                (lambda t: user(t).update({"auth-provider": {"name": "gcp"}}), "malformed", ("auth-provider is not supported", "exec plugin")),
                (lambda t: user(t).update({"as": "root"}), "malformed", ("as is not supported",)),
                (lambda t: user(t).update(exec={"command": "x", "apiVersion": "v1"}), "malformed", ("exec.apiVersion",)),
                (lambda t: user(t).update(exec={"apiVersion": "client.authentication.k8s.io/v1"}), "malformed", ("exec.command is missing",)),
                (lambda t: user(t).update(exec={"apiVersion": "client.authentication.k8s.io/v1", "command": "x", "interactiveMode": "Always"}), "malformed", ("interactiveMode",))):
            path = spoilt(change)
            with self.subTest(words=words):
                self.expect_error(probe("access", kubeconfig=path), kind, str(path), *words)
        self.expect_error(probe("access", kubeconfig=self.folder / "good", context="nope"), "not_found", "nope", "There are: mule")
        self.expect_error(probe("access", kubeconfig="/nowhere/config"), "not_found", "/nowhere/config")
        broken = self.folder / "broken"
        broken.write_text("clusters: [\n", encoding="utf-8")
        self.expect_error(probe("access", kubeconfig=broken), "malformed", f"{broken}:")
        self.expect_error(probe("access", kubeconfig=self.folder), "unreadable", "regular file")

    def test_missing_token_file(self):
        config = self.config(self.answering(VERSION), {"tokenFile": "/nowhere/token"})
        self.expect_error(probe("version", kubeconfig=config), "unauthorised", "/nowhere/token")

    def test_plugin_is_kept_until_it_expires(self):
        path, calls = self.plugin(self.credential("from-plugin", "2099-01-01T00:00:00Z"))
        server = self.answering(VERSION)
        probe("many", 10, kubeconfig=self.config(server, self.exec_user(path)))
        self.assertEqual((len(server.seen), calls()), (10, 1))
        self.assertEqual(server.seen[0][2]["Authorization"], "Bearer from-plugin")
        path, calls = self.plugin(self.credential("short", "2001-01-01T00:00:00Z"))
        probe("many", 4, kubeconfig=self.config(server, self.exec_user(path)))
        self.assertEqual(calls(), 4)

    def test_plugin_is_asked_again_when_refused(self):
        path, calls = self.plugin("token = 'second' if len(calls.read_text()) > 1 else 'first'\n" +
                                  self.credential("TOKEN").replace("print(", "print((").replace(")", ").replace('TOKEN', token))"))
        server = self.serve(lambda _p, _q, headers: VERSION if headers["Authorization"] == "Bearer second" else refusal(401, "Unauthorized", "no"))
        self.assertEqual(probe("version", kubeconfig=self.config(server, self.exec_user(path))).one["text"], "v1.34.9")
        self.assertEqual(calls(), 2)

    def test_plugin_learns_of_the_cluster(self):
        path, _ = self.plugin("info = json.loads(os.environ['KUBERNETES_EXEC_INFO'])\n"
                              "assert info['spec']['interactive'] is False and info['spec']['cluster']['server'].startswith('https://')\n"
                              "assert sys.argv[1:] == ['--for', 'us'] and os.environ['REALM'] == 'mule' and sys.stdin.read() == ''\n" + self.credential("t"))
        user = self.exec_user(path, args=["--for", "us"], env=[{"name": "REALM", "value": "mule"}], provideClusterInfo=True)
        self.assertEqual(probe("version", kubeconfig=self.config(self.answering(VERSION), user)).one["text"], "v1.34.9")

    def test_plugins_that_fail(self):
        server = self.answering(VERSION)
        for body, kind, words in (
                ("sys.exit('log in first')", "unauthorised", ("exit status 1", "log in first")),
                ("print('not json')", "unauthorised", ("not JSON",)),
                ("print('{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{}}')", "unauthorised", ("neither token nor certificate",)),
                ("print('{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1alpha1\"}')", "unauthorised", ("v1alpha1",)),
                ("while True: print('x' * 100000)", "unauthorised", ("without end",)),
                ("import subprocess; subprocess.run(['sleep', '60'])", "timed_out", ("did not answer",))):
            path, _ = self.plugin(body)
            with self.subTest(body=body):
                got = probe("version", kubeconfig=self.config(server, self.exec_user(path)), timeout_ms=1500)
                self.expect_error(got, kind, "plugin", *words)
                self.assertLess(got.seconds, 6)
        missing = self.exec_user("/nowhere/plugin", installHint="Install the mule plugin.")
        self.expect_error(probe("version", kubeconfig=self.config(server, missing)), "unauthorised", "/nowhere/plugin", "Install the mule plugin.")
        self.assertEqual(server.seen, [])

    def test_a_secret_is_never_printed(self):
        path, _ = self.plugin("print('{\"token\": \"tell-nobody\"')")
        for user in (self.exec_user(path), {"token": "tell-nobody"}, {"username": "u", "password": "tell-nobody"}):
            server = self.answering(refusal(401, "Unauthorized", "no"))
            got = probe("version", kubeconfig=self.config(server, user))
            self.assertEqual(got.code, 1)
            self.assertNotIn("tell-nobody", json.dumps(got.lines) + got.err)

    def test_proxy(self):
        """A proxy that refuses shows that the connection goes there and nowhere else."""
        server = self.answering(VERSION)
        proxy = self.answering(VERSION, certificate=None)
        config = self.config(server, cluster={"proxy-url": f"http://127.0.0.1:{proxy.port}"})
        self.expect_error(probe("version", kubeconfig=config, attempts=1), "unreachable", "501")
        self.assertEqual(server.seen, [])
