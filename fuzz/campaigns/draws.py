"""Random query sets and streams as plain data, and back to what the engine takes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from fuzz.campaigns.frame import Case, without_one
from swagcore import Query, Window, techniques

AGGREGATES: dict[str, str] = {
    "count": "ints",
    "sum": "ints",
    "mean": "ints",
    "min": "ints",
    "max": "ints",
    "spread": "ints",
    "variance": "ints",
    "product": "ints",
    "first": "ints",
    "last": "ints",
    "median": "ints",
    "quantile(0.25)": "ints",
    "top_k(3)": "ints",
    "count_distinct": "ints",
    "collect_distinct": "ints",
    "any": "ints",
    "sum_squares": "ints",
}
COMMUTATIVE = [name for name in AGGREGATES if name not in ("first", "last", "collect_distinct")]
SLICINGS = ("panes", "pairs", "cutty")
TECHNIQUES = [name for name in techniques() if name != "auto"] + ["auto"]


def queries(chance: random.Random, names: list[str], most: int = 6, **fixed: Any) -> list[list[Any]]:
    """[name, aggregate, range, slide, offset, lag, by count, empty ones too] for each query."""
    largest = chance.choice((6, 12, 40))
    found = []
    for number in range(chance.randint(1, most)):
        slide = chance.randint(1, largest)
        range_ = chance.choice((slide, slide * chance.randint(1, 4), chance.randint(1, 2 * largest)))
        by_count = fixed.get("by_count", chance.random() < 0.15)
        found.append(
            [
                f"q{number}",
                chance.choice(names),
                range_,
                slide,
                chance.randint(-slide, 2 * slide),
                fixed.get("lag", chance.choice((0, 0, 0, 0, 3))),
                by_count,
                fixed.get("emit_empty", chance.random() < 0.1),
            ]
        )
    return found


def events(chance: random.Random, longest: int = 40, keys: str = "ab") -> list[list[Any]]:
    """[time, value, key]: equal times, gaps, times before 0, nulls."""
    time = chance.choice((0, -30, 5))
    steps = chance.choice(((0, 1), (0, 0, 1, 2), (1,), (0, 1, 5, 30)))
    shown = chance.choice((keys[:1], keys))
    found = []
    for _ in range(chance.randint(0, longest)):
        time += chance.choice(steps)
        value = None if chance.random() < 0.08 else chance.choice((0, 1, 2, 3, -1, -5, 7, 2**40))
        found.append([time, value, chance.choice(shown)])
    return found


def asked(case: Case) -> list[Query]:
    """The queries of a case."""
    return [
        Query(
            name, aggregate, Window(range_, slide, offset, lag=lag, by_count=by_count), emit_empty=emit_empty
        )
        for name, aggregate, range_, slide, offset, lag, by_count, emit_empty in case["queries"]
    ]


def stream(case: Case, name: str = "events") -> list[tuple[Any, ...]]:
    """The events of a case."""
    return [tuple(event) for event in case[name]]


def smaller(case: Case) -> Iterator[Case]:
    """Fewer queries, fewer events, smaller numbers."""
    for fewer in without_one(case["queries"]):
        if fewer:
            yield {**case, "queries": fewer}
    for fewer in without_one(case["events"]):
        yield {**case, "events": fewer}
    for number, query in enumerate(case["queries"]):
        for place, simple in ((5, 0), (6, False), (7, False), (4, 0), (2, 1), (3, 1)):
            if query[place] != simple:
                for value in {simple, query[place] // 2 if place in (2, 3, 4) else simple}:
                    if place not in (2, 3) or value >= 1:
                        changed = [*query[:place], value, *query[place + 1 :]]
                        if changed != query:
                            yield {
                                **case,
                                "queries": [
                                    *case["queries"][:number],
                                    changed,
                                    *case["queries"][number + 1 :],
                                ],
                            }
    for place, event in enumerate(case["events"]):
        if event[1] not in (0, 1):
            for simple in (0, 1):
                changed = [event[0], simple, event[2]]
                yield {**case, "events": [*case["events"][:place], changed, *case["events"][place + 1 :]]}
