"""`naive` pinned down from outside: by the definition in plain Python, by invariances, by pandas and by DuckDB."""

from __future__ import annotations

import importlib
import itertools
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import swagcore as sw
from swagcore.algebra.wrappers import words
from swagcore.errors import EventError, InvalidArgument
from swagcore.naive import instances
from tests.streams import PLAIN, count_windows, query_sets, streams, time_windows, windows

W = sw.Window
Q = sw.Query
Events = list[tuple[int, Any, Any]]


# By the definition


def defined(queries: list[sw.Query], events: Events) -> list[sw.Answer]:
    """The answers by trying every instance near the stream and looking at every event. Shares no code with `naive`."""
    found = []
    keys = list(dict.fromkeys(key for _, _, key in events))
    for (rank, query), key in itertools.product(enumerate(queries), keys):
        w = query.window
        mine = [(time, value) for time, value, other in events if other == key]
        if w.by_count:
            mine = [(ordinal, value) for ordinal, (_, value) in enumerate(mine)]
        for k in range(-60, 61):
            start, end = w.offset + k * w.slide, w.offset + k * w.slide + w.range
            inside = [value for time, value in mine if start <= time and time < end]
            between = any(time < start for time, _ in mine) and any(time >= end for time, _ in mine)
            if inside or (query.emit_empty and between):
                value = PLAIN[query.aggregate]([value for value in inside if value is not None])
                found.append(
                    (end + w.lag, rank, keys.index(key), sw.Answer(query.name, start, end, value, key))
                )
    return [answer for *_, answer in sorted(found, key=lambda ranked: ranked[:3])]


@settings(max_examples=500)
@given(query_sets(), streams())
def test_the_definition(queries: list[sw.Query], events: Events) -> None:
    assert sw.naive(queries, events) == defined(queries, events)


@given(windows, st.lists(st.integers(-15, 15), min_size=1).map(sorted), st.booleans())
def test_instances(window: sw.Window, times: list[int], emit_empty: bool) -> None:
    starts = [window.offset + k * window.slide for k in range(-60, 61)]
    full = [s for s in starts if any(s <= time < s + window.range for time in times)]
    empty = [s for s in starts if s not in full and times[0] < s and s + window.range <= times[-1]]
    assert instances(window, times, emit_empty) == (sorted(full + empty) if emit_empty else full)


# Invariances


def moved(answers: list[sw.Answer], by: int) -> list[sw.Answer]:
    return [answer._replace(start=answer.start + by, end=answer.end + by) for answer in answers]


@given(query_sets(time_windows), streams(), st.integers(-1000, 1000))
def test_shifting_time_shifts_the_answers(queries: list[sw.Query], events: Events, by: int) -> None:
    later = [(time + by, value, key) for time, value, key in events]
    with_offset = [
        replace(query, window=W(w.range, w.slide, w.offset + by, lag=w.lag))
        for query in queries
        for w in [query.window]
    ]
    assert sw.naive(with_offset, later) == moved(sw.naive(queries, events), by)


@given(query_sets(time_windows), streams(), st.integers(1, 50))
def test_scaling_time_scales_the_answers(queries: list[sw.Query], events: Events, by: int) -> None:
    slower = [(time * by, value, key) for time, value, key in events]
    wider = [
        replace(query, window=W(w.range * by, w.slide * by, w.offset * by, lag=w.lag * by))
        for query in queries
        for w in [query.window]
    ]
    scaled = [a._replace(start=a.start * by, end=a.end * by) for a in sw.naive(queries, events)]
    assert sw.naive(wider, slower) == scaled


@given(query_sets(), streams())
def test_keys_are_independent(queries: list[sw.Query], events: Events) -> None:
    together = sw.naive(queries, events)
    for key in {key for _, _, key in events}:
        alone = sw.naive(queries, [event for event in events if event[2] == key])
        assert [answer for answer in together if answer.key == key] == alone


@given(
    query_sets(), streams(keys=st.just("k")), streams(keys=st.just("j")), st.randoms(use_true_random=False)
)
def test_interleaving_keys_changes_no_answer(
    queries: list[sw.Query], one: Events, other: Events, random: Any
) -> None:
    mixed = sorted(one + other, key=lambda event: (event[0], random.random()))
    one_again = sorted((event for event in mixed if event[2] == "k"), key=lambda event: event[0])
    expected = sw.naive(queries, one_again)
    assert [answer for answer in sw.naive(queries, mixed) if answer.key == "k"] == expected


@given(query_sets(), streams(keys=st.none()))
def test_events_without_a_key_have_the_key_none(queries: list[sw.Query], events: Events) -> None:
    assert sw.naive(queries, [(time, value) for time, value, _ in events]) == sw.naive(queries, events)


@given(query_sets(), streams(), windows)
def test_another_query_changes_no_answer(queries: list[sw.Query], events: Events, window: sw.Window) -> None:
    more = [Q("other", "sum", window), *queries, Q("empty", "count", W(1, 10**6, 10**5))]
    answers = sw.naive(more, events)
    assert [answer for answer in answers if answer.query not in ("other", "empty")] == sw.naive(
        queries, events
    )
    assert not [answer for answer in answers if answer.query == "empty"]


@given(query_sets(), streams(), st.randoms(use_true_random=False))
def test_permuting_the_queries_only_permutes(queries: list[sw.Query], events: Events, random: Any) -> None:
    shuffled = random.sample(queries, len(queries))
    before, after = sw.naive(queries, events), sw.naive(shuffled, events)
    assert sorted(map(repr, before)) == sorted(map(repr, after))
    for query in queries:
        mine = [answer for answer in before if answer.query == query.name]
        assert mine == [answer for answer in after if answer.query == query.name]


@given(windows, streams())
def test_lag_delays_and_changes_nothing_else(window: sw.Window, events: Events) -> None:
    prompt = W(window.range, window.slide, window.offset, by_count=window.by_count)
    queries = [Q("late", words, window), Q("prompt", words, prompt)]
    answers = sw.naive(queries, events)
    late = [a._replace(query="") for a in answers if a.query == "late"]
    assert late == [a._replace(query="") for a in answers if a.query == "prompt"]
    reported = [a.end + (window.lag if a.query == "late" else 0) for a in answers]
    assert reported == sorted(reported)


@given(count_windows, streams(keys=st.none()))
def test_count_windows_are_time_windows_over_ordinals(window: sw.Window, events: Events) -> None:
    timed = W(window.range, window.slide, window.offset, lag=window.lag)
    ordinals = [(ordinal, value) for ordinal, (_, value, _) in enumerate(events)]
    assert sw.naive([Q("q", words, window)], events) == sw.naive([Q("q", words, timed)], ordinals)


@given(query_sets(), streams())
def test_answers_are_in_order(queries: list[sw.Query], events: Events) -> None:
    names = [query.name for query in queries]
    lags = {query.name: query.window.lag for query in queries}
    keys = list(dict.fromkeys(key for _, _, key in events))
    ranks = [
        (a.end + lags[a.query], names.index(a.query), keys.index(a.key)) for a in sw.naive(queries, events)
    ]
    assert ranks == sorted(set(ranks))


@given(query_sets(), streams(), st.data())
def test_later_events_change_no_answer_that_has_ended(
    queries: list[sw.Query], events: Events, data: Any
) -> None:
    now = data.draw(st.integers(-16, 16))
    queries = [q for q in queries if not q.window.by_count and not q.emit_empty]
    over = [event for event in events if event[0] < now]
    ended = [answer for answer in sw.naive(queries, events) if answer.end <= now]
    assert [answer for answer in sw.naive(queries, over) if answer.end <= now] == ended


@given(query_sets(), streams(values=st.none() | st.integers(-9, 9)))
def test_nulls_change_no_value(queries: list[sw.Query], events: Events) -> None:
    """A null makes its instances exist; their values are those without it. Only ordinals see more of it."""
    queries = [replace(q, emit_empty=False) for q in queries if not q.window.by_count]
    filled = {
        answer[:3] + answer[4:]: answer
        for answer in sw.naive(queries, [e for e in events if e[1] is not None])
    }
    for answer in sw.naive(queries, events):
        nothing = PLAIN[next(q.aggregate for q in queries if q.name == answer.query)]([])
        where = answer[:3] + answer[4:]
        assert answer.value == (filled[where].value if where in filled else nothing)


# Small cases, by hand


def contents(window: sw.Window, events: list[Any], **options: Any) -> list[tuple[int, tuple[Any, ...]]]:
    return [(answer.start, answer.value) for answer in sw.naive([Q("q", words, window)], events, **options)]


@pytest.mark.parametrize(
    ("window", "events", "expected"),
    [
        (W(4, 2), [], []),
        (W(4, 2), [(0, "a")], [(-2, ("a",)), (0, ("a",))]),
        (W(4, 4), [(3, "a"), (4, "b")], [(0, ("a",)), (4, ("b",))]),  # the end is not inside
        (W(4, 4), [(-1, "a"), (0, "b")], [(-4, ("a",)), (0, ("b",))]),  # before time 0
        (W(4, 4, 1), [(0, "a"), (1, "b")], [(-3, ("a",)), (1, ("b",))]),
        (W(4, 4, -1), [(2, "a"), (3, "b")], [(-1, ("a",)), (3, ("b",))]),
        (W(2, 5), [(0, "a"), (1, "b"), (2, "c"), (4, "d"), (5, "e")], [(0, ("a", "b")), (5, ("e",))]),  # gaps
        (W(2, 5), [(2, "c"), (3, "c"), (4, "d")], []),  # a stream that is in no window
        (W(3, 2), [(1, "b"), (1, "a"), (1, "c")], [(0, ("b", "a", "c"))]),  # equal times: by arrival
        (W(5, 3), [(4, "a"), (5, "b")], [(0, ("a",)), (3, ("a", "b"))]),  # range no multiple of the slide
        (W.ending(3, 4), [(0, "a"), (1, "b"), (3, "c"), (4, "d")], [(1, ("b", "c"))]),
        (W.ending(3, 4), [(5, "e"), (7, "f")], [(5, ("e", "f"))]),
        (W.count(2, 2), [(7, "a"), (7, "b"), (99, "c")], [(0, ("a", "b")), (2, ("c",))]),
        (W.count(2, 1), [(7, "a"), (9, "b")], [(-1, ("a",)), (0, ("a", "b")), (1, ("b",))]),
        (W(4, 4), [(1, None)], [(0, ())]),
        (W(4, 4), [(1, None), (2, "a")], [(0, ("a",))]),
        (W.count(2, 2), [(0, None), (1, "a"), (2, "b")], [(0, ("a",)), (2, ("b",))]),  # a null has an ordinal
    ],
)
def test_contents(window: sw.Window, events: list[Any], expected: Any) -> None:
    assert contents(window, events) == expected


@pytest.mark.parametrize(
    ("window", "events", "expected"),
    [
        (W(2, 2), [], []),
        (W(2, 2), [(1, "a")], [(0, ("a",))]),  # nothing before the first event, nothing after the last
        (W(2, 2), [(1, "a"), (7, "b")], [(0, ("a",)), (2, ()), (4, ()), (6, ("b",))]),
        (W(2, 2), [(1, "a"), (3, "b")], [(0, ("a",)), (2, ("b",))]),
        (W(1, 3), [(1, "a"), (3, "b")], [(3, ("b",))]),  # an event in a gap is an event all the same
        (W(1, 3), [(1, "a"), (8, "b")], [(3, ()), (6, ())]),
        (W(1, 3), [(1, "a"), (7, "b")], [(3, ()), (6, ())]),
        (W(1, 3), [(1, "a"), (6, "b")], [(3, ()), (6, ("b",))]),
        (W(1, 1), [(-3, "a"), (0, "b")], [(-3, ("a",)), (-2, ()), (-1, ()), (0, ("b",))]),
        (W(3, 1), [(0, "a"), (4, "b")], [(-2, ("a",)), (-1, ("a",)), (0, ("a",)), (1, ()), (2, ("b",)), (3, ("b",)), (4, ("b",))]),
    ],
)  # fmt: skip
def test_empty_instances(window: sw.Window, events: list[Any], expected: Any) -> None:
    assert contents(window, events, emit_empty=True) == expected
    on_the_query = sw.naive([Q("q", words, window, emit_empty=True)], events)
    assert [(answer.start, answer.value) for answer in on_the_query] == expected
    assert contents(window, events) == [(start, inside) for start, inside in expected if inside]


def test_empty_instances_are_those_of_each_key() -> None:
    events = [(0, 1, "k"), (3, 1, "j"), (9, 1, "j")]
    answers = sw.naive([Q("q", "count", W(3, 3), emit_empty=True)], events)
    assert [(a.key, a.start, a.value) for a in answers] == [
        ("k", 0, 1),
        ("j", 3, 1),
        ("j", 6, 0),
        ("j", 9, 1),
    ]


NULL_OF_NULLS = """
    sum fast_sum sum_squares product mean variance stddev geometric_mean min max spread range arg_min arg_max first last
    any all median quantile(0.5)
"""
OF_NULLS: dict[str, Any] = {
    **dict.fromkeys(NULL_OF_NULLS.split()),
    **{"count": 0, "count_distinct": 0, "concat": "", "collect_distinct": [], "top_k(2)": []},
}


@pytest.mark.parametrize(("aggregate", "of_nulls"), OF_NULLS.items())
def test_all_null_and_empty_windows(aggregate: str, of_nulls: Any) -> None:
    """Null in, null out, but for those that count and collect; an instance without events says the same."""
    query = Q("q", aggregate, W(2, 2), emit_empty=True)
    answers = sw.naive([query], [(0, None), (4, None)])
    assert [(answer.start, answer.value) for answer in answers] == [
        (0, of_nulls),
        (2, of_nulls),
        (4, of_nulls),
    ]


def test_order_of_answers() -> None:
    queries = [Q("late", "sum", W(2, 2, lag=2)), Q("b", "sum", W(2, 2)), Q("a", "sum", W(4, 4))]
    events = [(0, 1, "z"), (1, 1, "a"), (2, 1, "z")]
    assert [(a.query, a.end, a.key) for a in sw.naive(queries, events)] == [
        ("b", 2, "z"),  # keys in order of appearance
        ("b", 2, "a"),
        ("late", 2, "z"),  # reported at 4; queries in the order given
        ("late", 2, "a"),
        ("b", 4, "z"),
        ("a", 4, "z"),
        ("a", 4, "a"),
        ("late", 4, "z"),
    ]


def test_durations_need_the_unit_of_the_stream() -> None:
    queries = [Q("q", "sum", W("2 min", "1 min"))]
    events = [(0, 1), (59, 2), (60, 4)]
    in_seconds = [Q("q", "sum", W(120, 60))]
    assert sw.naive(queries, events, unit="s") == sw.naive(in_seconds, events)
    with pytest.raises(InvalidArgument, match=r"^unit of the stream is None"):
        sw.naive(queries, events)


def test_columns_of_its_own() -> None:
    rows = [(0, {"price": 5, "size": 1}), (1, {"price": 3, "size": 9}), (2, {"price": None, "size": None})]
    queries = [
        Q("sum", "sum", W(4, 4), value="price"),
        Q("at", "arg_max", W(4, 4), value="price", by="size"),
        Q("rows", "count", W(4, 4)),
    ]
    assert [answer.value for answer in sw.naive(queries, rows)] == [8, 3, 3]


class Hour(int):
    """An integer of another type."""


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([(3, 1), (2, 1)], r"^event 1, \(2, 1\): its time is before 3, .*sort them by time"),
        ([(3, 1, "k"), (2, 1, "j")], r"^event 1, \(2, 1, 'j'\): its time is before 3"),  # also across keys
        ([(1.0, 1)], r"^event 0, \(1.0, 1\): its time is not an integer"),
        ([(math.nan, 1)], r"its time is not an integer"),
        ([("1", 1)], r"its time is not an integer"),
        ([(None, 1)], r"its time is not an integer"),
        ([(True, 1)], r"its time is not an integer"),
        ([(1, 1), 5], r"^event 1, 5: expected \(time, value\) or \(time, value, key\)"),
        ([(1,)], r"^event 0, \(1,\): expected"),
        ([(1, 2, 3, 4)], r"^event 0, \(1, 2, 3, 4\): expected"),
        (["ab"], r"^event 0, 'ab': expected"),
        ([(1, 1, ["k"])], r"its key is not hashable"),
        ([(0, 1), (1, "x")], r"^event 1, 'x': value for aggregate 'sum' is 'x'; .*\(query 'q'\)"),
    ],
)
def test_events_that_are_refused(events: Any, message: str) -> None:
    with pytest.raises(EventError, match=message):
        sw.naive([Q("q", "sum", W(4, 2))], events)


def test_other_refusals() -> None:
    with pytest.raises(InvalidArgument, match=r"^events is 5; expected an iterable of \(time, value\)"):
        sw.naive([], 5)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=r"^queries is 5"):
        sw.naive(5, [])  # type: ignore[arg-type]
    refused = r"^window is .*; expected one with at most 50000000 answers; this stream gives up to "
    with pytest.raises(InvalidArgument, match=f"{refused}1000000000000$"):
        sw.naive([Q("q", "sum", W(10**12, 1))], [(0, 1)])
    with pytest.raises(InvalidArgument, match=f"{refused}1000000000002$"):
        sw.naive([Q("q", "sum", W(1, 1), emit_empty=True)], [(0, 1), (10**12, 1)])


@pytest.mark.parametrize(
    ("window", "times", "emit_empty", "most"),
    [
        (W(7, 2), [0], False, 4),  # an event is in at most ceil(7 / 2) instances
        (W(7, 2), [0, 5, 9], False, 12),
        (W(6, 2), [1, 1], False, 6),
        (W(2, 5), [0, 100], False, 2),
        (W(7, 2), [-3, 1, 8], True, 12 + 6),  # and ceil(11 / 2) start between the first event and the last
        (W(1, 4, 2), [1, 1, 4], True, 3 + 1),
        (W(1, 4), [4, 4], True, 2),
    ],
)
def test_how_many_answers_are_too_many(
    window: sw.Window, times: list[int], emit_empty: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound that is compared with the limit: at it answers are given, one beyond it they are refused."""
    module = importlib.import_module("swagcore.naive")
    monkeypatch.setattr(module, "MOST_ANSWERS", most)
    assert len(instances(window, times, emit_empty)) <= most
    monkeypatch.setattr(module, "MOST_ANSWERS", most - 1)
    with pytest.raises(InvalidArgument) as refused:
        instances(window, times, emit_empty)
    assert str(refused.value) == (
        f"window is {window!r}; expected one with at most {most - 1} answers; this stream gives up to {most}"
    )


def test_any_iterable_and_any_integer_will_do() -> None:
    expected = [sw.Answer("q", 0, 4, 3)]
    assert sw.naive(iter([Q("q", "sum", W(4, 4))]), iter([[Hour(0), 1], (Hour(3), 2)])) == expected
    assert sw.naive([], [(0, 1)]) == []
    far = 10**40
    assert sw.naive([Q("q", "sum", W(4, 4))], [(far, 1)]) == [sw.Answer("q", far, far + 4, 1)]


# Against pandas


def shown(value: Any) -> Any:
    """A number of pandas as ours: NaN is its null, and its integers come back as floats."""
    return None if value != value else int(value)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(streams(keys=st.none(), max_size=15), st.integers(1, 12))
def test_pandas_rolling_over_time(events: Events, range: int) -> None:
    """rolling("5s") is the last 5 seconds at each event: the instance of Window(5, 1) that ends just after it."""
    pd = pytest.importorskip("pandas")
    index = pd.to_datetime([time for time, _, _ in events], unit="s")
    column = pd.Series([math.nan if v is None else float(v) for _, v, _ in events], index=index, dtype=float)
    rolling = column.rolling(f"{range}s", min_periods=1)
    expected: dict[int, Any] = {}
    for (time, _, _), *row in zip(events, rolling.sum(), rolling.max(), rolling.count(), strict=True):
        expected[time + 1] = tuple(map(shown, row))  # of events at one time only the last has seen them all
    ours: dict[int, list[Any]] = {}
    for answer in sw.naive([Q(name, name, W(range, 1)) for name in ("sum", "max", "count")], events):
        ours.setdefault(answer.end, []).append(answer.value)
    assert {end: tuple(ours[end]) for end in expected} == expected


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(streams(keys=st.none(), max_size=15), st.integers(1, 12), st.integers(1, 4))
def test_pandas_rolling_over_rows(events: Events, range: int, slide: int) -> None:
    """rolling(5) is the last 5 rows at each row; `step` keeps every slide-th, from the first row on."""
    pd = pytest.importorskip("pandas")
    column = pd.Series([math.nan if v is None else float(v) for _, v, _ in events], dtype=float)
    rolling = column.rolling(range, min_periods=1, step=slide)
    expected = list(zip(map(shown, rolling.sum()), map(shown, rolling.min()), strict=True))
    window = W.count(range, slide, 1 - range)  # the first row is the end of an instance
    sums, minima = (
        [a for a in sw.naive([Q("q", name, window)], events) if a.end <= len(events)]
        for name in ("sum", "min")
    )
    assert [(a.value, b.value) for a, b in zip(sums, minima, strict=True)] == expected
    assert [a.end for a in sums] == [row + 1 for row in column.index[::slide]]


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(streams(max_size=15), st.integers(1, 12), st.integers(-12, 12))
def test_pandas_resample(events: Events, size: int, offset: int) -> None:
    """Tumbling windows, with the empty ones that resample puts between the first and the last event of a key."""
    pd = pytest.importorskip("pandas")
    expected = set()
    for key in {key for _, _, key in events}:
        mine = [(time, value) for time, value, other in events if other == key]
        column = pd.Series(
            [math.nan if v is None else float(v) for _, v in mine],
            index=pd.to_datetime([t for t, _ in mine], unit="s"),
        )
        bins = column.resample(f"{size}s", origin="epoch", offset=f"{offset}s")
        for at, count, total, high in zip(
            bins.count().index, bins.count(), bins.sum(min_count=1), bins.max(), strict=True
        ):
            expected.add((int(at.timestamp()), key, int(count), shown(total), shown(high)))
    queries = [Q(name, name, W(size, size, offset), emit_empty=True) for name in ("count", "sum", "max")]
    ours: dict[Any, list[Any]] = {}
    for answer in sw.naive(queries, events):
        ours.setdefault((answer.start, answer.key), []).append(answer.value)
    assert {(*where, *values) for where, values in ours.items()} == expected


# Against DuckDB

EVENTS = """
    SELECT unnest($times) AS time, unnest($values) AS value, unnest($keys) AS key, generate_subscripts($times, 1) AS row
"""
# Every instance near the stream, joined with the events inside; SQL's own nulls; our order as ORDER BY.
BY_JOIN = f"""
    WITH event AS ({EVENTS}),
    query AS (SELECT unnest($queries) AS q, generate_subscripts($queries, 1) AS rank),
    instance AS (SELECT rank, q.lag AS lag, q."offset" + k * q.slide AS start, q."offset" + k * q.slide + q.range AS stop
                 FROM query, generate_series(-60, 60) AS ks(k)),
    key AS (SELECT key, min(row) AS first_seen FROM event GROUP BY key)
    SELECT rank, start, stop, event.key, count(value), sum(value)::BIGINT, min(value), max(value)
    FROM instance JOIN event ON start <= time AND time < stop JOIN key ON key.key = event.key
    GROUP BY rank, start, stop, lag, event.key, first_seen
    ORDER BY stop + lag, rank, first_seen
"""
BY_BUCKET = f"""
    SELECT epoch(time_bucket(to_seconds($size), make_timestamp(time * 1000000), make_timestamp($offset * 1000000)))::BIGINT AS start,
           key, count(value), sum(value)::BIGINT, min(value), max(value)
    FROM ({EVENTS}) GROUP BY ALL
"""  # fmt: skip
SQL = ("count", "sum", "min", "max")


@pytest.fixture(scope="module")
def database() -> Any:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect(config={"threads": 1})
    yield connection
    connection.close()


def columns(events: Events) -> dict[str, list[Any]]:
    return {
        name: list(column)
        for name, column in zip(("times", "values", "keys"), zip(*events, strict=True), strict=True)
    }


named_keys = st.sampled_from(["k", "j"])  # SQL's null keys would not join


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(time_windows, min_size=1, max_size=3), streams(keys=named_keys, max_size=12))
def test_duckdb_join(database: Any, asked: list[sw.Window], events: Events) -> None:
    events = [(-20, 0, "first"), *events]  # a column of nothing but nulls would have no type
    queries = [{name: getattr(w, name) for name in ("range", "slide", "offset", "lag")} for w in asked]
    expected = database.execute(BY_JOIN, {**columns(events), "queries": queries}).fetchall()
    answers = [sw.naive([Q(str(rank), name, w) for rank, w in enumerate(asked, 1)], events) for name in SQL]
    ours = [
        (int(row[0].query), row[0].start, row[0].end, row[0].key, *(answer.value for answer in row))
        for row in zip(*answers, strict=True)
    ]
    assert ours == expected


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 12), st.integers(-12, 12), streams(keys=named_keys, max_size=15))
def test_duckdb_time_bucket(database: Any, size: int, offset: int, events: Events) -> None:
    events = [(-20, 0, "first"), *events]
    expected = database.execute(BY_BUCKET, {**columns(events), "size": size, "offset": offset}).fetchall()
    answers = [sw.naive([Q(name, name, W(size, size, offset))], events) for name in SQL]
    ours = {(row[0].start, row[0].key, *(a.value for a in row)) for row in zip(*answers, strict=True)}
    assert ours == set(expected)
