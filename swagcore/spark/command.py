"""`swag run --engine spark`: the answers of a file's queries over a file of events, as Parquet.

Nothing is half-written: the answers go to a directory beside the one asked for, which takes its name when all is done.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from swagcore.errors import FileError, SwagError
from swagcore.windows import Query

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SUFFIXES = (".parquet", ".csv", ".jsonl")


class SparkFailed(SwagError, RuntimeError):
    """Spark itself gave up; the message is its first line.

    >>> raise SparkFailed("[DIVIDE_BY_ZERO] Division by zero.\\n  at ...")
    Traceback (most recent call last):
        ...
    swagcore.spark.command.SparkFailed: Spark stopped: [DIVIDE_BY_ZERO] Division by zero.
    """

    def __init__(self, text: object) -> None:
        super().__init__(f"Spark stopped: {_reason(str(text))}")


def run_file(
    queries: Sequence[Query],
    events: str | os.PathLike[str],
    out: str | os.PathLike[str] | None,
    *,
    time: str,
    value: str | None,
    keys: Sequence[str],
    unit: str | None = None,
    master: str | None = None,
    plan: str = "auto",
) -> list[str]:
    """Answer the queries over a file or directory of events, write Parquet to `out`, and return a summary in lines.

    `out` becomes one table with a column `query` where all answers have one type, else a directory with a table for
    each query. `master` is a Spark master; without one, Spark runs inside this process on all cores.
    """
    if out is None:
        raise SwagError("engine 'spark' writes Parquet; expected --out with the name of a directory to make")
    source, target = Path(events), Path(out)
    _check(source, target)
    from swagcore.spark.batch import tables, windows
    from swagcore.spark.java import session
    from swagcore.spark.job import job_of

    settings = {"spark.log.level": "OFF"}  # what goes wrong is told in one sentence
    if master:
        settings["spark.master"] = master
    spark = session(
        "swag run", cores=os.cpu_count() or 1, shuffle_partitions=2 * (os.cpu_count() or 1), settings=settings
    )
    half = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with _told(source):
            df = _read(spark, source)
            job = job_of(df, queries, time, value, keys, None, unit)
            types = {one.recipe.type for one in job.asked}
            mixed = len(types) > 1 or (
                len({one.window.by_count for one in job.asked}) > 1 and job.clock != "integer"
            )
            began = _now()
            with _progress(spark):
                if mixed:
                    for name, table in tables(df, queries, time, value, keys, plan, unit=unit).items():
                        table.write.parquet(str(half / f"query={quote(name, safe=' ')}"))
                else:
                    windows(df, queries, time, value, keys, plan, unit=unit).write.parquet(str(half))
            took = _now() - began
            if mixed:
                folders = {
                    one.query.name: half / f"query={quote(one.query.name, safe=' ')}" for one in job.asked
                }
                counts = {name: spark.read.parquet(str(folder)).count() for name, folder in folders.items()}
            else:
                found = spark.read.parquet(str(half)).groupBy("query").count().collect()
                counts = {one.query.name: 0 for one in job.asked} | {
                    row["query"]: row["count"] for row in found
                }
        try:
            os.rename(half, target)
        except OSError as problem:
            raise FileError(target, f"it cannot be written ({problem.strerror})") from problem
    finally:
        shutil.rmtree(half, ignore_errors=True)
    lines = [f"{counts[name]:>12,} answers  {name}" for name in counts]
    total = f"{sum(counts.values()):,} answers to {len(counts)} quer{'y' if len(counts) == 1 else 'ies'}"
    where = f"a table for each query in {target}" if mixed else str(target)
    return [*lines, f"{total}, in {took:.1f} s, written to {where}"]


def _now() -> float:
    return time.perf_counter()


def _check(source: Path, target: Path) -> None:
    """What can be seen before Spark is started."""
    if not source.exists():
        raise FileError(source, "there is no such file; expected one that can be read")
    if source.is_file() and source.suffix.lower() not in SUFFIXES:
        raise FileError(source, f"its name ends in {source.suffix!r}; expected .parquet, .csv or .jsonl")
    if not os.access(source, os.R_OK):
        raise FileError(source, "it cannot be read (Permission denied)")
    if target.exists() or target.is_symlink():
        raise FileError(target, "it exists; expected the name of a directory to make")
    if not target.absolute().parent.is_dir():
        raise FileError(target, "its directory does not exist; expected one that does")


def _read(spark: SparkSession, source: Path) -> DataFrame:
    """Parquet says its types; those of CSV and JSON are found by reading it once more."""
    suffix = source.suffix.lower()
    if suffix == ".csv":
        return spark.read.csv(str(source), header=True, inferSchema=True)
    if suffix == ".jsonl":
        return spark.read.json(str(source))
    return spark.read.parquet(str(source))


def _reason(text: str) -> str:
    """What Spark says, in one line: what swagcore raised inside of it, else its own error, else the first line.

    >>> _reason("An error occurred\\n: SparkException: [SOME_ERROR] It is so. SQLSTATE: 42\\n  at org.apache")
    '[SOME_ERROR] It is so.'
    """
    for pattern in (r"swagcore: (.*)", r"(\[[A-Z][A-Z_.]+\] .*)", r"\s*(\S.*)"):
        if found := re.search(pattern, text):
            return found[1].partition(" SQLSTATE")[0].strip()
    return "it did not say why"


@contextlib.contextmanager
def _told(source: Path) -> Iterator[None]:
    """Errors of Spark as one sentence of ours."""
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as problem:
        text = str(problem)
        if any(mark in text for mark in ("_READ_FILE", "UNABLE_TO_INFER_SCHEMA")):
            raise FileError(source, f"it cannot be read ({_reason(text)})") from problem
        raise SparkFailed(text) from problem


@contextlib.contextmanager
def _progress(spark: SparkSession) -> Iterator[None]:
    """Spark's tasks, done and to do, as a bar on the terminal while a job runs."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    tracker: Any = spark.sparkContext.statusTracker()
    ended = threading.Event()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Spark tasks", total=None)
        stages: dict[int, tuple[int, int]] = {}

        def look() -> None:
            while not ended.wait(0.2):
                for stage in tracker.getActiveStageIds():
                    if info := tracker.getStageInfo(stage):
                        stages[stage] = info.numCompletedTasks, info.numTasks
                done, total = (
                    (sum(counts) for counts in zip(*stages.values(), strict=True)) if stages else (0, None)
                )
                bar.update(task, completed=done, total=total)

        watcher = threading.Thread(target=look, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()
