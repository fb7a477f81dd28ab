#!/usr/bin/env python3
"""The script of pages in Chromium: the demo page, and a page that means harm.

A shopper's order is paid by a card that is kept. On the demo page they accept an offer and answer a question; the order
gains its line. On the other page prototypes are changed, messages are forged and the texts of the flow hold HTML: the
script adds one global, sends no credentials, draws text only, and violates no content security policy.
"""

import http.server
import os
import sys
import tempfile
import threading
import time

from browser import Browser, free_port
from embed_flow import make_flow
from shop import Shop

API = os.environ["QUOTIENT_URL"]
SHOP = Shop(API, os.environ["QUOTIENT_PUBLISHABLE_KEY"], os.environ["QUOTIENT_SECRET_KEY"])


def walk(browser, flow, order):
    """Accepts the offer and answers the question."""
    browser.until("A lamp?")
    time.sleep(1)
    browser.apply("button", "function () { this.click(); }", "Add it")
    browser.until("Why?")
    names = [node["nodeName"] for node in browser.nodes()]
    assert "IMG" not in names, names
    browser.apply("input", "function () { this.value = '<b>because</b>'; }")
    time.sleep(1)
    browser.apply("button", "function () { this.click(); }", "Send")
    browser.until("Thank you")
    lines = SHOP.admin("/admin/orders/%s?fields=*items" % order)["order"]["items"]
    assert sorted(line["variant_sku"] for line in lines) == ["LAMP", "MUG"], lines
    presses = SHOP.admin("/admin/flows/%s/submissions?action=accepted" % flow["id"])["submissions"]
    assert any(one["order_id"] == order and one["amount"] == 8 and not one["is_spam"] for one in presses), presses


HOSTILE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script src="/hostile.js"></script></head><body><script src="%s/flow-builder/embed.js" data-flow="%s" data-cart="%s"
data-order="%s"></script></body></html>"""

HOSTILE_SCRIPT = """
Object.prototype.credentials = 'include'; Object.prototype.innerHTML = 'x';
String.prototype.trim = function () { return '<script>window.pwned=2</script>'; };
document.cookie = 'session=secret';
window.violations = []; window.told = []; window.sent = [];
document.addEventListener('securitypolicyviolation', function (event) { violations.push(event.violatedDirective); });
document.addEventListener('quotient:flow', function (event) {
  told.push(event.detail.action + ' ' + event.detail.key);
  // The browser's driver adds names of its own later.
  added = added || Object.getOwnPropertyNames(window).filter(function (name) { return before.indexOf(name) < 0; });
});
var real = window.fetch;
window.fetch = function (url, options) { sent.push([String(url), options.credentials]); return real.call(window, url, options); };
window.added = null;
var before = Object.getOwnPropertyNames(window);
setInterval(function () {
  ['accept', { type: 'quotient:flow', action: 'accept' }, '{"success":true,"redirectUrl":"javascript:window.pwned=3"}']
    .forEach(function (forged) { window.postMessage(forged, '*'); });
}, 20);
"""


def serve_hostile(port, page):
    """Serves the page that means harm."""
    policy = "default-src 'none'; script-src 'self' %s; connect-src %s; base-uri 'none'" % (API, API)

    class Handler(http.server.BaseHTTPRequestHandler):
        """Answers with the page or its script."""

        def do_GET(self):  # noqa: N802
            """Answers."""
            is_script = self.path.endswith(".js")
            body = (HOSTILE_SCRIPT if is_script else page()).encode()
            self.send_response(200)
            self.send_header("content-type", "text/javascript" if is_script else "text/html; charset=utf-8")
            self.send_header("content-security-policy", policy)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments):
            """Says nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def main():
    """Walks through both pages."""
    SHOP.furnish((("Mug", "MUG"), ("Lamp", "LAMP")), 10, 5)
    port = free_port()
    origin = "http://127.0.0.1:%d" % port
    flow = make_flow(SHOP, [origin])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            cart, order = SHOP.place_order()
            browser.open("%s/flow-builder/embed-demo?cart=%s&order=%s" % (API, cart, order))
            walk(browser, flow, order)
            assert browser.run("return window.pwned") is None
            wrong = [one for one in browser.complaints() if "favicon" not in one]
            assert not wrong, wrong
            browser.open("%s/flow-builder/embed-demo?cart=%s&order=%s" % (API, cart, order))
            browser.until("Thank you")
            print("the demo page: accepted, answered, and found again after a reload")

            cart, order = SHOP.place_order()
            serve_hostile(port, lambda: HOSTILE % (API, flow["public_token"], cart, order))
            browser.open(origin + "/")
            walk(browser, flow, order)
            assert browser.run("return window.pwned") is None
            assert browser.run("return violations") == []
            assert browser.run("return told") == ["shown lamp", "accept lamp", "accept why", "completed thanks"]
            sent = browser.run("return sent")
            assert sent and all(credentials == "omit" for _, credentials in sent), sent
            added = [name for name in browser.run("return added") if name != "ret_nodes"]
            assert added == ["QuotientFlow"], added
            print("the hostile page: one global, %d requests without credentials, text only" % len(sent))
        finally:
            browser.close()


if __name__ == "__main__":
    sys.exit(main())
