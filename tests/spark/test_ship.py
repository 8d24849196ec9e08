"""The function that Spark sends works where swagcore is not installed, with numba and without."""

from __future__ import annotations

import base64
import json
import subprocess
import sys

import pytest

pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")

from pyspark import cloudpickle  # noqa: E402  (pyspark may be missing)

from swagcore.spark import worker  # noqa: E402
from swagcore.spark.ship import MODULES, shipped, sources  # noqa: E402

PLAN = worker.Plan(
    keys=1,
    parts=[("add", 3, 1), ("max", 4, 1)],
    windows=[(4, 2, 0, [(0, [(0, 0, 0)]), (1, [(1, 1, 0)])])],
    types=[3, 4],
    longest=4,
    piece=1000,
)
TABLE = {"k": ["a", "a", "b"], "p": [0, 0, 0], "s": [2, 6, 4], "v": [1, 5, None], "w": ["x", None, "y"]}

RECEIVER = """
import base64, json, pickle, sys
for name in {hidden!r}:
    sys.modules[name] = None  # importing it fails, as where it is not installed
import pyarrow
run = pickle.loads(base64.b64decode(sys.stdin.read()))
table = pyarrow.table(json.loads({table!r}))
for _ in range(2):  # the second task of a worker finds the modules made by the first
    rows = [row for batch in run(iter(table.to_batches())) for row in batch.to_pylist()]
loaded = [name for name in sys.modules if name.startswith("_swagcore_") and name.endswith("folds")]
print(json.dumps([rows, sys.modules[loaded[0]].COMPILED if loaded else None]))
"""


@pytest.mark.parametrize(
    ("hidden", "compiled"), [(["swagcore"], True), (["swagcore", "numba"], False), ([], None)]
)
def test_the_function_runs_elsewhere(hidden: list[str], compiled: bool | None) -> None:
    sent = base64.b64encode(cloudpickle.dumps(shipped(dict(PLAN)))).decode()
    code = RECEIVER.format(hidden=hidden, table=json.dumps(TABLE))
    done = subprocess.run(
        [sys.executable, "-c", code], input=sent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rows, was_compiled = json.loads(done.stdout)
    here = [row for batch in worker.answers(pa.table(TABLE).to_batches(), PLAN) for row in batch.to_pylist()]
    assert rows == here
    assert [row["d0"] for row in rows if row["q"] == 0] == [1, 1, 5, 5, None, None]
    assert [row["d1"] for row in rows if row["q"] == 1] == ["x", "x", None, None, "y", "y"]
    assert was_compiled == compiled  # None: its own swagcore is the same, and is used


def test_what_is_sent_imports_nothing_of_swagcore() -> None:
    for module in MODULES:
        assert "swagcore" not in [
            line.split()[1].split(".")[0]
            for line in sources()[module].splitlines()
            if line.startswith(("import ", "from "))
        ]
