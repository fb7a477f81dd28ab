"""Chromium, driven by its driver, for the scripts that need a real browser."""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request


def call(method, url, body=None, headers=None):
    """Sends JSON; returns the status and the answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Browser:
    """Chromium, driven by its driver."""

    def __init__(self, profile):
        port = free_port()
        self.driver = subprocess.Popen(["chromedriver", "--port=%d" % port, "--log-level=OFF"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        base = "http://127.0.0.1:%d" % port
        for _ in range(100):
            try:
                call("GET", base + "/status")
                break
            except OSError:
                time.sleep(0.1)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--user-data-dir=" + profile]
        wanted = {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}
        status, answer = call("POST", base + "/session", {"capabilities": wanted})
        assert status == 200, answer
        self.session = "%s/session/%s" % (base, answer["value"]["sessionId"])

    def send(self, path, body):
        """Sends a command; returns its value."""
        status, answer = call("POST", self.session + path, body)
        assert status == 200, (path, answer)
        return answer["value"]

    def open(self, url):
        """Opens a page."""
        self.send("/url", {"url": url})

    def run(self, script):
        """Runs a script in the page; returns its value."""
        return self.send("/execute/sync", {"script": script, "args": []})

    def cdp(self, command, parameters):
        """Sends a command of the browser's own protocol, which also sees closed shadow roots."""
        return self.send("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def press(self, selector, keys):
        """Types into the first element that fits."""
        found = self.send("/element", {"using": "css selector", "value": selector})
        self.send("/element/%s/value" % next(iter(found.values())), {"text": keys})

    def click(self, selector):
        """Clicks on the first element that fits."""
        found = self.send("/element", {"using": "css selector", "value": selector})
        self.send("/element/%s/click" % next(iter(found.values())), {})

    def wait(self, condition):
        """Waits until an expression of JavaScript holds; returns its value."""
        for _ in range(150):
            value = self.run("return " + condition)
            if value:
                return value
            time.sleep(0.1)
        raise AssertionError("%s does not come true: %r" % (condition, self.run("return document.body.innerText")[:2000]))

    def nodes(self):
        """All nodes of the page, also in shadow roots."""
        todo, found = [self.cdp("DOM.getDocument", {"depth": -1, "pierce": True})["root"]], []
        while todo:
            node = todo.pop()
            found.append(node)
            todo.extend(reversed(node.get("children", [])))
            todo.extend(reversed(node.get("shadowRoots", [])))
        return found

    def texts(self):
        """All texts of the page."""
        return [node["nodeValue"] for node in self.nodes() if node["nodeName"] == "#text"]

    def until(self, text):
        """Waits for a text."""
        for _ in range(100):
            if any(text in one for one in self.texts()):
                return
            time.sleep(0.1)
        raise AssertionError("there is no %r in %r; %r" % (text, self.texts(), self.complaints()))

    def apply(self, name, function, text=None):
        """Calls a function on the first element with this name, and with this text in it."""
        for node in self.nodes():
            inner = [one.get("nodeValue") for one in node.get("children", [])]
            if node["nodeName"].lower() == name and (text is None or text in inner):
                made = self.cdp("DOM.resolveNode", {"backendNodeId": node["backendNodeId"]})["object"]
                self.cdp("Runtime.callFunctionOn", {"objectId": made["objectId"], "functionDeclaration": function})
                return
        raise AssertionError("there is no %s %s" % (name, text))

    def complaints(self):
        """What the console says of errors."""
        return [one["message"] for one in self.send("/se/log", {"type": "browser"}) if one["level"] == "SEVERE"]

    def close(self):
        """Ends the browser."""
        call("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait()
