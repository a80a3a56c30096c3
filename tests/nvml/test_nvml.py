"""Each recorded state of NVML: what becomes of the item, and what is diagnosed."""
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest


class States(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)
        (self.folder / "root/etc").mkdir(parents=True)
        (self.folder / "root/etc/hostname").write_text("ulsan-gpu5\n", encoding="utf-8")
        driver = self.folder / "root/proc/driver/nvidia"
        driver.mkdir(parents=True)
        (driver / "version").write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07\n", encoding="utf-8")

    def collect(self, state, library="NVML_NEW"):
        to = self.folder / "bundle"
        env = {**os.environ, "FAKE_NVML": state, "LD_LIBRARY_PATH": os.environ[library] if library else "/nonexistent"}
        began = time.monotonic()
        subprocess.run([os.environ["COLLECT_WITH_NVML"], self.folder / "root", to], env=env, check=True, timeout=60)
        self.took = time.monotonic() - began
        return json.loads((to / "manifest.json").read_text(encoding="utf-8"))["items"][0]

    def diagnose(self):
        done = subprocess.run([os.environ["GPUMEDIC_BIN"], "diagnose", self.folder / "bundle", "-o", "json"], capture_output=True, check=False)
        return json.loads(done.stdout)

    def test_eight_healthy_gpus(self):
        item = self.collect("healthy")
        self.assertEqual(item["outcome"], "ok", item)
        text = (self.folder / "bundle/nvml/query.txt").read_text(encoding="utf-8")
        self.assertEqual(text.count("Product Name"), 8)
        self.assertEqual(text.count(": Active\n        Link"), 8 * 17)
        answer = self.diagnose()
        self.assertEqual((answer["verdict"], answer["incidents"]), ("healthy", []))
        self.assertEqual([source["kind"] for source in answer["sources"] if source["name"] == "nvml/query.txt"], ["nvidia-smi"])

    def test_a_lost_gpu(self):
        self.assertEqual(self.collect("lost")["outcome"], "ok")
        incident = self.diagnose()["incidents"][0]
        self.assertEqual(incident["class"], "gpu_fallen_off_bus")
        self.assertEqual(incident["devices"][0]["pci"], "0000:49:00.0")

    def test_links_that_are_down(self):
        self.collect("links-down")
        incident = self.diagnose()["incidents"][0]
        self.assertTrue(incident["class"].startswith("nvlink"), incident["fault"])
        self.assertEqual(incident["devices"][0]["pci"], "0000:49:00.0")

    def test_a_library_of_another_version(self):
        self.collect("mismatch")
        incident = self.diagnose()["incidents"][0]
        self.assertIn("mismatch", incident["fault"])

    def test_a_driver_that_is_not_there(self):
        self.collect("no-driver")
        self.assertIn("couldn't communicate", (self.folder / "bundle/nvml/query.txt").read_text(encoding="utf-8"))

    def test_a_hang_is_left_in_time(self):
        item = self.collect("hang")
        self.assertEqual(item["outcome"], "timed_out", item)
        self.assertIn("NVML", item["why"])
        self.assertLess(self.took, 15)

    def test_a_crash_is_the_items(self):
        item = self.collect("crash")
        self.assertEqual(item["outcome"], "failed", item)
        self.assertIn("signal 6", item["why"])

    def test_an_old_library_is_asked_for_what_it_has(self):
        item = self.collect("healthy", "NVML_OLD")
        self.assertEqual(item["outcome"], "truncated", item)
        self.assertIn("lacks nvmlDeviceGetRemappedRows and 1 more", item["why"])
        self.assertIn("Product Name", (self.folder / "bundle/nvml/query.txt").read_text(encoding="utf-8"))

    def test_no_library_and_no_module(self):
        self.assertEqual(self.collect("healthy", None)["outcome"], "absent")
        (self.folder / "root/proc/driver/nvidia/version").unlink()
        item = self.collect("healthy")
        self.assertEqual(item["outcome"], "absent")
        self.assertIn("would load it", item["why"])


if __name__ == "__main__":
    unittest.main()
