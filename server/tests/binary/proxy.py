"""A bad network between a browser and the server: answers come late, requests arrive twice, or answers are lost."""

import http.client
import http.server
import threading
import time

from browser import free_port


class Proxy:
    """Forwards requests to a server; serves pages of its own without faults. The fault is `none`, `delayed`, `doubled`
    or `lost`."""

    def __init__(self, target, pages):
        self.target, self.pages, self.fault = target, pages, "none"
        self.lost, self.counts = set(), {}
        self.lock = threading.Lock()
        port = free_port()
        self.url = "http://127.0.0.1:%d" % port
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), self.handler())
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def begin(self, fault):
        """Has what follows suffer from a fault."""
        with self.lock:
            self.fault = fault
            self.lost.clear()
            self.counts = {"forwarded": 0, "lost": 0}

    def loses(self, request):
        """Whether this answer is lost: the first to each request."""
        with self.lock:
            if self.fault != "lost" or request in self.lost:
                return False
            self.lost.add(request)
            self.counts["lost"] += 1
            return True

    def forward(self, method, path, headers, body):
        """Sends a request to the server; returns the status, the headers and the body of the answer."""
        with self.lock:
            self.counts["forwarded"] += 1
        connection = http.client.HTTPConnection(self.target.removeprefix("http://"), timeout=60)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        read = answer.status, answer.getheaders(), answer.read()
        connection.close()
        return read

    def handler(self):
        """The handler of requests."""
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Forwards a request with the fault of the moment."""

            def answer(self):
                """Answers."""
                page = proxy.pages.get(self.path.split("?")[0])
                if page:
                    self.give(200, [("content-type", page[0])], page[1]().encode())
                    return
                body = self.rfile.read(int(self.headers.get("content-length", 0))) or None
                headers = {name: value for name, value in self.headers.items()
                           if name.lower() not in ("connection", "accept-encoding")}
                given = proxy.forward(self.command, self.path, headers, body)
                if proxy.fault == "doubled":
                    given = proxy.forward(self.command, self.path, headers, body)
                if proxy.fault == "delayed":
                    time.sleep(0.4)
                if proxy.loses((self.command, self.path, body)):
                    self.close_connection = True
                    return
                self.give(*given)

            def give(self, status, headers, body):
                """Writes an answer."""
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in ("connection", "transfer-encoding", "content-length", "date", "server"):
                        self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_OPTIONS = answer  # noqa: N815

            def log_message(self, *_arguments):
                """Says nothing."""

        return Handler
