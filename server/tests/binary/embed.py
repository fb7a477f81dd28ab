#!/usr/bin/env python3
"""The script of pages in Chromium: the demo page, and a page that means harm.

A shopper's order is paid by a card that is kept. On the demo page they accept an offer and answer a question; the order
gains its line. On the other page prototypes are changed, messages are forged and the texts of the flow hold HTML: the
script adds one global, sends no credentials, draws text only, and violates no content security policy.
"""

import base64
import http.server
import os
import sys
import tempfile
import threading
import time

from browser import Browser, call, free_port

API = os.environ["QUOTIENT_URL"]
HTML = "<img src=x onerror='window.pwned=1'>A lamp?"


def admin(path, body=None):
    """Calls an admin route."""
    key = base64.b64encode((os.environ["QUOTIENT_SECRET_KEY"] + ":").encode()).decode()
    status, answer = call("GET" if body is None else "POST", API + path, body, {"authorization": "Basic " + key})
    assert status == 200, (path, status, answer)
    return answer


def store(path, body):
    """Calls a route of the store."""
    key = {"x-publishable-api-key": os.environ["QUOTIENT_PUBLISHABLE_KEY"]}
    status, answer = call("POST", API + "/store" + path, body, key)
    assert status in (200, 201), (path, status, answer)
    return answer


def furnish():
    """Makes a store that sells a mug and a lamp; returns its region and channel, shipping option and variants."""
    channel = admin("/admin/sales-channels", {"name": "Web shop"})["sales_channel"]["id"]
    for key in admin("/admin/api-keys?type=publishable")["api_keys"]:
        admin("/admin/api-keys/%s/sales-channels" % key["id"], {"add": [channel]})
    region = admin("/admin/regions", {
        "name": "Britain", "currency_code": "gbp", "countries": ["gb"], "payment_providers": ["pp_sandbox"],
    })["region"]["id"]
    place = admin("/admin/stock-locations", {
        "name": "Warehouse", "address": {"address_1": "1 Dock Road", "country_code": "gb"},
    })["stock_location"]["id"]
    admin("/admin/stock-locations/%s/sales-channels" % place, {"add": [channel]})
    admin("/admin/stock-locations/%s/fulfillment-providers" % place, {"add": ["manual_manual"]})
    profile = admin("/admin/shipping-profiles", {"name": "Default", "type": "default"})["shipping_profile"]["id"]
    sets = admin("/admin/stock-locations/%s/fulfillment-sets?fields=*fulfillment_sets" % place,
                 {"name": "Delivery", "type": "shipping"})["stock_location"]["fulfillment_sets"]
    zone = admin("/admin/fulfillment-sets/%s/service-zones" % sets[0]["id"], {
        "name": "Everywhere", "geo_zones": [{"type": "country", "country_code": "gb"}],
    })["fulfillment_set"]["service_zones"][0]["id"]
    option = admin("/admin/shipping-options", {
        "name": "Postage", "service_zone_id": zone, "shipping_profile_id": profile, "provider_id": "manual_manual",
        "price_type": "flat", "type": {"label": "Standard", "description": "Three days", "code": "standard"},
        "prices": [{"currency_code": "gbp", "amount": 5}],
    })["shipping_option"]["id"]
    variants = []
    for title in ("Mug", "Lamp"):
        product = admin("/admin/products", {
            "title": title, "status": "published", "sales_channels": [{"id": channel}],
            "options": [{"title": "Kind", "values": ["One"]}],
            "variants": [{"title": "One", "sku": title.upper(), "options": {"Kind": "One"}, "manage_inventory": False,
                          "prices": [{"currency_code": "gbp", "amount": 10}]}],
        })["product"]
        variants.append(product["variants"][0]["id"])
    return (region, channel), option, variants


def place_order(places, option, mug):
    """Places an order that is paid by a card which is kept; returns its cart and its id."""
    region, channel = places
    cart = store("/carts", {"region_id": region, "sales_channel_id": channel, "email": "ada@example.com"})["cart"]["id"]
    store("/carts/%s/line-items" % cart, {"variant_id": mug, "quantity": 1})
    address = {"first_name": "Ada", "last_name": "Shopper", "address_1": "1 High Street", "city": "London",
               "postal_code": "N1 1AA", "country_code": "gb"}
    store("/carts/%s" % cart, {"shipping_address": address, "billing_address": address})
    store("/carts/%s/shipping-methods" % cart, {"option_id": option})
    store("/carts/%s/subscription-customer" % cart, {"email": "ada@example.com"})
    store("/carts/%s/subscription-payment-session" % cart, {
        "provider_id": "pp_sandbox", "setup_future_usage": "on_session", "data": {"payment_method": "pm_card_visa"},
    })
    return cart, store("/carts/%s/complete" % cart, {})["order"]["id"]


def make_flow(lamp, origins):
    """Publishes a flow whose texts hold HTML; returns it."""
    made = admin("/admin/flows", {
        "name": "Lamps", "kind": "post_purchase", "currency_code": "gbp", "is_public": True, "allowed_origins": origins,
        "draft": {"entry": "lamp", "buttons": {
            "lamp": {"type": "offer", "title": HTML, "body": HTML, "accept_label": "Add it",
                     "offer": {"variant_id": lamp, "price": {"type": "percent_off", "value": 20}},
                     "accept_next": [{"to": "why"}], "decline_next": [{"to": "thanks"}]},
            "why": {"type": "question", "title": "Why?", "accept_label": "Send", "fields": [
                        {"key": "why", "label": "Why", "type": "text", "required": True}],
                    "accept_next": [{"to": "thanks"}], "decline_next": [{"to": "thanks"}]},
            "thanks": {"type": "end", "title": "Thank you"}}},
    })["flow"]
    return admin("/admin/flows/%s/publish" % made["id"], {})["flow"]


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
    lines = admin("/admin/orders/%s?fields=*items" % order)["order"]["items"]
    assert sorted(line["variant_sku"] for line in lines) == ["LAMP", "MUG"], lines
    presses = admin("/admin/flows/%s/submissions?action=accepted" % flow["id"])["submissions"]
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
    places, option, (mug, lamp) = furnish()
    port = free_port()
    origin = "http://127.0.0.1:%d" % port
    flow = make_flow(lamp, [origin])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            cart, order = place_order(places, option, mug)
            browser.open("%s/flow-builder/embed-demo?cart=%s&order=%s" % (API, cart, order))
            walk(browser, flow, order)
            assert browser.run("return window.pwned") is None
            wrong = [one for one in browser.complaints() if "favicon" not in one]
            assert not wrong, wrong
            browser.open("%s/flow-builder/embed-demo?cart=%s&order=%s" % (API, cart, order))
            browser.until("Thank you")
            print("the demo page: accepted, answered, and found again after a reload")

            cart, order = place_order(places, option, mug)
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
