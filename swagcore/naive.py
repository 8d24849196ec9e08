"""The meaning of an answer, by re-evaluation. Everything else in this project is compared with this page."""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

from swagcore.errors import EventError, InvalidArgument, SwagError
from swagcore.windows import Answer, Query, Window, query_set

MOST_ANSWERS = 50_000_000
"""More of one query for one key are refused: a slip such as a slide in microseconds would fill the memory."""


def naive(
    queries: Iterable[Query],
    events: Iterable[tuple[Any, ...]],
    *,
    unit: str | None = None,
    emit_empty: bool = False,
) -> list[Answer]:
    """The answers of all queries over a stream of `(time, value)` or `(time, value, key)`, in time order.

    An answer exists for every window instance and key with at least one event, null or not; `emit_empty` (here for
    all queries, or on a Query) adds the empty instances between a key's first and last event. Answers are ordered by
    report time (end + lag), then by query, then by the key's first appearance.

    >>> naive([Query("high", "max", Window(4, 2))], [(0, 3), (1, 8), (3, 5)])
    [Answer(query='high', start=-2, end=2, value=8, key=None), Answer(query='high', start=0, end=4, value=8, key=None), \
Answer(query='high', start=2, end=6, value=5, key=None)]
    """
    queries = query_set(queries, unit)
    substreams: dict[Any, list[tuple[int, int, Any]]] = {}  # by key: (time, position of the event, value)
    for position, (time, value, key) in enumerate(checked(events)):
        substreams.setdefault(key, []).append((time, position, value))

    reported = []
    for query in queries:
        window, function = query.window, query.function
        for key, stream in substreams.items():
            if window.by_count:
                stream = [(ordinal, position, value) for ordinal, (_, position, value) in enumerate(stream)]
            times = [time for time, _, _ in stream]
            partials = [_partial(query, position, value) for _, position, value in stream]
            for start in instances(window, times, query.emit_empty or emit_empty):
                end = start + window.range
                inside = partials[bisect_left(times, start) : bisect_left(times, end)]
                answer = Answer(query.name, start, end, function.lower(function.fold(inside)), key)
                reported.append((end + window.lag, answer))
    # The sort is stable: what is reported at one time stays in the order of the loops, by query, then by key.
    return [answer for _, answer in sorted(reported, key=operator.itemgetter(0))]


def instances(window: Window, times: list[int], emit_empty: bool = False) -> list[int]:
    """The starts of the instances that have an answer, in order, given the times of one key's events.

    >>> instances(Window(2, 2), [1, 7]), instances(Window(2, 2), [1, 7], emit_empty=True)
    ([0, 6], [0, 2, 4, 6])
    """
    most = len(times) * -(-window.range // window.slide)
    if emit_empty:
        most += -((times[0] - times[-1]) // window.slide)
    if most > MOST_ANSWERS:
        raise InvalidArgument(
            "window", window, f"one with at most {MOST_ANSWERS} answers; this stream gives up to {most}"
        )
    starts = {start for time in times for start in window.starts(time)}
    if emit_empty:
        # An instance that starts between the first and the last event is empty and ends before the last one, or has
        # an event inside and is there already.
        first = times[0] + (window.offset - times[0]) % window.slide
        starts.update(range(first, times[-1], window.slide))
    return sorted(starts)


def checked(events: Iterable[Any], first: int = 0) -> Iterator[tuple[int, Any, Any]]:
    """The events as (time, value, key), each with an integer time that is not before the one before it; `first` numbers them.

    >>> list(checked([(3, "a"), (3, "b", "k")]))
    [(3, 'a', None), (3, 'b', 'k')]
    >>> list(checked([(3, "a"), (2, "b")]))
    Traceback (most recent call last):
        ...
    swagcore.errors.EventError: event 1, (2, 'b'): its time is before 3, the time of the event before it; sort them by time
    """
    try:
        stream = enumerate(events, first)
    except TypeError:
        raise InvalidArgument(
            "events", events, "an iterable of (time, value) or (time, value, key)"
        ) from None
    latest = None
    for position, event in stream:
        if not isinstance(event, (tuple, list)) or len(event) not in (2, 3):
            raise EventError(position, event, "expected (time, value) or (time, value, key)")
        time, value, key = event if len(event) == 3 else (*event, None)
        try:
            if isinstance(time, bool):
                raise TypeError
            time = operator.index(time)
        except TypeError:
            raise EventError(position, event, "its time is not an integer") from None
        if latest is not None and time < latest:
            raise EventError(
                position,
                event,
                f"its time is before {latest}, the time of the event before it; sort them by time",
            )
        try:
            hash(key)
        except TypeError:
            raise EventError(
                position, event, "its key is not hashable; expected a string, a number or a tuple"
            ) from None
        latest = time
        yield time, value, key


def _partial(query: Query, position: int, value: Any) -> Any:
    try:
        return query.function.partial(query.pick(value))
    except SwagError as problem:
        raise EventError(position, value, f"{problem} (query {query.name!r})") from problem
