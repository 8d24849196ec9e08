"""Exact numbers against fractions, roots and quotients against the definition of rounding."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from swagcore.algebra.aggregate import NotLiftable
from swagcore.algebra.exact import Factors, Scaled, logarithm, number, quotient, root
from swagcore.errors import InvalidArgument
from tests.algebra.values import finite_floats, floats, fractions, integers, rounded

scaled = st.builds(Scaled, st.integers(-(10**20), 10**20), st.integers(-1100, 1100), st.none())
LARGEST = Fraction(2**1024 - 2**971)


def is_nearest(x: float, low: Fraction, high: Fraction) -> bool:
    """Whether x is the float nearest to a number that lies in [low, high], by the definition of rounding."""
    if math.isinf(x):
        return high >= LARGEST + Fraction(2**970) if x > 0 else low <= -LARGEST - Fraction(2**970)
    above, below = math.nextafter(x, math.inf), math.nextafter(x, -math.inf)
    upper = (Fraction(x) + (Fraction(2**1024) if math.isinf(above) else Fraction(above))) / 2
    lower = (Fraction(x) + (Fraction(-(2**1024)) if math.isinf(below) else Fraction(below))) / 2
    return lower <= high and low <= upper


@given(floats)
def test_a_float_survives(x: float) -> None:
    back = float(Scaled.of(x))
    assert back == x or (x != x and back != back)
    if math.isfinite(x):
        assert Scaled.of(x).fraction() == Fraction(x)


@given(scaled, scaled)
def test_scaled_adds_like_fractions(a: Scaled, b: Scaled) -> None:
    assert (a + b).fraction() == a.fraction() + b.fraction()
    assert (a - b).fraction() == a.fraction() - b.fraction()
    assert (-a).fraction() == -a.fraction()
    assert a.squared().fraction() == a.fraction() ** 2
    assert (a == b) == (a.fraction() == b.fraction())
    assert (a != b) == (a.fraction() != b.fraction())


@given(scaled, st.integers())
def test_scaled_and_integers(a: Scaled, n: int) -> None:
    assert (a + n).fraction() == (n + a).fraction() == a.fraction() + n
    assert (a - n).fraction() == a.fraction() - n
    assert (n - a).fraction() == n - a.fraction()


@given(st.integers(), st.integers(0, 50), floats)
def test_equal_numbers_have_equal_hashes(n: int, shift: int, x: float) -> None:
    assert Scaled(n << shift, -shift) == n
    assert hash(Scaled(n << shift, -shift)) == hash(n)
    special = Scaled.of(math.nan)
    there_and_back = special + Scaled.of(x) - Scaled.of(x)
    assert there_and_back == special
    assert hash(there_and_back) == hash(special)


@given(st.lists(floats, max_size=6), st.lists(floats, max_size=6))
def test_special_values_leave_as_they_came(some: list[float], others: list[float]) -> None:
    total = Scaled(0, 0)
    for x in (*some, *others):
        total = total + Scaled.of(x)
    for x in some:
        total = total - Scaled.of(x)
    expected = Scaled(0, 0)
    for x in others:
        expected = expected + Scaled.of(x)
    assert total == expected


@given(scaled, st.integers(1, 10**6))
def test_quotients_by_a_count_are_correctly_rounded(a: Scaled, count: int) -> None:
    assert a.over(count) == rounded(a.fraction() / count)


def test_scaled_refuses_fractions_and_differs_from_the_rest() -> None:
    with pytest.raises(InvalidArgument, match="floats and Fractions do not mix"):
        Scaled.of(0.5) + Fraction(1, 3)  # type: ignore[operator]
    assert Scaled.of(0.5) != "x"
    assert (Scaled.of(0.5) == "x") is False
    assert Scaled.of(0.5) != Scaled.of(math.nan)
    assert Scaled.of(math.inf) != Scaled.of(-math.inf)


@given(st.integers(), st.integers().filter(bool))
@example(2**1024 - 2**970, 1)
@example(2**1024 - 2**970 - 1, 1)
@example(-(10**400), -1)
@example(1, 2**1075)
@example(1, 2**1075 - 1)
def test_quotient_is_correctly_rounded(numerator: int, denominator: int) -> None:
    exact = Fraction(numerator, denominator)
    assert is_nearest(quotient(numerator, denominator), exact, exact)


@given(
    st.fractions(min_value=0)
    | finite_floats.map(lambda x: abs(Fraction(x)))
    | finite_floats.map(lambda x: Fraction(x) ** 2)
    | st.builds(lambda n, e: Fraction(n) * Fraction(4) ** e, st.integers(0, 2**70), st.integers(-600, 600))
)
@example(Fraction(0))
@example(Fraction(5e-324) ** 2)
@example(Fraction(5e-324) ** 2 / 4)
@example((Fraction(1) + Fraction(1, 2**53)) ** 2)  # halfway: to even
@example((Fraction(1) + Fraction(1, 2**53)) ** 2 + Fraction(1, 10**100))  # a hair above
@example((Fraction(1) + Fraction(3, 2**53)) ** 2 - Fraction(1, 10**100))  # a hair below
@example(LARGEST**2)
@example(Fraction(10) ** 700)
def test_root_is_correctly_rounded(square: Fraction) -> None:
    # An interval for the true root, 300 bits narrower than anything that matters.
    scale = 4 ** (1300 + max(0, square.denominator.bit_length()))
    whole = math.isqrt(square.numerator * scale // square.denominator)
    low, high = Fraction(whole, math.isqrt(scale)), Fraction(whole + 1, math.isqrt(scale))
    exact = low * low == square
    assert is_nearest(root(square), low, low if exact else high)
    if not exact:  # the true root is strictly inside, so a tie is no excuse
        middle = (low + high) / 2
        assert is_nearest(root(square), middle, middle)


def test_root_breaks_ties_to_even() -> None:
    halfway = (Fraction(1) + Fraction(1, 2**53)) ** 2
    assert root(halfway) == 1.0
    assert root(halfway + Fraction(1, 10**100)) == math.nextafter(1.0, 2)
    assert root((Fraction(1) + Fraction(3, 2**53)) ** 2) == 1 + 2**-51


@given(st.fractions(min_value=Fraction(1, 10**30)), st.integers(-3000, 3000))
def test_logarithm_of_fractions(x: Fraction, power: int) -> None:
    """log(x * 2**power) = log(x) + power * log(2), though no float may hold x * 2**power."""
    expected = math.log(x) + power * math.log(2)
    size = abs(math.log(x)) + abs(power) + 1
    assert abs(logarithm(x * Fraction(2) ** power) - expected) <= 8 * 2**-53 * size


@pytest.mark.parametrize("x", [0.51, 0.7, 1023 / 1024, 1 - 2**-53, 1.0, 1 + 2**-52, 1.001, 1.5, 1.99])
def test_near_one_the_logarithm_of_a_fraction_is_that_of_the_float(x: float) -> None:
    """Written as log(2x) - log(2), what is left of 1023/1024 would have lost ten bits."""
    assert logarithm(Fraction(x)) == math.log(x)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (Fraction(10) ** 400, 400 * math.log(10)),
        (Fraction(3, 7) / 10**400, math.log(3 / 7) - 400 * math.log(10)),
        (Fraction(9, 2), math.log(4.5)),
        (Fraction(1, 9), -math.log(9)),
        (Fraction(2) ** 5000, 5000 * math.log(2)),
    ],
)
def test_logarithms_by_hand(x: Fraction, expected: float) -> None:
    assert math.isclose(logarithm(x), expected, rel_tol=1e-15)


factors = (floats | integers).map(Factors.of)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (6, Factors(6)),
        (0, Factors(zeros=1)),
        (Fraction(-1, 3), Factors(Fraction(-1, 3))),
        (0.0, Factors(floats=1, zeros=1)),
        (-0.0, Factors(floats=1, zeros=1)),
        (0.75, Factors(3, -2, floats=1)),
        (8.0, Factors(8, 0, floats=1)),
        (math.inf, Factors(1, floats=1, infinities=1)),
        (-math.inf, Factors(-1, floats=1, infinities=1)),
        (math.nan, Factors(floats=1, nans=1)),
    ],
)
def test_one_factor(value: Any, expected: Factors) -> None:
    assert tuple(Factors.of(value)) == tuple(expected)
    assert Factors() == (1, 0, 0, 0, 0, 0)


@given(
    st.lists(fractions | integers, max_size=4),
    st.lists(fractions | integers, max_size=4),
)
@example([3], [Fraction(1, 3)])
@example([Fraction(1, 3)], [2])
@example([Fraction(2, 3), 3], [5])
def test_fractions_can_be_divided_out_again(some: list[Any], others: list[Any]) -> None:
    total = Factors()
    for value in (*some, *others):
        total = total.times(Factors.of(value))
    for value in some:
        total = total.without(Factors.of(value))
    assert total.value() == math.prod(others)


@pytest.mark.parametrize(
    ("units", "exponent", "expected"),
    [
        (1, 10**15, math.inf),
        (-1, 10**15, -math.inf),
        (1, -(10**15), 0.0),
        (-1, -(10**15), -0.0),
        (3, 1023, math.inf),
        (1, 1023, 2.0**1023),
        (-1, 1024, -math.inf),
        (1, -1074, 5e-324),
        (-1, -1075, -0.0),  # half of the least: to even
        (-3, -1076, -5e-324),
        (1 << 1200, -1200, 1.0),
    ],
)
def test_a_product_far_outside_the_floats_is_not_written_out(
    units: int, exponent: int, expected: float
) -> None:
    """2**(10**15) has more digits than the memory has room for."""
    answer = Factors(units, exponent, floats=1).value()
    assert (answer, math.copysign(1, answer)) == (expected, math.copysign(1, expected))


@given(st.lists(factors, max_size=5), st.lists(factors, max_size=5))
def test_factors_can_be_divided_out_again(some: list[Factors], others: list[Factors]) -> None:
    total = expected = Factors()
    for factor in (*some, *others):
        total = total.times(factor)
    for factor in some:
        total = total.without(factor)
    for factor in others:
        expected = expected.times(factor)
    assert total == expected


@given(st.lists(finite_floats | integers, max_size=8))
def test_the_value_of_factors_is_the_rounded_product(values: list[Any]) -> None:
    total = Factors()
    for value in values:
        total = total.times(Factors.of(value))
    exact = math.prod(map(Fraction, values))
    assert total.value() == (rounded(exact) if any(isinstance(x, float) for x in values) else exact)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1e-3] * 500, 0.0),
        ([-1e-3] * 501, -0.0),
        ([1e10] * 500, math.inf),
        ([-1e10] * 501, -math.inf),
        ([5e-324, 0.5], 0.0),
        ([5e-324, 0.5000001], 5e-324),
        ([2.0**1023, 2.0], math.inf),
    ],
)
def test_products_beyond_the_floats(values: list[float], expected: float) -> None:
    total = Factors()
    for value in values:
        total = total.times(Factors.of(value))
    answer = total.value()
    assert (answer, math.copysign(1, answer)) == (expected, math.copysign(1, expected))


class Part(Fraction):
    """A rational number of another type."""


def test_number_takes_what_can_be_calculated_with() -> None:
    assert (number(3), number(0.5), number(Fraction(1, 3)), number(True)) == (3, 0.5, Fraction(1, 3), 1)
    assert type(number(True)) is int
    third = number(Part(1, 3))
    assert third == Fraction(1, 3)
    assert type(third) is Fraction
    for value in ("3", None, 1j, [1], object()):
        with pytest.raises(NotLiftable):
            number(value)
