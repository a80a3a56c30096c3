"""What `diagnose` answers: verdicts, bad inputs, JSON. test_answers.py CLASS"""
import gzip
import io
import json
import jsonschema
import os
import pathlib
import subprocess
import tarfile
import tempfile

from case import ESCAPES, SCHEMA, VALIDATOR, Test, main
from program import BIN, FAULT, PLAIN, SANITIZED, SOURCE, XID79, folder, run, sample


class Bundles(Test):
    """Layouts that people already have: what is in them is found by content, at any depth."""
    KERNEL = (SOURCE / "examples/rx-detect/kernel.log").read_text(encoding="utf-8")
    HANDLER = (SOURCE / "examples/rx-detect/virt-handler.log").read_text(encoding="utf-8")
    NODE = json.dumps({"apiVersion": "v1", "kind": "NodeList", "items": [
        {"metadata": {"name": "seoul-hgx04"}, "status": {"capacity": {"nvidia.com/GH100": "8"}, "allocatable": {"nvidia.com/GH100": "7"}}}]}, indent=4)
    LAYOUTS = {
        "sosreport": {"sosreport-hgx04-2026-04-17/sos_commands/kernel/dmesg_-T": KERNEL, "sosreport-hgx04-2026-04-17/var/log/pods/kubevirt_virt-handler-x_u/virt-handler/0.log": HANDLER,
                      "sosreport-hgx04-2026-04-17/sos_commands/date/date": "Fri Apr 17 09:00:00 KST 2026\n"},
        "must-gather": {"must-gather.local.77/quay-io-x/namespaces/openshift-cnv/pods/virt-handler-x/virt-handler/virt-handler/logs/current.log": HANDLER,
                        "must-gather.local.77/quay-io-x/nodes/seoul-hgx04/dmesg": KERNEL, "must-gather.local.77/quay-io-x/cluster-scoped-resources/core/nodes.json": NODE,
                        "must-gather.local.77/timestamp": "2026-04-17 00:00:00 +0000 UTC\n"},
        "gpu-operator must-gather": {"nvidia-gpu-operator_20260417/gpu_nodes.status": "NAME          STATUS   ROLES    AGE   VERSION\nseoul-hgx04   Ready    <none>   90d   v1.30.4\n",
                                     "nvidia-gpu-operator_20260417/nvidia-driver-daemonset-x/dmesg.txt": KERNEL,
                                     "nvidia-gpu-operator_20260417/nvidia-sandbox-device-plugin-x/virt-handler.log": HANDLER},
        "cluster-info dump": {"dump/nodes.json": NODE, "dump/kubevirt/virt-handler-x/logs.txt": "==== START logs for container virt-handler of pod kubevirt/virt-handler-x ====\n" + HANDLER +
                              "==== END logs for container virt-handler of pod kubevirt/virt-handler-x ====\n", "dump/host/kern.log": KERNEL}}

    def test_each_layout_loose_and_packed(self):
        for name, files in self.LAYOUTS.items():
            with tempfile.TemporaryDirectory() as place:
                for path, text in files.items():
                    (pathlib.Path(place) / "in" / path).parent.mkdir(parents=True, exist_ok=True)
                    (pathlib.Path(place) / "in" / path).write_text(text, encoding="utf-8")
                with tarfile.open(f"{place}/all.tar.xz", "w:xz") as archive:
                    archive.add(f"{place}/in", "in")
                for given in (f"{place}/in", f"{place}/all.tar.xz"):
                    incident = self.answer(given)["incidents"][0]
                    self.assertEqual((incident["fault"], incident["devices"][0]["pci"]), ("nvlink.rx_detect_failed", "0000:ed:00.0"), (name, given))

    def test_the_drivers_bug_report(self):
        rule = "_" * 44
        text = (f"{rule}\n\nStart of NVIDIA bug report log file.  Please include this file, along with a detailed description of your problem.\n\nnvidia-bug-report.sh Version: 34275561\n\n"
                f"{rule}\n\n*** /proc/cmdline\nBOOT_IMAGE=/vmlinuz ro intel_iommu=on\n\n{rule}\n\ndmesg:\n\n{self.KERNEL}\n{rule}\n\nEnd of NVIDIA bug report log file.\n")
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place) / "nvidia-bug-report.log.gz"
            path.write_bytes(gzip.compress(text.encode()))
            handler = pathlib.Path(place) / "virt-handler.log"
            handler.write_text(self.HANDLER, encoding="utf-8")
            self.assertEqual(self.answer(path, handler)["incidents"][0]["fault"], "nvlink.rx_detect_failed")


class ExitCodes(Test):
    def test_fault(self):
        with folder(kernel__log=FAULT) as path:
            result = run("diagnose", path)
            self.expect_exit(result, 1)
            self.assertTrue(result.out.startswith("[FAULT] "), result.out)
            self.assertIn("0000:c4:00.0", result.out)
            self.assertLess(result.out.count("\n"), 120)

    def test_quiet_prints_nothing(self):
        with folder(kernel__log=FAULT) as path:
            result = run("diagnose", path, "-q")
            self.expect_exit(result, 1)
            self.assertEqual(result.out + result.err, "")

    def test_verbose_says_more(self):
        with folder(kernel__log=FAULT) as path:
            self.assertGreater(len(run("diagnose", path, "-v").out), len(run("diagnose", path).out))

    def test_same_input_same_answer(self):
        with folder(kernel__log=FAULT) as path:
            for words in (["-o", "json"], ["-v"]):
                self.assertEqual(run("diagnose", path, *words).out, run("diagnose", path, *words).out)


class Archives(Test):
    def tar(self, files, mode="w:gz"):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=mode) as archive:
            for name, text in files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text.encode()))
        return out.getvalue()

    def test_a_bundle_answers_like_its_folder(self):
        with folder(bundle__tar__gz=self.tar({"n1/kernel.log": FAULT})) as path, folder(kernel__log=FAULT) as plain:
            packed, loose = self.answer(path / "bundle.tar.gz"), self.answer(plain)
            self.assertEqual(packed["verdict"], "fault")
            self.assertEqual(packed["incidents"][0]["devices"], loose["incidents"][0]["devices"])
            self.assertTrue(packed["sources"][0]["name"].endswith("bundle.tar.gz/n1/kernel.log"))

    def test_three_nodes_in_one_archive_are_three_answers(self):
        files = {f"n{i}/kernel.log": (FAULT if i == 2 else PLAIN).replace("worker-3", f"worker-{i}") for i in (1, 2, 3)}
        files["n1/dmesg.log"] = "2025-03-04T05:00:00+09:00 worker-1 kernel: NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.90.07\n"
        files["n3/dmesg.log"] = files["n1/dmesg.log"].replace("worker-1", "worker-3")
        with folder(all__tar=self.tar(files, "w")) as path:
            answer = self.answer(path / "all.tar")
            self.assertEqual([n["node"] for n in answer["nodes"]], ["worker-1", "worker-2", "worker-3"])
            self.assertEqual(answer["incidents"][0]["node"], "worker-2")

    def test_a_truncated_archive_is_named_and_what_was_read_counts(self):
        noise = "".join(f"2025-03-04T05:00:00+09:00 worker-3 kernel: usb 1-1: device {i * 7919}\n" for i in range(40_000))
        whole = self.tar({"a/kernel.log": FAULT, "z/noise.log": noise})
        with folder(cut__tar__gz=whole[:len(whole) // 2]) as path:
            answer = self.answer(path / "cut.tar.gz")
            self.assertEqual(answer["verdict"], "fault")
            self.assertIn("truncated", [s["outcome"] for s in answer["sources"]])

    def test_a_path_that_leaves_the_archive_is_not_read_and_nothing_is_written(self):
        with folder(evil__tar=self.tar({"../escaped.log": FAULT, "ok.log": PLAIN}, "w")) as path:
            answer = self.answer(path / "evil.tar")
            self.assertNotEqual(answer["verdict"], "fault")
            self.assertIn("leaves the archive", " ".join(s.get("note", "") for s in answer["sources"]))
            self.assertFalse((path.parent / "escaped.log").exists())
            self.assertEqual([p.name for p in path.iterdir()], ["evil.tar"])

    def test_a_bomb_stops_and_is_named(self):
        bomb = io.BytesIO()
        with gzip.GzipFile(fileobj=bomb, mode="wb", compresslevel=9) as out:
            for _ in range(600):
                out.write(b"bomb " * 200_000)
        with folder(bomb__gz=bomb.getvalue()) as path:
            answer = self.answer(path / "bomb.gz")
            self.assertEqual(answer["verdict"], "inconclusive")
            self.assertIn("200 times", " ".join(s.get("note", "") for s in answer["sources"]))


class BadInputs(Test):
    def test_empty_file(self):
        with folder(empty__log=b"") as path:
            self.assertEqual(self.answer(path)["verdict"], "inconclusive")
            text = run("diagnose", path).out
            self.assertIn("[INCONCLUSIVE]", text)
            self.assertIn("empty.log", text)
            self.assertIn("Nothing in it speaks of a GPU.", text)
            self.assertIn("$ ", text)   # a command that collects something

    def test_empty_folder(self):
        with folder() as path:
            self.expect_exit(run("diagnose", path), 2, 66)

    def test_text_without_gpu(self):
        with folder(notes__txt="dear diary\nnothing happened today\n") as path:
            answer = self.answer(path)
            self.assertEqual(answer["verdict"], "inconclusive")
            self.assertEqual([s["name"] for s in answer["sources"]], ["notes.txt"])
            self.assertEqual(answer["incidents"], [])
            self.assertTrue(answer["missing"])

    def test_binary_junk(self):
        junk = bytes((i * 7919 + i // 251) % 256 for i in range(200_000))
        with folder(core__bin=junk) as path:
            answer = self.answer(path)
            self.assertEqual(answer["verdict"], "inconclusive")
            self.assertIsNone(ESCAPES.search(run("diagnose", path, "-v").out))

    def test_invalid_utf8_among_good_lines(self):
        with folder(kernel__log=PLAIN.encode() + b"\xff\xfe\x80 \xc3\x28\n" + FAULT.encode() + b"\xf0\x28\x8c\n") as path:
            answer = self.answer(path)
            self.assertEqual(answer["verdict"], "fault")
            self.expect_exit(run("diagnose", path, "-v"), 1)

    def test_escapes_in_the_evidence_do_not_reach_the_terminal(self):
        evil = XID79.rstrip("\n") + "\x1b[31m\x1b]0;owned\x07\xc2\x9b2J\r\n"
        with folder(kernel__log=FAULT + evil) as path:
            for words in ([], ["-v"], ["-v", "--lang", "ko"]):
                self.assertIsNone(ESCAPES.search(run("diagnose", path, *words).out))

    def test_missing_file(self):
        result = run("diagnose", "/no/such/evidence.log")
        self.expect_exit(result, 66)
        self.assertEqual(result.out, "")
        self.assertIn("/no/such/evidence.log", result.err)

    def test_partly_missing_goes_on(self):
        with folder(kernel__log=FAULT) as path:
            answer = self.answer(path / "kernel.log", path / "gone.log")
            self.assertEqual(answer["verdict"], "fault")
            gone = [s for s in answer["sources"] if "gone.log" in s["name"]]
            self.assertEqual([s["outcome"] for s in gone], ["absent"])
            self.assertIn("gone.log: absent", run("diagnose", path / "kernel.log", path / "gone.log").out.replace("\n", " ").replace("  ", " "))

    def test_no_permission(self):
        if os.geteuid() == 0:   # root reads everything: a folder below /proc that nobody may list stands in
            self.expect_exit(run("diagnose", "/proc/self/mem"), 2, 66)
            return
        with folder(kernel__log=FAULT) as path:
            (path / "kernel.log").chmod(0)
            self.expect_exit(run("diagnose", path / "kernel.log"), 66)

    def test_a_folder_with_links_and_pipes_does_not_block(self):
        with folder(kernel__log=FAULT) as path:
            os.mkfifo(path / "pipe")
            (path / "loop").symlink_to(path)
            self.assertEqual(self.answer(path)["verdict"], "fault")

    def test_cut_at_any_place(self):
        text = FAULT.encode()
        for end in range(0, len(text), 37):
            self.answer("-", stdin=text[:end])


class HugeLine(Test):
    """A line of 200 MB is read in bounded memory, counted as malformed with its place, and what follows it still counts."""
    BYTES = 200 << 20

    def test_huge_line(self):
        with folder(kernel__log=PLAIN) as path:
            with open(path / "kernel.log", "ab") as out:
                for _ in range(self.BYTES >> 20):
                    out.write(b"x" * (1 << 20))
                out.write(b"\n" + FAULT.encode())
            with open(path / "answer", "wb") as out:
                child = subprocess.Popen([BIN, "diagnose", path / "kernel.log", "-o", "json"], stdout=out)
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(child.returncode, 1)
            answer = json.loads((path / "answer").read_text(encoding="utf-8"))
            self.expect_valid(answer)
            self.assertEqual([s["malformed"] for s in answer["sources"]], [1])
            self.assertIn(":2", answer["sources"][0]["malformed_at"][0])
            if not SANITIZED:
                self.assertLess(usage.ru_maxrss, 100 << 10)   # KiB


class JsonAnswer(Test):
    def test_hand_built_answers_are_valid(self):
        for name in ("fault", "healthy", "nothing", "empty", "nodes"):
            self.expect_valid(sample(name))

    def test_the_schema_is_strict(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        for change in (lambda a: a.update(extra=1), lambda a: a.pop("sources"), lambda a: a["incidents"][0].update(confidence=1.5),
                       lambda a: a["incidents"][0]["title"].pop("ko"), lambda a: a["incidents"][0].update(first_seen="yesterday")):
            answer = sample("fault")
            change(answer)
            self.assertFalse(VALIDATOR.is_valid(answer))

    def test_hand_built_fault_meets_every_member_of_an_incident(self):
        incident = sample("fault")["incidents"][0]
        self.assertEqual(set(incident), set(SCHEMA["$defs"]["incident"]["properties"]))
        devices = set().union(*incident["devices"])
        self.assertEqual(devices, set(SCHEMA["$defs"]["device"]["properties"]))

    def test_real_answers_are_valid(self):
        with folder(kernel__log=FAULT) as path:
            answer = self.answer(path)
            self.assertEqual(answer["schema"], "gpumedic.diagnosis/v1")
            first = answer["incidents"][0]
            self.assertTrue(first["evidence"][0]["text"].startswith("2025-03-04T05:06:07"))
            self.assertEqual(first["evidence"][0]["line"], 2)
            self.assertRegex(first["first_seen"], r"^2025-03-04T05:06:07.*\+09:00$")
        self.answer("-", stdin=b"")

    def test_the_text_speaks_of_the_same_incident(self):
        with folder(kernel__log=FAULT) as path:
            self.assertIn(self.answer(path)["incidents"][0]["title"]["en"], run("diagnose", path).out.replace("\n", " "))


class StandardInput(Test):
    def test_a_pasted_line(self):
        answer = self.answer("-", stdin=XID79)
        self.assertEqual(answer["incidents"][0]["devices"][0]["pci"], "0000:c4:00.0")
        self.assertEqual(answer["sources"][0]["name"], "-")

    def test_the_same_as_a_file(self):
        with folder(kernel__log=FAULT) as path:
            from_file = self.answer(path / "kernel.log")
            from_stdin = self.answer("-", stdin=FAULT)
        self.assertEqual(from_file["incidents"][0]["class"], from_stdin["incidents"][0]["class"])

    def test_line_ends_of_windows(self):
        self.assertEqual(self.answer("-", stdin=FAULT.replace("\n", "\r\n"))["verdict"], "fault")

    def test_nothing(self):
        self.assertEqual(self.answer("-", stdin=b"")["verdict"], "inconclusive")


class TimeOptions(Test):
    def test_bounds(self):
        with folder(kernel__log=FAULT) as path:
            self.expect_exit(run("diagnose", path, "--since", "2025-03-04T00:00:00+09:00"), 1)
            self.assertNotEqual(run("diagnose", path, "--since", "2025-03-05").code, 1)
            self.assertNotEqual(run("diagnose", path, "--until", "2025-03-04 05:00", "--tz", "+09:00").code, 1)
            self.expect_exit(run("diagnose", path, "--until", "2025-03-04 05:10", "--tz", "+09:00"), 1)
            self.assertNotEqual(run("diagnose", path, "--until", "2025-03-03 20:06", "--tz", "UTC").code, 1)

    def test_names_of_zones(self):
        with folder(kernel__log=FAULT) as path:
            self.expect_exit(run("diagnose", path, "--until", "2025-03-04 05:10", "--tz", "Asia/Seoul"), 1)

if __name__ == "__main__":
    main(globals())
