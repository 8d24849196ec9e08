"""Random query sets for the tests of the optimizers: seeded, small enough that everything meets everything."""

from __future__ import annotations

import random
from collections.abc import Iterator

from swagcore.cost import SLICINGS
from swagcore.windows import Query, Window


def queries(size: int, source: random.Random, largest: int = 12, whole: bool = False) -> list[Query]:
    """So many queries with slides up to `largest`; `whole`: ranges that are multiples of the slide, and no offsets."""
    found = []
    for number in range(size):
        slide = source.randint(1, largest)
        if whole:
            window = Window(slide * source.randint(1, 6), slide)
        else:
            offset = source.randrange(slide) if source.random() < 0.3 else 0
            window = Window(source.randint(1, 3 * largest), slide, offset)
        found.append(Query(f"q{number}", "max", window))
    return found


def query_sets(
    count: int, most: int, seed: int, **how: object
) -> Iterator[tuple[list[Query], random.Random]]:
    """So many sets of up to `most` queries, each with a source of chance of its own."""
    for number in range(count):
        source = random.Random(f"{seed} {number}")
        size = source.randint(0, most)
        largest = source.choice([3, 6, 12, 30])
        yield queries(size, source, largest, whole=bool(how.get("whole", source.random() < 0.5))), source


def any_slicing(source: random.Random) -> str:
    return source.choice(SLICINGS)
