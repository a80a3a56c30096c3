"""The client against a server that does what real ones do on bad days."""
import json
import time

import scripted_case
from probe import EVENTS, NODES, PODS, SANITIZED, VMIS, VMS, probe
from scripted_case import VERSION, Case, listing, pod
from scripted_server import Answer, as_json, refusal
from test_configuration import Configuration
from test_node_objects import NodeObjects
from test_watches import Watches


class Reading(Case):
    def test_version_and_headers(self):
        server = self.answering(VERSION)
        self.assertEqual(probe("version", kubeconfig=self.config(server)).one["text"], "v1.34.9")
        _, _, headers, _ = server.seen[0]
        self.assertEqual(headers["Authorization"], "Bearer opensesame")
        self.assertIn("gzip", headers["Accept-Encoding"])

    def test_get_names_the_object(self):
        server = self.answering(as_json(pod(1)))
        text = probe("get", VMS, "web", "vm/1", kubeconfig=self.config(server)).text
        self.assertEqual(text["metadata"]["name"], "pod-1")
        self.assertEqual(server.seen[0][0], "/apis/kubevirt.io/v1/namespaces/web/virtualmachines/vm%2F1")

    def test_packed_answers_are_unpacked(self):
        server = self.answering(as_json(listing([pod(i) for i in range(300)]), packed=True))
        self.assertEqual(probe("list", PODS, kubeconfig=self.config(server)).one["items"], 300)

    def test_log(self):
        server = self.answering(Answer(b"line one\nline two\n", headers={"Content-Type": "text/plain"}))
        got = probe("log", "kubevirt", "virt-handler-x", "virt-handler", kubeconfig=self.config(server)).one
        self.assertEqual(got["text"], "line one\nline two\n")
        path, query, _, _ = server.seen[0]
        self.assertEqual(path, "/api/v1/namespaces/kubevirt/pods/virt-handler-x/log")
        self.assertEqual(query["container"], "virt-handler")

    def test_connections_are_used_again_by_two_threads(self):
        server = self.answering(VERSION)
        got = probe("many", 60, kubeconfig=self.config(server), burst=100, rate=100).one
        self.assertEqual(got["answered"], 60)
        self.assertLessEqual(len({port for *_, port in server.seen}), 3)

    def test_rate_limit(self):
        server = self.answering(VERSION)
        got = probe("many", 20, kubeconfig=self.config(server), burst=5, rate=10).one
        self.assertEqual(got["answered"], 20)
        self.assertGreaterEqual(got["ms"], 1400)   # 15 beyond the burst at 10 a second


class Refusals(Case):
    def refused(self, answer, *words, **flags):
        words = words or ("list", PODS)
        return probe(*words, kubeconfig=self.config(self.answering(answer)), attempts=1, **flags)

    def test_401(self):
        self.expect_error(self.refused(refusal(401, "Unauthorized", "Unauthorized")), "unauthorised", "list pods", "expired")

    def test_403_names_verb_and_resource(self):
        answer = refusal(403, "Forbidden", 'virtualmachines.kubevirt.io is forbidden: User "system:serviceaccount:a:b" cannot list')
        self.expect_error(self.refused(answer, "list", VMS), "denied", "list virtualmachines.kubevirt.io", '"list"',
                          '"virtualmachines"', '"kubevirt.io"', "system:serviceaccount:a:b")

    def test_404_of_a_type_that_is_not_installed(self):
        answer = Answer(b"404 page not found\n", 404, {"Content-Type": "text/plain"})
        self.expect_error(self.refused(answer, "list", VMIS), "not_found", "404 page not found")

    def test_redirect_is_not_followed(self):
        self.expect_error(self.refused(Answer(b"", 302, {"Location": "https://127.0.0.1:1/login"})), "malformed", "redirect")

    def test_html_is_no_answer(self):
        page = Answer(b"<html><body>Sign in</body></html>", headers={"Content-Type": "text/html"})
        self.expect_error(self.refused(page), "malformed", "list pods")
        self.expect_error(self.refused(page, "get", PODS, "web", "x"), "malformed", "no JSON")
        self.expect_error(self.refused(page, "version"), "malformed", "address")

    def test_malformed_json(self):
        for body in (b"", b"{", b'{"items":[', b'{"metadata":{},"items":[{"a":1}', b"[]", b'"x"', b'{"metadata":{}}}', b"\xff\xfe\x00",
                     b'{"items":[{"a":1}]}', b'{"metadata":{},,"items":[]}'):
            with self.subTest(body=body):
                self.expect_error(self.refused(Answer(body)), "malformed", "list pods")

    def test_terminal_escapes_do_not_get_through(self):
        self.assertNotIn("\x1b", self.refused(refusal(403, "Forbidden", "\x1b[31mred")).one["what"])

    def test_slow_answer_ends_at_the_deadline(self):
        def script(*_):
            time.sleep(3)
            return VERSION
        got = probe("version", kubeconfig=self.config(self.serve(script)), timeout_ms=500)
        self.expect_error(got, "timed_out", "get /version", " ms")
        self.assertLess(got.seconds, 2.5)

    def test_trickling_answer_ends_at_the_deadline(self):
        def drops():
            yield b'{"metadata":{},"items":['
            for index in range(100):
                time.sleep(0.1)
                yield json.dumps(pod(index)).encode() + b","
        got = self.refused(Answer(drops()), timeout_ms=800)
        self.expect_error(got, "timed_out", "list pods")
        self.assertGreater(got.one["items"], 2)   # what came was delivered
        self.assertLess(got.seconds, 3)

    def test_cut_off_answer(self):
        body = json.dumps(listing([pod(i) for i in range(50)])).encode()
        got = self.refused(Answer(body[:-30], cut=True))
        self.expect_error(got, "malformed", "cut off")
        self.assertEqual(got.one["items"], 49)

    def test_nobody_listens(self):
        server = self.answering(VERSION)
        config = self.config(server)
        server.close()
        server.close = lambda: None
        self.expect_error(probe("version", kubeconfig=config, attempts=2), "unreachable", "no connection", "127.0.0.1")

    def test_object_beyond_the_cap(self):
        pieces = (b"x" * 65536 for _ in range(400))
        def endless():
            yield b'{"metadata":{},"items":[{"a":"'
            yield from pieces
        self.expect_error(self.refused(Answer(endless())), "too_large")


class Retries(Case):
    def flaky(self, *answers):
        waiting = list(answers)
        return self.serve(lambda *_: waiting.pop(0) if waiting else VERSION)

    def test_429_is_obeyed(self):
        server = self.flaky(refusal(429, "TooManyRequests", "slow down", headers={"Retry-After": "1"}))
        got = probe("version", kubeconfig=self.config(server))
        self.assertEqual(got.one["text"], "v1.34.9")
        self.assertGreaterEqual(got.seconds, 1)

    def test_429_for_longer_than_we_may_wait(self):
        server = self.answering(refusal(429, "TooManyRequests", "slow down", headers={"Retry-After": "60"}))
        got = probe("version", kubeconfig=self.config(server), timeout_ms=1500)
        self.expect_error(got, "throttled", "later")
        self.assertLess(got.seconds, 1.4)

    def test_503_then_well(self):
        server = self.flaky(refusal(503, "ServiceUnavailable", "starting"), refusal(500, "InternalError", "leader changed"))
        self.assertEqual(probe("version", kubeconfig=self.config(server)).one["text"], "v1.34.9")

    def test_503_for_good(self):
        server = self.answering(refusal(503, "ServiceUnavailable", "starting"))
        self.expect_error(probe("version", kubeconfig=self.config(server), attempts=3), "unreachable", "503", "starting")
        self.assertEqual(len(server.seen), 3)

    def test_403_is_asked_once(self):
        server = self.answering(refusal(403, "Forbidden", "no"))
        probe("version", kubeconfig=self.config(server), attempts=5)
        self.assertEqual(len(server.seen), 1)

    def test_expired_token_is_read_again_from_its_file(self):
        token = self.folder / "token"
        token.write_text("old\n", encoding="utf-8")
        def script(_path, _query, headers):
            if headers["Authorization"] == "Bearer old":
                token.write_text("new\n", encoding="utf-8")   # rotated while the request was under way
                return refusal(401, "Unauthorized", "token has expired")
            return VERSION
        server = self.serve(script)
        self.assertEqual(probe("version", kubeconfig=self.config(server, {"tokenFile": str(token)})).one["text"], "v1.34.9")
        self.assertEqual([headers["Authorization"] for _, _, headers, _ in server.seen], ["Bearer old", "Bearer new"])

    def test_expired_token_that_stays_is_tried_once(self):
        server = self.answering(refusal(401, "Unauthorized", "token has expired"))
        self.expect_error(probe("version", kubeconfig=self.config(server)), "unauthorised", "token has expired")
        self.assertEqual(len(server.seen), 1)


class Trust(Case):
    def test_other_authority(self):
        stranger = scripted_case.Authority(self.folder / "stranger", "stranger-ca")
        server = self.answering(VERSION)
        config = self.config(server, cluster={"certificate-authority": str(stranger.certificate)})
        self.expect_error(probe("version", kubeconfig=config), "unreachable", "not trusted", "certificate")
        self.assertEqual(server.seen, [])

    def test_system_authorities_do_not_know_it(self):
        config = self.config(self.answering(VERSION), cluster={"certificate-authority": None})
        self.expect_error(probe("version", kubeconfig=config), "unreachable", "not trusted")

    def test_certificate_of_another_host(self):
        certificate, key = self.authority.issue("elsewhere", "/CN=elsewhere", "DNS:elsewhere.mule.test")
        server = self.answering(VERSION, certificate=certificate, key=key)
        self.expect_error(probe("version", kubeconfig=self.config(server)), "unreachable", "not trusted")
        named = self.config(server, cluster={"tls-server-name": "elsewhere.mule.test"})
        self.assertEqual(probe("version", kubeconfig=named).one["text"], "v1.34.9")
        self.assertEqual(server.seen[0][2]["Host"], f"127.0.0.1:{server.port}")

    def test_expired_certificate(self):
        certificate, key = self.authority.issue("late", "/CN=late", "IP:127.0.0.1", days=-1)
        server = self.answering(VERSION, certificate=certificate, key=key)
        self.expect_error(probe("version", kubeconfig=self.config(server)), "unreachable", "expired")

    def test_unverified_only_when_told(self):
        stranger = scripted_case.Authority(self.folder / "stranger2", "stranger-ca")
        certificate, key = stranger.issue("s", "/CN=s", "DNS:nowhere")
        server = self.answering(VERSION, certificate=certificate, key=key)
        config = self.config(server, cluster={"certificate-authority": None, "insecure-skip-tls-verify": True})
        self.assertEqual(probe("version", kubeconfig=config).one["text"], "v1.34.9")

    def test_client_certificate(self):
        certificate, key = self.authority.issue("alice", "/O=ops/CN=alice")
        server = self.answering(VERSION, client_ca=self.authority.certificate)
        user = {"client-certificate": "ca/alice.crt", "client-key": "ca/alice.key"}   # relative to the file
        self.assertEqual(probe("version", kubeconfig=self.config(server, user)).one["text"], "v1.34.9")
        self.expect_error(probe("version", kubeconfig=self.config(server), attempts=1), "unreachable", "version")
        broken = self.folder / "broken.key"
        broken.write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", encoding="utf-8")
        user = {"client-certificate": str(certificate), "client-key": str(broken)}
        self.expect_error(probe("version", kubeconfig=self.config(server, user)), "unauthorised", "client certificate")

    def test_plain_http_server_behind_https(self):
        server = self.answering(VERSION, certificate=None)
        config = self.config(server.url.replace("http:", "https:"))
        self.expect_error(probe("version", kubeconfig=config, attempts=1), "unreachable")


class Lists(Case):
    def paged(self, total, size=None, lose_at=None, filler="", packed=False):
        """A server of so many pods; the token of page `lose_at` is refused once, as after a compaction."""
        lost = []
        def script(path, query, _headers):
            start = int(query.get("continue", "0"))
            if start == lose_at and not lost:
                lost.append(start)
                return refusal(410, "Expired", "The provided continue parameter is too old")
            count = int(query["limit"]) or total
            items = [pod(i, filler=filler) for i in range(start, min(total, start + count))]
            end = start + len(items)
            return as_json(listing(items, token=str(end) if end < total else ""), packed=packed)
        return self.serve(script)

    def test_pages(self):
        server = self.paged(1234)
        got = probe("list", PODS, kubeconfig=self.config(server)).one
        self.assertEqual((got["items"], got["pages"], got["resource_version"]), (1234, 3, "7"))
        self.assertEqual([query.get("continue") for _, query, _, _ in server.seen], [None, "500", "1000"])

    def test_410_in_the_middle_begins_anew(self):
        got = probe("list", PODS, kubeconfig=self.config(self.paged(1234, lose_at=1000))).one
        self.assertEqual((got["items"], got["restarts"]), (1234, 1))

    def test_410_without_end(self):
        def script(_path, query, _headers):
            if "continue" in query:
                return refusal(410, "Expired", "too old")
            return as_json(listing([pod(1)], token="1"))
        server = self.serve(script)
        self.expect_error(probe("list", PODS, kubeconfig=self.config(server), restarts=2), "gone", "list pods")
        self.assertEqual(len(server.seen), 6)

    def test_page_that_repeats_itself(self):
        server = self.answering(as_json(listing([pod(1)], token="same")))
        self.expect_error(probe("list", PODS, kubeconfig=self.config(server)), "malformed", "repeats")

    def test_empty_and_null_items(self):
        for items in ([], None):
            got = probe("list", PODS, kubeconfig=self.config(self.answering(as_json(listing(items))))).one
            self.assertEqual(got["items"], 0)

    def big(self, name, **flags):
        one = json.dumps(pod(0, filler="x" * 2000)).encode()
        def script(_path, query, _headers):
            start, count = int(query.get("continue", "0")), int(query["limit"]) or 100_000
            token = str(start + count) if start + count < 100_000 else ""
            def body():
                yield b'{"kind":"PodList","metadata":{"resourceVersion":"7","continue":"%s"},"items":[' % token.encode()
                for first in range(0, count, 50):
                    yield (b"," if first else b"") + b",".join([one] * min(50, count - first))
                yield b"]}"
            return Answer(body())
        got = probe("list", PODS, kubeconfig=self.config(self.serve(script)), timeout_ms=200_000, rate=1000, burst=1000, **flags)
        print(f"\n{name}: {got.one['items']} pods, {got.one['bytes'] >> 20} MiB, {got.seconds:.1f} s, "
              f"peak {got.one['peak_kib'] / 1024:.1f} MiB", flush=True)
        self.assertEqual(got.one["items"], 100_000)
        if not SANITIZED:
            self.assertLess(got.one["peak_kib"], 40 * 1024)

    def test_100000_pods_in_pages(self):
        self.big("in pages of 500", page=500)

    def test_100000_pods_in_one_page(self):
        self.big("in one page", page=0)


if __name__ == "__main__":
    scripted_case.main({name: value for name, value in globals().items() if isinstance(value, type) and issubclass(value, Case)})
