"""gpumedic verify and baseline: the founding pair, guests, mistakes, and this machine."""
import pathlib
import stat
import tempfile

from case import Test, main
from program import SOURCE, run

BEFORE, AFTER = f"{SOURCE}/examples/rx-detect", f"{SOURCE}/examples/rx-detect-after"


def results(answer):
    return {check["id"]: check["result"] for check in answer["checks"]}


class WithDiagnosis(Test):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)
        self.before = self.folder / "before.json"
        self.expect_exit(run("diagnose", BEFORE, "-o", "json", "--to", self.before), 1)

    def verification(self, code, *words):
        result = run("verify", *words, "--incident", self.before, "-o", "json")
        self.expect_exit(result, code)
        self.expect_valid(result.json(), "verification")
        return result.json()


class FoundingPair(WithDiagnosis):
    def test_before_fails_and_after_passes(self):
        before = results(self.verification(1, BEFORE))
        self.assertEqual((before["no_new_fault"], before["vm_running"]), ("fail", "fail"))
        self.assertNotIn("pass", before.values())
        after = self.verification(0, AFTER)
        self.assertEqual(set(results(after).values()), {"pass"})
        self.assertEqual(len(after["checks"]), 12)

    def test_each_piece_taken_away_is_unknown_never_pass(self):
        checks = {"bmc.txt": "power_was_cut", "lspci.txt": "devices", "node.txt": "allocatable", "vms.txt": "vm_running", "guest.txt": "guest", "holders.txt": "vm_devices"}
        for left_out, check in checks.items():
            paths = [path for path in pathlib.Path(AFTER).glob("*") if path.suffix in (".txt", ".log") and path.name != left_out]
            self.assertEqual(results(self.verification(2, *paths))[check], "unknown", left_out)

    def test_texts_in_both_languages(self):
        for language, words in (("en", ("[FAIL]", "expected: hpc/train-vm-3: Running, Ready", "$ kubectl get vm,vmi")),
                                ("ko", ("[실패]", "기대: hpc/train-vm-3: Running, Ready", "조치 이후 장애 없음"))):
            out = run("verify", BEFORE, "--incident", self.before, "--lang", language).out
            for word in words:
                self.assertIn(word, out)

    def test_guests_are_asked_without_a_shell(self):
        script = self.folder / "ask"
        script.write_text('#!/bin/sh\necho "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-5d8c1f7e-0b94-4a31-9d3a-6f2e8c7b1a02)"\n'
                          f'echo "$@" > {self.folder}/asked\n', encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        answer = self.verification(1, BEFORE, "--guest-command", f"{script} '{{namespace}} {{vm}}' $HOME;x")
        self.assertEqual(results(answer)["guest"], "pass")
        self.assertEqual((self.folder / "asked").read_text(encoding="utf-8"), "hpc train-vm-3 $HOME;x\n")
        answer = self.verification(1, BEFORE, "--guest-command", "/nonexistent/ask {vm}")
        self.assertEqual(results(answer)["guest"], "unknown")

    def test_a_guest_with_an_xid_fails(self):
        script = self.folder / "ask"
        script.write_text('#!/bin/sh\necho "GPU 0: NVIDIA H100 (UUID: GPU-5d8c1f7e-0b94-4a31-9d3a-6f2e8c7b1a02)"\n'
                          'echo "[  100.000001] NVRM: Xid (PCI:0000:09:00): 79, pid=1, GPU has fallen off the bus."\n', encoding="utf-8")
        script.chmod(0o755)
        self.assertEqual(results(self.verification(1, AFTER, "--guest-command", str(script)))["guest"], "fail")


class VerifyUsage(WithDiagnosis):
    def test_mistakes(self):
        for words, code, said in ((["--incident", "/nonexistent"], 66, "/nonexistent"), (["--incident", BEFORE + "/kernel.log"], 78, "is not JSON"),
                                  (["--baseline", BEFORE + "/kernel.log"], 78, "kernel.log"), (["--soak", "10m"], 64, "--soak"),
                                  (["--guest-command", "'ask"], 64, "quote"), (["--boots", "1"], 64, "--boots")):
            incident = [] if words[0] == "--incident" else ["--incident", self.before]
            result = run("verify", AFTER, *incident, *words)
            self.expect_exit(result, code)
            self.assertIn(said, result.err)
        self.expect_exit(run("verify", "/nonexistent"), 66)

    def test_this_machine_is_read_and_soaked(self):
        result = run("verify", "--soak", "1s", "-o", "json", "--timeout", "20s")
        self.assertIn(result.code, (0, 1, 2), result.err)
        self.assertGreaterEqual(result.json()["rounds"], 2)


class Baseline(WithDiagnosis):
    def test_saved_compared_and_used(self):
        path = self.folder / "node.yaml"
        self.expect_exit(run("baseline", "save", AFTER, "--node", "seoul-hgx04", "--to", path), 0)
        self.assertIn("0000:ed:00.0", path.read_text(encoding="utf-8"))
        self.assertEqual(run("baseline", "show", path).out, path.read_text(encoding="utf-8"))
        self.expect_exit(run("baseline", "diff", path, AFTER), 0)
        self.assertEqual(set(results(self.verification(0, AFTER, "--baseline", path)).values()), {"pass"})
        path.write_text(path.read_text(encoding="utf-8").replace('"vfio-pci"', '"nvidia"').replace('"8"', '"7"'), encoding="utf-8")
        result = run("baseline", "diff", path, AFTER, "--lang", "en")
        self.expect_exit(result, 1)
        self.assertIn("~ 0000:ed:00.0 driver: nvidia -> vfio-pci", result.out)
        self.assertEqual(len(run("baseline", "diff", path, AFTER, "-o", "json").json()["differences"]), 2)
        answer = results(self.verification(1, AFTER, "--baseline", path))
        self.assertEqual((answer["driver"], answer["allocatable"], answer["devices"]), ("fail", "fail", "pass"))

    def test_nothing_to_expect_is_said(self):
        result = run("baseline", "save", BEFORE + "/virt-handler.log")
        self.expect_exit(result, 66)
        self.assertIn("nothing to expect", result.err)
        self.expect_exit(run("baseline", "show", AFTER + "/vms.txt"), 78)


if __name__ == "__main__":
    main({"FoundingPair": FoundingPair, "VerifyUsage": VerifyUsage, "Baseline": Baseline})
