"""The other half of the kit: which events are in which window. An engine's windows against `naive`."""

from __future__ import annotations

import itertools
import numbers
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from swagcore.algebra import aggregate as named
from swagcore.errors import InvalidArgument
from swagcore.naive import naive
from swagcore.testing.compare import agrees
from swagcore.testing.mismatch import Mismatch
from swagcore.testing.paste import importable
from swagcore.testing.watch import Hang, Watch
from swagcore.windows import Query, Window

Event = tuple[int, Any]
Case = tuple[list[Event], int, int, int]

HANGS = "the engine does not come back"
CALLS = itertools.count()


def check_windows(
    engine: Callable[[list[Event], int, int, int], Iterable[Any]],
    aggregate: str = "sum",
    max_examples: int = 300,
    seed: int = 0,
    *,
    gaps: bool = True,
    offsets: bool = True,
    negative: bool = True,
    values: Iterable[Any] = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
    timeout: float = 5.0,
) -> int:
    """Compare `engine(events, range, slide, offset)`, an iterable of (start, end, value), with `naive`; returns the answers.

    Events are (time, value) in time order, with times that repeat, gaps, and times before 0. An answer is expected for every
    instance with an event, in any order. For an engine that does not claim so much: `gaps=False` leaves out slides larger than
    the range, `offsets=False` offsets, `negative=False` times before 0. The default values are powers of two, so that a
    sum tells which events were in; floats that are calculated are compared within their `tolerance`. The first wrong case is cut down, and the `Mismatch` is a test to paste. A call that takes longer
    than `timeout` seconds (up to twice as long) is a finding, where the watch of `check_fifo` works.

    >>> def right(events, range, slide, offset):
    ...     query = Query("q", "sum", Window(range, slide, offset))
    ...     return [(a.start, a.end, a.value) for a in naive([query], events)]
    >>> check_windows(right, max_examples=20) > 50
    True
    >>> check_windows(lambda *case: right(*case)[:-1])
    Traceback (most recent call last):
        ...
    swagcore.testing.mismatch.Mismatch: # the engine has no answer for [0, 1), expected 1. Seed 0.
    # engine: the one that was tested
    def test_windows():
        answers = engine([(0, 1)], 1, 1, 0)
        assert sorted(map(tuple, answers)) == [(0, 1, 1)]
    """
    if isinstance(max_examples, bool) or not isinstance(max_examples, int) or max_examples < 1:
        raise InvalidArgument("max_examples", max_examples, "a positive integer")
    source, drawn = random.Random(seed), list(values)
    checked = 0
    with Watch(timeout) as watch:
        for _ in range(max_examples):
            case = _draw(source, drawn, gaps, offsets, negative)
            problem, answers = _problem(engine, aggregate, case, watch)
            checked += answers
            if problem is not None:
                if problem == HANGS:
                    watch.be(min(timeout, 0.5))  # every smaller case that hangs costs that much
                smallest, problem = _shrunk(engine, aggregate, case, problem, drawn[0], watch)
                raise Mismatch(f"# {problem}. Seed {seed}.\n{_as_test(engine, aggregate, smallest)}")
    return checked


def _draw(source: random.Random, values: list[Any], gaps: bool, offsets: bool, negative: bool) -> Case:
    range_ = source.randint(1, 12)
    slide = source.randint(1, 12 if gaps else range_)
    offset = source.randrange(slide) if offsets else 0
    times = sorted(source.randint(-25 if negative else 0, 25) for _ in range(source.randint(0, 10)))
    if times and source.random() < 0.3:
        times = sorted(source.choice(times) for _ in times)  # more that are equal
    return [(time, values[number % len(values)]) for number, time in enumerate(times)], range_, slide, offset


def _expected(aggregate: str, case: Case) -> dict[tuple[int, int], Any]:
    events, range_, slide, offset = case
    query = Query("q", aggregate, Window(range_, slide, offset))
    return {(answer.start, answer.end): answer.value for answer in naive([query], events)}


def _problem(
    engine: Callable[[list[Event], int, int, int], Iterable[Any]], aggregate: str, case: Case, watch: Watch
) -> tuple[str | None, int]:
    """What is wrong with the answers to a case, or None; and how many there should be."""
    events, range_, slide, offset = case
    expected = _expected(aggregate, case)
    watch.call = next(CALLS)
    try:
        given = [tuple(answer) for answer in engine(list(events), range_, slide, offset)]
    except Hang:
        return HANGS, len(expected)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        return f"the engine raised {type(problem).__name__}: {' '.join(str(problem).split())}", len(expected)
    finally:
        watch.call = None
    found: dict[tuple[int, int], Any] = {}
    for answer in given:
        if len(answer) != 3 or not all(isinstance(edge, numbers.Integral) for edge in answer[:2]):
            return f"the engine gave {answer!r}, expected (start, end, value), both ends integers", len(
                expected
            )
        place = (answer[0], answer[1])
        if place in found:
            return f"the engine has two answers for [{place[0]}, {place[1]})", len(expected)
        found[place] = answer[2]
    for place in sorted(expected.keys() | found.keys()):
        window = f"[{place[0]}, {place[1]})"
        if place not in found:
            return f"the engine has no answer for {window}, expected {expected[place]!r}", len(expected)
        if place not in expected:
            return f"the engine has an answer for {window}, {found[place]!r}, expected none", len(expected)
        inside = [value for time, value in events if place[0] <= time < place[1]]
        if agrees(named(aggregate), inside, expected[place], found[place]) is False:
            return f"the engine says {found[place]!r} for {window}, expected {expected[place]!r}", len(
                expected
            )
    return None, len(expected)


def _shrunk(
    engine: Callable[..., Iterable[Any]],
    aggregate: str,
    case: Case,
    problem: str,
    simplest: Any,
    watch: Watch,
) -> tuple[Case, str]:
    """The smallest case near a wrong one that is wrong too: fewer events, smaller numbers, while it goes on."""
    again = True
    while again:
        again = False
        for smaller in _simpler(case, simplest):
            said, _ = _problem(engine, aggregate, smaller, watch)
            if said is not None:
                case, problem, again = smaller, said, True
                break
    return case, problem


def _simpler(case: Case, simplest: Any) -> Iterator[Case]:
    events, range_, slide, offset = case
    for i in range(len(events)):
        yield events[:i] + events[i + 1 :], range_, slide, offset
    for smaller in sorted({0, offset // 2, offset - 1} - {offset}):
        if 0 <= smaller < slide:
            yield events, range_, slide, smaller
    for smaller in sorted({1, slide // 2, slide - 1} - {slide}):
        if smaller >= 1:
            yield events, range_, smaller, offset % smaller
    for smaller in sorted({1, range_ // 2, range_ - 1} - {range_}):
        if smaller >= 1:
            yield events, smaller, slide, offset
    for shift in sorted({time for time, _ in events if time}, key=abs, reverse=True):
        together = [(time - shift, value) for time, value in events]
        if sum(abs(time) for time, _ in together) < sum(abs(time) for time, _ in events):
            yield together, range_, slide, offset
    for i, (time, value) in enumerate(events):
        for nearer in sorted(range(-abs(time) + 1, abs(time)), key=abs):
            moved = sorted([*events[:i], (nearer, value), *events[i + 1 :]], key=lambda event: event[0])
            if abs(nearer) < abs(time):
                yield moved, range_, slide, offset
        if value != simplest:
            yield [*events[:i], (time, simplest), *events[i + 1 :]], range_, slide, offset


def _as_test(engine: Callable[..., Iterable[Any]], aggregate: str, case: Case) -> str:
    events, range_, slide, offset = case
    rows = [(start, end, value) for (start, end), value in sorted(_expected(aggregate, case).items())]
    found = importable(engine)
    module, name = found or ("", "engine")
    first = (
        f"from {module} import {name.partition('.')[0]}\n\n\n"
        if found
        else "# engine: the one that was tested\n"
    )
    return (
        f"{first}"
        "def test_windows():\n"
        f"    answers = {name}({events!r}, {range_}, {slide}, {offset})\n"
        f"    assert sorted(map(tuple, answers)) == {rows!r}"
    )
