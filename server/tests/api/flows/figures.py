#!/usr/bin/env python3
"""Makes sessions of flows and what shoppers did in them, and counts every metric about them without the engine.

    python3 figures.py                   writes figures.json
    python3 figures.py --check           compares with it and fails on a difference
    python3 figures.py --times N FILE    writes N times as many rows to another file

The sessions are in pounds, and a few in dollars, which do not count. Some are of robots, some presses are refused or
closed, and some happen at the first instant of a month. Amounts are whole pence; instants are milliseconds since 1970.
Quotients have 28 digits, rounded half to even. A missing value is null.
"""

import json
import random
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recount import by_month, divide, ms, text, times, write_or_check  # noqa: E402

EXPECTED = Path(__file__).resolve().parent / "figures.json"
MONTHS = [(2026, 2), (2026, 3), (2026, 4), (2026, 5)]
BEGIN = datetime(2026, 2, 1, tzinfo=timezone.utc)
DAYS = 110

# The 97.5 % quantile of the normal distribution.
Z = Decimal("1.959963984540054235524594430521")


def moment(chance):
    """A moment; now and then the first instant of its month."""
    at = BEGIN + timedelta(days=chance.randrange(DAYS), milliseconds=chance.randrange(86_400_000))
    first = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return first if chance.random() < 0.05 else at


def make():
    """The rows."""
    chance = random.Random(20_260_715)
    sessions, orders = [], []
    for number in range(400 * times()):
        at = moment(chance)
        bucket = chance.randrange(100)
        session = {
            "number": number, "flow": chance.choice([1, 2]), "bucket": bucket, "started_at": ms(at),
            "currency": "usd" if chance.random() < 0.1 else "gbp",
            "status": chance.choice(["completed", "completed", "expired", "open", "revoked"]),
            "upsell": 0, "presses": [],
        }
        for step in range(chance.randrange(4)):
            at += timedelta(milliseconds=chance.randrange(100, 90_000))
            likely = 0.55 if bucket < 50 else 0.3
            action = "accepted" if chance.random() < likely else chance.choice(["declined", "answered", "skipped"])
            state = chance.choice(["settled"] * 8 + ["refused", "closed"])
            amount = chance.randrange(100, 9_000) if action == "accepted" and chance.random() < 0.8 else None
            press = {
                "key": "step_%d" % step, "action": action, "state": state, "amount": amount, "at": ms(at),
                "shown_ms": chance.choice([None, chance.randrange(200, 60_000)]), "is_spam": chance.random() < 0.08,
            }
            if state == "settled" and amount and not press["is_spam"]:
                session["upsell"] += amount
            session["presses"].append(press)
        sessions.append(session)
    for _ in range(150 * times()):
        orders.append({"placed_at": ms(moment(chance)), "subtotal_minor": chance.randrange(500, 20_000)})
    return {"sessions": sessions, "orders": orders}


def wilson(successes, trials):
    """The score interval of Wilson (1927)."""
    rate, count = Decimal(successes) / trials, Decimal(trials)
    middle = rate + Z * Z / (2 * count)
    width = Z * (rate * (1 - rate) / count + Z * Z / (4 * count * count)).sqrt()
    scale = 1 + Z * Z / count
    return (middle - width) / scale, (middle + width) / scale


def difference(s1, n1, s2, n2):
    """Method 10 of Newcombe (1998)."""
    p1, p2 = Decimal(s1) / n1, Decimal(s2) / n2
    (l1, u1), (l2, u2) = wilson(s1, n1), wilson(s2, n2)
    low = p1 - p2 - ((p1 - l1) ** 2 + (u2 - p2) ** 2).sqrt()
    high = p1 - p2 + ((u1 - p1) ** 2 + (p2 - l2) ** 2).sqrt()
    return low, high


def figures(rows, start, end):
    """Every metric over a period."""
    pounds = [one for one in rows["sessions"] if one["currency"] == "gbp"]
    sessions = [one for one in pounds if start <= one["started_at"] < end]
    presses = [
        press for one in pounds for press in one["presses"]
        if start <= press["at"] < end and press["state"] == "settled" and not press["is_spam"]
    ]
    accepted = [one for one in presses if one["action"] == "accepted"]
    decided = [one for one in presses if one["action"] in ("accepted", "declined")]
    revenue = sum(one["amount"] or 0 for one in accepted)
    sales = sum(one["subtotal_minor"] for one in rows["orders"] if start <= one["placed_at"] < end)
    half = [one for one in sessions if one["bucket"] < 50]
    other = [one for one in sessions if one["bucket"] >= 50]
    bought = [len([one for one in some if one["upsell"] > 0]) for some in (half, other)]
    low, high = difference(bought[0], len(half), bought[1], len(other))
    shown = [one["shown_ms"] // 1000 for one in presses if one["shown_ms"] is not None]
    return {
        "take_rate": divide(len(accepted), len(decided)),
        "take_rate_low": wilson(len(accepted), len(decided))[0],
        "upsell_revenue": Decimal(revenue) / 100,
        "upsell_per_session": divide(Decimal(revenue) / 100, len(sessions)),
        "upsell_share": divide(revenue, sales),
        "flow_completion": divide(len([one for one in sessions if one["status"] == "completed"]), len(sessions)),
        "flow_conversion": divide(sum(bought), len(sessions)),
        "flow_uplift": divide(bought[0], len(half)) - divide(bought[1], len(other)),
        "flow_uplift_low": low,
        "flow_uplift_high": high,
        "time_to_press": divide(sum(shown), len(shown)),
    }


def steps(rows, start, end):
    """The take rate of each step."""
    pounds = [one for one in rows["sessions"] if one["currency"] == "gbp"]
    counts = {}
    for one in pounds:
        for press in one["presses"]:
            if start <= press["at"] < end and press["state"] == "settled" and not press["is_spam"]:
                accepted, decided = counts.get(press["key"], (0, 0))
                is_accepted = press["action"] == "accepted"
                is_decided = is_accepted or press["action"] == "declined"
                counts[press["key"]] = (accepted + is_accepted, decided + is_decided)
    return {key: text(divide(*counts[key])) for key in sorted(counts)}


def main():
    """Writes or compares."""
    rows = make()
    months = by_month(MONTHS, lambda start, end: figures(rows, start, end), steps=lambda start, end: steps(rows, start, end))
    lines = [json.dumps(one) for one in rows["sessions"]]
    found = '{"months": %s,\n"orders": %s,\n"sessions": [\n%s\n]}\n' % (
        json.dumps(months, indent=1), json.dumps(rows["orders"]), ",\n".join(lines)
    )
    write_or_check(EXPECTED, found)


if __name__ == "__main__":
    main()
