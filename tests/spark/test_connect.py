"""Spark Connect: a real server on loopback, in a process of its own, and clients that have no Java.

The plans and the stream use nothing but DataFrames, so they give the answers of `naive` there, too.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import swagcore as sw
from tests.spark.gathered import SECOND, WINDOWS, compared, expected, frame, gathered, stream

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
Q = sw.Query
SHARED = [
    Q(f"{aggregate} {column} {kind}", aggregate, window, value=column)
    for (aggregate, column), (kind, window) in zip(
        [("sum", "small"), ("max", "big"), ("count", "word"), ("first", "big"), ("min", "big")],
        itertools.cycle(WINDOWS.items()),
        strict=False,
    )
]
OF_MANY_TYPES = [
    *SHARED[:3],
    Q("mean", "mean", WINDOWS["gaps"], value="small"),
    Q("median", "median", WINDOWS["tumbling"], value="small"),
    Q("last word", "last", WINDOWS["sliding"], value="word"),
    Q("seven", "count", sw.Window.count(7, 3), value="small"),
]
STREAMED = [
    Q("sum", "sum", sw.Window("70 s", "40 s")),
    Q("max", "max", sw.Window("2 min", "30 s", lag="20 s")),
    Q("gaps", "count", sw.Window("10 s", "25 s", "3 s")),
]
STREAM_SCHEMA = "time long, k string, v long"


def batch(spark: SparkSession, home: Path) -> None:
    """The client of the first test: every plan, and tables."""
    rows = stream()
    df = frame(spark, rows)
    wanted = expected(SHARED, rows)
    for plan in ("naive", "slices", "coverage", "auto"):
        found = sw.spark.windows(df, SHARED, value=None, plan=plan, order=["seq"])
        assert compared(gathered(found), wanted) > 300, plan
    assert sw.spark.explain(df, SHARED, value=None, order=["seq"]).startswith("plan slices for 5 queries")
    tables = sw.spark.tables(df, OF_MANY_TYPES, value=None, order=["seq"])
    for query in OF_MANY_TYPES:
        table = tables[query.name]
        assert compared(gathered(table, query=query.name), expected([query], rows)) > 30, query.name
    tables.unpersist()


def streaming(spark: SparkSession, home: Path) -> None:
    """The client of the second test: events in three batches, one of them too late."""
    rows = [((3600 + second) * SECOND, "ab"[second // 2 % 2], second % 17) for second in range(0, 600, 2)]
    too_late = (3650 * SECOND, "a", 1000)
    (home / "events").mkdir()
    for number, mine in enumerate([rows[:100], rows[100:200], [too_late, *rows[200:]]]):
        path = home / "events" / f"{number}.json"
        names = [field.split()[0] for field in STREAM_SCHEMA.split(", ")]
        path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in mine))
        os.utime(path, (1_000_000 + number,) * 2)  # the source takes the oldest first
    files = spark.readStream.schema(STREAM_SCHEMA).option("maxFilesPerTrigger", 1).json(str(home / "events"))
    df = files.selectExpr("timestamp_micros(time) AS ts", "k", "v")
    writer = sw.spark.stream(df, STREAMED, watermark="30 s").writeStream.format("parquet")
    writer = writer.option("checkpointLocation", str(home / "checkpoint")).trigger(availableNow=True)
    running = writer.start(str(home / "answers"))
    running.awaitTermination()
    assert sw.spark.dropped(running) == 1
    watermark = rows[-1][0] - 30 * SECOND
    lags = {query.name: query.window.to_unit("us").lag for query in STREAMED}
    queries = [Q(query.name, query.aggregate, query.window, "v") for query in STREAMED]
    wanted = [a for a in expected(queries, rows, STREAM_SCHEMA) if a.end + lags[a.query] <= watermark]
    assert compared(gathered(spark.read.parquet(str(home / "answers"))), wanted) > 90


CLIENT = """
import sys
from pathlib import Path
from pyspark.sql import SparkSession
from pyspark.sql.connect.session import SparkSession as ConnectSession
from tests.spark import test_connect

spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
assert isinstance(spark, ConnectSession)
getattr(test_connect, sys.argv[2])(spark, Path(sys.argv[3]))
spark.stop()
print("done")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Connect server from PySpark's own jars."""
    pyspark = pytest.importorskip("pyspark")
    pytest.importorskip("grpc", reason='run: pip install "swagcore[connect]"')
    from swagcore.spark import ensure_java
    from swagcore.spark.java import _settings

    ensure_java()
    home = tmp_path_factory.mktemp("connect")
    settings = {
        **_settings(home, shuffle_partitions=2, here=True),
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": "0",
        "spark.driver.memory": "1g",
    }
    del settings["spark.log.level"]  # it tells its port at level INFO
    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), "--master", "local[2]"]
    for name, setting in settings.items():
        command += ["--conf", f"{name}={setting}"]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env = {**kept, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    log = home / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=home, env=env, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        for _ in range(600):
            told = log.read_text(errors="replace")
            if found := re.search(r"Connect server started at: \S*?:(\d+)", told):
                break
            assert process.poll() is None, told[-3000:]
            time.sleep(0.1)
        else:
            raise AssertionError(told[-3000:])
        yield f"sc://127.0.0.1:{found[1]}"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.spark
@pytest.mark.parametrize("job", [batch.__name__, streaming.__name__])
def test_a_connect_client_gets_the_answers_of_naive(server: str, job: str, tmp_path: Path) -> None:
    without_java = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    env = {**without_java, "PYTHONPATH": str(ROOT), "PATH": str(tmp_path / "nothing")}
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, server, job, str(tmp_path)],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr[-3000:]
