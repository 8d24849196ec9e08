"""CI-COUNT and CI-SUM: which of many keys have more (or fewer) than v in a window, without asking each. A §4."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from swagcore.errors import InvalidArgument
from swagcore.substreams.levels import Level, Stamps, level_beyond, level_within, positive


class CICount:
    """A collective index over the substreams of all keys: for each level, their stamps in order of time.

    More than v events came in the window if the one at distance v + 1 from the end is in it. An index for each v would
    cost too much to keep; so the distances are divided into levels of growing width (levels.py), and only one time of
    each is kept, a key. The index of the last level within v + 1 gives all the keys that are asked for, in order, and
    some that have fewer: `above` returns a superset, and `SubstreamFilter` makes it exact.

    - `insert(key, time)`: times do not go back. `above(v, range, now)`: keys with more than v events in the window
      `[now - range + 1, now]`, and maybe some with more than (1 - ε) v. `below(v, range, now)`: those with 1 .. v - 1,
      and maybe some with fewer than v / (1 - ε).
    - ε is 3/4 for p = 1 and 2 / (p + 2) for p >= 2, and no smaller number is right for all v: `error`.
    - `longest`: the largest range that will be asked about; what is older is let go.

    Cost: an insert changes O(p) times, amortized, each O(log keys) comparisons in a sorted list; `above` O(log keys) and
    the keys returned; `below` O(log keys) and the keys with any event in the window. Space O(p log n) a key.

    The paper at its edges (A §4.1):
    - Figure 7 asks for stamps at or after now - range; the window begins one later, as Example 4.1 has it. As printed,
      a key may be returned with no event in the window.
    - Its level ⌊log2 v⌋ - 1 is -1 for v = 1, and nothing for v = 0. Here the level is there for every v, never nearer to
      the end than theirs, and v < p is exact.
    - "More than v" is not what the v-th element from the end tells: that is "v or more". It is the (v + 1)-th.
    - ε is no bound for ranges (0, v): with p = 1, up to 4v - 6 events pass for fewer than v. The factor is 1 / (1 - ε).
    - For (0, v) the lookup is not O(output): all keys of the window are looked at.

    >>> index = CICount(p=2)
    >>> for time, key in enumerate("aabacaab"):
    ...     index.insert(key, time)
    >>> sorted(index.above(1, range=8, now=7)), index.below(2, range=8, now=7), index.error
    (['a', 'b'], {'c'}, Fraction(1, 2))
    """

    def __init__(self, p: int = 1, longest: int | None = None) -> None:
        self.p = positive("p", p)
        self.longest = None if longest is None else positive("longest", longest)
        self.latest: int | None = None
        self._keys: list[Any] = []
        self._ranks: dict[Any, int] = {}
        self._stamps: list[Stamps] = []
        self._index: list[list[tuple[int, int]]] = []  # for each level, (time, rank of the key), in order

    @property
    def error(self) -> Fraction:
        """ε, the relative error: `above(v)` returns no key with (1 - ε) v events or fewer."""
        return Fraction(3, 4) if self.p == 1 else Fraction(2, self.p + 2)

    def insert(self, key: Hashable, time: int) -> None:
        """Take an event of a key. O(p) stamps change, amortized."""
        self._insert(key, time, 1)

    def _insert(self, key: Hashable, time: int, copies: int) -> None:
        if (
            isinstance(time, bool)
            or not isinstance(time, int)
            or (self.latest is not None and time < self.latest)
        ):
            since = "" if self.latest is None else f" that is not before {self.latest}, the latest so far"
            raise InvalidArgument("time", time, f"an integer{since}")
        try:
            rank = self._ranks.setdefault(key, len(self._keys))
        except TypeError:
            raise InvalidArgument("key", key, "a hashable value, such as a string or a number") from None
        if rank == len(self._keys):
            self._keys.append(key)
            self._stamps.append(Stamps(self.p))
        self.latest = time
        stamps = self._stamps[rank]
        for number, was, now in stamps.insert(time, copies):
            self._move(number, rank, was, now)
        if self.longest is not None:
            for number, was in stamps.forget(time - self.longest + 1):
                self._move(number, rank, was, None)

    def _move(self, number: int, rank: int, was: int | None, now: int | None) -> None:
        if number == len(self._index):
            self._index.append([])
        stamps = self._index[number]
        if was is not None:
            del stamps[bisect_left(stamps, (was, rank))]
        if now is not None:
            insort(stamps, (now, rank))

    def above(self, v: int, range: int, now: int) -> set[Any]:
        """The keys with more than v events in the window, and maybe some with more than (1 - ε) v."""
        positive("v", v, least=0)
        begin = self._begin(range, now)
        return {self._keys[rank] for rank in self._since(level_within(v + 1, self.p), begin)}

    def below(self, v: int, range: int, now: int) -> set[Any]:
        """The keys with an event in the window but fewer than v, and maybe some with fewer than v / (1 - ε)."""
        positive("v", v, least=0)
        begin = self._begin(range, now)
        if v < 2:
            return set()
        too_many = set(self._since(level_beyond(v, self.p), begin))
        return {
            self._keys[rank] for rank in self._since(level_within(1, self.p), begin) if rank not in too_many
        }

    def _begin(self, range: int, now: int) -> int:
        """The first time of the window."""
        positive("range", range)
        if self.longest is not None and range > self.longest:
            raise InvalidArgument("range", range, f"at most {self.longest}, the longest that was announced")
        if (
            isinstance(now, bool)
            or not isinstance(now, int)
            or (self.latest is not None and now < self.latest)
        ):
            raise InvalidArgument(
                "now", now, f"an integer that is not before {self.latest}, the latest event"
            )
        return now - range + 1

    def _since(self, level: Level, begin: int) -> list[int]:
        """The ranks of the keys whose stamp in a level is not before a time."""
        if level.number >= len(self._index):
            return []
        stamps = self._index[level.number]
        return [rank for _, rank in stamps[bisect_left(stamps, (begin,)) :]]

    def _check(self) -> None:
        state = self._state()
        for number, stamps in enumerate(self._index):
            kept = [
                (own.times[number], rank) for rank, own in enumerate(self._stamps) if number < len(own.times)
            ]
            assert stamps == sorted(kept), state  # The index of a level is the stamps of all keys, in order.
        for own in self._stamps:
            assert own.times == sorted(own.times, reverse=True), state  # Farther from the end is no later.
            assert len(own.times) <= len(self._index), state

    def _state(self) -> dict[str, Any]:
        return {str(key): list(stamps.times) for key, stamps in zip(self._keys, self._stamps, strict=True)}


class CISum(CICount):
    """CI-SUM: a key's value a, a natural number, stands for a events of its time, added all at once. A §4.2.

    `above(v, ...)` is about sums greater than v, `below(v, ...)` about positive ones smaller than v. An insert changes
    O(p log a) stamps, amortized.

    >>> index = CISum(p=2)
    >>> for time, (key, value) in enumerate([("a", 30), ("b", 4), ("a", 12), ("c", 0)]):
    ...     index.insert(key, time, value)
    >>> index.above(20, range=4, now=3), index.below(20, range=4, now=3)
    ({'a'}, {'b'})
    """

    def insert(self, key: Hashable, time: int, value: int = 1) -> None:
        """Take a value of a key; zero adds nothing, but its time counts. O(p log value) stamps change, amortized."""
        self._insert(key, time, positive("value", value, least=0))
