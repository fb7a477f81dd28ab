#!/usr/bin/env python3
"""Makes visits, events, reviews, wishes and payments of some months, and counts every metric about them without the engine.

    python3 figures.py                   writes figures.json
    python3 figures.py --check           compares with it and fails on a difference
    python3 figures.py --times N FILE    writes N times as many rows to another file

Some visits go on into the next month, some events have no visit, and some orders no visit. Amounts are whole pence;
instants are milliseconds since 1970. Quotients have 28 digits, rounded half to even. A missing value is null.
"""

import decimal
import json
import random
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recount import by_month, divide, ms, times, write_or_check  # noqa: E402

EXPECTED = Path(__file__).resolve().parent / "figures.json"
MONTHS = [(2026, 2), (2026, 3), (2026, 4)]
BEGIN = datetime(2026, 1, 20, tzinfo=timezone.utc)
DAYS = 105

decimal.getcontext().prec = 28
decimal.getcontext().rounding = decimal.ROUND_HALF_EVEN

STEPS = ["page_viewed", "product_viewed", "product_added_to_cart", "checkout_started"]


def moment(chance):
    """Some moment; now and then the last minutes of a month."""
    at = BEGIN + timedelta(days=chance.randrange(DAYS), milliseconds=chance.randrange(86_400_000))
    if chance.random() < 0.1:
        first = (at.replace(day=1) + timedelta(days=32)).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        at = first - timedelta(minutes=chance.randint(1, 20))
    return at


def visits(chance):
    """Visits with what is done in each, and the orders that come of it."""
    rows, events, orders = [], [], []
    for number in range(1, 260 * times() + 1):
        at = moment(chance)
        rows.append({"id": "visit-%016d" % number, "started_at": ms(at)})

        def note(name, visit=rows[-1]["id"]):
            product = chance.randint(1, 3) if name.startswith("product") else None
            events.append({"name": name, "visit": visit, "product": product, "at": ms(at)})

        for step, stays in zip(STEPS, [0.95, 0.7, 0.55, 0.6]):
            if chance.random() > stays:
                break
            for _ in range(chance.randint(1, 3)):
                note(step)
                at += timedelta(minutes=chance.randint(0, 9))
        else:
            if chance.random() < 0.7:
                orders.append({"visit": rows[-1]["id"], "at": ms(at)})
        if chance.random() < 0.4:
            note("banner_viewed")
            if chance.random() < 0.5:
                note("banner_clicked")
    for _ in range(40 * times()):
        at = moment(chance)
        name = chance.choice(STEPS)
        product = chance.randint(1, 3) if name.startswith("product") else None
        events.append({"name": name, "visit": None, "product": product, "at": ms(at)})
    for _ in range(30 * times()):
        orders.append({"visit": None, "at": ms(moment(chance))})
    for order in orders:
        order["total_minor"] = chance.randrange(1_000, 9_000)
        order["credit_minor"] = chance.randrange(1, order["total_minor"]) if chance.random() < 0.3 else 0
        order["delivered"] = chance.random() < 0.8
    return rows, events, orders


def reviews(chance):
    """Reviews with what was decided about them."""
    rows = []
    for _ in range(150 * times()):
        at = moment(chance)
        rating = chance.choice([1, 2, 3, 4, 4, 5, 5, 5])
        status = chance.choices(["pending", "approved", "rejected"], [2, 6, 2])[0]
        decided = None if status == "pending" else at + timedelta(milliseconds=chance.randrange(1, 9 * 86_400_000))
        rows.append({"product": chance.randint(1, 3), "rating": rating, "status": status, "at": ms(at),
                     "decided_at": ms(decided), "verified": chance.random() < 0.5})
    return rows


def wishes(chance):
    """Wishes; some were taken back before they were made again, which does not count."""
    rows = []
    for number in range(60 * times()):
        at = moment(chance)
        removed = chance.choice([None, at + timedelta(days=2), at - timedelta(days=2), at])
        rows.append({"product": chance.randint(1, 3), "holder": number, "added_at": ms(at), "removed_at": ms(removed)})
    return rows


def payments(chance):
    """Attempts to pay, in pounds and a few in dollars, which do not count."""
    statuses = ["succeeded", "succeeded", "succeeded", "failed", "requires_action"]
    return [
        {"status": chance.choice(statuses), "currency": "usd" if number % 11 == 0 else "gbp", "at": ms(moment(chance))}
        for number in range(120 * times())
    ]


def make():
    """Makes all rows."""
    chance = random.Random(20)
    sessions, events, orders = visits(chance)
    return {"visits": sessions, "events": events, "orders": orders, "reviews": reviews(chance),
            "wishes": wishes(chance), "payments": payments(chance)}


def figures(rows, start, end):
    """Counts all metrics of the time from `start` up to before `end`."""

    def within(some, key="at"):
        return [one for one in some if one[key] is not None and start <= one[key] < end]

    sessions = {one["id"] for one in within(rows["visits"], "started_at")}
    events, orders = within(rows["events"]), within(rows["orders"])
    reviewed, wished = within(rows["reviews"]), within(rows["wishes"], "added_at")
    paid = [one for one in within(rows["payments"]) if one["currency"] == "gbp"]
    delivered = [one for one in orders if one["delivered"]]

    def named(name):
        return [one for one in events if one["name"] == name]

    def visits_with(name):
        return sessions & {one["visit"] for one in named(name)}

    def share(some, all_of_them):
        return divide(len(some), len(all_of_them))

    def approved(some):
        return [one for one in some if one["status"] == "approved"]

    def average(some):
        return divide(Decimal(sum(one["total_minor"] for one in some)).scaleb(-2), len(some))

    buying = sessions & {one["visit"] for one in orders}
    good = [one for one in reviewed if one["rating"] >= 4]
    bad = [one for one in reviewed if one["rating"] <= 2]
    decided = [one for one in reviewed if one["decided_at"] is not None]
    with_credit = average([one for one in orders if one["credit_minor"] > 0])
    without = average([one for one in orders if one["credit_minor"] == 0])
    gap = (share(approved(good), good), share(approved(bad), bad))
    waited = divide(sum(one["decided_at"] - one["at"] for one in decided), len(decided))
    return {
        "average_rating": divide(sum(one["rating"] for one in approved(reviewed)), len(approved(reviewed))),
        "review_count": len(approved(reviewed)),
        "verified_review_share": share([one for one in reviewed if one["verified"]], reviewed),
        "review_rate": share([one for one in reviewed if one["verified"]], delivered),
        "review_approval_rate": share(approved(reviewed), decided),
        "moderation_gap": None if None in gap else gap[0] - gap[1],
        "moderation_time": None if waited is None else waited / 1000,
        "view_to_cart": share(named("product_added_to_cart"), named("product_viewed")),
        "views_per_session": share(named("product_viewed"), sessions),
        "visit_to_view": share(visits_with("product_viewed"), sessions),
        "cart_to_checkout": share(visits_with("checkout_started"), visits_with("product_added_to_cart")),
        "checkout_to_order": share(visits_with("checkout_started") & buying, visits_with("checkout_started")),
        "banner_click_rate": share(named("banner_clicked"), named("banner_viewed")),
        "banner_conversion": share(visits_with("banner_clicked") & buying, visits_with("banner_clicked")),
        "wish_removal_rate": share(
            [one for one in wished if one["removed_at"] is not None and one["removed_at"] >= one["added_at"]], wished
        ),
        "card_refusal_rate": share([one for one in paid if one["status"] == "failed"], paid),
        "credit_lift": None if None in (with_credit, without) else with_credit - without,
        "conversion_rate": share(buying, sessions),
    }


def main():
    """Writes or compares."""
    rows = make()
    months = by_month(MONTHS, lambda start, end: figures(rows, start, end))
    parts = ['"months": %s' % json.dumps(months, indent=1)]
    for key, some in rows.items():
        parts.append('"%s": [\n%s\n]' % (key, ",\n".join(json.dumps(one) for one in some)))
    found = "{%s}\n" % ",\n".join(parts)
    write_or_check(EXPECTED, found)


if __name__ == "__main__":
    main()
