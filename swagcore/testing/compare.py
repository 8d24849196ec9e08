"""When two answers agree: exactly, or, where floats are added plainly, within a bound that is written down here.

The rule: integers, strings and everything that is chosen and not calculated are compared exactly, NaN being equal to
itself. Floats that are calculated may be rounded on the way, so sums, products, means and moments of floats (and means
and moments of integers, and the median of an even number of values) have the `tolerance` below. Where a plain calculation leaves the range of floats although the
answer does not, nothing can be said, and the answer counts as not compared.
"""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from swagcore.algebra import Aggregate, same

UNIT = Fraction(1, 2**53)
"""The unit roundoff u of a double."""
LARGEST = Fraction(sys.float_info.max)
TINY = Fraction(5e-324)
SMALLEST = Fraction(sys.float_info.min)

_ADDING = ("sum", "fast_sum", "total", "fast_total")
_DIVIDING = ("mean", "variance", "stddev", "geometric_mean")
_CALCULATING = (
    *_ADDING,
    *_DIVIDING,
    "median",
    "sum_squares",
    "total_squares",
    "product",
    "factors",
    "total_logarithms",
)


def agrees(function: Aggregate | None, values: Iterable[Any], expected: Any, got: Any) -> bool | None:
    """Whether an answer is right, given the one of the reference and the window's values; None: it cannot be said.

    Without an aggregate the two have to be the same.

    >>> from swagcore.algebra import aggregate
    >>> agrees(aggregate("sum"), [0.1, 0.2, 0.3], 0.6, 0.1 + 0.2 + 0.3), agrees(aggregate("max"), [0.6], 0.6, 0.61)
    (True, False)
    >>> agrees(aggregate("sum"), [1e308, 1e308, -1e308], 1e308, math.inf) is None
    True
    """
    if _identical(expected, got):
        return True
    if function is None or function.name not in _CALCULATING:
        return False
    allowed = tolerance(function, values, expected)
    if allowed is None:
        return None
    if not isinstance(got, numbers.Real) or not isinstance(expected, numbers.Real):
        return False
    if not math.isfinite(got) or not math.isfinite(expected):
        return False
    return bool(abs(_exact(got) - _exact(expected)) <= allowed)


def tolerance(function: Aggregate, values: Iterable[Any], expected: Any) -> Fraction | None:
    """How far a plain calculation may be from the exact answer; None where it may leave the range of floats.

    With n values, u = 2**-53:

    - `sum`: 2(n-1)u * sum|x|, twice that for `fast_sum`, whose reference is rounded as well
    - `mean`: that of the sum, over n, and one rounding
    - `median`: that of the mean of the two middle values, by whichever formula; zero where there is one in the middle
    - `sum_squares`: 2n u * sum x**2
    - `variance`: 8n u * sum x**2 / (n-1); `stddev`: what that allows its square
    - `product`: 2n u * |product|
    - `geometric_mean`: 4(n+2)u * (2 + sum|log x|) * |mean|

    Sums and products of integers are exact: zero.

    >>> from swagcore.algebra import aggregate
    >>> tolerance(aggregate("sum"), [1, 2], 3), float(tolerance(aggregate("sum"), [1.0, 2.0], 3.0)) == 2 * 3 * 2**-53
    (Fraction(0, 1), True)
    >>> agrees(aggregate("median"), [-2.5, 2.06], -0.21999999999999997, -2.5 + (2.06 + 2.5) / 2)
    True
    """
    present = [value for value in values if value is not None]
    name, exact = function.name, Fraction(0)
    if name not in _CALCULATING or not all(isinstance(value, (int, float, Fraction)) for value in present):
        return exact
    if name == "median":
        name, present = "mean", _middle(present)
        if len(present) < 2:
            return exact
    if name not in _DIVIDING and not any(isinstance(value, float) for value in present):
        return exact
    finite = [Fraction(value) for value in present if math.isfinite(value)]
    n = len(finite)
    allowed = _bound(name, finite, n, expected)
    if allowed is None or not isinstance(expected, (int, float, Fraction)) or not math.isfinite(expected):
        return None if allowed is None else exact
    return allowed


def _middle(values: list[Any]) -> list[Any]:
    """The one or two values in the middle, NaN above all numbers."""
    ordered = sorted(values, key=lambda value: (value != value, value))
    return ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]


def _bound(name: str, finite: list[Fraction], n: int, expected: Any) -> Fraction | None:
    absolute = sum(map(abs, finite), Fraction(0))
    squares = sum((value * value for value in finite), Fraction(0))
    size = (
        Fraction(expected)
        if isinstance(expected, (int, float, Fraction)) and math.isfinite(expected)
        else Fraction(0)
    )
    if name in (*_ADDING, "mean"):
        if absolute > LARGEST:
            return None
        added = 2 * max(n - 1, 0) * UNIT * absolute * (2 if name.startswith("fast") else 1)
        return added / max(n, 1) + UNIT * abs(size) + TINY if name == "mean" else added
    if name in ("sum_squares", "total_squares"):
        return None if squares > LARGEST else 2 * n * UNIT * squares + n * TINY
    if name in ("variance", "stddev"):
        if 4 * n * squares > LARGEST or 0 < min((value * value for value in finite), default=0) < SMALLEST:
            return None
        spread = 8 * n * UNIT * squares / max(n - 1, 1) + TINY
        if name == "variance":
            return spread
        return Fraction(math.sqrt(spread)) if size * size < spread else spread / size + 2 * UNIT * size
    if name in ("product", "factors", "geometric_mean"):
        factors = [abs(value) for value in finite if value]
        if math.prod(max(factor, Fraction(1)) for factor in factors) > LARGEST:
            return None
        if math.prod(min(factor, Fraction(1)) for factor in factors) < SMALLEST:
            return None
        if name == "geometric_mean":
            logarithms = sum(abs(math.log(factor)) for factor in factors)
            return 4 * (n + 2) * UNIT * Fraction(2 + logarithms) * abs(size)
        return 2 * n * UNIT * abs(size)
    return (
        4
        * (n + 2)
        * UNIT
        * (1 + sum((Fraction(abs(math.log(abs(value)))) for value in finite if value), Fraction(0)))
    )


def _exact(number: numbers.Real) -> Fraction:
    return Fraction(number) if isinstance(number, (int, Fraction)) else Fraction(float(number))


def _identical(expected: Any, got: Any) -> bool:
    """`same`, a list being equal to a tuple of the same; what cannot even be compared is different."""
    if isinstance(expected, (list, tuple)) and isinstance(got, (list, tuple)):
        return len(expected) == len(got) and all(map(_identical, expected, got))
    try:
        return same(expected, got)
    except Exception:
        return False
