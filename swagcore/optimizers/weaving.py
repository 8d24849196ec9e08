"""The greedy merging of Weave Share and TriWeave, exact and lazy: the textbook's plan, without its work.

What two trees would save has an upper bound that costs a few additions. A tree's edges that lie on another's are at
most the sum of what its queries' do, two by two (Bonferroni), and at most all of either (monotonicity); so much fewer
edges than both have, and no fewer, have the two together. Bounds are kept as one matrix of overlaps, in which a merge
changes one row: the sum of two. A pair's edges are counted only when its bound is on top of all others, and a merge is
made when no bound is above the best pair that was counted, ties by the textbook's rule.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from swagcore.optimizers import textbook
from swagcore.optimizers.bunches import Bunch, Loom
from swagcore.optimizers.lower_bounds import bound_for
from swagcore.optimizers.progress import progress

Array: TypeAlias = Any
"""An array; numpy is an extra, so its types are not named here."""

MOST_AT_ONCE = 10_000
"""So many bunches are looked at in all pairs, in a matrix of 400 MB; more are woven in blocks."""

BLOCK = 1_000
FEW = 32
"""How many pairs of a row are kept at hand."""

IN_DOUBLES = 4_000
"""Up to so many bunches the matrix has eight bytes an entry, beyond them four."""


def weave(loom: Loom, bunches: Sequence[Bunch]) -> list[Bunch]:
    """Merge the two bunches that save most, until no two save anything; the plan of `textbook.greedy`, ties included.

    More than `MOST_AT_ONCE` bunches are sorted by their slides and residues and cut into blocks, each woven on its own: that
    is not the textbook's plan any more. Without numpy it is the textbook's loop itself.
    """
    try:
        import numpy  # noqa: F401
    except ImportError:
        return textbook.greedy(loom, bunches)
    if len(bunches) <= MOST_AT_ONCE:
        with progress("weaving", max(1, len(bunches) - 1)) as say:
            return Weaving(loom, bunches).run(say)
    listed = sorted(bunches, key=lambda bunch: sorted((m, r) for r, m in bunch.classes))
    woven: list[Bunch] = []
    with progress("weaving", len(listed)) as say:
        for begin in range(0, len(listed), BLOCK):
            woven += Weaving(loom, listed[begin : begin + BLOCK]).run(lambda done: None)
            say(begin)
    return sorted(woven, key=lambda bunch: bunch.first)


class Weaving:
    """One run. A bunch has a slot, in the order of first queries; two that merge take the earlier slot.

    Each pair belongs to the row of the younger of its bunches (`born`), so a row only ever loses pairs. `rows` is a heap of
    one entry a row, an upper bound of what its best pair that was not counted yet saves; `next` has the few best of
    them, the worst of these last (`all_at_hand`: there are no more); `counted` is a heap of the pairs that were, exactly.
    """

    def __init__(self, loom: Loom, bunches: Sequence[Bunch]) -> None:
        import numpy as np

        self.loom = loom
        self.bunches: list[Bunch | None] = [*sorted(bunches, key=lambda bunch: bunch.first)]
        size = len(self.bunches)
        self.columns_of, self.lower = bound_for(loom)
        kept = [self.columns_of(bunch) for bunch in self.bunches if bunch]
        self.columns: Array = np.array(kept, dtype=float).T.copy() if size else np.zeros((1, 0))
        self.rates: Array = np.array([float(bunch.edge_rate) for bunch in self.bunches if bunch])
        self.beyond: Array = np.array([self._beyond(bunch) for bunch in self.bunches if bunch])
        self.born: Array = np.arange(size)
        self.alive: Array = np.ones(size, dtype=bool)
        self.overlaps = overlaps([bunch for bunch in self.bunches if bunch], self.rates)
        self.tried: list[list[int]] = [[] for _ in range(size)]
        self.next: list[list[tuple[float, int, int]]] = [[] for _ in range(size)]
        self.all_at_hand = [False] * size
        self.rows: list[tuple[float, int, int]] = []
        self.counted: list[tuple[Fraction, int, int, int, int, Bunch]] = []
        self.evaluations = 0

    def run(self, say: Any) -> list[Bunch]:
        """The bunches that are left when nothing is saved any more."""
        size = len(self.bunches)
        for slot in range(1, size):
            self._look(slot)
        # At the most so many edges have all of them together.
        everything = min(1.0, float(self.rates.sum()) * (1 + 1e-9))
        merges = 0
        while True:
            if self._all_merge(everything):
                left = [bunch for bunch in self.bunches if bunch]
                return [self.loom.joined_all(left)] if len(left) > 1 else left
            best = self._best()
            if best is None:
                return [bunch for bunch in self.bunches if bunch]
            self._merge(*best)
            merges += 1
            say(merges)

    # Bounds

    def _beyond(self, bunch: Bunch) -> float:
        return float(bunch.final) - (0.0 if self.loom.shared_rate is None else float(bunch.edge_rate))

    def _row(self, slot: int) -> Array:
        """Upper bounds of what the pairs of a row save; -inf for pairs that are not in it, or counted already."""
        import numpy as np

        rate, overlap = self.rates[slot], self.overlaps[slot]
        fewest = rate + self.rates - overlap
        least = self.lower(self.columns[:, slot], self.columns, fewest)
        fixed = float(self.loom.fixed)
        if self.loom.shared_rate is not None:
            if self.loom.linear:
                # (W - 1) * E - F falls with E where W is below 1.
                overlapping = self.columns[0, slot] + self.columns[0]
                least -= np.where(overlapping >= 1, fewest, fewest * overlapping)
                least += np.where(
                    overlapping >= 1, 0, (overlapping - 1) * np.minimum(rate + self.rates, fixed)
                )
            else:
                least -= np.minimum(rate + self.rates, fixed)
        apart = self.beyond[slot] + self.beyond
        # What floating point may have lost, and much more.
        bounds = (
            fixed
            + apart
            - least
            + 1e-9 * (fixed + abs(self.beyond[slot]) + np.abs(self.beyond) + np.abs(least))
        )
        bounds[~self.alive | (self.born >= self.born[slot])] = -math.inf
        bounds[self.tried[slot]] = -math.inf
        return bounds

    def _look(self, slot: int) -> None:
        """Find the best pairs of a row that were not counted, and queue it with the best of these."""
        import numpy as np

        bounds = self._row(slot)
        few = np.flatnonzero(bounds > 0)
        self.all_at_hand[slot] = len(few) <= FEW
        if len(few) > FEW:
            few = few[np.argpartition(bounds[few], -FEW)[-FEW:]]
        found = sorted(
            zip(bounds[few].tolist(), few.tolist(), self.born[few].tolist(), strict=True), reverse=True
        )
        self.next[slot] = found
        if found:
            heapq.heappush(self.rows, (-found[0][0], slot, int(self.born[slot])))

    def _queue(self, slot: int) -> None:
        """Queue a row again. Where the few are used up, nothing that is left is above the last of them."""
        while self.next[slot]:
            bound, other, born = self.next[slot][0]
            if self.alive[other] and self.born[other] == born:
                heapq.heappush(self.rows, (-bound, slot, int(self.born[slot])))
                return
            del self.next[slot][0]
        if not self.all_at_hand[slot]:
            self._look(slot)

    def _best(self) -> tuple[int, int, Bunch] | None:
        """The pair to merge: of those that save most, the first by slots. None where none saves anything."""
        while True:
            while self.counted and not self._current(self.counted[0]):
                heapq.heappop(self.counted)
            most = float(-self.counted[0][0]) if self.counted else 0.0
            if not self.rows or -self.rows[0][0] < most:
                break
            queued, slot, born = heapq.heappop(self.rows)
            if not self.alive[slot] or self.born[slot] != born:
                continue
            bound, other, other_born = self.next[slot][0]
            if bound == -queued and self.alive[other] and self.born[other] == other_born:
                del self.next[slot][0]
                self._count(slot, other)
            self._queue(slot)
        if not self.counted:
            return None
        _, first, second, _, _, both = self.counted[0]
        return first, second, both

    def _current(self, entry: tuple[Fraction, int, int, int, int, Bunch]) -> bool:
        _, first, second, first_born, second_born, _ = entry
        return bool(
            self.alive[first]
            and self.alive[second]
            and self.born[first] == first_born
            and self.born[second] == second_born
        )

    def _count(self, slot: int, other: int) -> None:
        one, two = self.bunches[slot], self.bunches[other]
        assert one is not None and two is not None
        both = self.loom.joined(one, two)
        self.evaluations += 1
        self.tried[slot].append(other)
        saving = self.loom.saving(one, two, both)
        if saving > 0:
            first, second = min(slot, other), max(slot, other)
            entry = (-saving, first, second, int(self.born[first]), int(self.born[second]), both)
            heapq.heappush(self.counted, entry)

    # Merging

    def _merge(self, first: int, second: int, both: Bunch) -> None:
        import numpy as np

        self.bunches[first], self.bunches[second] = both, None
        self.alive[second] = False
        self.born[first] = self.born.max() + 1
        self.rates[first] = float(both.edge_rate)
        self.columns[:, first] = self.columns_of(both)
        self.beyond[first] = self._beyond(both)
        joint = np.minimum(self.overlaps[first] + self.overlaps[second], self.rates[first])
        joint = np.minimum(joint, self.rates)
        self.overlaps[first] = joint
        self.overlaps[:, first] = joint
        self.tried[first] = []
        self._look(first)

    # The end, seen from afar

    def _all_merge(self, everything: float) -> bool:
        """Whether all bunches will end up as one, whatever is merged next.

        To merge a with b costs at most x_a + x_b where x = (E of everything - E of the bunch) * W, and x of the two
        together is at most x_a + x_b. So while lambda is above the sum of all x, every merge saves something.
        """
        import numpy as np

        if not self.loom.linear or self.loom.shared_rate is not None:
            return False
        left = np.maximum(everything - self.rates[self.alive], 0) * self.columns[0][self.alive]
        return bool(left.sum() * (1 + 1e-9) + 1e-12 < float(self.loom.fixed))


def overlaps(bunches: Sequence[Bunch], rates: Array) -> Array:
    """For each two bunches, how many of their edges a time unit they have in common at the most.

    Exact, but for rounding, where each of them has classes of one modulus only, for these have no edges in common.
    """
    import numpy as np

    size = len(bunches)
    matrix: Array = np.zeros((size, size), dtype=np.float64 if size <= IN_DOUBLES else np.float32)
    most = max((len(bunch.classes) for bunch in bunches), default=0)
    residues: Array = np.zeros((most, size), dtype=object)
    moduli: Array = np.ones((most, size), dtype=object)
    for column, bunch in enumerate(bunches):
        for row, (residue, modulus) in enumerate(sorted(bunch.classes)):
            residues[row, column], moduli[row, column] = residue, modulus
    present = np.array([[row < len(bunch.classes) for bunch in bunches] for row in range(most)])
    if size and int(moduli.max()) < 2**62:
        whole = np.int32 if int(moduli.max()) < 2**31 else np.int64
        residues, moduli = residues.astype(whole), moduli.astype(whole)
    sizes = moduli.astype(float) if size and int(moduli.max()) < 10**300 else None
    for column in range(size):
        later = slice(column + 1, size)
        total = np.zeros(size - column - 1)
        for row in range(len(bunches[column].classes)):
            residue, modulus = residues[row, column], moduli[row, column]
            for others in range(most):
                theirs = moduli[others, later]
                divisors = np.gcd(theirs, modulus)
                meeting = ((residues[others, later] - residue) % divisors == 0) & present[others, later]
                if sizes is None:
                    total += [
                        float(Fraction(int(g), int(m) * int(modulus))) if meet else 0.0
                        for g, m, meet in zip(divisors, theirs, meeting, strict=True)
                    ]
                else:
                    total += np.where(meeting, divisors / float(modulus) / sizes[others, later], 0.0)
        # Rounded up, by more than either size of number can have lost.
        total = np.minimum(np.minimum(total, rates[later]), rates[column]) * (1 + 1e-6 * (size > IN_DOUBLES))
        matrix[column, later] = matrix[later, column] = total
    return matrix
