"""Human durations: "5 minutes", "90 s", "1 h 30 min". A unit is always written, never guessed."""

from __future__ import annotations

import re
from fractions import Fraction

from swagcore.errors import InvalidArgument, UnknownName

MICROSECONDS = {
    "us": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "min": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
}
"""The units of time, in microseconds."""

_SPELLINGS = {
    "us": "us µs μs usec usecs microsecond microseconds",
    "ms": "ms msec msecs millisecond milliseconds",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "d": "d day days",
}
_UNITS = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()}
_PIECE = re.compile(r"\s*([0-9]{1,99}(?:\.[0-9]{1,99})?)\s*([^\W\d_]+)\s*,?")
ACCEPTED = 'a duration such as "5 minutes", "90 s" or "1 h 30 min"; its units are us, ms, s, min, h and d'


def microseconds(text: str, argument: str = "duration", *, signed: bool = False) -> int:
    """A duration in microseconds; it may be zero, and each unit stands once, the larger first.

    `argument` is what an error calls it. `signed`: a minus may stand before the whole of it.

    >>> microseconds("90 s"), microseconds("1 h 30 min"), microseconds("1.5 ms"), microseconds("-1 s", signed=True)
    (90000000, 5400000000, 1500, -1000000)
    >>> microseconds("5")
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: duration is '5'; expected a duration such as "5 minutes", "90 s" or "1 h 30 min"; \
its units are us, ms, s, min, h and d
    """
    if not isinstance(text, str):
        raise InvalidArgument(argument, text, ACCEPTED)
    total, smallest = Fraction(0), None
    negative = signed and text.lstrip().startswith("-")
    position = text.index("-") + 1 if negative else 0
    while position < len(text):
        piece = _PIECE.match(text, position)
        unit = _UNITS.get(piece[2].lower()) if piece else None
        if piece is None or unit is None or (smallest is not None and MICROSECONDS[unit] >= smallest):
            raise InvalidArgument(argument, text, ACCEPTED)
        smallest = MICROSECONDS[unit]
        total += Fraction(piece[1]) * smallest
        position = piece.end()
    if smallest is None or text.rstrip().endswith(","):
        raise InvalidArgument(argument, text, ACCEPTED)
    if total.denominator != 1:
        raise InvalidArgument(argument, text, "a whole number of microseconds")
    return -total.numerator if negative else total.numerator


def unit_named(name: object) -> str:
    """The unit of that name, in its short spelling.

    >>> unit_named("seconds"), unit_named("us")
    ('s', 'us')
    """
    unit = _UNITS.get(name.lower()) if isinstance(name, str) else None
    if unit is None:
        raise UnknownName("unit", name, MICROSECONDS)
    return unit
