"""Names and calls that the house does without. `// lint: allow(RULE): why` on the line excuses one."""
import re

from cpp_text import matching, strip
from finding import Finding, allowed, cpp_files, line_of, read

VAGUE = {"util", "utils", "misc", "common", "manager", "managers", "helper", "helpers"}
NAMED = re.compile(r"\b(?:class|struct|namespace)\s+(\w*(?:util|misc|common|manager|helper)\w*)", re.I)
WORD_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

CODE_RULES = [
    ("std-regex", re.compile(r"\bstd::(?:basic_)?regex\b"), "std::regex is slow and overflows the stack: codec::Pattern"),
    ("number", re.compile(r"\b(?:ato[ilf]|atoll|sto(?:i|l|ll|ul|ull|f|d|ld)|strto(?:l|ll|ul|ull|d|f))\s*\("),
     "numbers are parsed with std::from_chars"),
    ("c-string", re.compile(r"\b(?:v?sprintf|strcpy|strcat|gets)\s*\("), "unbounded C strings"),
    ("process", re.compile(r"(?<![\w.>:])(?:std::)?(?:system|popen)\s*\("), "no shell"),
    ("thread", re.compile(r"\.\s*detach\s*\(\s*\)|\bsleep_for\b|\bsleep_until\b"), "no detached thread, no sleeping: stop token and event"),
    ("raw-new", re.compile(r"(?<![\w.])new\s+(?:\(|[\w:]+\s*[({\[<;])"), "std::make_unique, or a value"),
    ("raw-delete", re.compile(r"(?<![\w.])delete(?:\s*\[\s*\])?\s+[\w*(]"), "owners delete by themselves"),
    ("throw", re.compile(r"\bthrow\b"), "errors are base::Result"),
]
HEADER_RULES = [
    ("using-namespace", re.compile(r"\busing\s+namespace\b"), "it reaches every includer"),
    ("bool-parameter", re.compile(r"[(,]\s*(?:const\s+)?bool\s+(?!value\b)\w+\s*(?:=\s*(?:true|false)\s*)?(?=[,)])"),
     "a two-value enum says at the call what it means"),
]
CATCH = re.compile(r"\bcatch\s*\(([^)]*)\)\s*\{")
CATCH_HOMES = ("src/codec", "src/adapters", "apps")   # where library exceptions end


def _names(root):
    for top in ("src", "apps", "tests", "bench", "cmake"):
        for path in sorted((root / top).rglob("*")):
            if "cases" in path.parts or "seeds" in path.parts:
                continue
            vague = VAGUE & set(re.split(r"[_.\-]", path.name.lower()))
            if vague:
                yield Finding(path, 1, "vague-name", f"'{vague.pop()}' says nothing: what does it hold?")


def _classes(path, text, code, lines):
    for match in NAMED.finditer(code):
        parts = {part.lower() for part in WORD_PARTS.findall(match.group(1))}
        line = line_of(text, match.start())
        if parts & VAGUE and not allowed(lines, line, "vague-name"):
            yield Finding(path, line, "vague-name", f"{match.group(1)}: what does it do?")


def _catches(root, path, text, code, lines):
    home = any(path.is_relative_to(root / folder) for folder in CATCH_HOMES)
    for match in CATCH.finditer(code):
        line = line_of(text, match.start())
        body = code[match.end():matching(code, match.end() - 1)]
        if match.group(1).strip() == "..." and not body.strip() and not allowed(lines, line, "catch-all"):
            yield Finding(path, line, "catch-all", "catch (...) without action hides what happened")
        if not home and not path.name.endswith("_test.cpp") and not allowed(lines, line, "catch"):
            yield Finding(path, line, "catch", "library exceptions end in codec, an adapter or an app")


def check(root):
    yield from _names(root)
    for path in cpp_files(root, "src", "apps", "bench", "tests"):
        text = read(path)
        code = strip(text)
        lines = text.splitlines()
        for rule, pattern, why in CODE_RULES + (HEADER_RULES if path.suffix == ".h" else []):
            for match in pattern.finditer(code):
                line = line_of(text, match.start() + len(match.group(0)) - len(match.group(0).lstrip()))
                if not allowed(lines, line, rule):
                    yield Finding(path, line, rule, f"{' '.join(match.group(0).split())}: {why}")
        yield from _classes(path, text, code, lines)
        yield from _catches(root, path, text, code, lines)
