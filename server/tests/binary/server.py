"""A server of the built binary in a folder of its own, for the scripts that stop it and start it again."""

import os
import re
import shutil
import subprocess
import time

from browser import call, free_port

# Not that of a first start, in whose store this is one admin more.
EMAIL = "operator@example.com"
PASSWORD = "a password of the tests"


class Server:
    """A server on a port, by default a free one; its store is a copy of a file if that exists, or else a first start's."""

    def __init__(self, binary, folder, *settings, port=None, store=""):
        self.binary = os.path.abspath(binary)
        self.folder = folder
        self.settings = ["--log=warn", "--admin-per-minute=1000000", "--store-per-minute=1000000", *settings]
        port = port or free_port()
        self.url = "http://127.0.0.1:%d" % port
        self.database = os.path.join(folder, "store.db")
        self.environment = {
            **os.environ, "QUOTIENT_LISTEN": "127.0.0.1:%d" % port, "QUOTIENT_DATABASE": self.database,
            "QUOTIENT_ADMIN_EMAIL": EMAIL, "QUOTIENT_ADMIN_PASSWORD": PASSWORD,
        }
        self.process = None
        if os.path.exists(store):
            shutil.copy(store, self.database)
            subprocess.run([self.binary, "admin", "create", EMAIL], cwd=folder, env=self.environment, check=True)
        self.start()

    def start(self):
        """Starts it, and waits until it is ready."""
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen([self.binary, *self.settings], cwd=self.folder, env=self.environment,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(3000):
            assert self.process.poll() is None, self.said()
            try:
                if call("GET", self.url + "/health/ready")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise AssertionError("the server does not answer: " + self.said())

    def said(self):
        """The end of what it has written."""
        with open(os.path.join(self.folder, "log"), encoding="utf-8") as log:
            return log.read()[-4000:]

    def key(self, kind):
        """A new key for programs, `secret` or `publishable`."""
        made = subprocess.run([self.binary, "keys", "create", "tests", "--type", kind], cwd=self.folder, check=True,
                              env=self.environment, capture_output=True, text=True)
        return re.search("[sp]k_[0-9a-f]{64}", made.stdout).group()

    def kill(self):
        """Ends it as a failure of power does."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Stops it in good order."""
        self.process.terminate()
        assert self.process.wait(60) == 0, self.said()

    def check(self):
        """Has the stopped server's database checked."""
        subprocess.run([self.binary, "check"], cwd=self.folder, env=self.environment, check=True)
