"""What a window costs: how often it recurs, times what one instance takes (W §3.2).

An instance takes one step for each event it reads from the stream, or for each sub-aggregate of its parent. W counts
the instances that lie inside a period, the lcm of the ranges; the steady state counts 1 / slide of them a time unit.
The two differ at the borders of the period, and not by little: a single window recurs once in its own range.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from swagcore.coverage.relation import inside
from swagcore.errors import InvalidArgument
from swagcore.windows import Window

Exact = int | Fraction


def period_of(windows: Iterable[Window]) -> int:
    """The lcm of the ranges: the period over which W counts costs.

    >>> period_of([Window(20, 20), Window(30, 10)])
    60
    """
    return math.lcm(*(window.range for window in windows))


def recurrences(window: Any, period: Any) -> Any:
    """How many instances lie inside a period that begins where one of them does: 1 + floor((period - range) / slide).

    W Eq 1 has no floor, and gives whole numbers only where the slide divides period - range: for `W<3, 2>` in a period
    of 6 it says 5/2 where 2 instances fit. Its footnote 4 leaves that case open.

    >>> recurrences(Window(10, 2), 120), recurrences(Window(3, 2), 6)
    (56, 2)
    """
    return 1 + (period - window.range) // window.slide


def from_stream(window: Window, events: Exact) -> Exact:
    """The steps of one instance that is computed from the stream, at `events` a time unit.

    >>> from_stream(Window(10, 2), 3)
    30
    """
    return events * window.range


def steps(window: Window, parent: Window | None, events: Exact) -> Exact:
    """The steps of one instance: the events it reads, or the sub-aggregates of its parent.

    >>> steps(Window(10, 2), None, 3), steps(Window(10, 2), Window(2, 2), 3)
    (30, 5)
    """
    return from_stream(window, events) if parent is None else int(inside(window, parent))


def whole_if_possible(number: Exact) -> Exact:
    """An int where a Fraction is one.

    >>> whole_if_possible(Fraction(6, 2)), whole_if_possible(Fraction(1, 2))
    (3, Fraction(1, 2))
    """
    return int(number) if number == int(number) else number


def event_rate(rate: Any) -> Exact:
    """The events a time unit as an exact number; a float is taken as it is written.

    >>> event_rate(100), event_rate(0.1)
    (100, Fraction(1, 10))
    """
    accepted = "a positive number of events a time unit, such as 100 or Fraction(1, 60)"
    try:
        exact = Fraction(rate if isinstance(rate, (numbers.Rational, Decimal)) else str(rate))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        raise InvalidArgument("rate", rate, accepted) from None
    if isinstance(rate, (bool, str)) or exact <= 0:
        raise InvalidArgument("rate", rate, accepted)
    return whole_if_possible(exact)
