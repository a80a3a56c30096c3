"""The command line itself: help, mistakes, outputs, the other commands. test_commands.py CLASS"""
import json
import os
import pty
import re
import shutil
import subprocess
import unittest
from xml.etree import ElementTree

from case import Test, main
from program import BIN, FAULT, XID79, folder, run


class Help(Test):
    def test_overview(self):
        for words in ([], ["--help"], ["-h"], ["help"]):
            result = run(*words)
            self.expect_exit(result, 0)
            self.assertEqual(result.err, "")
            for text in ("Usage: gpumedic COMMAND", "diagnose", "explain", "completion", "Exit codes:"):
                self.assertIn(text, result.out)

    def test_every_command_has_help_and_fits_a_terminal(self):
        for name in ("diagnose", "explain", "catalog list", "catalog show", "catalog lint", "catalog test", "catalog coverage", "catalog graph", "catalog patterns", "completion", "version"):
            result = run(*name.split(), "--help")
            self.expect_exit(result, 0)
            self.assertIn(f"Usage: gpumedic {name}", result.out)
            self.assertLessEqual(max(map(len, result.out.splitlines())), 124)

    def test_version_names_program_and_catalogue(self):
        for words in (["--version"], ["version"], ["-V"]):
            self.assertRegex(run(*words).out, r"^gpumedic \d+\.\d+\.\d+ \(catalogue \S+\)\n$")


class Usage(Test):
    def expect_usage(self, *words, says):
        result = run(*words)
        self.expect_exit(result, 64)
        self.assertEqual(result.out, "")
        self.assertTrue(result.err.startswith("gpumedic: "), result.err)
        self.assertIn(says, result.err)

    def test_mistakes(self):
        self.expect_usage("collect", says="gpumedic collect --to")
        self.expect_usage("diagnose", "-", "--root", "/", says="--root")
        self.expect_usage("diagnoze", says="did you mean 'diagnose'?")
        self.expect_usage("nonsense", says="gpumedic --help")
        self.expect_usage("catalog", says="one of: list, show, lint, test, coverage, graph, patterns")
        self.expect_usage("diagnose", "-", "-o", "yaml", says="yaml")
        self.expect_usage("diagnose", "-", "--lang", "fr", says="fr")
        self.expect_usage("diagnose", "-", "--outputt", "json", says="did you mean '--output'?")
        self.expect_usage("diagnose", "-", "--since", "last week", says="last week")
        self.expect_usage("diagnose", "-", "--tz", "Mars/Olympus", says="Mars/Olympus")
        self.expect_usage("diagnose", "-", "--boot", "1", says="--boot")
        self.expect_usage("diagnose", "-", "--to", "/no/such/folder/x", says="/no/such/folder/x")
        self.expect_usage("completion", "tcsh", says="bash, zsh, fish")
        self.expect_usage("catalog", "list", "things", says="one of: signals")

    def test_messages_carry_no_escapes(self):
        result = run("diagnose", "\x1b[2Jx")
        self.assertNotIn("\x1b", result.err)

    def test_unknown_node(self):
        with folder(kernel__log=FAULT) as path:
            self.expect_usage("diagnose", path, "--node", "elsewhere", says="worker-3")


class Output(Test):
    def test_to_writes_the_same_bytes(self):
        with folder(kernel__log=FAULT) as path:
            plain = run("diagnose", path / "kernel.log", "-o", "json")
            result = run("diagnose", path / "kernel.log", "-o", "json", "--to", path / "answer.json")
            self.expect_exit(result, 1)
            self.assertEqual(result.out, "")
            self.assertEqual((path / "answer.json").read_text(encoding="utf-8"), plain.out)
            self.assertEqual(sorted(p.name for p in path.iterdir()), ["answer.json", "kernel.log"])

    def test_to_leaves_an_old_file_when_the_run_fails(self):
        with folder(old="old") as path:
            self.expect_exit(run("diagnose", "/no/such/file", "--to", path / "old"), 66)
            self.assertEqual([(p.name, p.read_text()) for p in path.iterdir()], [("old", "old")])

    def test_to_with_quiet_still_writes(self):
        with folder(kernel__log=FAULT) as path:
            self.expect_exit(run("diagnose", path / "kernel.log", "-q", "--to", path / "out"), 1)
            self.assertIn("[FAULT]", (path / "out").read_text(encoding="utf-8"))

    def test_a_full_disk_is_told(self):
        with folder(kernel__log=FAULT) as path, open("/dev/full", "wb") as full:
            done = subprocess.run([BIN, "diagnose", path], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 70)
            self.assertIn(b"cannot write the result", done.stderr)

    def test_a_reader_that_goes_away_is_no_error(self):
        with folder(kernel__log=FAULT) as path:
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([BIN, "diagnose", path, "-v"], stdout=write, stderr=subprocess.PIPE, check=False)
            os.close(write)
            self.assertEqual((done.returncode, done.stderr), (1, b""))

    def test_closed_outputs_do_no_harm(self):
        with folder(kernel__log=FAULT) as path:
            done = subprocess.run(["/bin/sh", "-c", '"$0" diagnose "$1" >&- 2>&-; echo $?', BIN, path], capture_output=True, check=True)
            self.assertIn(done.stdout.strip(), (b"70", b"1"))
            self.assertEqual((path / "kernel.log").read_text(encoding="utf-8"), FAULT)


class Colour(Test):
    def test_only_when_asked(self):
        with folder(kernel__log=FAULT) as path:
            self.assertNotIn("\x1b", run("diagnose", path).out)
            self.assertNotIn("\x1b", run("diagnose", path, "--color", "never").out)
            self.assertIn("\x1b[", run("diagnose", path, "--color", "always").out)
            self.assertIn("\x1b[", run("diagnose", path, "--color=always", env={"NO_COLOR": "1"}).out)
            self.assertNotIn("\x1b", run("diagnose", path, "-o", "json", "--color", "always").out)

    def on_terminal(self, path, **env):
        main, terminal = pty.openpty()
        child = subprocess.Popen([BIN, "diagnose", path], stdout=terminal, env={"TERM": "xterm", **env})
        os.close(terminal)
        out = b""
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:   # Linux says EIO when the last writer is gone
                break
            if not piece:
                break
            out += piece
        child.wait()
        os.close(main)
        return out

    def test_a_terminal_has_colour_unless_no_color(self):
        with folder(kernel__log=FAULT) as path:
            self.assertIn(b"\x1b[", self.on_terminal(path))
            self.assertNotIn(b"\x1b", self.on_terminal(path, NO_COLOR="1"))
            self.assertNotIn(b"\x1b", self.on_terminal(path, TERM="dumb"))


class Language(Test):
    def test_locale_and_option(self):
        with folder(kernel__log=FAULT) as path:
            english = run("diagnose", path).out
            korean = run("diagnose", path, "--lang", "ko").out
            self.assertTrue(korean.startswith("[장애] "), korean)
            self.assertEqual(run("diagnose", path, env={"LANG": "ko_KR.UTF-8"}).out, korean)
            self.assertEqual(run("diagnose", path, env={"LC_ALL": "C", "LANG": "ko_KR.UTF-8"}).out, english)
            self.assertEqual(run("diagnose", path, "--lang", "en", env={"LANG": "ko_KR.UTF-8"}).out, english)

    def test_json_has_both_in_any_locale(self):
        with folder(kernel__log=FAULT) as path:
            self.assertEqual(run("diagnose", path, "-o", "json").out, run("diagnose", path, "-o", "json", "--lang", "ko").out)


class Explain(Test):
    def test_code_name_and_line(self):
        for words in (["Xid", "79"], ["xid.79"], [XID79.strip()]):
            result = run("explain", *words)
            self.expect_exit(result, 0)
            self.assertIn("xid.79", result.out)
        self.assertRegex(run("explain", "Xid", "79", "--lang", "ko").out, "[가-힣]")

    def test_no_placeholder_is_left(self):
        for words in (["Xid", "79"], ["gpu.fallen_off_bus"], ["Xid", "79", "-o", "json"]):
            self.assertNotRegex(run("explain", *words).out, r"\{(device|vm|node)\}")

    def test_unknown(self):
        result = run("explain", "frobnication")
        self.expect_exit(result, 2)
        self.assertEqual(result.out, "")
        self.assertIn("frobnication", result.err)

    def test_json(self):
        answer = run("explain", "Xid", "79", "-o", "json").json()
        self.assertEqual(answer["schema"], "gpumedic.explanation/v1")
        first = answer["answers"][0]["explanations"][0]
        self.assertEqual((answer["answers"][0]["query"], first["id"], first["kind"]), ("Xid 79", "xid.79", "signal"))
        self.assertEqual(run("explain", "frobnication", "-o", "json").json()["answers"][0]["explanations"], [])

    def test_json_lines_answer_each_line(self):
        result = run("explain", "-", "-o", "jsonl", stdin=b"hello\n" + XID79.encode() + b"\n\xff")
        self.expect_exit(result, 0)
        rows = [json.loads(line) for line in result.out.splitlines()]
        self.assertEqual([r["signal"] for r in rows], [None, "xid.79", None, None])
        self.assertEqual(rows[0], {"line": "hello", "signal": None, "fields": {}})
        self.assertIn("c4:00", rows[1]["fields"].get("pci", ""))

    def test_text_of_a_stream_says_each_thing_once(self):
        out = run("explain", "-", stdin=XID79 * 3).out
        self.assertEqual(len(re.findall(r"^signal xid\.79", out, re.M)), 1)

    def test_lines_are_answered_as_they_come(self):
        child = subprocess.Popen([BIN, "explain", "-", "-o", "jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdin.write(XID79.encode())
        child.stdin.flush()
        self.assertEqual(json.loads(child.stdout.readline())["signal"], "xid.79")
        child.stdin.close()
        self.assertEqual(child.wait(), 0)
        child.stdout.close()


SITE_SIGNAL = """family: site
source: our data centre
signals:
  - id: site.cooling_door
    in: [text]
    pattern: 'door open at rack (?P<rack>\\w+)'
    severity: info
    title: {en: A rack door is open, ko: 랙 문이 열림}
    meaning: {en: Somebody works there., ko: 작업 중입니다.}
    examples:
      match: [{line: 'door open at rack b12', gives: {rack: b12}}]
      no_match: [{line: 'door closed at rack b12'}]
"""


class Catalogue(Test):
    CLASS = "classes:\n  - {id: site_fault, meaning: {en: a fault of this site, ko: 이 사이트의 장애}}\n"

    def test_list_show_patterns(self):
        listed = run("catalog", "list", "-o", "json").json()
        self.assertEqual({e["kind"] for e in listed["entries"]}, {"signal", "fault", "class", "action", "check", "table"})
        self.assertRegex(run("catalog", "list", "signals").out, r"(?m)^signal +xid\.79 ")
        self.assertIn("cold_reboot", run("catalog", "show", "cold_reboot").out)
        missing = run("catalog", "show", "cold_rebot")
        self.expect_exit(missing, 2)
        self.assertIn("did you mean 'cold_reboot'?", missing.err)
        patterns = run("catalog", "patterns").out.splitlines()
        self.assertGreater(len(patterns), 10)
        self.assertTrue(any("Xid" in p for p in patterns))

    def test_every_definition_can_be_shown(self):
        entries = run("catalog", "list", "-o", "json").json()["entries"]
        for entry in entries[:: max(1, len(entries) // 25)]:
            self.expect_exit(run("catalog", "show", entry["id"], "-o", "json"), 0)

    def test_lint(self):
        self.expect_exit(run("catalog", "lint"), 0)
        with folder() as path:
            (path / "classes").mkdir()
            (path / "classes/site.yaml").write_text(self.CLASS, encoding="utf-8")
            self.expect_exit(run("catalog", "lint", path), 0)
            self.assertIn("site_fault", run("catalog", "list", "classes", "--catalog", path).out)

    def test_a_sites_own_entries(self):
        with folder() as path:
            (path / "signals").mkdir()
            (path / "signals/site.yaml").write_text(SITE_SIGNAL, encoding="utf-8")
            held = run("catalog", "test", path)
            self.expect_exit(held, 0)
            self.assertIn("site.cooling_door: 1 of 1 lines match", held.out)
            (path / "signals/site.yaml").write_text(SITE_SIGNAL.replace("line: 'door open", "line: 'door ajar"), encoding="utf-8")
            broken = run("catalog", "test", path)
            self.expect_exit(broken, 78)
            self.assertIn("CAT-080", broken.err)

    def test_overrides(self):
        with folder() as path:
            (path / "overrides").mkdir()
            (path / "overrides/site.yaml").write_text(
                "overrides:\n  - {fault: gpu.fallen_off_bus, severity: warning, strategy: observe, action: investigate,\n"
                "     why: {en: this site looks first, ko: 먼저 확인합니다}}\n", encoding="utf-8")
            line = b"NVRM: Xid (PCI:0000:a1:00): 79, GPU has fallen off the bus."
            incident = run("diagnose", "-", "--catalog", path, "-o", "json", stdin=line).json()["incidents"][0]
            self.assertEqual((incident["severity"], incident["strategy"], incident["action"]["class"]), ("warning", "observe", "investigate"))

    def test_coverage(self):
        covered = run("catalog", "coverage", "-o", "json").json()
        by_class = {row["class"]: row for row in covered["classes"]}
        self.assertGreater(by_class["gpu_fallen_off_bus"]["signals"], 10)
        self.assertTrue(all(row["faults"] > 0 for row in covered["classes"]))
        self.assertIn("gpu_fallen_off_bus", run("catalog", "coverage").out)

    def test_graph(self):
        dot = run("catalog", "graph", "nvlink.rx_detect_failed").out
        self.assertIn('"nvlink.rx_detect_failed" -> "pci.handover_reset_failed" [style=dashed];', dot)
        self.assertNotIn("iommu.group_not_viable", dot)
        for words in ([], ["--lang", "ko"]):
            picture = ElementTree.fromstring(run("catalog", "graph", "-o", "svg", *words).out)
            boxes = picture.findall("{http://www.w3.org/2000/svg}g")
            faults = [e for e in run("catalog", "list", "faults", "-o", "json").json()["entries"] if not e["id"].startswith("benign.")]
            self.assertGreaterEqual(len(boxes), len(faults) - 5)
        missing = run("catalog", "graph", "no.such")
        self.expect_exit(missing, 2)
        self.assertIn("no.such", missing.err)

    def test_a_bad_catalogue_is_told_whole(self):
        with folder() as path:
            (path / "classes").mkdir()
            (path / "classes/a.yaml").write_text("classes:\n  - {id: a, meening: {en: x, ko: 가}}\n", encoding="utf-8")
            (path / "classes/b.yaml").write_text("classes: [\n", encoding="utf-8")
            for words in (["catalog", "lint", path], ["diagnose", "-", "--catalog", path], ["explain", "79", "--catalog", path]):
                result = run(*words)
                self.expect_exit(result, 78)
                self.assertEqual(result.out, "")
                self.assertRegex(result.err, r"classes/a\.yaml:2:\d+: error CAT-\d+")
                self.assertRegex(result.err, r"classes/b\.yaml:\d+:\d+: error CAT-\d+")

    def test_a_missing_catalogue(self):
        result = run("diagnose", "-", "--catalog", "/no/such/catalogue")
        self.expect_exit(result, 78)
        self.assertIn("/no/such/catalogue", result.err)


class Manual(Test):
    def test_each_page_says_what_the_help_says(self):
        pages = run("manual", "--list").out.split()
        self.assertEqual(pages[0], "gpumedic")
        commands = [page.removeprefix("gpumedic-") for page in pages[1:]]
        overview = run("manual").out
        for command in commands:
            page = run("manual", command).out.replace("\\-", "-")
            help_text = run(*command.split("-"), "--help").out
            self.assertIn(f"gpumedic-{command}", overview.replace("\\-", "-"))
            self.assertIn(help_text.splitlines()[0].rstrip("."), page)
            for option in re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", help_text, re.M):
                self.assertIn(option, page, command)

    def test_roff_is_accepted(self):
        for page in run("manual", "--list").out.split():
            words = [] if page == "gpumedic" else [page.removeprefix("gpumedic-")]
            done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-z"], input=run("manual", *words).out.encode(), capture_output=True, check=False)
            self.assertEqual(done.stderr.decode(), "", page)

    def test_an_unknown_page(self):
        result = run("manual", "nonsense")
        self.expect_exit(result, 64)
        self.assertIn("manual --list", result.err)


class CompletionBash(Test):
    def test_parses_and_completes(self):
        script = run("completion", "bash").out
        subprocess.run(["bash", "-n"], input=script.encode(), check=True)
        ask = script + '\nCOMP_WORDS=(gpumedic "$@"); COMP_CWORD=$#; _gpumedic; echo "${COMPREPLY[@]}"'
        complete = lambda *words: subprocess.run(["bash", "-c", ask, "x", *words], capture_output=True, check=True).stdout.decode().split()
        self.assertEqual(complete("di"), ["diagnose"])
        self.assertEqual(complete("catalog", "l"), ["list", "lint"])
        self.assertEqual(complete("diagnose", "--si"), ["--since"])
        self.assertEqual(complete("explain", "-o", "j"), ["json", "jsonl"])
        self.assertEqual(complete("completion", ""), ["bash", "zsh", "fish"])
        with folder(kernel__log=FAULT) as path:
            self.assertEqual(complete("diagnose", f"{path}/ker"), [f"{path}/kernel.log"])


def parses_in(shell):
    class Completion(Test):
        @unittest.skipUnless(shutil.which(shell), f"{shell} is not installed")
        def test_parses(self):
            done = subprocess.run([shell, "-n"], input=run("completion", shell).out.encode(), capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
    return Completion


CompletionZsh = parses_in("zsh")
CompletionFish = parses_in("fish")

if __name__ == "__main__":
    main(globals())
