"""A test that cannot fail is a defect: every TEST asserts something, itself or by a function called expect_, assert_ or check_."""
import re

from cpp_text import functions, strip
from finding import Finding, allowed, cpp_files, line_of, read

ASSERTS = re.compile(r"\b(?:EXPECT_\w+|ASSERT_\w+|FAIL|ADD_FAILURE\w*|GTEST_FAIL)\s*\(|\b(?:expect|assert|check)_\w+\s*(?:<[^;()]*>)?\s*\(")
EMPTY = re.compile(r"\b(?:EXPECT|ASSERT)_(?:TRUE\s*\(\s*true|FALSE\s*\(\s*false)\s*\)")
TEST = re.compile(r"(?:TYPED_)?TEST(?:_[FP])?\s*\(")


def check(root):
    for path in cpp_files(root, "src", "apps", "tests"):
        text = read(path)
        if "TEST" not in text:
            continue
        code = strip(text)
        lines = text.splitlines()
        for name, start, end in functions(text):
            if not TEST.match(name):
                continue
            line = line_of(text, start)
            body = code[start:end]
            if not ASSERTS.search(EMPTY.sub("", body)) and not allowed(lines, line, "assertion"):
                yield Finding(path, line, "assertion", f"{name} asserts nothing")
