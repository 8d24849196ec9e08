"""The engine: queries and events in, answers out as soon as they are certain; pulled (`run`) or pushed (`Engine`)."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from typing import Any

from swagcore.engine import snapshots
from swagcore.engine.group import Group, Ranked
from swagcore.engine.partition import partition
from swagcore.errors import EventError, InvalidArgument, SwagError, UnknownName, shown
from swagcore.naive import checked
from swagcore.windows import Answer, Query, query_set

SLICINGS = ("panes", "pairs", "cutty")


def run(
    queries: Iterable[Query],
    events: Iterable[tuple[Any, ...]],
    technique: str = "auto",
    slicing: str = "pairs",
    optimizer: Any = None,
    *,
    unit: str | None = None,
) -> Iterator[Answer]:
    """The answers of `naive`, one by one, in the same order, computed incrementally by a shared plan.

    Events are `(time, value)` or `(time, value, key)` in time order; for tables of pandas, Arrow or Polars see
    `swagcore.engine.frames`. The technique, the slicing and the optimizer (see `Engine`) decide what is computed on
    the way, never what comes out.

    Answers come as soon as they are certain and nothing can come before them; memory is bounded by the longest range
    and lag. Two things make answers wait, for the order's sake: a query with `emit_empty`, while a key may still have
    empty instances, that is until its next event; and a query that counts events, until the end, because the
    ordinals of a key yet unseen begin at 0. An `Engine` does not wait.

    >>> from swagcore import Window
    >>> list(run([Query("high", "max", Window(4, 2))], [(0, 3), (1, 8), (3, 5)]))[-1]
    Answer(query='high', start=2, end=6, value=5, key=None)
    """
    engine = Engine(queries, technique, slicing, optimizer, unit=unit)
    try:
        stream = iter(events)
    except TypeError:
        raise InvalidArgument(
            "events", events, "an iterable of (time, value) or (time, value, key)"
        ) from None
    return _in_order(engine, stream) if engine._waits() else _streamed(engine, stream)


def _streamed(engine: Engine, events: Iterator[Any]) -> Iterator[Answer]:
    for event in events:
        yield from engine.push(event)
    yield from engine.finish()


def _in_order(engine: Engine, events: Iterator[Any]) -> Iterator[Answer]:
    """Answers in order, each held back while the engine might still find one to be reported before it."""
    waiting: list[Ranked] = []
    for event in events:
        for entry in engine._pushed(event):
            heapq.heappush(waiting, entry)
        horizon = engine._horizon()
        while waiting and waiting[0][0] < horizon:
            yield heapq.heappop(waiting)[3]
    yield from (answer for *_, answer in sorted([*waiting, *engine._finished()]))


class Engine:
    """The engine, pushed: `push(event)` and `advance(time)` return the answers that became certain.

    - `push` takes the next event; `advance` says that no event before that time will come, so that a silent stream
      closes its windows too; `finish` says that none will come at all.
    - `add(query)` and `remove(name)` work while it runs: a query answers for the instances of which it can see all
      events, those that start after the last event and not before the time reached.
    - `snapshot()` gives the whole state as plain data (JSON), `Engine.restore` goes on from it.

    Queries over one clock (time, or counts) share one sequence of slices, and the parts of their aggregates; a
    technique that answers many queries (see `Technique.multi`) runs once a part, any other once a part and query.
    `optimizer` splits the queries into groups that share: a name of `sw.optimize`, a plan that it gave, or a list of
    lists of names; None shares all. A query that is added joins the first group.

    An event that is refused changes nothing. An error out of an aggregate's own `combine` or `lower` while answering,
    such as a number and a string that cannot be compared, stops the engine: it says so from then on.

    >>> from swagcore import Window
    >>> engine = Engine([Query("high", "max", Window(4, 4))])
    >>> engine.push((1, 7)), engine.push((3, 9))
    ([], [])
    >>> engine.advance(4)
    [Answer(query='high', start=0, end=4, value=9, key=None)]
    """

    def __init__(
        self,
        queries: Iterable[Query],
        technique: str = "auto",
        slicing: str = "pairs",
        optimizer: Any = None,
        *,
        unit: str | None = None,
    ) -> None:
        if slicing not in SLICINGS:
            raise UnknownName("slicing", slicing, SLICINGS)
        asked = query_set(queries, unit)
        groups = partition(asked, optimizer, slicing)
        self._technique, self._slicing, self._unit = technique, slicing, unit
        self._queries: dict[str, Query] = {}
        self._ranked = 0  # queries so far, also those that left
        self._keys: dict[Any, list[int]] = {}  # [rank, number of events], in order of first appearance
        self._groups: list[Group] = []
        self._last_event: int | None = None
        self._now: int | None = None
        self._events = 0
        self._stopped: str | None = None
        ranks = {query.name: rank for rank, query in enumerate(asked)}
        for group in groups:
            for by_count in (False, True):
                joining = [(query, ranks[query.name]) for query in group if query.window.by_count == by_count]
                if joining:
                    self._groups.append(Group(by_count, technique, slicing))
                    self._groups[-1].enter(joining, None, {})
        self._queries = {query.name: query for query in asked}
        self._ranked = len(asked)

    @property
    def queries(self) -> list[Query]:
        """The queries that run, in their order."""
        return list(self._queries.values())

    # Events

    def push(self, event: tuple[Any, ...]) -> list[Answer]:
        """Take the next event; return the answers that are certain now."""
        return [answer for *_, answer in self._pushed(event)]

    def _pushed(self, event: Any) -> list[Ranked]:
        # Every event comes through here, so this is written out: checked, prepared by all, then taken by all.
        if self._stopped is not None:
            self._refuse_if_stopped()
        plain = type(event) is tuple and 2 <= len(event) <= 3 and type(event[0]) is int
        time, value, key = self._checked(event) if not plain else event if len(event) == 3 else (*event, None)
        if self._now is not None and time < self._now:
            self._refuse_late(event, time)
        try:
            seen = self._keys.get(key)
        except TypeError:
            self._checked(event)
            raise
        known = seen is not None
        rank, ordinal = seen or (len(self._keys), 0)
        position, groups = self._events, self._groups
        prepared = [
            group.prepared(position, key, ordinal if group.by_count else time, value, known)
            for group in groups
        ]
        try:
            for group in groups:
                if not group.by_count:
                    group.reach(group.time, time)
            for group, joined in zip(groups, prepared, strict=True):
                group.commit(key, rank, ordinal if group.by_count else time, joined, known)
        except Exception as problem:
            self._stop(problem)
            raise
        self._keys[key] = [rank, ordinal + 1]
        self._now = self._last_event = time
        self._events = position + 1
        return self._released()

    def _checked(self, event: Any) -> tuple[int, Any, Any]:
        """The event as (time, value, key), or an error in the words of `naive`."""
        (found,) = checked([event], first=self._events)
        return found

    def _refuse_late(self, event: Any, time: int) -> None:
        reached = (
            "the time of the event before it; sort them by time"
            if self._now == self._last_event
            else "which the stream has reached"
        )
        raise EventError(self._events, event, f"its time is before {self._now}, {reached}")

    def advance(self, time: int) -> list[Answer]:
        """Say that no event before that time will come; return the answers that are certain now."""
        self._refuse_if_stopped()
        if (
            isinstance(time, bool)
            or not isinstance(time, int)
            or (self._now is not None and time < self._now)
        ):
            reached = (
                "" if self._now is None else f" that is not before {self._now}, which the stream has reached"
            )
            raise InvalidArgument("time", time, f"an integer{reached}")
        try:
            for group in self._groups:
                if not group.by_count:
                    group.reach(group.time, time)
        except Exception as problem:
            self._stop(problem)
            raise
        self._now = time
        return [answer for *_, answer in self._released()]

    def finish(self) -> list[Answer]:
        """Say that no event will come at all; return the remaining answers. Nothing can be pushed after that."""
        return [answer for *_, answer in self._finished()]

    def _finished(self) -> list[Ranked]:
        self._refuse_if_stopped()
        try:
            for group in self._groups:
                for timeline in group.timelines():
                    group.reach(timeline, math.inf)
        except Exception as problem:
            self._stop(problem)
            raise
        self._stopped = "it is finished"
        return self._released()

    def _released(self) -> list[Ranked]:
        released: list[Ranked] = []
        for group in self._groups:
            if group.ready:
                released += group.ready
                group.ready = []
        if len(released) > 1:
            released.sort()
        return released

    def _stop(self, problem: Exception) -> None:
        """An engine that failed half-way is of no use: part of it has gone on, part of it has not."""
        self._stopped = f"it failed before ({shown(problem)})"

    def _refuse_if_stopped(self) -> None:
        if self._stopped is not None:
            raise SwagError(f"the engine takes nothing more: {self._stopped}")

    def _waits(self) -> bool:
        """Whether some answer may become certain after one that is reported later: see `run`."""
        return any(query.window.by_count or query.emit_empty for query in self._queries.values())

    def _horizon(self) -> float:
        """Answers reported before this time are all known."""
        if any(group.by_count for group in self._groups):
            return -math.inf
        return min((group.horizon() for group in self._groups), default=math.inf)

    # Queries

    def add(self, query: Query) -> None:
        """Let a query join: it answers for instances that start after the last event, not before the time reached."""
        self._refuse_if_stopped()
        (query,) = query_set([query], self._unit)
        if query.name in self._queries:
            raise InvalidArgument("name of a query", query.name, "a name that no running query has")
        since = None
        if self._now is not None:
            since = self._now if self._now == self._last_event else self._now - 1
        group = next((group for group in self._groups if group.by_count == query.window.by_count), None)
        joined = group or Group(query.window.by_count, self._technique, self._slicing)
        joined.enter([(query, self._ranked)], since, self._keys)
        if group is None:
            self._groups.append(joined)
        self._queries[query.name] = query
        self._ranked += 1

    def remove(self, name: str) -> None:
        """Let a query leave; what it has not answered yet is dropped."""
        self._refuse_if_stopped()
        if name not in self._queries:
            raise UnknownName("query", name, self._queries)
        del self._queries[name]
        for group in list(self._groups):
            if name in group.queries:
                group.leave(name)
                if not group.queries:
                    self._groups.remove(group)

    # Plain data

    def snapshot(self) -> dict[str, Any]:
        """The state as plain data: dicts, lists, strings, numbers. Aggregates are kept by name."""
        self._refuse_if_stopped()
        return snapshots.sealed(
            {
                "swagcore": snapshots.VERSION,
                "technique": self._technique,
                "slicing": self._slicing,
                "unit": self._unit,
                "now": self._now,
                "last_event": self._last_event,
                "events": self._events,
                "ranked": self._ranked,
                "keys": [[snapshots.to_plain(key), events] for key, (_, events) in self._keys.items()],
                "queries": [snapshots.query_to_plain(query) for query in self._queries.values()],
                "groups": [snapshots.group_to_plain(group) for group in self._groups],
            }
        )

    @classmethod
    def restore(cls, snapshot: dict[str, Any]) -> Engine:
        """An engine that goes on where the snapshot was taken.

        >>> from swagcore import Window
        >>> engine = Engine([Query("total", "sum", Window(4, 4))])
        >>> engine.push((1, 0.5))
        []
        >>> Engine.restore(engine.snapshot()).advance(4)
        [Answer(query='total', start=0, end=4, value=0.5, key=None)]
        """
        data = snapshots.checked(snapshot)
        engine = cls([], data["technique"], data["slicing"], unit=data["unit"])
        engine._now, engine._last_event = data["now"], data["last_event"]
        engine._events, engine._ranked = data["events"], data["ranked"]
        with snapshots.reading():
            for rank, (key, events) in enumerate(data["keys"]):
                engine._keys[snapshots.from_plain(key)] = [rank, events]
            engine._queries = {query.name: query for query in map(snapshots.query_from, data["queries"])}
            engine._groups = [
                snapshots.group_from(
                    group,
                    engine._queries,
                    engine._keys,
                    Group(group["by_count"], engine._technique, engine._slicing),
                )
                for group in data["groups"]
            ]
        return engine

    def _check(self) -> None:
        for group in self._groups:
            group._check()
        assert sorted(name for group in self._groups for name in group.queries) == sorted(self._queries)
