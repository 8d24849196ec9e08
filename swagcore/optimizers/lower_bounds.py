"""What two bunches cost together at the least, for a whole row of pairs at once, from numbers that each keeps of itself.

Needs numpy. Every bound holds for all edge rates from the given one on: Omega as counted grows with the edge rate, and
where the printed one does not (S Eq 7.4 falls where n passes a power of two), something below it does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from swagcore.cost import half_path, slices, slices_by_rate
from swagcore.optimizers.bunches import Bunch, Loom

Floats: TypeAlias = Any
"""An array of floats; numpy is an extra, so its types are not named here."""

Columns: TypeAlias = Callable[[Bunch], tuple[float, ...]]
Lower: TypeAlias = Callable[[Floats, Floats, Floats], Floats]
"""(the columns of one bunch, those of many as rows, at least so many edges a time unit) -> E * Omega at the least."""


def bound_for(loom: Loom) -> tuple[Columns, Lower]:
    """What a bunch keeps of itself, and how a row of bounds is made of it."""
    if loom.linear:
        return lambda bunch: (float(bunch.growth), float(bunch.constant)), _linear
    version, technique, slicing = loom.model.omega, loom.model.technique, loom.model.slicing

    def longest(bunch: Bunch) -> tuple[float, float]:
        window = max(bunch.windows, key=lambda window: window.range)
        growth, constant = slices_by_rate(window, slicing)
        return float(growth), float(constant)

    def flatfat(bunch: Bunch) -> tuple[float, ...]:
        asked = sum(
            (
                times * half_path(slices(window, bunch.edge_rate, slicing)) / window.slide
                for window, times in bunch.windows.items()
            ),
            Fraction(0),
        )
        return float(asked), *longest(bunch)

    def flatfit(bunch: Bunch) -> tuple[float, ...]:
        """What is asked, and the fastest slide. With more edges, a window of one slice gets more, and is asked as well."""
        fastest = max(
            (1 / window.slide for window in bunch.windows if window.range >= window.slide), default=0.0
        )
        walking = [
            1 / window.slide
            for window in bunch.windows
            if window.range >= window.slide and slices(window, bunch.edge_rate, slicing) != 1
        ]
        walked = float(bunch.edge_rate) - max(walking) if walking else 0.0
        return float(bunch.final) - walked, fastest

    def chain(bunch: Bunch) -> tuple[float, ...]:
        """How many of its counts stay different, however many edges come: each a slice and more above the one before."""
        counted, last = 0, -math.inf
        for window in sorted(bunch.windows, key=lambda window: window.range):
            n = float(slices(window, bunch.edge_rate, slicing))
            if n >= last + 1.000001:
                counted, last = counted + 1, n
        return (float(counted),)

    def printed_flatfat(bunch: Bunch) -> tuple[float, ...]:
        total = 0.0
        for window, times in bunch.windows.items():
            n = bunch.edge_rate * window.range
            total += times * (math.floor(n - 1).bit_length() - 0.5) if n >= 2 else 0
        return (total,)

    table: dict[tuple[str, str], tuple[Columns, Lower]] = {
        ("counted", "flatfat"): (flatfat, _flatfat),
        ("counted", "flatfit"): (flatfit, _flatfit),
        ("counted", "slickdeque_inv"): (chain, _slickdeque_inv),
        ("counted", "slickdeque_noninv"): (longest, _slickdeque_noninv),
        ("paper", "flatfat"): (printed_flatfat, _printed_flatfat),
        ("paper", "slickdeque_inv"): (
            lambda bunch: (float(len({window.range for window in bunch.windows})),),
            _printed_slickdeque_inv,
        ),
        ("paper", "slickdeque_noninv"): (
            lambda bunch: (float(max(w.range for w in bunch.windows)), float(bunch.windows.total())),
            _printed_slickdeque_noninv,
        ),
    }
    return table[version, technique]


def _linear(one: Floats, many: Floats, edge_rate: Floats) -> Floats:
    return (one[0] + many[0]) * edge_rate - (one[1] + many[1])


def _most(one: Floats, many: Floats, edge_rate: Floats) -> Floats:
    """The slices of the longest window of the two, at that edge rate."""
    import numpy as np

    n = np.maximum(one[0] * edge_rate + one[1], many[0] * edge_rate + many[1])
    return np.maximum(n, 1.0)


def _flatfat(one: Floats, many: Floats, edge_rate: Floats) -> Floats:
    import numpy as np

    share, power = np.frexp(_most(one[1:], many[1:], edge_rate))  # n = share * 2^power, share from 1/2 on
    return edge_rate * (power - 2 + 2 * share) / 2 + one[0] + many[0]


def _flatfit(one: Floats, many: Floats, edge_rate: Floats) -> Floats:
    import numpy as np

    most = np.maximum(one[1], many[1])
    return one[0] + many[0] + np.where(most > 0, np.maximum(edge_rate - most, 0), 0)


def _slickdeque_inv(one: Floats, many: Floats, edge_rate: Floats) -> Floats:
    import numpy as np

    counts = np.maximum(one[0], many[0])
    return edge_rate * np.where(counts > 1, 2 * counts - 2, 1)


def _slickdeque_noninv(one: Floats, many: Floats, edge_rate: Floats) -> Floats:
    return edge_rate * (2 - 2 / _most(one, many, edge_rate))


def _printed_flatfat(one: Floats, many: Floats, edge_rate: Floats) -> Floats:
    return edge_rate * (one[0] + many[0])


def _printed_slickdeque_inv(one: Floats, many: Floats, edge_rate: Floats) -> Floats:
    import numpy as np

    return edge_rate * np.maximum(one[0], many[0])


def _printed_slickdeque_noninv(one: Floats, many: Floats, edge_rate: Floats) -> Floats:
    import numpy as np

    n = np.maximum(edge_rate * np.maximum(one[0], many[0]), 1.0)
    return edge_rate * (3 - 2 / n + one[1] + many[1])
