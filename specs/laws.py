"""The laws that every built-in aggregate keeps, those that it does not, and what is left of them on plain floats.

A law is tried on every choice of *pieces* of a stream: no values at all, one null, each of the values that matter
(zeros of both signs, NaN, infinities, subnormal, huge, ties, strings, pairs), some together, and all of them. What
holds for all integers or all doubles is proved in proofs/laws.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from swagcore.algebra import Aggregate, Partial, aggregate
from swagcore.ledger import by_size, claim, evidence, shrunk, smallest
from swagcore.testing.values import Data, data_for

NAMES = (
    *("count", "sum", "fast_sum", "sum_squares", "product", "mean", "variance", "stddev", "geometric_mean"),
    *("min", "max", "spread", "arg_min", "arg_max", "first", "last", "concat", "any", "all"),
    *("count_distinct", "collect_distinct", "median", "quantile(0.9)", "top_k(2)"),
)
"""Every built-in; the families with a parameter by one of them."""

EXACT_ON = {"fast_sum": ("ints", "huge")}
"""Plain additions round: there the laws hold on integers alone, and `laws.fast_sum.bound` says what holds on floats."""


class Piece(NamedTuple):
    """Some values of a stream and their partial; shown by the values."""

    values: tuple[Any, ...]
    partial: Partial

    def __repr__(self) -> str:
        return repr(list(self.values))


def piece(function: Aggregate, values: tuple[Any, ...]) -> Piece:
    return Piece(values, function.fold([function.partial(value) for value in values]))


def pieces(function: Aggregate, data: Data) -> list[Piece]:
    """Each value alone, simplest first; no value; a null; the first two, the last two, and all of them."""
    values = data.simplest
    alone = [(value,) for value in values]
    return [
        piece(function, chosen) for chosen in (*alone, (), (None,), values[:2], (*values[-2:], None), values)
    ]


def kinds(name: str, exact: bool = True) -> list[Data]:
    found = data_for(name, EXACT_ON.get(name) if exact else None)
    return [data for data in found if data.simplest]


def tuples(name: str, width: int, exact: bool = True) -> Iterator[tuple[Piece, ...]]:
    """Every choice of so many pieces of one kind of data, small ones first."""
    function = aggregate(name)
    for data in kinds(name, exact):
        yield from by_size(*[pieces(function, data)] * width)


# The laws, as predicates on partials. `cancels` is what an inverse needs, whatever function it were.


def monoid(g: Aggregate, a: Partial, b: Partial, c: Partial) -> bool:
    associative = g.equal(g.combine(g.combine(a, b), c), g.combine(a, g.combine(b, c)))
    return associative and g.equal(g.combine(g.identity, a), a) and g.equal(g.combine(a, g.identity), a)


def commutative(g: Aggregate, a: Partial, b: Partial) -> bool:
    return g.equal(g.combine(a, b), g.combine(b, a))


def invertible(g: Aggregate, oldest: Partial, rest: Partial) -> bool:
    return g.inverse is not None and g.equal(g.inverse(g.combine(oldest, rest), oldest), rest)


def cancels(g: Aggregate, oldest: Partial, rest: Partial, other: Partial) -> bool:
    same_total = g.equal(g.combine(oldest, rest), g.combine(oldest, other))
    return not same_total or g.equal(rest, other)


def selective(g: Aggregate, a: Partial, b: Partial) -> bool:
    chosen = g.combine(a, b)
    return chosen is a or chosen is b


def idempotent(g: Aggregate, a: Partial) -> bool:
    return g.equal(g.combine(a, a), a)


def _on_pieces(law: Callable[..., bool], name: str) -> Callable[..., bool]:
    """The law as a question about pieces, under the names of its operands: a counterexample is printed by them."""
    g = aggregate(name)
    if law is idempotent:
        return lambda x: law(g, x.partial)
    if law in (commutative, selective):
        return lambda a, b: law(g, a.partial, b.partial)
    if law is invertible:
        return lambda oldest, rest: law(g, oldest.partial, rest.partial)
    if law is cancels:
        return lambda oldest, rest, other: law(g, oldest.partial, rest.partial, other.partial)
    return lambda a, b, c: law(g, a.partial, b.partial, c.partial)


WIDTH = {monoid: 3, commutative: 2, invertible: 2, cancels: 3, selective: 2, idempotent: 1}


def on_values_that_matter(law: Callable[..., bool], name: str) -> object:
    return smallest(tuples(name, WIDTH[law], law is not cancels), _on_pieces(law, name))


def on_random_values(law: Callable[..., bool], name: str, examples: int) -> object:
    """Pieces of up to four values, nulls among them, of one kind of data in each example."""
    from hypothesis import strategies as st

    from swagcore.testing.strategies import values_for

    function = aggregate(name)
    values = values_for(name, data=[data.name for data in data_for(name, EXACT_ON.get(name))])
    some = st.lists(values, max_size=4).map(lambda found: piece(function, tuple(found)))
    return shrunk(st.tuples(*[some] * WIDTH[law]), _on_pieces(law, name), examples=examples)


MATTER = "every choice of pieces of values that matter, of each kind of data that it takes"
RANDOM = "{examples} random choices of pieces of up to four values"


def _claimed(
    name: str, law: Callable[..., bool], statement: str, expected: str = "holds", corrects: str | None = None
) -> None:
    which = "invertible" if law is cancels else law.__name__
    where = " on integers" if name in EXACT_ON and law is monoid else ""
    one = claim(
        f"laws.{name.partition('(')[0]}.{which}",
        source="O laws",
        kind="statement",
        expected=expected,
        statement=f"{name}{where}: {statement}",
        corrects=corrects,
    ).by("exhaustive", on_values_that_matter, scope=MATTER, law=law, name=name)
    if expected == "holds":
        one.by(
            *("property", on_random_values), scope=RANDOM, profile="full", law=law, name=name, examples=150
        )


CORRECTS = {("sum", monoid): "classes.s_all_associative", ("product", invertible): "classes.s_product"}

for _name in NAMES:
    _g = aggregate(_name)
    _claimed(
        *(_name, monoid, "combining partials is associative, and the partial of no values is neutral."),
        corrects=CORRECTS.get((_name, monoid)),
    )
    _claimed(
        *(_name, commutative, "the order of two partials does not matter."),
        expected="holds" if _g.commutative else "refuted",
    )
    if _g.inverse:
        _claimed(
            *(_name, invertible, "the oldest partial can be taken off a total again, special values too."),
            corrects=CORRECTS.get((_name, invertible)),
        )
    elif _name not in ("median", "quantile(0.9)"):
        # Those two could be: a bag less a part of it is known. It costs as much as the window is long.
        _claimed(_name, cancels, "the rest can be told from the oldest partial and the total.", "refuted")
    if _g.selective:
        _claimed(_name, selective, "combining returns one of its two operand objects.")
    if _g.idempotent:
        _claimed(_name, idempotent, "combining a partial with itself changes nothing.")


def just_these(law: Callable[..., bool], names: tuple[str, ...]) -> object:
    return smallest(NAMES, lambda name: (on_values_that_matter(law, name) is None) == (name in names))


for _law in (selective, idempotent):
    _kept = tuple(name for name in NAMES if getattr(aggregate(name), _law.__name__))
    claim(
        f"laws.{_law.__name__}",
        source="O laws",
        kind="statement",
        statement=f"Of the built-ins just these are {_law.__name__}: {', '.join(_kept)}.",
    ).by("exhaustive", just_these, scope=MATTER + ", each built-in", law=_law, names=_kept)


# Plain floats

UNIT = Fraction(1, 2**53)
FLOATS = (0.0, 1.0, 0.1, 0.2, -0.1, 1e16, -1e16, 5e-324)


def groupings(values: tuple[float, ...], combine: Callable[[Any, Any], Any]) -> Iterator[Any]:
    """The total of the values for every way to put parentheses."""
    if len(values) == 1:
        yield values[0]
    for cut in range(1, len(values)):
        for left in groupings(values[:cut], combine):
            for right in groupings(values[cut:], combine):
                yield combine(left, right)


@claim(
    "laws.fast_sum.bound",
    source="O laws",
    kind="formula",
    statement="""fast_sum of n floats, however grouped, is within (n - 1) * u * sum |x| of the exact sum, u = 2**-53, as
    long as nothing overflows; so two groupings differ by at most twice that.""",
)
@evidence(
    "exhaustive", scope=f"up to {{length}} out of {len(FLOATS)} floats, every order, every grouping", length=4
)
@evidence(
    "exhaustive",
    scope=f"up to {{length}} out of {len(FLOATS)} floats, every order, every grouping",
    length=5,
    profile="full",
)
def plain_sums_are_within_their_bound(length: int) -> object:
    combine = aggregate("fast_total").combine

    def holds(*values: float) -> bool:
        exact = sum(map(Fraction, values))
        allowed = (len(values) - 1) * UNIT * sum(abs(Fraction(x)) for x in values)
        return all(abs(Fraction(total) - exact) <= allowed for total in groupings(values, combine))

    return smallest((c for n in range(1, length + 1) for c in itertools.product(FLOATS, repeat=n)), holds)


@claim(
    "laws.fast_sum.tight",
    source="O laws",
    kind="statement",
    statement="The sum of |x| in the bound of fast_sum can be replaced by the size of the exact sum.",
    expected="refuted",
)
@evidence("exhaustive", scope="three out of the floats, every order, every grouping")
def no_bound_by_the_sum_itself() -> object:
    combine = aggregate("fast_total").combine

    def holds(a: float, b: float, c: float) -> bool:
        exact = sum(map(Fraction, (a, b, c)))
        return all(
            abs(Fraction(total) - exact) <= 2 * UNIT * abs(exact) for total in groupings((a, b, c), combine)
        )

    return smallest(by_size(FLOATS, FLOATS, FLOATS), holds)
