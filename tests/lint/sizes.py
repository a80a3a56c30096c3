"""A file has at most 400 lines, a function at most 60 (from its first line to its closing brace)."""
from cpp_text import functions
from finding import Finding, cpp_files, line_of, read

FILE_LINES = 400
FUNCTION_LINES = 60


def check(root):
    for path in cpp_files(root, "src", "apps"):
        text = read(path)
        count = len(text.splitlines())
        if count > FILE_LINES:
            yield Finding(path, 1, "file-size", f"{count} lines; at most {FILE_LINES}: split it by reason to change")
        for name, start, end in functions(text):
            length = line_of(text, end) - line_of(text, start) + 1
            if length > FUNCTION_LINES:
                yield Finding(path, line_of(text, start), "function-size",
                              f"{name} has {length} lines; at most {FUNCTION_LINES}")
