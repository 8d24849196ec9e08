"""Exact arithmetic for aggregates: float sums and products without rounding, so that every law holds.

A finite float is an integer times a power of two. `Scaled` keeps just that, so adding and taking off again are exact
and the order of additions does not matter. NaN and the infinities are counted beside it: what went in can be taken
out again. The result is rounded once, when it leaves.
"""

from __future__ import annotations

import math
import numbers
from fractions import Fraction
from typing import Any, NamedTuple

from swagcore.algebra.aggregate import NotLiftable
from swagcore.errors import InvalidArgument


def number(value: Any) -> int | float | Fraction:
    """The value, if one can calculate with it exactly: an int, a float or a Fraction; numpy's numbers become those.

    >>> number(3), number(True)
    (3, 1)
    >>> number("3")
    Traceback (most recent call last):
        ...
    swagcore.algebra.aggregate.NotLiftable: expected an int, a float or a Fraction
    """
    if type(value) in (int, float, Fraction):
        return value  # type: ignore[no-any-return]
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Rational):
        return Fraction(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if getattr(getattr(value, "dtype", None), "kind", None) == "b" and value.shape == ():
        return int(value)  # numpy's bool, the one scalar of numpy that is not registered as a number
    raise NotLiftable("an int, a float or a Fraction")


class Scaled(NamedTuple):
    """An exact total of floats: `units * 2**exponent`, and how many NaN, +inf and -inf came with it (or None).

    Plus and minus with another Scaled or an int; `float()` rounds.

    >>> total = Scaled.of(1e16) + Scaled.of(1.0) + Scaled.of(-1e16)
    >>> float(total), 1e16 + 1.0 - 1e16
    (1.0, 0.0)
    >>> with_nan = total + Scaled.of(math.nan)
    >>> float(with_nan), float(with_nan - Scaled.of(math.nan))
    (nan, 1.0)
    """

    units: int
    exponent: int
    specials: tuple[int, int, int] | None = None

    @classmethod
    def of(cls, value: float) -> Scaled:
        """The float as it is.

        >>> Scaled.of(0.75), Scaled.of(math.nan)
        (Scaled(units=3, exponent=-2, specials=None), Scaled(units=0, exponent=0, specials=(1, 0, 0)))
        """
        if not math.isfinite(value):
            return cls(0, 0, (int(value != value), int(value == math.inf), int(value == -math.inf)))
        units, denominator = value.as_integer_ratio()
        return cls(units, 1 - denominator.bit_length())

    def __add__(self, other: Scaled | int) -> Scaled:  # type: ignore[override]
        if type(other) is not Scaled:
            if not isinstance(other, int):
                raise InvalidArgument("value", other, "values of one type: floats and Fractions do not mix")
            other = Scaled(other, 0)
        units, exponent, specials = self
        other_units, other_exponent, other_specials = other
        if exponent > other_exponent:
            units <<= exponent - other_exponent
            exponent = other_exponent
        elif exponent < other_exponent:
            other_units <<= other_exponent - exponent
        if other_specials is not None:
            specials = _added(specials, other_specials)
        return _scaled(Scaled, (units + other_units, exponent, specials))

    def __radd__(self, other: int) -> Scaled:
        return self + other

    def __neg__(self) -> Scaled:
        """What takes this off a total again: its special values count negatively.

        >>> Scaled.of(math.inf) + -Scaled.of(math.inf)
        Scaled(units=0, exponent=0, specials=None)
        """
        return Scaled(-self.units, self.exponent, self.specials and tuple(-n for n in self.specials))  # type: ignore[arg-type]

    def __sub__(self, other: Scaled | int) -> Scaled:
        return self + -other

    def __rsub__(self, other: int) -> Scaled:
        return -self + other

    def __eq__(self, other: object) -> bool:
        """By value: 3 * 2**0 is 12 * 2**-2.

        >>> Scaled(3, 0) == Scaled(12, -2), Scaled(3, 0) == 3, Scaled(3, 0) == Scaled(3, 0, (1, 0, 0))
        (True, True, False)
        """
        if not isinstance(other, (Scaled, int)):
            return NotImplemented
        difference = self - other
        return difference.units == 0 and difference.specials is None

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        finite = hash(self.fraction())  # what equals an int has its hash
        return finite if self.specials is None else hash((finite, self.specials))

    def fraction(self) -> Fraction:
        """The finite part as an exact fraction.

        >>> Scaled.of(0.75).fraction()
        Fraction(3, 4)
        """
        return Fraction(self.units << max(self.exponent, 0), 1 << max(-self.exponent, 0))

    def squared(self) -> Scaled:
        """The exact square of one lifted value.

        >>> float(Scaled.of(-1.5).squared()), float(Scaled.of(-math.inf).squared())
        (2.25, inf)
        """
        nans, plus, minus = self.specials or (0, 0, 0)
        return Scaled(self.units**2, 2 * self.exponent, _added(None, (nans, plus + minus, 0)))

    def __float__(self) -> float:
        """Rounded once, to the nearest float; infinities of both signs or a NaN give NaN."""
        return self.over(1)

    def over(self, count: int) -> float:
        """The quotient by a count, correctly rounded.

        >>> Scaled.of(1.0).over(3), (Scaled.of(1e308) + Scaled.of(1e308)).over(2)
        (0.3333333333333333, 1e+308)
        """
        if self.specials is not None:
            nans, plus, minus = self.specials
            return math.nan if nans or (plus and minus) else math.inf if plus else -math.inf
        return quotient(self.units << max(self.exponent, 0), count << max(-self.exponent, 0))


_scaled = tuple.__new__  # what Scaled(...) does, without its checks: sums run hot


def _added(a: tuple[int, int, int] | None, b: tuple[int, int, int]) -> tuple[int, int, int] | None:
    """Two tallies of special values; an empty one is None."""
    nans, plus, minus = a or (0, 0, 0)
    tally = (nans + b[0], plus + b[1], minus + b[2])
    return tally if any(tally) else None


def quotient(numerator: int, denominator: int) -> float:
    """The correctly rounded quotient of two integers; beyond the largest float it is an infinity.

    >>> quotient(1, 3), quotient(10**400, 1), quotient(-(10**400), 10**399)
    (0.3333333333333333, inf, -10.0)
    """
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if (numerator > 0) == (denominator > 0) else -math.inf


def logarithm(value: int | float | Fraction) -> float:
    """The natural logarithm of a positive number, also of one that no float comes near.

    >>> logarithm(1), logarithm(Fraction(1, 10**400)) == -logarithm(10**400)
    (0.0, True)
    """
    if not isinstance(value, Fraction):
        return math.log(value)
    # Near one the digits of numerator and denominator would cancel: take the power of two between them out first.
    power = value.numerator.bit_length() - value.denominator.bit_length()
    near_one = quotient(value.numerator << max(-power, 0), value.denominator << max(power, 0))
    return math.log(near_one) + power * math.log(2) if abs(power) > 1 else math.log(value)


def root(square: Fraction) -> float:
    """The square root of an exact number, correctly rounded: no intermediate overflow or underflow.

    >>> root(Fraction(2)) == math.sqrt(2), root(Fraction(10**700)), root(Fraction(0))
    (True, inf, 0.0)
    >>> root(Fraction(10**600)), root(Fraction(1, 10**600))
    (1e+300, 1e-300)
    """
    numerator, denominator = square.numerator, square.denominator
    # Scale by an even power of two so that the integer root has 64 to 66 bits; a sticky bit keeps the rounding right.
    shift = (numerator.bit_length() - denominator.bit_length() - 130) // 2
    scaled, rest = divmod(numerator << max(-2 * shift, 0), denominator << max(2 * shift, 0))
    whole = math.isqrt(scaled)
    sticky = int(rest != 0 or whole * whole != scaled)
    return quotient((2 * whole | sticky) << max(shift, 0), 2 << max(-shift, 0))


class Factors(NamedTuple):
    """An exact product: the factors that are neither zero, infinite nor NaN multiplied out, the others counted beside.

    `units * 2**exponent` grows by the digits of every factor (53 bits a float): exact products of long windows are
    long numbers. Kept apart like this, every factor can be divided out again, a zero too.

    >>> Factors.of(0).times(Factors.of(6)).value(), Factors.of(0).times(Factors.of(6)).without(Factors.of(0)).value()
    (0, 6)
    """

    units: Any = 1
    exponent: int = 0
    floats: int = 0
    zeros: int = 0
    infinities: int = 0
    nans: int = 0

    @classmethod
    def of(cls, value: int | float | Fraction) -> Factors:
        """One factor; the sign of an infinity goes to the units.

        >>> Factors.of(-1.5), Factors.of(-math.inf).value()
        (Factors(units=-3, exponent=-1, floats=1, zeros=0, infinities=0, nans=0), -inf)
        """
        if not isinstance(value, float):
            return cls(zeros=1) if value == 0 else cls(value)
        if value == 0:
            return cls(floats=1, zeros=1)
        if value != value:
            return cls(floats=1, nans=1)
        if math.isinf(value):
            return cls(1 if value > 0 else -1, floats=1, infinities=1)
        units, denominator = value.as_integer_ratio()
        return cls(units, 1 - denominator.bit_length(), 1)

    def times(self, other: Factors) -> Factors:
        """The product of both."""
        units, exponent, floats, zeros, infinities, nans = other
        return Factors(
            self.units * units,
            self.exponent + exponent,
            self.floats + floats,
            self.zeros + zeros,
            self.infinities + infinities,
            self.nans + nans,
        )

    def without(self, other: Factors) -> Factors:
        """The product less some of its factors: the division leaves no rest."""
        units, exponent, floats, zeros, infinities, nans = other
        whole = isinstance(self.units, int) and isinstance(units, int)
        return Factors(
            self.units // units if whole else self.units / units,
            self.exponent - exponent,
            self.floats - floats,
            self.zeros - zeros,
            self.infinities - infinities,
            self.nans - nans,
        )

    def value(self) -> int | float | Fraction:
        """The product, a float rounded once; zero times infinity is NaN.

        >>> Factors.of(0.0).times(Factors.of(math.inf)).value(), Factors.of(2).times(Factors.of(3)).value()
        (nan, 6)
        """
        if not self.floats:
            return 0 if self.zeros else self.units
        if not isinstance(self.units, int):
            raise InvalidArgument(
                "factors", self.units, "values of one type: floats and Fractions do not mix"
            )
        if self.nans or (self.zeros and self.infinities):
            return math.nan
        if self.zeros:
            return 0.0
        # Far outside the floats there is no need to write the number out in order to round it.
        magnitude = self.units.bit_length() + self.exponent
        if self.infinities or magnitude > 1100:
            return math.inf if self.units > 0 else -math.inf
        if magnitude < -1100:
            return 0.0 if self.units > 0 else -0.0
        return quotient(self.units << max(self.exponent, 0), 1 << max(-self.exponent, 0))
