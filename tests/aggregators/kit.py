"""What the tests of the techniques share: their names by laws, and windows over values with `_check` and `query(n, lag)`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from swagcore.aggregators import Fifo, Technique, technique_class, technique_for, techniques
from swagcore.aggregators.flatfit import FlatFit
from swagcore.algebra import Aggregate

RANGES = [1, 2, 3, 5, 8, 13]
"""The ranges that are declared where a technique wants to know them."""

NAMES = [name for name in techniques() if name not in ("panes", "slickdeque", "auto")]
CLASSES: dict[str, type[Technique]] = {name: technique_class(name) for name in NAMES}


def maker(name: str, ranges: Iterable[int] = RANGES) -> Callable[[Aggregate], Technique]:
    """`factory(aggregate)` for a technique over partials; "flatfit stack-free" and "l_int declared" are variants."""
    if name == "flatfit stack-free":
        return functools.partial(FlatFit, stack_free=True)
    if name == "l_int declared":
        return lambda aggregate: technique_for("l_int", aggregate, ranges)
    if name == "slickdeque_inv":
        return lambda aggregate: technique_for(name, aggregate, ranges)
    return lambda aggregate: technique_for(name, aggregate)


VARIANTS = [*NAMES, "flatfit stack-free", "l_int declared"]
BLIND = [name for name in VARIANTS if name != "slickdeque_noninv"]
"""Those that run over words: the one that needs a selective aggregate cannot."""
MULTI = [name for name in BLIND if maker(name)(Aggregate("any", lift=str, combine=max, inverse=max)).multi]
HISTORICAL = [
    name for name in MULTI if maker(name)(Aggregate("any", lift=str, combine=max, inverse=max)).historical
]


class Lifted(Fifo):
    """The window that users have, with the technique's `_check` for the machines."""

    def __init__(self, name: str, aggregate: Aggregate) -> None:
        self.aggregate = aggregate
        self.technique = maker(name)(aggregate)

    def _check(self) -> None:
        self.technique._check()


def lifted(name: str) -> Callable[[Aggregate], Lifted]:
    return functools.partial(Lifted, name)


def askable(window: Any, n: int) -> bool:
    """Whether `query(n)` may be asked: of SlickDeque (Inv) only what was declared."""
    return window.name != "slickdeque_inv" or n in RANGES
