"""Walks of an administrator through the pages, each in a browser that is logged in."""

import sqlite3
import time

from look import resize, too_wide
from server import EMAIL, PASSWORD

ENTER, TAB, ESCAPE = "\ue007", "\ue004", "\ue00c"
# They are written while the server is down: one by one over the API they would take longer than all walks.
MANY = 50_000


def log_in(browser):
    """Logs in by the form; leads to where one wanted to go."""
    browser.wait("document.querySelector('[name=password]')")
    browser.press("[name=email]", EMAIL)
    browser.press("[name=password]", PASSWORD)
    browser.click("button", "Log in")
    browser.wait("document.querySelector('nav.side')")


def first_start(browser, server):
    """From the first start to the first own metric on the overview: four clicks and one formula."""
    browser.clicks = 0
    browser.open(server.url + "/")
    log_in(browser)
    assert browser.run("return location.pathname") == "/app"
    browser.click("a", "Workbench")
    browser.press("#formula", "sum(orders.total where total > 100 GBP) / count(orders)")
    browser.wait("/£\\d/.test(document.querySelector('#result').innerText)")
    browser.press("[name=name]", "First own metric")
    browser.click("button", "Publish")
    browser.wait("location.pathname === '/app/metrics/first_own_metric'")
    browser.click("button", "Pin to the overview")
    browser.wait("location.pathname === '/app'")
    tile = browser.wait("[...document.querySelectorAll('.tile')].map((own) => own.innerText)"
                        ".find((text) => text.includes('First own metric'))")
    assert "£" in tile, tile
    assert browser.clicks == 4, browser.clicks
    print("from the first start to an own metric on the overview in 4 clicks and one formula")


def mend_a_formula(browser, server):
    """Mends a wrong formula by its button, publishes it, and opens its number down to an order; returns both addresses."""
    browser.open(server.url + "/app/workbench")
    browser.press("#formula", "sum(ordrs.total) / count(orders)")
    browser.wait("document.querySelector('#result [data-fix]')")
    browser.click("#result [data-fix]")
    browser.wait("document.querySelector('#formula').value === 'sum(orders.total) / count(orders)'")
    browser.wait("/£\\d/.test(document.querySelector('#result').innerText)")
    browser.press("[name=name]", "Value of an order")
    browser.click("button[value=publish]")
    browser.wait("location.pathname.startsWith('/app/metrics/')")
    metric = browser.run("return location.pathname")
    browser.open(server.url + metric + "?view=why")
    browser.click("main .tree a[href*='rows=']")
    browser.wait("document.querySelector('#rows tbody')")
    browser.click("#rows tbody a[href^='/app/orders/']")
    browser.wait("location.pathname.startsWith('/app/orders/order_')")
    order = browser.run("return location.pathname")
    print("a formula mended and published, its number opened down to %s" % order)
    return metric, order


def change_several(browser, server):
    """Selects all metrics of a page by one box, and gives them a tag; the page says what happened to each."""
    browser.open(server.url + "/app/metrics")
    browser.click("[data-all=key]")
    count = browser.run("return document.querySelectorAll('input[name=key]:checked').length")
    assert count > 1, count
    browser.run("document.querySelector('[name=action]').value = 'tag'")
    browser.press("[name=tag]", "walked")
    browser.click("button", "Change them")
    browser.wait("document.querySelector('.notice')?.innerText === '%d of %d changed.'" % (count, count))
    browser.click("a", "Back to the metrics")
    browser.wait("[...document.querySelectorAll('.chip')].filter((own) => own.innerText === 'walked').length === %d" % count)
    print("%d metrics got a tag at once" % count)


def write_a_draft(browser, server):
    """Makes a flow, checks a draft that is wrong, and saves one that is right; returns the address of the draft."""
    browser.open(server.url + "/app/flows/new")
    browser.press("[name=name]", "Thanks")
    browser.click("button", "Save")
    browser.wait("document.querySelector('.notice')")
    browser.click("a", "Steps")
    browser.wait("document.querySelector('[name=draft]')")
    browser.run("const own = document.querySelector('[name=draft]'); own.value = own.value.replace('\"to\": \"end\"', '\"to\": \"x\"')")
    browser.click("button", "Check it only")
    browser.wait("document.querySelector('.findings li')")
    shown = browser.run("return document.querySelector('.findings').innerText")
    assert "hello" in shown and "line 4" in shown, shown
    browser.run("const own = document.querySelector('[name=draft]'); own.value = own.value.replace('\"to\": \"x\"', '\"to\": \"end\"')")
    browser.click("button", "Save the draft")
    browser.wait("document.querySelector('.notice')")
    assert "Ready to be published" in browser.run("return document.querySelector('main').innerText")
    print("a draft of a flow mended at its step and saved")
    return browser.run("return location.pathname")


def check_and_back_up(browser, server):
    """Has the whole store checked and backed up by the buttons of its health; a check may end after its page is shown."""
    browser.open(server.url + "/app/health")
    step(browser, "Check now")
    for _ in range(100):
        if browser.run("return document.querySelector('#upkeep .chip') !== null"):
            break
        time.sleep(1)
        browser.open(server.url + "/app/health")
    shown = browser.run("return document.querySelector('#upkeep .chip').innerText")
    assert shown == "consistent", shown
    step(browser, "Back up now")
    browser.wait("document.querySelector('#upkeep').innerText.includes('quotient-')")
    print("the store checked and backed up")


def make_an_alert(browser, server):
    """Draws an alert over its history, saves it, and finds it in the list; returns its address."""
    browser.open(server.url + "/app/metrics/buyers")
    browser.click("button", "Add and put into use")
    browser.wait("document.querySelector('.notice')")
    browser.open(server.url + "/app/alerts/new")
    browser.run("const own = document.querySelector('select[name=metric]'); own.value = 'buyers';"
                "own.dispatchEvent(new Event('change', { bubbles: true }))")
    browser.wait("document.querySelector('figure[data-chart] canvas')")
    browser.press("[name=name]", "Fewer buyers than the moon has stones")
    browser.run("document.querySelector('[name=condition]').value = ''")
    browser.press("[name=condition]", "buyers < 1000000")
    browser.click("button[value=save]")
    browser.wait("document.querySelector('.notice')")
    shown = browser.run("return document.querySelector('main').innerText")
    assert "it would have fired" in shown and "it would have fired 0 times" not in shown, shown
    browser.click("a", "The alert")
    browser.wait("location.pathname.startsWith('/app/alerts/')")
    path = browser.run("return location.pathname")
    browser.click("a", "Alerts")
    browser.wait("document.querySelector('main tbody a[href=\"%s\"]')" % path)
    print("an alert drawn over its history, saved, and found in the list")
    return path


def see_it_fire(browser, server, alert):
    """Waits for the watch, and sees the alert in the list of those that fire and on the overview."""
    for _ in range(100):
        browser.open(server.url + "/app/alerts?state=firing")
        if browser.run("return document.querySelector('main tbody a[href=\"%s\"]') !== null" % alert):
            break
        time.sleep(1)
    browser.click("main tbody a[href='%s']" % alert)
    browser.wait("document.querySelector('main').innerText.includes('firing')")
    browser.open(server.url + "/app")
    browser.wait("document.querySelector('#firing a[href=\"%s\"]')" % alert)
    print("the alert fires: in the list and on the overview")


def step(browser, label, fill=()):
    """Takes a step of an order: opens it, fills its form, and confirms it by its button."""
    browser.click("summary", label)
    for name, text in fill:
        browser.run("document.querySelector('details[open] [name=%s]').value = ''" % name)
        browser.press("details[open] [name=%s]" % name, text)
    browser.run("window.old = true")
    browser.click("details[open] form button")
    browser.wait("!window.old && document.querySelector('.notice')")


def fulfil_and_refund(browser, server):
    """Packs, sends and delivers an order and refunds a part of it, by the buttons; the API has the amounts of the page."""
    browser.open(server.url + "/app/orders?fulfillment_status=not_fulfilled&payment_status=captured")
    browser.click("main tbody a[href^='/app/orders/order_']")
    browser.wait("location.pathname.startsWith('/app/orders/order_')")
    path = browser.run("return location.pathname")
    api = "/admin/orders/" + path.rsplit("/", 1)[1]
    before = browser.ask(api)["order"]
    step(browser, "Pack")
    step(browser, "Send", [("tracking", "TRACK 1")])
    step(browser, "Mark as delivered")
    step(browser, "Refund", [("amount", "1.50"), ("note", "a scratch")])
    after = browser.ask(api)["order"]
    assert after["fulfillment_status"] == "delivered", after["fulfillment_status"]
    refunded = after["summary"]["refunded_total"] - before["summary"]["refunded_total"]
    assert round(refunded, 2) == 1.5, (before["summary"], after["summary"])
    shown = browser.run("return document.querySelector('main').innerText")
    for amount in (after["summary"]["refunded_total"], after["summary"]["paid_total"], after["total"]):
        assert "£{:,.2f}".format(amount) in shown, (amount, shown)
    for line in after["items"]:
        assert "£{:,.2f}".format(line["total"]) in shown, (line["total"], shown)
    assert "£1.50 refunded" in shown, shown
    resize(browser, 360, 800)
    browser.open(server.url + path)
    beside = browser.run("""
        return [...document.querySelectorAll('.ask')].filter((own) => {
            own.open = true;
            const box = own.querySelector('.menu').getBoundingClientRect();
            own.open = false;
            return box.left < 0 || box.right > innerWidth;
        }).map((own) => own.innerText);
    """)
    section = browser.run("""
        const box = document.querySelector('.side [aria-current]').getBoundingClientRect();
        return box.left >= 0 && box.right <= innerWidth;
    """)
    resize(browser, 1280, 860)
    assert beside == [] and section, (beside, section)
    print("an order packed, sent, delivered and refunded in part; on a narrow screen each step can be read")


def write_in_each_locale(browser, server):
    """In each locale of the store an order has its amount and its time as the browser itself writes them."""
    store = browser.ask("/admin/stores")["stores"][0]
    orders = browser.ask("/admin/orders?limit=200&fields=id,total,created_at,currency_code")["orders"]
    order = max(orders, key=lambda own: own["total"])
    change = server.url + "/app/stores/%s/change" % store["id"]
    browser.open(change)
    locales = browser.run("return [...document.querySelectorAll('[name=locale] option')].map((own) => own.value)")
    assert len(locales) == 12, locales
    for locale in [one for one in locales if one != "en-GB"] + ["en-GB"]:
        browser.open(change)
        browser.run("document.querySelector('[name=locale]').value = '%s'" % locale)
        browser.click("button", "Save")
        browser.wait("document.querySelector('.notice')")
        browser.open(server.url + "/app/orders/" + order["id"])
        shown = browser.run("return document.querySelector('main').innerText.replace(/\\s/g, ' ').replace('Sept', 'Sep')")
        for expected in browser.run_async("""
            const [locale, zone, order, done] = arguments;
            const money = { style: 'currency', currency: order.currency_code, currencyDisplay: 'narrowSymbol' };
            const figures = { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' };
            const day = locale.startsWith('en') ? { dateStyle: 'medium', timeStyle: 'short' } : figures;
            const written = [new Intl.NumberFormat(locale, money).format(order.total),
                new Intl.DateTimeFormat(locale, { ...day, timeZone: zone }).format(new Date(order.created_at))];
            done(written.map((own) => own.replace(/\\s/g, ' ').replace('Sept', 'Sep')));
        """, locale, store["time_zone"], order):
            assert expected in shown, (locale, expected, shown)
    print("an order written as the browser writes it, in %d locales" % len(locales))


def log_out_elsewhere(browser, server):
    """Logs out in another tab: the next click leads to log-in and back, and what was typed is still there."""
    formula = "count(orders where total > 12 GBP)"
    browser.open(server.url + "/app/workbench")
    browser.press("#formula", formula)
    browser.press("[name=name]", "Typed before the session ended")
    browser.wait("document.querySelector('#result .figure')")
    old, _ = browser.new_tab()
    browser.open(server.url + "/app")
    # The products come by a request of their own, which must not meet the end of the session.
    browser.wait("!document.querySelector('[hx-trigger=load]')")
    browser.click("details.person summary")
    browser.click("button", "Log out")
    browser.wait("document.querySelector('[name=password]')")
    browser.send("/window", {"handle": old})
    browser.click("button", "Publish")
    log_in(browser)
    browser.wait("location.pathname === '/app/workbench'")
    typed = "[document.querySelector('#formula').value, document.querySelector('[name=name]').value]"
    assert browser.run("return " + typed) == [formula, "Typed before the session ended"]
    browser.click("button", "Publish")
    browser.wait("location.pathname === '/app/metrics/typed_before_the_session_ended'")

    for handle in browser.got("/window/handles"):
        if handle != old:
            browser.send("/window", {"handle": handle})
    log_in(browser)
    where = "/app/orders?fulfillment_status=not_fulfilled"
    browser.open(server.url + where)
    new = browser.got("/window")
    browser.send("/window", {"handle": old})
    browser.open(server.url + "/app")
    browser.click("details.person summary")
    browser.click("button", "Log out")
    browser.wait("document.querySelector('[name=password]')")
    browser.send("/window", {"handle": new})
    link = browser.run("return document.querySelector('main tbody a[href^=\"/app/orders/order_\"]').getAttribute('href')")
    browser.click("main tbody a[href='%s']" % link)
    log_in(browser)
    browser.wait("location.pathname === '%s'" % link)
    browser.end_tab(old)
    print("logged out in another tab: back to the same address, and nothing typed was lost")


def tab_to(browser, condition):
    """Presses Tab until the element with the focus fits."""
    for _ in range(120):
        browser.type(TAB)
        if browser.run("const own = document.activeElement; return " + condition):
            return
    raise AssertionError("Tab does not come to %s" % condition)


def keyboard_alone(browser, server):
    """From log-in to a published metric without a click."""
    browser.forget()
    browser.clicks = 0
    browser.open(server.url + "/app")
    browser.wait("document.activeElement.name === 'email'")
    browser.type(EMAIL)
    browser.type(TAB + PASSWORD + ENTER)
    browser.wait("location.pathname === '/app' && document.readyState === 'complete'")
    browser.type("?")
    browser.wait("document.querySelector('#keys').open")
    browser.type(ESCAPE)
    browser.wait("!document.querySelector('#keys').open")
    browser.type("/")
    browser.wait("document.activeElement.id === 'find'")
    browser.type("value of an order" + ENTER)
    browser.wait("location.pathname === '/app/search' && document.querySelector('main a[href^=\"/app/metrics/\"]')")
    browser.type("gm")
    browser.wait("location.pathname === '/app/metrics' && document.readyState === 'complete'")
    tab_to(browser, "own.innerText === 'New metric'")
    browser.type(ENTER)
    browser.wait("location.pathname === '/app/workbench' && document.readyState === 'complete'")
    tab_to(browser, "own.id === 'formula'")
    browser.type("count(orders where total > 33 GBP)")
    browser.wait("document.querySelector('#result .figure')")
    browser.type(ESCAPE)
    tab_to(browser, "own.name === 'name'")
    browser.type("By the keyboard")
    tab_to(browser, "own.innerText === 'Publish'")
    outline = browser.run("const own = getComputedStyle(document.activeElement); return own.outlineStyle + own.boxShadow")
    assert outline != "nonenone", "the focus cannot be seen"
    browser.type(ENTER)
    browser.wait("location.pathname === '/app/metrics/by_the_keyboard'")
    assert browser.clicks == 0
    state = browser.ask("/admin/metrics/definitions/by_the_keyboard")["metric"]["state"]
    assert state == "active", state
    print("from log-in to a published metric by the keyboard alone")


def add_many(database):
    """Copies a metric many times in the database of a server that is down."""
    names = {"id": "printf('met_many_%05d', n)", "key": "printf('many_%05d', n)", "name": "printf('Many %05d', n)"}
    store = sqlite3.connect(database)
    numbers = "with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < %d) " % MANY
    for table, column, fresh in (("metric", "seq", "1000000 + n"), ("metric_version", "metric_seq", "1000000 + n")):
        columns = [row[1] for row in store.execute("pragma table_info(%s)" % table)]
        known = {**names, column: fresh}
        if table == "metric_version":
            known.update(id="printf('mver_many_%05d', n)", number="1")
        values = ", ".join(known.get(one, "t." + one) for one in columns)
        where = "t.%s = (select seq from metric where key = 'by_the_keyboard')" % column
        store.execute("%s insert into %s (%s) select %s from %s t, numbers where %s"
                      % (numbers, table, ", ".join(columns), values, table, where))
    store.commit()
    store.close()


def server_dies(browser, server):
    """The server dies while a page is open: the page says so, and goes on when the server is back."""
    browser.open(server.url + "/app/workbench")
    browser.press("#formula", "count(orders where total > 44 GBP)")
    browser.press("[name=name]", "Written while the server was away")
    browser.wait("document.querySelector('#result .figure')")
    server.kill()
    browser.press("#formula", " + 1")
    browser.wait("document.querySelector('[role=alert]')?.innerText.includes('does not answer')")
    browser.click("button", "Publish")
    typed = browser.run("return document.querySelector('#formula').value")
    assert typed == "count(orders where total > 44 GBP) + 1", typed
    add_many(server.database)
    began = time.time()
    server.start()
    print("killed and started again after %.1f s with %d metrics more" % (time.time() - began, MANY))
    browser.wait("document.querySelector('.notice')?.innerText.includes('answers again')")
    browser.click("button", "Publish")
    browser.wait("location.pathname === '/app/metrics/written_while_the_server_was_away'")
    formula = browser.ask("/admin/metrics/definitions/written_while_the_server_was_away")["metric"]["formula"]
    assert formula == "count(orders where total > 44 GBP) + 1", formula
    # The browser itself says in the console that requests failed.
    browser.messages()
    print("a server that died and came back: the page said so, and nothing was lost")


def many_metrics(browser, server):
    """50,000 metrics in the list: it is paged, searched, and no wider than the window."""
    count = browser.ask("/admin/metrics/definitions?limit=1")["count"]
    assert count > MANY, count
    resize(browser, 360, 800)
    took = {}
    for path, expected in (("/app/metrics", "1–50 of {:,}".format(count)),
                           ("/app/metrics?offset=%d" % (count - 10), " of {:,}".format(count)),
                           ("/app/metrics?q=many_%05d" % (MANY - 7), "Many %05d" % (MANY - 7)),
                           ("/app/search?q=many_%05d" % (MANY - 7), "Many %05d" % (MANY - 7)),
                           ("/app?edit=1", "Arrange"), ("/app/alerts/new", "New alert"), ("/app/workbench", "Formula")):
        began = time.time()
        browser.open(server.url + path)
        took[path] = time.time() - began
        shown = browser.run("return document.querySelector('main').innerText")
        assert expected in shown or path == "/app?edit=1", (path, shown[:1000])
        assert too_wide(browser) <= 0, path
    assert not browser.messages()
    resize(browser, 1280, 860)
    print("%d metrics in the list: %s" % (count, ", ".join("%s %.2f s" % own for own in took.items())))
