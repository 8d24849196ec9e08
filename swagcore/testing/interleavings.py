"""Interleavings that matter: the orders of insert, evict and query in which windows go wrong.

A window that slides, one that grows and drains and starts again, a sawtooth, a window of one, inserts and evicts in
turn, long growth, a random walk; asked after every step, seldom, twice in a row, or only at the end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

INSERT, EVICT, QUERY = "insert", "evict", "query"


def _slide(chance: random.Random, size: int) -> list[str]:
    turn = chance.choice(([INSERT, EVICT], [EVICT, INSERT]))
    return [INSERT] * size + turn * (size + chance.randint(1, 8))


def _drain_and_refill(chance: random.Random, size: int) -> list[str]:
    steps: list[str] = []
    for _ in range(chance.randint(2, 4)):
        fill = chance.randint(1, size)
        steps += [INSERT] * fill + [EVICT] * fill
    return steps + [INSERT] * chance.randint(0, size)


def _sawtooth(chance: random.Random, size: int) -> list[str]:
    steps: list[str] = []
    held = 0
    for _ in range(chance.randint(2, 5)):
        grown = chance.randint(held, size)
        cut = chance.randint(0, grown)
        steps += [INSERT] * (grown - held) + [EVICT] * (grown - cut)
        held = cut
    return steps


def _window_of_one(chance: random.Random, size: int) -> list[str]:
    start = chance.choice(([], [INSERT]))
    return start + [INSERT, EVICT] * chance.randint(2, size + 2) + [INSERT]


def _alternating(chance: random.Random, size: int) -> list[str]:
    faster, slower = chance.choice(((2, 1), (3, 1), (3, 2)))
    up = ([INSERT] * faster + [EVICT] * slower) * size
    down = ([EVICT] * faster + [INSERT] * slower) * size
    return up + down


def _long_growth(chance: random.Random, size: int) -> list[str]:
    return [INSERT] * (3 * size) + [EVICT] * chance.randint(0, 3 * size)


def _walk(chance: random.Random, size: int) -> list[str]:
    steps = []
    up = 0.7
    for _ in range(6 * size + 4):
        steps.append(INSERT if chance.random() < up else EVICT)
        if chance.random() < 0.05:
            up = chance.choice((0.3, 0.5, 0.7))
    return steps


PATTERNS: dict[str, Callable[[random.Random, int], list[str]]] = {
    "slide": _slide,
    "drain_and_refill": _drain_and_refill,
    "sawtooth": _sawtooth,
    "window_of_one": _window_of_one,
    "alternating": _alternating,
    "long_growth": _long_growth,
    "walk": _walk,
}
"""The ways in which a window grows and shrinks, by name."""


def draw_interleaving(chance: random.Random, pattern: str, size: int) -> list[str]:
    """One interleaving of a pattern, over windows around a size, with queries; it ends in one, and it is legal.

    >>> steps = draw_interleaving(random.Random(1), "sawtooth", size=4)
    >>> steps == legal(steps), steps[-1], set(steps) == {"insert", "evict", "query"}
    (True, 'query', True)
    """
    moves = legal(PATTERNS[pattern](chance, size))
    asked = chance.choice((1.0, 1.0, 0.5, 0.15, 0.0))
    twice = chance.choice((0.0, 0.3))
    steps = [QUERY] if chance.random() < 0.3 else []
    for move in moves:
        steps.append(move)
        if chance.random() < asked:
            steps += [QUERY, QUERY] if chance.random() < twice else [QUERY]
    return steps if steps and steps[-1] == QUERY else [*steps, QUERY]


def asked_seldom(chance: random.Random, steps: list[str], most: int) -> list[str]:
    """The steps with that many of their queries at the most, drawn at random; the last step stays.

    >>> asked_seldom(random.Random(1), ["insert", "query"] * 50, most=3).count("query")
    3
    """
    places = [place for place, step in enumerate(steps[:-1]) if step == QUERY]
    kept = set(chance.sample(places, min(most - 1, len(places))))
    return [step for place, step in enumerate(steps[:-1]) if step != QUERY or place in kept] + steps[-1:]


def legal(steps: Iterable[str]) -> list[str]:
    """The steps without the evicts that would find the window empty.

    >>> legal(["evict", "insert", "evict", "evict", "query"])
    ['insert', 'evict', 'query']
    """
    return [name for (name,) in legal_steps((step,) for step in steps)]


def legal_steps(steps: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The same for steps that carry values.

    >>> legal_steps([("evict",), ("insert", 5), ("evict",), ("evict",), ("query",)])
    [('insert', 5), ('evict',), ('query',)]
    """
    kept = []
    held = 0
    for step in steps:
        if step[0] == EVICT and not held:
            continue
        held += (step[0] == INSERT) - (step[0] == EVICT)
        kept.append(step)
    return kept
