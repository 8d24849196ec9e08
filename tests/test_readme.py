"""The README tells the truth: its files are written, its Python and its `swag` commands run, and outputs are compared."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
FILES = dict(re.findall(r"`(\w+\.\w+)`:\n\n```\w+\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE))
COMMANDS = [
    re.fullmatch(r"\$ (swag [^\n]*)\n(.*)", block, re.DOTALL) for kind, block in BLOCKS if kind == "console"
]


def test_nothing_in_the_readme_is_passed_over() -> None:
    assert set(FILES) == {"mine.py", "queries.toml", "trades.csv"}
    assert all(COMMANDS)
    assert len(COMMANDS) == 3
    assert {kind for kind, _ in BLOCKS} == {"text", "sh", "python", "toml", "csv", "console"}
    # What is left to the reader is no more than this.
    left = [
        line.split("#")[0].strip() for kind, block in BLOCKS if kind == "sh" for line in block.splitlines()
    ]
    assert left == ["pip install .", "make verify", "make test"]


def test_python() -> None:
    sessions = [block for kind, block in BLOCKS if kind == "python" and block.startswith(">>>")]
    assert len(sessions) == 3
    whole = doctest.DocTestParser().get_doctest("".join(sessions), {}, "README", str(README), 0)
    assert (
        doctest.DocTestRunner().run(whole).failed == 0
    )  # one session: a reader types them one after the other


@pytest.mark.spark
def test_the_notebook_on_spark(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    """As pasted: its answers are those of Spark's own windows, and it shows the first of them."""
    (pasted,) = (block for kind, block in BLOCKS if kind == "python" and "sw.spark.session" in block)
    names: dict[str, Any] = {}
    exec(pasted, names)
    shown = capsys.readouterr().out
    assert "|highest of 5 minutes|sensor 0|2024-05-01" in shown and "plan " in shown
    by_window = names["sw"].spark.windows(
        names["readings"], names["queries"], value="degrees", keys=["sensor"], plan="naive"
    )
    found = sorted(tuple(row) for row in names["answers"].collect())
    assert found == sorted(tuple(row) for row in by_window.collect())
    assert len(found) == 2 * (65 + 29 + 16)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[1])
def test_commands(command: re.Match[str], tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "swagcore", *shlex.split(command[1])[1:]],
        cwd=tmp_path,
        env={"PYTHONPATH": str(README.parent), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert "Traceback" not in ran.stderr
    assert ran.returncode == (1 if "fuzz" in command[1] else 0)  # the bug is found
    if command[2] == "...\n":
        assert ran.stdout
    else:
        assert ran.stdout == command[2]


def test_the_picture() -> None:
    """The instances and answers are those of the Python session below, and each is drawn at its place."""
    picture = next(block for kind, block in BLOCKS if kind == "text").splitlines()
    times = {int(found[0]): found.end() - 1 for found in re.finditer(r"-?\d+", picture[0])}
    drawn = re.findall(r"\[(-?\d+), (\d+)\) +max (\d+)", "\n".join(picture))
    assert drawn == re.findall(r"start=(-?\d+), end=(\d+), value=(\d+)", TEXT)
    assert len(drawn) == 4
    for line, (start, end, _) in zip(picture[2:], drawn, strict=True):
        assert (line.index("["), line.index(")")) == (times[int(start)], times[int(end)])


def test_the_bug_is_the_one_described(tmp_path: Path) -> None:
    from swagcore.testing import check_fifo

    assert FILES["mine.py"].count("<=") == 1
    mended: dict[str, type] = {}
    exec(FILES["mine.py"].replace("<=", "<"), mended)
    check_fifo(lambda aggregate: mended["Maximum"](), aggregates=["max"], data=["ints"])


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)]+)\)", TEXT))
def test_links(target: str) -> None:
    assert (README.parent / target).exists()


@pytest.mark.parametrize("command", ["run", "plan", "rewrite", "fuzz", "prove", "claims", "verify"])
def test_commands_that_are_named_exist(command: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "swagcore", command, "--help"], cwd=README.parent, capture_output=True
    )
    assert ran.returncode == 0
    assert f"swag {command}" in TEXT
