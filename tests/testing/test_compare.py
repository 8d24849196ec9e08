"""When an answer is right."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import swagcore as sw
from swagcore.testing import agrees, tolerance

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("name", "values", "expected", "got", "verdict"),
    [
        ("max", [1, 2], 2, 2, True),
        ("max", [1, 2], 2, 1, False),
        ("max", [NAN], NAN, float("nan"), True),
        ("max", [0.0], 0.0, -0.0, True),
        ("max", [2.0], 2.0, math.nextafter(2.0, 3), False),  # chosen, not calculated
        ("max", [1], 1, None, False),
        ("median", [-2.5, 2.06], -0.21999999999999997, -2.5 + (2.06 + 2.5) / 2, True),  # the mean of two
        ("median", [-2.5, 2.06], -0.21999999999999997, -0.219999999999, False),
        ("median", [0.1, 1e16, -1e16], 0.1, math.nextafter(0.1, 1), False),  # one is in the middle
        ("median", [0.1, 0.1, 1e16, -1e16], 0.1, math.nextafter(0.1, 1), True),
        ("median", [0.1, 0.1, 1e16, -1e16], 0.1, 0.2, False),  # far values do not excuse it
        ("median", [-INF, 0.0], -INF, NAN, False),
        ("median", [0.0, 1.0, NAN], 1.0, 0.5, False),
        ("median", [1, 2], 1.5, 1, False),
        ("top_k(2)", [1, 2], [2, 1], (2, 1), True),
        ("top_k(2)", [1, 2], [2, 1], [1, 2], False),
        ("sum", [1, 2], 3, 3.0000000001, False),  # integers are exact
        ("sum", [2**60, 1], 2**60 + 1, float(2**60), False),
        ("sum", [0.1, 0.2, 0.3], 0.6, 0.6000000000000001, True),
        ("sum", [0.1, 0.2, 0.3], 0.6, 0.600000000000001, False),
        ("sum", [0.5], 0.5, math.nextafter(0.5, 1), False),  # nothing was added
        ("sum", [0.5, 0.5], 1.0, None, False),
        ("sum", [0.5, 0.5], 1.0, NAN, False),
        ("sum", [0.5, 0.5], 1.0, INF, False),
        ("sum", [0.5, 0.5], 1.0, "1.0", False),
        ("sum", [NAN, 0.5], NAN, 0.5, False),
        ("sum", [INF, 0.5], INF, NAN, False),
        ("sum", [1.7e308, 1.7e308, -1.7e308], 1.7e308, INF, None),  # left the range on the way
        ("sum", [None, 0.5], 0.5, 0.5, True),
        ("fast_sum", [0.1, 0.2, 0.3], 0.6000000000000001, 0.6, True),
        ("mean", [1, 2, 2], 5 / 3, math.nextafter(5 / 3, 2), True),
        ("mean", [1, 2, 2], 5 / 3, 1.67, False),
        ("variance", [1, 2, 4], 7 / 3, 7 / 3 + 1e-15, True),
        ("variance", [1, 2, 4], 7 / 3, 7 / 3 + 1e-12, False),
        ("variance", [1e200, 2e200], INF, 5.0, None),
        ("stddev", [1, 2, 4], math.sqrt(7 / 3), math.sqrt(7 / 3) + 1e-15, True),
        ("stddev", [3.0, 3.0], 0.0, 1e-9, True),
        ("stddev", [3.0, 3.0], 0.0, 1e-3, False),
        ("product", [0.1, 0.2], 0.02, 0.1 * 0.2, True),
        ("product", [0.1, 0.2], 0.02, 0.03, False),
        ("product", [1e-300, 1e-300, 1e300], 1e-300, 0.0, None),
        ("product", [2, 3], 6, 6.1, False),
        ("geometric_mean", [2, 8], 4.0, math.sqrt(16.0), True),
        ("geometric_mean", [2, 8], 4.0, 4.0001, False),
        ("sum_squares", [0.1, 0.2], 0.05, 0.1**2 + 0.2**2, True),
        ("sum_squares", [0.1, 0.2], 0.05, 0.06, False),
    ],
)
def test_verdicts(name, values, expected, got, verdict):
    assert agrees(sw.aggregate(name), values, expected, got) is verdict


def test_without_an_aggregate_only_the_same_will_do():
    assert agrees(None, (), 0.6, 0.6000000000000001) is False
    assert agrees(None, (), [NAN], [NAN]) is True


def test_what_cannot_be_compared_is_different():
    class Odd:
        def __eq__(self, other):
            raise RuntimeError

        __hash__ = None

    assert agrees(sw.aggregate("max"), [1], 1, Odd()) is False


floats = st.lists(st.floats(-1e100, 1e100), max_size=20)


def plainly(name, values):
    """As somebody would write it who does not think of rounding."""
    n = len(values)
    if name == "sum":
        total = 0.0
        for value in values:
            total += value
        return total
    if name == "mean":
        return plainly("sum", values) / n
    if name == "sum_squares":
        return plainly("sum", [value * value for value in values])
    if name == "product":
        product = 1.0
        for value in values:
            product *= value
        return product
    if name == "variance":  # Welford
        mean = squares = 0.0
        for count, value in enumerate(values, 1):
            before = value - mean
            mean += before / count
            squares += before * (value - mean)
        return squares / (n - 1)
    return math.exp(plainly("mean", [math.log(value) for value in values]))


@pytest.mark.parametrize("name", ["sum", "mean", "sum_squares", "product", "variance"])
@given(values=floats)
def test_plain_calculations_stay_within_their_bound(name, values):
    expected = sw.aggregate(name).over(values)
    if expected is not None:
        assert agrees(sw.aggregate(name), values, expected, plainly(name, values)) is not False


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=20))
def test_plain_geometric_means_too(values):
    function = sw.aggregate("geometric_mean")
    assert agrees(function, values, function.over(values), plainly("geometric_mean", values))


@given(floats)
def test_the_documented_bound_of_sums(values):
    bound = 2 * max(len(values) - 1, 0) * Fraction(1, 2**53) * sum(map(abs, map(Fraction, values)))
    assert tolerance(sw.aggregate("sum"), values, 1.0) == bound
