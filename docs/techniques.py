"""A page a technique: from its own docstring, the counts, the ledger, and a run of the real code."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import swagcore as sw
from bench.combine_counts import MULTI, SINGLE, Row
from docs import pictures
from docs.prose import prose
from docs.traces import EXAMPLES, trace
from swagcore.aggregators import Technique, technique_class
from swagcore.aggregators.technique import LAWS
from swagcore.ledger import Entry, refuted_list, topics

ROOT = Path(__file__).parent.parent
COUNTS = json.loads((ROOT / "bench" / "results" / "combine_counts.json").read_text(encoding="utf-8"))
SIZES = (1, 2, 4, 8, 16, 32, 64)


def names() -> list[str]:
    """The techniques that have a page: each class once, without aliases and choices.

    >>> names()[:2], len(names())
    (['recompute', 'subtract_on_evict'], 14)
    """
    return list(EXAMPLES)


def title(name: str) -> str:
    """What a technique is called: the head of its module's docstring.

    >>> title("flatfit"), title("daba")
    ('FlatFIT', 'DABA')
    """
    return re.split(r"[:,]", _module(name), maxsplit=1)[0]


def page(name: str, entries: Sequence[Entry]) -> str:
    """The page as Markdown."""
    technique = technique_class(name)
    played = trace(name)
    parts = [
        f"# {title(name)}",
        _module(name),
        "## Watch it",
        player(played),
        "## The idea",
        prose(inspect.cleandoc(technique.__doc__ or "")),
        "## Cost, claimed and counted",
        _costs(name),
        "## Which aggregates it takes",
        _takes(technique),
        "## What the papers got wrong",
        refuted_list(_about(name, entries), folder="../ledger/") or "No statement about it is refuted.",
        f"All that is claimed about it: [the ledger, by technique](../ledger/all.md?topic={name}).",
        f"The code: [`swagcore/aggregators/{name}.py`](../code/swagcore/aggregators/{name}.md).",
    ]
    return "\n\n".join(parts) + "\n"


def _module(name: str) -> str:
    return " ".join(inspect.cleandoc(sys.modules[technique_class(name).__module__].__doc__ or "").split())


def _about(name: str, entries: Sequence[Entry]) -> list[Entry]:
    """The claims about a technique; those on SlickDeque are about its two halves."""
    wanted = {name, "slickdeque"} if name.startswith("slickdeque") else {name}
    wanted |= {"panes"} if name == "recompute" else set()
    return [entry for entry in entries if wanted & set(topics(entry.id))]


def player(played: dict[str, Any]) -> str:
    """The player with its trace inside; without scripts, the picture of the state in the middle."""
    width = pictures.width_of(step["parts"] for step in played["steps"])
    steps = [
        {
            "done": step["done"],
            "said": step["said"],
            "cost": step["operations"],
            "html": pictures.state(step["parts"], width),
        }
        for step in played["steps"]
    ]
    middle = len(steps) // 2
    data = json.dumps(steps, ensure_ascii=False).replace("</", "<\\/")
    return (
        f'<section class="player" data-technique="{played["technique"]}" tabindex="0" aria-label="Player">'
        f'<p class="example">{escape(played["title"])}</p>'
        f'<div class="screen">{steps[middle]["html"]}</div>'
        f'<p class="said" aria-live="polite">After step {middle}, {escape(steps[middle]["done"])}. {escape(steps[middle]["said"])}</p>'
        f'<script type="application/json">{data}</script></section>'
    )


def _costs(name: str) -> str:
    lines = ["Calls of `combine` and `inverse` in a slide (evict, insert, query) at a steady length n.", ""]
    lines += [
        "| asked for | counted: worst | counted: amortized | papers | difference |",
        "|---|---|---|---|---|",
    ]
    for asked, rows, key in (
        ("the whole window", SINGLE, "single"),
        ("all ranges 1 .. n", MULTI, "all_ranges"),
    ):
        row = next((row for row in rows if row.technique == name), None)
        if row and name in COUNTS[key]:
            lines.append(_row(asked, row))
    lines += [
        "",
        "| n | " + " | ".join(map(str, SIZES)) + " |",
        "|---|" + "--:|" * len(SIZES),
    ]
    for asked, key in (("the whole window", "single"), ("all ranges", "all_ranges")):
        if name in COUNTS[key]:
            for which in ("worst", "amortized"):
                cells = [COUNTS[key][name][which][COUNTS["sizes"].index(n)] for n in SIZES]
                lines.append(f"| {asked}, {which} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n\nMade by `python bench/combine_counts.py`."


def _row(asked: str, row: Row) -> str:
    worst, mean = (formula.text if formula else "see below" for formula in (row.worst, row.amortized))
    cells = [asked, worst, mean, row.paper or "not in the papers", row.note]
    return "| " + " | ".join(cell.replace("|", "\\|").replace("*", "\\*") for cell in cells) + " |"


def _takes(technique: type[Technique]) -> str:
    def fits(aggregate: sw.Aggregate) -> bool:
        laws = {"inverse": aggregate.inverse is not None, "selective": aggregate.selective}
        return all(laws[law] for law in technique.needs)

    taken = [name for name in sw.aggregates() if _plain_name(name) and fits(sw.aggregate(name))]
    needs = " and ".join(LAWS[law] for law in technique.needs)
    why = (
        f"It needs {needs}"
        if needs
        else "It needs an associative combine, as every technique, and no other law"
    )
    ranges = (
        " It answers `query(n)` over the newest n too."
        if technique.multi
        else " It answers over the whole window only."
    )
    return f"{why}: {', '.join(f'`{name}`' for name in taken)}.{ranges}"


def _plain_name(name: str) -> bool:
    return "(" not in name


def index(entries: Sequence[Entry]) -> str:
    """The list of techniques with their counted costs."""
    lines = [
        "# Techniques",
        "",
        "Each page shows the real structure, step by step. Costs are counted, with one query a slide.",
        "",
    ]
    lines += ["| technique | needs | worst slide | amortized | refuted statements |", "|---|---|---|---|--:|"]
    for name in names():
        row = next(row for row in SINGLE if row.technique == name)
        technique = technique_class(name)
        needs = ", ".join(LAWS[law] for law in technique.needs) or "-"
        worst, mean = (formula.text if formula else "see there" for formula in (row.worst, row.amortized))
        refuted = sum(entry.verdict == "refuted" for entry in _about(name, entries))
        lines.append(
            f"| [{title(name)}]({name}.md) | {needs} | {worst} | {mean} | {refuted} |".replace("*", "\\*")
        )
    return "\n".join(lines) + "\n"
