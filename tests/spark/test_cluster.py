"""A real standalone cluster on loopback: a master and two workers whose Python does not have swagcore.

The batch plan runs there and gives the answers of `naive`; a worker that is killed in the middle changes nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.spark]

DRIVER = r"""
import json, os, signal, sys, threading, time
import swagcore as sw
from swagcore.spark import session

master, group, scratch = sys.argv[1], int(sys.argv[2]), sys.argv[3]
spark = session("cluster", scratch=scratch, shuffle_partitions=4, settings={
    "spark.master": master,
    "spark.executor.memory": "512m", "spark.driver.memory": "1g", "spark.cores.max": "2", "spark.executor.cores": "1",
})
Q, W = sw.Query, sw.Window

def has_swagcore(batches):
    import importlib.util, pyarrow
    for batch in batches:
        found = importlib.util.find_spec("swagcore") is not None
        yield pyarrow.RecordBatch.from_pydict({"found": [found], "where": [os.environ.get("SPARK_EXECUTOR_DIRS", "")]})

seen = spark.range(0, 8, 1, 8).mapInArrow(has_swagcore, "found boolean, where string").collect()
executors = {row["where"] for row in seen}
lacking = not any(row["found"] for row in seen)

few = [(t * 7 % 61 - 20, t % 11 or None, "ab"[t % 2]) for t in range(200)]
queries = [Q("s", "sum", W(9, 4)), Q("m", "max", W(5, 7)), Q("n", "count", W(20, 5)), Q("f", "first", W(6, 6))]
df = spark.createDataFrame(few, "t long, v long, k string")
order = lambda e: (e[0], e[1] is not None, e[1] or 0)
expected = sorted((a.query, a.key, a.start, a.end, a.value) for a in sw.naive(queries, sorted(few, key=order)))
small = sorted(tuple(row) for row in sw.spark.windows(df, queries, time="t", plan="slices").collect()) == expected

events = spark.range(0, 12_000_000, 1, 48).selectExpr(
    "id % 86400 AS t", "(id * 7919) % 1000003 AS v", "CAST(id % 37 AS string) AS k")
many = [Q("s", "sum", W(600, 60)), Q("m", "max", W(3600, 300)), Q("n", "count", W(90, 120))]
def answers():
    return sorted(tuple(row) for row in sw.spark.windows(events, many, time="t", plan="slices").collect())
calm = answers()

tracker, killed = spark.sparkContext.statusTracker(), []
def kill():
    while not killed:
        for stage in tracker.getActiveStageIds():
            info = tracker.getStageInfo(stage)
            if info and info.numTasks >= 40 and 5 <= info.numCompletedTasks <= 40:
                os.killpg(group, signal.SIGKILL)  # one worker, its executor, and the Python below it
                killed.append(info.numCompletedTasks)
        time.sleep(0.02)
thread = threading.Thread(target=kill, daemon=True)
thread.start()
stormy = answers()
print("RESULT " + json.dumps({
    "lacking": lacking, "executors": len(executors), "small": small, "answers": len(calm), "same": calm == stormy,
    "killed after tasks": killed, "left": len({row["where"] for row in
        spark.range(0, 8, 1, 8).mapInArrow(has_swagcore, "found boolean, where string").collect()})}))
spark.stop()
"""


@pytest.fixture
def bare_python(tmp_path: Path) -> Path:
    """A Python with all packages that are installed here, but swagcore."""
    home = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / "bin" / "python"
    told = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    packages = Path(told.stdout.strip())
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if "swagcore" not in entry.name and not entry.name.endswith(".pth") and entry.name != "__pycache__":
            (packages / entry.name).symlink_to(entry)
    return python


@pytest.fixture
def cluster(tmp_path: Path, bare_python: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a master with two workers, and the workers' processes."""
    pyspark = pytest.importorskip("pyspark")
    from swagcore.spark import ensure_java

    ensure_java()
    home = Path(pyspark.__file__).parent
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SPARK_HOME")}
    env = {**kept, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(home), "PYSPARK_PYTHON": str(bare_python)}
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> Path:
        log = tmp_path / f"{name}.log"
        command = [str(home / "bin" / "spark-class"), *arguments]
        with log.open("wb") as output:
            started.append(
                subprocess.Popen(
                    command,
                    cwd=tmp_path,
                    env=env,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )
        return log

    def wait(log: Path, pattern: str) -> str:
        for _ in range(600):
            found = re.search(pattern, log.read_text(errors="replace"))
            if found:
                return found[0]
            time.sleep(0.2)
        raise AssertionError(f"no {pattern} in {log.read_text(errors='replace')[-2000:]}")

    try:
        deploy = "org.apache.spark.deploy"
        log = start(
            "master", f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"
        )
        master = wait(log, r"spark://127\.0\.0\.1:\d+")
        for number in (1, 2):
            where = str(tmp_path / f"worker{number}")
            log = start(
                f"worker{number}",
                f"{deploy}.worker.Worker",
                "--host",
                "127.0.0.1",
                "--webui-port",
                "0",
                "--cores",
                "1",
                "--memory",
                "1g",
                "--work-dir",
                where,
                master,
            )
            wait(log, "Successfully registered with master")
        yield master, started[1:]
    finally:
        for process in started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def test_a_cluster_without_swagcore_and_a_killed_worker(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], bare_python: Path, tmp_path: Path
) -> None:
    master, workers = cluster
    arguments = [master, str(workers[0].pid), str(tmp_path / "scratch")]
    env = {**os.environ, "PYSPARK_PYTHON": str(bare_python), "PYSPARK_DRIVER_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, *arguments],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert "RESULT" in done.stdout, done.stderr[-3000:]
    result = json.loads(done.stdout.split("RESULT ")[1])
    assert result["lacking"], "the executors' Python has swagcore"
    assert result["executors"] == 2, "both workers ran tasks"
    assert result["small"], "the cluster's answers are those of naive"
    assert result["killed after tasks"], "no worker was killed in the middle"
    assert workers[0].poll() is not None
    assert result["left"] == 1, "the killed worker ran on"
    assert result["answers"] > 90_000
    assert result["same"], "the kill changed answers"
