"""Many sliding windows on Spark: the plans of `sw.spark.windows` against one another, in one warm session.

The workload: events of 100 keys over one day, 20 queries (max, sum, mean; ranges 1 minute to 6 hours, slides 30 seconds
to 1 hour). Plans take turns; figures are the medians of the rounds, in seconds, and their ratios. The floor is one scan
and one groupBy into the slices of all queries. Each run writes all of its answers to Spark's `noop` sink.

    python bench/spark_batch.py [--events N] [--rounds N] [--naive-rounds N] [--part many|single|fresh]
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import itertools
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import swagcore as sw
from swagcore.spark.slices import slice_start

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RESULTS = Path(__file__).parent / "results"
DAY = 86_400
PAIRS = [  # range and slide in seconds
    (60, 30), (120, 30), (300, 30), (300, 60), (600, 60), (600, 120), (900, 60), (900, 300), (1200, 120), (1800, 60),
    (1800, 300), (2700, 300), (3600, 60), (3600, 300), (5400, 600), (7200, 300), (7200, 1800), (10800, 900),
    (14400, 1800), (21600, 3600),
]  # fmt: skip
SINGLE = [
    ("max", "1 min", "1 min"), ("sum", "1 min", "1 min"), ("mean", "5 min", "5 min"), ("max", "2 min", "1 min"),
    ("sum", "90 s", "1 min"), ("mean", "3 min", "1 min"), ("max", "5 min", "1 min"), ("sum", "10 min", "1 min"),
    ("mean", "1 h", "1 min"), ("max", "1 h", "10 min"), ("sum", "6 h", "1 h"), ("count", "10 s", "1 min"),
]  # fmt: skip


def queries() -> list[sw.Query]:
    """The 20 queries, all of whose answers are doubles."""
    kinds = itertools.cycle(["max", "sum", "mean"])
    return [
        sw.Query(f"{kind}_{r}_{s}", kind, sw.Window(f"{r} s", f"{s} s"))
        for kind, (r, s) in zip(kinds, PAIRS, strict=False)
    ]


def make_events(spark: SparkSession, events: int, keys: int, path: str) -> None:
    """Events of one day at random times, as Parquet."""
    from pyspark.sql import functions as F

    spark.range(0, events, 1, 8).select(
        F.timestamp_micros((1_700_000_000 * 1_000_000 + F.rand(1) * DAY * 1_000_000).cast("long")).alias(
            "ts"
        ),
        (F.rand(2) * 100).alias("v"),
        F.concat(F.lit("key"), (F.rand(3) * keys).cast("int").cast("string")).alias("k"),
    ).write.mode("overwrite").parquet(path)


def noop(frame: DataFrame) -> None:
    """Run a plan to its last row, which goes nowhere."""
    frame.write.format("noop").mode("overwrite").save()


def processes() -> Iterator[tuple[str, list[str]]]:
    """This process and all below it, Java and its Python workers: the name and the rest of /proc/PID/stat; none without /proc."""
    children: dict[int, list[int]] = {}
    found: dict[int, tuple[str, list[str]]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            name, _, rest = status.read_text().rpartition(")")
            fields = rest.split()
            found[int(status.parent.name)] = name.partition("(")[2], fields
            children.setdefault(int(fields[1]), []).append(int(status.parent.name))
    below = [os.getpid()]
    while below:
        process = below.pop()
        if process in found:
            yield found[process]
        below += children.get(process, [])


def processor_seconds() -> float:
    """The processor time of all processes."""
    return sum(int(fields[11]) + int(fields[12]) for _, fields in processes()) / os.sysconf("SC_CLK_TCK")


def timed(run: Callable[[], Any]) -> tuple[float, float]:
    """The seconds of one run, and those of processors: on a machine that others use, too, the latter tell more."""
    gc.collect()
    began, used = time.perf_counter(), processor_seconds()
    run()
    return time.perf_counter() - began, processor_seconds() - used


Run = Callable[["DataFrame"], "DataFrame"]


def interleaved(df: DataFrame, runs: dict[str, Run], rounds: dict[str, int]) -> dict[str, dict[str, float]]:
    """The medians of each; all take turns. Before, each is warmed up on the events of one key."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    few = df.where("k = 'key1'")
    for name, run in runs.items():
        for _ in range(min(rounds[name], 3)):
            noop(run(few))
    for turn in range(max(rounds.values())):
        for name, run in runs.items():
            if turn < rounds[name]:
                found[name].append(timed(lambda run=run: noop(run(df))))
                print(
                    "  {}: {:.2f} s, {:.2f} processor s".format(name, *found[name][-1]),
                    file=sys.stderr,
                    flush=True,
                )
    return {
        name: {
            "s": statistics.median(wall for wall, _ in figures),
            "processor s": statistics.median(used for _, used in figures),
        }
        for name, figures in found.items()
    }


def floor(df: DataFrame, asked: list[sw.Query]) -> DataFrame:
    """What no shared plan can do without: a scan, and one groupBy with the parts of the queries."""
    from pyspark.sql import functions as F

    cut = slice_start([query.window.to_unit("us") for query in asked])
    events = df.selectExpr("k", "v", "unix_micros(ts) AS t").withColumn("slice", F.expr(cut))
    return events.groupBy("k", "slice").agg(F.max("v"), F.sum("v"), F.count("v"))


def plain(df: DataFrame, asked: list[sw.Query]) -> DataFrame:
    """What one would write by hand: one groupBy over `window()` a query, and a union."""
    from pyspark.sql import functions as F

    union = None
    for query in asked:
        w = query.window
        function = {"max": F.max, "sum": F.sum, "mean": F.avg, "count": F.count}[query.function.name]
        part = df.groupBy(
            "k", F.window("ts", f"{w.range} microseconds", f"{w.slide} microseconds").alias("w")
        )
        rows = part.agg(function("v").alias("value")).select(
            F.lit(query.name), "k", "w.start", "w.end", "value"
        )
        union = rows if union is None else union.unionAll(rows)
    assert union is not None
    return union


def many(df: DataFrame, rounds: int, naive_rounds: int) -> dict[str, Any]:
    """All plans on the 20 queries."""
    asked = queries()
    runs: dict[str, Run] = {
        "floor": lambda df: floor(df, asked),
        "auto": lambda df: sw.spark.windows(df, asked),
        "coverage": lambda df: sw.spark.windows(df, asked, plan="coverage"),
        "naive": lambda df: sw.spark.windows(df, asked, plan="naive"),
        "by hand": lambda df: plain(df, asked),
    }
    few = {"naive": naive_rounds, "by hand": naive_rounds, "coverage": naive_rounds}
    figures = interleaved(df, runs, {name: few.get(name, rounds) for name in runs})
    for row in figures.values():
        for unit in ("s", "processor s"):
            row[f"x floor, {unit}"] = row[unit] / figures["floor"][unit]
            row[f"faster than naive, {unit}"] = figures["naive"][unit] / row[unit]
    return figures


def single(df: DataFrame, rounds: int) -> dict[str, Any]:
    """Auto against naive, one query at a time."""
    found = {}
    for kind, r, s in SINGLE:
        asked = [sw.Query("q", kind, sw.Window(r, s))]
        chosen = sw.spark.explain(df, asked).split()[1]
        runs: dict[str, Run] = {
            "auto": lambda df, asked=asked: sw.spark.windows(df, asked),
            "naive": lambda df, asked=asked: sw.spark.windows(df, asked, plan="naive"),
        }
        figures = interleaved(df, runs, dict.fromkeys(runs, rounds))
        ratios = {unit: figures["auto"][unit] / figures["naive"][unit] for unit in ("s", "processor s")}
        found[f"{kind} {r} / {s}"] = {"plan": chosen, "auto / naive": ratios, **figures}
    summary: dict[str, Any] = {}
    for unit in ("s", "processor s"):
        all_ratios = [row["auto / naive"][unit] for row in found.values()]
        summary[unit] = {
            "geometric mean": math.exp(statistics.fmean(map(math.log, all_ratios))),
            "worst": max(all_ratios),
        }
    return {"auto / naive": summary, "queries": found}


FRESH = """
import sys, time
import swagcore as sw
from swagcore.spark import session
sys.path.insert(0, {here!r})
import spark_batch as bench
spark = session("fresh", settings={{"spark.driver.memory": "4g"}})
df = spark.read.parquet({path!r})
began = time.perf_counter()
bench.noop(sw.spark.windows(df, bench.queries(), plan={plan!r}))
print("seconds", time.perf_counter() - began)
"""


def fresh(path: str) -> dict[str, Any]:
    """The first job of a process of its own, under auto and naive."""
    seconds = {}
    for plan in ("auto", "naive"):
        code = FRESH.format(here=str(Path(__file__).parent), path=path, plan=plan)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        seconds[plan] = float(done.stdout.split("seconds")[1])
    return {**seconds, "faster": seconds["naive"] / seconds["auto"]}


def markdown(found: dict[str, Any]) -> str:
    """The figures as tables."""
    lines = [
        "# Many windows on Spark",
        "",
        f"{found['events']:,} events, {found['keys']} keys, one day; made by `python bench/spark_batch.py`. The machine's "
        f"load was {found['load before']:.1f} before and {found['load after']:.1f} after on {os.cpu_count()} processors: "
        "where it is above their number, processor seconds tell more than seconds. Medians of "
        f"{found['rounds']} turns; naive, by hand and coverage of the 20 queries: {found['naive rounds']}.",
    ]
    if "many" in found:
        lines += [
            "",
            "20 queries in one warm session:",
            "",
            "| plan | s | processor s | x floor | faster than naive |",
        ]
        lines += ["|---|---|---|---|---|"]
        for name, row in found["many"].items():
            floors = [f"{row[f'x floor, {unit}']:.2f}" for unit in ("s", "processor s")]
            faster = [f"{row[f'faster than naive, {unit}']:.1f}" for unit in ("s", "processor s")]
            lines.append(
                f"| {name} | {row['s']:.2f} | {row['processor s']:.2f} | {' / '.join(floors)} | {' / '.join(faster)} |"
            )
    if "single" in found:
        lines += [
            "",
            "One query at a time, auto against naive:",
            "",
            "| query | plan | s | processor s |",
            "|---|---|---|---|",
        ]
        for name, row in found["single"]["queries"].items():
            ratio = row["auto / naive"]
            lines.append(f"| {name} | {row['plan']} | {ratio['s']:.2f} | {ratio['processor s']:.2f} |")
        for unit, row in found["single"]["auto / naive"].items():
            lines += ["", f"In {unit}: geometric mean {row['geometric mean']:.2f}, worst {row['worst']:.2f}."]
    if "fresh" in found:
        lines += [
            "",
            "The first job of a fresh process: auto {auto:.1f} s, naive {naive:.1f} s, {faster:.1f} times faster.".format(
                **found["fresh"]
            ),
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run the parts that were asked for, and keep their figures."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--events", type=int, default=10_000_000)
    arguments.add_argument("--keys", type=int, default=100)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--naive-rounds", type=int, default=1)
    arguments.add_argument("--part", action="append", choices=["many", "single", "fresh"])
    arguments.add_argument("--no-save", action="store_true", help="print only")
    given = arguments.parse_args()
    parts = given.part or ["many", "single", "fresh"]
    from swagcore.spark import session

    spark = session("spark_batch", settings={"spark.driver.memory": "4g"})
    path = str(Path(tempfile.mkdtemp(prefix="swagcore-bench-")) / "events.parquet")
    make_events(spark, given.events, given.keys, path)
    df = spark.read.parquet(path)
    found: dict[str, Any] = {
        "events": given.events,
        "keys": given.keys,
        "rounds": given.rounds,
        "naive rounds": given.naive_rounds,
        "load before": os.getloadavg()[0],
    }
    if "many" in parts:
        found["many"] = many(df, given.rounds, given.naive_rounds)
    if "single" in parts:
        found["single"] = single(df, given.rounds)
    spark.stop()
    if "fresh" in parts:
        found["fresh"] = fresh(path)
    found["load after"] = os.getloadavg()[0]
    print(json.dumps(found, indent=1))
    if not given.no_save:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "spark_batch.json").write_text(json.dumps(found, indent=1) + "\n")
        (RESULTS / "spark_batch.md").write_text(markdown(found))


if __name__ == "__main__":
    main()
