"""One key's side of a running engine: its slices, and the techniques that aggregate them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from swagcore.aggregators.registry import technique_for
from swagcore.aggregators.tape import Tape
from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.slicing import Cuts
from swagcore.windows import Query


class Lane:
    """What is aggregated once for all queries that need it: one part, over the columns that a query picks.

    `place` is where its partials stand in those of a slice. `shared`: one technique answers all queries; else each
    query has one of its own.
    """

    def __init__(self, part: Aggregate, column: Query, technique: str, askers: int) -> None:
        if technique == "auto" and askers > 1:
            # One structure for all: a deque where combine is selective; FlatFIT pays only for the answers asked.
            technique = "slickdeque_noninv" if part.selective else "flatfit"
        self.part = part
        self.columns = column.value, column.by
        self.place = 0
        self.make: Callable[[], Technique] = lambda: technique_for(technique, part)
        probe = self.make()
        # SlickDeque (inv) would have to know its ranges, in slices, before it sees which slices have events.
        self.shared = probe.multi and probe.name != "slickdeque_inv"
        self.read: Callable[[Any], Partial] = (
            part.partial if column.value is None else lambda value: part.partial(column.pick(value))
        )


class Slice(NamedTuple):
    """The events of one slice, at least one: the first of them at `first`, all before `end`; one partial a lane."""

    first: int
    end: int
    partials: list[Partial]


_FIRST = itemgetter(0)


class Asker:
    """One query over one key: `next`, the start that it answers next, or None while no event asks for it.

    It answers for starts after `last`. `own`: its techniques, in the lanes that are not shared; they hold the closed
    slices from position `head` on.
    """

    __slots__ = ("head", "lanes", "last", "next", "own", "query", "rank", "substream", "window")

    def __init__(
        self, substream: Substream, query: Query, rank: int, lanes: list[Lane], last: int | None
    ) -> None:
        self.substream, self.query, self.rank, self.lanes = substream, query, rank, lanes
        self.window = query.window
        self.last = last
        self.next: int | None = None
        self.renew()

    def renew(self) -> None:
        """Start with empty techniques at the slices to come."""
        self.own = {lane: lane.make() for lane in self.lanes if not lane.shared}
        self.head = self.substream.closed.tail

    def first_from(self, time: int) -> int | None:
        """The start of the first instance that contains the time and starts after `last`."""
        window = self.window
        start = time - window.range + 1 if self.last is None else max(time - window.range, self.last) + 1
        start += (window.offset - start) % window.slide
        return start if start <= time else None

    def let_go(self, position: int) -> None:
        """Evict from its own techniques what is before a position."""
        while self.head < position:
            self.head += 1
            for technique in self.own.values():
                technique.evict()


class Substream:
    """The closed slices of one key, the open one, and who asks about them.

    Slices without events do not exist, so gaps cost nothing. No slice reaches over the start of an instance that is
    still to be answered: the slices of `[start, end)` are those whose first event is at `start` or later.

    Invariant: a shared technique holds the partials of all closed slices, an asker's own those from its `head` on;
    slices ascend and do not overlap; an asker is idle exactly if no event asks for its next answer.
    """

    def __init__(self, key: Any, rank: int, lanes: list[Lane]) -> None:
        self.key, self.rank, self.lanes = key, rank, lanes
        self.askers: list[Asker] = []
        self.idle: list[Asker] = []
        self.last_event: int | None = None
        self.clear()

    def clear(self) -> None:
        """Forget all slices: nobody asks about them."""
        self.closed = Tape()
        self.open: list[Partial] | None = None
        self.first = 0  # of the open slice, like `end`
        self.end: float = -math.inf
        self.shared = {lane: lane.make() for lane in self.lanes if lane.shared}
        for asker in self.askers:
            asker.renew()

    # Queries

    def ask(self, query: Query, rank: int, lanes: list[Lane], last: int | None) -> None:
        """Let a query ask about the instances that start after `last`."""
        asker = Asker(self, query, rank, lanes, last)
        self.askers.append(asker)
        self.idle.append(asker)

    def leave(self, name: str) -> None:
        """Let a query ask no more."""
        self.askers = [asker for asker in self.askers if asker.query.name != name]
        self.idle = [asker for asker in self.idle if asker.query.name != name]

    def add_lanes(self, fresh: list[Lane]) -> None:
        """Add lanes. The slices so far have nothing to say there: no query that needs them asks so far back."""
        for lane in fresh:
            for piece in self.closed:
                piece.partials.append(lane.part.identity)
            if self.open is not None:
                self.open.append(lane.part.identity)
            if lane.shared:
                technique = self.shared[lane] = lane.make()
                for _ in self.closed:
                    technique.insert(lane.part.identity)

    def drop_lane(self, lane: Lane) -> None:
        """Drop a lane that no query needs."""
        for partials in [*(piece.partials for piece in self.closed), *([self.open] if self.open else [])]:
            del partials[lane.place]
        self.shared.pop(lane, None)

    def cut(self, cuts: Cuts) -> None:
        """Let the open slice end at the next of the new edges."""
        if self.open is not None:
            assert self.last_event is not None
            self.end = min(self.end, cuts.after(self.last_event))

    # Events

    def begin(self, time: int, partials: list[Partial], cuts: Cuts, longest: int) -> None:
        """Open the slice of an event, the open one being over."""
        self.close(time, longest)
        self.first, self.end, self.open = time, cuts.after(time), partials

    def close(self, time: float, longest: int) -> None:
        """Close the open slice if it ends by that time; let go what no window of that length will contain."""
        if self.open is not None and self.end <= time:
            self._append(Slice(self.first, int(self.end), self.open))
            self.open, self.end = None, -math.inf
        closed = self.closed
        while len(closed) and closed.items[closed.dead].end <= time - longest:
            closed.popleft()
            for technique in self.shared.values():
                technique.evict()
            for asker in self.askers:
                if asker.head < closed.head:
                    asker.let_go(closed.head)

    def _append(self, piece: Slice) -> None:
        self.closed.append(piece)
        for lane, technique in self.shared.items():
            technique.insert(piece.partials[lane.place])
        for asker in self.askers:
            for lane, technique in asker.own.items():
                technique.insert(piece.partials[lane.place])

    # Answers

    def answer(self, asker: Asker, start: int) -> Any:
        """The value of the instance from `start` on; all events so far are before its end."""
        position = self._position(start)
        asker.let_go(position)
        # Under Cutty a window may end while its last slice is open.
        reading = self.open if self.first >= start else None
        results = []
        for lane in asker.lanes:
            if lane.shared:
                result = self.shared[lane].query(self.closed.tail - position)  # type: ignore[call-arg]
            else:
                result = asker.own[lane].query()
            if reading is not None:
                result = lane.part.combine(result, reading[lane.place])
            results.append(result)
        function = asker.query.function
        return function.lower(tuple(results) if function.parts else results[0])

    def next_start(self, asker: Asker) -> int | None:
        """The first instance after the last one answered that has an event so far."""
        assert asker.last is not None
        following = asker.last + asker.window.slide
        for position in range(self._position(following), self.closed.tail):
            start = asker.first_from(self.closed[position].first)
            if start is not None:
                return start
        return asker.first_from(self.first) if self.open is not None and self.first >= following else None

    def _position(self, start: int) -> int:
        """The position of the first closed slice whose first event is at a time or later, by bisection."""
        closed = self.closed
        return closed.offset + bisect_left(closed.items, start, closed.dead, key=_FIRST)

    def slices(self) -> list[Slice]:
        """All slices, the open one last."""
        opened = [] if self.open is None else [Slice(self.first, int(self.end), self.open)]
        return [*self.closed, *opened]

    def _check(self) -> None:
        slices = self.slices()
        for piece in slices:
            assert piece.first < piece.end, slices  # A slice has an event before its end.
            assert len(piece.partials) == len(self.lanes), slices  # One partial a lane.
        for older, newer in pairwise(slices):
            assert older.end <= newer.first, slices  # They ascend and do not overlap.
        assert (self.open is None) == (self.end == -math.inf), slices
        assert not slices or self.last_event is not None
        assert not slices or slices[-1].first <= (self.last_event or 0) < slices[-1].end or self.open is None
        assert [lane.place for lane in self.lanes] == list(range(len(self.lanes)))
        assert set(self.shared) == {lane for lane in self.lanes if lane.shared}
        for technique in self.shared.values():
            technique._check()
            assert len(technique) == len(self.closed), slices
        for lane, technique in self.shared.items():
            fold = lane.part.fold(piece.partials[lane.place] for piece in self.closed)
            assert lane.part.equal(technique.query(), fold), slices
        for asker in self.askers:
            assert set(asker.lanes) <= set(self.lanes)
            assert self.closed.head <= asker.head <= self.closed.tail
            assert set(asker.own) == {lane for lane in asker.lanes if not lane.shared}
            for lane, technique in asker.own.items():
                technique._check()
                assert len(technique) == self.closed.tail - asker.head, slices
                own = [piece.partials[lane.place] for piece in self.closed][-len(technique) or len(slices) :]
                assert lane.part.equal(technique.query(), lane.part.fold(own)), slices
            assert (asker.next is None) == (asker in self.idle)
            if asker.next is not None:  # It has an event, and none of its slices begins before it.
                inside = [
                    piece
                    for piece in slices
                    if piece.end > asker.next and piece.first < asker.next + asker.window.range
                ]
                assert inside and inside[0].first >= asker.next, (asker.next, slices)
        assert not slices or len(self.idle) < len(self.askers), slices  # What nobody asks about is forgotten.
