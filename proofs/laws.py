"""The laws of specs/laws.py for all integers, all doubles or all strings: the functions themselves, run on symbols.

The predicates are those of the claims. A law is proved where no possible way through the code breaks it; and each proof
has a false twin, a statement about the same operands that has to break.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from proofs.branches import Symbol, branches
from proofs.z3_tools import proved, unsat
from specs.laws import commutative, idempotent, invertible, monoid, selective
from swagcore.algebra import Aggregate, aggregate
from swagcore.algebra.exact import Factors
from swagcore.ledger import evidence

Law = Callable[..., bool]
Makers = tuple[Callable[[str], Any], ...]
"""How to make an operand, one function a form that it can have; each is given a name of its own."""

TWINS: dict[Law, Law] = {
    monoid: lambda g, a, b, c: g.equal(g.combine(a, c), g.combine(a, b)),
    commutative: lambda g, a, b: g.equal(g.combine(a, b), a),
    invertible: lambda g, oldest, rest: g.equal(g.inverse(g.combine(oldest, rest), oldest), oldest),
    selective: lambda g, a, b: g.combine(a, b) is b,
    idempotent: lambda g, a: g.equal(g.combine(a, a), g.identity),
}
WIDTH = {monoid: 3, commutative: 2, invertible: 2, selective: 2, idempotent: 1}


def kept(
    law: Law, name: str, makers: Makers, given: Callable[[Any], list[Any]] = lambda partial: []
) -> object:
    """None where the law holds on operands of every form; else values that break it."""
    g = aggregate(name)
    if broken(TWINS[law], g, WIDTH[law], makers, given) is None:
        raise RuntimeError(f"the false twin of {law.__name__} holds for {name}: the proof says nothing")
    return broken(law, g, WIDTH[law], makers, given)


def broken(
    law: Law, g: Aggregate, width: int, makers: Makers, given: Callable[[Any], list[Any]]
) -> dict[str, Any] | None:
    for forms in itertools.product(makers, repeat=width):
        operands = [form(name) for form, name in zip(forms, "abc", strict=False)]
        assumed = [fact for operand in operands for fact in given(operand)]
        for condition, holds in branches(lambda operands=operands: law(g, *operands), assumed):  # type: ignore[misc]
            if not holds:
                return {"operands": operands, **(unsat(condition) or {})}
    return None


# Operands


def integers(*parts: str) -> Makers:
    """A tuple of integers, one a part."""
    import z3

    return (lambda name: tuple(Symbol(z3.Int(f"{name}_{part}")) for part in parts),)


def number(name: str) -> Symbol:
    import z3

    return Symbol(z3.Int(name))


def double(name: str) -> Symbol:
    import z3

    return Symbol(z3.FP(name, z3.Float64()))


def nothing(_: str) -> None:
    return None


def by_number(name: str) -> tuple[Symbol, str]:
    """(by, value), the values all different."""
    return number(name), f"the value of {name}"


def by_double(name: str) -> tuple[Symbol, str]:
    return double(name), f"the value of {name}"


def text(name: str) -> Symbol:
    import z3

    return Symbol(z3.String(name))


def factors(name: str) -> Factors:
    """Any product: its digits, and how many factors were floats, zeros, infinities, NaN."""
    import z3

    counts = (Symbol(z3.Int(f"{name}_{count}")) for count in ("exponent", "floats", "zeros", "inf", "nans"))
    return Factors(Symbol(z3.Real(f"{name}_units")), *counts)  # type: ignore[arg-type]


def units_are_not_zero(partial: Factors) -> list[Any]:
    return [partial.units.term != 0]


def _proved(
    laws: Iterable[Law], name: str, scope: str, makers: Makers, kind: str = "proof", **more: Any
) -> None:
    for law in laws:
        # Three doubles, or three pairs of integers, have many orders; the other proofs take a blink.
        long = law is monoid and (double in makers or name == "spread" or makers[1:] == (by_double,))
        evidence(
            kind,
            of=f"laws.{name}.{law.__name__}",
            scope=scope,
            profile="full" if long else "quick",
            **{"law": law, "name": name, "makers": makers, **more},
        )(kept)


ITSELF = ", the function itself run on symbols"
INTEGERS = "partials of all integers" + ITSELF
SUMS = {"sum": 2, "fast_sum": 2, "sum_squares": 2, "mean": 2, "variance": 3, "stddev": 3}
for _name, _size in SUMS.items():
    _laws = (monoid, commutative) if _name == "fast_sum" else (monoid, commutative, invertible)
    _proved(_laws, _name, INTEGERS, integers(*"tsn"[:_size]))
_proved((monoid, commutative, invertible), "count", INTEGERS, (number,))

CHOICE = (monoid, selective, idempotent)
for _what, _value, _pair in (
    ("all integers", number, by_number),
    ("all doubles, NaN and both zeros among them", double, by_double),
):
    for _name in ("min", "max"):
        _proved((*CHOICE, commutative), _name, f"no value, or {_what}{ITSELF}", (nothing, _value))
    for _name in ("arg_min", "arg_max"):
        _proved(CHOICE, _name, f"no value, or pairs by {_what}{ITSELF}", (nothing, _pair))
for _name in ("first", "last"):
    _proved(CHOICE, _name, "no value, or any" + ITSELF, (nothing, number))
_proved(
    *((monoid, commutative, idempotent), "spread", "no value, or all integers" + ITSELF),
    (lambda _: (None, None), integers("least", "greatest")[0]),
)
for _name in ("any", "all"):
    _proved(
        *((*CHOICE, commutative), _name, "all three partials there are"),
        *((nothing, lambda _: True, lambda _: False), "exhaustive"),
    )
_proved((monoid,), "concat", "all strings" + ITSELF, (text,))
evidence("proof", of="laws.product.monoid", scope="all products of rationals, with all counts" + ITSELF,
         law=monoid, name="factors", makers=(factors,))(kept)  # fmt: skip
evidence("proof", of="laws.product.commutative", scope="all products of rationals, with all counts" + ITSELF,
         law=commutative, name="factors", makers=(factors,))(kept)  # fmt: skip
evidence("proof", of="laws.product.invertible", scope="all products of rationals but zero, with all counts" + ITSELF,
         law=invertible, name="factors", makers=(factors,), given=units_are_not_zero)(kept)  # fmt: skip


# Kinds of operations


@evidence("proof", of="classes.choice_is_not_invertible", scope="every operation on every set")
def no_choice_is_invertible() -> object:
    """x + x can only be x, and so is e + x; what takes x off again would have to return both x and e."""
    import z3

    every = z3.DeclareSort("Element")
    plus, minus = (z3.Function(name, every, every, every) for name in ("plus", "minus"))
    x, e = z3.Consts("x e", every)
    given = [plus(e, x) == x, z3.Or(plus(x, x) == x, plus(x, x) == x)]
    given += [minus(plus(x, x), x) == x, minus(plus(e, x), x) == e]
    return proved(x == e, given=given, twin=minus(x, x) != e)


@evidence("proof", of="classes.oldest_if_commutative", scope="every operation on every set")
def commutative_ones_take_the_oldest_off() -> object:
    import z3

    every = z3.DeclareSort("Element")
    plus, minus = (z3.Function(name, every, every, every) for name in ("plus", "minus"))
    x, y = z3.Consts("x y", every)
    given = [plus(x, y) == plus(y, x), minus(plus(x, y), y) == x]
    return proved(minus(plus(y, x), y) == x, given=given, twin=minus(plus(y, x), y) == y)


@evidence("proof", of="classes.s_algebraic", scope="variance: all reals, any number of values, by their sums")
def squared_distances_from_the_mean() -> object:
    """sum (x - m)**2 = squares - 2 * m * total + n * m**2, term by term; with n * m = total that is the formula."""
    import z3

    n, m, total, squares = z3.Reals("n m total squares")
    distances = squares - 2 * m * total + n * m * m
    given = [n >= 2, n * m == total]
    return proved(
        n * distances == n * squares - total * total, given=given, twin=distances == squares - total * total
    )
