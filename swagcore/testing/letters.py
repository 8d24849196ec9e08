"""Letters and their words, made for exploring: the free monoid as objects that a copy of a window can share.

`LETTERS` is the free monoid, with its inverse. `ORDER` is any selective aggregate: of two letters the one of the higher
rank stays, and the exploration tries every rank. A letter is its own one-letter word, so windows over partials and
windows that lift take the same values.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from swagcore.algebra import Aggregate
from swagcore.algebra.wrappers import NotAdjacent


class Word:
    """Some letters in a row, each a number: its place in the stream. A one-letter word may have a rank.

    >>> Word((0, 1)).joined(Word((2,)))
    abc
    >>> Word((0, 1)).without(Word((0,))), Word(())
    (b, '')
    """

    __slots__ = ("letters", "rank", "unbroken")

    def __init__(self, letters: tuple[int, ...], rank: Fraction | int = 0) -> None:
        self.letters = letters
        self.rank = rank
        self.unbroken = not letters or letters == tuple(range(letters[0], letters[-1] + 1))

    def joined(self, newer: Word) -> Word:
        """This word and then the newer one."""
        return Word(self.letters + newer.letters)

    def without(self, oldest: Word) -> Word:
        """What is left when its beginning is taken off."""
        length = len(oldest.letters)
        if self.letters[:length] != oldest.letters:
            raise NotAdjacent(f"inverse({self}, {oldest}): the second is no beginning of the first")
        return Word(self.letters[length:])

    def __deepcopy__(self, memo: dict[int, Any]) -> Word:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.letters == other.letters

    def __hash__(self) -> int:
        return hash(self.letters)

    def __repr__(self) -> str:
        return "".join(map(letter, self.letters)) or "''"


def letter(place: int) -> str:
    """The name of the letter at that place: a, b, ... z, a1, b1, ...

    >>> letter(1), letter(27)
    ('b', 'b1')
    """
    turn, place = divmod(place, 26)
    return chr(ord("a") + place) + (str(turn) if turn else "")


def _higher(a: Word, b: Word) -> Word:
    """The one of the higher rank, the earlier one of two that are equal; the empty word is below all."""
    return b if not a.letters or (b.letters and b.rank > a.rank) else a


LETTERS = Aggregate(
    "letters", lift=lambda word: word, combine=Word.joined, inverse=Word.without, identity=Word(())
)
"""The free monoid over words.

>>> LETTERS.over([Word((0,)), Word((1,))])
ab
"""

ORDER = Aggregate(
    "order",
    lift=lambda word: word,
    combine=_higher,
    identity=Word((), -math.inf),  # type: ignore[arg-type]  # below every rank
    selective=True,
    idempotent=True,
)
"""A selective aggregate: the letter of the highest rank, the earliest of those.

>>> ORDER.over([Word((0,), 5), Word((1,), 7), Word((2,), 7)])
b
"""


def shape_of(structure: Any, oldest: int) -> tuple[Any, tuple[Any, ...]]:
    """A structure as a hashable value, its letters renamed by their place in the window, whose oldest letter is given.

    The second half has the words in the order in which the first holds them, unbroken ones as (first, last). Letters from
    before the window that always stand together, at the beginning of words that go on, are one letter, -1: no operation
    on words can tell how many they are.

    >>> shape_of({"total": Word((5, 6)), "size": 2}, oldest=5)
    ((('total', <class 'swagcore.testing.letters.Word'>), ('size', 2)), ((0, 1),))
    >>> shape_of([Word((3, 4)), Word((3, 4, 5))], 5) == shape_of([Word((8,)), Word((8, 9))], 9)
    True
    """
    words: list[Word] = []
    skeleton = _skeleton(structure, words)
    begun = [
        word
        for word in words
        if word.letters and (word.letters[0] if word.unbroken else min(word.letters)) < oldest
    ]
    one_block = (
        all(word.unbroken and word.letters[-1] >= oldest - 1 for word in begun)
        and len({word.letters[0] for word in begun}) <= 1
    )

    def renamed(word: Word) -> tuple[Any, ...]:
        letters = word.letters
        if not word.unbroken:
            return ("broken", *(number - oldest for number in letters))
        if not letters:
            return ()
        first = letters[0] - oldest
        return (max(first, -1) if one_block else first), letters[-1] - oldest

    return skeleton, tuple(map(renamed, words))


def _skeleton(value: Any, words: list[Word]) -> Any:
    """The structure without its words, which are put into the list; containers become tuples."""
    if isinstance(value, Word):
        words.append(value)
        return Word
    if value is None or isinstance(value, (str, bytes, int, float, Fraction)):
        return value
    if isinstance(value, Mapping):
        return tuple((_skeleton(key, words), _skeleton(item, words)) for key, item in value.items())
    if isinstance(value, (set, frozenset)):
        return tuple(_skeleton(item, words) for item in sorted(value, key=repr))
    if isinstance(value, Iterable):
        return tuple(_skeleton(item, words) for item in value)
    return type(value).__name__, _skeleton(_attributes(value), words)


def _attributes(value: Any) -> dict[str, Any]:
    """What an object keeps, its functions and aggregates left out: those do not change."""
    named = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = getattr(kind, "__slots__", ())
        for name in [slots] if isinstance(slots, str) else slots:
            if hasattr(value, name):
                named[name] = getattr(value, name)
    return {
        name: item for name, item in named.items() if not callable(item) and not isinstance(item, Aggregate)
    }
