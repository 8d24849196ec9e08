"""Tape: a queue that can be read and written anywhere, for the techniques that look into its middle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from swagcore.errors import EmptyWindow

DEAD = 32
"""So many dead cells at the least are cut off at once."""


class Tape:
    """A queue in a list. Its elements are numbered from the first ever appended, and a number never moves.

    - `append(x)` and `popleft()` work at the ends; `tape[position]` reads and writes, also in the middle.
    - `head` is the position of the oldest element, `tail` the one that the next append gets; `len` is their distance.
    - Iteration goes from the oldest to the newest.

    Positions are absolute, so one stays right when others come and go. Invariant: position p lives in
    `items[p - offset]`; the first `dead` cells hold None. When they are more than half of the list, they are cut off. All is O(1), amortized for the cutting, which combines nothing; at most 2n + DEAD cells.

    A hot path may use `items`, `dead` and `offset` itself.

    >>> tape = Tape()
    >>> for letter in "abc":
    ...     tape.append(letter)
    >>> tape.popleft(), tape.head, tape.tail, tape[1], len(tape), list(tape)
    ('a', 1, 3, 'b', 2, ['b', 'c'])
    >>> tape[2] = "C"
    >>> list(tape)
    ['b', 'C']
    """

    __slots__ = ("dead", "items", "offset")

    def __init__(self, first: int = 0) -> None:
        self.items: list[Any] = []
        self.dead = 0
        self.offset = first

    @property
    def head(self) -> int:
        """The position of the oldest element."""
        return self.offset + self.dead

    @property
    def tail(self) -> int:
        """The position that the next element gets."""
        return self.offset + len(self.items)

    def append(self, x: Any) -> None:
        """Add an element at the new end. O(1) amortized."""
        self.items.append(x)

    def popleft(self) -> Any:
        """Remove and return the oldest element; EmptyWindow where there is none. O(1) amortized."""
        items, dead = self.items, self.dead
        if dead == len(items):
            raise EmptyWindow
        x = items[dead]
        items[dead] = None
        dead += 1
        if dead > DEAD and 2 * dead > len(items):
            del items[:dead]
            self.offset += dead
            dead = 0
        self.dead = dead
        return x

    def __getitem__(self, position: int) -> Any:
        return self.items[self._place(position)]

    def __setitem__(self, position: int, x: Any) -> None:
        self.items[self._place(position)] = x

    def _place(self, position: int) -> int:
        if not self.head <= position < self.tail:
            raise IndexError(f"position {position} is outside {self.head} .. {self.tail - 1}")
        return position - self.offset

    def __len__(self) -> int:
        return len(self.items) - self.dead

    def __iter__(self) -> Iterator[Any]:
        return (self.items[position - self.offset] for position in range(self.head, self.tail))

    def __repr__(self) -> str:
        return f"<tape of {list(self)} from position {self.head}>"

    def _check(self) -> None:
        dead = self.dead
        assert 0 <= dead <= len(self.items), self  # The head is on the tape.
        assert all(item is None for item in self.items[:dead]), self  # Nothing dead is kept.
        assert dead <= DEAD or 2 * dead <= len(self.items), self  # Nor are there many dead cells.
