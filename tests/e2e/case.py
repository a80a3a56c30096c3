"""What all end-to-end tests share: assertions about an answer, and the start of one class of tests."""
import json
import re
import sys
import unittest

import jsonschema
from program import ANSWERS, SOURCE, run

SCHEMAS = {name: json.loads((SOURCE / f"docs/schemas/{name}.schema.json").read_text(encoding="utf-8")) for name in ("diagnosis", "verification")}
SCHEMA = SCHEMAS["diagnosis"]
VALIDATORS = {name: jsonschema.Draft202012Validator(schema) for name, schema in SCHEMAS.items()}
VALIDATOR = VALIDATORS["diagnosis"]
ESCAPES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")


class Test(unittest.TestCase):
    maxDiff = None

    def expect_exit(self, result, *codes):
        self.assertIn(result.code, codes, result.err + result.out[:2000])

    def expect_valid(self, answer, schema="diagnosis"):
        errors = [f"{'/'.join(map(str, e.path))}: {e.message}" for e in VALIDATORS[schema].iter_errors(answer)]
        self.assertEqual(errors, [])

    def answer(self, *words, **more):
        result = run("diagnose", *words, "-o", "json", **more)
        self.expect_exit(result, *ANSWERS)
        answer = result.json()
        self.expect_valid(answer)
        self.assertEqual({"healthy": 0, "fault": 1, "inconclusive": 2}[answer["verdict"]], result.code)
        return answer


def main(classes):
    """Runs the class that the command line names. Exit 77 when a test of it cannot run here."""
    if len(sys.argv) != 2 or sys.argv[1] not in classes:
        sys.exit(f"usage: {sys.argv[0]} CLASS")
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(classes[sys.argv[1]])
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    if result.testsRun == 0 or not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.skipped else 0)
