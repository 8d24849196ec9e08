"""The free monoid as a test: a window that gives the right word gives the right answer for every aggregate.

A window that touches partials only through `combine` cannot tell one monoid from another. Run it over words - every
element its own letter, `combine` joins - and the answer shows which elements were taken, in which order. `words`
keeps the letters; `spans` keeps where an unbroken word begins and ends, which costs nothing on long windows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from swagcore.algebra import Aggregate, intervals, words
from swagcore.errors import EmptyWindow, InvalidArgument
from swagcore.testing.mismatch import Mismatch

__all__ = ["SpanWindow", "check_words", "intervals", "spans", "words"]

TORN = "torn"
"""The span of a word whose letters are not consecutive."""


def _join(a: Any, b: Any) -> Any:
    if a is None or b is None:
        return b if a is None else a
    return (a[0], b[1]) if a is not TORN and b is not TORN and a[1] == b[0] else TORN


spans = Aggregate(
    "spans",
    lift=lambda position: (position, position + 1),
    combine=_join,
    examples=(0, 1, 2, 3),
)
"""Like `intervals`, but `combine` takes what is not adjacent too, and makes it `TORN`, for good.

Some windows (a tree over a ring, for one) combine pieces that are not neighbours and never use the result. They are
right, and `intervals` would refuse them. This is the free monoid with all broken words made one, which leaves it no
inverse: for windows that subtract there are `words` and `intervals`.

>>> spans.over([4, 5, 6]), spans.over([4, 6]), spans.over([])
((4, 7), 'torn', None)
"""


class SpanWindow:
    """The reference window of `spans` and `intervals`, without re-evaluation: the first and the last element tell.

    >>> window = SpanWindow()
    >>> for position in range(3):
    ...     window.insert(position)
    >>> window.evict()
    >>> window.query(), len(window)
    ((1, 3), 2)
    """

    def __init__(self) -> None:
        self.values: deque[int] = deque()

    def insert(self, value: int) -> None:
        """Take the next position; anything else would not be a stream of positions."""
        if self.values and value != self.values[-1] + 1:
            raise InvalidArgument(
                "position", value, f"{self.values[-1] + 1}, the one after {self.values[-1]}"
            )
        self.values.append(value)

    def evict(self) -> None:
        """Forget the oldest."""
        if not self.values:
            raise EmptyWindow
        self.values.popleft()

    def query(self) -> tuple[int, int] | None:
        """Where the word begins and ends; None for the empty word."""
        return (self.values[0], self.values[-1] + 1) if self.values else None

    def __len__(self) -> int:
        return len(self.values)


def check_words(factory: Callable[[Aggregate], Any], steps: Iterable[str], *, every_step: bool = True) -> int:
    """Run one interleaving of "insert", "evict" and "query" over the free monoid; returns how many words were checked.

    The word is checked after every step, or, with `every_step=False`, only where the steps say "query": a window
    that puts work off until it is asked behaves differently when it is asked seldom. What passes is right for this
    interleaving whatever the aggregate and the data, if the window touches partials only through `combine`.

    >>> from swagcore.testing import ReferenceWindow
    >>> check_words(ReferenceWindow, ["insert", "insert", "evict", "insert", "evict", "evict"])
    7
    """
    if not callable(factory):
        raise InvalidArgument("factory", factory, "a function of an aggregate that makes a window")
    window = factory(words)
    expected: deque[int] = deque()
    done: list[str] = []
    inserted = checked = 0

    def check() -> None:
        word = tuple(expected)
        try:
            got = window.query()
        except Exception as problem:
            raise Mismatch(
                f"{_said(done)}: query() raised {problem!r}, expected the word {word}"
            ) from problem
        if got != word:
            raise Mismatch(
                f"{_said(done)}: query() is {got!r}, expected the word {word}", expected=word, got=got
            )

    if every_step:
        check()
        checked += 1
    for step in steps:
        done.append(step)
        if step == "insert":
            window.insert(inserted)
            expected.append(inserted)
            inserted += 1
        elif step == "evict":
            if not expected:
                raise InvalidArgument("steps", done, "no evict of an empty window")
            window.evict()
            expected.popleft()
        elif step != "query":
            raise InvalidArgument("step", step, "'insert', 'evict' or 'query'")
        if every_step or step == "query":
            check()
            checked += 1
    return checked


def _said(done: list[str]) -> str:
    return f"after {', '.join(done)}" if done else "at the beginning"
