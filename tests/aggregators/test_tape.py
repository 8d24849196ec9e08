"""Tape: every layout (dead cells, elements) under append and popleft, against a deque."""

from __future__ import annotations

from collections import deque

import pytest

from swagcore.aggregators.tape import DEAD, Tape
from swagcore.errors import EmptyWindow


def at(dead: int, size: int, first: int = 0) -> tuple[Tape, deque]:
    """A tape whose oldest element is at position first + dead, and the same elements in a deque."""
    tape, held = Tape(first), deque(range(dead, dead + size))
    for element in range(dead + size):
        tape.append(element)
    for _ in range(dead):
        tape.popleft()
    return tape, held


@pytest.mark.parametrize("first", [0, 5])
def test_every_layout(first):
    for dead in range(2 * DEAD + 4):
        for size in range(2 * DEAD + 4):
            tape, held = at(dead, size, first)
            tape.append("new")
            held.append("new")
            tape._check()
            assert list(tape) == list(held)
            for expected in held:
                assert tape.popleft() == expected
                tape._check()
            with pytest.raises(EmptyWindow):
                tape.popleft()
            assert (tape.head, tape.tail, len(tape)) == (first + dead + size + 1,) * 2 + (0,)


def test_a_position_never_moves():
    tape = Tape()
    for position in range(1_000):
        tape.append(position)
        if position % 3:
            tape.popleft()
        assert [tape[place] for place in range(tape.head, tape.tail)] == list(tape)
        assert tape[tape.head] == tape.head
    tape[900] = "written"
    assert tape[900] == "written"


def test_dead_cells_are_let_go():
    tape = Tape()
    for position in range(100_000):
        tape.append(position)
        if position >= 10:
            tape.popleft()
        assert len(tape.items) <= 2 * 10 + DEAD + 1


@pytest.mark.parametrize(
    ("appended", "popped", "cut"),
    [(10, 10, 0), (32, 32, 0), (33, 33, 33), (100, 50, 0), (100, 51, 51), (100, 83, 51), (100, 84, 84)],
)
def test_dead_cells_are_cut_off_when_they_are_33_and_more_than_half(appended, popped, cut):
    """Not before: what is cut is at least as much as what has to move, which makes it O(1) amortized."""
    tape, _ = at(popped, appended - popped)
    assert (tape.offset, tape.dead, len(tape.items)) == (cut, popped - cut, appended - cut)


@pytest.mark.parametrize("position", [-1, 0, 3, 100])
def test_outside(position):
    tape, _ = at(1, 2)
    with pytest.raises(IndexError, match=r"is outside 1 .. 2"):
        tape[position]
    with pytest.raises(IndexError, match=r"is outside 1 .. 2"):
        tape[position] = 0
