"""What the recounts of metrics share: months, exact quotients, and the file that a test compares the server with."""

import decimal
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

decimal.getcontext().prec = 28
decimal.getcontext().rounding = decimal.ROUND_HALF_EVEN


def ms(at):
    """Milliseconds since 1970."""
    return None if at is None else round(at.timestamp() * 1000)


def money(minor):
    """Pounds."""
    return Decimal(minor).scaleb(-2)


def divide(left, right):
    """A quotient of 28 digits; nothing without a divisor."""
    if left is None or right is None or right == 0:
        return None
    with decimal.localcontext() as exact:
        exact.prec = 100
        quotient = Decimal(left) / Decimal(right)
        return quotient.quantize(Decimal(1).scaleb(max(quotient.adjusted() - 27, -28)))


def text(value):
    """A number without trailing zeros."""
    if value is None:
        return None
    value = format(Decimal(value), "f")
    return value.rstrip("0").rstrip(".") if "." in value else value


def by_month(months, figures, **more):
    """What `figures` counts of each month, from its first millisecond to that of the next; and what others count, by name."""
    counted = []
    for year, month in months:
        start = datetime(year, month, 1, tzinfo=timezone.utc)
        end = (start + timedelta(days=32)).replace(day=1)
        values = figures(ms(start), ms(end))
        counted.append({
            "first": start.date().isoformat(),
            "last": (end - timedelta(days=1)).date().isoformat(),
            "values": {key: text(value) for key, value in values.items()},
            **{name: count(ms(start), ms(end)) for name, count in more.items()},
        })
    return counted


def times():
    """How many times the rows of the kept file are made: with --times N FILE, so many are written to another file."""
    return int(sys.argv[2]) if sys.argv[1:2] == ["--times"] else 1


def write_or_check(place, found):
    """Writes the file, or another one with --times; with --check compares with it, and fails on a difference."""
    if sys.argv[1:2] == ["--times"]:
        Path(sys.argv[3]).write_text(found)
    elif "--check" not in sys.argv:
        place.write_text(found)
    elif found != place.read_text():
        sys.exit("%s differs" % place.name)
