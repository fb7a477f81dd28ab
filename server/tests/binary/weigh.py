"""Weighs pages over the wire and times the server, as a browser that has the files already asks for them."""

import gzip
import http.client
import re
import statistics
import time

FIRST, AFTER = 150_000, 30_000
ROUNDS = 3


class Scale:
    """A connection with the session of a browser."""

    def __init__(self, browser, url):
        cookies = browser.got("/cookie")
        self.headers = {"accept": "text/html", "accept-encoding": "gzip",
                        "cookie": "; ".join("%s=%s" % (own["name"], own["value"]) for own in cookies)}
        self.connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)
        self.files = {}

    def get(self, path):
        """Asks for a path; returns the compressed body and the seconds that it took."""
        began = time.perf_counter()
        self.connection.request("GET", path, headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        took = time.perf_counter() - began
        assert answer.status == 200, (path, answer.status)
        assert answer.getheader("content-encoding") == "gzip", path
        return body, took

    def weigh(self, path):
        """The bytes of a page with its files, those without them, and the median of the milliseconds."""
        answers = [self.get(path) for _ in range(ROUNDS)]
        body = answers[0][0]
        files = set(re.findall(r'"(/app/assets/[^"]+)"', gzip.decompress(body).decode()))
        for name in files - self.files.keys():
            self.files[name] = len(self.get(name)[0])
        milliseconds = 1000 * statistics.median(took for _, took in answers)
        return len(body) + sum(self.files[name] for name in files), len(body), milliseconds


def weigh(browser, url, paths):
    """Prints the weights and times of pages; fails with those that are too heavy. Times are those of the build that runs."""
    scale = Scale(browser, url)
    rows = [(path, *scale.weigh(path)) for path in paths]
    print("%-90s %9s %9s %8s" % ("page", "first", "after", "ms"))
    for row in rows:
        print("%-90s %9d %9d %8.1f" % row)
    heavy = [row for row in rows if row[1] > FIRST or row[2] > AFTER]
    assert not heavy, heavy
