"""Values to try aggregates on, and the laws as predicates: written anew, so that they can judge `algebra.laws` too."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

import swagcore as sw
from swagcore.algebra import Aggregate, Partial

SPECIAL_FLOATS = (
    0.0,
    -0.0,
    math.nan,
    math.inf,
    -math.inf,
    5e-324,
    -5e-324,
    2.2e-308,
    1.7e308,
    -1.7e308,
    1e16,
    0.1,
)

integers = st.integers(-3, 3) | st.integers() | st.integers(-(10**60), 10**60)
finite_floats = st.sampled_from([x for x in SPECIAL_FLOATS if math.isfinite(x)]) | st.floats(
    allow_nan=False, allow_infinity=False
)
floats = st.sampled_from(SPECIAL_FLOATS) | st.floats()
fractions = st.fractions(-3, 3, max_denominator=5) | st.fractions()
texts = st.text("ab", max_size=3) | st.text(max_size=3)
booleans = st.booleans()
dates = st.dates()

NUMBERS = (integers, floats, fractions)
ORDERED = (integers, floats, fractions, texts, booleans, dates)


def pairs(by: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """(by, value) with few distinct `by`, some of them null: ties are what arg_min and arg_max are about."""
    return st.tuples(st.none() | by, st.sampled_from("abcdef"))


PAIRS = tuple(pairs(kind) for kind in (st.integers(0, 2), integers, floats, texts))

DOMAINS: dict[str, tuple[st.SearchStrategy[Any], ...]] = {
    "count": (*ORDERED, st.tuples(integers, texts)),
    **dict.fromkeys(
        ("sum", "sum_squares", "product", "mean", "variance", "stddev", "geometric_mean", "median")
        + ("total", "total_squares", "total_logarithms", "factors"),
        NUMBERS,
    ),
    # Plain additions round, so that on floats they are judged apart.
    **dict.fromkeys(("fast_sum", "fast_total"), (integers, fractions)),
    **dict.fromkeys(("min", "max", "spread", "first", "last"), ORDERED),
    **dict.fromkeys(("quantile(0.9)", "quantile(1/3)", "top_k(1)", "top_k(3)"), ORDERED),
    **dict.fromkeys(("arg_min", "arg_max"), PAIRS),
    "concat": (texts,),
    **dict.fromkeys(("any", "all"), (booleans, integers, floats)),
    **dict.fromkeys(("count_distinct", "collect_distinct"), (*ORDERED, st.tuples(integers, texts))),
}
"""What each built-in takes: the kinds of values, one of which a stream is made of."""


def partials(name: str, count: int, longest: int = 4) -> st.SearchStrategy[tuple[Partial, ...]]:
    """Some partials of one stream: each the aggregate of up to `longest` values, nulls among them, or of none."""
    aggregate = sw.aggregate(name)

    def of_kind(kind: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Partial, ...]]:
        piece = st.lists(st.none() | kind, max_size=longest).map(lambda values: folded(aggregate, values))
        return st.tuples(*[piece] * count)

    return st.sampled_from(DOMAINS[name]).flatmap(of_kind)


def folded(aggregate: Aggregate, values: Any) -> Partial:
    """The partial of some values. Lifted anew each time: partials of two pieces share no objects."""
    return aggregate.fold([aggregate.partial(value) for value in values])


def _inverse(g: Aggregate, a: Partial, b: Partial) -> bool:
    return g.inverse is not None and g.equal(g.inverse(g.combine(a, b), a), b)


LAWS: dict[str, Callable[[Aggregate, Partial, Partial, Partial], bool]] = {
    "associative": lambda g, a, b, c: g.equal(g.combine(g.combine(a, b), c), g.combine(a, g.combine(b, c))),
    "identity": lambda g, a, b, c: (
        g.equal(g.combine(g.identity, a), a) and g.equal(g.combine(a, g.identity), a)
    ),
    "commutative": lambda g, a, b, c: g.equal(g.combine(a, b), g.combine(b, a)),
    "idempotent": lambda g, a, b, c: g.equal(g.combine(a, a), a),
    "selective": lambda g, a, b, c: any(g.combine(a, b) is operand for operand in (a, b)),
    "inverse": lambda g, a, b, c: _inverse(g, a, b),
}


def declares(aggregate: Aggregate, law: str) -> bool:
    """Whether the aggregate promises the law; associativity and the identity are promised by all."""
    if law in ("associative", "identity"):
        return True
    return aggregate.invertible if law == "inverse" else bool(getattr(aggregate, law))


def rounded(exact: Fraction) -> float:
    """The nearest float, an infinity where there is none."""
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf
