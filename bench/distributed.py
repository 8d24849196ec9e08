"""Which optimizer makes the best plans for several nodes: S Tables 9 and 10, Figure 40.

The 256 combinations of S Table 8, each with a workload of its own, planned by all thirteen optimizers; costs are
operations a time unit, with Omega as printed, since that is what the paper compares. Run times are given as ratios to
the cheapest optimizer of the same run. `--scale` divides the numbers of queries.

    python bench/distributed.py [--scale N] [--seeds N]
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean

from swagcore.optimizers import optimize
from swagcore.optimizers.workloads import workload

OPTIMIZERS = "g_rand w_rand wg_rand g_rr w_rr wg_rr g_tl w_tl wg_tl w_tn wg_tn w_i wg_i".split()  # noqa: SIM905
PAPER = {  # S Table 9: share of workloads where it is best, and how far from the best on average where it is not
    ("max_node_cost", "wg_i"): (0.80, 0.03),
    ("max_node_cost", "wg_tn"): (0.17, 0.48),
    ("cost", "wg_i"): (0.05, 0.09),
    ("cost", "wg_tn"): (0.90, 0.002),
}
PAPER_SECONDS = dict(
    zip(
        OPTIMIZERS,
        (0.01, 2.31, 0.02, 0.01, 2.34, 0.01, 0.01, 12.6, 9.11, 2.95, 2.83, 5.68, 3.94),
        strict=True,
    )
)
RESULTS = Path(__file__).parent / "results"
PLOTS = Path(__file__).parent.parent / "docs" / "plots"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=5, help="divides the 250 and 500 queries of the paper")
    parser.add_argument("--seeds", type=int, default=1, help="workloads for each combination")
    asked = parser.parse_args()
    grid = list(
        itertools.product(
            (250, 500),
            (4, 8, 16, 32),
            (10, 100),
            (25, 50),
            (0, 1),
            (10, 100),
            ("normal", "diverse"),
            range(asked.seeds),
        )
    )
    costs: dict[str, list[dict[str, float]]] = {"cost": [], "max_node_cost": []}
    seconds: dict[str, float] = defaultdict(float)
    for number, (count, nodes, rate, slide, skew, overlap, generator, seed) in enumerate(grid):
        queries = workload(count // asked.scale, slide, overlap, skew, generator, seed=seed * 1000 + number)
        found = {}
        for optimizer in OPTIMIZERS:
            begin = time.perf_counter()
            found[optimizer] = optimize(queries, rate, optimizer, nodes=nodes, seed=number, omega="paper")
            seconds[optimizer] += time.perf_counter() - begin
        for what, rows in costs.items():
            rows.append({optimizer: float(getattr(plan, what)) for optimizer, plan in found.items()})
    write(asked, len(grid), costs, seconds)


def write(
    asked: argparse.Namespace,
    workloads: int,
    costs: dict[str, list[dict[str, float]]],
    seconds: dict[str, float],
) -> None:
    lines = [
        "# Optimizers for several nodes",
        "",
        f"{workloads} workloads: the combinations of S Table 8 with {250 // asked.scale} and {500 // asked.scale} queries (the "
        f"paper: 250 and 500), {asked.seeds} each. Made by `python bench/distributed.py --scale {asked.scale} --seeds {asked.seeds}`.",
        "",
        "Best: the share of workloads where no optimizer is cheaper. Off: how much more it costs than the best on average, where it",
        "is not best. Place: the mean of (cost - best) / (worst - best), as in S Figure 40.",
        "",
        "| optimizer | total: best | off | place | max node: best | off | place | paper: total best, off | paper: max best, off | time | paper: time |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    least, paper_least = min(seconds.values()), min(PAPER_SECONDS.values())
    table = {}
    for optimizer in OPTIMIZERS:
        cells, row = [], {}
        for what, rows in costs.items():
            best = mean(one[optimizer] <= min(one.values()) * (1 + 1e-12) for one in rows)
            misses = [
                one[optimizer] / min(one.values()) - 1
                for one in rows
                if one[optimizer] > min(one.values()) * (1 + 1e-12)
            ]
            off = mean(misses) if misses else 0.0
            place = mean(
                (one[optimizer] - min(one.values())) / (max(one.values()) - min(one.values()) or 1)
                for one in rows
            )
            cells += [f"{best:.0%}", f"{off:.1%}", f"{place:.0%}"]
            row[what] = {"best": best, "off": off, "place": place}
        printed = [
            "{:.0%}, {:.1%}".format(*PAPER[what, optimizer]) if (what, optimizer) in PAPER else ""
            for what in costs
        ]
        times = [f"{seconds[optimizer] / least:.1f}", f"{PAPER_SECONDS[optimizer] / paper_least:.0f}"]
        lines.append(f"| {optimizer} | " + " | ".join([*cells, *printed, *times]) + " |")
        table[optimizer] = {**row, "seconds": seconds[optimizer] / workloads}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "distributed.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    kept = {"scale": asked.scale, "seeds": asked.seeds, "workloads": workloads, "optimizers": table}
    (RESULTS / "distributed.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print("\n".join(lines))
    try:
        plot(table)
    except ModuleNotFoundError as missing:
        print(f"no plot: {missing.name} is not installed")


def plot(table: dict[str, dict[str, dict[str, float]]]) -> None:
    """S Figure 40: where each optimizer stands on average between the best plan (0) and the worst (1)."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "swagcore"
    from matplotlib import pyplot

    drawing, axes = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for axis, (what, title) in zip(
        axes, (("max_node_cost", "max node cost"), ("cost", "total cost")), strict=True
    ):
        axis.bar(range(len(table)), [100 * row[what]["place"] for row in table.values()])
        axis.set_xticks(range(len(table)), list(table), rotation=60, fontsize=8)
        axis.set_title(title, fontsize=10)
    axes[0].set_ylabel("% of the way from best to worst")
    drawing.tight_layout()
    PLOTS.mkdir(parents=True, exist_ok=True)
    drawing.savefig(PLOTS / "distributed.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
