"""Every technique, every slicing, every aggregate that fits, every partition: the answers of `naive`, in its order."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swagcore as sw
from swagcore.algebra import words
from swagcore.errors import MissingLaw
from swagcore.testing import check_against_naive
from swagcore.testing.strategies import AGGREGATES, events, problems, queries, windows

SLICINGS = ("panes", "pairs", "cutty")
CONCRETE = [name for name in sw.techniques() if name not in ("panes", "auto")]


def supports(technique: str, aggregate: Any) -> bool:
    """Whether the aggregate has the laws that the technique needs, by asking for it."""
    query = sw.Query("q", aggregate, sw.Window(1, 1))
    try:
        sw.Engine([query], technique)
    except MissingLaw:
        return False
    return True


SUPPORTED = {
    technique: [aggregate for aggregate in (*AGGREGATES, words) if supports(technique, aggregate)]
    for technique in sw.techniques()
}


def test_every_technique_has_aggregates() -> None:
    """No row of the tests below is empty, and only the laws keep a pair out."""
    for technique, aggregates in SUPPORTED.items():
        if "slickdeque" not in technique and technique != "subtract_on_evict" and technique != "r_int":
            assert len(aggregates) == len(AGGREGATES) + 1, technique
        assert len(aggregates) >= 6, (technique, aggregates)
    assert [name for name in SUPPORTED if words not in SUPPORTED[name]] == ["slickdeque_noninv"]
    assert "median" not in SUPPORTED["slickdeque"] and "mean" in SUPPORTED["slickdeque_inv"]


@pytest.mark.parametrize("slicing", SLICINGS)
@pytest.mark.parametrize("technique", CONCRETE)
def test_any_problem(technique: str, slicing: str) -> None:
    @settings(max_examples=15)
    @given(problem=problems([name for name in SUPPORTED[technique] if isinstance(name, str)]))
    def check(problem: tuple[list[sw.Query], list[Any]]) -> None:
        check_against_naive(lambda asked, stream: sw.run(asked, stream, technique, slicing), *problem)

    check()


@pytest.mark.parametrize("slicing", SLICINGS)
@pytest.mark.parametrize("technique", [name for name in SUPPORTED if words in SUPPORTED[name]])
def test_words(technique: str, slicing: str) -> None:
    """Over words a right answer speaks for every associative operation (the free monoid)."""
    letters = st.text("abcdefgh", min_size=1, max_size=1)

    @settings(max_examples=15)
    @given(queries([words], max_size=5), events(letters, keys=st.sampled_from("xy"), max_size=20))
    def check(asked: list[sw.Query], stream: list[Any]) -> None:
        check_against_naive(lambda asked, stream: sw.run(asked, stream, technique, slicing), asked, stream)

    check()


@st.composite
def partitions(draw: st.DrawFn, names: list[str]) -> list[list[str]]:
    groups: list[list[str]] = [[] for _ in names]
    for name in draw(st.permutations(names)):
        groups[draw(st.integers(0, len(names) - 1))].append(name)
    return groups


@given(problems(max_queries=5), st.data(), st.sampled_from(SLICINGS))
def test_any_partition(problem: tuple[list[sw.Query], list[Any]], data: st.DataObject, slicing: str) -> None:
    """Which queries share slices changes nothing; an empty group is none."""
    groups = data.draw(partitions([query.name for query in problem[0]]))
    check_against_naive(
        lambda asked, stream: sw.run(asked, stream, slicing=slicing, optimizer=groups), *problem
    )


@settings(max_examples=40)
@given(
    queries(["sum", "mean", "concat", "max"][:2], window=windows(max_range=200, max_slide=100), max_size=8),
    events(st.integers(-9, 9), keys=st.sampled_from(range(5)), min_size=60, max_size=120),
    st.sampled_from(SLICINGS),
)
def test_longer_streams(asked: list[sw.Query], stream: list[Any], slicing: str) -> None:
    check_against_naive(lambda asked, stream: sw.run(asked, stream, slicing=slicing), asked, stream)


def one(aggregate: Any, window: sw.Window, **more: Any) -> sw.Query:
    return sw.Query("q", aggregate, window, **more)


STREAMS: list[tuple[str, list[sw.Query], list[Any]]] = [
    ("no events", [one("sum", sw.Window(4, 2))], []),
    ("equal times", [one("concat", sw.Window(4, 2))], [(1, "a"), (1, "b"), (1, "c"), (4, "d"), (4, "e")]),
    ("before 0", [one(words, sw.Window(7, 3, 1))], [(-20, "a"), (-13, "b"), (-1, "c"), (0, "d"), (5, "e")]),
    ("a gap", [one("sum", sw.Window(10, 5))], [(0, 1), (1000, 2), (1001, 3)]),
    ("a huge gap", [one("sum", sw.Window(10, 5))], [(-(10**15), 1), (0, 2), (10**15, 3)]),
    ("a huge window", [one("max", sw.Window(10**15, 10**14))], [(0, 1), (10**15, 2), (2 * 10**15, 3)]),
    (
        "all null",
        [one("sum", sw.Window(4, 2)), sw.Query("n", "count", sw.Window(4, 2))],
        [(0, None), (9, None)],
    ),
    ("events in gaps", [one("sum", sw.Window(2, 10))], [(1, 1), (5, 2), (9, 3), (10, 4), (19, 5), (21, 6)]),
    (
        "an event in a gap of one window only",
        [one("sum", sw.Window(2, 10)), sw.Query("r", "sum", sw.Window(3, 7, 4))],
        [(t, t) for t in range(-3, 40)],
    ),
    (
        "lag",
        [one("sum", sw.Window(4, 2, lag=7)), sw.Query("r", "max", sw.Window(3, 3))],
        [(0, 1), (3, 4), (11, 2)],
    ),
    ("counts", [one("concat", sw.Window.count(3, 2))], [(0, "a"), (0, "b"), (9, "c"), (9, "d"), (9, "e")]),
    (
        "a key that comes late, over counts",
        [one("sum", sw.Window.count(2, 1)), sw.Query("t", "sum", sw.Window(2, 2))],
        [(100, 1, "x"), (101, 2, "x"), (102, 3, "x"), (200, 4, "y")],
    ),
    (
        "an empty instance that is known late",
        [one("sum", sw.Window(2, 2), emit_empty=True), sw.Query("r", "sum", sw.Window(2, 2))],
        [(0, 1, "x"), (1, 1, "y"), (8, 1, "y"), (9, 2, "x"), (20, 1, "y")],
    ),
    (
        "the second key falls silent while the first goes on",
        [one("sum", sw.Window(2, 2), emit_empty=True)],
        [(0, 1, "x"), (1, 1, "y"), (10, 1, "x"), (20, 1, "x"), (21, 1, "y")],
    ),
    (
        "an empty instance with a lag",
        [one("count", sw.Window(2, 2, lag=9), emit_empty=True)],
        [(0, 1), (9, 2), (10, 3), (30, 4)],
    ),
    (
        "columns",
        [
            one("sum", sw.Window(4, 2), value="v"),
            sw.Query("a", "arg_max", sw.Window(3, 3), value="n", by="v"),
        ],
        [(0, {"v": 3, "n": "a"}), (1, None), (2, {"v": None, "n": "b"}), (3, {"v": 5, "n": None})],
    ),
    (
        "shared parts",
        [
            sw.Query(name, name, sw.Window(6, 3))
            for name in ("mean", "variance", "count", "sum", "stddev", "spread", "min")
        ],
        [(t, t * t) for t in range(12)],
    ),
    (
        "keys that are null or tuples",
        [one("sum", sw.Window(4, 2))],
        [(0, 1, None), (1, 2, ("a", 1)), (2, 3, None)],
    ),
]


@pytest.mark.parametrize("slicing", SLICINGS)
@pytest.mark.parametrize(("asked", "stream"), [row[1:] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_streams(asked: list[sw.Query], stream: list[Any], slicing: str) -> None:
    for technique in ("auto", "recompute", "two_stacks", "flatfat"):
        run = functools.partial(sw.run, technique=technique, slicing=slicing)
        check_against_naive(run, asked, stream)


def test_slickdeque_without_ranges_answers_for_no_events() -> None:
    """Under Cutty a first answer may read the open slice alone: the technique behind it is empty."""
    assert sw.fifo("slickdeque_inv", "sum").query() is None
    check_against_naive(
        lambda asked, stream: sw.run(asked, stream, "slickdeque_inv", "cutty"),
        [one("sum", sw.Window(1, 2))],
        [(0, 5)],
    )


def test_thousands_of_keys() -> None:
    asked = [sw.Query("s", "sum", sw.Window(50, 20)), sw.Query("m", "max", sw.Window(30, 30, 7))]
    stream = [(position // 40, position % 17, f"k{position * 7919 % 3000}") for position in range(9_000)]
    assert check_against_naive(sw.run, asked, stream) > 10_000


def test_a_plan_may_not_forget_or_repeat_a_query() -> None:
    a, b = (sw.Query(name, "sum", sw.Window(2, 2)) for name in "ab")
    for groups, said in [
        ([["a"]], "it lacks these"),
        ([["a", "b"], ["a"]], "each query in one group"),
        ([["a", "c"]], "one of a, b"),
        (5, "a list of lists of query names"),
        (["ab"], "a list of names"),
    ]:
        with pytest.raises(sw.SwagError, match=said):
            sw.Engine([a, b], optimizer=groups)
