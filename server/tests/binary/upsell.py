#!/usr/bin/env python3
"""A shopper's journey in Chromium: a partner's link leads to the shop's page, the order is paid, the script of the page shows
an offer, which is accepted and charged to the same card; the receipt, the order, the partner's statement and the flow's
metrics agree. Then the same where every answer comes late, every request arrives twice, or the first answer to every
request is lost after the server has done it: one line and one charge each time.

upsell.py BINARY
"""

import os
import sys
import tempfile
import time

from browser import Browser, call
from embed_flow import make_flow
from proxy import Proxy
from server import Server
from shop import Shop

FAULTS = ("none", "delayed", "doubled", "lost")
PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
METRICS = ("take_rate", "upsell_revenue", "flow_completion", "flow_conversion", "partner_commission", "click_conversion")

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title></head>
<body data-cart="%s" data-flow="%s" data-key="%s"><h1>Mugs</h1><p><button>Buy</button></p><p id="state"></p>
<script src="/shop.js"></script></body></html>"""

# What a careful shop does: it repeats what was not answered.
SCRIPT = """'use strict';
const given = document.body.dataset, click = new URLSearchParams(location.search).get('pclid');
async function call(path, body, tries) {
  try {
    const headers = { 'content-type': 'application/json', 'x-publishable-api-key': given.key };
    const answer = await fetch('/store/carts/' + given.cart + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(String(answer.status));
    return await answer.json();
  } catch (error) {
    if (tries === 1) throw error;
    await new Promise((done) => { setTimeout(done, 200); });
    return call(path, body, tries - 1);
  }
}
function offer(order, tries) {
  const script = document.createElement('script');
  script.src = '/flow-builder/embed.js';
  Object.assign(script.dataset, { flow: given.flow, cart: given.cart, order });
  script.addEventListener('error', () => { if (tries > 1) offer(order, tries - 1); });
  document.body.append(script);
}
document.querySelector('button').addEventListener('click', async () => {
  await call('', { metadata: { partner_click_id: click } }, 4);
  const { order } = await call('/complete', {}, 4);
  document.getElementById('state').textContent = order.id;
  offer(order.id, 4);
});
"""


class Journey:
    """A shop with a flow and a partner, behind a bad network."""

    def __init__(self, server):
        self.server, self.cart = server, None
        self.shop = Shop(server.url, server.key("publishable"), server.key("secret"))
        self.shop.furnish((("Mug", "MUG"), ("Lamp", "LAMP")), 10, 5)
        self.proxy = Proxy(server.url, {
            "/shop": ("text/html; charset=utf-8",
                      lambda: PAGE % (self.cart, self.flow["public_token"], self.shop.publishable)),
            "/shop.js": ("text/javascript", lambda: SCRIPT),
            "/favicon.ico": ("image/x-icon", str),
        })
        self.flow = make_flow(self.shop, [self.proxy.url])
        partner = self.shop.admin("/admin/partners", {"name": "Blog", "email": "blog@example.org"})["partner"]
        self.partner = {"authorization": "Bearer " + partner["token"]}
        self.shop.admin("/admin/partners/%s/offers" % partner["id"], {
            "code": "MOUNTAIN", "landing_url": "/shop", "currency_code": "gbp",
            "commission": {"type": "percent", "value": 7.5},
        })
        for key in METRICS:
            self.shop.admin("/admin/metrics/templates/tmpl_%s/instantiate" % key, {"name": key})
            self.shop.admin("/admin/metrics/catalog/%s/lifecycle" % key, {"state": "active"})

    def charges(self):
        """The movements of money so far, as the provider counts them: each key once."""
        with open(os.path.join(self.server.folder, "ledger"), encoding="utf-8") as lines:
            rows = {tuple(line.split("\t")[:2]): int(line.split("\t")[2]) for line in lines}
        return [amount for (kind, _), amount in rows.items() if kind in ("capture", "charge", "sale")]

    def conversions(self):
        """What the partner sees."""
        status, answer = call("GET", self.server.url + "/partners/me/conversions", headers=self.partner)
        assert status == 200, answer
        return answer["conversions"]

    def go(self, browser, fault):
        """Walks from the link to the thanks; returns the order's id."""
        self.cart = self.shop.fill_cart("ada.%s@example.com" % fault)
        self.proxy.begin(fault)
        # A browser without a window names itself as one, and partners are paid for people only.
        browser.cdp("Network.setUserAgentOverride", {"userAgent": PERSON})
        for _ in range(3):
            browser.open_anyway(self.proxy.url + "/track/partners/click/MOUNTAIN")
            if browser.run("return location.pathname") == "/shop":
                break
        assert "pclid=" in browser.run("return location.search")
        browser.click("button", "Buy")
        order = browser.wait("document.getElementById('state').innerText")
        browser.until("A lamp?")
        time.sleep(1)
        browser.apply("button", "function () { this.click(); }", "Add it")
        browser.until("Why?")
        browser.apply("input", "function () { this.value = 'because'; }")
        time.sleep(1)
        browser.apply("button", "function () { this.click(); }", "Send")
        browser.until("Thank you")
        return order

    def receipt(self, browser):
        """The receipt, as the shopper's page reads it; asked again where the answer is lost."""
        for _ in range(3):
            status, receipt = browser.run_async("""
                const done = arguments[0], name = Object.keys(sessionStorage).find((own) => own.startsWith('quotient_flow:'));
                fetch('/flow-builder/receipt', { headers: { 'x-flow-session': sessionStorage.getItem(name) } })
                    .then((answer) => answer.json().then((read) => done([answer.status, read])), () => done([0, null]));
            """)
            if status:
                assert status == 200, receipt
                return receipt
        raise AssertionError("there is no receipt")

    def check(self, browser, fault, charged, order):
        """Compares the receipt, the order, the charges and the statement."""
        receipt = self.receipt(browser)
        assert receipt["session"]["upsell_total"] == 8 and receipt["total_revenue"] == 23, receipt
        fields = "*items,*payment_collections,*payment_collections.payments,*payment_collections.payments.captures"
        shown = self.shop.admin("/admin/orders/%s?fields=%s" % (order, fields))["order"]
        lines = sorted((line["variant_sku"], line["quantity"], line["total"]) for line in shown["items"])
        assert lines == [("LAMP", 1, 8), ("MUG", 1, 10)], lines
        captures = [capture["amount"] for collection in shown["payment_collections"]
                    for payment in collection["payments"] for capture in payment["captures"]]
        assert sorted(captures) == [8, 15], captures
        new = self.charges()[charged:]
        assert sorted(new) == [800, 1500], new
        presses = self.shop.admin("/admin/flows/%s/submissions?action=accepted" % self.flow["id"])["submissions"]
        assert [one["amount"] for one in presses if one["order_id"] == order] == [8], presses
        journeys = FAULTS.index(fault) + 1
        for _ in range(100):
            own = self.conversions()
            if [one["commission"] for one in own] == [1.35] * journeys:
                break
            time.sleep(0.2)
        # 7.5 % of the mug and the lamp, 18.00.
        assert [one["commission"] for one in own] == [1.35] * journeys, own
        assert all(one["code"] == "MOUNTAIN" and one["status"] == "pending" for one in own), own
        print("%s: one line and one charge each, the receipt, the order and the statement agree (%s)"
              % (fault, ", ".join("%d %s" % (count, what) for what, count in self.proxy.counts.items())))

    def check_metrics(self):
        """Compares the flow's and the partner's metrics with the journeys."""
        today = time.strftime("%Y-%m-%d", time.gmtime())
        answer = self.shop.admin("/admin/metrics/compute", {
            "metrics": list(METRICS), "start_date": today, "end_date": today,
        })["metrics"]
        values = {key: float(answer[key]["value"]) for key in METRICS}
        journeys = len(FAULTS)
        assert values["upsell_revenue"] == 8 * journeys, values
        assert values["take_rate"] == values["flow_completion"] == values["flow_conversion"] == 1, values
        assert round(values["partner_commission"], 2) == round(1.35 * journeys, 2), values
        print("the metrics agree: %s" % ", ".join("%s %s" % (key, answer[key]["formatted"]) for key in METRICS))


def main():
    """Walks the journey with each fault."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = Server(sys.argv[1], folder, "--empty", "--sandbox-ledger=" + os.path.join(folder, "ledger"))
        journey = Journey(server)
        try:
            for fault in FAULTS:
                browser = Browser("%s/profile-%s" % (folder, fault))
                try:
                    charged = len(journey.charges()) if fault != "none" else 0
                    order = journey.go(browser, fault)
                    journey.check(browser, fault, charged, order)
                finally:
                    browser.close()
            journey.check_metrics()
            server.stop()
            server.check()
        finally:
            server.kill()


if __name__ == "__main__":
    sys.exit(main())
