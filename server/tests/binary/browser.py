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
        self.clicks = 0

    def send(self, path, body):
        """Sends a command; returns its value."""
        status, answer = call("POST", self.session + path, body)
        assert status == 200, (path, answer)
        return answer["value"]

    def open(self, url):
        """Opens a page."""
        self.send("/url", {"url": url})

    def open_anyway(self, url):
        """Opens a page that may not answer."""
        call("POST", self.session + "/url", {"url": url})

    def run(self, script):
        """Runs a script in the page; returns its value."""
        return self.send("/execute/sync", {"script": script, "args": []})

    def run_async(self, script, *arguments):
        """Runs a script in the page that ends by calling its last argument; returns what it calls it with."""
        return self.send("/execute/async", {"script": script, "args": list(arguments)})

    def ask(self, path):
        """What the API answers the person who looks at the page."""
        status, answer = self.run_async("""
            const [path, done] = arguments;
            fetch(path).then((response) => response.json().then((answer) => done([response.status, answer])));
        """, path)
        assert status == 200, (path, status, answer)
        return answer

    def cdp(self, command, parameters):
        """Sends a command of the browser's own protocol, which also sees closed shadow roots."""
        return self.send("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def find(self, selector, text=None):
        """The first element that fits, by its whole text if there is one."""
        how = {"using": "css selector", "value": selector}
        if text is not None:
            how = {"using": "xpath", "value": "//%s[normalize-space()='%s']" % (selector, text)}
        return "/element/%s" % next(iter(self.send("/element", how).values()))

    def press(self, selector, keys):
        """Types into the first element that fits."""
        self.send(self.find(selector) + "/value", {"text": keys})

    def click(self, selector, text=None):
        """Clicks on the first element that fits."""
        self.clicks += 1
        self.send(self.find(selector, text) + "/click", {})

    def type(self, keys):
        """Types on the keyboard, wherever the focus is."""
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.send("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})

    def new_tab(self):
        """Opens another tab and goes there; returns both, the old one first."""
        old = self.got("/window")
        new = self.send("/window/new", {"type": "tab"})["handle"]
        self.send("/window", {"handle": new})
        return old, new

    def end_tab(self, handle):
        """Closes another tab and stays here."""
        here = self.got("/window")
        self.send("/window", {"handle": handle})
        call("DELETE", self.session + "/window")
        self.send("/window", {"handle": here})

    def forget(self):
        """Ends the session: forgets all cookies."""
        call("DELETE", self.session + "/cookie")

    def got(self, path):
        """Reads a state of the browser."""
        return call("GET", self.session + path)[1]["value"]

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

    def messages(self):
        """What the console has said since it was asked last."""
        return [one["message"] for one in self.send("/se/log", {"type": "browser"})]

    def complaints(self):
        """What the console says of errors."""
        return [one["message"] for one in self.send("/se/log", {"type": "browser"}) if one["level"] == "SEVERE"]

    def close(self):
        """Ends the browser."""
        call("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait()
