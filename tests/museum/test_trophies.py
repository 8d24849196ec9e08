"""Every trophy's page shows code that gives the wrong answer it names, on the version that is installed."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path

import pytest

from fuzz.engines.adapters import quiet
from fuzz.engines.compare import HERE

PAGES = sorted(
    page for page in (Path(__file__).parents[2] / "docs" / "trophies").glob("*.md") if page.stem != "README"
)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=[pytest.mark.spark] * page.stem.startswith("spark"))
        for page in PAGES
    ],
)
def test_the_answer_is_the_wrong_one(page: Path) -> None:
    text = page.read_text()
    package, found_in = re.search(r"^Found in (\S+) (\S+) by", text, re.MULTILINE).groups()
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1)
    expected = re.search(r"^Expected: `(.*)`$", text, re.MULTILINE).group(1)
    wrong = re.search(r"^Got: `(.*)`$", text, re.MULTILINE).group(1)
    names: dict[str, object] = {}
    with quiet():
        exec(compile(code, str(page), "exec"), names)  # the project's own page
    got = repr(names["got"])
    assert got != expected, f"{package} {version(package)} answers rightly: say so on the page"
    assert got == wrong, f"another wrong answer than in {found_in}"


def test_every_page_is_listed() -> None:
    listed = (PAGES[0].parent / "README.md").read_text()
    assert len(PAGES) >= 5 and all(f"({page.name})" in listed for page in PAGES)


def test_every_wrong_row_of_the_table_has_a_page_and_every_page_a_row() -> None:
    told = set()
    for page in PAGES:
        lines = re.findall(r"^- (\w+), ([\w, ]+): (wrong: .+)$", page.read_text(), re.MULTILINE)
        assert lines, f"{page.name} does not say where it is in the table"
        told |= {(engine, name, kind) for engine, names, kind in lines for name in names.split(", ")}
    found = {
        (row["engine"], row["compared"].partition(" ")[0], kind.partition(" (")[0])
        for row in json.loads((HERE / "table.json").read_text())
        for kind in row["differences"]
        if kind.startswith("wrong")
    }
    assert told == found
