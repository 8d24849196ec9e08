"""`swag run --engine spark`, as the command calls it: Parquet whole or not at all, one sentence for each mistake."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import swagcore as sw
from swagcore.errors import FileError, SwagError
from swagcore.files import Stream, evaluate, read_events
from swagcore.spark import JavaMissing, java
from swagcore.spark.command import run_file
from tests.spark.gathered import compared, gathered

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Q, W = sw.Query, sw.Window
ROWS = [(0, 1, "a"), (3, 4, "b"), (9, 2, "a"), (4, None, "a"), (None, 7, "a")]
COLUMNS: dict[str, Any] = {"time": "t", "value": "v", "keys": ["k"]}
ONE_TYPE = [Q("low", "min", W(5, 5)), Q("total", "sum", W(6, 4))]
MIXED = [*ONE_TYPE, Q("mean/of v", "mean", W(5, 5))]


@pytest.fixture
def events(spark: SparkSession, tmp_path: Path) -> Path:
    path = tmp_path / "events.parquet"
    spark.createDataFrame(ROWS, "t long, v long, k string").write.parquet(str(path))
    return path


def wanted(queries: list[sw.Query]) -> list[sw.Answer]:
    return sw.naive(queries, sorted((t, v, (k,)) for t, v, k in ROWS if t is not None))


def test_one_type_is_one_table(spark: SparkSession, events: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers"
    told = run_file(ONE_TYPE, events, out, **COLUMNS)
    found = gathered(spark.read.parquet(str(out)))
    assert compared(found, wanted(ONE_TYPE)) == 8
    assert told[0].split() == ["3", "answers", "low"]
    assert told[-1].startswith("8 answers to 2 queries, in ")
    assert told[-1].endswith(f"written to {out}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers", "events.parquet"]


def test_several_types_are_a_table_each(spark: SparkSession, events: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers"
    told = run_file(MIXED, events, out, **COLUMNS)
    assert told[-1].endswith(f"written to a table for each query in {out}")
    folders = {"low": "query=low", "total": "query=total", "mean/of v": "query=mean%2Fof v"}
    assert sorted(path.name for path in out.iterdir()) == sorted(folders.values())
    for query in MIXED:
        table = spark.read.parquet(str(out / folders[query.name]))
        assert compared(gathered(table, query=query.name), wanted([query]))


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_other_files(spark: SparkSession, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"events.{suffix}"
    if suffix == "csv":
        lines = ["t,v,k", *(",".join("" if cell is None else str(cell) for cell in row) for row in ROWS)]
    else:
        lines = [str({"t": t, "v": v, "k": k}).replace("'", '"').replace("None", "null") for t, v, k in ROWS]
    path.write_text("\n".join(lines) + "\n")
    queries = [Q("n", "count", W(5, 5))]
    run_file(queries, path, tmp_path / "answers", **COLUMNS)
    assert compared(gathered(spark.read.parquet(str(tmp_path / "answers"))), wanted(queries)) == 3


TEXTS = {
    "names that look like numbers.csv": 't,v,k\n1,5,007\n2,7,7\n,3,x\n4,,"a ""b"" \\"\n4,8,\n',
    "numbers.csv": "t,v,k\n2024-05-01T09:30:00Z,.5,TRUE\n2024-05-01 09:30:01.5,3,false\n2024-05-01,-1e3,\n",
    "booleans and texts.csv": "t,v,k\n-7, 12 , a\n0,3,b c\n",
    "timestamps.jsonl": '{"t": "2024-05-01T09:30:00Z", "v": 1, "k": "a"}\n\n{"t": "2024-05-01 11:30:01+02:00", "v": 2}\n',
    "[a] name.jsonl": '{"t": "1969-12-31", "v": 1.5, "k": 7}\n{"v": 2, "k": 8}\n',
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_types_are_those_of_the_python_engine(spark: SparkSession, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(TEXTS[name])
    size = 5 if "names" in name or "texts" in name else "5 s"
    queries = [Q("low", "min", W(size, size)), Q("high", "max", W(size, size))]
    theirs = evaluate(queries, read_events(path, Stream("t", "v", ("k",)), queries))
    run_file(queries, path, tmp_path / "answers", **COLUMNS)
    found = gathered(spark.read.parquet(str(tmp_path / "answers")))
    assert compared(found, [sw.Answer(a.query, a.start, a.end, a.value, (a.key,)) for a in theirs])


def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1 this is no Parquet file PAR1")
    return path


def named(tmp_path: Path, name: str, text: str = "x") -> Path:
    (tmp_path / name).write_text(text)
    return tmp_path / name


BAD: list[tuple[Any, Any, dict[str, Any], str]] = [
    (None, "answers", {"time": "when"}, r"time is 'when'; expected one of k, t, v"),
    (None, "answers", {"value": "price"}, r"value is 'price'; expected one of k, t, v"),
    (
        None,
        "answers",
        {"value": "k"},
        r"value column of query 'total' is 'string'; expected a column of numbers",
    ),
    (lambda tmp: tmp / "none.parquet", "answers", {}, "none.parquet: there is no such file"),
    (
        lambda tmp: named(tmp, "events.xls"),
        "answers",
        {},
        "events.xls: its name ends in '.xls'; expected .parquet",
    ),
    (broken, "answers", {}, r"broken.parquet: it cannot be read \("),
    (
        lambda tmp: named(tmp, "short.csv", "t,v,k\n1,2,a\n2,3\n"),
        "answers",
        {},
        r"short.csv: it cannot be read \(\[MALFORMED",
    ),
    (
        lambda tmp: named(tmp, "cut.jsonl", '{"t": 1, "v": 2, "k": "a"}\n{"t": 2, "v": 3, "k'),
        "answers",
        {},
        r"cut.jsonl: it cannot be read \(\[MALFORMED",
    ),
    (None, "events.parquet", {}, "events.parquet: it exists; expected the name of a directory to make"),
    (None, "no/such/answers", {}, "its directory does not exist"),
    (None, None, {}, "engine 'spark' writes Parquet; expected --out"),
]


@pytest.mark.parametrize(("source", "out", "columns", "message"), BAD)
def test_mistakes_are_one_sentence(
    events: Path, tmp_path: Path, source: Any, out: str | None, columns: dict[str, Any], message: str
) -> None:
    path = events if source is None else source(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SwagError, match=message) as caught:
        run_file(ONE_TYPE, path, None if out is None else tmp_path / out, **{**COLUMNS, **columns})
    assert "\n" not in str(caught.value)
    assert sorted(tmp_path.rglob("*")) == before, "nothing is written"


def test_a_failure_in_the_middle_leaves_nothing(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "large.parquet"
    spark.createDataFrame([(0, 2**63 - 1, "a"), (1, 1, "a")], "t long, v long, k string").write.parquet(
        str(path)
    )
    with pytest.raises(
        SwagError, match=r"^Spark stopped: query 'total': a sum does not fit its type, bigint$"
    ):
        run_file([Q("total", "sum", W(5, 5))], path, tmp_path / "answers", **COLUMNS)
    assert [entry.name for entry in tmp_path.iterdir()] == ["large.parquet"]


def test_without_java(events: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise JavaMissing([])

    monkeypatch.setattr(
        "pyspark.sql.SparkSession.getActiveSession", lambda: None
    )  # a process that just began
    monkeypatch.setattr(java, "ensure_java", missing)
    with pytest.raises(JavaMissing, match="install one and set JAVA_HOME"):
        run_file(ONE_TYPE, events, tmp_path / "answers", **COLUMNS)
    assert not (tmp_path / "answers").exists()


def test_an_unreadable_file_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        run_file(ONE_TYPE, tmp_path / "none.csv", tmp_path / "answers", **COLUMNS)


def swag_run(where: Path, events: int, *options: str) -> subprocess.Popen[str]:
    """The command as a process of its own, over that many events."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = pa.array(range(events))
    pq.write_table(pa.table({"t": numbers, "v": numbers, "k": numbers}), where / "events.parquet")
    (where / "queries.toml").write_text(
        '[stream]\ntime = "t"\nvalue = "v"\nkeys = ["k"]\n'
        '[[query]]\nname = "q"\naggregate = "sum"\nrange = 9\nslide = 2\n'
    )
    command = ["run", "queries.toml", "events.parquet", "--engine", "spark", "--out", "answers"]
    return subprocess.Popen(
        [sys.executable, "-m", "swagcore", *command, *options],
        cwd=where,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "TMPDIR": str(where)},
    )


@pytest.mark.spark
@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_an_interrupted_run_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    running = swag_run(tmp_path, 1_000_000)
    while not list(tmp_path.glob(".answers.*.tmp")):
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(number)
    out, err = running.communicate()  # it ends when Java, which has them too, is gone
    assert (out, err) == ("", "swag: it was interrupted; nothing is written\n")
    assert running.returncode == 128 + number
    assert sorted(path.name for path in tmp_path.iterdir()) == ["events.parquet", "queries.toml"]


@pytest.mark.spark
@pytest.mark.slow
def test_a_master_that_is_none(tmp_path: Path) -> None:
    running = swag_run(tmp_path, 1, "--master", "nonsense")
    out, err = running.communicate()
    assert (out, err) == (
        "",
        "swag: Spark stopped: Master must either be yarn or start with spark, k8s, or local\n",
    )
    assert running.returncode == 1
