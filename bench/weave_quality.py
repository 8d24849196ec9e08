"""How good Weave Share's plans are: C §2.4 and Theorem 1, S Figures 42 to 46, with the papers' figures beside ours.

- Against the best plan of all, on small random sets: how often it is not found, and how much of the best saving is
  missed at the worst; on the conditions of C Theorem 1 and without them.
- Against the other optimizers, on the same kind of workload.
- The five experiments of S §7.3.2, scaled down: estimated plan costs by technique and optimizer.

    python bench/weave_quality.py [--instances N] [--queries N]
"""

from __future__ import annotations

import argparse
import json
import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import mean

from swagcore.cost import TECHNIQUES, CostModel
from swagcore.optimizers import optimize
from swagcore.optimizers.workloads import workload
from swagcore.windows import Query, Window

RESULTS = Path(__file__).parent / "results"
PLOTS = Path(__file__).parent.parent / "docs" / "plots"


def against_the_best(instances: int) -> list[dict[str, object]]:
    """Random sets of up to seven queries, planned by Weave Share and by looking at all partitions."""
    rows = []
    kinds = {
        "tumbling, lambda as in C Thm 1": (True, True),
        "tumbling, any lambda": (True, False),
        "ranges of 1 to 10 slides, any lambda": (False, False),
    }
    for kind, (tumbling, conditions) in kinds.items():
        source = random.Random(kind)
        missed, worst, worst_case = 0, Fraction(1), ""
        for _ in range(instances):
            slides = [source.randint(1, 60) for _ in range(source.randint(3, 7))]
            queries = [
                Query(f"q{number}", "max", Window(slide * (1 if tumbling else source.randint(1, 10)), slide))
                for number, slide in enumerate(slides)
            ]
            if conditions:
                model = CostModel()
                rate = 2 * max(model.edge_rate(pair) for pair in combinations(queries, 2))
            else:
                rate = Fraction(source.choice([1, 2, 5, 10, 20, 50, 100, 200]), 100)
            none, woven, best = (
                optimize(queries, rate, name, omega="paper")
                for name in ("no_share", "weave_share", "exhaustive")
            )
            if conditions and 2 * (len(queries) - len(woven.trees)) < len(queries) - len(best.trees):
                continue
            missed += woven.cost > best.cost
            if best.cost < none.cost:
                share = (none.cost - woven.cost) / (none.cost - best.cost)
                if share < worst:
                    worst, worst_case = (
                        share,
                        f"{[(q.window.range, q.window.slide) for q in queries]}, lambda {rate}",
                    )
        rows.append(
            {
                "instances": kind,
                "number": instances,
                "not the best plan": missed,
                "paper": "1 instance (C §2.4)",
                "least share of the best saving": round(float(worst), 3),
                "bound": "1/4 (C Thm 1)" if conditions else "",
                "at": worst_case,
            }
        )
        print(rows[-1], flush=True)
    return rows


def against_the_others(queries: int) -> list[dict[str, object]]:
    rows = []
    names = ["weave_share", "insert_then_weave", "local_search", "random", "no_share", "shared"]
    for rate in (1, 10, 100, 1000):
        asked = workload(queries, 100, 10, seed=rate)
        costs = {name: optimize(asked, rate, name, omega="paper").cost for name in names}
        rows.append(
            {
                "rate": rate,
                **{name: round(float(cost / costs["weave_share"]), 3) for name, cost in costs.items()},
            }
        )
        print(rows[-1], flush=True)
    return rows


EXPERIMENTS = {
    # figure: what varies, its values, SlickDeque against panes and TriWeave against Weave Share as S reports them
    "42": ("queries", (1, 10, 100), "5,000x", "8 %"),
    "43": ("slide", (10, 100, 1000, 10_000), "4,300x", "within 2 %"),
    "44": ("overlap", (100, 1000, 10_000, 100_000), "270,000x", "within 2 %"),
    "45": ("rate", (0.01, 0.1, 1, 10, 100), "3,000x", "18 %"),
    "46": ("skew", (-1, -0.5, 0, 0.5, 1), "4,200x", "5 %"),
}


def figures(seeds: int) -> list[dict[str, object]]:
    """S Table 12, with 50 queries in place of 100, up to 100 in place of 10,000, and slides up to 10,000 in place of 100,000."""
    rows = []
    for figure, (what, values, slickdeque, tri) in EXPERIMENTS.items():
        ratios, savings = [], {"paper": [], "counted": []}
        for value in values:
            given = {"queries": 50, "slide": 1000, "overlap": 10_000, "rate": 1.0, "skew": 0.0, what: value}
            for omega in ("paper", "counted"):
                costs: dict[tuple[str, str], float] = {}
                for technique in TECHNIQUES:
                    for optimizer in ("weave_share", "tri_weave"):
                        found = []
                        for seed in range(seeds):
                            asked = workload(
                                int(given["queries"]), int(given["slide"]), int(given["overlap"]),
                                given["skew"], "factors", seed,
                            )  # fmt: skip
                            plan = optimize(asked, given["rate"], optimizer, technique, omega=omega)
                            found.append(float(plan.cost))
                        costs[technique, optimizer] = mean(found)
                savings[omega] += [1 - costs[t, "tri_weave"] / costs[t, "weave_share"] for t in TECHNIQUES]
                if omega == "paper":
                    best = min(costs[name, "weave_share"] for name in ("slickdeque_inv", "slickdeque_noninv"))
                    ratios.append(costs["panes", "weave_share"] / best)
        rows.append(
            {
                "figure": f"S Figure {figure}",
                "varies": f"{what} {values[0]} to {values[-1]}",
                "panes / SlickDeque, at most": f"{max(ratios):,.0f}x",
                "paper": f"up to {slickdeque}",
                "TriWeave saves, mean, Omega as printed": f"{mean(savings['paper']):.1%}",
                "as counted": f"{mean(savings['counted']):.1%}",
                "paper's": tri,
            }
        )
        print(rows[-1], flush=True)
    return rows


def plot(rows: list[dict[str, str]]) -> None:
    """S Figures 42 - 46 in short: how much dearer panes are than SlickDeque at the most, and what TriWeave saves; paper and ours."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "swagcore"
    from matplotlib import pyplot

    def number(cell: str) -> float:
        return float("".join(mark for mark in cell if mark in "0123456789.-"))

    drawing, axes = pyplot.subplots(1, 2, figsize=(9, 3.4))
    columns = (
        ("panes / SlickDeque, at most", "paper", "panes / SlickDeque, at most"),
        ("TriWeave saves, mean, Omega as printed", "paper's", "TriWeave saves, %"),
    )
    for axis, (ours, paper, title) in zip(axes, columns, strict=True):
        places = range(len(rows))
        axis.bar([place - 0.2 for place in places], [number(row[ours]) for row in rows], 0.4, label="ours")
        axis.bar([place + 0.2 for place in places], [number(row[paper]) for row in rows], 0.4, label="paper")
        axis.set_xticks(places, [row["figure"].removeprefix("S ") for row in rows], fontsize=8)
        axis.set_title(title, fontsize=10)
    axes[0].set_yscale("log")
    axes[0].legend(fontsize=8)
    drawing.tight_layout()
    PLOTS.mkdir(parents=True, exist_ok=True)
    drawing.savefig(PLOTS / "weave_quality.svg", metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=120, help="small random sets of each kind")
    parser.add_argument("--queries", type=int, default=60, help="queries for the other optimizers")
    parser.add_argument("--seeds", type=int, default=1, help="workloads of each of S's experiments (S: ten)")
    asked = parser.parse_args()
    parts = {
        "Against the best plan": against_the_best(asked.instances),
        "Cost of the other optimizers, Weave Share = 1": against_the_others(asked.queries),
        "S §7.3.2": figures(asked.seeds),
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "weave_quality.json").write_text(json.dumps(parts, indent=1) + "\n")
    lines = ["# The quality of Weave Share's plans"]
    for title, rows in parts.items():
        names = list(rows[0])
        table = [names, ["---"] * len(names), *([str(row[name]) for name in names] for row in rows)]
        lines += ["", f"## {title}", "", *(f"| {' | '.join(cells)} |" for cells in table)]
    (RESULTS / "weave_quality.md").write_text("\n".join(lines) + "\n")
    try:
        plot(parts["S §7.3.2"])  # type: ignore[arg-type]  # all of its cells are text
    except ModuleNotFoundError as missing:
        print(f"no plot: {missing.name} is not installed")


if __name__ == "__main__":
    main()
