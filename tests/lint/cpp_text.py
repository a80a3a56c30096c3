"""C++ as far as the checks need it: text without comments and literals, and where functions begin and end."""
import re

TOKEN = re.compile(
    r"""(?P<line_comment>//(?:\\\n|[^\n])*)
      | (?P<block_comment>/\*.*?\*/)
      | (?P<raw>\b(?:u8|u|U|L)?R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)")
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<digits>\b\d[\w.]*(?:'\w+)*)
      | (?P<char>'(?:\\.|[^'\\\n])+')
      | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)""",
    re.X | re.S | re.M,
)
CONTAINER = re.compile(r"\b(?:namespace|class|struct|union|enum)\b")


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def strip(text, keep_directives=False):
    """The same text, offsets and lines kept, with comments and the insides of literals blank (and directives, unless kept)."""

    def replace(match):
        kind = match.lastgroup if match.lastgroup != "tag" else "raw"
        token = match.group(0)
        if kind == "digits" or (kind == "directive" and keep_directives):
            return token
        if kind in ("string", "char"):
            return token[0] + _blank(token[1:-1]) + token[-1]
        if kind == "raw":
            return '"' + _blank(token[1:-1]) + '"'
        return _blank(token)

    return TOKEN.sub(replace, text)


def matching(text, opening):
    """The offset of the bracket that closes the one at `opening`, or the end of the text."""
    pairs = {"{": "}", "(": ")", "<": ">"}
    start, end = text[opening], pairs[text[opening]]
    depth = 0
    for offset in range(opening, len(text)):
        depth += (text[offset] == start) - (text[offset] == end)
        if depth == 0:
            return offset
    return len(text)


def _without_templates(head):
    head = head.strip()
    while head.startswith("template"):
        opening = head.find("<")
        if opening < 0:
            return head
        head = head[matching(head, opening) + 1:].strip()
    return re.sub(r"\[\[.*?\]\]", "", head).strip()


def _outside_brackets(text):
    """The text with everything inside (), [] and {} taken out."""
    kept, depth = [], 0
    for char in text:
        depth -= char in ")]}"
        if depth <= 0:
            kept.append(char)
        depth += char in "([{"
    return "".join(kept)


def _opens(head):
    """What a brace after this head opens, at namespace or class level: function, container, or value (an initialiser)."""
    head = _without_templates(head)
    outside = _outside_brackets(re.sub(r"\boperator\s*[^\w\s(]+", "operator_", head))
    assigned = re.search(r"(?<![=!<>])=(?!=)", outside)
    if assigned:
        return "function" if re.match(r"\s*\[", outside[assigned.end():]) and "(" in head else "value"
    if CONTAINER.search(outside.split("(")[0]) and not re.search(r"\)\s*(const|noexcept|override|final|->.*)?\s*$", head):
        return "container"
    if re.match(r'extern\s*"', head):
        return "container"
    if "(" not in head:
        return "value"
    if re.search(r"\)\s*(noexcept\b(\(.*\))?\s*)?:(?!:)", head, re.S) and re.search(r"[\w>]\s*$", head):
        return "value"   # a member in a constructor's list: name{...}
    return "function"


def functions(text):
    """(name, offset of the first character, offset of the closing brace) of every function body outside other functions."""
    code = strip(text)
    found = []
    start = offset = 0
    while offset < len(code):
        char = code[offset]
        if char in ";}" or (char == ":" and re.search(r"\b(public|private|protected)\s*$", code[start:offset])):
            start = offset + 1
        elif char == "(":
            offset = matching(code, offset)
        elif char == "{":
            kind = _opens(code[start:offset])
            if kind == "container":
                start = offset + 1
            else:
                end = matching(code, offset)
                if kind == "function":
                    head = code[start:offset]
                    first = start + len(head) - len(head.lstrip())
                    found.append((_name(head), first, end))
                    start = end + 1
                offset = end
        offset += 1
    return found


def _name(head):
    """The word before the first parameter list; for TEST(A, B) the whole of it."""
    head = _without_templates(head)
    test = re.match(r"\w*TEST\w*\s*\(([^)]*)\)", head)
    if test:
        return " ".join(test.group(0).split())
    match = re.search(r"([~\w:]+|operator\s*\S+?)\s*\(", head)
    return match.group(1) if match else head[:40]
