"""The techniques by name, and the choice of one by the aggregate's laws."""

from __future__ import annotations

from collections.abc import Iterable

from swagcore.aggregators.b_int import BInt
from swagcore.aggregators.daba import Daba
from swagcore.aggregators.daba_lite import DabaLite
from swagcore.aggregators.flatfat import FlatFat
from swagcore.aggregators.flatfit import FlatFit
from swagcore.aggregators.l_int import LInt
from swagcore.aggregators.psoup import PSoup
from swagcore.aggregators.r_int import RInt
from swagcore.aggregators.recompute import Recompute
from swagcore.aggregators.slickdeque_inv import SlickDequeInv
from swagcore.aggregators.slickdeque_noninv import SlickDequeNonInv
from swagcore.aggregators.subtract_on_evict import SubtractOnEvict
from swagcore.aggregators.technique import LAWS, Technique, distinct_ranges
from swagcore.aggregators.two_stacks import TwoStacks
from swagcore.aggregators.two_stacks_lite import TwoStacksLite
from swagcore.algebra import Aggregate
from swagcore.errors import InvalidArgument, MissingLaw, UnknownName

_CLASSES: dict[str, type[Technique]] = {
    technique.name: technique
    for technique in (
        Recompute,
        SubtractOnEvict,
        RInt,
        FlatFat,
        BInt,
        LInt,
        PSoup,
        TwoStacks,
        Daba,
        FlatFit,
        SlickDequeInv,
        SlickDequeNonInv,
        TwoStacksLite,
        DabaLite,
    )
}
_ALIASES = {"panes": "recompute"}
_CHOICES = ("slickdeque", "auto")
_TAKE_RANGES = {"slickdeque_inv", "l_int"}


def techniques() -> list[str]:
    """The names that `technique_for` takes, aliases and the two that choose by the laws included.

    >>> {"recompute", "panes", "daba", "slickdeque", "auto"} <= set(techniques())
    True
    """
    return [*_CLASSES, *_ALIASES, *_CHOICES]


def technique_class(name: str) -> type[Technique]:
    """The class of that name. "slickdeque" and "auto" have none: they choose by the aggregate.

    >>> technique_class("panes").__name__
    'Recompute'
    >>> technique_class("auto")
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: technique is 'auto'; expected a technique itself, for this one is chosen by the aggregate
    """
    if isinstance(name, str):
        found = _CLASSES.get(_ALIASES.get(name, name))
        if found:
            return found
        if name in _CHOICES:
            raise InvalidArgument(
                "technique", name, "a technique itself, for this one is chosen by the aggregate"
            )
    raise UnknownName("technique", name, techniques())


def technique_for(name: str, aggregate: Aggregate, ranges: Iterable[int] | None = None) -> Technique:
    """An empty window of that technique for the aggregate; `ranges` are the n of the `query(n)` to come.

    "slickdeque" is slickdeque_inv for an aggregate with an inverse, slickdeque_noninv for a selective one. "auto" is
    the technique with the fewest combines and inverses a slide that the aggregate's laws allow:

    - selective: slickdeque_noninv, below 2, with or without ranges, and no operation for a query;
    - else with an inverse: subtract_on_evict, 2; with ranges slickdeque_inv, 2 a range;
    - else two_stacks_lite, below 3, its worst slide n (daba_lite has 4 and never more than 6: ask for it where no
      answer may be late); with ranges flatfit, where the longest one costs below 3 and the others reuse its work.

    >>> from swagcore.algebra import aggregate
    >>> [technique_for("auto", aggregate(name)).name for name in ("max", "sum", "median")]
    ['slickdeque_noninv', 'subtract_on_evict', 'two_stacks_lite']
    >>> technique_for("auto", aggregate("sum"), ranges=[3, 5]).name
    'slickdeque_inv'
    >>> technique_for("dabba", aggregate("sum"))
    Traceback (most recent call last):
        ...
    swagcore.errors.UnknownName: technique is 'dabba'; expected one of ... (did you mean 'daba'?)
    """
    declared = [] if ranges is None else distinct_ranges(ranges)
    technique = technique_class(_chosen(name, aggregate, multi=bool(declared)))
    if declared and technique.name in _TAKE_RANGES:
        return technique(aggregate, declared)  # type: ignore[call-arg]  # those two take them
    if declared and not technique.multi:
        several = ", ".join(sorted(known.name for known in _CLASSES.values() if known.multi))
        raise InvalidArgument(
            "ranges",
            declared,
            f"none: technique {technique.name!r} answers over the whole window only; those with ranges are {several}",
        )
    return technique(aggregate)


def _chosen(name: str, aggregate: Aggregate, *, multi: bool) -> str:
    if name == "slickdeque":
        if aggregate.invertible:
            return "slickdeque_inv"
        if aggregate.selective:
            return "slickdeque_noninv"
        raise MissingLaw(name, aggregate.name, " or ".join(LAWS.values()))
    if name == "auto":
        if aggregate.selective:
            return "slickdeque_noninv"
        if aggregate.invertible:
            return "slickdeque_inv" if multi else "subtract_on_evict"
        return "flatfit" if multi else "two_stacks_lite"
    return name
