"""`swag plan`: the plan of a file, what it costs and saves, and mistakes in one line."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from swagcore.cli.plan import plan
from swagcore.errors import SwagError

app = typer.Typer()
app.command()(plan)
app.callback()(lambda: None)

HEAD = '[stream]\ntime = "ts"\nvalue = "price"\n'


def query(name: str, range_: object, slide: object) -> str:
    shown = [f'"{size}"' if isinstance(size, str) else str(size) for size in (range_, slide)]
    return f'[[query]]\nname = "{name}"\naggregate = "max"\nrange = {shown[0]}\nslide = {shown[1]}\n'


def ran(tmp_path: Path, text: str, *options: str, columns: int = 120) -> str:
    file = tmp_path / "queries.toml"
    file.write_text(HEAD + text)
    result = CliRunner().invoke(
        app, ["plan", str(file), *options], env={"COLUMNS": str(columns)}, catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.output


TWO = query("six", 6, 2) + query("eight", 8, 4)


def test_the_plan_its_cost_and_the_saving(tmp_path: Path) -> None:
    output = ran(tmp_path, TWO)
    # One tree: 1 for the events, and an edge every 2 with 7/2 combines each. Apart 1 + 1 and 1 + 1/4.
    assert "six, eight" in output
    for line in ("2 queries in 1 tree", "cost      11/4", "unshared  13/4", "saving    15.4%"):
        assert line in output


@pytest.mark.parametrize(
    ("options", "pieces"),
    [
        (["--optimizer", "no_share"], ["2 queries in 2 trees", "saving    0.0%"]),
        (["--nodes", "3", "--optimizer", "no_share"], ["node", "most expensive of 3 nodes  2"]),
        (["--technique", "slickdeque_noninv"], ["slickdeque_noninv"]),
        (["--rate", "10"], ["10 events a time unit", "cost      47/4"]),
        (["--optimizer", "tri_weave"], ["all trees of a node share"]),
    ],
)
def test_options(tmp_path: Path, options: list[str], pieces: list[str]) -> None:
    output = ran(tmp_path, TWO, *options)
    assert all(piece in output for piece in pieces), output


def test_no_column_is_lost_on_a_narrow_terminal(tmp_path: Path) -> None:
    # Once the names, which did not wrap, left no room for the figures.
    text = "".join(query(f"a_rather_long_name_{number}", 60 + number, 7) for number in range(30))
    output = ran(tmp_path, text, "--optimizer", "shared", columns=60)
    assert all(heading in output for heading in ("queries", "edge rate", "omega", "cost", "names")), output
    assert " 30 " in output and "a_rather_long_name_0" in output


def test_durations_are_planned_per_second(tmp_path: Path) -> None:
    output = ran(tmp_path, query("six", "6 s", "2 s") + query("eight", "8 s", "4 s"))
    assert "1 events a second" in output and "cost      11/4 operations a second" in output


@pytest.mark.parametrize(
    ("options", "piece"),
    [
        (["--optimizer", "weave"], "optimizer is 'weave'"),
        (["--technique", "daba"], "technique is 'daba'"),
        (["--nodes", "0"], "nodes is 0"),
        (["--rate", "-1"], "rate is -1.0"),
    ],
)
def test_mistakes_are_sentences(tmp_path: Path, options: list[str], piece: str) -> None:
    file = tmp_path / "queries.toml"
    file.write_text(HEAD + TWO)
    with pytest.raises(SwagError, match=piece):
        CliRunner().invoke(app, ["plan", str(file), *options], catch_exceptions=False)


def test_five_hundred_queries_are_quick(tmp_path: Path) -> None:
    source = random.Random(1)
    text = ""
    for number in range(500):
        slide = source.randint(1, 60)
        text += query(f"q{number}", slide * source.randint(1, 20), slide)
    begun = time.process_time()
    assert "500 queries in" in ran(tmp_path, text)
    assert time.process_time() - begun < 60  # about a second; only a hang is a failure here
