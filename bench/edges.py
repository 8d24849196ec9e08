"""Counting edges: bit set, F1, F1 with a table of GCDs, and the search. S Table 6 and Figures 34 - 39.

The workloads of S Table 5 are planned by Weave Share, and the sets of edges that the planner asks for, and those that its
trees have on the way, are counted by each method, in turn. The paper plans once with each method and divides the run times; here the counting alone is timed, on
the same sets, and a method that refuses a set (a composite slide that is too long, too many slides) is out, as the
paper's bit set is when it runs out of memory. Two things differ: our planner asks for far fewer sets than the paper's,
but the harder ones, and our bit set marks a machine word at a time. So that the methods themselves can be compared, the
operations that S §5.3 counts are given beside the times.

    python bench/edges.py [--scale N] [--turns N]
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import mean, median
from typing import Any
from unittest import mock

from swagcore import cost, edges
from swagcore.edges import best, bitset, f1, f1_table
from swagcore.edges.classes import Class, reduced
from swagcore.errors import SwagError
from swagcore.optimizers import optimize
from swagcore.optimizers.workloads import workload

MOST_BITS, MOST_CLASSES = 1 << 27, 16  # what the run lets the bit set and F1 try: seconds, not minutes
METHODS: dict[str, Callable[[Any], object]] = {
    "bitset": bitset.edges,
    "f1": f1.edges,
    "f1_table": f1_table.edges,
    "best": best.density,
}
RESULTS = Path(__file__).parent / "results"
PLOTS = Path(__file__).parent.parent / "docs" / "plots"

# S Table 5: queries, largest slide, input rate, skew, largest overlap, generator. The varied one is a list.
EXPERIMENTS: dict[int, tuple[str, dict[str, Any]]] = {
    1: ("count", {"count": [100, 550, 10_000, 100_000, 1_000_000], "slide": 1000, "rate": "0.002"}),
    2: ("slide", {"count": 1000, "slide": [100, 800, 3000, 10_000], "rate": "1"}),
    3: ("rate", {"count": 1000, "slide": 100, "rate": ["100", "900", "10000", "100000", "1000000"]}),
    4: ("skew", {"count": 50, "slide": 500, "rate": "0.1", "skew": [0, 1, 2.25, 10, 100]}),
    5: ("overlap", {"count": 1000, "slide": 600, "rate": "1", "overlap": [100, 40, 10, 1]}),
}
REST = {
    1: {"skew": 0.5, "overlap": 10, "generator": "normal"},
    2: {"skew": 3, "overlap": 100, "generator": "diverse"},
    3: {"skew": 1, "overlap": 1000, "generator": "normal"},
    4: {"overlap": 100, "generator": "normal"},
    5: {"skew": 3, "generator": "diverse"},
}
# S Table 6: how far the bit set and F1 got, BS / F1 on average and at most, what the table gains.
PAPER = {
    1: ("550", "1M", 350, 790, 28),
    2: ("800", "10K", 2200, 10_000, 18),
    3: ("900", "1M", 3800, 16_000, 19),
    4: ("2.25", "100", 14_000, 60_000, 18),
    5: ("40", "1", 5600, 16_000, 26),
}


def asked_sets(parameters: dict[str, Any], seed: int) -> list[frozenset[Class]]:
    """The sets of edges that Weave Share asks for while it plans a workload, and its trees as they grow, query by query.

    Sets of one class are left out, unless there are no others: they cost nothing by any method.
    """
    queries = workload(
        parameters["count"],
        parameters["slide"],
        parameters["overlap"],
        parameters["skew"],
        parameters["generator"],
        seed=seed,
    )
    asked: dict[frozenset[Class], None] = {}

    def remember(classes: Iterable[Class], **options: Any) -> Fraction:
        classes = frozenset(classes)
        asked[classes] = None
        return edges.density(classes, **options)

    with mock.patch.object(cost, "density", remember):
        plan = optimize(queries, Fraction(parameters["rate"]), "weave_share", omega="paper")
    for tree in plan.trees:
        grown: set[Class] = set()
        for window in dict.fromkeys(query.window for query in tree.queries):
            grown.update(window.edges())
            asked[frozenset(grown)] = None
    return [classes for classes in asked if len(classes) > 1] or list(asked)


def seconds(method: Callable[[Any], object], classes: Any, turns: int) -> float | None:
    """Processor time, the best of some turns; None where the method refuses."""
    found = math.inf
    for turn in range(turns):
        begin = time.process_time()
        try:
            method(classes)
        except SwagError:
            return None
        found = min(found, time.process_time() - begin)
        if found > 0.05 and turn:  # the first fills the table of GCDs
            break
    return found


def operations(classes: Iterable[Class]) -> tuple[int, int]:
    """What S §5.3 counts, after the classes inside others are dropped: of the bit set, and of F1 at worst."""
    slides = [modulus for _, modulus in reduced(list(classes))]
    period = math.lcm(*slides)
    return sum(period // slide for slide in slides), len(slides) * 2 ** (len(slides) - 1)


def run_point(parameters: dict[str, Any], seed: int, turns: int, most: int) -> dict[str, Any]:
    """One workload: its sets, and what each method took for them."""
    sets = asked_sets(parameters, seed)
    chosen = random.Random(seed).sample(sets, most) if len(sets) > most else sets
    rows = []
    for classes in chosen:
        times = {name: seconds(method, classes, turns) for name, method in METHODS.items()}
        rows.append({"classes": len(classes), "operations": operations(classes), "seconds": times})
    both = [row for row in rows if row["seconds"]["bitset"] and row["seconds"]["f1"]]

    def quotient(above: str, below: str, among: Sequence[dict[str, Any]]) -> float | None:
        usable = [row["seconds"] for row in among if row["seconds"][above] and row["seconds"][below]]
        return sum(row[above] for row in usable) / sum(row[below] for row in usable) if usable else None

    return {
        "sets": len(sets),
        "timed": len(chosen),
        "refused": {name: sum(row["seconds"][name] is None for row in rows) for name in METHODS},
        "largest": max((row["classes"] for row in rows), default=0),
        "bitset/f1": quotient("bitset", "f1", rows),
        "f1/f1_table": quotient("f1", "f1_table", rows),
        "bitset/best": quotient("bitset", "best", rows),
        "f1/best": quotient("f1", "best", rows),
        "operations bitset/f1": median([row["operations"][0] / row["operations"][1] for row in both] or [0]),
        "best seconds": sum(row["seconds"]["best"] or 0 for row in rows),
        "best against the best other": [
            row["seconds"]["best"] / min(t for name, t in row["seconds"].items() if t and name != "best")
            for row in rows
            if row["seconds"]["best"] and any(t for name, t in row["seconds"].items() if name != "best")
        ],
    }


def figure_34() -> list[dict[str, Any]]:
    """Operations for the slides 1, ..., n, multiples kept, as S §5.3 counts them."""
    rows = []
    for n in (1, 2, 5, 6, 7, 10, 15, 20, 25, 30):
        period = math.lcm(*range(1, n + 1))
        bits, groups = sum(period // slide for slide in range(1, n + 1)), n * 2 ** (n - 1)
        rows.append({"n": n, "bitset": bits, "f1": groups, "quotient": bits / groups})
    return rows


def large_sets(turns: int) -> list[dict[str, Any]]:
    """What is far beyond the bit set and F1, with the search."""
    source = random.Random(7)

    def shifted(slides: Iterable[int]) -> set[Class]:
        return {(source.randrange(slide), slide) for slide in slides}

    sets: dict[str, set[Class]] = {
        "slides 2 .. 1,000, no shifts": {(0, slide) for slide in range(2, 1001)},
        "slides 501 .. 1,000, no shifts": {(0, slide) for slide in range(501, 1001)},
        "300 of 100 .. 1,000, no shifts": {(0, slide) for slide in source.sample(range(100, 1001), 300)},
        "100 of 2 .. 1,000, random shifts": shifted(source.sample(range(2, 1001), 100)),
        "200 of 2 .. 1,000, random shifts": shifted(source.sample(range(2, 1001), 200)),
        "300 of 2 .. 1,000, random shifts": shifted(source.sample(range(2, 1001), 300)),
        "100 of 501 .. 1,000, random shifts": shifted(source.sample(range(501, 1001), 100)),
        "200 of 501 .. 1,000, random shifts": shifted(source.sample(range(501, 1001), 200)),
    }
    rows = []
    for name, classes in sets.items():
        took = seconds(best.density, classes, turns)
        rows.append({"set": name, "left": len(reduced(classes)), "seconds": took})
    return rows


def small_sets(turns: int) -> list[float]:
    """The search against the best of the others: 2 to 14 slides up to 12, 60, 300 and 1,000, half of them with shifts."""
    source, quotients = random.Random(3), []
    for largest in (12, 60, 300, 1000):
        for number in range(50):
            n = source.randint(2, 14)
            slides = [source.randint(2, largest) for _ in range(n)]
            classes = {(source.randrange(slide) if number % 2 else 0, slide) for slide in slides}
            times = {name: seconds(method, classes, turns) for name, method in METHODS.items()}
            others = [took for name, took in times.items() if took and name != "best"]
            if others and times["best"]:
                quotients.append(times["best"] / min(others))
    return quotients


def shown(number: float | None) -> str:
    return "-" if number is None else f"{number:,.0f}" if number >= 100 else f"{number:.2g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--scale", type=int, default=10, help="divides the largest number of queries, 1,000,000"
    )
    parser.add_argument(
        "--turns", type=int, default=3, help="each set is counted so often, and the best time kept"
    )
    parser.add_argument(
        "--most", type=int, default=60, help="at most so many sets of a workload are timed, drawn at random"
    )
    asked = parser.parse_args()
    bitset.MOST_BITS, f1.MOST_CLASSES = MOST_BITS, MOST_CLASSES
    results: dict[str, Any] = {
        "scale": asked.scale,
        "turns": asked.turns,
        "most": asked.most,
        "experiments": {},
    }
    for number, (varied, parameters) in EXPERIMENTS.items():
        points = []
        for value in parameters[varied]:
            if number == 1 and value > 1_000_000 // asked.scale:
                continue
            point = {**REST[number], **parameters, varied: value}
            points.append({"value": str(value), **run_point(point, number, asked.turns, asked.most)})
            print(f"experiment {number}, {varied} = {value}: {points[-1]['sets']} sets", flush=True)
        results["experiments"][number] = {"varied": varied, "points": points}
    results["figure 34"] = figure_34()
    results["large"] = large_sets(asked.turns)
    quotients = small_sets(asked.turns)
    results["small"] = {"sets": len(quotients), "median": median(quotients), "largest": max(quotients)}
    report(results)


def report(results: dict[str, Any]) -> None:
    lines = [
        "# Counting edges",
        "",
        f"Made by `python bench/edges.py --scale {results['scale']} --turns {results['turns']} --most {results['most']}`. Quotients of times, of one run "
        "and over the sets that both methods count;",
        f"the bit set is stopped at {MOST_BITS} bits and F1 at {MOST_CLASSES} slides. Refused: how many of the timed sets a "
        "method does not count for that reason.",
        "Paper: S Table 6, quotients of the run times of whole planners. Operations: the median of what S §5.3 counts, "
        "over the same sets.",
        "",
        "| experiment | varied | sets (timed) | most classes | refused: bitset, f1, best | bitset / f1 | operations | f1 / f1_table | bitset / best | f1 / best | best, s |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for number, experiment in results["experiments"].items():
        for point in experiment["points"]:
            refused = point["refused"]
            cells = [
                str(number),
                f"{experiment['varied']} = {point['value']}",
                f"{point['sets']} ({point['timed']})",
                str(point["largest"]),
                f"{refused['bitset']}, {refused['f1']}, {refused['best']}",
                *(
                    shown(point[key])
                    for key in ("bitset/f1", "operations bitset/f1", "f1/f1_table", "bitset/best", "f1/best")
                ),
                f"{point['best seconds']:.3f}",
            ]
            lines.append("| " + " | ".join(cells) + " |")
    lines += [
        "",
        "## S Table 6",
        "",
        "| experiment | bit set gets to (paper) | f1 (paper) | best | bitset / f1: average, largest (paper) | f1 against f1_table (paper) |",
        "|---|---|---|---|---|---|",
    ]
    for number, experiment in results["experiments"].items():
        reached = {}
        for name in ("bitset", "f1", "best"):
            ok = []
            for point in experiment["points"]:
                if point["refused"][name]:
                    break
                ok.append(point["value"])
            reached[name] = ok[-1] if ok else "none"
        quotients = [point["bitset/f1"] for point in experiment["points"] if point["bitset/f1"]]
        gains = [point["f1/f1_table"] for point in experiment["points"] if point["f1/f1_table"]]
        paper = PAPER[int(number)]
        average = f"{shown(mean(quotients))}, {shown(max(quotients))}" if quotients else "-"
        gain = f"{(1 - 1 / mean(gains)):.0%}" if gains else "-"
        lines.append(
            f"| {number} | {reached['bitset']} ({paper[0]}) | {reached['f1']} ({paper[1]}) | {reached['best']} | "
            f"{average} ({paper[2]:,}, {paper[3]:,}) | {gain} ({paper[4]}%) |"
        )
    lines += [
        "",
        "## S Figure 34: operations for the slides 1, ..., n",
        "",
        "| n | bit set | F1 | quotient |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {row['n']} | {row['bitset']:,} | {row['f1']:,} | {row['quotient']:.3g} |"
        for row in results["figure 34"]
    ]
    lines += [
        "",
        "## Sets beyond the other methods, by `best`",
        "",
        "| set | classes in no other | s |",
        "|---|---|---|",
    ]
    lines += [f"| {row['set']} | {row['left']} | {row['seconds']:.3f} |" for row in results["large"]]
    planned = [
        q
        for e in results["experiments"].values()
        for p in e["points"]
        for q in p["best against the best other"]
    ]
    small = results["small"]
    lines += [
        "",
        f"`best` takes {small['median']:.2f} times as long as the best of the others, in the median over {small['sets']} small sets "
        "(2 to 14 slides up to 12, 60, 300 and 1,000, half",
        f"of them with shifts), {small['largest']:.2f} times at most; over the {len(planned)} planned sets above that another method counts, "
        f"{median(planned):.2f} in the median.",
    ]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "edges.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for experiment in results["experiments"].values():
        for point in experiment["points"]:
            point["best against the best other"] = median(point["best against the best other"] or [0])
    (RESULTS / "edges.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print("\n".join(lines))
    plot(results)


def plot(results: dict[str, Any]) -> None:
    try:
        import matplotlib
    except ImportError:
        print("no matplotlib, no plots")
        return
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "edges"  # the same file from the same figures
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(2, 3, figsize=(13, 7), layout="constrained")
    first, *others = panels.flat
    rows = results["figure 34"]
    first.plot([row["n"] for row in rows], [row["bitset"] for row in rows], "o-", label="bit set")
    first.plot([row["n"] for row in rows], [row["f1"] for row in rows], "s-", label="F1")
    first.set(yscale="log", title="operations, slides 1 .. n (S Fig 34)", xlabel="n")
    first.legend()
    for panel, (number, experiment) in zip(others, results["experiments"].items(), strict=True):
        labels = [point["value"] for point in experiment["points"]]
        for key, mark in (("bitset/best", "o-"), ("f1/best", "s-"), ("bitset/f1", "^--")):
            values = [point[key] or float("nan") for point in experiment["points"]]
            panel.plot(labels, values, mark, label=key)
        panel.axhline(1, color="grey", linewidth=0.5)
        panel.set(
            yscale="log",
            xlabel=experiment["varied"],
            title=f"quotient of times, experiment {number} (S Fig {34 + int(number)})",
        )
        panel.legend()
    PLOTS.mkdir(parents=True, exist_ok=True)
    figure.savefig(PLOTS / "edges_methods.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
