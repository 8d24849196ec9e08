"""`prove`: what it proves, what it finds, and the shortest way there."""

from __future__ import annotations

from collections import deque
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from swagcore import fifo, techniques
from swagcore.aggregators import technique_for
from swagcore.errors import InvalidArgument
from swagcore.testing.mismatch import Mismatch
from swagcore.testing.oracle import ReferenceWindow
from swagcore.testing.prove import interleavings, prove


@pytest.mark.parametrize("size", range(5))
def test_interleavings_are_all_that_are_legal(size: int) -> None:
    legal = set()
    for length in range(2 * size + 1):
        for steps in map("".join, product("ie", repeat=length)):
            heights = [steps[:i].count("i") - steps[:i].count("e") for i in range(length + 1)]
            if min(heights) >= 0 and steps.count("i") <= size:
                legal.add(steps)
    found = list(interleavings(size))
    assert set(found) == legal
    assert len(found) == len(legal)
    assert [len(steps) for steps in found] == sorted(len(steps) for steps in found)


@pytest.mark.parametrize("technique", ["two_stacks", "daba_lite", "flatfit", "subtract_on_evict"])
def test_our_own_windows(technique: str) -> None:
    proof = prove(lambda aggregate: technique_for(technique, aggregate), size=4)
    assert proof.interleavings == sum(1 for _ in interleavings(4))
    assert proof.answers == sum(2 ** len(moves) for moves in interleavings(4))
    assert proof.closed is not None
    assert technique in techniques()


def test_a_window_that_lifts_and_lowers() -> None:
    assert prove(lambda aggregate: fifo("daba", aggregate), size=3).interleavings == 22


class Swapped(ReferenceWindow):
    """Combines the newest first, from three elements on."""

    def query(self) -> Any:
        values = self.values if len(self.values) < 3 else reversed(self.values)
        return self.aggregate.over(values)


class Lazy(ReferenceWindow):
    """Keeps its answer until the next insert, also over an evict: wrong only if it is asked in between."""

    kept: Any = None

    def insert(self, value: Any) -> None:
        super().insert(value)
        self.kept = None

    def query(self) -> Any:
        if self.kept is None:
            self.kept = super().query()
        return self.kept


class Crashing(ReferenceWindow):
    def evict(self) -> None:
        if len(self.values) == 2:
            raise KeyError("two")
        super().evict()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (Swapped, "insert a, insert b, insert c, query(): the answer is cba, expected abc"),
        (Lazy, "insert a, query(), evict, query(): the answer is a, expected ''"),
        (Crashing, "insert a, insert b, evict: KeyError: 'two'"),
    ],
)
def test_the_shortest_wrong_interleaving(wrong: Any, said: str) -> None:
    with pytest.raises(Mismatch) as found:
        prove(wrong, size=5)
    assert str(found.value) == said


class Forgetful:
    """Right for windows of up to 3 inserts since it was made; after that, it loses one. Its attributes tell all."""

    def __init__(self, aggregate: Any) -> None:
        self.aggregate, self.values, self.room = aggregate, deque(), 3

    def insert(self, value: Any) -> None:
        if self.room:
            self.room -= 1
            self.values.append(value)

    def evict(self) -> None:
        self.values.popleft()

    def query(self) -> Any:
        return self.aggregate.over(self.values)


class CrashesLater(Forgetful):
    def insert(self, value: Any) -> None:
        if not self.room:
            raise IndexError("no room")
        super().insert(value)


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (Forgetful, "insert d, query(): the answer is abc, expected abcd"),
        (CrashesLater, "insert d: IndexError: no room"),
    ],
)
def test_closure_goes_beyond_the_inserts_that_were_tried(window: Any, said: str) -> None:
    with pytest.raises(Mismatch) as found:
        prove(window, size=3)
    assert str(found.value) == f"insert a, insert b, insert c, {said}"


class Bound:
    """Right; a copy of it inserts into the original."""

    def __init__(self, aggregate: Any) -> None:
        self.aggregate, self.values = aggregate, deque[Any]()
        self.insert, self.evict = self.values.append, self.values.popleft

    def query(self) -> Any:
        return self.aggregate.over(self.values)


def test_a_window_that_cannot_be_copied_is_not_wrong_for_that() -> None:
    proof = prove(Bound, size=4)
    assert proof.interleavings == 64 and proof.closed is None
    assert str(proof).endswith("asked in every way up to 8 moves")


class Toggles(Bound):
    """Keeps its answer, and forgets that it is stale at every second evict."""

    def __init__(self, aggregate: Any) -> None:
        super().__init__(aggregate)
        self.inserted = self.evicted = False
        insert, evict = self.insert, self.evict
        self.insert = lambda value: (insert(value), setattr(self, "inserted", True))  # type: ignore[assignment]
        self.evict = lambda: (evict(), setattr(self, "evicted", not self.evicted))  # type: ignore[assignment]

    def query(self) -> Any:
        if self.inserted or self.evicted:
            self.kept = super().query()
        self.inserted = self.evicted = False
        return getattr(self, "kept", self.aggregate.identity)


def test_a_window_that_cannot_be_copied_is_asked_in_every_way() -> None:
    """Asked after every move it is right, and asked at the end alone as well."""
    with pytest.raises(Mismatch) as found:
        prove(Toggles, size=3)
    assert str(found.value) == (
        "insert a, insert b, query(), evict, evict, query(): the answer is ab, expected ''"
    )


class WrongAtTen(Bound):
    """Wrong where nine values came one by one, and the tenth after a query."""

    asked = False

    def query(self) -> Any:
        late = self.asked and len(self.values) == 10
        self.asked = True
        return self.aggregate.identity if late else super().query()


def test_what_is_asked_for_nothing_is_left_out_of_a_long_interleaving() -> None:
    with pytest.raises(Mismatch) as found:
        prove(WrongAtTen, size=10)
    assert str(found.value).count("query()") == 2


def test_a_window_whose_shapes_never_end_is_proved_up_to_its_size(tmp_path: Path) -> None:
    class Counted(ReferenceWindow):
        total = 0

        def insert(self, value: Any) -> None:
            super().insert(value)
            self.total += 1

    assert prove(Counted, size=3).closed is None


@pytest.mark.parametrize(
    ("factory", "size", "said"),
    [
        (ReferenceWindow, 0, "size is 0"),
        (ReferenceWindow, 99, "size is 99"),
        (ReferenceWindow, "3", "size is '3'"),
        (lambda: ReferenceWindow("max"), 3, "factory is"),
        (lambda aggregate: fifo("slickdeque_noninv", aggregate), 3, "factory is"),
    ],
)
def test_bad_input(factory: Any, size: Any, said: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        prove(factory, size)
    assert str(refused.value).startswith(said)
