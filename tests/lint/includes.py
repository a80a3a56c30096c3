"""Includes follow the DEPS that CMake was told, third-party headers stay in their folder, and folders form no cycle."""
import re

from cpp_text import strip
from finding import Finding, allowed, cpp_files, line_of, read

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"\n]+)[>"]', re.M)
ADD_MODULE = re.compile(r"add_module\s*\(\s*(\S+)([^)]*)\)")
KEYWORDS = ("LAYER", "DEPS", "THIRD_PARTY", "TEST_DEPS")
# The only folder that may include a library's headers (tests apart); each has an ADR.
THIRD_PARTY = {"yaml-cpp/": "src/codec", "nlohmann/": "src/codec", "re2/": "src/codec", "CLI/": "apps/gpumedic",
               "curl/": "src/adapters/http"}


def modules(root):
    """name -> {"DEPS": [...], "TEST_DEPS": [...]} of every add_module below src."""
    found = {}
    for path in sorted((root / "src").rglob("CMakeLists.txt")):
        text = re.sub(r"#.*", "", read(path))
        for name, rest in ADD_MODULE.findall(text):
            parts = {key: [] for key in KEYWORDS}
            key = None
            for word in rest.split():
                if word in KEYWORDS:
                    key = word
                elif key:
                    parts[key].append(word)
            found[name] = parts
    return found


def app_links(folder, known):
    """Modules that an app's CMakeLists.txt links: words of the form gpumedic_<module>."""
    text = read(folder / "CMakeLists.txt") if (folder / "CMakeLists.txt").is_file() else ""
    words = set(re.findall(r"\bgpumedic_(\w+)", text))
    return {name for name in known if name.replace("/", "_") in words}


def _includes(path):
    text = read(path)
    lines = text.splitlines()
    # A stripped text keeps offsets, so an include that stands in a comment is known by its blanks.
    code = strip(text, keep_directives=True)
    for match in INCLUDE.finditer(text):
        if code[match.start():match.end()].strip():
            yield line_of(text, match.start(2)), match.group(1), match.group(2), lines


def _third_party(root, path, line, target):
    for prefix, home in THIRD_PARTY.items():
        if target.startswith(prefix) and not path.is_relative_to(root / home) and not path.name.endswith("_test.cpp"):
            yield Finding(path, line, "third-party", f"<{target}> is included in {home} only")


def _check_own(root, path, allowed_modules, known, own):
    for line, _, target, lines in _includes(path):
        yield from _third_party(root, path, line, target)
        module = target.rpartition("/")[0]
        if module not in known or module == own or allowed(lines, line, "include"):
            continue
        if module not in allowed_modules:
            yield Finding(path, line, "include", f'"{target}": {module} is not among the DEPS of {own}')


def _check_apps(root, known):
    for path in cpp_files(root, "apps"):
        folder = root / "apps" / path.relative_to(root / "apps").parts[0]
        links = app_links(folder, known)
        reach = links | {dep for name in links for dep in _closure(name, known)}
        own = f"apps/{folder.name}"
        yield from _check_own(root, path, reach, known, own)
        for line, _, target, _ in _includes(path):
            if target.startswith("adapters/") and not path.name.startswith("wiring") and not path.name.endswith("_test.cpp"):
                yield Finding(path, line, "wiring", f'"{target}": only wiring.cpp names a concrete adapter')


def _closure(name, known):
    seen, todo = set(), [name]
    while todo:
        for dep in known.get(todo.pop(), {"DEPS": []})["DEPS"]:
            if dep not in seen:
                seen.add(dep)
                todo.append(dep)
    return seen


def cycles(edges):
    """Pairs of modules that reach each other."""
    def reach(start):
        seen, todo = set(), [start]
        while todo:
            for after in edges.get(todo.pop(), ()):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        return seen

    reached = {name: reach(name) for name in edges}
    return sorted((a, b) for a in reached for b in reached[a] if a < b and a in reached.get(b, ()))


def check(root):
    known = modules(root)
    edges = {name: set() for name in known}
    for path in cpp_files(root, "src"):
        own = path.parent.relative_to(root / "src").as_posix()
        if own not in known:
            yield Finding(path, 1, "module", f"src/{own} has no add_module line of its name")
            continue
        deps = set(known[own]["DEPS"])
        if path.name.endswith(("_test.cpp", "_fuzz.cpp")):
            deps |= set(known[own]["TEST_DEPS"])
        else:
            edges[own] |= {t.rpartition("/")[0] for _, _, t, _ in _includes(path)} & set(known) - {own}
        yield from _check_own(root, path, deps, known, own)
    for first, second in cycles(edges):
        yield Finding(root / "src", 1, "cycle", f"{first} and {second} include each other, directly or through others")
    yield from _check_apps(root, known)
