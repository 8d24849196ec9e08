"""Smaller cases that still fail: fewer steps first (delta debugging), then simpler values."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from swagcore.testing.case import Case, Finding, Step
from swagcore.testing.interleavings import legal_steps
from swagcore.testing.values import Data

ATTEMPTS = 4000
"""Cases tried at the most: enough for the smallest case of every bug met so far, some seconds at the worst."""

WORK = 600_000
"""Steps done at the most: what bounds the time where cases are long. Counted, not timed, so that a seed gives one result."""

SECONDS = 20.0
"""How long it takes at the most: only a target that takes milliseconds for a step comes to that."""

FINEST = 256
"""A case is cut into so many pieces at the most, each of which it is tried without."""

PAIRS = 60
"""Only cases up to that length are tried without each two of their steps: there are as many as its square."""


def shrink(
    case: Case,
    finding: Finding,
    data: Data,
    fails: Callable[[Case], Finding | None],
    attempts: int = ATTEMPTS,
) -> tuple[Case, Finding]:
    """The smallest case found that fails in the same way, and how it fails.

    Deterministic, if `fails` is, and not so slow that the time ends it. A step less is better than any simpler value.

    >>> from swagcore.testing.values import DATA
    >>> from swagcore.algebra import aggregate
    >>> long = Case(aggregate("sum"), tuple(("insert", n) for n in (5, -3, 7, 9)) + (("query",),))
    >>> def wrong_from_two_on(case):
    ...     return Finding("wrong", len(case.steps) - 1) if len(case.steps) > 2 else None
    >>> shrink(long, Finding("wrong", 4), DATA["ints"], wrong_from_two_on)[0].steps
    (('insert', 0), ('insert', 0), ('query',))
    """
    left, work, end = attempts, WORK, time.monotonic() + SECONDS

    def accepted(steps: list[Step]) -> bool:
        """Whether these steps fail too; if so, up to where they do, they are the best case from now on."""
        nonlocal case, finding, left, work
        if left <= 0 or work <= 0 or time.monotonic() > end:
            return False
        candidate = replace(case, steps=tuple(_renumbered(legal_steps(steps), data)))
        if candidate.steps == case.steps:
            return False
        left, work = left - 1, work - len(candidate.steps)
        again = fails(candidate)
        if again is None or again.signature != finding.signature:
            return False
        case, finding = replace(candidate, steps=candidate.steps[: again.step + 1]), again
        return True

    def now() -> tuple[Step, ...]:
        return case.steps

    accepted(list(now()[: finding.step + 1]))
    accepted([step for step in now()[:-1] if step[0] != "query"] + list(now()[-1:]))
    before = None
    while before != now():
        before = now()
        _without_both(now, accepted)
        _with_one_value(now, accepted, data)
        _without_chunks(now, accepted)
        _without_pairs(now, accepted)
        _with_simpler_values(now, accepted, data)
    return case, finding


def _without_chunks(steps: Callable[[], tuple[Step, ...]], accepted: Callable[[list[Step]], bool]) -> None:
    chunk = max(len(steps()) // 2, 1)
    while chunk and len(steps()) <= chunk * FINEST:
        start = 0
        while start < len(steps()):
            now = steps()
            if not accepted([*now[:start], *now[start + chunk :]]):
                start += chunk
        chunk //= 2


def _without_both(steps: Callable[[], tuple[Step, ...]], accepted: Callable[[list[Step]], bool]) -> None:
    """As many inserts less as evicts, the first ones: what a long window needs to be cut down at all."""
    fewer = sum(step[0] == "insert" for step in steps()) // 2
    while fewer:
        left = {"insert": fewer, "evict": fewer}
        kept = []
        for step in steps():
            if left.get(step[0], 0):
                left[step[0]] -= 1
            else:
                kept.append(step)
        if not accepted(kept):
            fewer //= 2


def _without_pairs(steps: Callable[[], tuple[Step, ...]], accepted: Callable[[list[Step]], bool]) -> None:
    """An insert often goes only together with an evict."""
    if len(steps()) > PAIRS:
        return
    first = 0
    while first < len(steps()):
        now = steps()
        for second in range(first + 1, len(now)):
            if accepted([*now[:first], *now[first + 1 : second], *now[second + 1 :]]):
                break
        else:
            first += 1


def _with_one_value(
    steps: Callable[[], tuple[Step, ...]], accepted: Callable[[list[Step]], bool], data: Data
) -> None:
    """The simplest value for all inserts of a part, the whole first."""
    if data.number_them:
        return
    chunk = len(steps())
    while chunk > max(len(steps()) // 16, 1):
        for start in range(0, len(steps()), chunk):
            part = range(start, start + chunk)
            accepted(
                [
                    (step[0], data.simplest[0]) if place in part and step[0] == "insert" else step
                    for place, step in enumerate(steps())
                ]
            )
        chunk //= 2


def _with_simpler_values(
    steps: Callable[[], tuple[Step, ...]], accepted: Callable[[list[Step]], bool], data: Data
) -> None:
    position = 0
    while position < len(steps()):
        now = steps()
        for step in _simpler(now[position], data):
            if accepted([*now[:position], step, *now[position + 1 :]]):
                break
        position += 1


def _simpler(step: Step, data: Data) -> Iterator[Step]:
    """The step with each value that is simpler than its own, the simplest first."""
    if len(step) < 2 or data.number_them:
        return
    for value in data.simplest:
        if value is step[1] or repr(value) == repr(step[1]):
            return
        yield (step[0], value)


def _renumbered(steps: list[Step], data: Data) -> list[Step]:
    """Values that are positions under another name count from the first again."""
    if not data.number_them:
        return steps
    names = map(data.number_them, range(len(steps)))
    return [(step[0], next(names)) if step[0] == "insert" and step[1] is not None else step for step in steps]
