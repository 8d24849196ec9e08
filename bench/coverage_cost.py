"""What window sets cost under each technique: the comparisons of W Figures 11 to 15, by exact counting.

Ten random sets a figure, by the generators of W §5.2. Costs are steps a time unit in the steady state, so that graphs
and slices, which the paper counts over different periods, can be compared:

- BL: every window from the stream. UP, SP: unshared and shared paired slices, counted right (see coverage.slices).
- WCG: W Algorithm 1. WCG-FW: the better one of W Algorithms 1 and 2, mended. Both chosen over the paper's period.
- ours: `min_cost`, for the steady state; `optimal` says whether that is proved to be the least over all factor windows.

The paper does not say which s_max and k_max it used, so that its figures cannot be compared number by number.

    python bench/coverage_cost.py [--sets N] [--windows N]   # writes results/coverage_cost.json and .md, docs/plots
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from swagcore.coverage import min_cost
from swagcore.coverage.network import Network
from swagcore.coverage.paper import paper_factors
from swagcore.coverage.slices import slice_cost
from swagcore.coverage.workloads import chain_gen, random_gen, random_graph_gen, star_gen
from swagcore.windows import Window

HERE = Path(__file__).parent
RESULTS, PLOTS = HERE / "results", HERE.parent / "docs" / "plots"
TECHNIQUES = ("BL", "UP", "SP", "WCG", "WCG-FW", "ours")


def figures(windows: int) -> dict[str, tuple[Callable[[int, bool], list[Window]], tuple[int, ...]]]:
    """Of each figure: a set from a seed, general or tumbling, and the event rates."""

    def by_graph(seed: int, tumbling: bool) -> list[Window]:
        return random_graph_gen(seed, tumbling=tumbling)

    return {
        "11 and 12, RandomGen": (lambda seed, t: random_gen(windows, seed, tumbling=t), (1, 10, 100)),
        "13, ChainGen": (lambda seed, t: chain_gen(windows, seed, tumbling=t), (100,)),
        "14, StarGen": (lambda seed, t: star_gen(windows, seed, tumbling=t), (100,)),
        "15, RandomGraphGen": (by_graph, (100,)),
    }


def costs(windows: list[Window], tumbling: bool, events: int) -> dict[str, Any]:
    """The steps a time unit of each technique for one set."""
    relation, aggregate = ("partitioned by", "sum") if tumbling else ("covered by", "min")
    baseline = sum((Fraction(events * w.range, w.slide) for w in windows), Fraction(0))
    wcg, with_factors = (
        Network.of(windows, factors, relation, events, "rate")
        for factors in ([], paper_factors(windows, relation, events))
    )
    begun = time.perf_counter()
    ours = min_cost(windows, aggregate, events, minimize="rate")
    seconds = time.perf_counter() - begun
    ours._check()
    return {
        "windows": [(w.range, w.slide) for w in windows],
        "BL": baseline,
        "UP": slice_cost(windows, events, "pairs", shared=False).rate,
        "SP": slice_cost(windows, events, "pairs", shared=True).rate,
        "WCG": Fraction(wcg.cost([]), wcg.scale),
        "WCG-FW": Fraction(with_factors.cost(range(len(with_factors.nodes))), with_factors.scale),
        "ours": ours.rate,
        "factors": len(ours.factors),
        "optimal": ours.optimal,
        "gap": Fraction(ours.gap) / ours.rate,
        "seconds": round(seconds, 2),
    }


def run(sets: int, windows: int) -> list[dict[str, Any]]:
    """One entry a panel: a figure, general or tumbling, and an event rate."""
    panels = []
    for figure, (generate, rates) in figures(windows).items():
        for tumbling in (False, True):
            for events in rates:
                rows = [costs(generate(seed, tumbling), tumbling, events) for seed in range(sets)]
                panels.append({"figure": figure, "tumbling": tumbling, "events": events, "sets": rows})
                print(f"figure {figure}, {'tumbling' if tumbling else 'general'}, {events} a time unit")
    return panels


def table(panels: list[dict[str, Any]]) -> str:
    """Each technique's cost as a multiple of ours, geometric mean and worst, as a Markdown table."""
    lines = [
        "# Costs of window sets",
        "",
        "Steps a time unit as a multiple of ours: geometric mean over the sets, and the largest in parentheses.",
        "`optimal`: sets for which ours is proved to be the cheapest graph with any factor windows.",
        "",
        f"| figure | windows | events | {' | '.join(TECHNIQUES[:-1])} | optimal | slowest search |",
        "|---|---|---|" + "---|" * (len(TECHNIQUES) + 1),
    ]
    for panel in panels:
        rows = panel["sets"]
        cells = []
        for name in TECHNIQUES[:-1]:
            ratios = [float(row[name] / row["ours"]) for row in rows]
            cells.append(f"{geometric_mean(ratios):.3f} ({max(ratios):.3f})")
        proved = sum(row["optimal"] for row in rows)
        lines.append(
            f"| {panel['figure']} | {'tumbling' if panel['tumbling'] else 'general'} | {panel['events']} | "
            f"{' | '.join(cells)} | {proved} of {len(rows)} | {max(row['seconds'] for row in rows):.1f} s |"
        )
    return "\n".join(lines) + "\n"


def plot(panels: list[dict[str, Any]]) -> None:
    """One picture a figure: a panel for each kind of windows and rate, costs on a logarithmic axis."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "swagcore"
    from matplotlib import pyplot

    for figure in dict.fromkeys(panel["figure"] for panel in panels):
        chosen = [panel for panel in panels if panel["figure"] == figure]
        drawing, axes = pyplot.subplots(1, len(chosen), figsize=(4 * len(chosen), 3.4), squeeze=False)
        for axis, panel in zip(axes[0], chosen, strict=True):
            for name, mark in zip(TECHNIQUES, "sv^xo+", strict=True):
                axis.plot([float(row[name]) for row in panel["sets"]], marker=mark, label=name, linewidth=0.8)
            axis.set_yscale("log")
            axis.set_title(
                f"{'tumbling' if panel['tumbling'] else 'general'} windows, rate {panel['events']}",
                fontsize=9,
            )
            axis.set_xlabel("window set")
        axes[0][0].set_ylabel("steps a time unit")
        axes[0][0].legend(fontsize=7)
        drawing.tight_layout()
        name = figure.split(", ")[1].lower()
        PLOTS.mkdir(parents=True, exist_ok=True)
        drawing.savefig(PLOTS / f"coverage_{name}.svg", metadata={"Date": None})
        pyplot.close(drawing)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=int, default=10, help="random sets a panel")
    parser.add_argument("--windows", type=int, default=5, help="windows a set; RandomGraphGen always has 12")
    options = parser.parse_args()
    panels = run(options.sets, options.windows)
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"windows": options.windows, "panels": panels}, indent=1, default=str)
    (RESULTS / "coverage_cost.json").write_text(text + "\n", encoding="utf-8")
    (RESULTS / "coverage_cost.md").write_text(table(panels), encoding="utf-8")
    print(table(panels))
    try:
        plot(panels)
    except ModuleNotFoundError as missing:
        print(f"no plots: {missing.name} is not installed")


if __name__ == "__main__":
    main()
