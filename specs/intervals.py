"""Intervals of a stream: B-INT, L-INT, R-INT, PSoup and quantiles of A §2 and §3, as printed and as mended.

What holds for all integers is proved in proofs/intervals.py.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction

from swagcore.aggregators.b_int import BInt
from swagcore.aggregators.b_int_qnt import BIntQuantiles, select
from swagcore.aggregators.l_int import LInt
from swagcore.aggregators.landmarks import partition
from swagcore.aggregators.psoup import PSoup
from swagcore.aggregators.r_int import RInt
from swagcore.aggregators.technique import Technique
from swagcore.algebra import Counting, intervals, words
from swagcore.ledger import claim, evidence, smallest

Interval = tuple[int, int]  # (l, r): the positions l, l + 1, ..., r, from 1 on, as in A


def level_of(interval: Interval) -> int | None:
    """The level of a base interval by A Definition 3.1, or None for any other."""
    l, r = interval
    width = r - l + 1
    level = width.bit_length() - 1
    return level if width == 1 << level and (l - 1) % width == 0 else None


def base_intervals(l: int, r: int) -> list[Interval]:
    """The fewest base intervals that make up (l, r): from the left, always the widest that fits."""
    found = []
    while l <= r:
        width = 1
        while (l - 1) % (2 * width) == 0 and l + 2 * width - 1 <= r:
            width *= 2
        found.append((l, l + width - 1))
        l += width
    return found


def all_intervals(limit: int) -> Iterator[Interval]:
    """Every interval up to a position, the shortest first."""
    return ((l, l + width - 1) for width in range(1, limit + 1) for l in range(1, limit - width + 2))


def tiles(pieces: list[Interval], whole: Interval) -> bool:
    """Whether the pieces, in order, are a disjoint union of the whole."""
    return [l for l, _ in pieces] == [whole[0], *(r + 1 for _, r in pieces[:-1])] and pieces[-1][1] == whole[
        1
    ]


# Base intervals (A §3.1.1)


@claim(
    "intervals.base_halves",
    source="A Def 3.1",
    kind="statement",
    statement="""A base interval of level l has the width 2^l and, for l >= 1, is a disjoint union of exactly two base
    intervals of level l - 1.""",
)
@evidence("exhaustive", scope="levels up to 8, positions up to 1024")
def halves() -> object:
    def holds(level: int, i: int) -> bool:
        l, r = (1 << level) * i + 1, (1 << level) * (i + 1)
        inside = [
            (a, a + (1 << (level - 1)) - 1)
            for a in range(l, r + 1)
            if level
            and level_of((a, a + (1 << (level - 1)) - 1)) == level - 1
            and a + (1 << (level - 1)) - 1 <= r
        ]
        return level_of((l, r)) == level and (level == 0 or (len(inside) == 2 and tiles(inside, (l, r))))

    return smallest(((level, i) for level in range(9) for i in range(1024 >> level)), holds)


@claim(
    "intervals.base_example",
    source="A §3.1.1",
    kind="example",
    statement="(385, 512) is a base interval of level 7, with i = 3.",
)
@evidence("exhaustive", scope="the example")
def base_example() -> object:
    found = level_of((385, 512)), (385 - 1) // 128
    return None if found == (7, 3) else {"level, i": found}


@claim(
    "intervals.thm_3_1",
    source="A Thm 3.1",
    kind="theorem",
    statement="""Every interval of width W is a disjoint union of O(log W) base intervals, in order: at most
    floor(log2(W + 2)) + floor(log2((W + 2) / 3)), for every W, and for each W >= 2 some interval of width at most W
    needs that many.""",
)
@evidence("exhaustive", scope="all intervals within 1 .. {limit}", limit=130)
@evidence("exhaustive", scope="all intervals within 1 .. {limit}", limit=600, profile="full")
def few_base_intervals(limit: int) -> object:
    most: dict[int, int] = {}
    for l, r in all_intervals(limit):
        pieces = base_intervals(l, r)
        width = r - l + 1
        bound = (width + 2).bit_length() - 1 + ((width + 2) // 3).bit_length() - 1
        if not tiles(pieces, (l, r)) or None in map(level_of, pieces) or len(pieces) > bound:
            return {"interval": (l, r), "pieces": len(pieces), "bound": bound}
        most[width] = max(most.get(width, 0), len(pieces))
    for width in range(2, limit // 4):
        met = max(found for narrower, found in most.items() if narrower <= width)
        if met != (width + 2).bit_length() - 1 + ((width + 2) // 3).bit_length() - 1:
            return {"widths up to": width, "most pieces": met}
    return None


EXAMPLE = [(1, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 40), (41, 42), (43, 43)]


@claim(
    "intervals.example_3_1",
    source="A Ex 3.1",
    kind="example",
    statement="(1, 43) is the union of the eight base intervals (1, 2), (3, 4), (5, 8), ..., (43, 43) that are listed.",
)
@evidence("exhaustive", scope="the example")
def example_3_1() -> object:
    return None if tiles(EXAMPLE, (1, 43)) and None not in map(level_of, EXAMPLE) else EXAMPLE


@claim(
    "intervals.example_minimum",
    source="O intervals",
    kind="example",
    statement="""(1, 43) is a union of four base intervals, (1, 32), (33, 40), (41, 42), (43, 43), and of no fewer; B-INT
    takes these.""",
)
@evidence(
    "exhaustive", scope="every union of base intervals within 1 .. 43, by the fewest up to each position"
)
def example_minimum() -> object:
    fewest = {0: 0}
    for r in range(1, 44):
        fewest[r] = min(fewest[l - 1] + 1 for l in range(1, r + 1) if level_of((l, r)) is not None)
    window = BInt(intervals)
    for position in range(43):
        window.insert((position, position + 1))
    taken = [(lo + 1, hi) for lo, hi in window._intervals(0, 43)]
    found = fewest[43], taken
    return None if found == (4, [(1, 32), (33, 40), (41, 42), (43, 43)]) else {"fewest, taken": found}


@claim(
    "intervals.new_base",
    source="A §3.1.1",
    kind="statement",
    statement="""The element at position m + 1 completes z + 1 base intervals, where 2^z is the largest power of two that
    divides m + 1.""",
)
@evidence("exhaustive", scope="positions up to 2048")
def newly_complete() -> object:
    def holds(position: int) -> bool:
        ending = [l for l in range(1, position + 1) if level_of((l, position)) is not None]
        return len(ending) == (position & -position).bit_length()

    return smallest(range(1, 2049), holds)


def slides(technique: Technique, counting: Counting, size: int, rounds: int) -> Iterator[int]:
    """Operations of each of some slides (insert, evict) at a steady length; the window is full when they begin."""
    position = 0
    for _ in range(size):
        technique.insert((position, position + 1))
        position += 1
    for _ in range(rounds):
        counting.reset()
        technique.evict()
        technique.insert((position, position + 1))
        position += 1
        yield counting.operations


@claim(
    "intervals.b_int_update",
    source="A Thm 3.2",
    kind="complexity",
    statement="An update of B-INT costs O(1) amortized: below 1 combine, for every window size.",
)
@evidence("exhaustive", scope="window sizes 1 to 64, over 256 updates each")
def b_int_update() -> object:
    def holds(size: int) -> bool:
        counting = Counting(intervals)
        return sum(slides(BInt(counting.aggregate), counting, size, 256)) < 256

    return smallest(range(1, 65), holds)


@claim(
    "intervals.b_int_lookup",
    source="A Thm 3.2",
    kind="complexity",
    statement="""A lookup of B-INT over W elements, suffix or historical, costs O(log W) combines at worst, whatever the
    window's length: one less than Theorem 3.1 has base intervals.""",
)
@evidence("exhaustive", scope="window of 70, every n and lag, at 130 places of the stream")
def b_int_lookup() -> object:
    counting = Counting(intervals)
    window = BInt(counting.aggregate)
    for position in range(200):
        window.insert((position, position + 1))
        if len(window) > 70:
            window.evict()
        if position < 70:
            continue
        for n in range(1, 71):
            bound = (n + 2).bit_length() - 1 + ((n + 2) // 3).bit_length() - 1 - 1
            for lag in range(0, 71 - n, 3):
                counting.reset()
                if (
                    window.query(n, lag) != (position + 1 - lag - n, position + 1 - lag)
                    or counting.operations > bound
                ):
                    return {"position": position, "n": n, "lag": lag, "operations": counting.operations}
    return None


@claim(
    "intervals.b_int_space",
    source="A Thm 3.2",
    kind="complexity",
    statement="B-INT needs O(N_max) space: fewer than 2 N_max base intervals are active at any time.",
)
@evidence("exhaustive", scope="N_max up to 70, every length of the stream up to 150")
def b_int_space() -> object:
    def holds(most: int, length: int) -> bool:
        active = [one for one in all_intervals_ending(most, length) if level_of(one) is not None]
        return len(active) < 2 * most

    return smallest(((most, length) for most in range(1, 71) for length in range(1, 151, 7)), holds)


def all_intervals_ending(most: int, length: int) -> Iterator[Interval]:
    """The dyadic intervals within the last `most` positions of a stream of that length."""
    width = 1
    while width <= most:
        for i in range(max(0, (length - most) // width), length // width):
            if width * i + 1 > length - most:
                yield width * i + 1, width * (i + 1)
        width *= 2


# Landmark intervals (A §3.1.2)


def is_landmark(interval: Interval, least: int, most: int) -> bool:
    """A Definition 3.2, with widths up to W_max: it begins at a multiple of W_min, or ends just before one."""
    l, r = interval
    return r - l + 1 <= most and (l % least == 0 or (r + 1) % least == 0)


@claim(
    "intervals.landmark_width",
    source="A Def 3.2",
    kind="definition",
    expected="refuted",
    statement="""A landmark interval, of the form (a W_min, a W_min + d) or (a W_min - d, a W_min - 1) with d <= W_max, has a
    width less than W_max.""",
)
@evidence("exhaustive", scope="W_min and W_max up to 5, a up to 5, every d")
def landmark_width() -> object:
    def holds(least: int, most: int, a: int, d: int) -> bool:
        # 0 <= d for the first form, which has width d + 1; 1 <= d for the second, which has width d.
        return d + 1 < most and (d == 0 or d < most)

    cases = ((w, x, a, d) for w in range(1, 6) for x in range(w, 6) for a in range(6) for d in range(x + 1))
    return smallest(cases, holds)


@claim(
    "intervals.landmark_width_meant",
    source="O intervals",
    kind="definition",
    corrects="intervals.landmark_width",
    statement="""With widths up to W_max, that is d < W_max in the first form and d <= W_max in the second, Theorem 3.3
    holds; with widths below W_max it holds too, but for W_max = 1, where no landmark interval is left.""",
)
@evidence("exhaustive", scope="W_min up to 8, W_max up to 16, intervals within 1 .. 60")
def landmark_width_meant() -> object:
    def holds(least: int, most: int) -> bool:
        narrower = unsplit(least, most, most - 1)
        return unsplit(least, most, most) is None and (narrower is None) == (most > 1)

    return smallest(((least, most) for least in range(1, 9) for most in range(least, 17)), holds)


def unsplit(least: int, most: int, widest: int) -> Interval | None:
    """An interval with a width from W_min to W_max that is no union of at most two landmark intervals."""
    for l in range(1, 61):
        for width in range(least, most + 1):
            r = l + width - 1
            if not is_landmark((l, r), least, widest) and not any(
                is_landmark((l, cut), least, widest) and is_landmark((cut + 1, r), least, widest)
                for cut in range(l, r)
            ):
                return l, r
    return None


@claim(
    "intervals.landmark_examples",
    source="A §3.1.2",
    kind="example",
    statement="""For W_max = 2000 and W_min = 1000, (75, 999), (1762, 2999) and (5000, 6542) are landmark intervals, and
    (5000, 7162) is not, as its width is greater than 2000.""",
)
@evidence("exhaustive", scope="the four intervals")
def landmark_examples() -> object:
    found = [is_landmark(one, 1000, 2000) for one in ((75, 999), (1762, 2999), (5000, 6542), (5000, 7162))]
    return None if found == [True, True, True, False] and 7162 - 5000 + 1 > 2000 else found


@claim(
    "intervals.thm_3_3",
    source="A Thm 3.3",
    kind="theorem",
    statement="""Every interval with a width from W_min to W_max is a disjoint union of at most two landmark intervals for
    W_min and W_max.""",
    remark="With widths up to W_max: see intervals.landmark_width_meant.",
)
@evidence("exhaustive", scope="W_min up to 8, W_max up to 16, intervals within 1 .. 60")
def thm_3_3() -> object:
    return smallest(
        ((least, most) for least in range(1, 9) for most in range(least, 17)),
        lambda least, most: unsplit(least, most, most) is None,
    )


@claim(
    "intervals.example_3_2",
    source="A Ex 3.2",
    kind="example",
    statement="(3257, 5164) is the union of the landmark intervals (3257, 3999) and (4000, 5164), W_max = 2000, W_min = 1000.",
)
@evidence("exhaustive", scope="the example")
def example_3_2() -> object:
    pieces = [(3257, 3999), (4000, 5164)]
    return (
        None
        if tiles(pieces, (3257, 5164)) and all(is_landmark(one, 1000, 2000) for one in pieces)
        else pieces
    )


@claim(
    "intervals.l_int_lookup",
    source="A Thm 3.4",
    kind="complexity",
    statement="""A lookup of L-INT over a width between W_min and W_max, where W_max <= 2 W_min, costs O(1): at most one
    combine, suffix or historical.""",
)
@evidence(
    "exhaustive",
    scope="W_min up to 7, W_max up to 2 W_min, a window of 30, every lag, at 60 places of the stream",
)
def l_int_lookup() -> object:
    def holds(least: int, most: int) -> bool:
        counting = Counting(intervals)
        window = LInt(counting.aggregate, range(least, most + 1))
        for position in range(90):
            window.insert((position, position + 1))
            if len(window) > 30:
                window.evict()
            for n in range(least, most + 1) if position >= 30 else ():
                for lag in range(0, 31 - n):
                    counting.reset()
                    end = position + 1 - lag
                    if window.query(n, lag) != (end - n, end) or counting.operations > 1:
                        return False
        return True

    return smallest(((least, most) for least in range(1, 8) for most in range(least, 2 * least + 1)), holds)


@claim(
    "intervals.l_int_update",
    source="A Thm 3.4",
    kind="complexity",
    statement="An update of L-INT costs O(1) amortized where W_max <= 2 W_min: at most 3 combines.",
)
@evidence(
    "exhaustive",
    scope="W_min up to 12, W_max up to 2 W_min, windows of W_max and of 3 W_max, over 120 updates",
)
def l_int_update() -> object:
    def holds(least: int, most: int) -> bool:
        for size in (most, 3 * most):
            counting = Counting(intervals)
            window = LInt(counting.aggregate, range(least, most + 1))
            if sum(slides(window, counting, size, 120 - 120 % least)) > 3 * (120 - 120 % least):
                return False
        return True

    return smallest(((least, most) for least in range(1, 13) for most in range(least, 2 * least + 1)), holds)


@claim(
    "intervals.l_int_partition",
    source="A §3.1.2",
    kind="statement",
    statement="""Any set of widths up to N_max can be partitioned so that in each part the widest is at most c = 2 times the
    narrowest, into O(log N_max) parts: at most floor(log2 N_max) + 1; no fewer parts than the greedy ones will do.""",
)
@evidence("exhaustive", scope="every set of widths up to 10; all widths together up to 4096")
def few_parts() -> object:
    def least_parts(widths: tuple[int, ...]) -> int:
        if not widths:
            return 0
        cuts = [k for k in range(1, len(widths) + 1) if widths[k - 1] <= 2 * widths[0]]
        return 1 + min(least_parts(widths[k:]) for k in cuts)

    for mask in range(1, 1 << 10):
        widths = tuple(w for w in range(1, 11) if mask >> (w - 1) & 1)
        parts = partition(widths)
        covered = all(any(low <= w <= high <= 2 * low for low, high in parts) for w in widths)
        if not covered or len(parts) != least_parts(widths) or len(parts) > widths[-1].bit_length():
            return {"widths": widths, "parts": parts}
    return smallest(
        (2**k for k in range(13)), lambda most: len(partition(range(1, most + 1))) <= most.bit_length()
    )


# PSoup and R-INT (A §3.1.3, §3.2)


@claim(
    "intervals.psoup",
    source="A §3.1.3",
    kind="complexity",
    statement="""PSoup's tree, balanced, has update and lookup costs of O(log N_max): at most 2 ceil(log2 n) + 2 combines a
    slide, and 3 log2(n + 2) a lookup, suffix or historical.""",
)
@evidence("exhaustive", scope="window sizes 1 to 48, 100 slides each; every n and lag at the last")
def psoup_costs() -> object:
    def holds(size: int) -> bool:
        counting = Counting(intervals)
        window = PSoup(counting.aggregate)
        if max(slides(window, counting, size, 100)) > 2 * math.ceil(math.log2(size)) + 2:
            return False
        for n in range(1, size + 1):
            for lag in range(0, size + 1 - n):
                counting.reset()
                window.query(n, lag)
                if counting.operations > 3 * math.log2(size + 2):
                    return False
        return True

    return smallest(range(1, 49), holds)


@claim(
    "intervals.r_int",
    source="A §3.2",
    kind="algorithm",
    statement="""R-INT, from running totals alone, answers every interval of the window, suffix or historical, with one
    inverse, and updates with one combine; the inverse that takes the oldest off is enough, and no commutativity.""",
)
@evidence(
    "exhaustive", scope="words (the free monoid with its inverse), a window of 12, 40 places, every n and lag"
)
def r_int_answers() -> object:
    counting = Counting(words)
    window = RInt(counting.aggregate)
    for position in range(40):
        counting.reset()
        window.insert((position,))
        if counting.operations > 1:
            return {"position": position, "update": counting.operations}
        if len(window) > 12:
            window.evict()
        for n in range(len(window) + 1):
            for lag in range(len(window) + 1 - n):
                counting.reset()
                end = position + 1 - lag
                if window.query(n, lag) != tuple(range(end - n, end)) or counting.operations > 1:
                    return {"position": position, "n": n, "lag": lag, "operations": counting.operations}
    return None


# Quantiles (A §3.3)


@claim(
    "intervals.quantile_position",
    source="A §3.3",
    kind="definition",
    expected="refuted",
    statement="""For every φ in (0, 1] and every bag of N >= 1 elements there is an element at position floor(φ N) of its
    sorted sequence.""",
)
@evidence("exhaustive", scope="N up to 10, φ every fraction with a denominator up to 10")
def quantile_position() -> object:
    return position_exists(lambda phi, n: math.floor(phi * n))


@claim(
    "intervals.quantile_rank",
    source="O intervals",
    kind="definition",
    corrects="intervals.quantile_position",
    statement="""For every φ in (0, 1] and every N >= 1 there is an element at the 1-based rank ceil(φ N), the least one
    with at least φ N elements up to it; B-INT-QNT gives it.""",
)
@evidence(
    "exhaustive", scope="N up to 10, φ every fraction with a denominator up to 10, elements in each rotation"
)
def quantile_rank() -> object:
    missing = position_exists(lambda phi, n: math.ceil(phi * n))
    if missing is not None:
        return missing
    for n in range(1, 11):
        window = BIntQuantiles()
        for value in [(7 * i) % 11 for i in range(n)]:
            window.insert(value)
        ranked = sorted((7 * i) % 11 for i in range(n))
        for phi in fractions():
            least = next(value for rank, value in enumerate(ranked, 1) if rank >= phi * n)
            if window.query([phi]) != [least]:
                return {"N": n, "phi": str(phi), "got": window.query([phi])}
    return None


def fractions() -> list[Fraction]:
    """The fractions in (0, 1] with small denominators, the simplest first."""
    return sorted(
        {Fraction(a, b) for b in range(1, 11) for a in range(1, b + 1)}, key=lambda f: (f.denominator, f)
    )


def position_exists(position: object) -> object:
    return smallest(
        ((n, phi) for n in range(1, 11) for phi in fractions()),
        lambda n, phi: 1 <= position(phi, n) <= n,  # type: ignore[operator]
    )


@claim(
    "intervals.quantile_select",
    source="A §3.3",
    kind="complexity",
    statement="""Any quantile over p sorted arrays of length at most q is found by a greedy search that looks at
    O(log(p q)) pivots, each placed in every array by bisection: at most 3 log2(p q) + 3 pivots.""",
    remark="""The paper says O(p log p log q) time; a pivot costs O(p log p) to choose and O(p log q) to place, and each
    throws out a quarter of what is left or more.""",
)
@evidence("simulation", scope="p up to 8, q up to 256, random arrays with ties, every tenth rank, 60 draws")
def quantile_select() -> object:
    source = random.Random(3)
    for _ in range(60):
        p, q = source.randint(1, 8), 2 ** source.randint(0, 8)
        arrays = [
            Watched(sorted(source.randint(0, q) for _ in range(source.randint(1, q)))) for _ in range(p)
        ]
        everything = sorted(value for array in arrays for value in array.values)
        for rank in range(1, len(everything) + 1, 10):
            for array in arrays:
                array.read = 0
            found = select(arrays, rank)
            # Each pivot reads an array once in its middle, and up to log2(q) + 1 times for either bisection.
            pivots = max(array.read for array in arrays) / (2 * math.log2(2 * q) + 3)
            if found != everything[rank - 1] or pivots > 3 * math.log2(p * q) + 3:
                return {"p": p, "q": q, "rank": rank, "pivots": pivots}
    return None


class Watched:
    """A sorted array that counts how often it is read."""

    def __init__(self, values: list[int]) -> None:
        self.values = values
        self.read = 0

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: int) -> int:
        self.read += 1
        return self.values[index]


@claim(
    "intervals.quantile_space",
    source="A Fig 1",
    kind="complexity",
    statement="""Sorted arrays for all active base intervals hold O(N_max log N_max) elements: at most N_max
    (log2 N_max + 1).""",
)
@evidence("exhaustive", scope="N_max up to 70, every seventh length of the stream up to 150")
def quantile_space() -> object:
    def holds(most: int, length: int) -> bool:
        held = sum(r - l + 1 for l, r in all_intervals_ending(most, length))
        return held <= most * most.bit_length()

    return smallest(((most, length) for most in range(1, 71) for length in range(1, 151, 7)), holds)


@claim(
    "intervals.filter_space",
    source="A Fig 1",
    kind="complexity",
    expected="refuted",
    statement="""Filtering K substreams of N elements in all by count, with ε = 3/4, takes space of the order of
    (1/ε) log2 K log2 N: at most 100 times that much.""",
    remark="""So the table is printed. A Theorem 4.1 says K log N, which the table should say too: every substream with
    an element has a stamp.""",
)
@evidence(
    "exhaustive",
    scope="K substreams of one element each, K a power of two up to 2^20; a stamp for each, counted up to 2^10",
)
def filter_space() -> object:
    from swagcore.substreams import CICount

    for k in range(1, 21):
        if k <= 10:
            index = CICount()
            for key in range(2**k):
                index.insert(key, 0)
            if sum(map(len, index._state().values())) != 2**k:
                return {"K": 2**k, "stamps": index._state()}
        if 2**k > 100 * Fraction(4, 3) * k * k:
            return {"K = N": 2**k, "stamps": 2**k, "bound": str(100 * Fraction(4, 3) * k * k)}
    return None
