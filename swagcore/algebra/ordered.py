"""Aggregates that choose: the smallest, the largest, the first, the k largest, the element at a rank.

NaN stands above every number and equals itself. Where two elements are equal the earlier one is kept, which decides
`arg_min` and `arg_max`: they are not commutative. The partial of no values is None everywhere but in the sorted ones.
"""

from __future__ import annotations

import contextlib
import functools
import math
import numbers
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from swagcore.algebra.aggregate import Aggregate, NotLiftable
from swagcore.algebra.exact import number
from swagcore.algebra.numeric import mean
from swagcore.errors import InvalidArgument

VALUES = (3, -1, 2, 2.0, 0.0, -0.0, math.inf, -math.inf, math.nan)


def precedes(a: Any, b: Any) -> bool:
    """Whether a < b, with NaN above every number.

    >>> precedes(1, 2), precedes(1, math.nan), precedes(math.nan, math.nan)
    (True, True, False)
    """
    try:
        return bool(a < b) or bool(b != b and a == a)
    except TypeError:
        raise InvalidArgument(
            "value", b, f"one that can be compared with {a!r}: the values of a stream do not mix types"
        ) from None


def _orderable(value: Any) -> Any:
    try:
        bool(value < value)
    except (TypeError, ValueError):
        raise NotLiftable("a value that has an order, such as a number or a string") from None
    return value


def _by_and_value(pair: Any) -> tuple[Any, Any] | None:
    """A pair whose `by` is null is skipped, like a null value."""
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise NotLiftable("a pair (by, value)")
    by, value = pair
    return None if by is None else (_orderable(by), value)


def _keep_smaller(a: Any, b: Any) -> Any:
    return b if a is None or (b is not None and precedes(b, a)) else a


def _keep_larger(a: Any, b: Any) -> Any:
    return b if a is None or (b is not None and precedes(a, b)) else a


def _keep_pair(
    keep: Callable[[Any, Any], Any],
) -> Callable[[tuple[Any, Any] | None, tuple[Any, Any] | None], tuple[Any, Any] | None]:
    """The pair whose `by` is kept. Both being equal, or even one object, the earlier pair is."""

    def combine(a: tuple[Any, Any] | None, b: tuple[Any, Any] | None) -> tuple[Any, Any] | None:
        if a is None or b is None:
            return b if a is None else a
        return a if keep(a[0], b[0]) is a[0] else b

    return combine


def _chooser(
    name: str, combine: Any, *, lift: Any = _orderable, commutative: bool = False, **more: Any
) -> Aggregate:
    return Aggregate(
        name,
        lift=lift,
        combine=combine,
        commutative=commutative,
        selective=True,
        idempotent=True,
        **{"examples": VALUES, **more},
    )


PAIRS = tuple((by, position) for position, by in enumerate((*VALUES, None)))

min = _chooser("min", _keep_smaller, commutative=True)
max = _chooser("max", _keep_larger, commutative=True)
arg_min = _chooser(
    "arg_min",
    _keep_pair(_keep_smaller),
    lift=_by_and_value,
    lower=lambda pair: pair and pair[1],
    examples=PAIRS,
)
arg_max = _chooser(
    "arg_max",
    _keep_pair(_keep_larger),
    lift=_by_and_value,
    lower=lambda pair: pair and pair[1],
    examples=PAIRS,
)
first = _chooser("first", lambda a, b: b if a is None else a, lift=lambda value: value)
last = _chooser("last", lambda a, b: a if b is None else b, lift=lambda value: value)


def _difference(partial: tuple[Any, Any]) -> Any:
    least, greatest = partial
    if least is None:
        return None
    with contextlib.suppress(NotLiftable):  # dates and times are no numbers, but have a difference
        least, greatest = number(least), number(greatest)  # numpy's integers would wrap
    try:
        return greatest - least
    except TypeError:
        raise InvalidArgument(
            "values for aggregate 'spread'", [least, greatest], "numbers, or others with a difference"
        ) from None


spread = Aggregate("spread", parts=(min, max), lower=_difference, examples=VALUES)


def _rank(value: Any) -> tuple[bool, Any]:
    return bool(value != value), value


def _merged(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Two sorted tuples as one; Python's sort merges sorted runs in linear time."""
    if not a or not b:
        return a or b
    try:
        with_nan = any(greatest != greatest for greatest in (a[-1], b[-1]))
        return tuple(sorted(a + b, key=_rank if with_nan else None))
    except TypeError:
        precedes(a[0], b[0])  # names the two that cannot be compared
        raise


def _middle(elements: tuple[Any, ...]) -> Any:
    """The middle element, or the correctly rounded mean of the two middle ones."""
    if not elements:
        return None
    half, odd = divmod(len(elements), 2)
    return elements[half] if odd else mean.over(elements[half - 1 : half + 1])


median = Aggregate(
    "median",
    lift=lambda value: (number(value),),
    combine=_merged,
    lower=_middle,
    identity=(),
    commutative=True,
    examples=VALUES,
)


def quantile(phi: float | str | Fraction | Decimal) -> Aggregate:
    """The element at 1-based rank ceil(phi * N), 0 < phi <= 1, with phi taken as it is written: 0.1 is one tenth.

    >>> quantile(0.9).over([30, 10, 20]), quantile("1/3").over([30, 10, 20])
    (30, 10)
    """
    accepted = "a number above 0 and not above 1"
    try:
        exact = Fraction(phi if isinstance(phi, (numbers.Rational, Decimal)) else str(phi))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        raise InvalidArgument("phi", phi, accepted) from None
    if isinstance(phi, bool) or not 0 < exact <= 1:
        raise InvalidArgument("phi", phi, accepted)
    return _quantile(exact, str(phi).strip())


@functools.cache
def _quantile(phi: Fraction, written: str) -> Aggregate:
    def element(elements: tuple[Any, ...]) -> Any:
        return elements[-(-phi.numerator * len(elements) // phi.denominator) - 1] if elements else None

    return Aggregate(
        f"quantile({written})",
        lift=lambda value: (_orderable(value),),
        combine=_merged,
        lower=element,
        identity=(),
        commutative=True,
        examples=VALUES,
    )


def top_k(k: int) -> Aggregate:
    """The k largest, in descending order, with duplicates.

    >>> top_k(2).over([3, 1, 3, 2]), top_k(2).over([])
    ([3, 3], [])
    """
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise InvalidArgument("k", k, "a positive integer")
    return _top_k(k)


@functools.cache
def _top_k(k: int) -> Aggregate:
    return Aggregate(
        f"top_k({k})",
        lift=lambda value: (_orderable(value),),
        combine=lambda a, b: _merged(a, b)[-k:],
        lower=lambda elements: list(reversed(elements)),
        identity=(),
        commutative=True,
        examples=VALUES,
    )
