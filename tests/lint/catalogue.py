"""The catalogue beyond its form (which the catalogue compiler checks): two languages, a source, examples, and a case per fault."""
import re

import yaml

from finding import Finding, read

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
HANGUL = re.compile(r"[\uac00-\ud7a3]")


def load(path):
    """(value, None) or (None, finding)."""
    try:
        return yaml.load(read(path), Loader=LOADER), None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return None, Finding(path, mark.line + 1 if mark else 1, "yaml", str(error).splitlines()[0])


def line_of_id(path, name):
    """Where an entry of this id begins; 1 when it is not found."""
    match = re.search(r"^.*\bid:\s*['\"]?" + re.escape(str(name)) + r"['\"]?\s*(?:$|[,#}])", read(path), re.M)
    return read(path).count("\n", 0, match.start()) + 1 if match else 1


def _bilingual(value, where):
    """(place, what is wrong) for each text below `value` that lacks a language."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _bilingual(item, f"{where}[{index}]")
    elif isinstance(value, dict) and ("en" in value or "ko" in value):
        for language in ("en", "ko"):
            if not isinstance(value.get(language), str) or not value[language].strip():
                yield where, f"has no {language} text"
        if isinstance(value.get("ko"), str) and not HANGUL.search(value["ko"]):
            yield where, "its ko text holds no Hangul"
        if isinstance(value.get("en"), str) and HANGUL.search(value["en"]):
            yield where, "its en text holds Hangul"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _bilingual(item, f"{where}.{key}")


def _needs_text(entry, *keys):
    for key in keys:
        if not isinstance(entry.get(key), dict):
            yield key, "is missing, or is not {en, ko}"


def _entry(path, kind, entry, problems):
    name = entry.get("id", "?")
    for where, what in problems:
        yield Finding(path, line_of_id(path, name), kind, f"{name}: {where} {what}")


def _signal_problems(entry, default_source):
    yield from _needs_text(entry, "title", "meaning")
    yield from _bilingual(entry, "")
    if not (entry.get("source") or default_source):
        yield "source", "is missing: where does the fact come from?"
    examples = entry.get("examples") or {}
    for key, what in (("match", "an example that must match"), ("no_match", "a near miss that must not match")):
        if not examples.get(key):
            yield f"examples.{key}", f"is missing: {what}"


def check_signals(root):
    seen = {}
    for path in sorted((root / "catalog/signals").glob("*.yaml")):
        value, bad = load(path)
        if bad:
            yield bad
            continue
        for entry in (value or {}).get("signals") or []:
            yield from _entry(path, "signal", entry, _signal_problems(entry, value.get("source")))
            if entry.get("id") in seen:
                yield Finding(path, line_of_id(path, entry["id"]), "signal", f"{entry['id']} stands in {seen[entry['id']].name} too")
            seen[entry.get("id")] = path


def cases_of(root):
    """fault id -> case folders whose truth names it, and findings of cases that cannot be read."""
    found, bad = {}, []
    for path in sorted((root / "tests/cases").glob("*/case.yaml")):
        value, problem = load(path)
        if problem:
            bad.append(problem)
            continue
        truth = (value or {}).get("truth") or {}
        for fault in [truth.get("fault"), *(truth.get("faults") or [])]:
            if fault:
                found.setdefault(fault, []).append(path)
    return found, bad


def check_faults(root):
    cases, bad = cases_of(root)
    yield from bad
    seen = set()
    for path in sorted((root / "catalog/faults").glob("*.yaml")):
        entry, problem = load(path)
        if problem:
            yield problem
            continue
        entry = entry or {}
        problems = [*_needs_text(entry, "title", "cause"), *_bilingual(entry, "")]
        if not entry.get("source"):
            problems.append(("source", "is missing: where does the fact come from?"))
        if entry.get("id") not in cases:
            problems.append(("case", "is missing: no tests/cases/*/case.yaml names it in truth.fault or truth.faults"))
        yield from _entry(path, "fault", entry, problems)
        seen.add(entry.get("id"))
    for fault in sorted(set(cases) - seen):
        yield Finding(cases[fault][0], 1, "case", f"truth names the fault '{fault}', which the catalogue does not have")


def _others(root):
    """(path, kind, entry) of actions, checks and classes; a file holds one entry or a list under the folder's name."""
    for folder in ("actions", "checks", "classes"):
        for path in sorted((root / "catalog" / folder).glob("*.yaml")):
            value, problem = load(path)
            if problem:
                yield path, problem, None
                continue
            value = value or {}
            for entry in value.get(folder) or [value]:
                yield path, folder, {"source": value.get("source"), **entry}


def check_others(root):
    for path, kind, entry in _others(root):
        if entry is None:
            yield kind
            continue
        needed = ("meaning",) if kind == "classes" else ("title",)
        problems = [*_needs_text(entry, *needed), *_bilingual(entry, "")]
        if kind != "classes" and not entry.get("source"):
            problems.append(("source", "is missing: where does the fact come from?"))
        yield from _entry(path, kind.removesuffix("s"), entry, problems)


def check(root):
    yield from check_signals(root)
    yield from check_faults(root)
    yield from check_others(root)
