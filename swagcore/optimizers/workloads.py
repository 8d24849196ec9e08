"""Query sets to try optimizers on: the generators of S §5.4.1 and §7.3.1, with seeds."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence

from swagcore.errors import InvalidArgument, UnknownName
from swagcore.windows import Query, Window


def any_slide(largest: int) -> Sequence[int]:
    """Every slide up to the largest: S §5.4.1, Nrm.

    >>> list(any_slide(5))
    [1, 2, 3, 4, 5]
    """
    return range(1, largest + 1)


def prime_slides(largest: int) -> Sequence[int]:
    """Prime slides only, which share no edge before their product: S §5.4.1, Div. Where there is none, 1.

    >>> prime_slides(20), prime_slides(1)
    ([2, 3, 5, 7, 11, 13, 17, 19], [1])
    """
    prime = bytearray([1]) * (largest + 1)
    for n in range(2, math.isqrt(largest) + 1):
        if prime[n]:
            prime[n * n :: n] = bytes(len(range(n * n, largest + 1, n)))
    return [n for n in range(2, largest + 1) if prime[n]] or [1]


def factor_slides(largest: int) -> Sequence[int]:
    """The divisors of the largest slide: S §7.3.1.

    >>> factor_slides(12)
    [1, 2, 3, 4, 6, 12]
    """
    small = [n for n in range(1, math.isqrt(largest) + 1) if largest % n == 0]
    return sorted({*small, *(largest // n for n in small)})


GENERATORS: dict[str, Callable[[int], Sequence[int]]] = {
    "normal": any_slide,
    "diverse": prime_slides,
    "factors": factor_slides,
}
"""Which slides there are, by the generator's name."""

MOST_SLIDE = 100_000_000
"""Larger slides are refused: the slides to draw from are listed."""


def workload(
    count: int,
    largest_slide: int,
    largest_overlap: int,
    skew: float = 0,
    generator: str = "normal",
    seed: int = 0,
    fragments: bool = False,
    aggregate: str = "max",
) -> list[Query]:
    """That many queries, named q0, q1, ...; the papers' Q_num, S_max, O_max, Z_skew and Gen.

    A slide is drawn with the weight 1 / k^skew, k its rank from the largest down: skew 0 draws them evenly, a positive
    one prefers large slides, a negative one small ones. The range is the slide times an overlap drawn evenly from 1 ..
    largest_overlap; with `fragments`, plus a rest below the slide, drawn evenly.

    >>> [(query.window.range, query.window.slide) for query in workload(3, 20, 5, seed=1)]
    [(9, 3), (17, 17), (64, 16)]
    """
    for name, value, least in (
        ("count", count, 0),
        ("largest_slide", largest_slide, 1),
        ("largest_overlap", largest_overlap, 1),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InvalidArgument(name, value, f"an integer, {least} or more")
    if largest_slide > MOST_SLIDE:
        raise InvalidArgument("largest_slide", largest_slide, f"at most {MOST_SLIDE}")
    if isinstance(skew, bool) or not isinstance(skew, (int, float)) or not math.isfinite(skew):
        raise InvalidArgument("skew", skew, "a finite number")
    if generator not in GENERATORS:
        raise UnknownName("generator", generator, GENERATORS)
    source = random.Random(seed)
    slides = GENERATORS[generator](largest_slide)
    largest_first = range(len(slides), 0, -1)  # rank of each slide, the largest is 1
    # Relative to the heaviest, so that no power overflows.
    heaviest = 0.0 if skew >= 0 else -skew * math.log(len(slides))
    weights = [math.exp(-skew * math.log(rank) - heaviest) for rank in largest_first]
    cumulative = list(itertools.accumulate(weights))
    queries = []
    for number, slide in enumerate(source.choices(slides, cum_weights=cumulative, k=count)):
        range_ = slide * source.randint(1, largest_overlap) + (source.randrange(slide) if fragments else 0)
        queries.append(Query(f"q{number}", aggregate, Window(range_, slide)))
    return queries
