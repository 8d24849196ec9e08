"""The questions: `count`, `rate` and `density`, with the method of the caller's choice."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction

from swagcore.edges import best, bitset, f1, f1_table
from swagcore.edges.classes import Class, NoAnswer, checked, from_slides, period_of
from swagcore.errors import InvalidArgument, SwagError, UnknownName
from swagcore.windows import Query, Window

Method = Callable[[Collection[Class]], tuple[int, int]]

_METHODS: dict[str, Method] = {"bitset": bitset.edges, "f1": f1.edges, "f1_table": f1_table.edges}


class TooHard(SwagError):
    """No method found the exact answer in time; `low` and `high` certainly contain it, in the unit of what was asked.

    >>> raise TooHard(300, 5, "their shifts leave too many cases", Fraction(1, 4), Fraction(1, 2))
    Traceback (most recent call last):
        ...
    swagcore.edges.counting.TooHard: the edges of 300 residue classes were not counted within 5 s, because their \
shifts leave too many cases; of all times, between 0.25 and 0.5 are edges. Give more seconds, or plan with this interval
    """

    def __init__(
        self,
        classes: int,
        seconds: float | None,
        reason: str,
        low: Fraction,
        high: Fraction,
        period: int | None = None,
    ) -> None:
        limit = "" if seconds is None else f" within {seconds:g} s"
        super().__init__(
            f"the edges of {classes} residue classes were not counted{limit}, because {reason}; of all times, "
            f"between {float(low):.6g} and {float(high):.6g} are edges. Give more seconds, or plan with this interval"
        )
        self.low: Fraction | int = low if period is None else math.ceil(low * period)
        self.high: Fraction | int = high if period is None else math.floor(high * period)


def methods() -> list[str]:
    """The names that `method=` takes.

    >>> methods()
    ['best', 'bitset', 'f1', 'f1_table']
    """
    return sorted([*_METHODS, "best"])


def count(
    edges: Iterable[tuple[int, int]], method: str = "best", *, seconds: float | None = 60
) -> tuple[int, int]:
    """(edges, period): how many different edges these (slide, shift) pairs have in one composite slide, and its length.

    Exact, by every method; `bitset` refuses long composite slides and `f1` many slides, `best` takes what it is given
    and raises `TooHard` where it has no answer after so many seconds (None: it never gives up).

    >>> count([(2, 0), (3, 0), (4, 0), (5, 0), (6, 0)])
    (44, 60)
    >>> count([(3, 0), (4, 0), (4, 3), (6, 0), (6, 2), (9, 0)], method="f1")
    (27, 36)
    """
    classes = from_slides(edges)
    _checked_seconds(seconds)
    if method == "best":
        period = period_of(classes)
        return int(_density(classes, seconds, period) * period), period
    if method not in _METHODS:
        raise UnknownName("method", method, methods())
    return _METHODS[method](classes)


def rate(
    queries: Iterable[Query], slicing: str = "pairs", method: str = "best", *, seconds: float | None = 60
) -> Fraction:
    """The edges per time unit of these queries together, as one shared plan; per event, where they count events.

    A million queries cost what their distinct windows cost, and a look at each. Windows over times and windows over
    counts share no slices, and durations have no length in a stream of plain integers: such mixtures are refused.

    >>> a, b = Query("a", "max", Window(6, 2)), Query("b", "max", Window(9, 6))
    >>> rate([a, b]), rate([a, b], slicing="cutty"), rate([])
    (Fraction(2, 3), Fraction(1, 2), Fraction(0, 1))
    """
    windows = _distinct_windows(queries)
    pairs = [(modulus, residue) for window in windows for residue, modulus in window.edges(slicing)]
    Window(1, 1).edges(slicing)  # an unknown slicing is an error, also where nothing is cut
    if method == "best":
        _checked_seconds(seconds)
        return _density(from_slides(pairs), seconds)
    return Fraction(*count(pairs, method, seconds=seconds))


def density(classes: Iterable[Class], *, seconds: float | None = 60) -> Fraction:
    """The share of times that are in one of the residue classes (residue, modulus), by `best`.

    A function of the set alone, for optimizers to keep: order and repetition do not matter. One class costs nothing,
    two a formula.

    >>> density([(0, 4), (2, 6)]), density([])
    (Fraction(1, 3), Fraction(0, 1))
    """
    _checked_seconds(seconds)
    return _density(checked(classes), seconds)


def _density(classes: set[Class], seconds: float | None, period: int | None = None) -> Fraction:
    begun = time.monotonic()
    limit = math.inf if seconds is None else seconds
    try:
        return best.density(classes, begun + 0.75 * limit)
    except NoAnswer as reason:
        # A quarter of the time was kept for the interval.
        low, high = best.interval(classes, begun + min(limit, 60))
        raise TooHard(len(classes), seconds, str(reason), low, high, period) from None


def _checked_seconds(seconds: object) -> None:
    if seconds is None:
        return
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise InvalidArgument("seconds", seconds, "a positive number, or None for no limit")


def _distinct_windows(queries: Iterable[Query]) -> list[Window]:
    found: dict[tuple[object, ...], Query] = {}
    try:
        for query in queries:
            window = query.window
            found.setdefault((window.range, window.slide, window.offset, window.by_count, window.unit), query)
    except (AttributeError, TypeError):
        raise InvalidArgument("queries", queries, "a list of Query") from None
    kinds = {(query.window.by_count, query.window.unit): query.name for query in found.values()}
    if len(kinds) > 1:
        raise InvalidArgument(
            "queries",
            sorted(kinds.values()),
            "queries all over times, all over counts or all in durations: others share no slices",
        )
    return [query.window for query in found.values()]
