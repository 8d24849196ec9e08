"""Makes the pages of the site: `python docs/build.py [--ledger FILE]` fills build/docs, from which mkdocs builds the site.

Hand-written pages stand in docs/pages, scripts and styles in docs/assets. All else is generated: the ledger from the
record of the last run, the techniques from their code, the plans by planning, the benchmarks from their results.
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # docs, bench and specs are imported from the checkout

import swagcore as sw  # noqa: E402
from docs import plans, techniques  # noqa: E402
from fuzz.mutants import score  # noqa: E402
from swagcore.ledger import (  # noqa: E402
    Entry,
    Record,
    figures,
    find_checkout,
    in_order,
    judge,
    pages,
    refuted_list,
    topics,
)

OUT = ROOT / "build" / "docs"
RESULTS = ROOT / "bench" / "results"
ENGINES = ROOT / "fuzz" / "engines" / "table.json"
NO_SEARCH = "---\nsearch:\n  exclude: true\n---\n\n"


def entries_of(record: Path) -> list[Entry]:
    """The claims with the verdicts of the record; those that it does not know are there too, as not run."""
    checkout = find_checkout()
    assert checkout is not None, "the site is built from a checkout"
    claims = checkout.claims()
    known = {entry.id: entry for entry in Record.read(record).entries} if record.exists() else {}
    return [_still(judge(claim), known.get(claim.id)) for claim in claims]


def _still(declared: Entry, recorded: Entry | None) -> Entry:
    """The recorded verdict, if it is about what is declared now; a record of other code may not be."""
    if recorded is None or recorded.statement != declared.statement:
        return declared
    places = {one.where for one in declared.evidence}
    return recorded if {one.where for one in recorded.evidence} <= places else declared


# The ledger


def code_link(where: str) -> str:
    """Where a piece of evidence is shown, seen from a page of the ledger: at its function, or at the top of the file.

    >>> code_link("specs/windows.py::starts_are_those_that_contain_the_time"), code_link("specs/windows.py::no_such")
    ('../code/specs/windows.md#starts_are_those_that_contain_the_time', '../code/specs/windows.md')
    """
    path, _, function = where.partition("::")
    page = f"../code/{path.removesuffix('.py')}.md"
    return f"{page}#{function}" if function in _functions(path) else page


@functools.cache
def _functions(path: str) -> frozenset[str]:
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    return frozenset(node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef))


def ledger_pages(entries: list[Entry]) -> Iterator[tuple[str, str]]:
    made = pages(entries, link=code_link)
    front = made.pop("index.md").replace("# The ledger\n", "# The ledger\n\n" + LEDGER + "\n", 1)
    yield "ledger/index.md", front
    yield "ledger/all.md", all_claims(entries)
    for name, text in made.items():
        yield f"ledger/{name}", text


LEDGER = (
    "Every statement that a machine can judge, with its verdict and the evidence that ran. A verdict is never written by "
    "hand. [All claims in one table](all.md), with a filter by verdict, kind and technique; or a page a paper, in the "
    "paper's order, with the same filter."
)


def all_claims(entries: Iterable[Entry]) -> str:
    """One table of all claims, for the filter."""
    rows = [
        f'<tr class="claim" data-verdict="{entry.verdict}" data-kind="{entry.kind}" data-topic="{" ".join(topics(entry.id))}">'
        f"<td>{escape(entry.source)}</td>"
        f'<td><a href="{entry.source[0]}.html#{entry.id}">{_breakable(entry.id)}</a><br>'
        f'<b class="is-{entry.verdict}">{entry.verdict}</b> · {entry.kind}</td>'
        f"<td>{escape(' '.join(entry.statement.split()))}</td></tr>"
        for entry in in_order(entries)
    ]
    head = "<thead><tr><th>source</th><th>claim</th><th>statement</th></tr></thead>"
    # Left out of the search: the pages of the papers have the same statements, and more.
    table = f'<div class="claims"><table>{head}<tbody>{"".join(rows)}</tbody></table></div>'
    return f"{NO_SEARCH}# All claims\n\n{table}\n".replace("search:", "hide: [toc]\nsearch:", 1)


def _breakable(name: str) -> str:
    """An id that may be broken after a dot or an underscore."""
    return re.sub(r"([._])", r"\1<wbr>", escape(name))


# The code that ran


def code_pages(entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """Every file that holds evidence, and every technique, with an anchor at each function."""
    files = {one.where.partition("::")[0] for entry in entries for one in entry.evidence}
    files |= {f"swagcore/aggregators/{name}.py" for name in techniques.names()}
    for path in sorted(files):
        yield (
            f"code/{path.removesuffix('.py')}.md",
            code_page(path, (ROOT / path).read_text(encoding="utf-8")),
        )


def code_page(path: str, source: str) -> str:
    """A file with a heading before each function and class.

    >>> print(code_page("a.py", "x = 1\\n\\n@f\\ndef g():\\n    pass\\n").split("---")[2].strip())
    # a.py
    <BLANKLINE>
    ``` python
    x = 1
    ```
    <BLANKLINE>
    ## g {#g}
    <BLANKLINE>
    ``` python
    @f
    def g():
        pass
    ```
    """
    lines = source.splitlines()
    blocks: list[tuple[str | None, int]] = [(None, 0)]
    for node in ast.parse(source).body:
        named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))]) - 1
        if named or blocks[-1][0] is not None:
            while first and lines[first - 1].startswith("#"):
                first -= 1  # a comment belongs to what follows it
            blocks.append((node.name if named else None, first))  # type: ignore[attr-defined]
    parts = [f"# {path.replace('_', chr(92) + '_')}"]
    for (name, first), (_, end) in zip(blocks, [*blocks[1:], (None, len(lines))], strict=True):
        body = "\n".join(lines[first:end]).strip("\n")
        if name:
            parts.append(f"## {name.replace('_', chr(92) + '_')} {{#{name}}}")
        if body:
            parts.append(f"``` python\n{body}\n```")
    return NO_SEARCH + "\n\n".join(parts) + "\n"


# The front page


def front_page(entries: list[Entry]) -> str:
    text = (ROOT / "docs" / "pages" / "index.md").read_text(encoding="utf-8")
    papers = [entry for entry in entries if not entry.source.startswith("O ")]
    table = figures(entries).replace("](", "](ledger/")
    text = text.replace("{{figures}}", table).replace("{{run}}", run_figures(entries))
    return text.replace("{{refuted}}", refuted_list(papers, folder="ledger/") or "No run is recorded.")


def run_figures(entries: list[Entry]) -> str:
    """What the last runs measured; a figure whose run is not recorded is left out."""
    ran = [one for entry in entries for one in entry.evidence if one.outcome != "not run"]
    last = max((one.ran for one in ran), default="never")
    unbounded = sum(one.kind in ("proof", "induction", "closure", "symbolic") for one in ran)
    lines = [
        f"- pieces of evidence that ran: {len(ran):,} of {sum(len(entry.evidence) for entry in entries):,}, "
        f"{unbounded:,} of them proofs, inductions, closures or symbolic; the last on {last}"
    ]
    spark = _result(RESULTS / "spark_batch.json")
    if "many" in spark:
        wall, processor = (
            spark["many"]["auto"][f"faster than naive, {unit}"] for unit in ("s", "processor s")
        )
        lines.append(
            f"- Spark, 20 queries over {spark['events']:,} events: one `window()` a query takes {wall:.1f} times as long, "
            f"{processor:.1f} times the processor time "
            "([benchmarks](benchmarks.md))"
        )
    duckdb = _result(RESULTS / "rewrite_duckdb.json").get("queries", [])
    if duckdb:
        told = ", ".join(f"{one['query']} {one['ratio']:g}" for one in duckdb)
        answers = sum(one["answers"] for one in duckdb)
        lines.append(
            f"- DuckDB, rewritten queries, times as fast: {told}; {answers:,} answers compared with those of the original "
            "([benchmarks](benchmarks.md))"
        )
    engines = json.loads(ENGINES.read_text(encoding="utf-8")) if ENGINES.exists() else []
    if engines:
        answers, names = sum(row["answers"] for row in engines), {row["engine"] for row in engines}
        lines.append(
            f"- answers of {len(names)} other engines compared with the meaning of a window: {answers:,} ([trophies](trophies/README.md))"
        )
    mutants = mutants_killed(score.load(score.RESULTS), score.load(score.EQUIVALENT))
    return "\n".join([*lines, mutants] if mutants else lines)


def mutants_killed(results: dict[str, Any], equivalent: dict[str, Any]) -> str | None:
    """How many broken versions of our own files the tests noticed; those that no test can notice do not count.

    >>> mutants_killed({"a.py": {"mutants": 3, "survived": ["y", "z"], "timeouts": []}}, {"a.py": {"z": "."}})
    '- mutants of 1 file that the tests noticed: 1 of 2'
    >>> mutants_killed({}, {})
    """
    scores = [score.score(result, equivalent.get(file, {})) for file, result in results.items()]
    killed, counted = sum(one[0] for one in scores), sum(one[1] for one in scores)
    files = f"{len(results)} file" + "s" * (len(results) != 1)
    return f"- mutants of {files} that the tests noticed: {killed:,} of {counted:,}" if counted else None


def _result(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}  # type: ignore[no-any-return]


# Benchmarks


def benchmarks() -> str:
    parts = [
        "# Benchmarks",
        "Speed is given as ratios within one run, since the speed of a machine drifts; costs are counted. Each table stands "
        "as the command below it wrote it.",
    ]
    paths, plots = sorted(RESULTS.glob("*.md")), sorted((ROOT / "docs" / "plots").glob("*.svg"))
    stems = [path.stem for path in paths]
    for path in paths:
        text = path.read_text(encoding="utf-8").strip()
        parts.append(re.sub(r"^#", "##", _safe(text), flags=re.MULTILINE))
        parts += [
            f"![{plot.stem.replace('_', ' ')}](plots/{plot.name})"
            for plot in plots
            if _of_plot(plot, stems) == path.stem
        ]
        parts.append(f"Made by:\n\n```sh\n{_command(path.stem)}\n```")
    return "\n\n".join(parts) + "\n"


def _of_plot(plot: Path, results: list[str]) -> str:
    """The result that a plot belongs to: the one whose name begins as the plot's does, as far as possible.

    >>> _of_plot(Path("edges_methods.svg"), ["combine_counts", "edges", "engine_memory"])
    'edges'
    """
    # Letter by letter is what is meant.
    return max(results, key=lambda stem: len(os.path.commonprefix([stem, plot.stem])))  # noqa: RUF071


def _safe(text: str) -> str:
    """A result as Markdown has it: a list or a table needs a blank line before it; < is no tag."""
    text = re.sub(r"<(?=[\w/!])", "&lt;", text)
    return re.sub(r"(?m)^(?![-|#\s])(.+)\n(?=[-|])", r"\1\n\n", text)


def _command(stem: str) -> str:
    """The command, from what a result says of itself or from the docstring of its benchmark."""
    said = re.search(r"`(python bench/[^`]+)`", (RESULTS / f"{stem}.md").read_text(encoding="utf-8"))
    if said:
        return said[1]
    script = ROOT / "bench" / f"{stem}.py"
    lines = script.read_text(encoding="utf-8").splitlines() if script.exists() else []
    found = next((line for line in lines if line.strip().startswith("python bench/")), None)
    return re.split(r"\s{2,}#|\s+\[", found.strip())[0] if found else f"python bench/{stem}.py"


# The reference

ROOMS = (
    "windows",
    "algebra",
    "naive",
    "aggregators",
    "slicing",
    "edges",
    "optimizers",
    "coverage",
    "engine",
    "testing",
    "ledger",
)


def reference() -> str:
    """The public names, by room; mkdocstrings fills in the rest."""
    parts = [
        "# Reference",
        "The public names, each from its own docstring. `import swagcore as sw` has the first ones at hand.",
    ]
    seen = set()
    for room in ROOMS:
        module = importlib.import_module(f"swagcore.{room}")
        listed = getattr(module, "__all__", None) or [
            name
            for name, thing in vars(module).items()
            if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__
        ]
        parts.append(f"## swagcore.{room}")
        for name in sorted(listed):
            thing = getattr(module, name)
            home = getattr(thing, "__module__", None)
            if (
                callable(thing)
                and isinstance(home, str)
                and home.startswith("swagcore")
                and hasattr(thing, "__name__")
            ):
                full = f"{home}.{thing.__name__}"
                if full not in seen:
                    seen.add(full)
                    parts.append(f"::: {full}")
    return "\n\n".join(parts) + "\n"


def build(record: Path, out: Path = OUT) -> None:
    """Write all pages, in place of what was there."""
    entries = entries_of(record)
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "pages", out)
    for folder in ("assets", "plots", "trophies"):
        shutil.copytree(ROOT / "docs" / folder, out / folder)
    made = {
        "index.md": front_page(entries),
        "techniques/index.md": techniques.index(entries),
        **{f"techniques/{name}.md": techniques.page(name, entries) for name in techniques.names()},
        "optimizers.md": plans.optimizers(),
        "coverage.md": plans.coverage(),
        "benchmarks.md": benchmarks(),
        "reference.md": reference(),
        **dict(ledger_pages(entries)),
        **dict(code_pages(entries)),
    }
    for name, text in made.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text, encoding="utf-8")
    print(f"{len(made)} pages made for swagcore {sw.__version__}, {len(entries)} claims")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--ledger", type=Path, default=Record.shipped(), help="the record of the verdicts")
    build(arguments.parse_args().ledger)
