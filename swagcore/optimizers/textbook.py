"""Weave Share as it is printed: all pairs, every time. C §2.4. What the quick one has to agree with."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from swagcore.optimizers.bunches import Bunch, Loom


def greedy(loom: Loom, bunches: Sequence[Bunch]) -> list[Bunch]:
    """Merge the two bunches that save most, until no two save anything. The textbook's: O(n^3) joined pairs.

    The one tie rule: a bunch stands where its first query stands; of the pairs that save most, the one whose first
    bunch comes first, then the one whose second does.
    """
    trees = sorted(bunches, key=lambda bunch: bunch.first)
    while True:
        most, chosen = Fraction(0), None
        for one, other in combinations(trees, 2):
            both = loom.joined(one, other)
            saving = loom.saving(one, other, both)
            if saving > most:
                most, chosen = saving, (one, other, both)
        if chosen is None:
            return trees
        one, other, both = chosen
        trees[trees.index(one)] = both
        trees.remove(other)
