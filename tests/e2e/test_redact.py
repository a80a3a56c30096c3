"""gpumedic redact: forms of input, the map, and what is refused."""
import gzip
import io
import json
import pathlib
import tarfile
import tempfile

from case import Test, main
from program import run

LOG = ("2026-03-04T05:06:07+09:00 icn-gpu9.corp.kr kernel: NVRM: Xid (PCI:0000:c4:00): 79, pid=1, GPU has fallen off the bus.\n"
       "2026-03-04T05:06:08+09:00 icn-gpu9.corp.kr sshd[1]: Accepted publickey for mkim from 10.9.8.7 port 1 ssh2\n")
NAMES = ("icn-gpu9", "corp.kr", "mkim", "10.9.8.7", "llm-77")


class Redact(Test):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def bundle(self):
        path = self.folder / "b.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name, data in (("logs/icn-gpu9.log", LOG.encode()), ("logs/old.log.gz", gzip.compress(LOG.encode())), ("core", b"\x7fELF\0\0icn-gpu9"),
                               ("qemu/research_llm-77.log", b"qemu -name guest=research_llm-77,debug-threads=on\npassword: hunter22\n")):
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        return path

    def texts_of(self, folder):
        return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in pathlib.Path(folder).rglob("*") if path.is_file()}

    def test_an_archive_with_packed_and_binary_files(self):
        result = run("redact", self.bundle(), "--to", self.folder / "out")
        self.expect_exit(result, 0)
        self.assertIn("core: binary", result.err)
        texts = self.texts_of(self.folder / "out")
        self.assertEqual(sorted(texts)[:2], ["logs/host-1.log", "logs/old.log"])
        whole = json.dumps(texts)
        for name in (*NAMES, "hunter22"):
            self.assertNotIn(name, whole)
        self.assertEqual(texts["logs/host-1.log"], texts["logs/old.log"])
        self.assertIn("0000:c4:00", whole)
        map_path = self.folder / "out.redaction-map.json"
        self.assertEqual(map_path.stat().st_mode & 0o777, 0o600)
        self.assertNotIn("hunter22", map_path.read_text(encoding="utf-8"))
        incident = self.answer(self.folder / "out")["incidents"][0]
        self.assertEqual((incident["fault"], incident["node"]), (self.answer(self.bundle())["incidents"][0]["fault"], "host-1"))

    def test_a_map_is_used_again(self):
        (self.folder / "a.log").write_text(LOG, encoding="utf-8")
        (self.folder / "b.log").write_text("2026-03-04T05:06:07+09:00 aaa-node1 kernel: hello icn-gpu9\n", encoding="utf-8")
        for name in ("a", "b"):
            self.expect_exit(run("redact", self.folder / f"{name}.log", "--to", self.folder / f"{name}-out", "--map", self.folder / "m.json"), 0)
        self.assertIn("host-2 kernel: hello host-1", (self.folder / "b-out/b.log").read_text(encoding="utf-8"))

    def test_mistakes(self):
        (self.folder / "m.json").write_text("{}", encoding="utf-8")
        for words, code, said in ((["redact", "-", "--to", "x"], 64, "twice"), (["redact", self.bundle()], 64, "--to"), (["redact", "--to", "x"], 64, "PATH"),
                                  (["redact", "/nonexistent", "--to", self.folder / "o"], 66, "/nonexistent"),
                                  (["redact", self.bundle(), "--to", self.folder / "o", "--map", self.folder / "m.json"], 78, "no map"),
                                  (["collect", "--to", self.folder / "o", "--map", "m"], 64, "--redact")):
            result = run(*words)
            self.expect_exit(result, code)
            self.assertIn(said, result.err)
            self.assertFalse((self.folder / "o").exists())

    def test_a_collection(self):
        result = run("collect", "--redact", "--only", "node/*", "--to", self.folder / "c")
        self.expect_exit(result, 0)
        tokens = json.loads((self.folder / "c.redaction-map.json").read_text(encoding="utf-8"))["tokens"]
        boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
        self.assertIn(boot, [token["text"] for token in tokens])
        self.assertNotIn(boot, json.dumps(self.texts_of(self.folder / "c")))


if __name__ == "__main__":
    main({"Redact": Redact})
