"""A stream that is killed, really, at random moments, and started again: the sink has every answer once."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import swagcore as sw
from tests.spark.gathered import SECOND, compared, expected, gathered

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamWriter

SCHEMA = "time long, k string, v long"
QUERIES = [
    sw.Query("sum", "sum", sw.Window("70 s", "40 s"), "v"),
    sw.Query("max", "max", sw.Window("2 min", "30 s"), "v"),
    sw.Query("count", "count", sw.Window("10 s", "25 s", "3 s"), "v"),
]
WATERMARK = 60 * SECOND

# The process that is killed.
CHILD = r"""
import sys
from pathlib import Path
from swagcore.spark import session
from tests.spark.test_stream_kill import writer

home, life = Path(sys.argv[1]), sys.argv[2]
spark = session("killed", scratch=home / "scratch" / life, settings={"spark.driver.memory": "512m"})
running = writer(spark, home).start(str(home / "answers"))
print("started", flush=True)
running.awaitTermination()
"""


def writer(spark: SparkSession, home: Path) -> DataStreamWriter:
    """The query, ready to be started: anew, or from its checkpoint."""
    files = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(home / "events"))
    events = files.selectExpr("timestamp_micros(time) AS ts", "k", "v")
    answers = sw.spark.stream(events, QUERIES, watermark="60 s")
    return answers.writeStream.format("parquet").option("checkpointLocation", str(home / "checkpoint"))


Row = tuple[Any, ...]


class Stream:
    """The events of a stream, written file by file, and the process that reads them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.chosen = random.Random(1)
        self.rows: list[Row] = []
        self.lives = self.files = 0
        (home / "events").mkdir()
        (home / "making").mkdir()

    def feed(self, files: int) -> None:
        """More files of 20 s each; events come up to 50 s late, so some belong to files before theirs."""
        for _ in range(files):
            name = f"{self.files:04}.json"
            now = 3600 + 20 * self.files
            lines = []
            for _ in range(30):
                at = (
                    now + self.chosen.randrange(20) - self.chosen.choice([0, 0, self.chosen.randrange(50)])
                ) * SECOND
                row = at, self.chosen.choice("ab"), self.chosen.randrange(1000)
                self.rows.append(row)
                lines.append(json.dumps(dict(zip(("time", "k", "v"), row, strict=True))) + "\n")
            making = self.home / "making" / name
            making.write_text("".join(lines))
            os.utime(making, (1_000_000 + self.files,) * 2)  # the source takes the oldest first
            making.rename(self.home / "events" / name)
            self.files += 1

    def start(self) -> subprocess.Popen[str]:
        """A new process; it is returned when its query has started."""
        self.lives += 1
        with (self.home / f"life-{self.lives}.log").open("w") as log:
            child = subprocess.Popen(
                [sys.executable, "-c", CHILD, str(self.home), str(self.lives)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # a group of its own, with the JVM in it
                env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
            )
        assert child.stdout is not None
        if child.stdout.readline() != "started\n":
            raise AssertionError((self.home / f"life-{self.lives}.log").read_text()[-3000:])
        return child

    def kill(self, child: subprocess.Popen[str]) -> bool:
        """Kill Python and JVM at once; whether a batch was under way: it was planned, and is not committed."""
        assert child.poll() is None, "it ended by itself"
        os.killpg(child.pid, signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        assert child.stdout is not None
        child.stdout.read()  # ends when the JVM, which has it too, is gone
        child.stdout.close()
        return bool(self.batches("offsets") - self.batches("commits"))

    def batches(self, log: str) -> set[int]:
        """The numbers of the batches that are planned ("offsets") or committed ("commits")."""
        return {int(path.name) for path in (self.home / "checkpoint" / log).glob("[0-9]*")}

    def finish(self, spark: SparkSession) -> None:
        """Go on from the checkpoint in the session of the tests, to the end of all files."""
        running = writer(spark, self.home).trigger(availableNow=True).start(str(self.home / "answers"))
        running.awaitTermination()


def check(spark: SparkSession, stream: Stream) -> None:
    """The sink has the answers of all windows that the watermark has closed, each once."""
    wanted = expected(QUERIES, stream.rows, SCHEMA)
    watermark = max(row[0] for row in stream.rows) - WATERMARK
    found = gathered(spark.read.parquet(str(stream.home / "answers")))
    assert compared(found, [answer for answer in wanted if answer.end <= watermark]) > 10


def test_a_kill_in_the_middle_of_a_batch(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(tmp_path)
    stream.feed(6)
    child = stream.start()
    while 3 not in stream.batches("offsets"):
        assert child.poll() is None
        time.sleep(0.005)
    assert stream.kill(child), "the batch was committed before the kill"
    stream.finish(spark)
    check(spark, stream)


@pytest.mark.slow
def test_ten_kills_at_random_moments(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(tmp_path)
    under_way = 0
    for _ in range(10):
        stream.feed(5)
        before = time.monotonic()
        child = stream.start()
        start_took = time.monotonic() - before  # the pace of the machine
        time.sleep(random.SystemRandom().uniform(0, 1.5 * start_took))
        under_way += stream.kill(child)
    assert under_way > 0, "every kill fell between two batches"
    assert stream.batches("commits"), "no batch was ever committed"
    stream.finish(spark)
    check(spark, stream)
