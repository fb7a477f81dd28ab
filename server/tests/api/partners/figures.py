#!/usr/bin/env python3
"""Makes clicks on partners' links and the orders that they brought, and counts every metric about them without the engine.

    python3 figures.py                   writes figures.json
    python3 figures.py --check           compares with it and fails on a difference
    python3 figures.py --times N FILE    writes N times as many rows to another file

Conversions are in pounds and a few in dollars, which do not count; some renew, some are rejected or reversed, some came
by a promotion code. Some of it happens at the first instant of a month. Amounts are whole pence; instants are
milliseconds since 1970. Quotients have 28 digits, rounded half to even. A missing value is null.
"""

import json
import random
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recount import by_month, divide, money, ms, times, write_or_check  # noqa: E402

EXPECTED = Path(__file__).resolve().parent / "figures.json"
# Nothing happens in the last one.
MONTHS = [(2026, 1), (2026, 2), (2026, 3), (2026, 4)]
BEGIN = datetime(2026, 1, 1, tzinfo=timezone.utc)
END = datetime(2026, 4, 1, tzinfo=timezone.utc)
RATES = {"ALPS": 75_000, "LAKE": 125_000, "COAST": 33_333}


def earned(base, rate):
    """The commission on a base, half a penny up."""
    return (base * rate * 2 + 1_000_000) // 2_000_000


def make():
    """Makes clicks, each with the conversions that it brought, and conversions without a click."""
    chance = random.Random(20)
    clicks, conversions = [], []
    span = round((END - BEGIN).total_seconds() * 1000)
    for number in range(400 * times()):
        at = BEGIN + timedelta(milliseconds=chance.randrange(span))
        if chance.random() < 0.05:
            at = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        clicks.append({
            "number": number, "code": chance.choice(sorted(RATES)), "at": ms(at), "repeats": chance.choice([0, 0, 0, 1, 3]),
            "country": chance.choice(["gb", "us", None]), "device": chance.choice(["desktop", "mobile", "tablet"]),
        })
        placed = at + timedelta(minutes=chance.randrange(1, 40_000))
        if chance.random() < 0.3 and placed < END:
            conversions.append(convert(chance, len(conversions), clicks[-1]["code"], number, placed))
            if chance.random() < 0.2 and placed + timedelta(days=30) < END:
                renewed = convert(chance, len(conversions), clicks[-1]["code"], number, placed + timedelta(days=30))
                renewed["is_renewal"], renewed["is_new_customer"] = 1, 0
                conversions.append(renewed)
        elif chance.random() < 0.05:
            conversions.append(convert(chance, len(conversions), clicks[-1]["code"], None, at))
    return {"clicks": clicks, "conversions": conversions}


def convert(chance, number, code, click, placed):
    """Makes the conversion of an order."""
    status = chance.choice(["pending", "approved", "paid", "paid", "reversed", "rejected"])
    base = 0 if status == "reversed" else chance.randrange(500, 30_000)
    return {
        "number": number, "code": code, "click": click, "placed_at": ms(placed), "status": status,
        "currency": "usd" if chance.random() < 0.1 else "gbp", "base_minor": base,
        "commission_minor": 0 if status == "rejected" else earned(base, RATES[code]),
        "is_new_customer": int(chance.random() < 0.6), "is_renewal": 0,
    }


def figures(rows, start, end):
    """Counts all metrics of the time from `start` up to before `end`."""
    clicks = [one for one in rows["clicks"] if start <= one["at"] < end]
    own = [
        one for one in rows["conversions"] if one["currency"] == "gbp" and start <= one["placed_at"] < end
    ]
    brought = {one["click"] for one in rows["conversions"] if not one["is_renewal"] and one["click"] is not None}
    counted = [one for one in own if one["status"] != "rejected"]
    first = [one for one in own if not one["is_renewal"]]
    base = sum(one["base_minor"] for one in counted)
    commission = sum(one["commission_minor"] for one in own)
    at = {one["number"]: one["at"] for one in rows["clicks"]}
    waits = [one["placed_at"] - at[one["click"]] for one in first if one["click"] is not None]
    return {
        "partner_revenue": money(base),
        "partner_commission": money(commission),
        "commission_rate": divide(commission, base),
        "commission_owed": money(sum(one["commission_minor"] for one in own if one["status"] in ("pending", "approved"))),
        "partner_roas": divide(sum(one["base_minor"] for one in own), commission),
        "click_conversion": divide(len([one for one in clicks if one["number"] in brought]), len(clicks)),
        "earnings_per_click": divide(money(sum(one["commission_minor"] for one in counted)), len(clicks)),
        "partner_new_share": divide(len([one for one in first if one["is_new_customer"]]), len(first)),
        "partner_rejection_rate": divide(len([one for one in own if one["status"] == "rejected"]), len(own)),
        # In seconds.
        "time_to_convert": divide(Decimal(sum(waits)) / 1000, len(waits)),
    }


def main():
    """Writes or compares."""
    rows = make()
    months = by_month(MONTHS, lambda start, end: figures(rows, start, end))
    found = '{"months": %s,\n"clicks": [\n%s\n],\n"conversions": [\n%s\n]}\n' % (
        json.dumps(months, indent=1),
        ",\n".join(json.dumps(one) for one in rows["clicks"]),
        ",\n".join(json.dumps(one) for one in rows["conversions"]),
    )
    write_or_check(EXPECTED, found)


if __name__ == "__main__":
    main()
