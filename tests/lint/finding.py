"""What a check says: where, which rule, what is wrong. A check is a function of the project's root that yields findings."""
import dataclasses
import pathlib
import re

CPP = (".cpp", ".h")


@dataclasses.dataclass(frozen=True)
class Finding:
    path: pathlib.Path
    line: int
    rule: str
    text: str

    def render(self, root):
        path = self.path.relative_to(root) if self.path.is_relative_to(root) else self.path
        return f"{path}:{self.line}: [{self.rule}] {self.text}"


def cpp_files(root, *folders):
    """All C++ files below these folders of the root, sorted."""
    found = []
    for folder in folders:
        found += [path for path in (root / folder).rglob("*") if path.suffix in CPP and path.is_file()]
    return sorted(found)


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def allowed(lines, number, rule):
    """`// lint: allow(RULE): why` on the line or on the one above; without a reason it does not count."""
    pattern = re.compile(r"//\s*lint: allow\(" + re.escape(rule) + r"\):\s*\S")
    return any(pattern.search(lines[index]) for index in (number - 1, number - 2) if 0 <= index < len(lines))
