"""A hundred million events through `sw.spark.windows` on one machine, and the most memory that Java and its workers held.

python bench/spark_large.py [--events N] [--save]
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from pathlib import Path

from spark_batch import RESULTS, make_events, noop, processes, queries

import swagcore as sw

HEAP = "4g"


def held() -> dict[str, int]:
    """The resident bytes of all processes: those of Java, and those of Python."""
    totals = {"java": 0, "python": 0}
    for name, fields in processes():
        totals["java" if name == "java" else "python"] += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return totals


def main() -> None:
    """Run once, watch the memory, print, and keep the figures if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=100_000_000)
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    spark = sw.spark.session("large", settings={"spark.driver.memory": HEAP})
    with tempfile.TemporaryDirectory(prefix="swagcore-bench-") as directory:
        path = str(Path(directory) / "events.parquet")
        make_events(spark, given.events, 100, path)
        peak = {"java": 0, "python": 0}
        over = threading.Event()

        def watch() -> None:
            while not over.wait(0.2):
                for kind, size in held().items():
                    peak[kind] = max(peak[kind], size)

        watcher = threading.Thread(target=watch)
        watcher.start()
        began = time.perf_counter()
        noop(sw.spark.windows(spark.read.parquet(path), queries()))
        took = time.perf_counter() - began
        over.set()
        watcher.join()
        spark.stop()
    line = (
        f"{given.events:,} events, 100 keys, one day, 20 queries by plan auto on 2 cores: {took:.0f} s. At most "
        f"{peak['java'] / 2**30:.1f} GiB in Java (heap limited to {HEAP}) and {peak['python'] / 2**30:.2f} GiB in Python, "
        "this script included."
    )
    print(line)
    if given.save:
        record = {"events": given.events, "seconds": took, "peak bytes": peak, "heap": HEAP}
        (RESULTS / "spark_large.json").write_text(json.dumps(record, indent=1) + "\n")
        made = f"Made by `python bench/spark_large.py --events {given.events} --save`."
        (RESULTS / "spark_large.md").write_text(f"# Many events on Spark\n\n{line}\n\n{made}\n")


if __name__ == "__main__":
    main()
