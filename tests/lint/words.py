"""Text files: no trailing white space, a line end at the end, and no word that only means something on one machine."""
import re
import subprocess

from finding import Finding, read

SUFFIXES = {".cpp", ".h", ".md", ".yaml", ".py", ".sh", ".txt", ".cmake", ".json", ".html", ""}
# Evidence, goldens and seeds keep what tools print, trailing blanks included.
VERBATIM = ("tests/cases/", "tests/golden/", "tests/fuzz/seeds/", "examples/")
# Written in pieces, so that this file does not find itself.
MACHINE = re.compile(
    "|".join([r"(?<![\w.>)}])/wo" + r"rk/", r"\.\./sha" + r"red\b", r"\bdeb\." + r"debian\.org", r"\bsnapshot\." + r"debian\.org",
              r"\bpypi\." + r"org", r"\bpythonhosted\." + r"org", r"\bregistry\." + r"npmjs\.org", r"\bstatic\.crates\." + r"io",
              r"\bindex\.crates\." + r"io", r"\bproxy\.golang\." + r"org", r"\brepo\.maven\." + r"apache"]))


def files(root):
    """What git would commit; without git, everything outside build folders and caches."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, check=False)
    if listed.returncode == 0:
        return sorted(path for path in (root / name for name in listed.stdout.decode().split("\0") if name) if path.is_file())
    return sorted(path for path in root.rglob("*") if path.is_file() and not {"build", ".git", "__pycache__"} & set(path.parts))


def _machine(path, text):
    for match in MACHINE.finditer(text):
        yield Finding(path, text.count("\n", 0, match.start()) + 1, "machine-word", f"'{match.group(0)}' is a place of one machine")


def check(root):
    for path in files(root):
        name = path.relative_to(root).as_posix()
        if path.suffix not in SUFFIXES or name == "LICENSE" or b"\0" in path.read_bytes()[:4096]:
            continue
        text = read(path)
        yield from _machine(path, text)
        if name.startswith(VERBATIM) and path.suffix != ".yaml" and path.suffix != ".md":
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if line != line.rstrip():
                yield Finding(path, number, "white-space", "blanks at the line's end")
        if text and not text.endswith("\n"):
            yield Finding(path, len(text.splitlines()), "white-space", "no line end at the end of the file")
