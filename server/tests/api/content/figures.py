#!/usr/bin/env python3
"""Makes orders of some months with and without bundles, and counts every metric about bundles without the engine.

    python3 figures.py                   writes figures.json
    python3 figures.py --check           compares with it and fails on a difference
    python3 figures.py --times N FILE    writes N times as many rows to another file

Some orders are cancelled, some have several bundles, and some are in dollars, which do not count. The first month has no
bundle. Amounts are whole pence; instants are milliseconds since 1970. Quotients have 28 digits, rounded half to even. A
missing value is null.
"""

import json
import random
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recount import by_month, divide, money, ms, times, write_or_check  # noqa: E402

EXPECTED = Path(__file__).resolve().parent / "figures.json"
MONTHS = [(2026, 1), (2026, 2), (2026, 3), (2026, 4)]
BEGIN = datetime(2026, 1, 1, tzinfo=timezone.utc)
FIRST_BUNDLE = datetime(2026, 2, 1, tzinfo=timezone.utc)


def bundle(chance):
    """A bundle of an order: complete sets, goods, and what its sets were cheaper."""
    sets = chance.choice([0, 1, 1, 2, 3])
    return {"title": chance.choice(["Tea", "Coffee"]), "sets": sets, "subtotal": chance.randrange(800, 9_000),
            "discount": chance.randrange(50, 700) if sets else 0}


def make():
    """Makes all orders."""
    chance = random.Random(12)
    orders = []
    for number in range(160 * times()):
        at = BEGIN + timedelta(days=chance.randrange(120), milliseconds=chance.randrange(86_400_000))
        if chance.random() < 0.1:
            at = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        count = chance.choice([0, 0, 0, 1, 1, 2]) if at >= FIRST_BUNDLE else 0
        orders.append({
            "at": ms(at), "currency": "usd" if number % 13 == 0 else "gbp",
            "status": "canceled" if chance.random() < 0.15 else "completed",
            "bundles": [bundle(chance) for _ in range(count)],
        })
    return orders


def figures(orders, start, end):
    """Counts all metrics of the time from `start` up to before `end`."""
    placed = [one for one in orders if one["currency"] == "gbp" and start <= one["at"] < end]
    counted = [one for one in placed if one["status"] != "canceled"]
    bundles = [sold for one in counted for sold in one["bundles"]]
    revenue = money(sum(one["subtotal"] for one in bundles))
    discount = money(sum(one["discount"] for one in bundles))
    return {
        "bundle_revenue": revenue,
        "bundle_sets": sum(one["sets"] for one in bundles),
        "bundle_discount": discount,
        "bundle_discount_rate": divide(discount, revenue + discount),
        "bundle_order_share": divide(len([one for one in counted if one["bundles"]]), len(counted)),
    }


def main():
    """Writes or compares."""
    orders = make()
    months = by_month(MONTHS, lambda start, end: figures(orders, start, end))
    rows = ",\n".join(json.dumps(one) for one in orders)
    found = '{"months": %s,\n"orders": [\n%s\n]}\n' % (json.dumps(months, indent=1), rows)
    write_or_check(EXPECTED, found)


if __name__ == "__main__":
    main()
