"""What a graph means: its answers over events in memory, by way of the sub-aggregates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from swagcore.algebra import Partial
from swagcore.coverage.graph import Graph
from swagcore.coverage.relation import parts_of
from swagcore.naive import checked
from swagcore.windows import Answer, Window

Instances = dict[int, Partial]
"""The partials of the instances that contain an event, by start."""


def evaluate(graph: Graph, events: Iterable[tuple[Any, ...]]) -> dict[Window, list[Answer]]:
    """The answers of each window asked for, computed as the graph says; the query of an answer is the window's repr.

    They are those of `naive`: an instance has an answer where it contains an event, null or not, and that is where one of
    its parts has one. Parts are combined in the order of their starts, so that overlapping ones join as `ab` and `bc` do.

    >>> from swagcore.coverage.graph import min_cost
    >>> graph = min_cost([Window(2, 2), Window(4, 4)], "max")
    >>> for answer in evaluate(graph, [(0, 3), (1, 8), (3, 5)])[Window(4, 4)]:
    ...     print(answer.start, answer.end, answer.value)
    0 4 8
    """
    function = graph.aggregate
    substreams: dict[Any, list[tuple[int, Partial]]] = {}
    for time, value, key in checked(events):
        stream = substreams.setdefault(key, [])
        ordinal = len(stream) if graph.windows[0].by_count else time
        stream.append((ordinal, function.partial(value)))

    answers: dict[Window, list[Answer]] = {window: [] for window in graph.windows}
    for key, stream in substreams.items():
        made: dict[Window, Instances] = {}
        for window, parent in graph.parent.items():
            if parent is None:
                made[window] = _from_stream(graph, window, stream)
            else:
                made[window] = _from_parts(graph, window, parent, made[parent])
        for window in graph.windows:
            answers[window] += [
                Answer(repr(window), start, start + window.range, function.lower(partial), key)
                for start, partial in sorted(made[window].items())
            ]
    return answers


def _from_stream(graph: Graph, window: Window, stream: list[tuple[int, Partial]]) -> Instances:
    combine, found = graph.aggregate.combine, Instances()
    for time, partial in stream:
        for start in window.starts(time):
            found[start] = combine(found.get(start, graph.aggregate.identity), partial)
    return found


def _from_parts(graph: Graph, window: Window, parent: Window, parts: Instances) -> Instances:
    # An instance has the part that starts at t where t - shift is its start, for one of these shifts.
    shifts = parts_of(window, parent, 0)
    starts = {t - shift for t in parts for shift in shifts if (t - shift - window.offset) % window.slide == 0}
    return {
        start: graph.aggregate.fold(parts[t] for t in parts_of(window, parent, start) if t in parts)
        for start in starts
    }
