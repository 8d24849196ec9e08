"""`swag run --engine spark`: the answers of a file's queries over a file of events, as Parquet.

Nothing is half-written: the answers go to a directory beside the one asked for, which takes its name when all is done.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from swagcore.errors import FileError, SwagError
from swagcore.spark.job import quoted
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
    from swagcore.spark.job import job_of

    half = target.absolute().with_name(f".{target.name}.{os.getpid()}.tmp")
    with _removed_unless_renamed(half), _session(master) as spark:
        with _told(source):
            df = _read(spark, source, time, [*keys, *_columns(queries, value)])
            job = job_of(df, queries, time, value, keys, None, unit)
            types = {one.recipe.type for one in job.asked}
            mixed = len(types) > 1 or (
                len({one.window.by_count for one in job.asked}) > 1 and job.clock != "integer"
            )
            began = _now()
            with _progress(spark):
                if mixed:
                    for name, table in tables(df, queries, time, value, keys, plan, unit=unit).items():
                        table.write.parquet(_url(half / f"query={quote(name, safe=' ')}"))
                else:
                    windows(df, queries, time, value, keys, plan, unit=unit).write.parquet(_url(half))
            took = _now() - began
            if mixed:
                folders = {
                    one.query.name: half / f"query={quote(one.query.name, safe=' ')}" for one in job.asked
                }
                counts = {
                    name: spark.read.parquet(_url(folder, pattern=True)).count()
                    for name, folder in folders.items()
                }
            else:
                found = spark.read.parquet(_url(half, pattern=True)).groupBy("query").count().collect()
                counts = {one.query.name: 0 for one in job.asked} | {
                    row["query"]: row["count"] for row in found
                }
        try:
            os.rename(half, target)
        except OSError as problem:
            raise FileError(target, f"it cannot be written ({problem.strerror})") from problem
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
    if not os.access(target.absolute().parent, os.W_OK | os.X_OK):
        raise FileError(target, "it cannot be written (Permission denied)")


def _read(spark: SparkSession, source: Path, time: str, columns: Sequence[str]) -> DataFrame:
    """The events. A line that is not valid is an error: by itself Spark would leave it out, or fill it with nulls."""
    from pyspark.sql import functions as F

    suffix, path = source.suffix.lower(), _url(source, pattern=True)
    if suffix == ".csv":
        # Without pruning, because cells that are not read are not counted.
        cells = spark.read.options(header=True, mode="FAILFAST", escape='"', columnPruning=False).csv(path)
        return _typed(cells, time, columns)
    if suffix == ".jsonl":
        rows = spark.read.json(path, mode="FAILFAST")
        if time in rows.columns and rows.schema[time].dataType.simpleString() == "string":
            rows = rows.withColumn(time, F.col(quoted(time)).cast("timestamp"))
        return rows
    return spark.read.parquet(path)


# What the cells of a column are all like, in CSV, which says no types; a number with a leading zero is a name.
KINDS = {
    "bigint": "[+-]?(0|[1-9][0-9]*)",
    "double": "(?i)[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]+)?|inf|infinity)|nan",
    "boolean": "(?i)true|false",
}


def _typed(cells: DataFrame, time: str, columns: Sequence[str]) -> DataFrame:
    """The columns with the types that `--engine python` gives them, found by reading the file once more."""
    used = [name for name in dict.fromkeys([time, *columns]) if name in cells.columns]
    trimmed = {name: f"nullif(trim({quoted(name)}), '')" for name in used}
    each = [
        f"coalesce(bool_and({cell} RLIKE '^({pattern})$'), true)"
        for cell in trimmed.values()
        for pattern in KINDS.values()
    ]
    told = (
        cells.selectExpr(*(f"{one} AS c{number}" for number, one in enumerate(each))).first() if used else ()
    )
    found = iter(told or ())
    typed = []
    for name, cell in trimmed.items():
        fits = [kind for kind in KINDS if next(found)]
        if name == time:
            kind = "bigint" if "bigint" in fits else "timestamp"
        elif fits:
            kind = fits[0]
        else:
            kind, cell = "string", f"CASE WHEN {cell} IS NOT NULL THEN {quoted(name)} END"
        typed.append(f"CAST({cell} AS {kind}) AS {quoted(name)}")
    others = [quoted(name) for name in cells.columns if name not in used]
    return cells.selectExpr(*typed, *others)


def _url(path: Path, *, pattern: bool = False) -> str:
    """A path of this machine as Spark takes it, whatever its default file system; where it takes a pattern, escaped.

    >>> _url(Path("/a[1]*")), _url(Path("/a[1]*"), pattern=True) == "file:///a\\\\[1\\\\]\\\\*"
    ('file:///a[1]*', True)
    """
    text = str(path.absolute())
    return "file://" + (re.sub(r"([\\\[\]{}*?])", r"\\\1", text) if pattern else text)


def _columns(queries: Sequence[Query], value: str | None) -> list[str]:
    """The columns that are aggregated."""
    named = [column for query in queries for column in (query.value or value, query.by)]
    return [column for column in named if column is not None]


@contextlib.contextmanager
def _removed_unless_renamed(half: Path) -> Iterator[None]:
    """Remove what is half-written however the block ends, also where the process is told to end."""
    ending = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]

    def end(number: int, frame: object) -> None:
        for each in ending:
            signal.signal(each, signal.SIG_IGN)  # this is on its way
        raise SystemExit(128 + number)  # at a KeyboardInterrupt Py4J prints where it was

    before = {}
    if threading.current_thread() is threading.main_thread():  # no other may have handlers
        before = {number: signal.signal(number, end) for number in ending}
    try:
        yield
    finally:
        shutil.rmtree(half, ignore_errors=True)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _session(master: str | None) -> Iterator[SparkSession]:
    """The session that is running, else one for this run. That ends with the block, and its Java with it: a task that is
    told to stop may go on writing for a while.
    """
    from swagcore.spark.java import SparkMissing, session

    try:
        from pyspark import SparkContext
        from pyspark.sql import SparkSession
    except ImportError as problem:
        raise SparkMissing from problem
    if (running := SparkSession.getActiveSession()) is not None:
        yield running
        return
    interrupted = signal.getsignal(signal.SIGINT)
    there_was_java = SparkContext._gateway is not None
    cores = os.cpu_count() or 1
    settings = {"spark.log.level": "OFF"}  # what goes wrong is told in one sentence
    if master:
        settings["spark.master"] = master
    try:
        with _told(None), _quiet():
            spark = session("swag run", cores=cores, shuffle_partitions=2 * cores, settings=settings)
        if threading.current_thread() is threading.main_thread():
            # PySpark's own handler asks Java to stop in the middle of another call, and complains.
            signal.signal(signal.SIGINT, interrupted)
        yield spark
    finally:
        gateway = SparkContext._gateway
        if gateway is not None and not there_was_java:
            if (context := SparkContext._active_spark_context) is not None:
                with contextlib.suppress(Exception):
                    context.stop()
            gateway.proc.stdin.close()  # at which Java ends
            try:
                gateway.proc.wait(10)
            except subprocess.TimeoutExpired:
                gateway.proc.kill()
            SparkContext._gateway = SparkContext._jvm = None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What Java says while it starts, about loggers and optional modules, is kept back; where it gives up, that is why."""
    from pyspark.errors import PySparkException

    kept = os.dup(2)
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 2)
        try:
            yield
        except PySparkException as problem:
            said.seek(0)
            raise SparkFailed(said.read().decode(errors="replace") + str(problem)) from problem
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _reason(text: str) -> str:
    """What Spark says, in one line: what swagcore raised inside of it, else its own error, else the first line.

    >>> _reason("An error occurred while calling None.\\n: org.apache.spark.SparkException: Could not parse it\\n  at org")
    'Could not parse it'

    >>> _reason("An error occurred\\n: SparkException: [SOME_ERROR] It is so. SQLSTATE: 42\\n  at org.apache")
    '[SOME_ERROR] It is so.'
    """
    patterns = (
        r"swagcore: (.*)",
        r"(No space left on device|Disk quota exceeded)",
        r"(\[MALFORMED_RECORD\S+ .*)",
        r"in thread \"main\" [\w.$]+: (.*)",
        r"(\[[A-Z][A-Z_.]+\] .*)",
        r"\n: [\w.$]+: (.*)",
        r"\s*(\S.*)",
    )
    for pattern in patterns:
        if found := re.search(pattern, text):
            return found[1].partition(" SQLSTATE")[0].strip()
    return "it did not say why"


@contextlib.contextmanager
def _told(source: Path | None) -> Iterator[None]:
    """Errors of Spark as one sentence of ours."""
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as problem:
        text = str(problem)
        marks = ("_READ_FILE", "UNABLE_TO_INFER_SCHEMA", "MALFORMED_RECORD")
        if source is not None and any(mark in text for mark in marks):
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
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
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
