"""What is right: the reference window, by re-evaluation, and the comparison of anything with `naive`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from swagcore.algebra import Aggregate, aggregate
from swagcore.errors import EmptyWindow, InvalidArgument
from swagcore.naive import checked, naive
from swagcore.testing.compare import agrees
from swagcore.testing.mismatch import Mismatch
from swagcore.windows import Answer, Query, query_set


class ReferenceWindow:
    """A first-in, first-out window that is obviously right: it keeps its values and re-evaluates them.

    >>> window = ReferenceWindow("max")
    >>> for value in (8, 3, 5):
    ...     window.insert(value)
    >>> window.evict()
    >>> window.query(), len(window)
    (5, 2)
    """

    def __init__(self, function: Aggregate | str) -> None:
        self.aggregate = aggregate(function)
        self.values: deque[Any] = deque()

    def insert(self, value: Any) -> None:
        """Take a value as the newest."""
        self.values.append(value)

    def evict(self) -> None:
        """Forget the oldest value."""
        if not self.values:
            raise EmptyWindow
        self.values.popleft()

    def query(self) -> Any:
        """The aggregate of all values, from the oldest to the newest."""
        return self.aggregate.over(self.values)

    def __len__(self) -> int:
        return len(self.values)


def check_against_naive(
    run: Callable[[list[Query], list[tuple[Any, ...]]], Iterable[Any]],
    queries: Iterable[Query],
    events: Iterable[tuple[Any, ...]],
    *,
    unit: str | None = None,
    ordered: bool = True,
    rounding: bool = False,
) -> int:
    """Compare the answers of `run(queries, events)` with those of `naive`; returns how many there are.

    An answer is an `Answer` or a tuple of the same fields. `ordered=False` for an engine whose answers come in no
    particular order; `rounding=True` for one that adds floats plainly (see `tolerance`). A failure names the first
    answer that differs, is missing, or is one too many.

    >>> import swagcore as sw
    >>> high = sw.Query("high", "max", sw.Window(4, 2))
    >>> check_against_naive(sw.naive, [high], [(0, 3), (1, 8), (3, 5)])
    3
    >>> check_against_naive(lambda queries, events: sw.naive(queries, events)[1:], [high], [(0, 3)])
    Traceback (most recent call last):
        ...
    swagcore.testing.mismatch.Mismatch: answer 0 of 2 is missing
      expected: Answer(query='high', start=-2, end=2, value=3, key=None)
      got:      Answer(query='high', start=0, end=4, value=3, key=None)
    """
    if not callable(run):
        raise InvalidArgument("run", run, "a function of queries and events that gives answers")
    asked = query_set(queries, unit)
    if not isinstance(events, Iterable):
        raise InvalidArgument("events", events, "an iterable of (time, value) or (time, value, key)")
    stream = list(events)
    expected = naive(asked, stream)  # which refuses what is no event
    stream = [tuple(event) for event in stream]
    got = [_answer(given) for given in run(list(asked), list(stream))]
    if not ordered:
        order = {_place(answer): rank for rank, answer in enumerate(expected)}
        got.sort(key=lambda answer: order.get(_place(answer), len(order)))
    for position in range(max(len(expected), len(got))):
        right = expected[position] if position < len(expected) else None
        given = got[position] if position < len(got) else None
        if right is not None and given is not None and _place(right) == _place(given):
            values = _inside(asked, stream, right) if rounding else ()
            function = next(query.function for query in asked if query.name == right.query)
            if agrees(function if rounding else None, values, right.value, given.value) is not False:
                continue
            what = "differs"
        elif right is None or (
            given is not None and _place(given) not in {_place(other) for other in expected}
        ):
            what = "should not be there"
        else:
            what = "is missing" if right not in got else "is out of order"
        raise Mismatch(
            f"answer {position} of {len(expected)} {what}\n"
            f"  expected: {right if right is not None else 'no more answers'}\n"
            f"  got:      {given if given is not None else 'no more answers'}",
            expected=right,
            got=given,
        )
    return len(expected)


def _answer(given: Any) -> Answer:
    try:
        return Answer(*given)
    except TypeError:
        raise Mismatch(f"{given!r} is no answer; expected (query, start, end, value) or with a key") from None


def _place(answer: Answer) -> tuple[Any, ...]:
    """Which answer it is, whatever it says."""
    return answer.query, answer.start, answer.end, answer.key


def _inside(queries: Sequence[Query], events: Iterable[tuple[Any, ...]], answer: Answer) -> list[Any]:
    """The values that an answer is about."""
    query = next(query for query in queries if query.name == answer.query)
    mine = [(time, query.pick(value)) for time, value, key in checked(events) if key == answer.key]
    if query.window.by_count:
        mine = [(ordinal, value) for ordinal, (_, value) in enumerate(mine)]
    return [value for time, value in mine if answer.start <= time < answer.end]
