"""Every law of every built-in: the declared ones hold on the whole domain, the others really fail.

`DOMAINS` (values.py) says what values those are: nulls, NaN, infinities, -0.0, subnormal and huge floats, huge
integers, fractions, strings, dates, and no values at all.
"""

from __future__ import annotations

import copy
import itertools
import math
import statistics
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import swagcore as sw
from swagcore.algebra import same
from swagcore.algebra.registry import _PARTS
from tests.algebra.values import (
    DOMAINS,
    LAWS,
    declares,
    finite_floats,
    floats,
    folded,
    fractions,
    integers,
    partials,
    rounded,
)

UNIT = Fraction(1, 2**53)
HALF = settings(max_examples=settings().max_examples // 2)  # for many aggregates at once


def test_every_built_in_has_a_domain() -> None:
    built_in = {sw.aggregate(name).name for name in sw.aggregates()} | set(_PARTS)
    families = {name for name in DOMAINS if "(" in name}
    assert (
        set(DOMAINS) - families == {name for name in built_in if not name.startswith("test_")} - _registered()
    )
    assert {name.split("(")[0] for name in families} == {"quantile", "top_k"}


def _registered() -> set[str]:
    """Names that doctests or other tests registered in the same run."""
    from swagcore.algebra.registry import _BUILT_IN

    return set(sw.aggregates()) - _BUILT_IN


def test_every_built_in_has_its_claims() -> None:
    from specs.laws import NAMES

    assert {name.split("(")[0] for name in NAMES} == {name.split("(")[0] for name in DOMAINS} - set(_PARTS)


@pytest.mark.parametrize("name", DOMAINS)
@given(data=st.data())
def test_declared_laws_hold_and_operands_stay_as_they_were(name: str, data: st.DataObject) -> None:
    aggregate = sw.aggregate(name)
    operands = data.draw(partials(name, 3))
    a, b, _ = operands
    total = aggregate.combine(a, b)
    before = copy.deepcopy((*operands, total))
    for law, holds in LAWS.items():
        if declares(aggregate, law):
            assert holds(aggregate, *operands), f"{name} is not {law}"
    if aggregate.inverse:
        aggregate.inverse(total, a)
    if name != "spread":  # strings have a smallest and a largest, but no difference
        for operand in operands:
            aggregate.lower(operand)
    for old, new in zip(before, (*operands, total), strict=True):
        assert aggregate.equal(old, new)


@pytest.mark.parametrize("name", [name for name in DOMAINS if name != "spread"])
@given(data=st.data())
@HALF
def test_answers_do_not_depend_on_the_grouping(name: str, data: st.DataObject) -> None:
    """What the laws are for: the answer over a stream is the same however its pieces were combined."""
    aggregate = sw.aggregate(name)
    kind = data.draw(st.sampled_from(DOMAINS[name]))
    values = data.draw(st.lists(st.none() | kind, max_size=8))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(values)), max_size=3)))
    pieces = [folded(aggregate, values[i:j]) for i, j in itertools.pairwise([0, *cuts, len(values)])]
    from_the_right = aggregate.identity
    for piece in reversed(pieces):
        from_the_right = aggregate.combine(piece, from_the_right)
    assert same(aggregate.over(values), aggregate.lower(from_the_right))
    assert same(aggregate.over(values), aggregate.lower(aggregate.fold(pieces)))


# Laws that are not declared -------------------------------------------------------------------------------------

# For "inverse" three lists: an oldest piece and two different rests that give one and the same total, so that no
# function whatever could tell them apart. For the others the operands on which the law fails.
NUMERIC = ("count", "sum", "sum_squares", "product", "mean", "variance", "stddev", "geometric_mean") + (
    "total",
    "total_squares",
    "total_logarithms",
    "factors",
    "fast_sum",
    "fast_total",
)
HOLISTIC = ("median", "quantile(0.9)", "quantile(1/3)")
FAILS: dict[tuple[str, str], Any] = {
    **{(name, law): ([2], [2]) for name in NUMERIC for law in ("idempotent", "selective")},
    **{(name, law): ([2], [2]) for name in (*HOLISTIC, "top_k(3)") for law in ("idempotent", "selective")},
    **{(name, "inverse"): ([1e16], [1.0], [0.0]) for name in ("fast_sum", "fast_total")},
    ("min", "inverse"): ([1], [2], [3]),
    ("max", "inverse"): ([3], [1], [2]),
    ("spread", "inverse"): ([0, 3], [1], [2]),
    ("any", "inverse"): ([True], [True], [False]),
    ("all", "inverse"): ([False], [True], [False]),
    ("first", "inverse"): (["a"], ["b"], ["c"]),
    ("last", "inverse"): (["a"], ["a"], []),
    ("arg_min", "inverse"): ([(1, "a")], [(2, "b")], [(3, "b")]),
    ("arg_max", "inverse"): ([(3, "a")], [(1, "b")], [(2, "b")]),
    ("count_distinct", "inverse"): (["a"], ["a"], []),
    ("collect_distinct", "inverse"): (["a"], ["a"], []),
    ("top_k(1)", "inverse"): ([3], [1], [2]),
    ("top_k(3)", "inverse"): ([3, 3, 3], [1], [2]),
    ("arg_min", "commutative"): ([(1, "a")], [(1, "b")]),
    ("arg_max", "commutative"): ([(1, "a")], [(1, "b")]),
    ("first", "commutative"): (["a"], ["b"]),
    ("last", "commutative"): (["a"], ["b"]),
    ("concat", "commutative"): (["a"], ["b"]),
    ("collect_distinct", "commutative"): (["a"], ["b"]),
    ("concat", "idempotent"): (["a"], ["a"]),
    ("concat", "selective"): (["a"], ["b"]),
    ("spread", "selective"): ([1], [2]),
    ("count_distinct", "selective"): (["a"], ["b"]),
    ("collect_distinct", "selective"): (["a"], ["b"]),
}

HOLDS_UNDECLARED = {
    ("top_k(1)", "idempotent"): "true of k = 1 alone; the laws of the family do not hang on k",
    ("top_k(1)", "selective"): "true of k = 1 by value, but its combine makes a new tuple",
    **{
        (name, "inverse"): "the difference of two bags, but it costs as much as the window is long"
        for name in HOLISTIC
    },
}


def test_every_law_is_declared_or_accounted_for() -> None:
    optional = ("commutative", "idempotent", "selective", "inverse")
    undeclared = {(n, law) for n in DOMAINS for law in optional if not declares(sw.aggregate(n), law)}
    assert undeclared == set(FAILS) | set(HOLDS_UNDECLARED)
    assert not set(FAILS) & set(HOLDS_UNDECLARED)


DECLARED = {
    **dict.fromkeys(
        [
            "count",
            "sum",
            "sum_squares",
            "product",
            "mean",
            "variance",
            "stddev",
            "geometric_mean",
            "total",
            "total_squares",
            "total_logarithms",
            "factors",
        ],
        "commutative inverse",
    ),
    **dict.fromkeys(["fast_sum", "fast_total", "median", "quantile(0.9)", "top_k(3)"], "commutative"),
    **dict.fromkeys(["min", "max", "any", "all"], "commutative idempotent selective"),
    **dict.fromkeys(["spread", "count_distinct"], "commutative idempotent"),
    **dict.fromkeys(["arg_min", "arg_max", "first", "last"], "idempotent selective"),
    "collect_distinct": "idempotent",
    "concat": "inverse",
}


@pytest.mark.parametrize("name", DECLARED)
def test_the_laws_of_each_aggregate(name: str) -> None:
    """What a technique may ask of it, by hand; and it takes all of its own examples."""
    aggregate = sw.aggregate(name)
    optional = ("commutative", "idempotent", "selective", "inverse")
    assert {law for law in optional if declares(aggregate, law)} == set(DECLARED[name].split())
    assert aggregate.examples
    aggregate.over(aggregate.examples)


@pytest.mark.parametrize(("name", "law"), FAILS)
def test_undeclared_laws_fail(name: str, law: str) -> None:
    aggregate = sw.aggregate(name)
    operands = [folded(aggregate, values) for values in FAILS[name, law]]
    if law == "inverse":
        oldest, rest, other = operands
        assert not aggregate.equal(rest, other)
        assert aggregate.equal(aggregate.combine(oldest, rest), aggregate.combine(oldest, other))
    elif law == "selective":  # not even by value
        total = aggregate.combine(*operands)
        assert not any(aggregate.equal(total, operand) for operand in operands)
    else:
        assert not LAWS[law](aggregate, *operands, None)


@given(partials("top_k(1)", 2))
def test_top_1_is_idempotent_and_chooses_by_value(operands: tuple[Any, Any]) -> None:
    a, b = operands
    top = sw.top_k(1)
    assert LAWS["idempotent"](top, a, b, None)
    assert any(top.equal(top.combine(a, b), operand) for operand in operands)


@pytest.mark.parametrize("name", HOLISTIC)
@given(data=st.data())
def test_bags_have_a_difference(name: str, data: st.DataObject) -> None:
    aggregate = sw.aggregate(name)
    oldest, rest = data.draw(partials(name, 2))

    def count(elements: Any) -> Counter[Any]:
        return Counter("nan" if element != element else element for element in elements)

    assert count(aggregate.combine(oldest, rest)) - count(oldest) == count(rest)


# Floats: which laws hold exactly, and which within what bound ------------------------------------------------------


def _ieee_total(values: list[float]) -> float | Fraction:
    """The exact sum, or what the special values make of it."""
    if any(x != x for x in values) or {math.inf, -math.inf} <= set(values):
        return math.nan
    infinite = [x for x in values if math.isinf(x)]
    return infinite[0] if infinite else sum(map(Fraction, values), Fraction(0))


@given(st.lists(floats, min_size=1, max_size=12), st.randoms(use_true_random=False))
@example([1.7e308, 1.7e308, -1.7e308], None)
@example([1e16, 1.0, -1e16], None)
def test_sum_and_mean_are_correctly_rounded_in_every_order(values: list[float], random: Any) -> None:
    exact = _ieee_total(values)
    finite = isinstance(exact, Fraction)
    expected_sum = rounded(exact) if isinstance(exact, Fraction) else exact
    expected_mean = rounded(exact / len(values)) if isinstance(exact, Fraction) else exact
    shuffled = list(values)
    if random is not None:
        random.shuffle(shuffled)
    for order in (values, shuffled):
        assert same(sw.aggregate("sum").over(order), expected_sum)
        assert same(sw.aggregate("mean").over(order), expected_mean)
    squares = sw.aggregate("sum_squares").over(values)
    if finite:
        assert squares == rounded(sum(Fraction(x) ** 2 for x in values))
    else:
        assert same(squares, math.nan if any(x != x for x in values) else math.inf)


@given(st.lists(integers, min_size=1, max_size=9) | st.lists(fractions, min_size=1, max_size=9))
def test_integers_and_fractions_are_exact(values: list[Any]) -> None:
    total = sum(values)
    assert sw.aggregate("sum").over(values) == sw.aggregate("fast_sum").over(values) == total
    assert sw.aggregate("product").over(values) == math.prod(values)
    assert sw.aggregate("sum_squares").over(values) == sum(x * x for x in values)
    mean = sw.aggregate("mean").over(values)
    assert mean == (
        total / len(values) if isinstance(total, Fraction) else rounded(Fraction(total, len(values)))
    )


@given(st.lists(finite_floats, min_size=2, max_size=9) | st.lists(integers, min_size=2, max_size=9))
@example([1e16, 1e16 + 2, 1e16 + 4])
@example([5e-324, 0.0])
@example([1.7e308, -1.7e308])
def test_variance_and_stddev_are_correctly_rounded(values: list[Any]) -> None:
    exact = Fraction(statistics.variance([Fraction(x) for x in values]))
    assert sw.aggregate("variance").over(values) == rounded(exact)
    stddev = sw.aggregate("stddev").over(values)
    if math.isinf(stddev):
        assert exact >= Fraction(2**1024 - 2**970) ** 2
    else:
        below, here, above = (Fraction(x) for x in _neighbours(stddev))
        assert max(((below + here) / 2), 0) ** 2 <= exact <= ((here + above) / 2) ** 2


def _neighbours(x: float) -> tuple[float | Fraction, float, float | Fraction]:
    above = math.nextafter(x, math.inf)
    return math.nextafter(x, -math.inf), x, Fraction(2**1024) if math.isinf(above) else above


@given(st.lists(floats, min_size=1, max_size=9))
def test_variance_of_values_that_are_not_finite_is_nan(values: list[float]) -> None:
    if not all(map(math.isfinite, values)):
        for name in ("variance", "stddev"):
            answer = sw.aggregate(name).over(values)
            assert answer is None if len(values) == 1 else math.isnan(answer)


@given(st.lists(floats, min_size=1, max_size=9))
def test_product_is_correctly_rounded(values: list[float]) -> None:
    answer = sw.aggregate("product").over(values)
    if any(x != x for x in values) or (0 in values and any(map(math.isinf, values))):
        assert math.isnan(answer)
    elif any(map(math.isinf, values)):
        assert answer == math.inf * math.prod(math.copysign(1, x) for x in values)
    else:
        assert answer == rounded(math.prod(map(Fraction, values)))


positive = st.floats(min_value=5e-324, allow_infinity=False) | st.floats(0.5, 2) | st.integers(1, 10**400)


@given(
    st.lists(positive, min_size=1, max_size=6)
    | st.lists(st.fractions(min_value=Fraction(1, 10**9)).filter(bool), min_size=1, max_size=6)
)
@example([1e300, 1e-300])
@example([Fraction(1, 10**400), Fraction(10**400 + 1, 1)])
@example([Fraction(2**60 + 1, 2**60)] * 3)
@example([10**400, Fraction(1, 10**399)])
def test_geometric_mean_is_within_its_bound(values: list[Any]) -> None:
    with localcontext() as context:
        context.prec = 60
        context.Emax, context.Emin = 10**6, -(10**6)
        logarithms = [(Decimal(x.numerator) / x.denominator).ln() for x in map(Fraction, values)]
        exact = (sum(logarithms) / len(values)).exp()
        if not Decimal("2.3e-308") < exact < Decimal("1.7e308"):
            return
        mean_size = sum(map(abs, logarithms)) / len(values)
        answer = Decimal(sw.aggregate("geometric_mean").over(values))
        assert abs(answer - exact) <= Decimal(2) ** -53 * (6 + 4 * mean_size) * exact


@given(st.lists(finite_floats.filter(lambda x: abs(x) < 1e300), min_size=1, max_size=12), st.data())
def test_fast_sum_is_associative_within_its_bound(values: list[float], data: st.DataObject) -> None:
    """Two groupings of n floats differ by at most 2(n-1)u * sum|x|, as long as nothing overflows."""
    exact = sum(map(Fraction, values))
    allowed = (len(values) - 1) * UNIT * sum(abs(Fraction(x)) for x in values)
    combine = sw.aggregate("fast_total").combine
    answers = []
    for _ in range(2):
        heap: list[float] = list(values)
        while len(heap) > 1:
            i = data.draw(st.integers(0, len(heap) - 2))
            heap[i : i + 2] = [combine(heap[i], heap[i + 1])]
        answers.append(Fraction(heap[0]))
        assert abs(answers[-1] - exact) <= allowed
    assert abs(answers[0] - answers[1]) <= 2 * allowed


@given(st.tuples(floats, floats))
def test_fast_sum_is_commutative_exactly(values: tuple[float, float]) -> None:
    fast = sw.aggregate("fast_sum")
    a, b = map(fast.partial, values)
    assert LAWS["commutative"](fast, a, b, None)
    assert LAWS["identity"](fast, a, b, None)


@pytest.mark.parametrize(
    "values",
    [
        (0.1, 0.2, 0.3),
        (1e16, -1e16, 1.0),
        (1.7e308, 1.7e308, -1.7e308),  # an overflow is beyond every bound
    ],
)
def test_fast_sum_is_not_associative(values: tuple[float, float, float]) -> None:
    fast = sw.aggregate("fast_sum")
    assert not LAWS["associative"](fast, *map(fast.partial, values))
    exact = sw.aggregate("sum")
    assert LAWS["associative"](exact, *map(exact.partial, values))


def test_what_came_in_can_leave_again() -> None:
    """The special values too: a running sum that saw a NaN is a number again when the NaN is gone."""
    for name in ("sum", "mean", "product", "geometric_mean", "sum_squares"):
        aggregate = sw.aggregate(name)
        assert aggregate.inverse is not None
        for special in (math.nan, math.inf, -math.inf, 0.0, 5e-324, 1.7e308):
            oldest = aggregate.partial(special)
            total = aggregate.combine(oldest, folded(aggregate, [0.1, 2.5, 0.1]))
            assert aggregate.lower(aggregate.inverse(total, oldest)) == aggregate.over([0.1, 2.5, 0.1])
