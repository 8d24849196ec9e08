"""Many sliding windows on a stream: what `sw.spark.stream` does, beside the other forms that Spark offers.

One stream of files, read by each form with the same watermark; all of its values, and so all answers, are integers, and
the answers have to be identical. The forms:

- shared slices: `sw.spark.stream`, two aggregations of Spark for all queries, with each of Spark's state stores;
- chained windows: for each query, `window()` into panes and `window()` over their `window_time()`; a union;
- a window a query: `window()` over the events; a union;
- transformWithState: slices in a state of Python's for each key, in RocksDB; windows out of slices by timers.

They take turns. Events a second are those of the batches after the first two, by Spark's reports of progress. State is the
largest that is reported, in rows and in bytes of memory, and what all batches have written of it to the checkpoint.

    python bench/spark_stream.py [--batches N] [--events N] [--keys N] [--rounds N] [--form TEXT] [--no-save]
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import math
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from spark_batch import RESULTS

import swagcore as sw

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

PAIRS = [  # range and slide in seconds
    (60, 30), (120, 60), (300, 60), (600, 120), (900, 300), (1800, 300), (1800, 600), (3600, 600), (3600, 1800),
]  # fmt: skip
SECOND = 1_000_000
WATERMARK = 60  # seconds
START = 1_700_000_000 // 3600 * 3600
BATCH = 600  # seconds of the stream in a batch
SCHEMA = "ts timestamp, k string, v long"
STORE = "spark.sql.streaming.stateStore.providerClass"
STORES = {
    "memory": "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider",
    "RocksDB": "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
}


def queries() -> list[sw.Query]:
    """Nine queries, all of whose answers are integers."""
    kinds = itertools.cycle(["max", "sum", "count"])
    return [
        sw.Query(f"{kind}_{r}_{s}", kind, sw.Window(f"{r} s", f"{s} s"))
        for kind, (r, s) in zip(kinds, PAIRS, strict=False)
    ]


def make_events(path: Path, batches: int, events: int, keys: int) -> None:
    """A file for each batch: events at random times, each at most half the watermark's delay after its turn."""
    random = np.random.default_rng(1)
    total = batches * events
    turns = np.sort(random.integers(0, batches * BATCH * SECOND, total))
    times = np.maximum(turns - random.integers(0, WATERMARK * SECOND // 2, total), 0) + START * SECOND
    names = pa.array([f"key{number}" for number in range(keys)])
    for number in range(batches):
        mine = slice(number * events, (number + 1) * events)
        table = pa.table({
            "ts": pa.array(times[mine], pa.timestamp("us", "UTC")),
            "k": names.take(pa.array(random.integers(0, keys, events))),
            "v": pa.array(random.integers(-1000, 1000, events)),
        })  # fmt: skip
        file = path / f"{number:04}.parquet"
        pq.write_table(table, file)
        os.utime(file, (1_000_000 + number,) * 2)  # the source takes the oldest first


Form = Callable[["DataFrame"], "DataFrame"]


def shared(df: DataFrame) -> DataFrame:
    """What is shipped."""
    return sw.spark.stream(df, queries(), watermark=f"{WATERMARK} s")


def functions() -> dict[str, Callable[..., Column]]:
    from pyspark.sql import functions as F

    return {"max": F.max, "sum": F.sum, "count": F.count}


def answers(frame: DataFrame, query: sw.Query) -> DataFrame:
    """Rows with a window `w` as `sw.spark.stream` gives them."""
    return frame.selectExpr(
        f"'{query.name}' AS query", "k", "w.start AS window_start", "w.end AS window_end", "value"
    )


def union(frames: list[DataFrame]) -> DataFrame:
    return functools.reduce(lambda one, other: one.unionAll(other), frames)


def a_window_a_query(df: DataFrame) -> DataFrame:
    """What one would write by hand."""
    from pyspark.sql import functions as F

    timed = df.withWatermark("ts", f"{WATERMARK} seconds")
    found = []
    for query, (r, s) in zip(queries(), PAIRS, strict=True):
        grouped = timed.groupBy("k", F.window("ts", f"{r} seconds", f"{s} seconds").alias("w"))
        found.append(answers(grouped.agg(functions()[query.function.name]("v").alias("value")), query))
    return union(found)


def chained_windows(df: DataFrame) -> DataFrame:
    """Panes, and windows out of panes; Spark does not share the panes of two queries."""
    from pyspark.sql import functions as F

    timed = df.withWatermark("ts", f"{WATERMARK} seconds")
    found = []
    for query, (r, s) in zip(queries(), PAIRS, strict=True):
        first = functions()[query.function.name]
        then = F.sum if query.function.name == "count" else first
        panes = timed.groupBy("k", F.window("ts", f"{math.gcd(r, s)} seconds").alias("p")).agg(
            first("v").alias("v")
        )
        over = F.window(F.window_time("p"), f"{r} seconds", f"{s} seconds").alias("w")
        found.append(answers(panes.groupBy("k", over).agg(then("v").alias("value")), query))
    return union(found)


def with_state(df: DataFrame) -> DataFrame:
    """All slices of a key as one value of state, read and written once a batch."""
    from pyspark.sql.streaming import StatefulProcessor

    pairs, names = list(PAIRS), [query.name for query in queries()]
    kinds = [query.function.name for query in queries()]
    step, longest = math.gcd(*itertools.chain(*pairs)), max(r for r, _ in pairs)

    class Slices(StatefulProcessor):  # nested, so that Spark sends it by value
        def init(self, handle: Any) -> None:
            self.handle = handle
            self.state = handle.getValueState("slices", "slices binary, closed long, timer long")

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[pd.DataFrame]:
            table, closed, timer = self.read()
            if timer is not None:
                self.handle.deleteTimer(timer)  # its work is done here
            fresh = [table]
            for events in rows:
                starts = events["ts"].to_numpy().astype("datetime64[s]").astype(np.int64) // step * step
                values = events["v"].to_numpy()
                order = np.argsort(starts, kind="stable")
                starts, values = starts[order], values[order]
                at = np.flatnonzero(np.r_[True, starts[1:] != starts[:-1]])
                counts = np.diff(np.r_[at, len(starts)])
                parts = [starts[at], np.maximum.reduceat(values, at), np.add.reduceat(values, at), counts]
                fresh.append(np.stack(parts, axis=1))
            both = np.concatenate(fresh)
            both = both[np.argsort(both[:, 0], kind="stable")]
            at = np.flatnonzero(np.r_[True, both[1:, 0] != both[:-1, 0]])
            merged = np.stack([
                both[at, 0], np.maximum.reduceat(both[:, 1], at), np.add.reduceat(both[:, 2], at), np.add.reduceat(both[:, 3], at),
            ], axis=1)  # fmt: skip
            yield from self.close_windows(key, merged, closed, timerValues)

        def handleExpiredTimer(
            self, key: Any, timerValues: Any, expiredTimerInfo: Any
        ) -> Iterator[pd.DataFrame]:
            table, closed, _ = self.read()
            yield from self.close_windows(key, table, closed, timerValues)

        def read(self) -> tuple[Any, int, int | None]:
            if not self.state.exists():
                return np.empty((0, 4), np.int64), -(2**62), None
            slices, closed, timer = self.state.get()
            return np.frombuffer(slices, np.int64).reshape(-1, 4), closed, timer

        def close_windows(
            self, key: Any, table: Any, closed: int, timerValues: Any
        ) -> Iterator[pd.DataFrame]:
            """The instances that end after `closed` and not after the watermark; then the slices that none needs."""
            now = timerValues.getCurrentWatermarkInMs() // 1000
            if now > closed and len(table) and now > table[0, 0]:
                for name, kind, (r, s) in zip(names, kinds, pairs, strict=True):
                    lowest = max(closed, int(table[0, 0])) + 1
                    ends = np.arange(lowest + (r - lowest) % s, now + 1, s)
                    low = np.searchsorted(table[:, 0], ends - r)
                    high = np.searchsorted(table[:, 0], ends)
                    kept = high > low
                    ends, low, high = ends[kept], low[kept], high[kept]
                    if not len(ends):
                        continue
                    column = {"max": 1, "sum": 2, "count": 3}[kind]
                    if kind == "max":
                        padded = np.r_[table[:, 1], 0]  # reduceat takes no end beyond the last
                        value = np.maximum.reduceat(padded, np.stack([low, high], axis=1).ravel())[::2]
                    else:
                        totals = np.r_[0, np.cumsum(table[:, column])]
                        value = totals[high] - totals[low]
                    yield pd.DataFrame({
                        "query": name, "k": key[0], "start": (ends - r) * SECOND, "end": ends * SECOND, "value": value,
                    })  # fmt: skip
            table = table[table[:, 0] + longest > now]
            if len(table):
                # A window may close at every multiple of the step that is after the watermark.
                timer = (max(now, int(table[0, 0])) // step + 1) * step * 1000
                self.state.update((table.tobytes(), max(now, closed), timer))
                self.handle.registerTimer(timer)
            else:
                self.state.clear()

    timed = df.withWatermark("ts", f"{WATERMARK} seconds")
    found = timed.groupBy("k").transformWithStateInPandas(
        Slices(),
        "query string, k string, start long, end long, value long",
        outputMode="Append",
        timeMode="EventTime",
    )
    return found.selectExpr(
        "query",
        "k",
        "timestamp_micros(start) AS window_start",
        "timestamp_micros(end) AS window_end",
        "value",
    )


FORMS: dict[str, tuple[Form, str]] = {
    "shared slices, state in memory": (shared, "memory"),
    "shared slices, state in RocksDB": (shared, "RocksDB"),
    "chained windows, state in memory": (chained_windows, "memory"),
    "a window a query, state in memory": (a_window_a_query, "memory"),
    "transformWithState, RocksDB": (with_state, "RocksDB"),
}


def run(spark: SparkSession, source: Path, form: str, events: int) -> dict[str, Any]:
    """The stream to its end by one form: what the reports of progress say, and a checksum of the answers."""
    from pyspark.sql import functions as F

    make, store = FORMS[form]
    spark.conf.set(STORE, STORES[store])
    with tempfile.TemporaryDirectory(prefix="swagcore-bench-") as home:
        files = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(source))
        writer = make(files).writeStream.format("parquet").option("checkpointLocation", f"{home}/checkpoint")
        running = writer.trigger(availableNow=True).start(f"{home}/answers")
        running.awaitTermination()
        reports = running.recentProgress
        hashed = spark.read.parquet(f"{home}/answers").selectExpr("query", "xxhash64(*) AS hash")
        sums = hashed.groupBy("query").agg(F.count("*"), F.bit_xor("hash"), F.sum(F.col("hash") % 1_000_003))
        checksums = sorted(tuple(row) for row in sums.collect())
        written = sum(
            path.stat().st_size for path in Path(home, "checkpoint", "state").rglob("*") if path.is_file()
        )
    full = [report for report in reports if report["numInputRows"]][
        2:
    ]  # a union counts an event in each branch
    seconds = sum(report["durationMs"]["triggerExecution"] for report in full) / 1000
    states = [report["stateOperators"] for report in reports]
    return {
        "events a second": len(full) * events / seconds,
        "seconds a batch": seconds / len(full),
        "state rows": max(sum(step["numRowsTotal"] for step in steps) for steps in states),
        "state bytes in memory": max(sum(step["memoryUsedBytes"] for step in steps) for steps in states),
        "state bytes written": written,
        "stateful steps": len(states[0]),
        "checksums": checksums,
    }


def warm_up(spark: SparkSession, forms: list[str]) -> None:
    """Each form once, on few events."""
    with tempfile.TemporaryDirectory(prefix="swagcore-bench-") as source:
        make_events(Path(source), 3, 1000, 10)
        for form in forms:
            run(spark, Path(source), form, 1000)
            print(f"  warmed up: {form}", file=sys.stderr, flush=True)


def compare(
    spark: SparkSession, forms: list[str], batches: int, events: int, keys: int, rounds: int
) -> dict[str, Any]:
    """The forms in turns over one stream; the answers have to be the same."""
    found: dict[str, list[dict[str, Any]]] = {form: [] for form in forms}
    with tempfile.TemporaryDirectory(prefix="swagcore-bench-") as source:
        make_events(Path(source), batches, events, keys)
        for _, form in itertools.product(range(rounds), forms):
            found[form].append(run(spark, Path(source), form, events))
            rate = found[form][-1]["events a second"]
            print(f"  {keys} keys, {form}: {rate:,.0f} events a second", file=sys.stderr, flush=True)
    checksums = {tuple(one["checksums"]) for runs in found.values() for one in runs}
    if len(checksums) > 1:
        raise SystemExit(f"the answers differ: {sorted(checksums)}")
    figures = {
        form: {name: statistics.median(one[name] for one in runs) for name in runs[0] if name != "checksums"}
        for form, runs in found.items()
    }
    base = figures[forms[0]]["events a second"]
    for row in figures.values():
        row["shared slices are faster by"] = base / row["events a second"]
    return {
        "batches": batches,
        "events a batch": events,
        "keys": keys,
        "answers": sum(count for _, count, *_ in checksums.pop()),
        "forms": figures,
    }


def markdown(found: dict[str, Any]) -> str:
    """The figures as tables."""
    lines = [
        "# Many windows on a stream",
        "",
        f"{len(PAIRS)} queries (max, sum, count; ranges 1 minute to 1 hour, slides 30 seconds to 30 minutes) over a stream of "
        f"files, {BATCH // 60} minutes a batch; all forms give the same answers. Medians of {found['rounds']} turns. Made by "
        f"`{found['command']}`. The machine's load was {found['load before']:.1f} before and {found['load after']:.1f} after on "
        f"{os.cpu_count()} processors.",
    ]
    for stream in found["streams"]:
        lines += [
            "",
            f"{stream['batches']} batches of {stream['events a batch']:,} events of {stream['keys']:,} keys, "
            f"{stream['answers']:,} answers:",
            "",
            "| form | events a second | shared slices are faster by | s a batch | stateful steps | state, rows "
            "| state in memory, MB | state written, MB |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for form, row in stream["forms"].items():
            lines.append(
                f"| {form} | {row['events a second']:,.0f} | {row['shared slices are faster by']:.2f} | "
                f"{row['seconds a batch']:.2f} | {row['stateful steps']:.0f} | {row['state rows']:,.0f} | "
                f"{row['state bytes in memory'] / 1e6:.2f} | {row['state bytes written'] / 1e6:.2f} |"
            )
    lines += [
        "",
        "The state of transformWithState has one row for all the slices of a key; timers are not among the rows. The memory of RocksDB "
        "is that of its tables and cache, most of which is there from the beginning.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run all, and keep the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--batches", type=int, default=8)
    parser.add_argument("--events", type=int, default=200_000, help="events a batch")
    parser.add_argument("--keys", type=int, action="append", help="may be given several times")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--form", default="", help="only the forms whose name has this in it, beside the first"
    )
    parser.add_argument("--no-save", action="store_true", help="print only")
    given = parser.parse_args()
    if given.batches < 3:
        parser.error("--batches: at least 3, because the first two are not counted")
    keys = given.keys or [100, 2_000]
    forms = [form for number, form in enumerate(FORMS) if number == 0 or given.form in form]
    options = [f"--batches {given.batches}", f"--events {given.events}", *(f"--keys {n}" for n in keys)]
    options += [f"--form '{given.form}'"] if given.form else []
    found: dict[str, Any] = {
        "command": " ".join(["python bench/spark_stream.py", *options, f"--rounds {given.rounds}"]),
        "rounds": given.rounds,
        "load before": os.getloadavg()[0],
    }
    spark = sw.spark.session("spark_stream", settings={"spark.driver.memory": "4g"})
    warm_up(spark, forms)
    found["streams"] = [compare(spark, forms, given.batches, given.events, n, given.rounds) for n in keys]
    found["load after"] = os.getloadavg()[0]
    spark.stop()
    print(markdown(found))
    if not given.no_save:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "spark_stream.json").write_text(json.dumps(found, indent=1) + "\n")
        (RESULTS / "spark_stream.md").write_text(markdown(found))


if __name__ == "__main__":
    main()
