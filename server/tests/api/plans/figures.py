#!/usr/bin/env python3
"""Makes subscriptions of several months, and counts every metric about them without the engine.

    python3 figures.py            writes figures.json
    python3 figures.py --check    compares with it and fails on a difference

The subscriptions begin with a trial or without one, expand, contract, pause, resume, end and begin again, in pounds
and a few in dollars, which do not count. Some of it happens at the first instant of a month. Amounts are whole pence;
instants are milliseconds since 1970. Quotients have 28 digits, rounded half to even. A missing value is null.
"""

import json
import random
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recount import by_month, divide, money, ms, write_or_check  # noqa: E402

EXPECTED = Path(__file__).resolve().parent / "figures.json"
MONTHS = [(2025, 12), (2026, 1), (2026, 2), (2026, 3), (2026, 4), (2026, 5)]
BEGIN = datetime(2025, 11, 8, tzinfo=timezone.utc)
END = datetime(2026, 6, 1, tzinfo=timezone.utc)


def after(chance, at, days):
    """A moment some days later; now and then the first instant of its month."""
    later = at + timedelta(days=chance.randint(*days), milliseconds=chance.randrange(86_400_000))
    first = later.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return first if chance.random() < 0.15 and first > at else later


class Subscription:
    """A subscription, with what changed its revenue and the cycles that were billed."""

    def __init__(self, number, customer, currency, kind, chance):
        self.number, self.customer, self.currency = number, customer, currency
        self.movements, self.cycles = [], []
        self.mrr, self.paused_mrr = 0, None
        self.status, self.reason = "active", None
        self.trial_end = self.ended_at = None
        self.created_at = after(chance, BEGIN, (0, 170))
        self.started_at = self.created_at
        if chance.random() < 0.35:
            self.trial_end = after(chance, self.created_at, (7, 14))
            self.started_at = self.trial_end if chance.random() < 0.7 else None
        if self.started_at is None or self.started_at >= END:
            self.started_at = None
            self.status = "trial" if self.trial_end >= END else "expired"
            self.ended_at = None if self.trial_end >= END else self.trial_end
            return
        self.move(kind, chance.randrange(500, 9_000), self.started_at)
        self.live(chance)
        self.bill(chance)

    def move(self, kind, change, at):
        """Changes the revenue."""
        self.mrr += change
        self.movements.append({"kind": kind, "change": change, "at": ms(at)})

    def live(self, chance):
        """Lives until it ends, or until the last day."""
        at = self.started_at
        while True:
            at = after(chance, at, (8, 45))
            if at >= END:
                return
            if self.paused_mrr is not None:
                if chance.random() < 0.3:
                    self.end(at, chance)
                    return
                self.move("resume", self.paused_mrr, at)
                self.status, self.paused_mrr = "active", None
                continue
            step = chance.random()
            if step < 0.3:
                self.move("expansion", chance.randrange(100, 2_000), at)
            elif step < 0.5 and self.mrr > 400:
                self.move("contraction", -chance.randrange(100, self.mrr // 2), at)
            elif step < 0.65:
                self.paused_mrr, self.status = self.mrr, "paused"
                self.move("pause", -self.mrr, at)
            elif step < 0.85:
                self.end(at, chance)
                return

    def end(self, at, chance):
        """Ends it; it keeps its last revenue."""
        last = self.mrr
        self.move("churn", -last, at)
        self.mrr, self.ended_at = last, at
        self.status = chance.choice(["canceled", "expired"])
        self.reason = chance.choice(["too_expensive", "quality", "payment_failed"])

    def bill(self, chance):
        """Bills every thirty days; some cycles are refused first, some are never paid, some are skipped."""
        due, number = self.started_at, 1
        while due < (self.ended_at or END):
            failed = paid = None
            status = "paid"
            if number > 1 and chance.random() < 0.1:
                status = "skipped"
            elif chance.random() < 0.25:
                failed = due + timedelta(minutes=1)
                status = "paid" if chance.random() < 0.6 else "void"
            if status == "paid":
                paid = due + timedelta(days=3 if failed else 0, seconds=5)
            self.cycles.append(
                {"number": number, "due_at": ms(due), "status": status, "first_failed_at": ms(failed),
                 "paid_at": ms(paid), "total_minor": None if status == "skipped" else 1_500}
            )
            due, number = due + timedelta(days=30), number + 1

    def row(self):
        """Its row, with those below it."""
        return {
            "number": self.number, "customer": self.customer, "currency": self.currency, "status": self.status,
            "mrr_minor": self.mrr, "cancellation_reason": self.reason, "created_at": ms(self.created_at),
            "trial_end": ms(self.trial_end), "started_at": ms(self.started_at), "ended_at": ms(self.ended_at),
            "movements": self.movements, "cycles": self.cycles,
        }


def make():
    """Makes subscriptions, and orders with their cost."""
    chance = random.Random(19)
    subscriptions = []
    for number in range(1, 131):
        ended = [one for one in subscriptions if one.ended_at and one.started_at and one.currency == "gbp"]
        again = chance.choice(ended) if ended and chance.random() < 0.15 else None
        currency = "usd" if again is None and number % 13 == 0 else "gbp"
        kind = "new" if again is None else "reactivation"
        subscriptions.append(
            Subscription(number, again.customer if again else number, currency, kind, chance)
        )
    orders = []
    for year, month in MONTHS:
        for day in (1, 14, 28):
            at = datetime(year, month, day, tzinfo=timezone.utc)
            subtotal = chance.randrange(2_000, 9_000)
            orders.append({"placed_at": ms(at), "subtotal_minor": subtotal, "cost_minor": subtotal * 2 // 5 + day})
    return {"subscriptions": [one.row() for one in subscriptions], "orders": orders}


def figures(rows, start, end):
    """Counts all metrics of the time from `start` up to before `end`."""
    own = [one for one in rows["subscriptions"] if one["currency"] == "gbp"]
    moves = [move for one in own for move in one["movements"]]
    cycles = [cycle for one in own for cycle in one["cycles"] if start <= cycle["due_at"] < end]
    orders = [order for order in rows["orders"] if start <= order["placed_at"] < end]

    def within(at):
        return at is not None and start <= at < end

    def running(at):
        return [
            one for one in own
            if one["started_at"] is not None and one["started_at"] < at
            and (one["ended_at"] is None or one["ended_at"] >= at)
        ]

    def moved(*kinds):
        return sum(abs(move["change"]) for move in moves if within(move["at"]) and move["kind"] in kinds)

    def until(at):
        return sum(move["change"] for move in moves if move["at"] < at)

    def present(some):
        return sum(one["mrr_minor"] for one in some)

    ended = [one for one in own if within(one["ended_at"])]
    trials = [one for one in own if within(one["trial_end"])]
    failed = [cycle for cycle in cycles if cycle["first_failed_at"] is not None]
    recovered = [cycle for cycle in failed if cycle["status"] == "paid"]
    churned = [one for one in ended if one["started_at"] is not None and one["started_at"] < start]
    net_sales = sum(order["subtotal_minor"] for order in orders)
    margin = divide(net_sales - sum(order["cost_minor"] for order in orders), net_sales)
    churn = divide(len(churned), len(running(start)))
    arpu = divide(money(until(end)), len(running(end)))
    lost = moved("churn", "pause")
    expanded, contracted = moved("expansion"), moved("contraction")
    mrr, mrr_start, churned_mrr = present(running(end)), present(running(start)), present(ended)
    return {
        "mrr": money(mrr),
        "mrr_start": money(mrr_start),
        "arr": money(12 * mrr),
        "churned_mrr": money(churned_mrr),
        "mrr_churn": divide(churned_mrr, mrr_start),
        "nrr": divide(mrr_start + expanded - contracted - churned_mrr, mrr_start),
        "mrr_exact": money(until(end)),
        "new_mrr": money(moved("new")),
        "expansion_mrr": money(expanded),
        "contraction_mrr": money(contracted),
        "reactivated_mrr": money(moved("reactivation", "resume")),
        "lost_mrr": money(lost),
        "mrr_change": money(until(end) - until(start)),
        "revenue_churn": divide(lost, until(start)),
        "active_subs": len(running(end)),
        "subs_at_start": len(running(start)),
        "sub_churn": churn,
        "sub_arpu": arpu,
        "sub_ltv": None if arpu is None or margin is None else divide(arpu * margin, churn),
        "trial_conversion": divide(len([one for one in trials if one["started_at"] is not None]), len(trials)),
        "recovery_rate": divide(len(recovered), len(failed)),
    }


def main():
    """Writes or compares."""
    rows = make()
    months = by_month(MONTHS, lambda start, end: figures(rows, start, end))
    lines = [json.dumps(one) for one in rows["subscriptions"]]
    found = '{"months": %s,\n"orders": %s,\n"subscriptions": [\n%s\n]}\n' % (
        json.dumps(months, indent=1), json.dumps(rows["orders"]), ",\n".join(lines)
    )
    write_or_check(EXPECTED, found)


if __name__ == "__main__":
    main()
