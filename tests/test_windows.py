"""Windows, queries, answers: tables of what they accept, keep, show and refuse."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import swagcore as sw
from swagcore.errors import InvalidArgument, SwagError, UnknownName
from swagcore.windows import query_set, replace_offset

W = sw.Window


class Index:
    """An integer by another name, as numpy has them."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


# Making one


@pytest.mark.parametrize(
    ("slide", "offset", "kept"),
    [(4, 0, 0), (4, 3, 3), (4, 4, 0), (4, 6, 2), (4, -1, 3), (4, -8, 0), (1, 17, 0), (10, -(10**30) - 1, 9)],
)
def test_the_offset_is_kept_modulo_the_slide(slide: int, offset: int, kept: int) -> None:
    window = W(10, slide, offset)
    assert window.offset == kept
    assert window == W(10, slide, kept)
    assert hash(window) == hash(W(10, slide, kept))


@pytest.mark.parametrize(
    ("ending", "same"),
    [
        (W.ending(10, 4), W(10, 4, 2)),
        (W.ending(8, 4), W(8, 4)),
        (W.ending(7, 10), W(7, 10, 3)),
        (W.ending(10, 4, 1), W(10, 4, 3)),
        (W.ending(10, 4, -1), W(10, 4, 1)),
        (W.ending(5, 3, lag=2), W(5, 3, 1, lag=2)),
        (W.ending("10 s", "4 s"), W("10 s", "4 s", "2 s")),
        (W.ending("10 s", "4 s", "1 s", unit="s"), W(10, 4, 3)),
        (W.ending("10 s", "4 s", "-1 s", unit="s"), W(10, 4, 1)),
    ],
)
def test_ending(ending: sw.Window, same: sw.Window) -> None:
    assert ending == same


def test_count_windows_are_never_time_windows() -> None:
    counting = W.count(100, 10)
    assert counting.by_count
    assert (counting.range, counting.slide, counting.offset, counting.lag, counting.unit) == (
        100,
        10,
        0,
        0,
        None,
    )
    assert counting != W(100, 10)
    assert counting == W(100, 10, by_count=True)
    assert len({counting, W(100, 10)}) == 2
    assert W.count(5, 2, 3, lag=4) == W(5, 2, 1, lag=4, by_count=True)


def test_lag_is_part_of_the_value() -> None:
    assert W(5, 2).lag == 0
    assert W(5, 2, lag=3) != W(5, 2)
    assert W(5, 2, lag=3).starts(7) == W(5, 2).starts(7)


def test_other_kinds_of_integers_become_integers() -> None:
    window = W(Index(10), Index(4), Index(6), lag=Index(1))  # type: ignore[arg-type]
    assert window == W(10, 4, 2, lag=1)
    assert {type(size) for size in (window.range, window.slide, window.offset, window.lag)} == {int}


def test_frozen() -> None:
    with pytest.raises(AttributeError):
        W(10, 4).range = 5  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        W(10, 4).colour = "red"  # type: ignore[attr-defined]


NO_SIZES = [
    0,
    -1,
    "0 s",
    1.0,
    2.5,
    math.nan,
    math.inf,
    True,
    None,
    Fraction(3),
    3j,
    [3],
    b"3 s",
    "3",
    "",
    "-3 s",
    "3 m",
]


@pytest.mark.parametrize("argument", ["range", "slide"])
@pytest.mark.parametrize("bad", NO_SIZES, ids=repr)
def test_sizes_that_are_refused(argument: str, bad: Any) -> None:
    other = "5 s" if isinstance(bad, str) else 5
    for make in (W, W.ending):
        with pytest.raises(InvalidArgument, match=f"^{argument} is ") as caught:
            make(**{"range": other, "slide": other, argument: bad})
        assert isinstance(caught.value, SwagError)
        assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("bad", [1.0, math.nan, True, None, [0]], ids=repr)
@pytest.mark.parametrize("argument", ["offset", "lag"])
def test_offsets_and_lags_that_are_refused(argument: str, bad: Any) -> None:
    with pytest.raises(InvalidArgument, match=f"^{argument} is "):
        W(5, 5, **{argument: bad})


@pytest.mark.parametrize("bad", [-1, "-1 s"])
def test_a_lag_is_not_negative(bad: Any) -> None:
    sizes = ("5 s", "5 s") if isinstance(bad, str) else (5, 5)
    with pytest.raises(InvalidArgument, match=r"^lag is "):
        W(*sizes, lag=bad)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: W("5 s", 1), "^slide is 1; expected a duration"),
        (lambda: W(5, "1 s"), "^range is 5; expected a duration"),
        (lambda: W("5 s", "1 s", 1), "^offset is 1; expected a duration"),
        (lambda: W("5 s", "1 s", lag=1), "^lag is 1; expected a duration"),
        (lambda: W(5, 1, "1 s"), "^range is 5; expected a duration"),
        (lambda: W(5, 1, lag="1 s", unit="s"), "^range is 5; expected a duration"),
        (lambda: W.count("5 s", 1), "^a window that counts events is .*; expected whole numbers of events"),
        (lambda: W("5 s", "1 s", by_count=True), "^a window that counts events is "),
        (lambda: W(5, 1, by_count=1), "^by_count is 1; expected True or False"),
        (
            lambda: W("5 s", "1 s", unit="h"),
            "^range is '5 s'; expected a whole number of the stream's unit, 'h'",
        ),
        (lambda: W("5 s", "1 s", "-1 ms", unit="s"), "^offset is '-1 ms'; expected a whole number"),
    ],
)
def test_mixtures_that_are_refused(make: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        make()


@pytest.mark.parametrize("unit", ["", "m", "fortnight", 5], ids=repr)
def test_units_that_are_refused(unit: Any) -> None:
    for use in (
        lambda: W("5 s", "1 s", unit=unit),
        lambda: W(5, 1, unit=unit),
        lambda: W("5 s", "1 s").to_unit(unit),
        lambda: W(5, 1).to_unit(unit),
        lambda: query_set([sw.Query("q", "max", W(5, 1))], unit),
    ):
        with pytest.raises(UnknownName, match=r"^unit is "):
            use()


# Units


@pytest.mark.parametrize(
    ("window", "unit", "same"),
    [
        (W("5 minutes", "1 minute"), "s", W(300, 60)),
        (W("5 minutes", "1 minute"), "seconds", W(300, 60)),
        (W("5 minutes", "1 minute"), "us", W(300_000_000, 60_000_000)),
        (W("1 h 30 min", "30 min", "90 s", lag="2 min"), "s", W(5400, 1800, 90, lag=120)),
        (W("10 s", "4 s", "-1 s"), "s", W(10, 4, 3)),
        (W("10 s", "4 s", 0, lag=0), "s", W(10, 4)),
        (W(10, 4), None, W(10, 4)),
        (W(10, 4), "h", W(10, 4)),
        (W.count(10, 4), "s", W.count(10, 4)),
        (W("2 d", "1 d"), "h", W(48, 24)),
    ],
)
def test_to_unit(window: sw.Window, unit: str | None, same: sw.Window) -> None:
    assert window.to_unit(unit) == same


def test_a_window_in_durations_keeps_its_unit() -> None:
    window = W("5 minutes", "1 minute")
    assert window.unit == "us"
    assert window.range == 300_000_000
    assert window != W(300_000_000, 60_000_000)  # those have no unit, so they are not the same question
    assert W("5 minutes", "1 minute", unit="s").unit is None
    assert W(300, 60, unit="s") == W(300, 60)


@pytest.mark.parametrize(
    ("window", "unit", "message"),
    [
        (
            W("1500 ms", "1 s"),
            "s",
            "^range is '1500000 us'; expected a whole number of the stream's unit, 's'",
        ),
        (W("1 s", "1 ms"), "s", "^slide is '1000 us'"),
        (W("2 s", "1 s", "1 ms"), "s", "^offset is '1000 us'"),
        (W("1 s", "1 s", lag="1 ms"), "s", "^lag is '1000 us'"),
        (
            W("1 s", "1 s"),
            None,
            r"^unit of the stream is None; expected a unit such as 's', because Window\(",
        ),
    ],
)
def test_units_that_do_not_fit(window: sw.Window, unit: str | None, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        window.to_unit(unit)


# Showing, copying


@pytest.mark.parametrize(
    ("window", "shown"),
    [
        (W(10, 4), "Window(range=10, slide=4)"),
        (W(10, 4, 1, lag=3), "Window(range=10, slide=4, offset=1, lag=3)"),
        (W.count(10, 4, 1), "Window.count(range=10, slide=4, offset=1)"),
        (W("1 ms", "1 ms"), "Window(range='1000 us', slide='1000 us')"),
        (
            W("1 s", "5 us", "1 us", lag="2 us"),
            "Window(range='1000000 us', slide='5 us', offset='1 us', lag='2 us')",
        ),
    ],
)
def test_repr(window: sw.Window, shown: str) -> None:
    assert repr(window) == shown


sizes = st.integers(1, 50)
windows = st.builds(W, sizes, sizes, st.integers(-60, 60), lag=st.integers(0, 9), by_count=st.booleans())
in_durations = windows.filter(lambda window: not window.by_count).map(
    lambda w: W(f"{w.range} us", f"{w.slide} us", f"{w.offset} us", lag=f"{w.lag} us")
)


@given(windows | in_durations)
def test_a_window_is_a_value(window: sw.Window) -> None:
    assert eval(repr(window), {"Window": W}) == window
    for copied in (
        pickle.loads(pickle.dumps(window)),
        copy.deepcopy(window),
        replace_offset(window, window.offset),
    ):
        assert copied == window
        assert hash(copied) == hash(window)
        assert repr(copied) == repr(window)


# Asking it


@pytest.mark.parametrize(
    ("window", "time", "starts"),
    [
        (W(10, 4), 9, [0, 4, 8]),
        (W(10, 4), 10, [4, 8]),
        (W(10, 4), 0, [-8, -4, 0]),
        (W(10, 4, 1), 0, [-7, -3]),
        (W(4, 4), 3, [0]),
        (W(4, 4), 4, [4]),
        (W(4, 4), -1, [-4]),
        (W(2, 5), 3, []),
        (W(2, 5), 1, [0]),
        (W(2, 5), -5, [-5]),
        (W(2, 5), -3, []),
        (W(2, 1), -1, [-2, -1]),
        (W(1, 1), 7, [7]),
        (W(1, 3, 2), 2, [2]),
        (W(6, 4, lag=100), 5, [0, 4]),
        (W(3, 2, 1), 10**30, [10**30 - 1]),
    ],
)
def test_starts(window: sw.Window, time: int, starts: list[int]) -> None:
    assert list(window.starts(time)) == starts


@given(windows, st.integers(-100, 100))
def test_starts_by_trying_every_instance(window: sw.Window, time: int) -> None:
    instances = [window.offset + k * window.slide for k in range(-250, 251)]
    assert list(window.starts(time)) == [start for start in instances if start <= time < start + window.range]


@pytest.mark.parametrize(
    ("window", "pairs", "cutty", "panes"),
    [
        (W(10, 4), [(0, 4), (2, 4)], [(0, 4)], [(0, 2)]),
        (W(10, 4, 1), [(1, 4), (3, 4)], [(1, 4)], [(1, 2)]),
        (W(10, 4, 3), [(1, 4), (3, 4)], [(3, 4)], [(1, 2)]),
        (W(8, 4), [(0, 4)], [(0, 4)], [(0, 4)]),
        (W(8, 4, 3), [(3, 4)], [(3, 4)], [(3, 4)]),
        (W(4, 4), [(0, 4)], [(0, 4)], [(0, 4)]),
        (W(5, 3), [(0, 3), (2, 3)], [(0, 3)], [(0, 1)]),
        (W(2, 5), [(0, 5), (2, 5)], [(0, 5)], [(0, 1)]),  # slide > range: the gap has edges, too
        (W(2, 6, 5), [(1, 6), (5, 6)], [(5, 6)], [(1, 2)]),
        (W(9, 1), [(0, 1)], [(0, 1)], [(0, 1)]),
        (W.count(10, 4), [(0, 4), (2, 4)], [(0, 4)], [(0, 2)]),
    ],
)
def test_edges(window: sw.Window, pairs: list[Any], cutty: list[Any], panes: list[Any]) -> None:
    assert window.edges() == window.edges("pairs") == pairs
    assert window.edges("cutty") == cutty
    assert window.edges("panes") == panes


@given(windows)
def test_edges_by_marking_the_stream(window: sw.Window) -> None:
    starts = {window.offset + k * window.slide for k in range(-100, 101)}
    ends = {start + window.range for start in starts}
    grid = {window.offset + k * math.gcd(window.range, window.slide) for k in range(-300, 301)}
    for slicing, marks in (("pairs", starts | ends), ("cutty", starts), ("panes", grid)):
        edges = window.edges(slicing)
        for time in range(-60, 60):
            assert (time in marks) == any(time % modulus == residue for residue, modulus in edges)


@pytest.mark.parametrize("slicing", ["Pairs", "pair", "", None, 3], ids=repr)
def test_slicings_that_nobody_defined(slicing: Any) -> None:
    with pytest.raises(UnknownName, match="expected one of cutty, pairs, panes"):
        W(10, 4).edges(slicing)


# Queries


def test_query() -> None:
    query = sw.Query(name="m", aggregate="max", window=W(10, 4))
    assert query == sw.Query("m", "max", W(10, 4))
    assert hash(query) == hash(sw.Query("m", "max", W(10, 4)))
    assert (query.value, query.by, query.emit_empty) == (None, None, False)
    assert query.function is sw.aggregate("max")
    assert sw.Query("m", sw.aggregate("max"), W(10, 4)).function is sw.aggregate("max")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"name": ""}, "^name of a query is ''; expected a non-empty string"),
        ({"name": 5}, "^name of a query is 5"),
        ({"window": 10}, "^window of query 'q' is 10; expected a Window"),
        ({"window": (10, 4)}, "^window of query 'q' is "),
        ({"aggregate": "maxx"}, r"^aggregate is 'maxx'; expected one of .*\(did you mean 'max'\?\)"),
        ({"aggregate": None}, "^aggregate is None"),
        ({"aggregate": "quantile(2)"}, "quantile|phi"),
        ({"value": 5}, "^column of query 'q' is 5"),
        ({"by": "b"}, "^value of query 'q' is None; expected a column, because by names one"),
        ({"emit_empty": 1}, "^emit_empty of query 'q' is 1; expected True or False"),
    ],
)
def test_queries_that_are_refused(bad: dict[str, Any], message: str) -> None:
    with pytest.raises(SwagError, match=message):
        sw.Query(**{"name": "q", "aggregate": "max", "window": W(10, 4), **bad})


ROW = {"price": 3, "size": 8, "note": None}


@pytest.mark.parametrize(
    ("columns", "value", "picked"),
    [
        ({}, 5, 5),
        ({}, ROW, ROW),
        ({"value": "price"}, ROW, 3),
        ({"value": "note"}, ROW, None),
        ({"value": "price"}, None, None),
        ({"value": "price", "by": "size"}, ROW, (8, 3)),
        ({"value": "price", "by": "note"}, ROW, (None, 3)),
        ({"value": "price", "by": "size"}, None, None),
    ],
)
def test_pick(columns: dict[str, str], value: Any, picked: Any) -> None:
    assert sw.Query("q", "count", W(5, 5), **columns).pick(value) == picked


def test_pick_refuses() -> None:
    query = sw.Query("q", "sum", W(5, 5), value="prise")
    with pytest.raises(UnknownName, match=r"^column of query 'q' is 'prise'; .*did you mean 'price'\?"):
        query.pick(ROW)
    with pytest.raises(InvalidArgument, match=r"^value of an event is 5; expected a mapping with prise"):
        query.pick(5)
    with pytest.raises(UnknownName, match=r"^column of query 'q' is 'weight'"):
        sw.Query("q", "arg_max", W(5, 5), value="price", by="weight").pick(ROW)


def test_answer() -> None:
    answer = sw.Answer("high", 0, 10, 7)
    assert answer == ("high", 0, 10, 7, None)
    assert answer == sw.Answer(query="high", start=0, end=10, value=7, key=None)
    assert repr(answer) == "Answer(query='high', start=0, end=10, value=7, key=None)"


def test_query_set() -> None:
    first, second = sw.Query("a", "max", W("1 min", "30 s")), sw.Query("b", "max", W(5, 1), emit_empty=True)
    resolved = query_set(iter([first, second]), unit="s")
    assert resolved == [sw.Query("a", "max", W(60, 30)), second]
    assert first.window == W("1 min", "30 s")  # what was given stays as it was
    assert query_set([]) == []


@pytest.mark.parametrize(
    ("queries", "unit", "message"),
    [
        (5, None, "^queries is 5; expected a list of Query"),
        (sw.Query("a", "max", W(5, 1)), None, "^queries is Query"),
        (["max"], None, "^query is 'max'; expected a Query"),
        (
            [sw.Query("a", "max", W(5, 1)), sw.Query("a", "min", W(5, 1))],
            None,
            "^name of a query is 'a'; expected a name",
        ),
        ([sw.Query("a", "max", W("5 s", "1 s"))], None, "^unit of the stream is None"),
        ([sw.Query("a", "max", W("5 s", "1 s"))], "h", "^range is '5000000 us'; expected a whole number"),
    ],
)
def test_query_sets_that_are_refused(queries: Any, unit: str | None, message: str) -> None:
    with pytest.raises(SwagError, match=message):
        query_set(queries, unit)
