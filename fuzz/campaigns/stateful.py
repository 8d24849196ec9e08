"""Long lives: a window of each technique, its invariants checked after every step; an engine that is stopped and restored."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from fuzz.campaigns import draws
from fuzz.campaigns.frame import Campaign, Case, without_one
from swagcore import Engine, aggregate, fifo, naive
from swagcore.errors import MissingLaw
from swagcore.testing import PATTERNS, Mismatch, ReferenceWindow, agrees, data_for
from swagcore.testing.interleavings import draw_interleaving, legal_steps

NAMES = ("sum", "max", "min", "concat", "first", "last", "mean", "median", "collect_distinct", "count")
RANGES = (1, 2, 3, 5, 8, 13)


def draw(chance: random.Random) -> Case:
    """A technique, an aggregate, and up to some hundred steps."""
    name = chance.choice(NAMES)
    technique = chance.choice(
        [name for name in draws.TECHNIQUES if name not in ("auto", "panes", "slickdeque")]
    )
    kind = data_for(name, ["letters" if name == "concat" else "ints"])[0]
    moves = draw_interleaving(chance, chance.choice(list(PATTERNS)), chance.choice((1, 2, 4, 9, 16, 33)))
    values = iter(kind.draw(chance, moves.count("insert")))
    steps = [[move, next(values)] if move == "insert" else [move] for move in moves]
    for place, step in enumerate(steps):
        if step == ["query"] and chance.random() < 0.5:
            steps[place] = ["query", chance.choice(RANGES)]
    return {"technique": technique, "aggregate": name, "steps": steps}


def check(case: Case) -> int:
    """How many answers, over everything or over the newest n, are those of re-evaluation."""
    function = aggregate(case["aggregate"])
    try:
        window = fifo(
            case["technique"], function, list(RANGES) if case["technique"] == "slickdeque_inv" else None
        )
    except MissingLaw:
        return 0
    reference, answers = ReferenceWindow(function), 0
    technique = window.technique
    for place, step in enumerate(case["steps"]):
        if step[0] == "insert":
            window.insert(step[1])
            reference.insert(step[1])
        elif step[0] == "evict":
            window.evict()
            reference.evict()
        else:
            n = step[1] if len(step) > 1 and technique.multi and step[1] <= len(reference) else None
            values = list(reference.values)[-n:] if n else list(reference.values)
            got, right = (window.query(n) if n else window.query()), function.over(values)
            if not agrees(None, (), right, got):
                raise Mismatch(f"step {place}, {step}: {got!r}, expected {right!r}", expected=right, got=got)
            answers += 1
        if len(window) != len(reference):
            raise Mismatch(f"step {place}, {step}: length {len(window)}, expected {len(reference)}")
        if len(reference) <= 16 or place % 32 == 0:  # what it costs grows with the square of the length
            technique._check()
    return answers


def smaller(case: Case) -> Iterator[Case]:
    """Fewer steps."""
    for fewer in without_one(case["steps"]):
        yield {**case, "steps": [list(step) for step in legal_steps(tuple(step) for step in fewer)]}


CAMPAIGN = Campaign("stateful", draw, check, smaller)


def draw_engine(chance: random.Random) -> Case:
    """Queries and events, with moments at which the time is advanced or the engine is put away and taken out again."""
    names = chance.choice((list(draws.AGGREGATES), ["sum", "max"]))
    events = draws.events(chance)
    return {
        "queries": draws.queries(chance, names, most=4),
        "events": events,
        "technique": chance.choice(("auto", "two_stacks", "daba", "flatfat", "recompute")),
        "slicing": chance.choice(draws.SLICINGS),
        "advanced": [place for place in range(len(events)) if chance.random() < 0.15],
        "restored": [place for place in range(len(events)) if chance.random() < 0.1],
    }


def check_engine(case: Case) -> int:
    """The answers of an engine that is advanced and restored now and then, as a set, against `naive`."""
    queries, events = draws.asked(case), draws.stream(case)
    try:
        engine = Engine(queries, case["technique"], case["slicing"])
    except MissingLaw:
        return 0
    got = []
    for place, event in enumerate(events):
        if place in case["advanced"]:
            got += engine.advance(event[0])
        if place in case["restored"]:
            engine = Engine.restore(json.loads(json.dumps(engine.snapshot())))
        got += engine.push(event)
    got += engine.finish()
    right = naive(queries, events)
    left = sorted(map(repr, got)), sorted(map(repr, right))
    if left[0] != left[1]:
        missing = next(iter(set(left[1]) - set(left[0])), None)
        extra = next(iter(set(left[0]) - set(left[1])), None)
        raise Mismatch(f"{len(got)} answers, expected {len(right)}; missing {missing}; too many {extra}")
    return len(right)


ENGINE = Campaign("engine", draw_engine, check_engine, draws.smaller)
