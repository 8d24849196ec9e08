"""The life of an engine: pushed, advanced, joined, left, saved and restored, at any moment.

After every step, what a query has said so far is what `naive` says of the events so far, of the instances that the
query could see whole and that are to be reported by now.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swagcore as sw
from swagcore.testing import agrees
from swagcore.testing.strategies import values_for, windows

AGGREGATES = {
    "ints": [
        "sum",
        "mean",
        "max",
        "median",
        "first",
        "count",
        "collect_distinct",
        "top_k(2)",
        "product",
        "min",
    ],
    "specials": ["sum", "variance", "max", "count_distinct", "last", "spread", "quantile(0.5)"],
    "strings": ["concat", "min", "count", "collect_distinct", "first"],
}
MULTI = ("auto", "recompute", "two_stacks_lite", "daba", "flatfat", "flatfit", "psoup", "l_int", "b_int")


class Life:
    """An engine beside all that it was told."""

    def __init__(self, queries: list[sw.Query], technique: str, slicing: str) -> None:
        self.engine = sw.Engine(queries, technique, slicing)
        self.queries = {query.name: query for query in queries}
        self.since: dict[str, Any] = {query.name: (None, {}) for query in queries}
        self.events: list[tuple[Any, ...]] = []
        self.now: int | None = None
        self.said: dict[str, list[sw.Answer]] = {query.name: [] for query in queries}

    def heard(self, answers: list[sw.Answer]) -> None:
        for answer in answers:
            self.said[answer.query].append(answer)
        reports = [answer.end + self.queries[answer.query].window.lag for answer in answers]
        assert reports == sorted(reports)

    def push(self, event: tuple[Any, ...]) -> None:
        self.events.append(event)
        self.now = event[0]
        self.heard(self.engine.push(event))

    def advance(self, time: int) -> None:
        self.now = time
        self.heard(self.engine.advance(time))

    def add(self, query: sw.Query) -> None:
        after = self.now
        if after is not None and not (self.events and self.events[-1][0] == after):
            after -= 1
        self.queries[query.name] = query
        self.since[query.name] = (after, Counter(key for _, _, key in self.events))
        self.said[query.name] = []
        self.engine.add(query)

    def remove(self, name: str) -> None:
        self.check(name)
        self.engine.remove(name)
        for table in (self.queries, self.since, self.said):
            del table[name]

    def restore(self) -> None:
        snapshot = self.engine.snapshot()
        self.engine = sw.Engine.restore(json.loads(json.dumps(snapshot, allow_nan=False)))
        assert self.engine.snapshot() == snapshot

    def check(self, name: str, finished: bool = False) -> None:
        query, (after, counts) = self.queries[name], self.since[name]
        events = Counter(key for _, _, key in self.events)

        def due(answer: sw.Answer) -> bool:
            report = answer.end + query.window.lag
            if query.window.by_count:
                whole = not counts.get(answer.key) or answer.start >= counts[answer.key]
                return whole and (finished or report <= events[answer.key])
            assert self.now is not None
            return (after is None or answer.start > after) and (finished or report <= self.now)

        expected = [answer for answer in sw.naive([query], self.events) if due(answer)]
        by_place = {answer[:3] + answer[4:]: answer for answer in self.said[name]}
        assert len(by_place) == len(self.said[name]), "an answer came twice"
        assert by_place.keys() == {answer[:3] + answer[4:] for answer in expected}
        for answer in expected:
            said = by_place[answer[:3] + answer[4:]]
            assert agrees(None, (), answer.value, said.value), (answer, said)


@st.composite
def lives(draw: st.DrawFn) -> tuple[list[sw.Query], list[tuple[Any, ...]]]:
    """Queries to begin with, and what happens: steps ("push", gap, value, key), ("add", query), ..."""
    kind = draw(st.sampled_from(sorted(AGGREGATES)))
    values = values_for(*AGGREGATES[kind], data=kind)
    made = iter(range(1000))
    query = st.builds(
        lambda aggregate, window, empty: sw.Query(f"q{next(made)}", aggregate, window, emit_empty=empty),
        st.sampled_from(AGGREGATES[kind]),
        windows(max_range=9, max_slide=7),
        st.booleans(),
    )
    gap = st.sampled_from((0, 1, 2, 5, 30))
    push = st.tuples(st.just("push"), gap, values, st.sampled_from("xy"))
    step = st.one_of(
        push,
        push,
        st.tuples(st.just("advance"), gap),
        st.tuples(st.just("add"), query),
        st.tuples(st.just("remove"), st.integers(0, 5)),
        st.tuples(st.just("restore")),
    )
    return draw(st.lists(query, max_size=3)), draw(st.lists(step, max_size=25))


@settings(max_examples=250)
@given(lives(), st.sampled_from(MULTI), st.sampled_from(("panes", "pairs", "cutty")))
def test_any_life(life: tuple[list[sw.Query], list[tuple[Any, ...]]], technique: str, slicing: str) -> None:
    queries, steps = life
    told = Life(queries, technique, slicing)
    for kind, *what in steps:
        now = -3 if told.now is None else told.now
        if kind == "push":
            told.push((now + what[0], *what[1:]))
        elif kind == "advance":
            told.advance(now + what[0])
        elif kind == "add":
            told.add(what[0])
        elif kind == "remove" and told.queries:
            told.remove(list(told.queries)[what[0] % len(told.queries)])
        elif kind == "restore":
            told.restore()
        told.engine._check()
        for name in told.queries:
            if told.now is not None:
                told.check(name)
    told.heard(told.engine.finish())
    told.engine._check()
    for name in told.queries:
        told.check(name, finished=True)


def test_add_in_the_middle_of_a_slice() -> None:
    """The open slice [0, 10) ends at the new query's next start, 4."""
    engine = sw.Engine([sw.Query("old", "sum", sw.Window(10, 10))])
    engine.push((3, 1))
    engine.add(sw.Query("new", "sum", sw.Window(2, 2)))
    assert engine.push((4, 10)) == engine.push((5, 100)) == []
    assert engine.finish() == [sw.Answer("new", 4, 6, 110), sw.Answer("old", 0, 10, 111)]


def test_a_query_that_is_added_sees_whole_instances_only() -> None:
    """At time 3 with an event at 3 the instance from 3 on is not whole; advanced to 3 without one, it is."""
    for step, first in [(lambda engine: engine.push((3, 1)), 4), (lambda engine: engine.advance(3), 3)]:
        engine = sw.Engine([])
        step(engine)
        engine.add(sw.Query("q", "count", sw.Window(1, 1)))
        answers = [*engine.push((3, 1)), *engine.push((4, 1)), *engine.finish()]
        assert [answer.start for answer in answers] == list(range(first, 5))


def test_a_lane_leaves_with_its_last_query() -> None:
    """What only a removed query could not take is taken after it left."""
    engine = sw.Engine([sw.Query("s", "sum", sw.Window(4, 2)), sw.Query("m", "max", sw.Window(4, 4))])
    with pytest.raises(sw.SwagError, match="query 's'"):
        engine.push((0, "a"))
    engine.remove("s")
    assert engine.push((0, "a")) == []
    assert engine.finish() == [sw.Answer("m", 0, 4, "a")]


def test_a_query_that_cannot_join_changes_nothing() -> None:
    engine = sw.Engine([sw.Query("s", "sum", sw.Window(4, 2))], "slickdeque_inv")
    engine.push((0, 1))
    before = engine.snapshot()
    for query, said in [
        (sw.Query("m", "median", sw.Window(4, 2)), "needs an inverse"),
        (sw.Query("s", "count", sw.Window(4, 2)), "a name that no running query has"),
        (sw.Query("w", "sum", sw.Window(10**15, 1)), "at most 50000000 instances an event"),
        (sw.Query("d", "sum", sw.Window("5 s", "5 s")), "unit of the stream"),
    ]:
        with pytest.raises(sw.SwagError, match=said):
            engine.add(query)
    assert engine.snapshot() == before
    engine._check()


def test_ordinals_go_on_while_nobody_counts() -> None:
    engine = sw.Engine([])
    for time in range(5):
        engine.push((time, time))
    engine.add(sw.Query("c", "sum", sw.Window.count(2, 2)))
    answers = [answer for time in range(5, 9) for answer in engine.push((time, time))]
    assert answers + engine.finish() == [sw.Answer("c", 6, 8, 13), sw.Answer("c", 8, 10, 8)]


def test_a_name_may_come_again() -> None:
    engine = sw.Engine([sw.Query("q", "sum", sw.Window(4, 4)), sw.Query("r", "sum", sw.Window(4, 4))])
    engine.push((1, 1))
    engine.remove("q")
    engine.add(sw.Query("q", "max", sw.Window(2, 2)))
    engine.push((3, 7))
    assert engine.advance(4) == [sw.Answer("r", 0, 4, 8), sw.Answer("q", 2, 4, 7)]
    assert [query.name for query in engine.queries] == ["r", "q"]


@pytest.mark.parametrize("others", [[], [sw.Query("old", "sum", sw.Window(50, 50), emit_empty=True)]])
def test_empty_instances_of_a_query_that_is_added(others: list[sw.Query]) -> None:
    """From where it joined on, though the key's last event was before that and may be forgotten."""
    engine = sw.Engine([*others, sw.Query("short", "sum", sw.Window(1, 1))])
    engine.push((0, 1, "x"))
    engine.advance(10)
    engine.add(sw.Query("new", "count", sw.Window(2, 2), emit_empty=True))
    assert not others or engine._groups[0].substreams  # kept, else forgotten
    answers = engine.push((15, 1, "x")) + engine.push((16, 1, "y"))
    found = [answer for answer in answers if answer.query == "new"]
    assert found == [
        sw.Answer("new", 10, 12, 0, "x"),
        sw.Answer("new", 12, 14, 0, "x"),
        sw.Answer("new", 14, 16, 1, "x"),
    ]


def test_lanes_are_saved_in_the_order_in_which_they_are_made_again() -> None:
    """The mean made the lanes total and count; without it, count and sum make them the other way round."""
    engine = sw.Engine([sw.Query(name, name, sw.Window(9, 9)) for name in ("mean", "count", "sum")])
    engine.push((0, 5))
    engine.remove("mean")
    assert [lane.part.name for lane in engine._groups[0].lanes] == ["total", "count"]
    engine = sw.Engine.restore(engine.snapshot())
    assert [lane.part.name for lane in engine._groups[0].lanes] == ["count", "total"]
    assert engine.finish() == [sw.Answer("count", 0, 9, 1), sw.Answer("sum", 0, 9, 5)]
