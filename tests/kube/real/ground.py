"""A real etcd and a real kube-apiserver on the loop back, without root, in a folder of their own.

etcd is the machine's, else Debian's package unpacked into the cache (installing it would start a service). kube-apiserver is built
once from the Go module beside this file and kept in the cache: some minutes and 2 GiB of downloads and build cache the first time.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "gpumedic-tests"
GO_AT_LEAST = (1, 24)


class Unavailable(Exception):
    """Why there can be no real server here."""


def say(text):
    print(f"kube: {text}", flush=True)


def _go():
    """A Go that is new enough: PATH, the usual folders."""
    places = [shutil.which("go"), "/usr/local/go/bin/go", *map(str, sorted(pathlib.Path("/usr/lib").glob("go-*/bin/go"), reverse=True))]
    found = []
    for place in filter(None, places):
        try:
            words = subprocess.run([place, "version"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        version = re.search(r"go(\d+)\.(\d+)", words)
        if version and tuple(map(int, version.groups())) >= GO_AT_LEAST:
            return place
        found.append(words.strip())
    least = ".".join(map(str, GO_AT_LEAST))
    raise Unavailable(f"kube-apiserver is built with Go {least} or newer; found: {', '.join(found) or 'none'}")


def api_server():
    """The path of the program, built when the cache does not have this version of it."""
    source = HERE / "apiserver"
    digest = hashlib.sha256(b"".join((source / name).read_bytes() for name in ("main.go", "go.mod", "go.sum"))).hexdigest()[:16]
    built = CACHE / f"kube-apiserver-{digest}"
    if built.exists():
        return built
    go = _go()
    CACHE.mkdir(parents=True, exist_ok=True)
    say("building kube-apiserver, once (about 7 minutes on 2 cores)")
    making = built.with_suffix(f".{os.getpid()}")
    version = re.search(r"k8s\.io/kubernetes (v\S+)", (source / "go.mod").read_text(encoding="utf-8")).group(1)
    flags = f"-s -w -X k8s.io/component-base/version.gitVersion={version}"
    done = subprocess.run(["nice", "-n", "10", go, "build", "-mod=readonly", "-buildvcs=false", "-ldflags", flags, "-o", str(making), "."],
                          cwd=source, env={**os.environ, "CGO_ENABLED": "0"}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        making.unlink(missing_ok=True)
        raise Unavailable(f"kube-apiserver does not build: {done.stderr.strip()[-1500:]}")
    making.rename(built)
    return built


def etcd():
    installed = shutil.which("etcd")
    if installed:
        return installed
    unpacked = CACHE / "etcd" / "usr" / "bin" / "etcd"
    if unpacked.exists():
        return unpacked
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["apt-get", "download", "etcd-server"], cwd=folder, capture_output=True, text=True, check=False)
        packages = list(pathlib.Path(folder).glob("*.deb"))
        if done.returncode != 0 or not packages:
            raise Unavailable(f"no etcd here, and Debian's etcd-server cannot be fetched: {done.stderr.strip()[-500:]}")
        subprocess.run(["dpkg-deb", "-x", packages[0], CACHE / "etcd"], check=True)
    return unpacked


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Ground:
    """`ask(method, path, object)` speaks to it as an administrator."""

    def __init__(self, folder, authority):
        self.folder, self.authority, self.children = pathlib.Path(folder), authority, {}
        self.etcd_url = f"http://127.0.0.1:{free_port()}"
        self.port = free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.certificate, self.key = authority.issue("apiserver", "/CN=kube-apiserver", "IP:127.0.0.1,IP:10.0.0.1,DNS:kubernetes")
        self.admin = authority.issue("admin", "/O=system:masters/CN=admin")
        self.context = ssl.create_default_context(cafile=authority.certificate)
        self.context.load_cert_chain(*self.admin)
        subprocess.run(["openssl", "genrsa", "-out", str(self.folder / "accounts.key"), "2048"], capture_output=True, check=True)

    def _start(self, name, *words):
        log = open(self.folder / f"{name}.log", "ab")   # noqa: SIM115 (the child keeps it)
        self.children[name] = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()

    def start(self):
        self._start("etcd", "nice", "-n", "5", etcd(), "--data-dir", self.folder / "etcd", "--listen-client-urls", self.etcd_url,
                    "--advertise-client-urls", self.etcd_url, "--listen-peer-urls", f"http://127.0.0.1:{free_port()}")
        self.start_api()

    def start_api(self):
        program = api_server()
        self._start("apiserver", "nice", "-n", "5", program, "--etcd-servers", self.etcd_url, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
                    f"--secure-port={self.port}", "--tls-cert-file", self.certificate, "--tls-private-key-file", self.key,
                    "--client-ca-file", self.authority.certificate, "--authorization-mode=RBAC",
                    "--service-account-key-file", self.folder / "accounts.key", "--service-account-signing-key-file", self.folder / "accounts.key",
                    f"--service-account-issuer={self.url}", "--service-cluster-ip-range=10.0.0.0/24",
                    "--disable-admission-plugins=ServiceAccount,NodeRestriction,TaintNodesByCondition,Priority", "--endpoint-reconciler-type=none",
                    "--kubelet-client-certificate", self.admin[0], "--kubelet-client-key", self.admin[1],
                    "--kubelet-certificate-authority", self.authority.certificate, "--kubelet-preferred-address-types=InternalIP",
                    "--feature-gates=ListFromCacheSnapshot=false", "--profiling=false")
        self.wait_ready()

    def wait_ready(self, seconds=120):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for name, child in self.children.items():
                if child.poll() is not None:
                    raise RuntimeError(f"{name} ended with {child.returncode}:\n{self.log(name)}")
            try:
                if self.ask("GET", "/readyz", raw=True) == b"ok":
                    return
            except OSError:
                pass
            time.sleep(0.3)
        raise RuntimeError(f"kube-apiserver is not ready after {seconds} s:\n{self.log('apiserver')}")

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")[-3000:]

    def ask(self, method, path, value=None, raw=False, kind="application/json"):
        request = urllib.request.Request(self.url + path, method=method, headers={"Content-Type": kind},
                                         data=None if value is None else json.dumps(value).encode())
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=30) as answer:
                body = answer.read()
        except urllib.error.HTTPError as error:
            if raw:
                return error.read()
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode(errors='replace')[:800]}") from error
        return body if raw else json.loads(body)

    def compact(self):
        """Makes etcd forget its history up to now."""
        def post(path, value):
            request = urllib.request.Request(self.etcd_url + path, data=json.dumps(value).encode())
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        revision = post("/v3/kv/range", {"key": "AA=="})["header"]["revision"]
        post("/v3/kv/compaction", {"revision": revision, "physical": True})

    def stop(self, *names):
        for name in names or ("apiserver", "etcd"):
            child = self.children.pop(name, None)
            if child is None:
                continue
            child.terminate()
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
