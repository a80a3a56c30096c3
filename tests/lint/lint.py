"""All house checks over one tree: lint.py [--root DIR] [CHECK...]. Exit 0 nothing found, 1 findings, 64 usage."""
import argparse
import pathlib
import sys

import assertions
import banned
import catalogue
import folders
import includes
import korean
import sizes
import words

CHECKS = {module.__name__: module.check for module in (sizes, includes, banned, folders, assertions, words, catalogue, korean)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=" ".join(CHECKS))
    arguments = parser.parse_args()
    unknown = set(arguments.checks) - set(CHECKS)
    if unknown:
        print(f"lint: no such check: {' '.join(sorted(unknown))}; there are: {' '.join(CHECKS)}", file=sys.stderr)
        return 64
    root = arguments.root.resolve()
    findings = [finding for name in arguments.checks or CHECKS for finding in CHECKS[name](root)]
    for finding in findings:
        print(finding.render(root))
    print(f"lint: {len(findings)} finding(s)", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    sys.exit(main())
