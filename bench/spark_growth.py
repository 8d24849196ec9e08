"""How the time of `sw.spark.windows` grows with events, queries, keys, and range / slide: plan auto beside plan naive.

One of the four is changed at a time; the others stay at 500,000 events, 5 queries, 100 keys, and windows of 5 slides of a
minute. One warm session, the plans take turns, medians of the turns. Where naive would make more than `MOST` copies of
events it is left out.

    python bench/spark_growth.py [--rounds N] [--save]
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spark_batch import RESULTS, make_events, noop, timed

import swagcore as sw

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLOT = Path(__file__).parents[1] / "docs" / "plots" / "spark_growth.svg"
USUAL = {"events": 500_000, "queries": 5, "keys": 100, "range / slide": 5}
GROWN = {
    "events": [125_000, 500_000, 2_000_000, 8_000_000],
    "queries": [1, 5, 20, 80],
    "keys": [1, 100, 10_000, 1_000_000],
    "range / slide": [1, 5, 25, 125],
}
MOST = 50_000_000


def asked(queries: int, ratio: int) -> list[sw.Query]:
    """So many sums over windows of `ratio` slides, whose slides are 1, 2, 3, 4 and 5 minutes in turn."""
    slides = [1 + number % 5 for number in range(queries)]
    return [
        sw.Query(f"q{number}", "sum", sw.Window(f"{ratio * slide} min", f"{slide} min"))
        for number, slide in enumerate(slides)
    ]


def point(spark: SparkSession, directory: str, size: dict[str, int], rounds: int) -> dict[str, float]:
    """The seconds of both plans at one size."""
    path = f"{directory}/{size['events']}-{size['keys']}.parquet"
    if not Path(path).exists():
        make_events(spark, size["events"], size["keys"], path)
    df = spark.read.parquet(path)
    queries = asked(size["queries"], size["range / slide"])
    copies = size["events"] * size["queries"] * size["range / slide"]
    plans = ["auto", "naive"] if copies <= MOST else ["auto"]
    seconds: dict[str, list[float]] = {plan: [] for plan in plans}
    for plan in plans:
        noop(sw.spark.windows(df.limit(1000), queries, plan=plan))  # its code is compiled
    for _ in range(rounds):
        for plan in plans:
            seconds[plan].append(timed(lambda plan=plan: noop(sw.spark.windows(df, queries, plan=plan)))[0])
    return {plan: statistics.median(found) for plan, found in seconds.items()}


def markdown(found: dict[str, Any]) -> str:
    """A table for each of the four."""
    usual = ", ".join(f"{size:,} {name}" for name, size in USUAL.items())
    lines = ["# How the time on Spark grows", ""]
    lines.append(f"One is changed, the others stay at: {usual}. Seconds, medians of {found['rounds']} turns.")
    lines.append("Made by `python bench/spark_growth.py --save`.")
    for name, points in found["points"].items():
        lines += ["", f"| {name} | auto, s | naive, s | naive / auto |", "|---|---|---|---|"]
        for size, seconds in points.items():
            naive = seconds.get("naive")
            rest = f"{naive:.2f} | {naive / seconds['auto']:.1f}" if naive else "not run | "
            lines.append(f"| {int(size):,} | {seconds['auto']:.2f} | {rest} |")
    return "\n".join(lines) + "\n"


def plot(found: dict[str, Any]) -> None:
    """The four curves side by side."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "swagcore"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 4, figsize=(12, 3.2), sharey=True, layout="constrained")
    for axis, (name, points) in zip(axes, found["points"].items(), strict=True):
        for plan, mark in (("auto", "o-"), ("naive", "s--")):
            shown = {int(size): seconds[plan] for size, seconds in points.items() if plan in seconds}
            axis.loglog(list(shown), list(shown.values()), mark, label=plan)
        axis.set_xlabel(name)
    axes[0].set_ylabel("seconds")
    axes[0].legend()
    figure.savefig(PLOT, metadata={"Date": None})


def main() -> None:
    """Measure every point, print the tables, and keep them and the plot if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    spark = sw.spark.session("spark_growth", settings={"spark.driver.memory": "4g"})
    found: dict[str, Any] = {"rounds": given.rounds, "points": {}}
    with tempfile.TemporaryDirectory(prefix="swagcore-bench-") as directory:
        point(spark, directory, USUAL, 2)  # warm
        for name, sizes in GROWN.items():
            points = found["points"][name] = {}
            for size in sizes:
                points[str(size)] = point(spark, directory, {**USUAL, name: size}, given.rounds)
                print(f"  {name} {size:,}: {points[str(size)]}", flush=True)
        spark.stop()
    print(markdown(found))
    if given.save:
        (RESULTS / "spark_growth.json").write_text(json.dumps(found, indent=1) + "\n")
        (RESULTS / "spark_growth.md").write_text(markdown(found))
        plot(found)


if __name__ == "__main__":
    main()
