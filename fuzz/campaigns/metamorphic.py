"""Relations between the answers to two streams that are related: no oracle is asked.

- shift: all times later by a multiple of every slide, the answers are the same, later.
- split: two keys alone give together what they give in one stream.
- permute: events of equal time change places; commutative aggregates do not notice. Nor do they within a slice: events are moved
  to other times between two edges.
- merge: the counts and sums of two streams add up to those of the merged one.
- scale: all values times a number, the sums times that number.
- alone: a query answers alone as it does among others.
"""

from __future__ import annotations

import math
import random
from typing import Any

from fuzz.campaigns import draws
from fuzz.campaigns.frame import Campaign, Case
from swagcore import Query, run
from swagcore.errors import MissingLaw
from swagcore.testing import Mismatch

RELATIONS = ("shift", "split", "permute", "merge", "scale", "alone")


def draw(chance: random.Random) -> Case:
    """A relation, queries and events that it speaks of, and how to run them."""
    relation = chance.choice(RELATIONS)
    names = {
        "permute": draws.COMMUTATIVE,
        "merge": ["sum", "count"],
        "scale": ["sum"],
    }.get(relation, list(draws.AGGREGATES))
    return {
        "relation": relation,
        "queries": draws.queries(chance, names, most=4, by_count=False),
        "events": draws.events(chance),
        "technique": chance.choice(draws.TECHNIQUES),
        "slicing": chance.choice(draws.SLICINGS),
        "number": chance.randint(-9, 9),
    }


def check(case: Case) -> int:
    """How many answers were compared."""
    queries, events = draws.asked(case), draws.stream(case)

    def answers(asked: list[Query], stream: list[tuple[Any, ...]]) -> dict[tuple[Any, ...], Any]:
        found = run(asked, stream, case["technique"], case["slicing"])
        return {(one.query, one.start, one.end, one.key): one.value for one in found}

    try:
        return _compare(case, queries, events, answers)
    except MissingLaw:
        return 0


def _compare(case: Case, queries: list[Query], events: list[tuple[Any, ...]], answers: Any) -> int:
    relation, number = case["relation"], case["number"]
    plain = answers(queries, events)
    if relation == "shift":
        by = math.lcm(*(query.window.slide for query in queries)) * number
        later = answers(queries, [(time + by, value, key) for time, value, key in events])
        related = {
            (name, start - by, end - by, key): value for (name, start, end, key), value in later.items()
        }
    elif relation == "split":
        related = {}
        for key in {key for _, _, key in events}:
            related |= answers(queries, [event for event in events if event[2] == key])
    elif relation == "permute":
        moved = random.Random(number)
        edges = [
            edge
            for query in queries
            for edge in (
                (query.window.offset, query.window.slide),
                (query.window.offset + query.window.range, query.window.slide),
            )
        ]

        def slice_of(time: int) -> tuple[int, ...]:
            return tuple((time - offset) // slide for offset, slide in edges)

        shuffled = []
        for place in sorted({slice_of(event[0]) for event in events}):
            inside = [event for event in events if slice_of(event[0]) == place]
            times = [time for time, _, _ in inside]
            moved.shuffle(inside)
            shuffled += [(time, value, key) for time, (_, value, key) in zip(times, inside, strict=True)]
        related = answers(queries, shuffled)
        if any(query.emit_empty for query in queries):
            return 0  # which instances are empty may change with a key's first and last time
    elif relation == "merge":
        one, two = events[::2], events[1::2]
        first, second = answers(queries, one), answers(queries, two)
        if any(query.emit_empty for query in queries):
            return 0
        related = {
            place: _added(first.get(place), second.get(place)) for place in first.keys() | second.keys()
        }
    elif relation == "scale":
        related = answers(
            queries,
            [(time, None if value is None else value * number, key) for time, value, key in events],
        )
        plain = {place: None if value is None else value * number for place, value in plain.items()}
    else:
        related = {}
        for query in queries:
            related |= answers([query], events)
    if plain != related:
        place = next(
            p for p in plain.keys() | related.keys() if plain.get(p, "none") != related.get(p, "none")
        )
        raise Mismatch(
            f"{relation}: {place} is {plain.get(place, 'none')}, related {related.get(place, 'none')}"
        )
    return len(plain)


def _added(a: Any, b: Any) -> Any:
    return (a if b is None else b) if a is None or b is None else a + b


CAMPAIGN = Campaign("metamorphic", draw, check, draws.smaller)
