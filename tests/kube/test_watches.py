"""Watches that break, lag behind and go on."""
import json
import time

from probe import PODS, probe
from scripted_case import Case, listing, pod
from scripted_server import Answer, as_json, refusal


def event(kind, index, version):
    value = pod(index)
    value["metadata"]["resourceVersion"] = str(version)
    return json.dumps({"type": kind, "object": value}).encode() + b"\n"


def bookmark(version):
    return json.dumps({"type": "BOOKMARK", "object": {"kind": "Pod", "metadata": {"resourceVersion": str(version)}}}).encode() + b"\n"


TOO_OLD = json.dumps({"type": "ERROR", "object": {"kind": "Status", "code": 410, "reason": "Expired",
                                                 "message": "too old resource version: 7 (900)"}}).encode() + b"\n"


class Watches(Case):
    def watching(self, *streams, count, listings=((1,), (1,)), **flags):
        """The names of the events that arrive, and what was asked for: each stream is one answer to a watch."""
        waiting, lists = list(streams), list(listings)
        def script(_path, query, _headers):
            if "watch" not in query:
                return as_json(listing([pod(i) for i in lists.pop(0)], version=str(7 + 100 * (len(listings) - len(lists) - 1))))
            if waiting:
                return waiting.pop(0) if not isinstance(waiting[0], (bytes, list)) else Answer(iter([waiting.pop(0)]))
            time.sleep(20)
            return Answer(b"")
        server = self.serve(script)
        got = probe("watch", PODS, count, kubeconfig=self.config(server), **{"timeout_ms": 8000, "attempts": 2, **flags})
        asked = [query.get("resourceVersion", "list") for _, query, _, _ in server.seen]
        return got, [line.get("event", line.get("error")) for line in got.lines], asked

    def test_listing_then_changes(self):
        _, events, asked = self.watching(event("ADDED", 2, 8) + event("MODIFIED", 2, 9) + event("DELETED", 2, 10), count=6)
        self.assertEqual(events, ["reset", "added", "synced", "added", "modified", "deleted"])
        self.assertEqual(asked, ["list", "7"])

    def test_objects_are_whole(self):
        got, _, _ = self.watching(event("ADDED", 2, 8), count=4)
        self.assertEqual(json.loads(got.lines[-1]["object"])["metadata"]["name"], "pod-2")

    def test_goes_on_where_it_was(self):
        """The stream ends, and ends in the middle of an event: nothing is lost and nothing comes twice."""
        cut = Answer(iter([event("MODIFIED", 2, 9), event("MODIFIED", 2, 10)[:40]]), cut=True)
        _, events, asked = self.watching(event("ADDED", 2, 8), cut, event("MODIFIED", 2, 10), count=6)
        self.assertEqual(events[3:], ["added", "modified", "modified"])
        self.assertEqual(asked, ["list", "7", "8", "9"])

    def test_bookmarks_move_on_unseen(self):
        _, events, asked = self.watching(bookmark(50), event("ADDED", 2, 51), count=4)
        self.assertEqual(events, ["reset", "added", "synced", "added"])
        self.assertEqual(asked, ["list", "7", "50"])

    def test_history_that_is_gone_begins_anew(self):
        for gone in (TOO_OLD, refusal(410, "Expired", "too old resource version")):
            _, events, asked = self.watching(gone, event("ADDED", 3, 108), count=7, listings=((1,), (1, 2)))
            self.assertEqual(events, ["reset", "added", "synced", "reset", "added", "added", "synced"])
            self.assertEqual(asked[:3], ["list", "7", "list"])

    def test_malformed_event_is_asked_for_again(self):
        _, events, asked = self.watching(event("ADDED", 2, 8) + b'{"type":"MODI\n', event("MODIFIED", 2, 9), count=5)
        self.assertEqual(events[3:], ["added", "modified"])
        self.assertEqual(asked, ["list", "7", "8"])

    def test_denied_ends_it(self):
        got, events, _ = self.watching(refusal(403, "Forbidden", "no watch for you"), count=9)
        self.assertEqual(events, ["reset", "added", "synced", "denied"])
        self.assertIn('"watch"', got.lines[-1]["help"])
        self.assertLess(got.seconds, 5)

    def test_server_that_ends_each_watch_at_once_is_not_stormed(self):
        got, _, asked = self.watching(*[b" \n"] * 200, count=9, timeout_ms=2000)
        self.assertLess(len(asked), 40)
        self.assertEqual(got.code, 0)   # the stop request is no error

    def test_stop_ends_a_silent_stream_at_once(self):
        got, events, _ = self.watching(count=9, timeout_ms=700)
        self.assertEqual((got.code, events), (0, ["reset", "added", "synced"]))
        self.assertLess(got.seconds, 2.5)
