"""The workload of `spark_batch` on three engines, in one run: Spark, DuckDB and Polars, as one would write it and shared.

The same Parquet file and the same 20 queries. Each engine gets two processors; all take turns, and all rows are computed and
counted. The counts have to agree, except that Polars has no window before that of the first event. Polars' SQL has no
buckets of time, so the shared form is written for it by hand: slices of 30 seconds, and windows out of slices.

    python bench/one_workload.py [--events N] [--rounds N] [--save]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("POLARS_MAX_THREADS", "2")  # read when Polars is imported

import duckdb
import polars as pl
from spark_batch import RESULTS, make_events, queries

import swagcore as sw
from swagcore.coverage.sql import rewriting

CALLS = {"max": "max(v)", "sum": "sum(v)", "mean": "avg(v)"}


def in_duckdb(query: sw.Query) -> str:
    """One query as DuckDB's users write it, in the fastest of the forms."""
    r, s = (length // 1_000_000 for length in (query.window.range, query.window.slide))
    bucket = f"time_bucket(INTERVAL '{s} seconds', ts)"
    starts = f"generate_series({bucket} - INTERVAL '{r - s} seconds', {bucket}, INTERVAL '{s} seconds')"
    return (
        f"SELECT '{query.name}' AS query, start, k, {CALLS[query.function.name]} AS value "
        f"FROM (SELECT *, unnest({starts}) AS start FROM events) GROUP BY 2, 3"
    )


def in_polars(events: pl.DataFrame, query: sw.Query) -> int:
    """One query by `group_by_dynamic`; how many answers it has."""
    value = getattr(pl.col("v"), query.function.name)()
    every, period = f"{query.window.slide}us", f"{query.window.range}us"
    return events.group_by_dynamic("ts", every=every, period=period, group_by="k").agg(value).height


def slices_in_polars(events: pl.LazyFrame) -> pl.DataFrame:
    """The slices of all queries, whose ranges and slides are multiples of 30 seconds."""
    v = pl.col("v")
    parts = v.max().alias("max"), v.sum().alias("sum"), v.count().alias("count")
    return events.group_by("k", pl.col("ts").dt.truncate("30s")).agg(*parts).sort("ts").collect()


def shared_in_polars(slices: pl.DataFrame, query: sw.Query) -> int:
    """One query by `group_by_dynamic` over slices; how many answers it has."""
    value = {
        "max": pl.col("max").max(),
        "sum": pl.col("sum").sum(),
        "mean": pl.col("sum").sum() / pl.col("count").sum(),
    }[query.function.name]
    every, period = f"{query.window.slide}us", f"{query.window.range}us"
    return slices.group_by_dynamic("ts", every=every, period=period, group_by="k").agg(value).height


def main() -> None:
    """Run all in turns, print the table, and keep it if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    asked = queries()
    spark = sw.spark.session("one workload", settings={"spark.driver.memory": "4g"})
    path = str(Path(tempfile.mkdtemp(prefix="swagcore-bench-")) / "events.parquet")
    make_events(spark, given.events, 100, path)
    connection = duckdb.connect()
    connection.execute("SET threads = 2; SET preserve_insertion_order = false; SET TimeZone = 'UTC'")
    connection.execute(
        f"CREATE VIEW events AS SELECT CAST(ts AS TIMESTAMP) AS ts, v, k FROM '{path}/*.parquet'"
    )
    written = "\nUNION ALL\n".join(map(in_duckdb, asked))
    rewritten = rewriting(written, "duckdb")
    assert rewritten.reason is None, rewritten.reason

    def by_spark(plan: str) -> int:
        return sw.spark.windows(spark.read.parquet(path), asked, plan=plan).count()

    def by_duckdb(sql: str) -> int:
        return connection.sql(sql).to_arrow_table().num_rows

    def by_polars() -> int:
        events = pl.scan_parquet(f"{path}/*.parquet").sort("ts").collect()
        return sum(in_polars(events, query) for query in asked)

    def by_polars_shared() -> int:
        slices = slices_in_polars(pl.scan_parquet(f"{path}/*.parquet"))
        return sum(shared_in_polars(slices, query) for query in asked)

    runs: dict[str, Callable[[], int]] = {
        "Spark, plan naive": lambda: by_spark("naive"),
        "Spark, plan auto": lambda: by_spark("auto"),
        "DuckDB, as written": lambda: by_duckdb(written),
        "DuckDB, rewritten": lambda: by_duckdb(rewritten.sql),
        "Polars, as written": by_polars,
        "Polars, shared slices": by_polars_shared,
    }
    by_spark("auto")  # warm
    times: dict[str, list[float]] = {name: [] for name in runs}
    answers: dict[str, int] = {}
    for _ in range(given.rounds):
        for name, run in runs.items():
            began = time.perf_counter()
            answers[name] = run()
            times[name].append(time.perf_counter() - began)
            print(f"  {name}: {times[name][-1]:.2f} s, {answers[name]:,} answers", flush=True)
    spark.stop()
    for of_polars in (False, True):
        counts = {count for name, count in answers.items() if ("Polars" in name) == of_polars}
        assert len(counts) == 1, answers
    medians = {name: statistics.median(found) for name, found in times.items()}
    lines = [
        "# One workload, three engines",
        "",
        f"{given.events:,} events, 100 keys, one day, 20 queries, 2 processors; the median of {given.rounds} turns. Polars has no window before that of the first event. Made by "
        f"`python bench/one_workload.py --events {given.events} --rounds {given.rounds} --save`.",
        "",
        "| engine | s | of DuckDB as written | answers |",
        "|---|---|---|---|",
    ]
    for name, seconds in medians.items():
        part = seconds / medians["DuckDB, as written"]
        lines.append(f"| {name} | {seconds:.2f} | {part:.2f} | {answers[name]:,} |")
    print("\n".join(lines))
    if given.save:
        record = {"events": given.events, "rounds": given.rounds, "seconds": times, "answers": answers}
        (RESULTS / "one_workload.json").write_text(json.dumps(record, indent=1) + "\n")
        (RESULTS / "one_workload.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
