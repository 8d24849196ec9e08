"""Plan `auto`: which plan a set of queries is given, by what an event costs under each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from swagcore.spark import coverage
from swagcore.spark.job import Asked, Job

PLANS = ("naive", "slices", "coverage", "auto")

SHUFFLE = 2
"""What plan slices pays once more than one groupBy: the slices are sorted, sent to Python workers, and come back. In rows
aggregated an event; an estimate, under which the single queries of bench/spark_batch.py are no slower than by themselves."""

DERIVED = Fraction(1, 2)
"""What a window costs that is made from another one: a shuffle of its own, be it small."""


@dataclass(frozen=True)
class Estimate:
    """Rows that are aggregated for each event, under each plan; which plan is taken, and why."""

    naive: Fraction
    coverage: Fraction
    slices: Fraction
    plan: str
    why: str


def instances(one: Asked) -> Fraction:
    """In how many instances of its window an event is, on average."""
    return Fraction(one.window.range, one.window.slide)


def estimate(job: Job) -> Estimate:
    """What each plan costs for queries that can be shared."""
    naive = sum((1 + instances(one) for one in job.asked), Fraction(0))
    covered = Fraction(0)
    for graph, _ in coverage.graphs(job):
        for window in graph.children(None):
            covered += 1 + Fraction(window.range, window.slide)
        below = [window for window in graph.order if graph.parent[window] is not None]
        for window in below:
            covered += DERIVED + Fraction(graph.steps_of(window)) / window.slide / graph.events
    slices = Fraction(1 + SHUFFLE)
    costs = {"naive": naive, "coverage": covered, "slices": slices}
    plan = min(costs, key=lambda name: (costs[name], list(costs).index(name)))
    why = {
        "naive": "an event is in so few windows that nothing is saved by sharing",
        "coverage": "the windows are made from one another, without Python workers",
        "slices": "an event is aggregated once, instead of once for every window that it is in",
    }[plan]
    return Estimate(naive, covered, slices, plan, why)
