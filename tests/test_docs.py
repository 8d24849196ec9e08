"""The how-to pages tell the truth: their files are written, their Python and their commands run, and outputs are compared.

And the parts of the site that no browser is needed for: the traces, the check of the links.
"""

from __future__ import annotations

import doctest
import importlib
import itertools
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docs import build, check, techniques
from docs.traces import EXAMPLES, text, trace
from swagcore.aggregators import technique_for
from swagcore.aggregators import techniques as technique_names
from swagcore.aggregators.registry import _CLASSES
from swagcore.algebra import aggregate
from swagcore.ledger import Ledger, Record, establish

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parent.parent
PAGES = {
    path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "pages" / "howto").glob("*.md")
}
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"`(\w+\.\w+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: str, kind: str) -> list[str]:
    return [block for found, block in FENCE.findall(PAGES[page]) if found == kind]


def commands() -> list[Any]:
    return [
        pytest.param(page, *block.removeprefix("$ ").split("\n", 1), id=block.split("\n")[0])
        for page in sorted(PAGES)
        for block in blocks(page, "console")
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for page in PAGES.values():
        for name, content in FILE.findall(page):
            (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={"PYTHONPATH": f"{ROOT}:{folder}", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_nothing_is_passed_over() -> None:
    """Every block is a session, a command with its output, or a file; one line needs a machine of one's own."""
    assert set(PAGES) == {"check", "rewrite", "spark", "extend"}
    left = []
    for page, whole in PAGES.items():
        files = [content for _, content in FILE.findall(whole)]
        left += [
            (page, block)
            for kind, block in FENCE.findall(whole)
            if kind not in ("pycon", "console") and block not in files
        ]
    assert left == [("spark", 'import swagcore as sw\n\nspark = sw.spark.session("trades")\n')]
    assert len(commands()) == 4


@pytest.mark.parametrize("page", sorted(set(PAGES) - {"spark"}))
def test_sessions(page: str, folder: Path) -> None:
    """In a process of its own: a page may register an aggregate."""
    sessions = blocks(page, "pycon")
    assert sessions
    (folder / "page.txt").write_text("\n".join(sessions), encoding="utf-8")
    found = ran(folder, "-m", "doctest", "-o", "ELLIPSIS", "page.txt")
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


def test_the_spark_session(spark: SparkSession) -> None:
    whole = doctest.DocTestParser().get_doctest(
        "\n".join(blocks("spark", "pycon")), {"spark": spark}, "spark", None, 0
    )
    assert whole.examples
    assert doctest.DocTestRunner().run(whole).failed == 0


@pytest.mark.parametrize(("page", "command", "output"), commands())
def test_commands(page: str, command: str, output: str, folder: Path) -> None:
    found = ran(folder, "-m", "swagcore", *shlex.split(command)[1:])
    assert "Traceback" not in found.stderr
    assert found.stdout == output
    assert found.returncode == ("mine.py" in command)  # the one with the bug


def test_the_fixture(folder: Path) -> None:
    found = ran(folder, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "test_mended.py")
    assert "1 passed" in found.stdout, found.stdout + found.stderr


# The parts of the site


def test_the_front_page_is_generated() -> None:
    """A line for each false statement of a paper, and the figures; nothing of our own among them."""
    ledger = Ledger()
    toys = establish(
        ledger.claim(f"toys.n{n}", source=source, kind="theorem", statement=f"{n} is even.").by(
            "exhaustive", lambda n=n: n if n % 2 else None, scope=str(n)
        )
        for n, source in ((1, "W Thm 9"), (2, "W Thm 8"), (3, "O toys"))
    )
    page = build.front_page(toys)
    assert [line for line in page.splitlines() if "**But**" in line] == [
        "- [W Thm 9](ledger/W.md#toys.n1): 1 is even. **But** `1`"
    ]
    assert "| [W](ledger/W.md) Wu et al. | 2 | 1 | 1 | 0 |" in page
    assert "pieces of evidence that ran: 3 of 3" in page
    assert "{{" not in page


def test_a_record_of_other_code_is_not_believed(tmp_path: Path) -> None:
    """A verdict counts for the statement and the evidence that are declared now, or not at all."""
    [first, second, *_] = build.entries_of(tmp_path / "none.json")
    held = replace(first, verdict="holds", ran="2026-01-01")
    changed = replace(second, verdict="holds", ran="2026-01-01", statement="Another statement.")
    Record("c0de", (held, changed)).write(tmp_path / "record.json")
    found = build.entries_of(tmp_path / "record.json")
    assert (found[0], found[1]) == (held, second)


@pytest.mark.parametrize("module", ["build", "check", "pictures", "plans", "prose", "techniques", "traces"])
def test_doctests(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"docs.{module}")).failed == 0


def test_every_technique_has_a_page() -> None:
    assert techniques.names() == list(_CLASSES)
    assert set(_CLASSES) < set(technique_names())


@pytest.mark.parametrize("technique", sorted(EXAMPLES))
def test_a_trace_gives_right_answers(technique: str) -> None:
    """Every answer that the player shows is the fold of what is inside, in order."""
    example = EXAMPLES[technique]
    steps = iter(trace(technique)["steps"][1:])
    inside = [example.aggregate.lift(value) for value in example.before]
    answers = 0
    for name, argument in example.steps():
        step = next(steps)
        if name == "insert":
            inside.append(example.aggregate.lift(argument))
        elif name == "evict":
            inside.pop(0)
        else:
            newest = inside if argument is None else inside[len(inside) - argument :]
            assert step["answer"] == text(example.aggregate.fold(newest)), step["done"]
            answers += 1
    assert answers > 5
    assert next(steps, None) is None


def test_the_trace_of_flatfit_is_the_example_of_the_paper() -> None:
    """S Example 3: 4 comparisons at steps 1 and 7, 1 at steps 2, 6 and 8, 2 at the others."""
    counts = [step["operations"] for step in trace("flatfit")["steps"] if step["done"] == "query"]
    assert counts == [4, 1, 2, 2, 2, 1, 4, 1, 2, 2]


@pytest.mark.parametrize("technique", sorted(EXAMPLES))
def test_what_changed_is_told(technique: str) -> None:
    """Where the picture differs from the one before, the words say so, and only there."""
    steps = trace(technique)["steps"]
    for before, step in itertools.pairwise(steps):
        pictures_of = [
            [
                {name: value for name, value in part.items() if name != "changed"}
                for part in _unmarked(one["parts"])
            ]
            for one in (before, step)
        ]
        same = pictures_of[0] == pictures_of[1]
        assert same == ("Nothing else changed." in step["said"]), (step["done"], step["said"])


def _unmarked(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts without the marks of what changed, which the next step takes away."""
    rows = [
        {**part, "rows": [[{**cell, "changed": False} for cell in row] for row in part["rows"]]}
        for part in parts
        if part["kind"] == "grid"
    ]
    return rows + [part for part in parts if part["kind"] != "grid"]


def test_laws_decide_which_aggregates_a_page_lists() -> None:
    for name in techniques.names():
        page = techniques._takes(_CLASSES[name])
        for known in ("sum", "max", "median"):
            try:
                technique_for(name, aggregate(known))
            except ValueError:
                assert f"`{known}`" not in page, (name, known)
            else:
                assert f"`{known}`" in page, (name, known)


BAD_SITES = {
    "a script from elsewhere": ('<script src="https://x.y/z.js"></script>', "loads https://x.y/z.js"),
    "a font from elsewhere": ("<style>@font-face{src:url(//x.y/f.woff)}</style>", "loads //x.y/f.woff"),
    "a link into nothing": ('<a href="gone.html">x</a>', "there is no such file"),
    "a link to no anchor": ('<a href="index.html#gone">x</a>', "has no such anchor"),
}


@pytest.mark.parametrize("name", BAD_SITES)
def test_a_bad_site_is_noticed(name: str, tmp_path: Path) -> None:
    body, wanted = BAD_SITES[name]
    (tmp_path / "index.html").write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    [problem] = check.problems(tmp_path)
    assert wanted in problem


def test_a_good_site_passes(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<p id="a.b"><a href="#a.b">x</a><a href="https://x.y">y</a></p>', encoding="utf-8"
    )
    assert list(check.problems(tmp_path)) == []


def test_no_site_is_no_good_site(tmp_path: Path) -> None:
    assert len(list(check.problems(tmp_path))) == 1
