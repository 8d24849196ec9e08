"""The protocol of a technique: partials in at one end, out at the other, and the aggregate of what is inside."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any, ClassVar

from swagcore.algebra import Aggregate, Partial
from swagcore.errors import InvalidArgument, MissingLaw

LAWS = {"inverse": "an inverse", "selective": "a selective combine"}
"""The laws that a technique may need, and how a message names them."""


class Technique(abc.ABC):
    """A window of partials, first in, first out. Any interleaving is legal: grow, shrink, drain, start again.

    - `insert(partial)` adds the newest, `evict()` drops the oldest, `query()` aggregates all, from old to new.
    - `multi` techniques also answer `query(n)`, over the newest n; `historical` ones `query(n, lag)`, over the n
      partials before the newest `lag`.
    - `_check()` asserts the whole invariant; `_state()` shows the structure as plain data.

    A technique touches partials only through `combine` and `inverse` (and `is`, where `combine` is selective).

    >>> from swagcore.aggregators import technique_for
    >>> from swagcore.algebra import aggregate
    >>> technique_for("daba", aggregate("max")).multi, technique_for("b_int", aggregate("max")).historical
    (False, True)
    >>> technique_for("r_int", aggregate("max"))
    Traceback (most recent call last):
        ...
    swagcore.errors.MissingLaw: technique 'r_int' needs an inverse, which aggregate 'max' does not have
    """

    name: ClassVar[str]
    multi: ClassVar[bool] = False
    historical: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()

    def __init__(self, aggregate: Aggregate) -> None:
        if "selective" in self.needs and not aggregate.selective:
            raise MissingLaw(self.name, aggregate.name, LAWS["selective"])
        if "inverse" in self.needs:
            if aggregate.inverse is None:
                raise MissingLaw(self.name, aggregate.name, LAWS["inverse"])
            self._inverse = aggregate.inverse
        self._aggregate = aggregate
        self._combine = aggregate.combine
        self._identity = aggregate.identity

    @abc.abstractmethod
    def insert(self, partial: Partial) -> None:
        """Add the newest partial."""

    @abc.abstractmethod
    def evict(self) -> None:
        """Drop the oldest partial; EmptyWindow where there is none."""

    @abc.abstractmethod
    def query(self) -> Partial:
        """The aggregate of all partials from the oldest to the newest; the identity where there is none."""

    @abc.abstractmethod
    def __len__(self) -> int: ...

    @abc.abstractmethod
    def _check(self) -> None:
        """Assert every invariant of the structure."""

    @abc.abstractmethod
    def _state(self) -> dict[str, Any]:
        """The structure as plain data: what the proofs explore and the pictures show."""

    def _is_fold(self, total: Partial, partials: Iterable[Partial]) -> bool:
        """Whether total is what the partials combine to; for `_check`."""
        return self._aggregate.equal(total, self._aggregate.fold(partials))

    def _newest(self, n: int | None) -> int:
        """How many partials `query(n)` is about; None means all."""
        if n is None:
            return len(self)
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= len(self):
            raise InvalidArgument("n", n, f"an integer from 0 to {len(self)}, the length of the window")
        return n

    def _span(self, n: int | None, lag: int) -> tuple[int, int]:
        """Which partials `query(n, lag)` is about, counted from the oldest: from the first number up to the second."""
        size = len(self)
        if isinstance(lag, bool) or not isinstance(lag, int) or not 0 <= lag <= size:
            raise InvalidArgument("lag", lag, f"an integer from 0 to {size}, the length of the window")
        stop = size - lag
        if n is None:
            return 0, stop
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= stop:
            raise InvalidArgument(
                "n", n, f"an integer from 0 to {stop}, the length of the window before the lag"
            )
        return stop - n, stop


def distinct_ranges(ranges: Iterable[int]) -> list[int]:
    """The ranges that are declared in advance, each once, ascending.

    >>> distinct_ranges([5, 3, 5])
    [3, 5]
    >>> distinct_ranges([0])
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: ranges is [0]; expected positive integers
    """
    try:
        listed = list(ranges)
    except TypeError:
        raise InvalidArgument("ranges", ranges, "positive integers") from None
    if not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in listed):
        raise InvalidArgument("ranges", listed, "positive integers")
    return sorted(set(listed))
