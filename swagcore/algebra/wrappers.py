"""Aggregates made for evidence: one that counts, and the words of the free monoid.

A technique that touches partials only through `combine` and `inverse` cannot tell one monoid from another. So a run
over words, where every element is a letter of its own, that returns the right word is a proof for every associative
operation on that interleaving.
"""

from __future__ import annotations

import dataclasses
import operator
from typing import Any

from swagcore.algebra.aggregate import Aggregate, Partial
from swagcore.errors import InvalidArgument, SwagError


class NotAdjacent(SwagError, AssertionError):
    """Two intervals were combined, or taken apart, that do not fit: elements were lost, repeated or swapped.

    >>> intervals.combine((0, 2), (3, 4))
    Traceback (most recent call last):
        ...
    swagcore.algebra.wrappers.NotAdjacent: combine((0, 2), (3, 4)): the second does not begin where the first ends
    """


def _letters_after(total: tuple[Any, ...], oldest: tuple[Any, ...]) -> tuple[Any, ...]:
    if total[: len(oldest)] != oldest:
        raise NotAdjacent(f"inverse({total}, {oldest}): the second is no beginning of the first")
    return total[len(oldest) :]


words = Aggregate(
    "words",
    lift=lambda letter: (letter,),
    combine=operator.add,
    identity=(),
    inverse=_letters_after,
    examples=("a", "b", "c"),
)
"""The free monoid: tuples of letters, joined.

>>> words.over("cab")
('c', 'a', 'b')
"""


def _adjoin(a: tuple[int, int] | None, b: tuple[int, int] | None) -> tuple[int, int] | None:
    if a is None or b is None:
        return b if a is None else a
    if a[1] != b[0]:
        raise NotAdjacent(f"combine({a}, {b}): the second does not begin where the first ends")
    return a[0], b[1]


def _cut_off(total: tuple[int, int] | None, oldest: tuple[int, int] | None) -> tuple[int, int] | None:
    if oldest is None:
        return total
    if total is None or oldest[0] != total[0] or oldest[1] > total[1]:
        raise NotAdjacent(f"inverse({total}, {oldest}): the second is no beginning of the first")
    return None if oldest == total else (oldest[1], total[1])


intervals = Aggregate(
    "intervals",
    lift=lambda position: (position, position + 1),
    combine=_adjoin,
    inverse=_cut_off,
)
"""Words over an unbroken stream, without storing them: positions lo .. hi - 1 as (lo, hi); None is the empty word.

Feed it 0, 1, 2, ...; `combine` refuses what is not adjacent. An oracle that costs nothing.

>>> intervals.over([4, 5, 6])
(4, 7)
"""


class Counting:
    """An aggregate that counts the calls of another's `combine` and `inverse`; `aggregate` is the one to run.

    >>> from swagcore.algebra.registry import aggregate
    >>> counting = Counting(aggregate("sum"))
    >>> counting.aggregate.over([1, 2, 3]), counting.combines, counting.inverses
    (6, 3, 0)
    >>> counting.reset()
    >>> counting.operations
    0
    """

    def __init__(self, counted: Aggregate) -> None:
        if not isinstance(counted, Aggregate):
            raise InvalidArgument("aggregate to count", counted, "an Aggregate, such as sw.aggregate('sum')")
        self.combines = 0
        self.inverses = 0

        def combine(a: Partial, b: Partial) -> Partial:
            self.combines += 1
            return counted.combine(a, b)

        def inverse(total: Partial, oldest: Partial) -> Partial:
            self.inverses += 1
            assert counted.inverse is not None
            return counted.inverse(total, oldest)

        self.aggregate = Aggregate(
            counted.name,
            **{
                field.name: getattr(counted, field.name)
                for field in dataclasses.fields(Aggregate)
                if field.name not in ("name", "combine", "inverse", "parts")
            },
            combine=combine,
            inverse=inverse if counted.inverse else None,
        )

    @property
    def operations(self) -> int:
        """Calls of `combine` and `inverse` together."""
        return self.combines + self.inverses

    def reset(self) -> None:
        """Count from zero again."""
        self.combines = self.inverses = 0
