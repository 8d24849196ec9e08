"""Aggregates that calculate: counts, sums, products, means and spreads of numbers.

Totals are exact (see exact.py), so associativity, commutativity and the inverse hold bit for bit, on floats too. The
algebraic ones are tuples of the same few distributive parts - `total`, `total_squares`, `count` - which a shared plan
computes once for all of them.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any

from swagcore.algebra.aggregate import Aggregate, NotLiftable
from swagcore.algebra.exact import Factors, Scaled, logarithm, number, quotient, root

FLOATS = (0.0, -0.0, 0.1, 0.2, -0.3, 1e16, -1e16, 5e-324, 1.7e308, math.inf, -math.inf, math.nan)


def _total(value: Any) -> Any:
    exact = number(value)
    return Scaled.of(exact) if isinstance(exact, float) else exact


def _square(value: Any) -> Any:
    total = _total(value)
    return total.squared() if isinstance(total, Scaled) else total * total


def _logarithm(value: Any) -> Scaled:
    """log(0) is -inf and the logarithm of a negative number is NaN: both are counted, so both can leave again."""
    exact = number(value)
    if exact > 0:
        return Scaled.of(logarithm(exact))
    return Scaled.of(-math.inf if exact == 0 else math.nan)


def _rounded(total: Any) -> Any:
    return float(total) if isinstance(total, Scaled) else total


def _sum(partial: tuple[Any, int]) -> Any:
    total, count = partial
    return _rounded(total) if count else None


def _mean(partial: tuple[Any, int]) -> float | Fraction | None:
    """The correctly rounded quotient (of Fractions: the exact one)."""
    total, count = partial
    if not count:
        return None
    if isinstance(total, Scaled):
        return total.over(count)
    return quotient(total, count) if isinstance(total, int) else total / count


def _spread_squared(partial: tuple[Any, Any, int]) -> Fraction | float | None:
    """The exact sample variance (n * squares - total**2) / (n * (n - 1)); NaN where a value is not finite."""
    total, squares, count = partial
    if count < 2:
        return None
    if isinstance(total, Scaled):
        if total.specials:
            return math.nan
        total, squares = total.fraction(), squares.fraction()
    return Fraction(count * squares - total * total) / (count * (count - 1))


def _variance(partial: tuple[Any, Any, int]) -> float | None:
    exact = _spread_squared(partial)
    return quotient(exact.numerator, exact.denominator) if isinstance(exact, Fraction) else exact


def _stddev(partial: tuple[Any, Any, int]) -> float | None:
    exact = _spread_squared(partial)
    return root(exact) if isinstance(exact, Fraction) else exact


def _geometric_mean(partial: tuple[Any, int]) -> float | None:
    """exp of the mean logarithm: 0 where a value is 0, NaN where one is negative.

    Else its relative error is at most 2**-53 * (6 + 4 * m), m the mean of |log(value)|, while the result is a normal
    float: logarithms and exp are good to one unit in the last place, their sum is exact.
    """
    logarithms, count = partial
    if not count:
        return None
    try:
        return math.exp(logarithms.over(count))
    except OverflowError:
        return math.inf


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    try:
        return bool(number(value) != 0)
    except NotLiftable:
        raise NotLiftable("True, False or a number (any but 0 is true)") from None


def _total_of(name: str, lift: Any, examples: tuple[Any, ...]) -> Aggregate:
    return Aggregate(
        name,
        lift=lift,
        combine=operator.add,
        lower=_rounded,
        identity=0,
        inverse=operator.sub,
        commutative=True,
        examples=examples,
    )


count = Aggregate(
    "count",
    lift=lambda value: 1,
    combine=operator.add,
    identity=0,
    inverse=operator.sub,
    commutative=True,
    examples=(0, "x", math.nan),
)
total = _total_of("total", _total, FLOATS)
total_squares = _total_of("total_squares", _square, FLOATS)
total_logarithms = _total_of("total_logarithms", _logarithm, FLOATS)
fast_total = Aggregate(
    "fast_total",
    lift=number,
    combine=operator.add,
    identity=0,
    commutative=True,
    examples=(0.0, 1.0, -2.0, 3.0, 0.5, -3.25),
)

sum = Aggregate("sum", parts=(total, count), lower=_sum, examples=FLOATS)
fast_sum = Aggregate("fast_sum", parts=(fast_total, count), lower=_sum, examples=fast_total.examples)
sum_squares = Aggregate("sum_squares", parts=(total_squares, count), lower=_sum, examples=FLOATS)
mean = Aggregate("mean", parts=(total, count), lower=_mean, examples=FLOATS)
variance = Aggregate("variance", parts=(total, total_squares, count), lower=_variance, examples=FLOATS)
stddev = Aggregate("stddev", parts=(total, total_squares, count), lower=_stddev, examples=FLOATS)
geometric_mean = Aggregate(
    "geometric_mean", parts=(total_logarithms, count), lower=_geometric_mean, examples=FLOATS
)
factors = Aggregate(
    "factors",
    lift=lambda value: Factors.of(number(value)),
    combine=Factors.times,
    lower=Factors.value,
    identity=Factors(),
    inverse=Factors.without,
    commutative=True,
    examples=FLOATS,
)
product = Aggregate(
    "product",
    parts=(factors, count),
    lower=lambda partial: partial[0].value() if partial[1] else None,
    examples=FLOATS,
)
any = Aggregate(
    "any",
    lift=_truth,
    combine=lambda a, b: b if a is None or (b and not a) else a,
    commutative=True,
    selective=True,
    idempotent=True,
    examples=(True, False),
)
all = Aggregate(
    "all",
    lift=_truth,
    combine=lambda a, b: b if a is None or (b is not None and a and not b) else a,
    commutative=True,
    selective=True,
    idempotent=True,
    examples=(True, False),
)
