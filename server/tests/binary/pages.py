#!/usr/bin/env python3
"""The pages of administrators in Chromium, as a person walks through them: log-in, a wrong formula that its button mends, a
metric that is published and opened down to an order, and log-out. Each page is looked at narrow and wide, light and dark:
nothing is wider than the window, the console says nothing, and axe-core finds nothing.

pages.py AXE [PICTURES]: the script of axe-core, and a folder for pictures of the pages
"""

import base64
import os
import pathlib
import re
import sys
import tempfile

from browser import Browser

BASE = os.environ["QUOTIENT_URL"]
ENTER = "\ue007"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIZES = [(360, 800), (1280, 860), (2560, 1300)]

PAGES = [
    "/app", "/app/metrics", "/app/metrics/templates", "/app/workbench", "/app/alerts", "/app/alerts/new",
    "/app/reports", "/app/orders", "/app/products", "/app/customers", "/app/promotions", "/app/subscriptions",
    "/app/webhooks", "/app/people", "/app/health",
    "/app/returns", "/app/inventory", "/app/reviews", "/app/store-credit", "/app/price-lists", "/app/plans",
    "/app/flows", "/app/partners", "/app/conversions", "/app/payouts", "/app/endpoints",
    "/app/invites", "/app/keys", "/app/regions", "/app/tax-regions", "/app/shipping-options",
    "/app/locations", "/app/channels", "/app/stores",
    "/app/products/new", "/app/customers/new", "/app/promotions/new", "/app/keys/new", "/app/partners/new",
    "/app/products/*", "/app/products/*/change", "/app/inventory/*", "/app/customers/*", "/app/customers/*/erase",
    "/app/returns/*", "/app/regions/*", "/app/tax-regions/*", "/app/promotions/*",
]


def log_in(browser):
    """Logs in by the form; leads to where one wanted to go."""
    browser.wait("document.querySelector('[name=password]')")
    browser.press("[name=email]", os.environ["QUOTIENT_ADMIN_EMAIL"])
    browser.press("[name=password]", os.environ["QUOTIENT_ADMIN_PASSWORD"] + ENTER)


def write_a_metric(browser):
    """Mends a wrong formula by its button and publishes it; returns the address of the metric."""
    browser.open(BASE + "/app/workbench")
    browser.press("#formula", "sum(ordrs.total) / count(orders)")
    browser.wait("document.querySelector('#result [data-fix]')")
    browser.click("#result [data-fix]")
    browser.wait("document.querySelector('#formula').value === 'sum(orders.total) / count(orders)'")
    browser.wait("/£\\d/.test(document.querySelector('#result').innerText)")
    browser.press("[name=name]", "Value of an order")
    browser.click("button[value=publish]")
    browser.wait("location.pathname.startsWith('/app/metrics/')")
    return browser.run("return location.pathname")


def open_down_to_an_order(browser, metric):
    """Follows a number to the orders that it counts, and opens one."""
    browser.open(BASE + metric + "?view=why")
    browser.click("main a[href^='/app/orders']")
    browser.wait("document.querySelector('h1').innerText === 'Orders'")
    browser.click("main td a[href^='/app/orders/'], main th a[href^='/app/orders/']")
    browser.wait("location.pathname.startsWith('/app/orders/order_')")
    return browser.run("return location.pathname")


def look(browser, path, axe, pictures):
    """Looks at a page in all sizes and colours; returns what is wrong with it. A star stands for the first record of a list."""
    if "*" in path:
        kind, rest = path.split("/*")
        browser.open(BASE + kind)
        path = browser.run("return document.querySelector('main tbody a').pathname") + rest
    wrong = []
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.cdp("Emulation.setEmulatedMedia", {"features": features})
        for width, height in SIZES:
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            browser.cdp("Emulation.setDeviceMetricsOverride", size)
            browser.open(BASE + path)
            root = "document.documentElement"
            over = browser.run("return %s.scrollWidth - %s.clientWidth" % (root, root))
            if over > 0:
                wrong.append("%s at %d: %d pixels too wide" % (path, width, over))
            if pictures:
                image = browser.cdp("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True})
                name = "%s-%d-%s.png" % (re.sub(r"[^a-z0-9]+", "-", path.strip("/")), width, scheme)
                pathlib.Path(pictures, name).write_bytes(base64.b64decode(image["data"]))
        browser.run(axe + "; window.axe = axe;")
        found = browser.send("/execute/async", {"args": [RULES], "script": """
            const [rules, done] = arguments;
            axe.run(document, {runOnly: rules}).then((result) => done(result.violations.map(
                (one) => one.id + ': ' + one.nodes.map((node) => node.target).join(' '))));
        """})
        wrong += ["%s, %s: %s" % (path, scheme, one) for one in found]
    lines = browser.send("/se/log", {"type": "browser"})
    return wrong + ["%s: %s" % (path, one["message"]) for one in lines]


def main():
    """Walks, and looks at each page."""
    axe = pathlib.Path(sys.argv[1]).read_text()
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            browser.open(BASE + "/app/orders?fulfillment_status=not_fulfilled")
            log_in(browser)
            browser.wait("location.pathname + location.search === '/app/orders?fulfillment_status=not_fulfilled'")
            metric = write_a_metric(browser)
            order = open_down_to_an_order(browser, metric)
            print("a formula mended and published, its number opened down to %s" % order)
            views = ("why", "change", "lineage", "versions", "checks", "audit")
            paths = PAGES + [metric] + ["%s?view=%s" % (metric, view) for view in views] + [order]
            wrong = [one for path in paths for one in look(browser, path, axe, pictures)]
            assert not wrong, "\n".join(wrong)
            print("%d pages in 6 forms each: nothing found, no message" % len(paths))
            browser.open(BASE + "/app")
            browser.run("document.querySelector('form[action=\\'/app/log-out\\']').submit()")
            browser.wait("document.querySelector('[name=password]')")
            browser.open(BASE + "/app/metrics")
            browser.wait("location.pathname === '/app/log-in'")
            print("logged out")
        finally:
            browser.close()


if __name__ == "__main__":
    sys.exit(main())
