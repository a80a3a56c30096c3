"""`collect` and `diagnose` of a node, on copied trees and on this machine. test_collect.py CLASS"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import time

from case import Test, main
from program import run

GPU = "0000:5a:00.0"


class Tree:
    """A node's tree with one GPU behind one port, bound to vfio-pci."""

    def __init__(self, alive=True):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="gpumedic-tree-"))
        self.put("etc/hostname", "ulsan-gpu4\n")
        self.put("proc/sys/kernel/random/boot_id", "0f0f0f0f-1111-4222-8333-444444444444\n")
        self.put("proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz root=/dev/sda1 ro intel_iommu=on iommu=pt\n")
        self.put("var/log/kern.log", "2025-03-04T05:00:00.000000+09:00 ulsan-gpu4 kernel: usb 1-1: new high-speed USB device\n")
        self.function("0000:59:00.0", "0000:59:00.0", "0x060400", "0x8086", "0x347a", bytes([0x86, 0x80, 0x7a, 0x34]) + bytes(60))
        place = self.function(GPU, f"0000:59:00.0/{GPU}", "0x030200", "0x10de", "0x2330",
                              bytes([0xde, 0x10, 0x30, 0x23]) + bytes(4092) if alive else b"\xff" * 4096)
        for name, live, dead in (("current_link_speed", "32.0 GT/s PCIe", "Unknown"), ("current_link_width", "16", "63"),
                                 ("max_link_speed", "32.0 GT/s PCIe", "32.0 GT/s PCIe"), ("max_link_width", "16", "16"),
                                 ("power_state", "D0", "D0"), ("reset_method", "flr bus", "flr bus")):
            self.put(f"{place}/{name}", (live if alive else dead) + "\n")
        (self.root / place / "driver").symlink_to("../../../../bus/pci/drivers/vfio-pci")
        (self.root / place / "iommu_group").symlink_to("../../../../kernel/iommu_groups/44")

    def function(self, address, below, class_code, vendor, device, config):
        place = f"sys/devices/pci0000:59/{below}"
        for name, value in (("class", class_code), ("vendor", vendor), ("device", device), ("revision", "0xa1")):
            self.put(f"{place}/{name}", value + "\n")
        self.put(f"{place}/config", config)
        link = self.root / "sys/bus/pci/devices" / address
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to("../../../devices/pci0000:59/" + below)
        return place

    def put(self, path, content):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root)


def bare(answer, prefix=""):
    """What must be the same for a node and its bundle: all but the names of the bundle and the account's own times."""
    text = json.dumps(answer).replace(prefix, "")
    return json.loads(re.sub(r'\d+\.\d s', "N s", text))


class CollectTree(Test):
    def test_bundle_forms_and_manifest(self):
        with Tree() as tree, tempfile.TemporaryDirectory() as out:
            for name in ("b.tar.zst", "b.tar.gz", "folder"):
                result = run("collect", "--root", tree.root, "--to", f"{out}/{name}")
                self.expect_exit(result, 0)
                self.assertIn("items (", result.err)
                self.assertEqual(result.out, "")
            with tarfile.open(f"{out}/b.tar.gz") as archive:
                names = archive.getnames()
                manifest = json.load(archive.extractfile("manifest.json"))
            self.assertEqual(names[-1], "manifest.json")
            self.assertEqual(len(names), len(set(names)))
            self.assertIn(f"sys/config/{GPU}.txt", names)
            self.assertTrue((pathlib.Path(out) / "folder/proc/cmdline").is_file())
            self.assertEqual(manifest["schema"], "gpumedic.manifest/v1")
            self.assertEqual(manifest["node"], "ulsan-gpu4")
            outcomes = {item["name"]: item["outcome"] for item in manifest["items"]}
            self.assertEqual(outcomes["pci/values"], "ok")
            self.assertEqual(outcomes["nvidia-smi/query"], "absent")
            for item in manifest["items"]:
                self.assertLessEqual({"name", "kind", "outcome", "duration_ms", "bytes", "files"}, set(item))
            self.assertEqual([p.name for p in pathlib.Path(out).iterdir() if p.name.startswith(".") or ".tar.zst." in p.name], [])

    def test_dead_gpu_live_and_bundled_give_the_same_answer(self):
        for alive, code in ((False, 1), (True, 0)):
            with Tree(alive) as tree, tempfile.TemporaryDirectory() as out:
                live = run("diagnose", "--root", tree.root, "-o", "json")
                self.expect_exit(live, code)
                self.expect_exit(run("collect", "--root", tree.root, "--to", f"{out}/b.tar.zst", "-q"), 0)
                bundled = run("diagnose", f"{out}/b.tar.zst", "-o", "json")
                self.expect_exit(bundled, code)
                self.expect_valid(live.json())
                self.assertEqual(bare(bundled.json(), f"{out}/b.tar.zst/"), bare(live.json()))
                if not alive:
                    incident = live.json()["incidents"][0]
                    self.assertEqual(incident["devices"][0]["pci"], GPU)

    def test_only_skip_since_list(self):
        with Tree() as tree, tempfile.TemporaryDirectory() as out:
            result = run("collect", "--root", tree.root, "--to", f"{out}/b", "--only", "pci/*", "--only", "logs/*", "--skip", "pci/config/*")
            self.expect_exit(result, 0)
            names = sorted(str(p.relative_to(f"{out}/b")) for p in pathlib.Path(f"{out}/b").rglob("*") if p.is_file())
            self.assertEqual(names, ["collection.json", "manifest.json", "sys/pci_devices.txt", "var/log/kern.log"])
            os.utime(tree.root / "var/log/kern.log", (1, 1))
            self.expect_exit(run("collect", "--root", tree.root, "--to", f"{out}/c", "--since", "2025-01-01"), 0)
            self.assertFalse((pathlib.Path(out) / "c/var").exists())
            listed = run("collect", "--list", "--root", tree.root)
            self.expect_exit(listed, 0)
            self.assertIn(f"pci/config/{GPU}", listed.out)

    def test_nothing_of_the_tree_is_changed(self):
        with Tree() as tree, tempfile.TemporaryDirectory() as out:
            def state():
                return sorted((str(p), p.lstat().st_mtime_ns, p.lstat().st_size) for p in tree.root.rglob("*"))
            before = state()
            self.expect_exit(run("collect", "--root", tree.root, "--to", f"{out}/b.tar.zst"), 0)
            self.assertEqual(state(), before)

    def test_usage(self):
        with tempfile.TemporaryDirectory() as out:
            for words in (["collect"], ["collect", "--to", f"{out}/x.zip"], ["collect", "--to", f"{out}/none/b.tar.gz"],
                          ["collect", "--to", f"{out}/b.tar", "--timeout", "soon"], ["collect", "--to", f"{out}/b.tar", "--max-bytes", "0"],
                          ["collect", "--to", f"{out}/b.tar", "--only", "no/such"], ["diagnose", out, "--root", out]):
                self.expect_exit(run(*words), 64)
            self.expect_exit(run("collect", "--to", f"{out}/b.tar", "--root", f"{out}/none"), 66)
            self.assertEqual(os.listdir(out), [])


class CollectHere(Test):
    """This machine, as it is."""

    def test_in_time_and_small(self):
        with tempfile.TemporaryDirectory() as out:
            started = time.monotonic()
            result = run("collect", "--to", f"{out}/b.tar.zst", "--timeout", "20s")
            self.expect_exit(result, 0)
            self.assertLess(time.monotonic() - started, 25)
            self.expect_exit(run("diagnose", f"{out}/b.tar.zst"), 0, 1, 2)

    def test_diagnose_without_a_path(self):
        result = run("diagnose", "-o", "json", "--timeout", "20s")
        self.expect_exit(result, 0, 1, 2)
        self.expect_valid(result.json())
        self.assertIn("manifest.json", [source["name"] for source in result.json()["sources"]])

    def test_as_an_ordinary_user(self):
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("only root can become another user")
        with tempfile.TemporaryDirectory() as out:
            os.chmod(out, 0o777)
            from program import BIN
            reachable = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", BIN, "version"], capture_output=True, check=False)
            if reachable.returncode != 0:
                self.skipTest("another user cannot reach the program here")
            done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", BIN, "collect", "--to", f"{out}/b.tar.gz"],
                                  capture_output=True, check=False, cwd=out)
            self.assertEqual(done.returncode, 0, done.stderr)
            with tarfile.open(f"{out}/b.tar.gz") as archive:
                self.assertEqual(json.load(archive.extractfile("manifest.json"))["user"], "uid 65534")


class CollectFaults(Test):
    def test_a_full_disk_is_said_and_the_part_is_kept(self):
        with Tree() as tree, tempfile.TemporaryDirectory() as out:
            tree.put("var/log/syslog", os.urandom(3_000_000))
            from program import BIN
            done = subprocess.run(["bash", "-c", 'trap "" XFSZ; ulimit -f 1000; exec "$@"', "x", BIN, "collect", "--root", str(tree.root),
                                   "--to", f"{out}/b.tar.zst", "--skip", "journal/*"], capture_output=True, check=False)
            self.assertEqual(done.returncode, 0 if b"failed" in done.stderr else 70, done.stderr)
            kept = [name for name in os.listdir(out)]
            self.assertEqual(len(kept), 1, kept)
            self.expect_exit(run("diagnose", f"{out}/{kept[0]}"), 0, 1, 2)

    def test_an_interrupt_leaves_nothing(self):
        with Tree() as tree, tempfile.TemporaryDirectory() as out:
            from program import BIN
            # Many small files take longer to copy than the signal takes to come.
            for number in range(30_000):
                tree.put(f"var/log/libvirt/qemu/vm{number}.log", "x")
            running = subprocess.Popen([BIN, "collect", "--root", str(tree.root), "--to", f"{out}/b.tar.zst"], stderr=subprocess.PIPE)
            time.sleep(0.3)
            running.terminate()
            _, said = running.communicate(timeout=20)
            if running.returncode == 0:
                self.skipTest("it was quicker than the signal")
            self.assertEqual(running.returncode, 130, said)
            self.assertEqual(os.listdir(out), [])

    def test_a_full_target(self):
        with Tree() as tree:
            for size in (20, 200):
                with tempfile.TemporaryDirectory() as out:
                    tree.put("var/log/syslog", os.urandom(600_000))
                    from program import BIN
                    done = subprocess.run(["bash", "-c", f'trap "" XFSZ; ulimit -f {size}; exec "$@"', "x", BIN, "collect", "--root", str(tree.root),
                                           "--to", f"{out}/b", "--only", "logs/system", "--only", "node/*"], capture_output=True, check=False)
                    self.assertIn(done.returncode, (0, 70), done.stderr)
                    self.assertNotEqual(done.stderr, b"")
                    self.assertEqual(len(os.listdir(out)), 1)


if __name__ == "__main__":
    main({"CollectTree": CollectTree, "CollectHere": CollectHere, "CollectFaults": CollectFaults})
