"""Looks at pages: narrow and wide, light and dark, with axe-core, and at what the console says."""

import base64
import pathlib
import re

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIZES = [(360, 800), (390, 844), (1280, 860), (2560, 1300)]


def resize(browser, width, height):
    """Gives the window a size."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.cdp("Emulation.setDeviceMetricsOverride", size)


def too_wide(browser):
    """How many pixels the page is wider than the window."""
    return browser.run("const root = document.documentElement; return root.scrollWidth - root.clientWidth")


def cut_off(browser, width):
    """How many figures, tables beside each other on a wide screen, and choices are wider than what is shown of them."""
    tables = ", .columns .scroll" if width > 640 else ""
    return browser.run("""
        const pen = document.createElement('canvas').getContext('2d');
        const isCut = (own) => {
            if (own.tagName !== 'SELECT') return own.scrollWidth > own.clientWidth;
            const style = getComputedStyle(own), arrow = 20;
            pen.font = style.font;
            const room = own.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
            return own.checkVisibility() && pen.measureText(own.selectedOptions[0]?.label ?? '').width > room;
        };
        return [...document.querySelectorAll('.figure, .range select%s')].filter(isCut).length;
    """ % tables)


def findings(browser, axe):
    """What axe-core finds on the page."""
    browser.run(axe + "; window.axe = axe;")
    return browser.run_async("""
        const [rules, done] = arguments;
        axe.run(document, {runOnly: rules}).then((result) => done(result.violations.map(
            (one) => one.id + ': ' + one.nodes.map((node) => node.target).join(' '))));
    """, RULES)


def look(browser, url, axe, pictures=None):
    """Looks at a page in all sizes and colours; returns what is wrong with it."""
    wrong, path = [], re.sub("^https?://[^/]*", "", url)
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.cdp("Emulation.setEmulatedMedia", {"features": features})
        for width, height in SIZES:
            resize(browser, width, height)
            browser.open(url)
            over = too_wide(browser)
            if over > 0:
                wrong.append("%s at %d: %d pixels too wide" % (path, width, over))
            if cut_off(browser, width):
                wrong.append("%s at %d: a figure, a table or a choice is cut off" % (path, width))
            if pictures:
                image = browser.cdp("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True})
                name = "%s-%d-%s.png" % (re.sub(r"[^a-z0-9]+", "-", path.strip("/")), width, scheme)
                pathlib.Path(pictures, name).write_bytes(base64.b64decode(image["data"]))
        wrong += ["%s, %s: %s" % (path, scheme, one) for one in findings(browser, axe)]
    return wrong + ["%s: %s" % (path, one) for one in browser.messages()]


def glance(browser, url, axe):
    """Looks at a page narrow and wide, in light only; returns what is wrong with it."""
    wrong = []
    for width, height in (SIZES[2], SIZES[0]):
        resize(browser, width, height)
        browser.open(url)
        over = too_wide(browser)
        if over > 0:
            wrong.append("%s at %d: %d pixels too wide" % (url, width, over))
    return wrong + ["%s: %s" % (url, one) for one in findings(browser, axe) + browser.messages()]
