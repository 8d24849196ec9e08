"""The pages on optimizers and on coverage: a handful of query sets, their plans as pictures, the cost before and after."""

from __future__ import annotations

from fractions import Fraction

import swagcore as sw
from docs import pictures
from swagcore.plan import shown

Spans = tuple[tuple[int, int], ...]

QUERY_SETS: dict[str, tuple[str, Spans]] = {
    "Slides that divide each other": (
        "Sharing adds no edge. It can add final aggregations, since all work on the shortest slices.",
        ((6, 2), (8, 4), (12, 4), (16, 8)),
    ),
    "Slides without a common divisor": (
        "Few edges meet, so a shared tree has many, and each query pays for those of the others.",
        ((14, 7), (10, 5), (12, 3)),
    ),
    "Two families": (
        "Multiples of 4 and of 6 share within the family; between families it depends on the ranges.",
        ((8, 4), (16, 8), (24, 12), (12, 6), (36, 18)),
    ),
    "Ranges that are no multiples of their slides": (
        "Pairs cut twice a slide, and the second cuts may or may not meet.",
        ((10, 4), (9, 6), (7, 3)),
    ),
}
OPTIMIZERS = ("no_share", "shared", "insert_then_weave", "weave_share", "exhaustive")

WINDOW_SETS: dict[str, tuple[str, str, Spans]] = {
    "W Example 1: four tumbling windows": (
        "Each is computed from the longest other one that divides it.",
        "min",
        ((10, 10), (20, 20), (30, 30), (40, 40)),
    ),
    "W Example 7: without the shortest": (
        "A factor window that nobody asked for pays for itself.",
        "min",
        ((20, 20), (30, 30), (40, 40)),
    ),
    "Hopping windows": (
        "Overlapping sub-aggregates do no harm to a minimum.",
        "min",
        ((12, 4), (24, 8), (36, 12), (40, 4)),
    ),
    "The same for a sum": (
        "A sum needs partitions: sub-aggregates that do not overlap.",
        "sum",
        ((12, 4), (24, 8), (36, 12), (40, 4)),
    ),
}


def optimizers() -> str:
    """The page on optimizers."""
    parts = [
        "# Optimizers",
        "Queries in one tree share their partials: they pay for the events once and for all edges of all of them. A plan "
        "says which queries share. Its cost a time unit is the sum over its trees of rate + E Ω: E edges a time unit, "
        "Ω final aggregations an edge. In the pictures a query shows its range and its slide; of a composite slide, every "
        "line has the edges of one query, and the last one those of all. Here one event arrives a time unit.",
    ]
    for name, (about, spans) in QUERY_SETS.items():
        queries = [sw.Query(f"q{i}", "max", sw.Window(*span)) for i, span in enumerate(spans, start=1)]
        plans = {optimizer: sw.optimize(queries, optimizer=optimizer) for optimizer in OPTIMIZERS}
        best = plans["weave_share"]
        before, after = plans["no_share"].cost, best.cost
        parts += [
            f"## {name}",
            about,
            f"Cost before, each query alone: **{shown(before)}**. After, by Weave Share: **{shown(after)}**, "
            f"{_saved(before, after)}.",
            pictures.plan(best),
        ]
        for number, tree in enumerate(best.trees, start=1):
            parts += [
                f"The composite slide of tree {number} ({', '.join(tree.names)}):",
                pictures.composite_slide(tree),
            ]
        rows = [
            f"| `{optimizer}` | {len(plan.trees)} | {shown(plan.cost)} | {_saved(before, plan.cost)} |"
            for optimizer, plan in plans.items()
        ]
        parts.append(
            "\n".join(["| optimizer | trees | cost | beside each alone |", "|---|--:|--:|---|", *rows])
        )
    return "\n\n".join(parts) + "\n"


def coverage() -> str:
    """The page on coverage."""
    parts = [
        "# Coverage",
        "A window can be computed from the results of another window that *covers* it, instead of from the events. A "
        "box shows range / slide and its cost over the period; the number at a line is how many steps one instance takes; a "
        "dashed box is a factor window, which nobody asked for. One event arrives a time unit.",
    ]
    for name, (about, aggregate, spans) in WINDOW_SETS.items():
        windows = [sw.Window(*span) for span in spans]
        graph = sw.coverage.min_cost(windows, aggregate=aggregate)
        plain = sw.coverage.min_cost(windows, aggregate=aggregate, factor_windows=False)
        alone = _alone(windows, graph.period)
        parts += [
            f"## {name}",
            about,
            f"`{aggregate}`, costs over a period of {graph.period}. Before, all from the stream: **{shown(alone)}**. After: "
            f"**{shown(Fraction(graph.cost))}**, {_saved(alone, Fraction(graph.cost))} "
            f"(without factor windows {shown(Fraction(plain.cost))}). "
            + ("No graph is cheaper." if graph.optimal else "Whether one is cheaper is not known."),
            pictures.coverage(graph),
        ]
    return "\n\n".join(parts) + "\n"


def _alone(windows: list[sw.Window], period: int) -> Fraction:
    """What the windows cost one by one: a graph of one window has no one to be computed from."""
    from swagcore.coverage.cost import recurrences, steps

    return sum(
        (Fraction(int(recurrences(window, period)) * steps(window, None, 1)) for window in windows),
        Fraction(0),
    )


def _saved(before: Fraction, after: Fraction) -> str:
    if before == after:
        return "the same"
    percent = round(float(100 * (before - after) / before))
    return f"{percent}% less" if percent >= 0 else f"{-percent}% more"
