"""The shared plan of many queries: one composite slide, its edges, and who answers where. S §2.4.1, C §2.2."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from typing import NamedTuple

from swagcore.errors import InvalidArgument
from swagcore.slicing.cuts import Cuts
from swagcore.windows import Query, query_set


class Edge(NamedTuple):
    """One edge of a shared plan: its time, the length of the slice from there on, and the answers due there.

    `answers` maps the names of the queries that have an instance ending there to the number of slices it has. Under
    Cutty an instance may end between two edges; it is then listed at the edge before its end, and its last slice
    counts, which is still open when it is read.

    >>> from swagcore.windows import Window
    >>> SharedPlan([Query("six", "max", Window(6, 2))]).first(1)
    [Edge(time=0, length=2, answers={'six': 3})]
    """

    time: int
    length: int
    answers: dict[str, int]


class SharedPlan:
    """All queries over one sequence of slices.

    The plan is an iterator over edges, never a list of the composite slide's length, so a composite slide of 10**12
    costs nothing until somebody walks it. What can only be counted by walking it is refused where it is too long.

    How many slices a query needs can differ from edge to edge: `counts` gives the set. S §3.2 and §4.2 treat a query's
    range, in partials, as one number; Window(2, 2) together with Window(3, 3) needs 1 and 2 by turns.

    >>> from swagcore.windows import Window
    >>> six = Query("six", "max", Window(6, 2))
    >>> eight = Query("eight", "max", Window(8, 4))
    >>> plan = SharedPlan([six, eight])
    >>> plan.period, plan.edges_per_period()
    (4, 2)
    >>> [(edge.time, edge.answers) for edge in plan.first(3)]
    [(0, {'six': 3, 'eight': 4}), (2, {'six': 3}), (4, {'six': 3, 'eight': 4})]
    >>> plan.counts(), plan.w_size()
    ({'six': {3}, 'eight': {4}}, 4)
    >>> SharedPlan([Query("two", "max", Window(2, 2)), Query("three", "max", Window(3, 3))]).counts()
    {'two': {1, 2}, 'three': {2}}
    """

    def __init__(self, queries: Iterable[Query], slicing: str = "pairs") -> None:
        self.queries = query_set(queries)
        for query in self.queries:
            if query.window.by_count != self.queries[0].window.by_count:
                raise InvalidArgument(
                    "queries",
                    [q.name for q in self.queries],
                    "all over time or all over counts: they share no slices",
                )
        self.cuts = Cuts.of([query.window for query in self.queries], slicing)
        self._longest = max(query.window.range for query in self.queries)

    @property
    def period(self) -> int:
        """The composite slide's length: the least common multiple of the slides."""
        return math.lcm(*(query.window.slide for query in self.queries))

    def edges(self, start: int = 0) -> Iterator[Edge]:
        """The edges at or after a time, without end, each with the answers due there.

        Walks the slices of the longest window once, before the first edge, so as to know every count from then on:
        refused where those are too many.
        """
        self.cuts.refuse_beyond(self._longest)
        return self._edges(start)

    def _edges(self, start: int) -> Iterator[Edge]:
        begin = start - self._longest
        # The instances that begin from there on, by query: their starts and ends to come, in heaps, and how many
        # edges there were before each start. Instances of one query end in the order in which they start.
        starts, ends = [], []
        for rank, query in enumerate(self.queries):
            first = begin + (query.window.offset - begin) % query.window.slide
            starts.append((first, rank))
            ends.append((first + query.window.range, rank))
        heapq.heapify(starts)
        heapq.heapify(ends)
        before: list[deque[int]] = [deque() for _ in self.queries]
        walk = self.cuts.from_time(begin)
        time = next(walk)
        for number, upcoming in enumerate(walk):
            while starts[0][0] == time:
                _, rank = starts[0]
                heapq.heapreplace(starts, (time + self.queries[rank].window.slide, rank))
                before[rank].append(number)
            due = {}
            while ends[0][0] < upcoming:
                end, rank = ends[0]
                heapq.heapreplace(ends, (end + self.queries[rank].window.slide, rank))
                due[rank] = number - before[rank].popleft() + (end > time)
            if time >= start:
                answers = {self.queries[rank].name: due[rank] for rank in sorted(due)}
                yield Edge(time, upcoming - time, answers)
            time = upcoming

    def first(self, count: int, start: int = 0) -> list[Edge]:
        """The first edges at or after a time."""
        return list(islice(self.edges(start), count))

    def one_period(self) -> Iterator[Edge]:
        """The edges of one composite slide, from 0 on; refused where they are too many to walk."""
        self.cuts.refuse_beyond(self.period + self._longest)
        return takewhile(lambda edge: edge.time < self.period, self.edges(0))

    def edges_per_period(self) -> int:
        """How many edges the composite slide has, by counting."""
        return self.cuts.between(0, self.period)

    def counts(self) -> dict[str, set[int]]:
        """For every query, the numbers of slices that its instances have."""
        found: dict[str, set[int]] = {query.name: set() for query in self.queries}
        for edge in self.one_period():
            for name, slices in edge.answers.items():
                found[name].add(slices)
        return found

    def w_size(self) -> int:
        """The most slices that an answer needs: wSize, the window of the shared final aggregation (S §3.2.1)."""
        return max(max(slices) for slices in self.counts().values())
