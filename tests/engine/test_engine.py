"""The engine's promises one by one: when answers come, what is refused, what is kept, what a snapshot must be."""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import swagcore as sw
from swagcore.engine.plain import from_plain, to_plain
from swagcore.slicing import SharedPlan
from swagcore.testing import agrees
from swagcore.testing.strategies import problems

SUM = sw.Query("s", "sum", sw.Window(4, 2))


def held(engine: sw.Engine) -> int:
    """How many slices the engine holds."""
    return sum(len(substream.slices()) for group in engine._groups for substream in group.substreams.values())


# When answers come


@given(problems())
def test_push_gives_what_run_gives(problem: tuple[list[sw.Query], list[Any]]) -> None:
    """The same answers; in the same order, too, where no query counts or asks for empty instances."""
    queries, events = problem
    engine = sw.Engine(queries)
    pushed = [answer for event in events for answer in engine.push(event)] + engine.finish()
    pulled = list(sw.run(queries, events))
    if any(query.window.by_count or query.emit_empty for query in queries):
        places = [answer[:3] + answer[4:] for answer in pulled]
        pushed.sort(key=lambda answer: places.index(answer[:3] + answer[4:]))
    assert len(pushed) == len(pulled)
    for one, other in zip(pushed, pulled, strict=True):
        assert one[:3] == other[:3] and agrees(None, (), one.value, other.value)


def taken(queries: list[sw.Query], events: list[Any]) -> list[tuple[int, Any]]:
    """When run gives its answers: with each, how many events it had taken by then."""
    count = 0

    def counted() -> Iterator[Any]:
        nonlocal count
        for event in events:
            count += 1
            yield event

    return [(count, answer.start) for answer in sw.run(queries, counted())]


EVENTS = [(time, 1) for time in range(0, 12, 2)]  # the event at 2n is number n + 1
WHEN: list[tuple[str, list[sw.Query], list[Any], list[tuple[int, int]]]] = [
    ("a window ends at an event", [sw.Query("q", "sum", sw.Window(4, 4))], EVENTS, [(3, 0), (5, 4), (6, 8)]),
    ("lag", [sw.Query("q", "sum", sw.Window(4, 4, lag=3))], EVENTS, [(5, 0), (6, 4), (6, 8)]),
    (
        "empty instances wait for the key's next event, and others for them",
        [sw.Query("q", "sum", sw.Window(2, 2), emit_empty=True)],
        [(0, 1, "x"), (1, 1, "y"), (4, 1, "y"), (5, 1, "x"), (8, 1, "y"), (10, 1, "x")],
        # [0, 2) of both at the third event; [2, 4) of y is known then, but that of x only at the fourth.
        [(3, 0), (3, 0), (4, 2), (4, 2), (5, 4), (5, 4), (6, 6), (6, 6), (6, 8), (6, 8), (6, 10)],
    ),
    (
        "counts wait for the end",
        [sw.Query("q", "sum", sw.Window.count(2, 2))],
        EVENTS,
        [(6, 0), (6, 2), (6, 4)],
    ),
]


@pytest.mark.parametrize(
    ("queries", "events", "expected"), [row[1:] for row in WHEN], ids=[row[0] for row in WHEN]
)
def test_when_run_answers(
    queries: list[sw.Query], events: list[Any], expected: list[tuple[int, int]]
) -> None:
    assert taken(queries, events) == expected


def test_a_silent_stream_closes_its_windows() -> None:
    engine = sw.Engine([SUM, sw.Query("late", "max", sw.Window(4, 4, lag=5))])
    engine.push((1, 7, "k"))
    assert engine.advance(1) == []
    assert engine.advance(2) == [sw.Answer("s", -2, 2, 7, "k")]
    assert engine.advance(8) == [sw.Answer("s", 0, 4, 7, "k")]
    assert engine.advance(9) == [sw.Answer("late", 0, 4, 7, "k")]
    assert engine.advance(10**18) == engine.finish() == []


def test_events_are_taken_one_by_one() -> None:
    """run is lazy: nothing is taken before the first answer is asked for, and an endless stream is no problem."""
    answers = sw.run([SUM], ((time, 1) for time in itertools.count()))
    assert [next(answers).value for _ in range(4)] == [2, 4, 4, 4]


# What is refused

MESSAGES: list[tuple[str, Any, str]] = [
    ("no tuple", 5, "expected (time, value)"),
    ("too long", (1, 2, 3, 4), "expected (time, value)"),
    ("empty", (), "expected (time, value)"),
    ("a time that is no integer", (1.5, 2), "not an integer"),
    ("a boolean time", (True, 2), "not an integer"),
    ("late", (4, 2), "before 5, the time of the event before it"),
    ("no number", (6, "a"), "(query 's')"),
    ("a key that is not hashable", (6, 1, []), "its key is not hashable"),
]


@pytest.mark.parametrize(("event", "said"), [row[1:] for row in MESSAGES], ids=[row[0] for row in MESSAGES])
def test_a_refused_event_changes_nothing(event: Any, said: str) -> None:
    engine = sw.Engine([SUM, sw.Query("c", "count", sw.Window.count(2, 1))])
    engine.push((5, 1))
    before = engine.snapshot()
    with pytest.raises(sw.SwagError) as refusal:
        engine.push(event)
    assert said in str(refusal.value) and "event 1" in str(refusal.value)
    assert engine.snapshot() == before
    engine._check()
    engine.push((6, 1))  # and it goes on


def test_naive_refuses_in_the_same_words() -> None:
    for events in ([(0, 1), (1, "a")], [(0, 1), (1, 2), (0, 1)], [(0, 1, [])], [(0.5, 1)], [7]):
        said = []
        for answers in (sw.naive, sw.run):
            with pytest.raises(sw.SwagError) as refusal:
                list(answers([sw.Query("m", "mean", sw.Window(4, 2))], events))
            said.append(str(refusal.value))
        assert said[0] == said[1]


def test_values_that_do_not_combine_within_a_slice_are_refused() -> None:
    engine = sw.Engine([sw.Query("m", "max", sw.Window(4, 4))])
    engine.push((0, 1))
    before = engine.snapshot()
    with pytest.raises(sw.SwagError, match="do not mix types"):
        engine.push((1, "a"))
    assert engine.snapshot() == before


def test_an_engine_that_failed_says_so() -> None:
    """Values of different slices meet only when one is closed: too late to take the event back."""
    engine = sw.Engine([sw.Query("m", "max", sw.Window(8, 4))])
    engine.push((0, 1))
    engine.push((4, "a"))
    with pytest.raises(sw.SwagError, match="do not mix types"):
        engine.push((20, "b"))
    for step in (lambda: engine.push((21, "b")), lambda: engine.advance(30), engine.finish, engine.snapshot):
        with pytest.raises(sw.SwagError, match=r"takes nothing more: it failed before .*do not mix types"):
            step()


def test_nothing_after_the_end() -> None:
    engine = sw.Engine([SUM])
    engine.push((0, 1))
    engine.finish()
    for step in (lambda: engine.push((1, 1)), lambda: engine.add(SUM), lambda: engine.remove("s")):
        with pytest.raises(sw.SwagError, match="it is finished"):
            step()


BAD: list[tuple[str, Any, str]] = [
    ("technique", lambda: sw.Engine([SUM], "dabba"), "did you mean 'daba'"),
    ("slicing", lambda: sw.Engine([SUM], slicing="pars"), "did you mean 'pairs'"),
    ("slicing without queries", lambda: sw.Engine([], slicing="pars"), "did you mean 'pairs'"),
    ("optimizer", lambda: sw.Engine([SUM], optimizer="weave"), "weave_share"),
    ("a law", lambda: sw.Engine([sw.Query("m", "max", sw.Window(2, 2))], "slickdeque_inv"), "an inverse"),
    ("two of one name", lambda: sw.Engine([SUM, SUM]), "a name that no other query"),
    (
        "too many instances",
        lambda: sw.Engine([sw.Query("m", "max", sw.Window(10**12, 1))]),
        "at most 50000000",
    ),
    ("no events", lambda: sw.run([SUM], 5), "an iterable of"),
    ("advance to no integer", lambda: sw.Engine([SUM]).advance(1.5), "an integer"),  # type: ignore[arg-type]
    ("remove nothing", lambda: sw.Engine([SUM]).remove("t"), "one of s"),
]


@pytest.mark.parametrize(("wrong", "said"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_arguments(wrong: Any, said: str) -> None:
    with pytest.raises(sw.SwagError) as refusal:
        wrong()
    assert said in str(refusal.value)


def test_a_gap_of_too_many_empty_instances_is_refused_before_they_are_made() -> None:
    engine = sw.Engine([sw.Query("e", "sum", sw.Window(1, 1), emit_empty=True)])
    engine.push((0, 1))
    before = engine.snapshot()
    with pytest.raises(sw.SwagError, match="at most 50000000 empty instances"):
        engine.push((10**15, 1))
    assert engine.snapshot() == before


# What is kept


@pytest.mark.parametrize("slicing", ["panes", "pairs", "cutty"])
def test_slices_are_bounded_by_the_longest_window(slicing: str) -> None:
    windows = [sw.Window(10, 4), sw.Window(30, 10, 3), sw.Window(7, 21)]
    queries = [sw.Query(f"q{n}", "max", window) for n, window in enumerate(windows)]
    engine = sw.Engine(queries, slicing=slicing)
    most = 0
    for time in range(2_000):
        engine.push((time, time))
        most = max(most, held(engine))
    plan = SharedPlan(queries, slicing)
    densest = max(plan.cuts.between(time, time + 30) for time in range(plan.period))
    assert plan.w_size() <= most <= densest + 1  # one is open
    engine.advance(3_000)
    assert held(engine) == 0


def test_keys_that_fall_silent_are_forgotten() -> None:
    engine = sw.Engine([SUM])
    for time in range(5_000):
        engine.push((time, 1, f"k{time}"))
    assert len(engine._groups[0].substreams) <= 5
    assert len(engine._groups[0].time.due) <= 5


def test_events_in_gaps_leave_nothing() -> None:
    engine = sw.Engine([sw.Query("g", "sum", sw.Window(2, 1000))])
    for time in range(2, 900):
        engine.push((time, 1, time % 50))
        assert held(engine) == 0 and not engine._groups[0].substreams


def test_parts_are_shared() -> None:
    names = ["mean", "variance", "stddev", "count", "sum", "sum_squares"]
    engine = sw.Engine([sw.Query(name, name, sw.Window(6, 3)) for name in names])
    assert sorted(lane.part.name for lane in engine._groups[0].lanes) == ["count", "total", "total_squares"]


def test_optimizers_by_name_and_by_plan() -> None:
    queries = [sw.Query(f"q{n}", "sum", sw.Window(6 * n, 2 * n)) for n in (1, 2, 3)]
    queries.append(sw.Query("c", "sum", sw.Window.count(3, 2)))
    events = [(time, time * time % 11) for time in range(40)]
    expected = sw.naive(queries, events)
    assert len(sw.Engine(queries, optimizer="no_share")._groups) == 4
    assert len(sw.Engine(queries, optimizer="shared")._groups) == 2
    for optimizer in ("no_share", "shared", "weave_share"):
        assert list(sw.run(queries, events, optimizer=optimizer)) == expected
    plan = sw.optimize(queries[:3], optimizer="no_share")
    assert len(sw.Engine(queries[:3], optimizer=plan)._groups) == 3
    assert list(sw.run(queries[:3], events, optimizer=plan)) == sw.naive(queries[:3], events)


# What a snapshot must be


def running() -> sw.Engine:
    queries = [
        sw.Query("m", "mean", sw.Window(6, 2, lag=3), emit_empty=True),
        sw.Query("d", "collect_distinct", sw.Window.count(3, 1)),
        sw.Query("f", "quantile(0.5)", sw.Window(5, 3)),
    ]
    engine = sw.Engine(queries)
    for time, value, key in [(0, 1.5, "x"), (3, math.nan, "y"), (4, math.inf, "x"), (15, 2.0, ("t", 1))]:
        engine.push((time, value, key))
    return engine


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in nested data."""
    if path:
        yield path
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, value in inside:
        yield from places(value, (*path, name))


def damaged(snapshot: Any, path: tuple[Any, ...], how: Any) -> Any:
    data = copy.deepcopy(snapshot)
    inner = data
    for name in path[:-1]:
        inner = inner[name]
    how(inner, path[-1])
    return data


def test_every_damage_is_found() -> None:
    """Each value of a snapshot taken out, or replaced: always a SwagError, never an engine that goes on."""
    snapshot = json.loads(json.dumps(running().snapshot()))
    sw.Engine.restore(snapshot)
    every = list(places(snapshot))
    assert len(every) > 100
    ways: list[Any] = [lambda inner, name: inner.pop(name)]
    for other in (None, "?", -1, 10**30, 0.5, [], {}, [[]], {"tuple": 5}, True):
        ways.append(lambda inner, name, other=other: inner.__setitem__(name, copy.deepcopy(other)))
    for path in every:
        for how in ways:
            broken = damaged(snapshot, path, how)
            if broken != snapshot or json.dumps(broken) != json.dumps(snapshot):
                with pytest.raises(sw.SwagError):
                    sw.Engine.restore(broken)


SAID: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("version", ("swagcore",), 2, "field 'swagcore' is 2; expected 1"),
    (
        "type",
        ("queries", 0, "window", "range"),
        "6",
        "field 'queries[0].window.range' is '6'; expected an int",
    ),
    ("value", ("queries", 0, "window", "range"), 7, "digest of the snapshot"),
    (
        "nested",
        ("groups", 1, "substreams", 0, "slices", 0, 1),
        None,
        "slices[0][1]' is None; expected an int",
    ),
]


@pytest.mark.parametrize(("path", "value", "said"), [row[1:] for row in SAID], ids=[row[0] for row in SAID])
def test_damage_is_named(path: tuple[Any, ...], value: Any, said: str) -> None:
    broken = damaged(running().snapshot(), path, lambda inner, name: inner.__setitem__(name, value))
    with pytest.raises(sw.SwagError) as refusal:
        sw.Engine.restore(broken)
    assert said in str(refusal.value)


def test_a_forged_snapshot_is_an_error_too() -> None:
    """Nonsense with the right digest: no traceback of ours."""
    from swagcore.engine.snapshots import sealed

    snapshot = running().snapshot()
    for path in places(snapshot):
        for value in (None, "?", -1, [], {"scaled": 1}):
            broken = damaged(snapshot, path, lambda inner, name, value=value: inner.__setitem__(name, value))
            if isinstance(broken.get("digest"), str):
                try:
                    engine = sw.Engine.restore(sealed(broken))
                except sw.SwagError:
                    continue
                assert isinstance(engine, sw.Engine)  # nothing contradicts it


@pytest.mark.parametrize("snapshot", [None, 5, [], {}, {"swagcore": None}, "{}"])
def test_no_snapshot_at_all(snapshot: Any) -> None:
    with pytest.raises(sw.SwagError, match="snapshot"):
        sw.Engine.restore(snapshot)


def test_what_cannot_be_saved_is_named() -> None:
    engine = sw.Engine([sw.Query("w", sw.testing.words, sw.Window(2, 2))])
    with pytest.raises(sw.SwagError, match="a registered one, to snapshot it"):
        engine.snapshot()
    engine = sw.Engine([sw.Query("l", "last", sw.Window(2, 2))])
    engine.push((0, object()))
    with pytest.raises(sw.SwagError, match="partial or key to snapshot"):
        engine.snapshot()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.fractions() | st.decimals()
        | st.dates() | st.datetimes().map(lambda moment: moment.replace(fold=0)) | st.integers(2**1030, 2**1040),
        lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)  # fmt: skip
def test_plain_data_comes_back(value: Any) -> None:
    back = from_plain(json.loads(json.dumps(to_plain(value), allow_nan=False)))
    assert repr(back) == repr(value)


def test_plain_data_of_every_partial() -> None:
    big = 3**5000
    for value in (big, -big, Fraction(big, 7), frozenset([1, "a"]), (math.inf, -math.inf), {1: 2, "1": 3}):
        assert from_plain(json.loads(json.dumps(to_plain(value)))) == value
