"""The min-cost graph: each window computed from the stream or from another window, at the least cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from swagcore.algebra import Aggregate
from swagcore.algebra import aggregate as named
from swagcore.coverage.cost import Exact, event_rate, period_of, recurrences, steps, whole_if_possible
from swagcore.coverage.relation import holds, holistic, relation_for
from swagcore.coverage.search import search
from swagcore.coverage.sets import window_set, without_lag
from swagcore.errors import InvalidArgument, UnknownName
from swagcore.windows import Window


@dataclass(frozen=True)
class Graph:
    """Where each window of a set is computed from, and what that costs.

    - Ask it: `parent[window]` (None: from the stream), `factors` (windows that nobody asked for), `order` (all windows,
      each after its parent), `children`, `explain()`.
    - Costs: `cost` over `period`, the lcm of the ranges, as in W §3.2; `rate`, in the steady state, per time unit;
      `cost_of(window)`.
    - `relation`: what every edge rests on, "covered by" or "partitioned by"; None where the aggregate is holistic,
      everything comes from the stream, and `reason` says so.
    - `optimal`: no graph costs less, in what was `minimized`, whatever factor windows it has; where it is False, none
      costs less by more than `gap`.

    >>> g = min_cost([Window(20, 20), Window(30, 30), Window(40, 40)], "min")
    >>> g.cost, g.period, g.factors, g.parent[Window(40, 40)]
    (150, 120, (Window(range=10, slide=10),), Window(range=20, slide=20))
    """

    windows: tuple[Window, ...]
    aggregate: Aggregate
    events: Exact
    parent: Mapping[Window, Window | None]
    factors: tuple[Window, ...]
    relation: str | None
    reason: str | None
    minimized: str
    gap: Exact

    @property
    def order(self) -> tuple[Window, ...]:
        """All windows, factor windows included, each after its parent."""
        return tuple(self.parent)

    @property
    def period(self) -> int:
        """The lcm of the ranges of the windows asked for."""
        return period_of(self.windows)

    @property
    def cost(self) -> Exact:
        """The steps of all windows over the period."""
        return whole_if_possible(sum(map(self.cost_of, self.parent)))

    @property
    def rate(self) -> Fraction:
        """The steps of all windows per time unit, in the steady state."""
        return sum((Fraction(self.steps_of(window)) / window.slide for window in self.parent), Fraction(0))

    @property
    def optimal(self) -> bool:
        """Whether no other choice of factor windows is better."""
        return self.gap == 0

    def steps_of(self, window: Window) -> Exact:
        """The steps of one instance of a window: events read, or sub-aggregates of its parent."""
        return steps(window, self.parent[window], self.events)

    def cost_of(self, window: Window) -> Exact:
        """The steps of one window over the period."""
        return int(recurrences(window, self.period)) * self.steps_of(window)

    def children(self, window: Window | None) -> tuple[Window, ...]:
        """The windows computed from a window; from the stream for None."""
        return tuple(child for child, parent in self.parent.items() if parent == window)

    def explain(self) -> str:
        """The graph as text: one line a window, below the window it is computed from.

        >>> print(min_cost([Window(20, 20), Window(30, 30), Window(40, 40)], "min").explain())
        min over 3 windows: cost 150 over a period of 120, 5/4 steps a time unit; from the stream alone 360 and 3
        stream, 1 event a time unit
          Window(range=10, slide=10): factor window, 10 events an instance, cost 120
            Window(range=20, slide=20): 2 sub-aggregates an instance, cost 12
              Window(range=40, slide=40): 2 sub-aggregates an instance, cost 6
            Window(range=30, slide=30): 3 sub-aggregates an instance, cost 12
        """
        alone = [int(recurrences(w, self.period)) * steps(w, None, self.events) for w in self.windows]
        alone_rate = sum(Fraction(steps(w, None, self.events)) / w.slide for w in self.windows)
        lines = [
            f"{self.aggregate.name} over {len(self.windows)} windows: cost {self.cost} over a period of {self.period}, "
            f"{self.rate} steps a time unit; from the stream alone {whole_if_possible(sum(alone))} and {alone_rate}"
        ]
        if self.reason:
            lines.append(self.reason)
        lines.append(f"stream, {self.events} event{'' if self.events == 1 else 's'} a time unit")

        def show(window: Window, depth: int) -> None:
            role = "factor window, " if window in self.factors else ""
            read = "events" if self.parent[window] is None else "sub-aggregates"
            read = read.removesuffix("s") if self.steps_of(window) == 1 else read
            lines.append(
                f"{'  ' * depth}{window!r}: {role}{self.steps_of(window)} {read} an instance, "
                f"cost {whole_if_possible(self.cost_of(window))}"
            )
            for child in self.children(window):
                show(child, depth + 1)

        for root in self.children(None):
            show(root, 1)
        return "\n".join(lines)

    def _check(self) -> None:
        """Every window is there, and every edge is in the relation that it rests on."""
        assert set(self.windows) | set(self.factors) == set(self.parent), self
        assert not set(self.windows) & set(self.factors), self
        seen: set[Window] = set()
        for window, parent in self.parent.items():
            if parent is not None:
                assert parent in seen, f"{window} stands before its parent {parent}"
                assert self.relation is not None and holds(self.relation, window, parent), (window, parent)
            seen.add(window)


def min_cost(
    windows: Iterable[Window],
    aggregate: str | Aggregate = "min",
    rate: int | float | Fraction = 1,
    factor_windows: bool = True,
    *,
    minimize: str = "cost",
) -> Graph:
    """The cheapest graph for an aggregate over a set of windows, at `rate` events a time unit.

    Without factor windows it is W Algorithm 1: every window takes the cheapest of the stream and the other windows,
    which is optimal because these choices do not depend on each other. With them see `coverage.search`: never worse, and
    optimal where `Graph.optimal` says so. A window given twice is computed once; windows that differ in their lag alone
    have the same answers, and the later ones read them from the first.

    `minimize`: "cost", over the period, as W does; or "rate", in the steady state, which is what a long stream costs.

    >>> min_cost([Window(10, 10), Window(20, 20), Window(30, 30), Window(40, 40)], "sum").cost
    150
    >>> min_cost([Window(10, 2)], "sum").factors, min_cost([Window(10, 2)], "sum", minimize="rate").factors
    ((), (Window(range=2, slide=2),))
    >>> min_cost([Window(20, 20), Window(40, 40)], "median").reason
    "aggregate 'median' is holistic: its sub-aggregates hold all their values, so that sharing them saves nothing"
    """
    asked = window_set(windows)
    function = named(aggregate)
    events = event_rate(rate)
    if asked[0].by_count and events != 1:
        raise InvalidArgument("rate", rate, "1 for windows that count events: their time unit is one event")
    if not isinstance(factor_windows, bool):
        raise InvalidArgument("factor_windows", factor_windows, "True or False")
    if minimize not in ("cost", "rate"):
        raise UnknownName("minimize", minimize, ["cost", "rate"])
    reason = holistic(function)
    relation = None if reason else relation_for(function)

    leaders: dict[Window, Window] = {}  # the windows without their lag, and who stands for them
    for window in sorted(asked, key=lambda window: window.lag):
        leaders.setdefault(without_lag(window), window)
    found = search(list(leaders), relation, events, minimize, factor_windows)
    parent: dict[Window, Window | None] = {}
    for window, above in found.parent.items():
        parent[leaders.get(window, window)] = None if above is None else leaders.get(above, above)
    for window in asked:
        if window not in parent:
            parent[window] = leaders[without_lag(window)] if relation else None
    factors = tuple(window for window in parent if window not in asked)
    return Graph(asked, function, events, parent, factors, relation, reason, minimize, found.gap)
