"""The comparison of engines: it tells right from wrong, and its table is there."""

from __future__ import annotations

import json
import math

import pytest

from fuzz.engines.adapters import ENGINES, Convention, Engine
from fuzz.engines.compare import HERE, _trailing, as_markdown, classify, judged, smallest

SKIPS = Engine(
    "x", conventions=(Convention("NaN is skipped", "its manual", lambda v: [x for x in v if x == x]),)
)


@pytest.mark.parametrize(
    ("name", "values", "got", "said"),
    [
        ("max", [1.0, 2.0], 2.0, "same"),
        ("max", [1.0, 2.0], 1.0, "wrong: another answer"),
        ("max", [1.0, 2.0], 3.0, "wrong: a value that is not in the window"),
        ("sum", [0.1, 0.2, 0.3], 0.1 + 0.2 + 0.3, "rounded"),
        ("sum", [0.1, 0.2], 0.3001, "float drift"),
        ("sum", [1.0], math.nan, "wrong: NaN from numbers"),
        ("sum", [math.inf, -math.inf], 0.0, "wrong: another answer"),
        ("mean", [0.0, 0.0], -0.5, "wrong: outside the window's values"),
        ("mean", [0.0, 0.0], 1e-17, "float drift"),
        ("variance", [1.0, 1.0], -1e-3, "wrong: negative"),
        ("variance", [1.0], None, "same"),
        ("median", [1.0, 0.2], 0.6000000000000001, "rounded"),
        ("median", [-2.5, 2.06], -2.5 + (2.06 + 2.5) / 2, "rounded"),
        ("median", [-2.5, 2.06], -0.2199999999999, "wrong: another answer"),
        ("median", [-2.5, 2.06], 2.0600001, "wrong: another answer"),
        ("median", [-2.5, 2.06], 3.0, "wrong: outside the window's values"),
        ("median", [0.1, 0.2, 1e16], math.nextafter(0.2, 1.0), "wrong: another answer"),
        ("median", [-math.inf, 0.0], math.nan, "wrong: NaN from numbers"),
        ("max", [1.0, math.nan], 1.0, "semantics: NaN is skipped (its manual)"),
        ("max", [1.0, math.nan], 0.0, "wrong: a value that is not in the window"),
    ],
)
def test_an_answer_is_classified(name: str, values: list[float], got: float, said: str) -> None:
    assert classify(SKIPS, name, values, got)[0] == said


def test_a_rule_holds_for_its_aggregates_only() -> None:
    rule = Convention("one NaN wins", "owner/repository#1", lambda v: [math.nan], only=("min",), known=True)
    assert classify(Engine("x", conventions=(rule,)), "min", [0.0, math.nan], math.nan)[0] == str(rule)
    assert (
        classify(Engine("x", conventions=(rule,)), "median", [0.0, 0.0, math.nan], math.nan)[0]
        == "wrong: another answer"
    )


@pytest.mark.parametrize("so_far", ["", "owner/repository#1"])
def test_rows_of_one_time_are_all_in_or_there_is_a_place_that_says_otherwise(so_far: str) -> None:
    row_by_row = Engine(
        "pytest",
        trailing=lambda events, r: [
            sum(v for s, v in events[: i + 1] if t - r < s) for i, (t, _) in enumerate(events)
        ],
        so_far=so_far,
    )
    (said,) = _trailing("x", row_by_row, 0, 5)["differences"]
    assert said.startswith("undocumented: of rows" if so_far else "wrong: another answer")


@pytest.mark.parametrize("engine", ["pandas", "polars", "numpy", "bottleneck"])
def test_a_rule_is_seen_where_it_is_said_to_hold(engine: str) -> None:
    made = ENGINES[engine]()
    for rule in made.conventions:
        values = [1.0, math.inf if "infinit" in rule.name else math.nan, 0.0]
        for name in rule.only or ("min", "max", "median"):
            said = [kind for kind, *_ in judged(made, name, values, 3)]
            agrees = {str(rule), "same", "rounded"}
            assert set(said) <= agrees, (name, said)


@pytest.mark.parametrize("name", ["max", "min"])
def test_no_rule_for_nan_explains_river(name: str) -> None:
    rows = ENGINES["river"]().rows[name]
    nan_last, nan_first = rows([0.0, math.nan], 2)[-1], rows([math.nan, 0.0], 2)[-1]
    assert sorted(map(repr, (nan_last, nan_first))) == ["0.0", "nan"]


def test_a_wrong_engine_is_found_and_cut_down() -> None:
    forgetful = Engine(
        "x", {"max": lambda values, w: [max(values[: i + 1][-w - 1 :]) for i in range(len(values))]}
    )
    values, w = smallest(
        forgetful, "max", [3.0, 7.0, 2.0, 1.0, 5.0], 2, "wrong: a value that is not in the window"
    )
    assert (len(values), w) == (2, 1)
    assert [one[0] for one in judged(forgetful, "max", values, w)] == [
        "same",
        "wrong: a value that is not in the window",
    ]


def test_the_table_is_that_of_its_data() -> None:
    rows = json.loads((HERE / "table.json").read_text())
    assert (HERE / "table.md").read_text() == as_markdown(rows)
    assert {row["engine"] for row in rows} >= {
        "pandas",
        "polars",
        "duckdb",
        "bottleneck",
        "scipy",
        "river",
        "numpy",
        "spark",
    }
    assert sum(row["answers"] for row in rows) > 10_000
