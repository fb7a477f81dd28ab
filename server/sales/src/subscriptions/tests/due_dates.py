"""Writes subscriptions of three years with what customers do, and the cycles that must be billed, as JSON.

A second implementation of due dates, on `datetime` and `zoneinfo`: `python3 due_dates.py > due_dates.json`; the number of
subscriptions can be given (10000 in the full form of the test).
"""

import calendar
import json
import random
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

UTC = timezone.utc
BEGIN = datetime(2026, 11, 21, 12, tzinfo=UTC)
STEP = timedelta(hours=12)
YEARS = timedelta(days=3 * 365)
# The server stands still for forty days.
STOPPED = (BEGIN + timedelta(days=500), BEGIN + timedelta(days=540))
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Santiago"]
POSTAGE = 395


def steps():
    at = BEGIN
    while at < BEGIN + YEARS:
        at += STEP
        if not STOPPED[0] < at < STOPPED[1]:
            yield at


def instant(local, zone):
    """A local time that does not exist moves forward by the gap; one that comes twice is the first."""
    return local.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)


class Subscription:
    def __init__(self, chance):
        self.zone = chance.choice(ZONES)
        day = chance.choice([28, 29, 30, 31, 31, 5])
        month = chance.choice([(2026, 12), (2027, 1), (2027, 3), (2027, 10), (2028, 2)])
        day = min(day, calendar.monthrange(*month)[1])
        hour, minute = chance.choice([(2, 30), (1, 30), (9, 0), (23, 59), (0, 0)])
        self.local = datetime(*month, day, hour, minute)
        self.anchor = instant(self.local, self.zone)
        # What the server keeps is the instant, in which a gap is already passed.
        self.local = self.anchor.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None)
        self.unit, self.count = chance.choice(
            [("day", 30), ("day", 45), ("week", 3), ("week", 8), ("month", 1), ("month", 2), ("month", 3), ("year", 1)]
        )
        self.kind = chance.choice(["delivery", "delivery", "access"])
        self.price = chance.randrange(100, 5_000)
        self.quantity = chance.randrange(1, 4)

    def due(self, number):
        span = self.count * number
        if self.unit in ("day", "week"):
            return instant(self.local + timedelta(days=span * (7 if self.unit == "week" else 1)), self.zone)
        months = self.local.month - 1 + span * (12 if self.unit == "year" else 1)
        year, month = self.local.year + months // 12, months % 12 + 1
        day = min(self.local.day, calendar.monthrange(year, month)[1])
        return instant(self.local.replace(year=year, month=month, day=day), self.zone)

    def live(self, chance):
        """Returns the actions of the customer and the cycles that are paid."""
        period, cycle, skipped = 0, 0, set()
        is_active, resume_at = False, None
        actions, paid = [], []
        for now in steps():
            if resume_at is not None and resume_at <= now:
                resume_at = None
                while self.due(period) <= now:
                    period += 1
                    # A skip is of a date, which the pause has passed.
                    skipped.clear()
            while resume_at is None and self.due(period) <= now:
                cycle += 1
                after = 1
                while cycle + after in skipped:
                    after += 1
                is_missed = self.kind == "delivery" and self.due(period + after) <= now
                if cycle not in skipped and not is_missed:
                    is_active = True
                    total = self.price * self.quantity + POSTAGE
                    paid.append({"number": cycle, "due_at": millis(self.due(period)), "total": total})
                period += 1
            if not is_active or resume_at is not None or chance.random() > 0.004:
                continue
            if self.kind == "delivery" and chance.random() < 0.6:
                if cycle + 1 not in skipped:
                    skipped.add(cycle + 1)
                    actions.append({"at": millis(now), "skip": cycle + 1})
            else:
                day = now.astimezone(ZoneInfo(self.zone)).date() + timedelta(days=chance.randrange(5, 90))
                resume_at = instant(datetime.combine(day, self.local.time()), self.zone)
                actions.append({"at": millis(now), "pause": day.isoformat()})
        return {
            "anchor_at": millis(self.anchor), "zone": self.zone, "unit": self.unit, "count": self.count,
            "kind": self.kind, "price": self.price, "quantity": self.quantity, "actions": actions, "paid": paid,
        }


def millis(at):
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def main():
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    chance = random.Random(19)
    json.dump(
        {
            "steps": [millis(at) for at in steps()],
            "subscriptions": [Subscription(chance).live(chance) for _ in range(number)],
        },
        sys.stdout,
    )


main()
