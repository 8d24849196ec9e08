"""What every built-in answers: tables of (values, expected)."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import swagcore as sw
from swagcore.algebra import same
from swagcore.algebra.registry import _BUILT_IN
from swagcore.errors import InvalidArgument, SwagError, UnknownName

nan, inf = math.nan, math.inf
third = Fraction(1, 3)

ANSWERS: list[tuple[str, list[Any], Any]] = [
    # what counts
    ("count", [1, None, 2], 2),
    ("count", [nan, nan, ""], 3),
    ("count", [False, 0], 2),
    ("count_distinct", [1, 2, 1, None, 2.0], 2),
    ("count_distinct", [nan, float("nan"), -nan], 1),
    ("count_distinct", [0.0, -0.0], 1),
    ("count_distinct", ["a", "b", "a"], 2),
    ("collect_distinct", ["b", "a", None, "b", "c"], ["b", "a", "c"]),
    ("collect_distinct", [float("nan"), 1.0, float("nan")], [nan, 1.0]),
    # what adds
    ("sum", [1, 2, None, 3], 6),
    ("sum", [10**30, 1, -(10**30)], 1),
    ("sum", [0.1] * 10, 1.0),
    ("sum", [1e16, 1.0, -1e16], 1.0),
    ("sum", [1.7e308, 1.7e308], inf),
    ("sum", [1.7e308, 1.7e308, -1.7e308], 1.7e308),
    ("sum", [inf, 1.0], inf),
    ("sum", [inf, -inf], nan),
    ("sum", [nan, 1.0], nan),
    ("sum", [-0.0], 0.0),
    ("sum", [third, third], Fraction(2, 3)),
    ("sum", [True, True, False], 2),
    ("fast_sum", [0.1, 0.2, None], 0.1 + 0.2),
    ("fast_sum", [1e16, 1.0, -1e16], 0.0),
    ("fast_sum", [1, 2], 3),
    ("sum_squares", [1, -2, 3], 14),
    ("sum_squares", [0.5, -inf], inf),
    ("sum_squares", [inf, -inf], inf),
    ("sum_squares", [1e200], inf),
    ("mean", [1, 2], 1.5),
    ("mean", [1, None, 3], 2.0),
    ("mean", [10**400, 10**400 + 2], inf),
    ("mean", [1.7e308, 1.7e308], 1.7e308),
    ("mean", [5e-324, 0.0], 0.0),
    ("mean", [third, 1], Fraction(2, 3)),
    ("mean", [inf, -inf], nan),
    ("variance", [1, 3], 2.0),
    ("variance", [4], None),
    ("variance", [4, None], None),
    ("variance", [nan], None),
    ("variance", [1e16, 1e16 + 2, 1e16 + 4], 4.0),
    ("variance", [7, 7, 7], 0.0),
    ("variance", [1.0, inf], nan),
    ("variance", [10**200, -(10**200)], inf),
    ("variance", [Fraction(1, 2), Fraction(3, 2)], 0.5),
    ("stddev", [1, 3], math.sqrt(2)),
    ("stddev", [4], None),
    ("stddev", [2.0, nan], nan),
    ("stddev", [3e200, -3e200], 4.242640687119285e200),
    # what multiplies
    ("product", [2, 3, None, 7], 42),
    ("product", [5, 0, 3], 0),
    ("product", [0.5, 0.0], 0.0),
    ("product", [2.0**600, 2.0**600, 0.5**600, 0.5**600], 1.0),
    ("product", [1e-3] * 500, 0.0),
    ("product", [-1e10] * 501, -inf),
    ("product", [0.0, inf], nan),
    ("product", [-inf, 2.0], -inf),
    ("product", [-inf, -inf], inf),
    ("product", [nan, 0.0], nan),
    ("product", [third, 3], Fraction(1)),
    ("product", [True, 5], 5),
    ("geometric_mean", [2, 8], 4.0),
    ("geometric_mean", [1, 1, 1], 1.0),
    ("geometric_mean", [0, 8], 0.0),
    ("geometric_mean", [0.0, -0.0], 0.0),
    ("geometric_mean", [-1, 4], nan),
    ("geometric_mean", [-1, -1], nan),
    ("geometric_mean", [0, -1], nan),
    ("geometric_mean", [0.0, inf], nan),
    ("geometric_mean", [inf, 2.0], inf),
    ("geometric_mean", [nan, 2.0], nan),
    ("geometric_mean", [10**400], inf),
    # what chooses
    ("min", [3, None, 1, 2], 1),
    ("max", [3, None, 1, 2], 3),
    ("min", [nan, 1.0, inf], 1.0),
    ("min", [nan, inf], inf),
    ("min", [nan], nan),
    ("max", [1.0, nan, inf], nan),
    ("max", [-inf], -inf),
    ("max", [0.0, -0.0], 0.0),
    ("max", ["b", "abc", ""], "b"),
    ("min", ["b", "abc", ""], ""),
    ("max", [True, False], True),
    ("max", [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)], datetime.date(2021, 1, 1)),
    ("max", [Decimal("1.5"), Decimal("1.25")], Decimal("1.5")),
    ("max", [10**400, 10**400 + 1], 10**400 + 1),
    ("spread", [3, 1, None, 2], 2),
    ("range", [3, 1, None, 2], 2),
    ("spread", [4], 0),
    ("spread", [1.0, nan], nan),
    ("spread", [-inf, 0.0], inf),
    ("spread", [datetime.date(2020, 1, 1), datetime.date(2020, 1, 3)], datetime.timedelta(2)),
    ("arg_max", [(1, "a"), (3, "b"), (2, "c")], "b"),
    ("arg_max", [(3, "a"), (3, "b")], "a"),
    ("arg_max", [(None, "a"), (1, "b"), None], "b"),
    ("arg_max", [(None, "a")], None),
    ("arg_max", [(1, None), (0, "b")], None),
    ("arg_max", [(1.0, "a"), (nan, "b"), (inf, "c"), (nan, "d")], "b"),
    ("arg_max", [(0.0, "a"), (-0.0, "b")], "a"),
    ("arg_max", [("x", 1), ("y", 2), ("y", 3)], 2),
    ("arg_max", [[1, "a"], [2, "b"]], "b"),
    ("arg_min", [(3, "a"), (1, "b"), (1, "c")], "b"),
    ("arg_min", [(nan, "a"), (1.0, "b")], "b"),
    ("arg_min", [(nan, "a"), (nan, "b")], "a"),
    ("arg_min", [(-0.0, "a"), (0.0, "b")], "a"),
    ("first", [None, "b", "a"], "b"),
    ("last", ["b", "a", None], "a"),
    ("first", [0, 1], 0),
    ("last", [1, False], False),
    ("concat", ["b", None, "a", "", "c"], "bac"),
    ("concat", [""], ""),
    ("any", [False, None, True], True),
    ("any", [0, 0.0], False),
    ("any", [nan], True),
    ("all", [True, None, True], True),
    ("all", [1, 0], False),
    ("all", [0.1, -1.0], True),
    # what ranks
    ("median", [3, 1, 2], 2),
    ("median", [1, 2], 1.5),
    ("median", [4, None, 1, 3, 2], 2.5),
    ("median", [1.7e308, 1.7e308], 1.7e308),
    ("median", [nan, 1.0, 2.0], 2.0),
    ("median", [nan, 1.0], nan),
    ("median", [inf, -inf], nan),
    ("median", [5], 5),
    ("quantile(0.5)", [1, 2, 3, 4], 2),
    ("quantile(0.5)", [3, 1, 2], 2),
    ("quantile(1)", [3, 1, 2], 3),
    ("quantile(1e-9)", [3, 1, 2], 1),
    ("quantile(0.1)", list(range(1, 11)), 1),
    ("quantile(0.3)", list(range(1, 11)), 3),
    ("quantile(0.07)", list(range(1, 101)), 7),
    ("quantile(0.28)", list(range(1, 26)), 7),
    ("quantile(1/3)", [10, 20, 30], 10),
    ("quantile(0.9)", ["a", "b", None], "b"),
    ("quantile(1)", [nan, 1.0], nan),
    ("quantile(0.5)", [nan, 1.0], 1.0),
    ("top_k(2)", [3, 1, 3, None, 2], [3, 3]),
    ("top_k(5)", [1, 2], [2, 1]),
    ("top_k(2)", [1.0, nan, inf], [nan, inf]),
    ("top_k(1)", ["a", "b"], ["b"]),
]


@pytest.mark.parametrize(("name", "values", "expected"), ANSWERS)
def test_answers(name: str, values: list[Any], expected: Any) -> None:
    answer = sw.aggregate(name).over(values)
    assert same(answer, expected), answer
    assert type(answer) is type(expected)


EMPTY = {"count": 0, "count_distinct": 0, "collect_distinct": [], "concat": "", "top_k(3)": []}
EVERY = [
    *sorted(_BUILT_IN - {"quantile", "top_k"} - {n for n in _BUILT_IN if "total" in n or n == "factors"})
]


@pytest.mark.parametrize("name", [*EVERY, "quantile(0.5)", "top_k(3)"])
@pytest.mark.parametrize("values", [[], [None], [None, None, None]], ids=["no values", "one null", "nulls"])
def test_no_values_or_nulls_only(name: str, values: list[None]) -> None:
    """0 for counts, empty for the collecting ones, None for the rest."""
    answer = sw.aggregate(name).over(values)
    assert answer == EMPTY.get(name)
    assert type(answer) is type(EMPTY.get(name))


def test_the_table_has_every_built_in() -> None:
    assert {name.split("(")[0] for name, _, _ in ANSWERS} >= set(EVERY)


def test_phi_is_taken_as_written() -> None:
    """0.07 * 100 is 7.000000000000001 in floats, whose ceiling would be rank 8."""
    assert math.ceil(0.07 * 100) == 8
    hundred = list(range(1, 101))
    for percent in hundred:
        for phi in (percent / 100, f"{percent}/100", Fraction(percent, 100), Decimal(percent) / 100):
            assert sw.quantile(phi).over(hundred) == percent


def test_names_find_the_aggregate() -> None:
    assert sw.aggregate("range") is sw.aggregate("spread")
    assert sw.aggregate("quantile(0.9)") is sw.quantile("0.9")
    assert sw.aggregate(" top_k( 3 ) ") is sw.top_k(3)
    assert sw.quantile(0.5).name == "quantile(0.5)"
    assert sw.aggregate(sw.quantile(third).name) is sw.quantile(third)
    assert sw.aggregate(sw.top_k(3)) is sw.top_k(3)


def test_shared_parts_are_shared_objects() -> None:
    parts = {
        name: sw.aggregate(name).parts or () for name in ("sum", "mean", "variance", "stddev", "product")
    }
    total, count = parts["sum"]
    assert parts["mean"] == (total, count)
    assert parts["variance"] == parts["stddev"]
    assert parts["variance"][0] is total
    assert parts["variance"][2] is count
    assert count is sw.aggregate("count")
    assert sw.aggregate("spread").parts == (sw.aggregate("min"), sw.aggregate("max"))


def test_numpy_scalars() -> None:
    np = pytest.importorskip("numpy")
    table = [
        ("sum", [np.int8(100), np.int8(100)], 200),
        ("sum", [np.uint8(1), np.uint8(2)], 3),
        ("sum", [np.float64(0.1)] * 10, 1.0),
        ("sum", [np.float32(0.5)], 0.5),
        ("sum", [np.bool_(True), np.bool_(True)], 2),
        ("mean", [np.int64(1), np.int64(2)], 1.5),
        ("product", [np.int64(2**40)] * 2, 2**80),
        ("sum_squares", [np.int32(2**20)], 2**40),
        ("variance", [np.float64(1), np.float64(3)], 2.0),
        ("spread", [np.int8(100), np.int8(-100)], 200),
        ("median", [np.int64(2**62)] * 2, 2.0**62),
        ("any", [np.bool_(False), np.bool_(True)], True),
        ("all", [np.bool_(False)], False),
        ("count_distinct", [np.float64("nan"), np.float32("nan")], 1),
    ]
    for name, values, expected in table:
        answer = sw.aggregate(name).over(values)
        assert answer == expected, name
        assert type(answer) is type(expected), name
    assert sw.aggregate("max").over([np.float64(1), np.float64("nan"), np.float64(2)]) != 2
    assert sw.aggregate("arg_max").over([(np.int64(1), "a"), (np.int64(1), "b")]) == "a"
    assert sw.quantile(np.float64(0.07)).over(range(1, 101)) == 7
    assert sw.quantile(np.float32(0.07)).over(range(1, 101)) == 7


NOT_LIFTABLE: list[tuple[str, Any, str]] = [
    ("sum", "3", "value for aggregate 'sum' is '3'; expected an int, a float or a Fraction"),
    ("mean", 1j, "an int, a float or a Fraction"),
    ("product", [1], "an int, a float or a Fraction"),
    ("fast_sum", "x", "an int, a float or a Fraction"),
    ("variance", Decimal(1), "an int, a float or a Fraction"),
    ("geometric_mean", "1", "an int, a float or a Fraction"),
    ("median", "a", "an int, a float or a Fraction"),
    ("min", 1j, "a value that has an order"),
    ("max", object(), "a value that has an order"),
    ("max", {}, "a value that has an order"),
    ("top_k(2)", 1j, "a value that has an order"),
    ("quantile(0.5)", object(), "a value that has an order"),
    ("arg_max", 3, "a pair (by, value)"),
    ("arg_max", (1, 2, 3), "a pair (by, value)"),
    ("arg_min", "ab", "a pair (by, value)"),
    ("arg_min", (1j, 2), "a value that has an order"),
    ("concat", 3, "a string"),
    ("any", "yes", "True, False or a number"),
    ("all", [], "True, False or a number"),
    ("count_distinct", [1], "a hashable value"),
    ("collect_distinct", {}, "a hashable value"),
]


@pytest.mark.parametrize(("name", "value", "accepted"), NOT_LIFTABLE)
def test_values_that_cannot_be_lifted(name: str, value: Any, accepted: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        sw.aggregate(name).over([None, value])
    assert accepted in str(refused.value)
    assert f"'{name}'" in str(refused.value)


MIXED = [
    ("max", [1, "a"]),
    ("arg_max", [(1, "a"), ("x", "b")]),
    ("quantile(0.5)", ["a", 1]),
    ("top_k(2)", [1, "a"]),
    ("sum", [0.5, third]),
    ("sum", [third, 0.5]),
    ("product", [third, 0.5]),
    ("product", [third, 0.0]),
    ("product", [third, inf]),
    ("product", [nan, third]),
    ("spread", ["a", "b"]),
]


@pytest.mark.parametrize(("name", "values"), MIXED)
def test_values_that_do_not_go_together(name: str, values: list[Any]) -> None:
    with pytest.raises(SwagError):
        sw.aggregate(name).over(values)


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("max", [2, "a"], "value is 'a'; expected one that can be compared with 2"),
        ("min", ["a", 2], "value is 'a'; expected one that can be compared with 2"),
        ("quantile(0.5)", [2, 1, "a"], "value is 'a'; expected one that can be compared with 1"),
        ("top_k(3)", ["b", "a", 7], "value is 7; expected one that can be compared with 'a'"),
    ],
)
def test_two_values_that_cannot_be_compared_are_named(name: str, values: list[Any], message: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        sw.aggregate(name).over(values)
    assert str(refused.value) == f"{message}: the values of a stream do not mix types"


def test_the_merge_of_two_pieces_names_the_least_of_each() -> None:
    with pytest.raises(InvalidArgument, match=r"^value is 'a'; expected one that can be compared with 1:"):
        sw.quantile(0.5).combine((1, 2), ("a", "b"))


class Version:
    """Ordered by `<` alone, which is all that an order needs."""

    def __init__(self, text: str) -> None:
        self.parts = tuple(map(int, text.split(".")))

    def __lt__(self, other: Version) -> bool:
        return self.parts < other.parts


def test_less_than_is_order_enough() -> None:
    oldest, middle, newest = Version("1.9"), Version("1.10"), Version("2.0")
    for values in ([oldest, middle, newest], [newest, oldest, middle]):
        assert sw.aggregate("min").over(values) is oldest
        assert sw.aggregate("max").over(values) is newest
        assert sw.quantile(0.5).over(values) is middle
        assert sw.top_k(2).over(values) == [newest, middle]
        assert sw.aggregate("arg_max").over([(version, version.parts) for version in values]) == (2, 0)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (1, 1.0, True),
        (1, 2, False),
        (nan, float("nan"), True),
        (nan, 1.0, False),
        (1.0, nan, False),
        ((1, nan), (1, nan), True),
        ([nan], [nan], True),
        ((1,), [1], False),  # a tuple is no list
        ([nan], (nan,), False),
        ((1, 2), (1,), False),
        ((), (), True),
        (((nan,), [1]), ((nan,), [1]), True),
        ("a", "a", True),
        (None, None, True),
        (None, 0, False),
    ],
)
def test_what_is_the_same(a: Any, b: Any, expected: bool) -> None:
    assert same(a, b) is expected
    assert same(b, a) is expected


@pytest.mark.parametrize("phi", [0, -0.1, 1.5, nan, inf, "half", "", None, True, "1/0", [0.5], 1j])
def test_phi_outside(phi: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"phi is .*; expected a number above 0 and not above 1"):
        sw.quantile(phi)


@pytest.mark.parametrize("k", [0, -1, 1.0, "3", None, True, [1]])
def test_k_that_is_no_positive_integer(k: Any) -> None:
    sw.top_k(1)  # cached, and equal to True and 1.0
    with pytest.raises(InvalidArgument, match=r"k is .*; expected a positive integer"):
        sw.top_k(k)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("maximum", "did you mean 'max'"),
        ("Sum", "did you mean 'sum'"),
        ("quantile", r"quantile\(phi\)"),
        ("quantile(2)", "phi is '2'"),
        ("top_k(x)", "k is 'x'"),
        ("top_k()", "k is ''"),
        ("max(3)", "aggregate is"),
        (None, "aggregate is None"),
        (3, "aggregate is 3"),
    ],
)
def test_names_that_nobody_defined(name: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        sw.aggregate(name)
    assert issubclass(UnknownName, SwagError)
