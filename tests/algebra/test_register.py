"""`register` and the law check: false declarations are refused with a counterexample, true ones are taken."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import pytest

import swagcore as sw
from swagcore.algebra import check_laws, intervals, registry, words
from swagcore.algebra.laws import LAWS, ORDINARY, UNIVERSE, broken, declared, universe
from swagcore.errors import InvalidArgument, LawViolation

NUMBERS = (0, 1, 2, 5, -3)


@pytest.fixture(autouse=True)
def _names_as_they_were() -> Iterator[None]:
    before = dict(registry._NAMED)
    yield
    registry._NAMED.clear()
    registry._NAMED.update(before)


def user(name: str = "mine", **fields: Any) -> sw.Aggregate:
    """A sum of integers, but for the fields."""
    return sw.Aggregate(
        name, **{"lift": int, "combine": operator.add, "identity": 0, "examples": NUMBERS, **fields}
    )


def _larger_in_place(a: list[int], b: list[int]) -> list[int]:
    a[0] = max(a[0], b[0])
    return a


FALSE: dict[str, tuple[sw.Aggregate, str]] = {
    "associative": (
        user(combine=lambda a, b: a if b == 0 else b if a == 0 else a - b),
        "combine(combine(",
    ),
    "identity": (user(identity=1), "combine(identity, 1) is 2, not 1"),
    "identity on the left": (user(combine=lambda a, b: a), "combine(identity, 1) is 0, not 1"),
    "identity on the right": (user(combine=lambda a, b: b), "combine(1, identity) is 0, not 1"),
    "commutative": (
        user(lift=str, combine=operator.add, identity="", commutative=True, examples=("a", "b")),
        "combine('a', 'b') is 'ab', combine('b', 'a') is 'ba'",
    ),
    "idempotent": (user(idempotent=True), "combine(1, 1) is 2"),
    "selective": (user(selective=True), "which is neither of the two objects"),
    "selective by value": (
        user(lift=lambda v: (v,), combine=lambda a, b: (*max(a, b),), identity=(-9,), selective=True),
        "which is neither of the two objects",
    ),
    "inverse": (
        user(combine=max, identity=-9, inverse=lambda total, oldest: total, examples=(1, 2)),
        "inverse(1, 1) is 1, not -9",
    ),
    "inverse from the wrong end": (
        user(
            lift=str,
            combine=operator.add,
            identity="",
            inverse=lambda total, oldest: total[: len(total) - len(oldest)],
            examples=("a", "b"),
        ),
        "is 'a', not 'b'",
    ),
    "pure": (
        user(lift=lambda v: [v], combine=_larger_in_place, identity=[-9]),
        "combine changed its operand",
    ),
    "pure inverse": (
        user(
            lift=lambda v: [v],
            combine=operator.add,
            identity=[],
            inverse=lambda total, oldest: [total.pop(0) for _ in oldest] and total,
        ),
        "inverse changed its operand",
    ),
    "pure combine, though its inverse is": (
        user(
            lift=lambda v: [v], combine=_larger_in_place, identity=[-9], inverse=lambda total, oldest: total
        ),
        "combine changed its operand",
    ),
    "pure lower": (
        user(lift=lambda v: [v], combine=operator.add, identity=[], lower=lambda partial: partial.pop()),
        "lower changed its operand",
    ),
}


@pytest.mark.parametrize("case", FALSE)
def test_a_false_law_is_refused_with_a_counterexample(case: str) -> None:
    aggregate, counterexample = FALSE[case]
    with pytest.raises(LawViolation) as refused:
        sw.register(aggregate)
    assert refused.value.law == LAWS[case.split()[0]]
    assert counterexample in refused.value.counterexample
    assert aggregate.name not in sw.aggregates()


def test_every_law_has_a_false_example() -> None:
    assert {case.split()[0] for case in FALSE} == set(LAWS)


TRUE = [
    user(),
    user(commutative=True, inverse=operator.sub),
    user(combine=max, identity=-(10**9), commutative=True, idempotent=True, selective=True),
    user(lift=lambda v: [v], combine=operator.add, identity=[], lower=sorted),
    user(lift=lambda v: frozenset([v]), combine=operator.or_, identity=frozenset(), commutative=True, idempotent=True),
    user(lift=lambda v: (v % 7,), combine=lambda a, b: ((a[0] * b[0]) % 7,), identity=(1,), commutative=True),
    sw.Aggregate("mine", parts=[sw.aggregate("min"), sw.aggregate("count")], examples=[1, 2, None]),
]  # fmt: skip


@pytest.mark.parametrize("aggregate", TRUE)
def test_true_laws_are_accepted(aggregate: sw.Aggregate) -> None:
    assert sw.register(aggregate) is aggregate
    assert sw.aggregate("mine") is aggregate
    assert "mine" in sw.aggregates()
    assert check_laws(aggregate) > 0


@pytest.mark.parametrize("name", ["any", "all"])
def test_both_truth_values_are_examples(name: str) -> None:
    examples = sw.aggregate(name).examples or ()
    assert set(examples) == {True, False}
    assert sw.aggregate(name).over(examples) is (name == "any")


@pytest.mark.parametrize(
    "name", ["min", "max", "first", "median", "top_k(2)", "count_distinct", "collect_distinct"]
)
def test_examples_have_equal_values_of_two_types_and_different_ones(name: str) -> None:
    """What choosing and collecting aggregates can get wrong: ties, and values that are not what they seem."""
    examples = sw.aggregate(name).examples or ()
    sw.aggregate(name).over(examples)
    numbers = {value for value in examples if isinstance(value, (int, float)) and value == value}
    assert any(type(a) is int and type(b) is float and a == b for a in examples for b in examples)
    assert len(numbers) >= 2
    assert any(value != value for value in examples)


def test_a_null_among_the_examples_is_the_identity() -> None:
    assert universe(user(examples=[None, 3]))[:3] == [0, 0, 3]


@pytest.mark.parametrize(
    "name", [*sorted(registry._BUILT_IN - {"quantile", "top_k"}), "quantile(0.9)", "top_k(2)"]
)
def test_the_built_ins_pass_their_own_check(name: str) -> None:
    assert check_laws(sw.aggregate(name)) > 100


def test_without_examples_ordinary_values_are_tried() -> None:
    sw.register(user(examples=None))
    with pytest.raises(LawViolation, match="commutative"):
        sw.register(user("other", lift=str, identity="", commutative=True, examples=None))
    # A plain sum of floats is not associative, and is told so.
    with pytest.raises(LawViolation, match="is not associative"):
        sw.register(user("plain", lift=float, identity=0.0, examples=None))


def test_without_examples_types_are_not_mixed() -> None:
    """A lift that takes everything: numbers, strings and pairs are ordinary values, but not of one stream."""
    larger = sw.Aggregate(
        "larger", lift=lambda v: v, combine=lambda a, b: b if a is None else a if b is None or a >= b else b
    )
    assert sw.register(larger) is larger
    tried = universe(larger)
    assert 10 < len(tried) <= UNIVERSE
    assert not any(isinstance(partial, str) for partial in tried)
    assert any(isinstance(value, str) for value in ORDINARY)


@pytest.mark.parametrize("from_the_left", [True, False])
def test_without_examples_a_value_has_to_go_with_the_others_on_both_sides(from_the_left: bool) -> None:
    def combine(a: Any, b: Any) -> Any:
        text, other = (a, b) if from_the_left else (b, a)
        if isinstance(text, str) and not isinstance(other, str):
            raise TypeError("a text goes with texts")
        return a if isinstance(b, str) else b if isinstance(a, str) else a + b

    tried = universe(
        user(lift=lambda v: v if isinstance(v, (int, str)) else None, combine=combine, examples=None)
    )
    assert not any(isinstance(partial, str) for partial in tried)


ORDINARY_FAULTS = [0, 1, -1, 2, 3, 0.5, -2.5, 0.1, 1e16, True, False, "", "a", "b", "ab", (1, "a"), (2, "b"), (1, "c")]  # fmt: skip


@pytest.mark.parametrize("value", ORDINARY_FAULTS)
def test_without_examples_a_fault_at_one_ordinary_value_is_found(value: Any) -> None:
    """Zero, one and their neighbours, fractions, a float that swallows others, truth values, texts, pairs of equal `by`."""

    def lift(given: Any) -> Any:
        kind = (int, float) if isinstance(value, (int, float)) else type(value)
        if not isinstance(given, kind):
            raise TypeError("of another kind")
        return ((type(given).__name__, given),)

    def combine(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
        return a + b if (type(value).__name__, value) not in a else b

    lists = sw.Aggregate("lists", lift=lift, combine=combine, identity=())
    with pytest.raises(LawViolation, match="neutral identity"):
        check_laws(lists)


def test_examples_that_cannot_be_tried() -> None:
    for examples in ((), None):
        with pytest.raises(InvalidArgument, match="expected values that it can lift, to check its laws on"):
            sw.register(user(lift=lambda v: v["key"], examples=examples))
    with pytest.raises(InvalidArgument, match="value for aggregate 'mine' is 'x'"):
        sw.register(user(examples=["x"]))
    with pytest.raises(InvalidArgument, match=r"combine of aggregate 'mine' is .* takes the partials"):
        sw.register(user(lift=str, combine=operator.sub, identity="", examples=["a"]))
    with pytest.raises(LawViolation, match="it raises ZeroDivisionError"):
        sw.register(
            user(
                lift=float,
                combine=operator.add,
                inverse=lambda t, o: t * o / o,
                identity=0.0,
                examples=[1, 2],
            )
        )


def test_a_lower_that_refuses_a_partial_breaks_no_law() -> None:
    """An answer may not exist for every partial: that is for the owner of `lower` to say."""
    quotients = user(lower=lambda total: 1 / total)
    assert universe(quotients)[0] == 0
    assert sw.register(quotients) is quotients


def test_a_combine_or_inverse_that_raises_does_break_one() -> None:
    with pytest.raises(LawViolation) as refused:
        check_laws(user(inverse=lambda total, oldest: total // oldest, examples=[1]))
    assert str(refused.value) == (
        "aggregate 'mine' is not free of side effects: on 0, 0 it raises "
        "ZeroDivisionError('integer division or modulo by zero')"
    )


def test_neighbours_are_combined_in_their_order() -> None:
    a, b, c = ("a",), ("b",), ("c",)
    assert universe(words) == [(), a, b, c, a + b + c, a + b, b + c, c + a]


def test_the_universe_is_bounded() -> None:
    """Twelve examples at the most, and what is left of 24 for the longest sum and the sums of neighbours."""
    assert UNIVERSE == 24
    assert universe(user(examples=range(1000))) == [
        0,
        *range(12),
        sum(range(1000)),
        *(1, 3, 5, 7, 9, 11, 13, 15, 17, 19),
    ]


@pytest.mark.parametrize(
    ("fields", "tried"),
    [
        ({}, 24**2 + 24 + 24**3),
        ({"commutative": True, "inverse": operator.sub}, 3 * 24**2 + 24 + 24**3),
        (
            {"combine": max, "identity": -1, "idempotent": True, "selective": True},
            2 * 24**2 + 2 * 24 + 24**3,
        ),
    ],
)
def test_every_tuple_of_the_universe_is_tried(fields: dict[str, Any], tried: int) -> None:
    assert check_laws(user(examples=range(12), **fields)) == tried


@pytest.mark.parametrize(
    ("law", "operands", "violation"),
    [
        ("associative", (5, 3, 1), "combine(combine(5, 3), 1) is 1, combine(5, combine(3, 1)) is 3"),
        ("identity", (5,), "combine(identity, 5) is -5, not 5"),
        ("commutative", (5, 3), "combine(5, 3) is 2, combine(3, 5) is -2"),
        ("idempotent", (5,), "combine(5, 5) is 0"),
        ("selective", (5, 3), "combine(5, 3) is 2, which is neither of the two objects"),
        ("selective", (5, 0), None),
        ("inverse", (5, 3), "inverse(2, 5) is 7, not 3"),
        ("inverse", (0, 0), None),
        ("pure", (5, 3), None),
    ],
)
def test_how_differences_break_each_law(law: str, operands: tuple[int, ...], violation: str | None) -> None:
    assert broken(user(combine=operator.sub, inverse=operator.add), law, operands) == violation


def test_only_an_aggregate_can_be_checked() -> None:
    with pytest.raises(InvalidArgument) as refused:
        check_laws("sum")  # type: ignore[arg-type]
    assert str(refused.value) == (
        "aggregate to check is 'sum'; expected an Aggregate, such as sw.aggregate('sum')"
    )


def test_laws_that_are_not_declared_are_not_tried() -> None:
    laws = [law for law, _ in declared(user())]
    assert laws == ["pure", "identity", "associative"]
    assert dict(
        declared(user(inverse=operator.sub, commutative=True, selective=True, idempotent=True))
    ).keys() == set(LAWS)
    with pytest.raises(InvalidArgument, match="law is 'distributive'"):
        broken(user(), "distributive", ())


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": ""}, "name is ''; expected a non-empty string"),
        ({"name": 3}, "name is 3; expected a non-empty string"),
        ({"lift": None}, "lift of aggregate 'mine' is None; expected a function"),
        ({"combine": 3}, "combine of aggregate 'mine' is 3; expected a function"),
        ({"lower": None}, "lower of aggregate 'mine' is None; expected a function"),
        ({"equal": 3}, "equal of aggregate 'mine' is 3; expected a function"),
        ({"inverse": 3}, "inverse of aggregate 'mine' is 3; expected a function or None"),
        ({"commutative": 1}, "commutative is 1; expected True or False"),
        ({"selective": None}, "selective is None; expected True or False"),
        ({"idempotent": "yes"}, "idempotent is 'yes'; expected True or False"),
        ({"examples": 3}, "examples of aggregate 'mine' is 3; expected a list or a tuple"),
        ({"parts": 3}, "parts of aggregate 'mine' is 3; expected a list or a tuple"),
        ({"parts": []}, "parts of aggregate 'mine' is "),
        ({"parts": ["sum"]}, "parts of aggregate 'mine' is "),
        ({"parts": [sw.aggregate("count")]}, "those of its parts alone"),
        ({"parts": [sw.aggregate("count")], "lift": None}, "those of its parts alone"),
        ({"parts": [sw.aggregate("count")], "combine": None}, "those of its parts alone"),
        (
            {"parts": [sw.aggregate("count")], "lift": None, "combine": None, "inverse": operator.sub},
            "aggregate 'mine' with parts is 'lift, combine or inverse'; expected those of its parts alone",
        ),
        ({"parts": [sw.aggregate("mean")], "lift": None, "combine": None}, "without parts of their own"),
    ],
)
def test_bad_declarations(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        user(**{"name": "mine", **fields})
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "name", ["max", "range", "total", "quantile", "top_k", "two words", "3rd", "f(x)", "a-b"]
)
def test_names_that_cannot_be_registered(name: str) -> None:
    with pytest.raises(InvalidArgument, match="name of an aggregate to register"):
        sw.register(user(name))


def test_only_an_aggregate_can_be_registered() -> None:
    with pytest.raises(InvalidArgument, match="aggregate to register is 'max'; expected an Aggregate"):
        sw.register("max")  # type: ignore[arg-type]


def test_a_product_of_parts_has_the_laws_of_all_of_them() -> None:
    count, least, first = (sw.aggregate(name) for name in ("count", "min", "first"))
    both = sw.Aggregate("both", parts=[count, least], selective=True, commutative=False)
    assert (both.commutative, both.idempotent, both.selective, both.invertible) == (True, False, False, False)
    assert not sw.Aggregate("both", parts=[least, first]).commutative
    assert sw.Aggregate("both", parts=[least, first]).idempotent
    for parts in ([count], [count, count], [count, count, count]):
        some = sw.Aggregate("some", parts=parts, examples=[1, 2])
        assert some.invertible
        assert check_laws(some) > 0
        assert some.over("abc") == (3,) * len(parts)


def test_words_pass_the_check_and_intervals_are_no_total_monoid() -> None:
    assert check_laws(words) > 0
    with pytest.raises(InvalidArgument):
        check_laws(sw.Aggregate("i", lift=intervals.lift, combine=intervals.combine, examples=[0, 5]))
