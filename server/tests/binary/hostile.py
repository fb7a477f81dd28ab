#!/usr/bin/env python3
"""A hostile shop in Chromium: first without anything in it, then with scripts and markup, text from right to left and names
of 10,000 characters in everything that has a name, in a currency without minor units. No page is wider than a narrow
window, no script runs, the console says nothing, and axe-core finds nothing.

hostile.py BINARY AXE: the server, and the script of axe-core
"""

import pathlib
import sys
import tempfile

from browser import Browser
from look import glance
from server import Server
from shop import Shop
from walks import log_in

SCRIPT = "<script>window.pwned=1</script><img src=x onerror=\"window.pwned=2\">'\"><b>&amp;{{7*7}}</b>"
REVERSED = "שלום עולם, مرحبا بالعالم a1"
LONG = "W" * 10_000
NAMES = {"script": SCRIPT, "reversed": REVERSED, "long": LONG}

LISTS = [
    "", "/metrics", "/metrics/templates", "/workbench", "/alerts", "/alerts/new", "/reports", "/orders", "/products",
    "/customers", "/promotions", "/price-lists", "/subscriptions", "/webhooks", "/people", "/keys", "/regions", "/channels",
    "/health", "/search",
]


def make(shop, path, member, field, name, body):
    """Makes a record with a name, cut to the longest that the API takes; returns it and the length of its name."""
    refusals = []
    for length in (len(name), 1024, 255, 200, 120, 100, 64):
        cut = name[:length]
        status, answer = shop.try_admin(path, {**body, field: cut})
        if status in (200, 201):
            return answer[member], len(cut)
        refusals.append(answer)
    raise AssertionError((path, refusals))


def fill(shop):
    """Gives everything a hostile name; returns the paths of their pages, the lengths of the
    longest names, and the keys of the metrics."""
    store = shop.admin("/admin/stores")["stores"][0]
    shop.admin("/admin/stores/%s" % store["id"], {
        "name": SCRIPT[:60], "supported_currencies": [{"currency_code": "jpy", "is_default": True}],
    })
    shop.furnish([(SCRIPT, "SCRIPT")], 1234, 500)
    paths, lengths, metrics = [], {}, []
    for word, name in NAMES.items():
        product, _ = make(shop, "/admin/products", "product", "title", name, {
            "status": "published", "sales_channels": [{"id": shop.channel}], "handle": "hostile-" + word,
            "description": name, "options": [{"title": "Kind", "values": ["One"]}],
            "variants": [{"title": "One", "options": {"Kind": "One"}, "manage_inventory": False,
                          "prices": [{"currency_code": "jpy", "amount": 1234}]}],
        })
        lengths["product"] = len(product["title"])
        paths.append("/products/" + product["id"])
        shop.variants.insert(0, product["variants"][0]["id"])
        email = "%s@example.com" % word
        customer, lengths["customer"] = make(shop, "/admin/customers", "customer", "first_name", name,
                                             {"last_name": name[:60], "company_name": name[:60], "email": email})
        paths.append("/customers/" + customer["id"])
        metric, lengths["metric"] = make(shop, "/admin/metrics/definitions", "metric", "name", name, {
            "category": "sales", "scope": "store", "data_type": "currency",
            "description": name[:2000], "formula": "sum(orders.total)",
        })
        shop.admin("/admin/metrics/catalog/%s/lifecycle" % metric["key"], {"state": "active"})
        paths += ["/metrics/" + metric["key"] + view for view in ("", "?view=why", "?view=lineage", "?view=versions")]
        alert, lengths["alert"] = make(shop, "/admin/metrics/alerts", "alert", "name", name, {
            "metric_id": metric["key"], "condition": metric["key"] + " > 0", "granularity": "day", "severity": "warning",
        })
        paths.append("/alerts/" + alert["id"])
        _, lengths["channel"] = make(shop, "/admin/sales-channels", "sales_channel", "name", name, {})
        _, lengths["promotion"] = make(shop, "/admin/price-lists", "price_list", "title", name, {
            "description": name[:200], "type": "sale", "prices": []})
        _, order = shop.place_order(email, (name[:100], name[:100]))
        paths.append("/orders/" + order)
        metrics.append(metric["key"])
    return paths, lengths, metrics


def glance_at(browser, server, axe, paths):
    """Looks at pages; fails with all that is wrong with them."""
    wrong = []
    for path in paths:
        wrong += glance(browser, server.url + "/app" + path, axe)
        if browser.run("return window.pwned !== undefined || document.querySelector('main img, main script, main b b') !== null"):
            wrong.append("%s: a script or markup came through" % path)
        if browser.run("return document.querySelector('.failed') !== null"):
            wrong.append("%s: %s" % (path, browser.run("return document.querySelector('.failed').innerText")))
    assert not wrong, "\n".join(wrong)


def main():
    """Looks at the shop without data, fills it, and looks again."""
    binary, axe = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = Server(binary, folder, "--empty")
        browser = Browser(folder + "/profile")
        try:
            browser.open(server.url + "/app")
            log_in(browser)
            glance_at(browser, server, axe, LISTS)
            print("no data at all: %d pages stand" % len(LISTS))
            shop = Shop(server.url, server.key("publishable"), server.key("secret"), "jpy", "jp")
            paths, lengths, metrics = fill(shop)
            paths = LISTS + ["?edit=1", "/search?q=W", "/alerts/new?metric=" + metrics[-1],
                             "/workbench?metric=" + metrics[-1], "/reports/top-products"] + paths
            glance_at(browser, server, axe, paths)
            browser.open(server.url + "/app" + paths[-1])
            shown = browser.run("return document.querySelector('main').innerText")
            assert "¥1,234" in shown and "¥1,734" in shown and "¥1,234." not in shown, shown[-2000:]
            said = ", ".join("%s %d" % own for own in lengths.items())
            print("a hostile shop: %d pages stand; the longest names: %s" % (len(paths), said))
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    sys.exit(main())
