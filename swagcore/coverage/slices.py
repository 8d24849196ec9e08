"""What window slicing costs, in the same steps as a coverage graph: W Table 1, in a version that counts right.

The stream is cut into slices, every event goes into the partial of its slice, and an answer combines the partials of
the slices inside its instance. Unshared, every window has slices of its own; shared, one set is cut at all edges.

The printed table counts over S, the lcm of the slides, and differs in four entries:

- Unshared panes: `r / g` is r_i / g_i, the window's own range and gcd.
- Unshared pairs: an instance has r / s slices where the slide divides the range, else 2 * floor(r / s) + 1. The printed
  ceil(2r / s) doubles the first, and is one too many where r mod s > s / 2.
- Shared, panes and pairs: E * r_i / s_i is right where s_i divides r_i. Elsewhere a slice is in floor(r_i / s_i) or in one
  more instance, by its place in the slide, and the slices of the two sorts have to be counted.
- Partial: where the slide is larger than the range, the events in the gaps are in no window and in no slice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from swagcore import edges
from swagcore.coverage.cost import Exact
from swagcore.errors import UnknownName
from swagcore.windows import Window

SECONDS = 5
"""For one count of edges; where it does not suffice, the middle of the interval that was found is taken."""

MOST_PLACES = 300
"""Of a slide, counted one by one; where there are more, slices are taken to be spread evenly over it."""


@dataclass(frozen=True)
class SliceCost:
    """Steps a time unit: `partial` to put events into slices, `final` to combine slices into answers.

    `exact` is False where edges or times were too many to be counted, and the steps are an estimate.

    >>> SliceCost(Fraction(1), Fraction(5, 2)).rate
    Fraction(7, 2)
    """

    partial: Fraction
    final: Fraction
    exact: bool = True

    @property
    def rate(self) -> Fraction:
        """All steps a time unit."""
        return self.partial + self.final


def slice_cost(windows: Sequence[Window], events: Exact, slicing: str, shared: bool) -> SliceCost:
    """The steps of a set of windows under "panes" or "pairs", at `events` a time unit.

    >>> slice_cost([Window(10, 4)], 1, "pairs", shared=False)  # 5 slices an instance, one instance in 4
    SliceCost(partial=Fraction(1, 1), final=Fraction(5, 4), exact=True)
    >>> slice_cost([Window(4, 2), Window(6, 3)], 1, "pairs", shared=True)  # cuts at 0, 2, 3, 4 of every 6
    SliceCost(partial=Fraction(1, 1), final=Fraction(8, 3), exact=True)
    """
    if slicing not in ("panes", "pairs"):
        raise UnknownName("slicing", slicing, ["panes", "pairs"])
    if not shared:
        read = sum((min(Fraction(1), Fraction(w.range, w.slide)) for w in windows), Fraction(0))
        final = sum((Fraction(own_slices(w, slicing), w.slide) for w in windows), Fraction(0))
        return SliceCost(events * read, final)
    unit = math.gcd(*(size for w in windows for size in (w.range, w.slide, w.offset)))
    small = [Window(w.range // unit, w.slide // unit, w.offset // unit) for w in windows]
    cuts = {cut for w in small for cut in w.edges(slicing)}
    per_unit, exact = _density(cuts)
    final = Fraction(0)
    for w in small:
        within, counted = _inside(w, cuts, per_unit)
        final += within
        exact = exact and counted
    if all(w.slide > w.range for w in small):
        read, counted = _covered_times(small)
        exact = exact and counted
    else:
        read = Fraction(1)
    return SliceCost(events * read, final / unit, exact)


def own_slices(window: Window, slicing: str) -> int:
    """How many slices of its own one instance of a window has.

    >>> own_slices(Window(10, 4), "panes"), own_slices(Window(10, 4), "pairs"), own_slices(Window(8, 4), "pairs")
    (5, 5, 2)
    """
    if slicing == "panes":
        return window.range // math.gcd(window.range, window.slide)
    whole, rest = divmod(window.range, window.slide)
    return 2 * whole + 1 if rest else whole


def _inside(window: Window, cuts: set[tuple[int, int]], per_unit: Fraction) -> tuple[Fraction, bool]:
    """Slices read by a window's instances a time unit. A slice is in `whole` of them, or in one more if it starts early."""
    whole, rest = divmod(window.range, window.slide)
    if not rest:
        return whole * per_unit, True
    early, exact = _cuts_in(window, range(rest), cuts, per_unit)
    return whole * per_unit + early, exact


def _cuts_in(
    window: Window, places: range, cuts: set[tuple[int, int]], per_unit: Fraction
) -> tuple[Fraction, bool]:
    """How many cuts a time unit are at these places of a slide: of A and B, those in both are |A| + |B| - |A or B|."""
    if len(places) > MOST_PLACES:
        if window.slide - len(places) > MOST_PLACES:
            return per_unit * Fraction(len(places), window.slide), False
        others, exact = _cuts_in(window, range(places.stop, window.slide), cuts, per_unit)
        return per_unit - others, exact
    classes = {((window.offset + place) % window.slide, window.slide) for place in places}
    either, exact = _density(cuts | classes)
    return per_unit + Fraction(len(places), window.slide) - either, exact


def _covered_times(windows: Sequence[Window]) -> tuple[Fraction, bool]:
    """The share of times that are in some window, where all windows have gaps."""
    if sum(w.range for w in windows) > MOST_PLACES:
        return min(Fraction(1), sum((Fraction(w.range, w.slide) for w in windows), Fraction(0))), False
    return _density({((w.offset + place) % w.slide, w.slide) for w in windows for place in range(w.range)})


def _density(classes: set[tuple[int, int]]) -> tuple[Fraction, bool]:
    try:
        return edges.density(classes, seconds=SECONDS), True
    except edges.TooHard as problem:
        return Fraction(problem.low + problem.high) / 2, False
