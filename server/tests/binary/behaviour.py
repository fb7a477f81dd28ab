"""How pages behave between a press and its answer, with the keyboard, without their script, and when a session ends."""

from walks import ESCAPE, log_in


def open_menus(browser, server):
    """Another menu, Escape and a press beside it close a menu."""
    browser.open(server.url + "/app/orders?payment_status=captured")
    browser.click("main tbody a[href^='/app/orders/order_']")
    browser.wait("location.pathname.startsWith('/app/orders/order_')")
    is_open = "[...document.querySelectorAll('details.person, details.ask')].map((own) => own.open)"
    browser.run("document.querySelector('.person summary').click(); document.querySelector('.ask summary').click()")
    opened = browser.run("return " + is_open)
    assert opened[:2] == [False, True], opened
    browser.type(ESCAPE)
    browser.wait("!%s.includes(true) && document.activeElement === document.querySelector('.ask summary')" % is_open)
    browser.run("document.querySelector('.person summary').click(); document.querySelector('h1').click()")
    assert True not in browser.run("return " + is_open), "it stays open"
    print("menus that give way to one another")


def chart_values(browser, server):
    """Over a chart, the values of the day under the pointer are shown as the page writes them."""
    browser.open(server.url + "/app")
    browser.wait("document.querySelector('.chart .u-over')")
    browser.run("""
        const over = document.querySelector('.chart .u-over');
        const { left, top, width, height } = over.getBoundingClientRect();
        const at = { bubbles: true, clientX: left + width / 2, clientY: top + height / 2 };
        for (const name of ['mouseenter', 'mousemove']) over.dispatchEvent(new MouseEvent(name, at));
    """)
    browser.wait("[...document.querySelectorAll('.chart .tip')].some((tip) => !tip.hidden)")
    shown = browser.run("return [...document.querySelectorAll('.chart .tip:not([hidden]) b')].map((own) => own.innerText)")
    assert shown and any(character.isdigit() for value in shown for character in value), shown
    print("the values under the pointer")


def without_script(browser, server):
    """Without the script there is no room for a chart that nothing draws, and a choice has its button."""
    browser.cdp("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.open(server.url + "/app")
    for domain in ("DOM", "CSS"):
        browser.cdp(domain + ".enable", {})
    root = browser.cdp("DOM.getDocument", {})["root"]["nodeId"]
    shown = []
    for selector in (".chart .canvas", ".range button"):
        node = browser.cdp("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        style = browser.cdp("CSS.getComputedStyleForNode", {"nodeId": node})["computedStyle"]
        shown.append(next(own["value"] for own in style if own["name"] == "display") != "none")
    browser.cdp("Emulation.setScriptExecutionDisabled", {"value": False})
    assert shown == [False, True], shown
    print("the overview without its script")


def press_twice(browser, server):
    """A button that is pressed again before the answer comes makes the change once."""
    slow = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.cdp("Network.enable", {})
    browser.open(server.url + "/app/tags/new")
    browser.press("[name=value]", "pressed twice")
    browser.cdp("Network.emulateNetworkConditions", slow)
    # The first press asks whether the server answers, and sends the form after 300 ms; the second comes then.
    browser.run("""
        const button = document.querySelector('main form button');
        button.click();
        setTimeout(() => button.click(), 400);
    """)
    browser.wait("location.pathname.startsWith('/app/tags/ptag_') && document.querySelector('.notice')")
    browser.cdp("Network.emulateNetworkConditions", {**slow, "latency": 0})
    assert browser.run("return document.querySelector('h1').innerText") == "pressed twice"
    print("a form sent once by two presses")


def session_ends(browser, server):
    """The session ends while a form is filled in: after the log-in it has what was typed, and when it is opened again it is empty."""
    form = server.url + "/app/products/new"
    browser.open(form)
    browser.press("[name=title]", "Typed before the session ended")
    browser.click("[name=stock]")
    browser.forget()
    browser.click("button", "Save")
    log_in(browser)
    typed = "return [document.querySelector('[name=title]').value, document.querySelector('[name=stock]').checked]"
    assert browser.run(typed) == ["Typed before the session ended", False], browser.run(typed)
    browser.open(form)
    assert browser.run(typed) == ["", True], browser.run(typed)
    browser.open(server.url + "/app/orders?payment_status=captured")
    browser.click("main tbody a[href^='/app/orders/order_']")
    browser.wait("location.pathname.startsWith('/app/orders/order_')")
    browser.click("summary", "Refund")
    browser.press("details[open] [name=note]", "a scratch")
    browser.forget()
    browser.click("details[open] form button")
    log_in(browser)
    assert browser.run("return document.querySelector('details.ask[open] [name=note]')?.value") == "a scratch"
    print("a form sent after the session ended: nothing typed was lost")
