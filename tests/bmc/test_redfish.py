"""`gpumedic collect --only bmc/redfish` against a Redfish service on the loop back."""
import base64
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from certificates import Authority
from scripted_server import Answer, ScriptedServer, as_json

NODE = "mule-3"
LOG = "/redfish/v1/Systems/1/LogServices/SEL"


def link(path):
    return {"@odata.id": path}


def entry(number, message, severity="OK"):
    return {"@odata.type": "#LogEntry.v1_9_0.LogEntry", "@odata.id": f"{LOG}/Entries/{number}", "Id": str(number), "EntryType": "SEL",
            "Severity": severity, "Message": message, "Created": f"2026-03-01T0{number}:00:00Z"}


def tree():
    return {
        "/redfish/v1/": {"@odata.type": "#ServiceRoot.v1_15_0.ServiceRoot", "Systems": link("/redfish/v1/Systems"),
                         "Chassis": link("/redfish/v1/Chassis")},
        "/redfish/v1/Systems": {"Members": [link("/redfish/v1/Systems/1")]},
        "/redfish/v1/Systems/1": {"@odata.id": "/redfish/v1/Systems/1", "@odata.type": "#ComputerSystem.v1_20_0.ComputerSystem",
                                  "PowerState": "On", "LogServices": link("/redfish/v1/Systems/1/LogServices")},
        "/redfish/v1/Systems/1/LogServices": {"Members": [link(LOG)]},
        LOG: {"Entries": link(f"{LOG}/Entries")},
        f"{LOG}/Entries": {"@odata.id": f"{LOG}/Entries", "@odata.type": "#LogEntryCollection.LogEntryCollection",
                           "Members": [entry(1, "Power unit: AC lost"), entry(2, "Power unit: AC restored")]},
        "/redfish/v1/Chassis": {"Members": [link("/redfish/v1/Chassis/1")]},
        "/redfish/v1/Chassis/1": {"Thermal": link("/redfish/v1/Chassis/1/Thermal")},
        "/redfish/v1/Chassis/1/Thermal": {
            "@odata.id": "/redfish/v1/Chassis/1/Thermal", "@odata.type": "#Thermal.v1_7_0.Thermal",
            "Temperatures": [{"Name": "Inlet", "ReadingCelsius": 24, "Status": {"Health": "OK"}},
                             {"Name": "GPU 3 HBM", "ReadingCelsius": 104, "Status": {"Health": "Critical", "State": "Enabled"}}]},
    }


class Bmc(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)
        self.authority = Authority(self.folder / "ca", "bmc-ca")
        self.certificate, self.key = self.authority.issue("bmc", "/CN=bmc", "IP:127.0.0.1")
        self.tree = tree()

    def answer(self, path, _query, headers):
        if headers["Authorization"] != "Basic " + base64.b64encode(b"monitor:open sesame").decode():
            return as_json({"error": {"code": "Base.1.0.NoValidSession"}}, 401)
        found = self.tree.get(path)
        return found if isinstance(found, Answer) else as_json(found) if found else as_json({}, 404)

    def collect(self, password="open sesame", script=None, trusted=True, config=None):
        server = ScriptedServer(script or self.answer, certificate=self.certificate, key=self.key)
        self.addCleanup(server.close)
        (self.folder / "password").write_text(password + "\n", encoding="utf-8")
        (self.folder / "password").chmod(0o600)
        lines = config or f"server: {server.url}\nuser: monitor\npassword_file: password\n"
        if trusted:
            lines += f"ca_file: {self.authority.certificate}\n"
        (self.folder / "bmc.yaml").write_text(lines, encoding="utf-8")
        self.bundle = self.folder / f"bundle-{time.monotonic_ns()}"
        done = subprocess.run([os.environ["GPUMEDIC_BIN"], "collect", "--only", "bmc/redfish", "--to", self.bundle], capture_output=True,
                              text=True, check=False, timeout=120, env={**os.environ, "GPUMEDIC_BMC": str(self.folder / "bmc.yaml")})
        self.assertNotIn(password, done.stdout + done.stderr)
        return json.loads((self.bundle / "manifest.json").read_text(encoding="utf-8"))["items"][0]

    def test_logs_readings_and_power_are_read_and_told(self):
        item = self.collect()
        self.assertEqual(item["outcome"], "ok", item)
        self.assertEqual(len(item["files"]), 3, item)
        done = subprocess.run([os.environ["GPUMEDIC_BIN"], "diagnose", self.bundle, "-o", "json"], capture_output=True, text=True, check=False)
        answer = json.loads(done.stdout)
        read = {source["name"]: source["outcome"] for source in answer["sources"] if source["name"].startswith("bmc/")}
        self.assertEqual(set(read.values()), {"ok"}, answer["sources"])

    def test_a_wrong_password(self):
        item = self.collect(password="sesame")
        self.assertEqual(item["outcome"], "denied", item)
        self.assertIn("does not accept the user", item["why"])
        self.assertIn("bmc.yaml", item["why"])

    def test_a_certificate_that_nobody_vouches_for(self):
        item = self.collect(trusted=False)
        self.assertEqual(item["outcome"], "failed", item)
        self.assertIn("certificate is not trusted", item["why"])

    def test_a_log_that_the_bmc_cannot_give_costs_itself_only(self):
        self.tree[f"{LOG}/Entries"] = Answer(b"{}", 500)
        item = self.collect()
        self.assertEqual(item["outcome"], "failed")
        self.assertIn("HTTP 500", item["why"])
        self.assertEqual(len(item["files"]), 2)

    def test_a_cut_answer(self):
        self.tree[f"{LOG}/Entries"] = Answer(b'{"Members":[', cut=True)
        self.assertIn("cut off", self.collect()["why"])

    def test_a_slow_one_does_not_hold_us(self):
        def slow(path, query, headers):
            if path.endswith("/Systems"):
                time.sleep(15)
            return self.answer(path, query, headers)
        began = time.monotonic()
        item = self.collect(script=slow)
        self.assertLess(time.monotonic() - began, 25)
        self.assertEqual(item["outcome"], "timed_out", item)

    def test_a_mistake_of_the_configuration_has_its_place(self):
        item = self.collect(config="server: bmc\nuser: monitor\npassword_file: password\n")
        self.assertEqual(item["outcome"], "failed", item)
        self.assertIn("bmc.yaml:1:9", item["why"])


if __name__ == "__main__":
    unittest.main()
