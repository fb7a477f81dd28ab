#!/usr/bin/env python3
"""The pages of administrators in Chromium, as a person walks through them. After the walks each page is looked at narrow and
wide, light and dark: nothing is wider than the window, the console says nothing, and axe-core finds nothing.

pages.py BINARY AXE [PICTURES]: the server, the script of axe-core, and a folder for pictures of the pages
"""

import os
import pathlib
import sys
import tempfile

import behaviour
import walks
from browser import Browser
from look import look
from server import Server
from weigh import weigh

PAGES = [
    "/app", "/app/metrics", "/app/metrics/templates", "/app/workbench", "/app/alerts", "/app/alerts/new", "/app/alert-deliveries",
    "/app/reports", "/app/reports/margins?of=period", "/app/reports/taxes", "/app/reports/stock",
    "/app/orders", "/app/products", "/app/customers", "/app/promotions", "/app/subscriptions",
    "/app/webhooks", "/app/people", "/app/health",
    "/app/returns", "/app/collections", "/app/categories", "/app/tags", "/app/inventory", "/app/reviews", "/app/store-credit", "/app/tiers", "/app/price-lists", "/app/plans",
    "/app/flows", "/app/partners", "/app/conversions", "/app/payouts", "/app/endpoints",
    "/app/invites", "/app/keys", "/app/regions", "/app/tax-regions", "/app/shipping-options",
    "/app/locations", "/app/channels", "/app/stores",
    "/app/products/new", "/app/categories/new", "/app/customers/new", "/app/promotions/new", "/app/keys/new", "/app/partners/new",
    "/app/products/*", "/app/products/*/change", "/app/inventory/*", "/app/customers/*", "/app/customers/*/erase",
    "/app/products/*/categories", "/app/categories/*", "/app/categories/*/change", "/app/tags/*", "/app/products/*/plan", "/app/products/*/add-option", "/app/flows/new", "/app/price-lists/new", "/app/returns/*", "/app/regions/*", "/app/tax-regions/*", "/app/promotions/*",
    "/app/products/*/delete", "/app/regions/*/change", "/app/shipping-options/*/change", "/app/locations/*", "/app/stores/*/change",
]
VIEWS = ("why", "change", "lineage", "versions", "checks", "audit")


def resolved(browser, server, path):
    """The path of a page, in which a star stands for the first record of a list."""
    if "*" not in path:
        return path
    kind, rest = path.split("/*")
    browser.open(server.url + kind)
    return browser.run("return document.querySelector('main tbody a').pathname") + rest


def walk(browser, server, axe, pictures):
    """Walks, and looks at each page."""
    walks.first_start(browser, server)
    metric, order = walks.mend_a_formula(browser, server)
    alert = walks.make_an_alert(browser, server)
    walks.change_several(browser, server)
    draft = walks.write_a_draft(browser, server)
    walks.check_and_back_up(browser, server)
    walks.fulfil_and_refund(browser, server)
    behaviour.open_menus(browser, server)
    behaviour.chart_values(browser, server)
    behaviour.without_script(browser, server)
    walks.write_in_each_locale(browser, server)
    behaviour.press_twice(browser, server)
    walks.log_out_elsewhere(browser, server)
    behaviour.session_ends(browser, server)
    walks.keyboard_alone(browser, server)
    said = browser.messages()
    assert not said, said
    paths = [resolved(browser, server, path) for path in PAGES] + [metric] + ["%s?view=%s" % (metric, view) for view in VIEWS] + [order, alert, draft, draft.replace("/draft", "/step"), draft.replace("/draft", "/step?of=hello"), metric + "?view=why&rows=1"]
    wrong = [one for path in paths for one in look(browser, server.url + path, axe, pictures)]
    assert not wrong, "\n".join(wrong)
    print("%d pages in 8 forms each: nothing found, no message" % len(paths))
    weigh(browser, server.url, paths)
    walks.see_it_fire(browser, server, alert)
    walks.server_dies(browser, server)
    walks.many_metrics(browser, server)


def main():
    """Starts a server and a browser, and walks."""
    binary, axe = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    pictures = sys.argv[3] if len(sys.argv) > 3 else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = Server(binary, folder, store=os.environ.get("QUOTIENT_DEMO_STORE", ""))
        browser = Browser(folder + "/profile")
        try:
            walk(browser, server, axe, pictures)
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    sys.exit(main())
