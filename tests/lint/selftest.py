"""Each check on bad samples that it must find and good ones that it must leave alone: python3 selftest.py [-v] [CLASS...]."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import assertions
import banned
import catalogue
import cpp_text
import folders
import includes
import korean
import sizes
import words


class Tree(unittest.TestCase):
    """A temporary project root."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = pathlib.Path(self._folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def rules(self, check):
        return [finding.rule for finding in check(self.root)]

    def assert_finds(self, check, rule, name, text):
        self.write(name, text)
        self.assertIn(rule, self.rules(check), text)

    def assert_clean(self, check, name, text):
        self.write(name, text)
        self.assertEqual([], self.rules(check), text)


class Functions(unittest.TestCase):
    """The measurer behind function-size and assertion."""

    def names(self, text):
        return [name for name, _, _ in cpp_text.functions(text)]

    def test_finds_functions_of_every_form(self):
        text = """
            #include <a>
            namespace a::b { namespace {
            constexpr std::array kTable{ Row{1, f(2)}, Row{3, f(4)} };
            const std::map<int, int> kMap = {{1, 2}};
            struct S : Base<int> { int x{3}; std::string y = "{"; S() : x{1}, y("}") { run(); } ~S() {} int get() const noexcept { return x; } };
            enum class E : int { a, b };
            template <class T = int> auto first(T t) -> decltype(t) { if (t) { return t; } return t; }
            bool operator==(const S& l, const S& r) { return l.x == r.x; }
            const auto lambda = [](int i) { return i; };
            } }
            int main() { const char* s = R"x( } { )x"; return 1'000 > '}'; }
            TEST(Suite, name) { EXPECT_TRUE(f()); }
        """
        self.assertEqual(["S", "~S", "get", "first", "operator==", "lambda", "main", "TEST(Suite, name)"],
                         [name if name != "const auto lambda = []" and "lambda" not in name else "lambda"
                          for name in self.names(text)])

    def test_comments_and_strings_hide_braces(self):
        self.assertEqual(["f", "g"], self.names('void f() { /* } */ g("}"); // }\n }\nvoid g() {}\n'))

    def test_length_counts_from_the_first_line_to_the_brace(self):
        text = "int a;\n\nstatic int f(int x,\n             int y) {\n  return 1;\n}\n"
        (_, start, end), = cpp_text.functions(text)
        self.assertEqual((3, 6), (text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1))


class Sizes(Tree):
    def test_bad(self):
        self.assert_finds(sizes.check, "file-size", "src/a/long.cpp", "// x\n" * 401)
        self.assert_finds(sizes.check, "function-size", "apps/a/f.cpp", "void f() {\n" + "g();\n" * 59 + "}\n")

    def test_good(self):
        self.assert_clean(sizes.check, "src/a/ok.cpp", "// x\n" * 340 + "void f() {\n" + "g();\n" * 58 + "}\n")


class Includes(Tree):
    def setUp(self):
        super().setUp()
        self.write("src/base/CMakeLists.txt", "add_module(base LAYER 0)\n")
        self.write("src/codec/CMakeLists.txt", "add_module(codec LAYER 1 DEPS base)\n")
        self.write("src/model/CMakeLists.txt", "add_module(model LAYER 1 DEPS base TEST_DEPS codec)\n")

    def test_bad(self):
        self.assert_finds(includes.check, "include", "src/model/a.cpp", '#include "codec/x.h"\n')
        self.assert_finds(includes.check, "third-party", "src/model/c.h", "#include <yaml-cpp/yaml.h>\n")
        self.assert_finds(includes.check, "module", "src/stray/d.h", "\n")

    def test_cycle_needs_both_ways(self):
        self.write("src/model/a.h", '#include "base/b.h"\n')
        self.assertNotIn("cycle", self.rules(includes.check))
        self.assert_finds(includes.check, "cycle", "src/base/b.h", '#include "model/a.h"\n')

    def test_app(self):
        self.write("src/adapters/files/CMakeLists.txt", "add_module(adapters/files LAYER 3 DEPS base)\n")
        self.write("apps/x/CMakeLists.txt", "target_link_libraries(x PRIVATE gpumedic_adapters_files)\n")
        self.assert_clean(includes.check, "apps/x/wiring.cpp", '#include "adapters/files/a.h"\n#include "base/b.h"\n')
        self.assert_finds(includes.check, "wiring", "apps/x/main.cpp", '#include "adapters/files/a.h"\n')
        self.assert_finds(includes.check, "include", "apps/x/other.cpp", '#include "model/a.h"\n')

    def test_good(self):
        self.assert_clean(includes.check, "src/model/a.cpp", '#include "model/a.h"\n#include "base/x.h"\n// #include "codec/x.h"\n')
        self.assert_clean(includes.check, "src/model/a_test.cpp", '#include "codec/x.h"\n#include <gtest/gtest.h>\n')
        self.assert_clean(includes.check, "src/codec/y.cpp", "#include <yaml-cpp/yaml.h>\n")


class Banned(Tree):
    BAD = {
        "std-regex": "std::regex r;", "number": "int i = std::stoi(s);", "c-string": "sprintf(b, f);", "process": "system(c);",
        "thread": "worker.detach();", "raw-new": "auto* p = new Thing(1);", "raw-delete": "delete p;",
        "throw": "void f() { throw 1; }", "catch": "void f() { try { g(); } catch (const E& e) { h(); } }",
        "catch-all": "void f() { try { g(); } catch (...) { /* nothing */ } }",
        "vague-name": "class LinkManager {};",
    }

    def test_bad(self):
        for rule, code in self.BAD.items():
            self.assert_finds(banned.check, rule, "src/a/x.cpp", code + "\n")
            self.assertIn("src/a/x.cpp:1", [f"{f.path.relative_to(self.root)}:{f.line}" for f in banned.check(self.root)])

    def test_bad_headers_and_files(self):
        self.assert_finds(banned.check, "using-namespace", "src/a/x.h", "using namespace std;\n")
        self.assert_finds(banned.check, "bool-parameter", "src/a/y.h", "void f(int a, bool deep);\n")
        self.assert_finds(banned.check, "vague-name", "src/a/string_utils.cpp", "\n")

    def test_good(self):
        self.assert_clean(banned.check, "src/a/x.cpp", "\n".join([
            "// std::regex and new Thing() in a comment", 'const char* s = "std::stoi(new X())";', "Renewed renew(int n);",
            "A(const A&) = delete;", "throw_away();", "int file_system(int x);", "void f(bool b);  // no header",
            "struct Commonality {};", "auto* p = new Thing(1);  // lint: allow(raw-new): the library takes it over", ""]))
        self.assert_clean(banned.check, "src/codec/y.cpp", "void f() { try { g(); } catch (const E& e) { h(); } }\n")
        self.assert_clean(banned.check, "src/a/z.h", "void value(bool value);\nbool is_open() const;\nbool open_{false};\n")

    def test_an_excuse_needs_a_reason(self):
        self.assert_finds(banned.check, "raw-new", "src/a/x.cpp", "auto* p = new Thing(1);  // lint: allow(raw-new):\n")


class Folders(Tree):
    def test_bad(self):
        self.assert_finds(folders.check, "readme", "src/a/x.cpp", "\n")
        self.write("src/README.md", "Too little.\n")
        self.assertEqual({"README.md", "a"}, {finding.path.name for finding in folders.check(self.root)})

    def test_good(self):
        paragraph = "What this folder is, what it may not know of, and where to start reading it.\n"
        for name in ("src/README.md", "src/a/README.md", "tests/README.md", "tests/cases/README.md"):
            self.write(name, paragraph)
        self.assert_clean(folders.check, "tests/cases/some-case/case.yaml", "x: 1\n")


class Assertions(Tree):
    def test_bad(self):
        for body in ("run();", "// EXPECT_TRUE(x);", 'log("EXPECT_EQ(");', "EXPECT_TRUE(true);", "SUCCEED();"):
            for macro in ("TEST", "TEST_F", "TEST_P"):
                self.assert_finds(assertions.check, "assertion", "src/a/x_test.cpp", f"{macro}(Suite, name) {{ {body} }}\n")

    def test_good(self):
        for body in ("EXPECT_EQ(1, f());", "ASSERT_TRUE(x) << y;", "expect_same(a, b);", "if (x) ADD_FAILURE();"):
            self.assert_clean(assertions.check, "src/a/x_test.cpp", f"TEST(Suite, name) {{ {body} }}\nvoid f() {{ run(); }}\n")


class Words(Tree):
    def test_bad(self):
        self.assert_finds(words.check, "machine-word", "docs/a.md", "see /wo" + "rk/x\n")
        self.assert_finds(words.check, "machine-word", "a.sh", "get https://pypi." + "org/x\n")
        self.assert_finds(words.check, "white-space", "b.md", "text \n")
        self.assert_finds(words.check, "white-space", "c.md", "text")

    def test_good(self):
        self.assert_clean(words.check, "docs/a.md", "the network/work/folder, and /worker/\n\nshared memory\n")
        self.assert_clean(words.check, "tests/cases/a/kernel.log", "a line as printed \n")


SIGNALS = """
source: the driver's message list
signals:
  - id: xid
    title: {en: An Xid, ko: Xid 오류}
    meaning: {en: The driver reports., ko: 드라이버 보고.}
    codes: {79: {title: {en: lost, ko: 사라짐}}}
    examples: {match: [{line: a}], no_match: [{line: b}]}
"""
FAULT = """
id: gpu.lost
source: the driver's documentation
title: {en: 'GPU {device} is gone', ko: 'GPU {device} 사라짐'}
cause: {en: It left the bus., ko: 버스에서 사라졌습니다.}
chain: [{text: {en: step, ko: 단계}}]
"""
CASE = "truth: {fault: gpu.lost}\n"


class Catalogue(Tree):
    def setUp(self):
        super().setUp()
        self.write("catalog/signals/xid.yaml", SIGNALS)
        self.write("catalog/faults/gpu.lost.yaml", FAULT)
        self.write("tests/cases/lost/case.yaml", CASE)

    def test_good(self):
        self.assertEqual([], self.rules(catalogue.check))
        self.assert_clean(catalogue.check, "tests/cases/lost/case.yaml", "truth: {faults: [gpu.lost]}\n")

    def test_bad_signals(self):
        for before, after in (("ko: Xid 오류", "ko: an Xid"), (", ko: 사라짐", ""), ("An Xid", "오류"), ("no_match: [{line: b}]", ""),
                              ("match: [{line: a}], ", ""), ("source: the driver's message list", ""),
                              ("meaning: {en: The driver reports., ko: 드라이버 보고.}", "")):
            self.assertIn(before, SIGNALS)
            self.assert_finds(catalogue.check, "signal", "catalog/signals/xid.yaml", SIGNALS.replace(before, after))

    def test_bad_signal_twice(self):
        self.assert_finds(catalogue.check, "signal", "catalog/signals/xid_again.yaml", SIGNALS)

    def test_bad_faults(self):
        for before, after in ((", ko: 단계", ""), ("source: the driver's documentation", ""), ("id: gpu.lost", "id: gpu.unknown")):
            self.assertIn(before, FAULT)
            self.assert_finds(catalogue.check, "fault", "catalog/faults/gpu.lost.yaml", FAULT.replace(before, after))

    def test_bad_case(self):
        self.assert_finds(catalogue.check, "case", "tests/cases/other/case.yaml", "truth: {fault: no.such}\n")

    def test_bad_others_and_yaml(self):
        self.assert_finds(catalogue.check, "action", "catalog/actions/a.yaml", "id: a\ntitle: {en: A, ko: 가}\n")
        self.assert_finds(catalogue.check, "check", "catalog/checks/a.yaml", "checks: [{id: a, title: {en: A}, source: x}]\n")
        self.assert_finds(catalogue.check, "yaml", "catalog/classes/a.yaml", "classes: [\n")


class Korean(Tree):
    def pair(self, en, ko, key="cause"):
        return f"{key}: {{en: '{en}', ko: '{ko}'}}\n"

    def test_good(self):
        for en, ko in (("It stopped.", "GPU가 멈췄습니다. 노드를 cordon하십시오."), ("step", "GPU가 응답을 멈춤"), ("Xid 79 is it.", "Xid 79가 그것입니다."),
                                ("a", "NVLink를"), ("a", "Slurm이"), ("a", "NVML을, NVML로"), ("a", "VM으로, kubelet과"), ("a", "127을, 8로, 100으로"), ("a", "{device}의 오류"),
                                ("a", "UnheardOf이, UnheardOf가"), ("a", "0x62는"), ("a", "다른 장치")):
            self.assert_clean(korean.check, "catalog/faults/a.yaml", self.pair(en, ko))
        self.assert_clean(korean.check, "catalog/faults/a.yaml", self.pair("It is gone", "GPU 사라짐", "title"))

    def test_bad_style(self):
        for en, ko, key in (("It stopped.", "GPU가 멈췄다.", "cause"), ("It stopped", "GPU가 멈췄다", "cause"), ("It stopped.", "GPU가 멈췄습니다", "cause"),
                                     ("It stopped", "GPU가 멈췄습니다", "title"), ("Do it.", "노드를 drain 하십시오.", "do")):
            self.assert_finds(korean.check, "korean-style", "catalog/faults/a.yaml", self.pair(en, ko, key))

    def test_bad_particles(self):
        for text in ("GPU이", "NVLink을", "Slurm가", "NVML으로", "VM로", "Xid 79이", "127를", "10로", "{device}이(가)", "{vm}을", "{device}(으)로", "BMC과", "GPU이나", "VM나"):
            self.assert_finds(korean.check, "korean-particle", "catalog/faults/a.yaml", self.pair("a", text))

    def test_words_of_the_glossary(self):
        self.write("docs/glossary.md", "# G\n\n| load | 적재 |\n\n" + korean.UNWANTED + "\n\n| Not | But | Why |\n|---|---|---|\n| 에러 | 오류 | one |\n\n## More\n\n| 로드 | x | y |\n")
        self.assertEqual([("에러", "오류")], korean.unwanted(self.root))
        self.assert_finds(korean.check, "korean-word", "catalog/faults/a.yaml", self.pair("a", "에러 발생"))
        self.assert_clean(korean.check, "catalog/faults/a.yaml", self.pair("a", "오류, 로드, 적재"))


if __name__ == "__main__":
    unittest.main()
