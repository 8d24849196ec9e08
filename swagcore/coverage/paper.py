"""The factor windows that the paper itself would add: W Algorithms 2, 3 and 4, mended where they go wrong.

For comparison only: `min_cost` is never worse. W looks at one window at a time and the windows below it, tries one factor
window between them, and judges it by W Eq 2 against that neighbourhood. Windows start at 0 and have slide <= range.

Mended: the gcd of W Alg 4 is over ranges *and slides*, or its factor windows partition nothing (`W<2, 2>` for `W<2, 1>`);
W Alg 3 divides by zero where the one window below fills the period, and there the answer is no; W Thm 9 decides between
candidates by a fraction whose denominator may be negative, while the largest candidate is always the best; a window is
not its own parent, and of equally cheap parents one is kept (W Thm 7 would have a forest).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from swagcore.coverage.cost import Exact, period_of, recurrences, whole_if_possible
from swagcore.coverage.factors import divisors
from swagcore.coverage.network import Network
from swagcore.coverage.relation import PARTITIONED, holds, inside
from swagcore.errors import InvalidArgument
from swagcore.windows import Window

STREAM = Window(1, 1)
"""The virtual root of W §4.1: one aggregate a time unit."""


def paper_cost(windows: Sequence[Window], relation: str, events: Exact = 1) -> tuple[Exact, Exact]:
    """The costs over the period of WCG (W Algorithm 1) and WCG-FW (the better one of Algorithms 1 and 2).

    >>> paper_cost([Window(20, 20), Window(30, 30), Window(40, 40)], "partitioned by")
    (246, 150)
    """
    plain, with_factors = (
        Fraction(network.cost(range(len(network.nodes))), network.scale)
        for network in (
            Network.of(windows, factors, relation, events, "cost")
            for factors in ([], paper_factors(windows, relation, events))
        )
    )
    return whole_if_possible(plain), whole_if_possible(with_factors)


def paper_factors(windows: Sequence[Window], relation: str, events: Exact = 1) -> list[Window]:
    """The factor windows of the better one of W Algorithms 1 and 2, without those that nothing is computed from.

    The virtual root counts as a window that costs eta * R (W §4.1), and is used where that is cheaper: at eta = 1 never, at
    high rates for windows that have nothing else in common.

    >>> paper_factors([Window(6, 3), Window(10, 5)], "partitioned by", 1)
    []
    >>> paper_factors([Window(6, 3), Window(10, 5)], "partitioned by", 100)
    [Window(range=1, slide=1)]
    """
    found = factor_windows(windows, relation)
    network = Network.of(windows, [*found, STREAM], relation, events, "cost")
    added = [node for node, window in enumerate(network.nodes) if window in found]
    root = [
        node for node, window in enumerate(network.nodes) if window == STREAM and node not in network.asked
    ]
    options = [network.used(chosen) for chosen in ([], added, root, added + root)]
    return [network.nodes[node] for node in sorted(min(options, key=network.cost))]


def factor_windows(windows: Sequence[Window], relation: str) -> list[Window]:
    """What W Algorithm 2 adds to the graph: for each window, and for the stream, the best window below it.

    >>> factor_windows([Window(20, 20), Window(30, 30), Window(40, 40)], "covered by")
    [Window(range=10, slide=10)]
    """
    for window in windows:
        if window.offset or window.slide > window.range or window.range % window.slide:
            raise InvalidArgument("window", window, "one that starts at 0, its range a multiple of its slide")
    period = period_of(windows)
    found: dict[Window, None] = {}
    for window in dict.fromkeys([STREAM, *windows]):
        below = [w for w in windows if w != window and holds(relation, w, window)]
        if window == STREAM and STREAM not in windows:
            below = [w for w in below if not any(v != w and holds(relation, w, v) for v in windows)]
        best = best_factor(window, below, relation, period)
        if best is not None and best not in windows and best != STREAM:
            found[best] = None
    return list(found)


def best_factor(window: Window, below: Sequence[Window], relation: str, period: int) -> Window | None:
    """The best factor window between a window and those below it; None where none of them makes it cheaper.

    >>> best_factor(Window(1, 1), [Window(20, 20), Window(30, 30)], "partitioned by", 120)
    Window(range=10, slide=10)
    """
    if not below:
        return None
    if relation == PARTITIONED:
        common = math.gcd(*(size for w in below for size in (w.range, w.slide)))
        found = Window(common, common)
        if found in (window, *below) or not holds(relation, found, window):
            return None
        return found if helps(found, window, below, period) else None
    candidates = []
    for slide in divisors(math.gcd(*(w.slide for w in below))):
        if slide % window.slide == 0:
            for extent in range(slide, min(w.range for w in below) + 1, slide):
                factor = Window(extent, slide)
                fits = holds(relation, factor, window) and all(holds(relation, w, factor) for w in below)
                if fits and factor not in (window, *below):
                    candidates.append((change(factor, window, below, period), factor))
    candidates.sort(key=lambda pair: (pair[0], -pair[1].slide, -pair[1].range))
    return candidates[0][1] if candidates and candidates[0][0] <= 0 else None


def change(factor: Window, window: Window, below: Sequence[Window], period: int) -> int:
    """What a factor window between a window and those below it adds to the cost: W Eq 2.

    >>> change(Window(10, 10), Window(1, 1), [Window(20, 20), Window(30, 30)], 120)
    -96
    """
    saved = sum(int(recurrences(w, period)) * int(inside(w, factor) - inside(w, window)) for w in below)
    return saved + int(recurrences(factor, period)) * int(inside(factor, window))


def helps(factor: Window, window: Window, below: Sequence[Window], period: int) -> bool:
    """W Algorithm 3: whether a tumbling factor window above a tumbling window makes nothing dearer (c <= c').

    >>> helps(Window(2, 2), Window(1, 1), [Window(4, 2)], 4), helps(Window(2, 2), Window(1, 1), [Window(6, 2)], 18)
    (False, True)
    """
    if len(below) >= 2:
        return True
    ratio, times = below[0].range // below[0].slide, period // below[0].range
    if ratio == 1 or times == 1:  # the second is missing in the paper, which then divides by zero
        return False
    # Where both are 3 or more the paper says yes at once: the right side is then 7/4 at most, the left side 2 at least.
    return Fraction(factor.range, window.range) >= 1 + Fraction(times, (times - 1) * (ratio - 1))
