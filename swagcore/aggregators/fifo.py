"""`sw.fifo`: a window for users. Values in, answers out; between them any technique over partials."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from swagcore.aggregators.registry import technique_for
from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate
from swagcore.algebra import aggregate as aggregate_named
from swagcore.errors import InvalidArgument


class Fifo:
    """A first-in, first-out window of values that always knows its aggregate. Made by `fifo`.

    >>> window = Fifo("slickdeque", "sum", ranges=[2, 3])
    >>> for price in (3, 9, None, 4):
    ...     window.insert(price)
    >>> window
    <fifo window of 4 values, sum by slickdeque_inv>
    >>> window.query(), window.query(3), window.query(2)
    (16, 13, 4)
    """

    def __init__(
        self, technique: str, aggregate: str | Aggregate, ranges: Iterable[int] | None = None
    ) -> None:
        self.aggregate = aggregate_named(aggregate)
        self.technique = technique_for(technique, self.aggregate, ranges)

    def insert(self, value: Any) -> None:
        """Add the newest value; a null counts as an element, and is skipped by the aggregate."""
        self.technique.insert(self.aggregate.partial(value))

    def evict(self) -> None:
        """Drop the oldest value; EmptyWindow where there is none."""
        self.technique.evict()

    def query(self, *which: int) -> Any:
        """The answer over all values; over the newest n, `query(n)`; over the n before the newest lag, `query(n, lag)`."""
        technique = self.technique
        if len(which) > technique.multi + technique.historical:
            raise InvalidArgument("arguments of query", which, _askable(technique))
        return self.aggregate.lower(technique.query(*which))

    def __len__(self) -> int:
        return len(self.technique)

    def __repr__(self) -> str:
        return f"<fifo window of {len(self)} values, {self.aggregate.name} by {self.technique.name}>"


def _askable(technique: Technique) -> str:
    if technique.historical:
        return "n and lag at the most"
    if technique.multi:
        return f"n alone: technique {technique.name!r} answers no historical range"
    return f"none: technique {technique.name!r} answers over the whole window only"


def fifo(technique: str, aggregate: str | Aggregate, ranges: Iterable[int] | None = None) -> Fifo:
    """A window that answers by that technique; "auto" takes the best one that the aggregate's laws allow.

    `ranges`, for the techniques that must know them in advance: the n of the `query(n)` to come.

    >>> window = fifo("two_stacks", "max")
    >>> for price in (3, 9, 4):
    ...     window.insert(price)
    >>> window.query(), len(window)
    (9, 3)
    >>> window.evict(); window.evict()
    >>> window.query()
    4
    """
    return Fifo(technique, aggregate, ranges)
