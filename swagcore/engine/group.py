"""Queries that share one sequence of slices a key: an execution tree, in the words of S §2.4 and C §2.3."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from typing import Any, TypeAlias

from swagcore.algebra import Aggregate, Partial
from swagcore.engine.substream import Asker, Lane, Substream
from swagcore.errors import EventError, InvalidArgument, SwagError
from swagcore.naive import MOST_ANSWERS
from swagcore.slicing import Cuts
from swagcore.windows import Answer, Query

Ranked: TypeAlias = tuple[int, int, int, Answer]
"""An answer and its place in the order of `naive`: report time, query, key. No two have the same."""


class Timeline:
    """What is to come on one timeline: the ends that fall due, and the answers held until their report time."""

    def __init__(self) -> None:
        self.reached: float = -math.inf
        self.due: list[tuple[int, int, int, Asker]] = []  # (end, query rank, key rank, who answers)
        self.held: list[Ranked] = []


class Group:
    """Queries over time, or over counts: their lanes, their cuts, and every key's substream.

    Over time all keys live on one timeline; over counts each key has its own, its events' ordinals.
    """

    def __init__(self, by_count: bool, technique: str, slicing: str) -> None:
        self.by_count = by_count
        self.technique = technique
        self.slicing = slicing
        self.queries: dict[str, Query] = {}
        self.ranks: dict[str, int] = {}
        self.since: dict[str, int | None] = {}  # over time: a query answers for instances that start after it
        self.lanes: list[Lane] = []
        self.reads: list[Callable[[Any], Partial]] = []  # those of the lanes, at hand for every event
        self.combines: list[Callable[[Partial, Partial], Partial]] = []
        self.lanes_of: dict[str, list[Lane]] = {}
        self.substreams: dict[Any, Substream] = {}
        self.time = Timeline()
        self.ordinals: dict[Any, Timeline] = {}  # over counts: a key's own timeline
        self.recent: dict[Any, int] = {}  # by key, the last event; the key that waits longest comes first
        self.ready: list[Ranked] = []
        self.cuts: Cuts | None = None
        self.longest = 0
        self.emits_empty = False

    # Joining and leaving

    def enter(self, joining: list[tuple[Query, int]], since: int | None, keys: dict[Any, list[int]]) -> None:
        """Let queries join, with their ranks, to answer for instances that start after a time.

        Over counts, for those that start after a key's events so far; `keys` holds ranks and numbers of events.
        """
        if not joining:
            return
        asking: dict[tuple[Aggregate, str | None, str | None], list[Query]] = {}
        for query, _ in joining:
            most = -(-query.window.range // query.window.slide)
            if most > MOST_ANSWERS:
                raise InvalidArgument(
                    f"window of query {query.name!r}",
                    query.window,
                    f"one of at most {MOST_ANSWERS} instances an event; this one has {most}",
                )
            for part in _parts(query):
                asking.setdefault((part, query.value, query.by), []).append(query)
        known = {(lane.part, *lane.columns): lane for lane in self.lanes}
        fresh = {
            what: Lane(what[0], askers[0], self.technique, len(askers))
            for what, askers in asking.items()
            if what not in known
        }
        cuts = Cuts.of(
            [query.window for query in [*self.queries.values(), *(query for query, _ in joining)]],
            self.slicing,
        )
        # From here on nothing fails.
        known |= fresh
        for query, rank in joining:
            self.queries[query.name], self.ranks[query.name] = query, rank
            self.since[query.name] = None if self.by_count else since
            self.lanes_of[query.name] = [known[part, query.value, query.by] for part in _parts(query)]
        for lane in fresh.values():
            lane.place = len(self.lanes)
            self.lanes.append(lane)
        self._recut(cuts)
        if self.by_count:
            for key, (rank, _) in keys.items():
                if key not in self.substreams:
                    self.substreams[key] = Substream(key, rank, self.lanes)
        for key, substream in self.substreams.items():
            substream.add_lanes([lane for lane in fresh.values() if lane not in substream.shared])
            substream.cut(cuts)
            for query, rank in joining:
                last = keys[key][1] - 1 if self.by_count and keys[key][1] else self.since[query.name]
                substream.ask(query, rank, self.lanes_of[query.name], last)

    def leave(self, name: str) -> None:
        """Let a query leave, and the lanes that only it needed."""
        for table in (self.queries, self.ranks, self.since, self.lanes_of):
            del table[name]
        for timeline in self.timelines():
            timeline.due = [entry for entry in timeline.due if entry[3].query.name != name]
            timeline.held = [entry for entry in timeline.held if entry[3].query != name]
            heapq.heapify(timeline.due)
            heapq.heapify(timeline.held)
        needed = {lane for lanes in self.lanes_of.values() for lane in lanes}
        for substream in list(self.substreams.values()):
            substream.leave(name)
            for lane in reversed(self.lanes):
                if lane not in needed:
                    substream.drop_lane(lane)
        self.lanes[:] = [lane for lane in self.lanes if lane in needed]
        for place, lane in enumerate(self.lanes):
            lane.place = place
        windows = [query.window for query in self.queries.values()]
        self._recut(Cuts.of(windows, self.slicing) if windows else None)
        for substream in list(self.substreams.values()):
            if len(substream.idle) == len(substream.askers):
                self._forget(substream)

    def _recut(self, cuts: Cuts | None) -> None:
        """What follows from the queries and lanes that are here now."""
        self.cuts = cuts
        self.reads = [lane.read for lane in self.lanes]
        self.combines = [lane.part.combine for lane in self.lanes]
        self.longest = max((query.window.range for query in self.queries.values()), default=0)
        self.emits_empty = not self.by_count and any(query.emit_empty for query in self.queries.values())
        if not self.emits_empty:
            self.recent.clear()

    # Events

    def prepared(self, position: int, key: Any, moment: int, value: Any, known: bool) -> list[Partial]:
        """An event's partials, joined to those of the open slice. Nothing is changed; a refusal is an EventError."""
        try:
            partials = [read(value) for read in self.reads]
            if self.emits_empty:
                self._refuse_gap(self._last_event(key, known), moment)
            substream = self.substreams.get(key)
            if substream is None or substream.open is None or moment >= substream.end:
                return partials
            return [
                combine(older, newer)
                for combine, older, newer in zip(self.combines, substream.open, partials, strict=True)
            ]
        except SwagError as problem:
            self._name_query(position, value)
            raise EventError(position, value, str(problem)) from problem

    def _name_query(self, position: int, value: Any) -> None:
        """Say what is wrong with a value in the words of the query that it is wrong for."""
        for query in self.queries.values():
            try:
                query.function.partial(query.pick(value))
            except SwagError as problem:
                raise EventError(position, value, f"{problem} (query {query.name!r})") from problem

    def commit(self, key: Any, rank: int, moment: int, joined: list[Partial], known: bool) -> None:
        """Take the event that was prepared."""
        assert self.cuts is not None
        timeline = self.timeline(key)
        if self.emits_empty:
            self._add_empty(timeline, key, rank, self._last_event(key, known), moment)
            self.recent.pop(key, None)
            self.recent[key] = moment
        substream = self.substreams.get(key)
        if substream is None:
            substream = self.substreams[key] = Substream(key, rank, self.lanes)
            for query in self.queries.values():
                name = query.name
                substream.ask(query, self.ranks[name], self.lanes_of[name], self.since[name])
        substream.last_event = moment
        if substream.idle:
            self._wake(timeline, substream, moment)
        if len(substream.idle) == len(substream.askers):
            self._forget(substream)  # The event is in a gap of all windows.
        elif moment < substream.end:
            substream.open = joined
        else:
            substream.begin(moment, joined, self.cuts, self.longest)
        if self.by_count:
            self.reach(timeline, moment + 1)

    def _wake(self, timeline: Timeline, substream: Substream, moment: int) -> None:
        """Let the idle askers fall due that have an instance with this event."""
        still_idle = []
        for asker in substream.idle:
            asker.next = asker.first_from(moment)
            if asker.next is None:
                still_idle.append(asker)
            else:
                entry = (asker.next + asker.window.range, asker.rank, substream.rank, asker)
                heapq.heappush(timeline.due, entry)
        substream.idle = still_idle

    def _forget(self, substream: Substream) -> None:
        """Drop what nobody asks about; over time a key that comes again starts anew."""
        if self.by_count or self.emits_empty:
            substream.clear()
        else:
            del self.substreams[substream.key]

    def timeline(self, key: Any) -> Timeline:
        """The timeline that a key lives on."""
        if not self.by_count:
            return self.time
        if key not in self.ordinals:
            self.ordinals[key] = Timeline()
        return self.ordinals[key]

    def timelines(self) -> list[Timeline]:
        """All of them."""
        return list(self.ordinals.values()) if self.by_count else [self.time]

    def reach(self, timeline: Timeline, time: float) -> None:
        """Answer what falls due up to a time, and release what is to be reported by then."""
        due, held, longest = timeline.due, timeline.held, self.longest
        if time > timeline.reached:
            timeline.reached = time
        while due and due[0][0] <= time:
            end, query_rank, key_rank, asker = due[0]
            window, substream = asker.window, asker.substream
            start = end - window.range
            substream.close(end, longest)
            answer = Answer(asker.query.name, start, end, substream.answer(asker, start), substream.key)
            heapq.heappush(held, (end + window.lag, query_rank, key_rank, answer))
            asker.last = start
            asker.next = substream.next_start(asker)
            if asker.next is not None:
                heapq.heapreplace(due, (asker.next + window.range, query_rank, key_rank, asker))
            else:
                heapq.heappop(due)
                substream.idle.append(asker)
                if len(substream.idle) == len(substream.askers):
                    self._forget(substream)
        while held and held[0][0] <= time:
            self.ready.append(heapq.heappop(held))

    # Empty instances

    def _last_event(self, key: Any, known: bool) -> int | None:
        """The last event of a key.

        A key may be known that has no substream: nobody asked for empty instances when it came, and those who ask now
        joined later.
        """
        substream = self.substreams.get(key)
        if substream is not None or not known:
            return None if substream is None else substream.last_event
        return min(
            (since for since in map(self.since.get, self._emitting()) if since is not None), default=None
        )

    def _emitting(self) -> list[str]:
        return [name for name, query in self.queries.items() if query.emit_empty]

    def _refuse_gap(self, before: int | None, after: int) -> None:
        for name in self._emitting():
            slide = self.queries[name].window.slide
            if before is not None and (after - before) // slide > MOST_ANSWERS:
                raise InvalidArgument(
                    "time",
                    after,
                    f"one with at most {MOST_ANSWERS} empty instances before it (query {name!r})",
                )

    def _add_empty(self, timeline: Timeline, key: Any, rank: int, before: int | None, after: int) -> None:
        """Answer for the instances between two neighbouring events: they start after one and end by the other."""
        if before is None:
            return
        for name in self._emitting():
            query = self.queries[name]
            window, since = query.window, self.since[name]
            value = query.function.lower(query.function.identity)
            after_start = before if since is None else max(before, since)
            for end in window.ends(after_start + 1 + window.range, after + 1):
                answer = Answer(name, end - window.range, end, value, key)
                entry = (end + window.lag, self.ranks[name], rank, answer)
                if entry[0] <= timeline.reached:
                    self.ready.append(entry)
                else:
                    heapq.heappush(timeline.held, entry)

    def horizon(self) -> float:
        """Empty instances that are not known yet will be reported at this time at the earliest."""
        if not self.emits_empty or not self.recent:
            return math.inf
        longest_silent = next(iter(self.recent.values()))
        windows = [self.queries[name].window for name in self._emitting()]
        return min(
            window.ends(longest_silent + 1 + window.range, longest_silent + 1 + window.range + window.slide)[
                0
            ]
            + window.lag
            for window in windows
        )

    def _check(self) -> None:
        due = {id(entry[3]): entry for timeline in self.timelines() for entry in timeline.due}
        for key, substream in self.substreams.items():
            substream._check()
            assert substream.key == key
            assert {asker.query.name for asker in substream.askers} == set(self.queries)
            for asker in substream.askers:
                entry = due.pop(id(asker), None)
                expected = None if asker.next is None else asker.next + asker.window.range
                assert (entry and entry[0]) == expected, (asker.query, entry)
        assert not due  # Nobody else falls due.


def _parts(query: Query) -> tuple[Aggregate, ...]:
    return query.function.parts or (query.function,)
