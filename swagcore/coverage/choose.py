"""Which way to compute a set of windows: from the stream, by a coverage graph, or by slices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from swagcore.algebra import Aggregate
from swagcore.coverage.cost import event_rate, steps
from swagcore.coverage.graph import Graph, min_cost
from swagcore.coverage.sets import window_set
from swagcore.coverage.slices import slice_cost
from swagcore.windows import Window

PLANS = ("stream", "coverage", "unshared panes", "unshared pairs", "shared panes", "shared pairs")


@dataclass(frozen=True)
class Choice:
    """The cheapest plan and what the others cost.

    - `plan`: one of "stream", "coverage", "unshared panes", "unshared pairs", "shared panes", "shared pairs"
    - `rates`: the steps of each plan a time unit; of equal ones the first in this order is chosen
    - `graph`: the coverage graph, the cheapest in the steady state
    - `reason`: why nothing but the stream was considered, where that is so

    >>> from swagcore.windows import Window
    >>> choice = choose([Window(20, 20), Window(40, 40)], aggregate="sum", rate=10)
    >>> choice.plan, sorted(choice.rates) == sorted(set(choice.rates))
    ('coverage', True)
    """

    plan: str
    rates: Mapping[str, Fraction]
    graph: Graph
    reason: str | None = None

    def explain(self) -> str:
        """A line a plan, the cheapest first.

        >>> print(choose([Window(20, 20), Window(30, 30)], "sum").explain())
        shared panes: 17/15 steps a time unit
        shared pairs: 17/15 steps a time unit
        coverage: 6/5 steps a time unit
        stream: 2 steps a time unit
        unshared panes: 25/12 steps a time unit
        unshared pairs: 25/12 steps a time unit
        """
        return "\n".join(
            f"{name}: {rate} steps a time unit"
            for name, rate in sorted(self.rates.items(), key=lambda item: item[1])
        )


def choose(
    windows: Iterable[Window], aggregate: str | Aggregate = "min", rate: int | float | Fraction = 1
) -> Choice:
    """The cheapest plan for an aggregate over windows in the steady state, at `rate` events a time unit.

    Steps of all plans are counted alike: an event put into a partial, or a partial combined into an answer.

    >>> choose([Window(10, 10), Window(20, 20), Window(40, 40)], "sum").plan
    'coverage'
    >>> choose([Window(7, 3), Window(11, 5)], "sum", rate=100).plan
    'shared pairs'
    >>> choose([Window(20, 20), Window(30, 30)], "median").plan
    'stream'
    """
    asked = window_set(windows)
    graph = min_cost(asked, aggregate, rate, minimize="rate")
    events = event_rate(rate)
    rates = {
        "stream": sum((Fraction(steps(w, None, events)) / w.slide for w in asked), Fraction(0)),
    }
    if graph.relation is not None:
        rates["coverage"] = graph.rate
        for shared in (False, True):
            for slicing in ("panes", "pairs"):
                name = f"{'shared' if shared else 'unshared'} {slicing}"
                rates[name] = slice_cost(asked, events, slicing, shared).rate
    plan = min(rates, key=lambda name: (rates[name], PLANS.index(name)))
    return Choice(plan, rates, graph, graph.reason)
