"""An HTTPS server on the loop back that answers as a test tells it to."""
import gzip
import http.server
import json
import ssl
import threading
import urllib.parse


class Answer:
    """What goes out. `body`: bytes, or an iterable of bytes (sent chunked). `cut`: the connection ends without the rest."""

    def __init__(self, body=b"", status=200, headers=None, cut=False, packed=False):
        self.body, self.status, self.headers, self.cut, self.packed = body, status, dict(headers or {}), cut, packed


def as_json(value, status=200, **more):
    return Answer(json.dumps(value).encode(), status, **more)


def refusal(status, reason, message, **more):
    """A Status object, as Kubernetes refuses."""
    return as_json({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": message,
                    "code": status}, status, **more)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        query = {key: values[0] for key, values in urllib.parse.parse_qs(parts.query).items()}
        with self.server.lock:
            self.server.seen.append((parts.path, query, dict(self.headers), self.client_address[1]))
        answer = self.server.script(parts.path, query, self.headers)
        try:
            self.send(answer)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True   # the client went away: some tests want that

    def send(self, answer):
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        if isinstance(answer.body, bytes):
            body = gzip.compress(answer.body) if answer.packed else answer.body
            if answer.packed:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body) + (1000 if answer.cut else 0)))
            self.end_headers()
            self.wfile.write(body)
        else:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in answer.body:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
            if not answer.cut:
                self.wfile.write(b"0\r\n\r\n")
        if answer.cut:
            self.wfile.flush()
            self.close_connection = True

    def log_message(self, *_):
        pass


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass   # handshakes that a client refuses are part of the tests


class ScriptedServer:
    """`script(path, query, headers)` gives the Answer. `seen` lists (path, query, headers, port of the client)."""

    def __init__(self, script, certificate=None, key=None, client_ca=None):
        self.http = _Server(("127.0.0.1", 0), _Handler)
        self.http.script, self.http.seen, self.http.lock = script, [], threading.Lock()
        scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            if client_ca:
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations(client_ca)
            # The handshake is done by the connection's own thread: a client that does not finish it blocks nobody.
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True, do_handshake_on_connect=False)
            scheme = "https"
        self.port = self.http.server_address[1]
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()

    @property
    def seen(self):
        with self.http.lock:
            return list(self.http.seen)

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()
