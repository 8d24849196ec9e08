"""The ledger as Markdown: a page a paper, in the paper's order, and a front page of what was refuted.

What a page may use is plain Markdown and, for the permalinks, the `{#id key="value"}` of headings (attr_list).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from swagcore.aggregators import techniques
from swagcore.ledger._declare import SOURCES, VERDICTS
from swagcore.ledger._judge import Entry, Finding

TITLES = {
    "S": "A. Shein, Algorithms and Optimizations for Incremental Window-Based Aggregations (2019)",
    "C": "C. Chung, S. Guirguis, A. Kurdia, Competitive Cost-Savings in Data Stream Management Systems",
    "G": "L. Golab, Sliding Window Query Processing over Data Streams (2006)",
    "A": "A. Arasu, J. Widom, Resource Sharing in Continuous Sliding-Window Aggregates (2004)",
    "W": "W. Wu et al., Cost-based Query Rewriting Techniques for Optimizing Aggregates Over Correlated Windows",
    "O": "Our own statements",
}
"""What the key of a source stands for."""

SPELLED = {
    "Thm": "Theorem",
    "Def": "Definition",
    "Eq": "Equation",
    "Alg": "Algorithm",
    "Fig": "Figure",
    "Ex": "Example",
    "Obs": "Observation",
    "fn": "Footnote",
}
"""Locators as people look for them; the others are not abbreviated."""

# Where numbered things stand: the section, then what it has, in its order.
_STANDS = {
    "S": """
        1: Ex 1
        2.2: Fig 1
        2.3: Table 1
        2.3.1: Fig 2, Fig 3, Fig 4
        2.3.2: Table 2, Fig 5, Fig 6, Fig 7
        2.4.1: Ex 2, Fig 8, Eq 2.1
        3.2.1: Fig 9, Alg 1, Fig 10, Ex 3, Ex 4
        3.2.2: Table 3
        3.3.1: Fig 11, Fig 12, Fig 13, Fig 14, Fig 15
        4.2.1.1: Alg 2, Ex 5, Fig 20
        4.2.1.2: Fig 21, Alg 3, Ex 6, Fig 22, Table 4
        5.2.1: Ex 7
        5.2.2: Fig 30, Ex 8, Eq 5.1, Eq 5.2, Eq 5.3, Ex 9, Eq 5.4, Eq 5.5, Fig 31
        5.2.3: Fig 32, Ex 10, Fig 33, Ex 11, Eq 5.6, Eq 5.7, Eq 5.8, Ex 12, Eq 5.9, Eq 5.10
        5.3: Eq 5.11, Eq 5.12, Eq 5.13, Eq 5.14, Eq 5.15, Fig 34
        5.4.1: Table 5
        5.4.2.6: Table 6
        6.2: Eq 6.1, Eq 6.2, Table 7
        6.5.1: Alg 4
        6.5.2: Alg 5
        6.5.3: Alg 6
        6.6.2.1: Table 8, Table 9, Fig 40, Table 10, Fig 41
        7.1: Eq 7.1, Eq 7.2
        7.2: Eq 7.3, Eq 7.4, Eq 7.5, Eq 7.6, Table 11, Eq 7.7
    """,
    "C": """
        2.3: Eq 1, Eq 2
        3: Eq 3, Thm 1
        3.1: Lemma 1
        3.2: Obs 2, Eq 4
        3.3: Lemma 2, Eq 5, Eq 6
        A: Ex 1, Ex 2, Ex 3
    """,
    "A": """
        1.1: Ex 1.1
        1.1.1: Ex 1.2
        1.2: Fig 1
        2: Ex 2.1
        3.1.1: Def 3.1, Thm 3.1, Fig 2, Fig 3, Ex 3.1, Thm 3.2
        3.1.2: Def 3.2, Thm 3.3, Ex 3.2, Fig 4, Fig 5, Thm 3.4
        3.3: Fig 6
        4.1.1: Fig 7, Def 4.1, Fig 8, Ex 4.1, Lemma 4.1, Thm 4.1
    """,
    "W": """
        1: Fig 1, Ex 1, Fig 2
        2.2: Def 1, fn 1, Ex 2, Thm 1, Ex 3
        2.2.1: Thm 2, Fig 3
        2.2.2: Def 2, Thm 3, Def 3, Ex 4
        2.2.3: Def 4, Def 5, Thm 4, Ex 5, Fig 4
        3.1: Thm 5, Thm 6, Fig 5
        3.2.1: Eq 1, fn 4, Obs 1
        3.2.2: Alg 1, Ex 6, Fig 6
        3.3: Thm 7
        4: Def 6, Ex 7, Fig 7, Fig 8
        4.1: Eq 2, Eq 3
        4.2.1: Alg 2
        4.4: Alg 3
        4.4.1: Eq 4, Thm 8
        4.4.2: Thm 9, Eq 5, Alg 4, Ex 8, fn 8
        5.1: Table 1, Alg 5, Alg 6
        5.3: Fig 11, Fig 12, Fig 13, Fig 14, Fig 15
        A.6: Eq 6, Eq 7, Eq 8
    """,
}

Link = Callable[[str], str]
_Numbers = tuple[tuple[int, str], ...]


def _read(table: str) -> dict[str, tuple[str, int]]:
    """Each thing of the table, with its section and its place there; a section itself comes before them.

    >>> _read("2.1: Ex 1, Eq 1")
    {'Ex 1': ('2.1', 1), 'Eq 1': ('2.1', 2)}
    """
    places = {}
    for line in table.strip().splitlines():
        section, things = line.strip().split(": ")
        for place, thing in enumerate(things.split(", "), start=1):
            places[thing] = section, place
    return places


_PLACES = {key: _read(table) for key, table in _STANDS.items()}


def section_of(source: str) -> str | None:
    """The section in which a locator stands; of our own statements, their word. None where the paper's table lacks it.

    >>> section_of("W Thm 9"), section_of("S §3.2"), section_of("O laws"), section_of("W Thm 99")
    ('4.4.2', '3.2', 'laws', None)
    """
    key, _, locator = source.partition(" ")
    if key == "O":
        return locator
    if locator.startswith("§"):
        return locator.removeprefix("§")
    return _PLACES.get(key, {}).get(locator, (None, 0))[0]


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Claims in the order of their papers, S first, our own last; what has no place comes at the end of its paper.

    >>> from swagcore.ledger import Ledger, judge
    >>> def toy(source):
    ...     return judge(Ledger().claim("a.b", source=source, kind="statement", statement="."))
    >>> [one.source for one in in_order(map(toy, ["O laws", "W Eq 8", "W Thm 9", "W §4.4.2", "W §4.4.10", "S Ex 3"]))]
    ['S Ex 3', 'W §4.4.2', 'W Thm 9', 'W §4.4.10', 'W Eq 8', 'O laws']
    """
    keys = list(SOURCES)

    def place(entry: Entry) -> tuple[int, _Numbers, int]:
        key, _, locator = entry.source.partition(" ")
        section, within = _PLACES.get(key, {}).get(locator, (section_of(entry.source) or "Z", 0))
        return keys.index(key), _numbers(section), within

    return sorted(entries, key=place)


def _numbers(section: str) -> _Numbers:
    """A section to sort by: 2 before 10, and an appendix after all numbers."""
    return tuple(
        (int(part), "") if part.isdigit() else (10**6, part)
        for part in re.split(r"[.]|(?<=\d)(?=[a-z])", section)
    )


def spelled(source: str) -> str:
    """A locator as a reader may look for it: in full, and as it is cited.

    >>> spelled("W Thm 9"), spelled("S Table 2"), spelled("A §3.2"), spelled("O laws")
    ('Theorem 9 (Thm 9)', 'Table 2', '§3.2', 'laws')
    """
    locator = source.partition(" ")[2]
    kind, _, number = locator.partition(" ")
    return f"{SPELLED[kind]} {number} ({locator})" if kind in SPELLED else locator


def topics(claim: str) -> list[str]:
    """What a claim is about, from its id: its topic, and the technique that it names.

    >>> topics("final.two_stacks_lite.right"), topics("intervals.b_int_space"), topics("flatfit.alg1")
    (['final', 'two_stacks_lite'], ['intervals', 'b_int'], ['flatfit'])
    """
    found = [claim.partition(".")[0]]
    named = [name for name in techniques() if re.search(rf"(^|[._]){name}($|[._])", claim)]
    longest = max(named, key=len, default=found[0])
    return found if longest in found else [*found, longest]


def pages(
    entries: Iterable[Entry], link: Link = lambda where: "../" + where.partition("::")[0]
) -> dict[str, str]:
    """The ledger as Markdown, by file name: `index.md`, and a page for each source that has claims, as `W.md`.

    `link` gives the address of a piece of evidence, such as `specs/windows.py::tiling`, as seen from a page.

    >>> from swagcore.ledger import Ledger, establish
    >>> toy = Ledger().claim("a.even", source="W Thm 9", kind="theorem", statement="7 is even.", expected="refuted")
    >>> toys = establish([toy.by("exhaustive", lambda: 7 if 7 % 2 else None, scope="7")])
    >>> sorted(pages(toys))
    ['W.md', 'index.md']
    >>> print(refuted_list(toys))
    - [W Thm 9](W.md#a.even): 7 is even. **But** `7`
    """
    entries = in_order(entries)
    made = {"index.md": _front(entries)}
    for key in SOURCES:
        of_key = _of(entries, key)
        if of_key:
            made[f"{key}.md"] = _paper(key, of_key, entries, link)
    return made


def figures(entries: Sequence[Entry]) -> str:
    """A table of the claims by paper and verdict.

    >>> print(figures([]))
    | source | claims | holds | refuted | open |
    |---|--:|--:|--:|--:|
    | all | 0 | 0 | 0 | 0 |
    """
    lines = [f"| source | claims | {' | '.join(VERDICTS)} |", "|---|" + "--:|" * (len(VERDICTS) + 1)]
    rows = [
        f"| [{key}]({key}.md) {name} | {_counts(of_key)} |"
        for key, name in SOURCES.items()
        if (of_key := _of(entries, key))
    ]
    return "\n".join([*lines, *rows] + [f"| all | {_counts(entries)} |"] * (len(rows) != 1))


def refuted_list(entries: Iterable[Entry], folder: str = "") -> str:
    """The refuted statements, a line each with the counterexample; `folder` is where the pages of the papers are.

    >>> from swagcore.ledger import Ledger, establish
    >>> toy = Ledger().claim("a.even", source="W Thm 9", kind="theorem", statement="7 is even.", expected="refuted")
    >>> toys = establish([toy.by("exhaustive", lambda: 7 if 7 % 2 else None, scope="7")])
    >>> print(refuted_list(toys, folder="ledger/"))
    - [W Thm 9](ledger/W.md#a.even): 7 is even. **But** `7`
    """
    return "\n".join(
        f"- [{entry.source}]({folder}{entry.source[0]}.md#{entry.id}): {_text(entry.statement)} "
        f"**But** {_code(entry.counterexample or '')}"
        for entry in in_order(entries)
        if entry.verdict == "refuted"
    )


def _of(entries: Iterable[Entry], key: str) -> list[Entry]:
    return [entry for entry in entries if entry.source.partition(" ")[0] == key]


def _counts(entries: Sequence[Entry]) -> str:
    verdicts = [sum(entry.verdict == verdict for entry in entries) for verdict in VERDICTS]
    return " | ".join(map(str, (len(entries), *verdicts)))


def _front(entries: Sequence[Entry]) -> str:
    papers = [entry for entry in entries if not entry.source.startswith("O ")]
    ours = _of(entries, "O")
    parts = [
        "# The ledger",
        figures(entries),
        "## Refuted statements of the papers",
        refuted_list(papers) or "None.",
    ]
    if any(entry.verdict == "refuted" for entry in ours):
        parts += ["## What one might think, and is not so", refuted_list(ours)]
    return "\n\n".join(parts) + "\n"


def _paper(key: str, of_key: Sequence[Entry], entries: Sequence[Entry], link: Link) -> str:
    homes = {entry.id: f"{entry.source[0]}.md#{entry.id}" for entry in entries}
    corrected: dict[str, list[str]] = {}
    for entry in entries:
        if entry.corrects:
            corrected.setdefault(entry.corrects, []).append(entry.id)
    parts = [f"# {key}: {TITLES[key]}", figures(of_key)]
    section: str | None = ""
    for entry in of_key:
        if section_of(entry.source) != section:
            section = section_of(entry.source)
            parts.append(f"## {_section(key, section)}")
        parts.append(_claim(entry, corrected.get(entry.id, []), homes, link))
    return "\n\n".join(parts) + "\n"


def _section(key: str, section: str | None) -> str:
    if section is None:
        return "Elsewhere"
    return section.capitalize() if key == "O" else f"§{section}"


def _claim(entry: Entry, corrected_by: Sequence[str], homes: dict[str, str], link: Link) -> str:
    attributes = (
        f'data-verdict="{entry.verdict}" data-kind="{entry.kind}" data-topic="{" ".join(topics(entry.id))}"'
    )
    parts = [
        f"### {spelled(entry.source)}: {entry.id.replace('_', chr(92) + '_')} {{#{entry.id} .claim {attributes}}}",
        f"**{entry.verdict}** · {entry.kind} · {entry.source} · last run {entry.ran}",
        _text(entry.statement),
    ]
    if entry.counterexample is not None:
        parts.append(f"**Counterexample:** {_code(entry.counterexample)}")
    if entry.reason is not None:
        parts.append(f"**Open:** {_text(entry.reason)}")
    if entry.remark is not None:
        parts.append(f"**Remark:** {_text(entry.remark)}")
    if entry.corrects is not None:
        parts.append(f"**Corrects** {_reference(entry.corrects, homes)}.")
    if corrected_by:
        parts.append(f"**Corrected by** {', '.join(_reference(one, homes) for one in corrected_by)}.")
    if entry.evidence:
        parts.append("\n".join(_evidence(one, link) for one in entry.evidence))
    return "\n\n".join(parts)


def _reference(claim: str, homes: dict[str, str]) -> str:
    return f"[{claim}]({homes[claim]})" if claim in homes else _code(claim)


def _evidence(one: Finding, link: Link) -> str:
    said = one.outcome if one.outcome != "not run" else f"not run (profile {one.profile})"
    failed = f": {_text(one.detail or '')}" if one.outcome == "error" else ""
    return f"- {one.kind}, {said}{failed}: [{_code(one.where)}]({link(one.where)}). {_text(one.scope)}"


def _text(text: str) -> str:
    """Plain words as Markdown: what is between backquotes is code, no other character means anything.

    >>> print(_text("a_b < c*d*, `x_y` and 1 | 2"))
    a\\_b &lt; c\\*d\\*, `x_y` and 1 \\| 2
    """
    parts = " ".join(text.split()).split("`")
    if len(parts) % 2 == 0:  # a backquote without a second one
        parts = ["'".join(parts)]
    for index in range(0, len(parts), 2):
        plain = parts[index].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        parts[index] = re.sub(r"([\\*_{}\[\]|#!])", r"\\\1", plain)
    return "`".join(parts)


def _code(text: str) -> str:
    """Words as Markdown code, whatever they contain.

    >>> print(_code("a `b` c"))
    `` a `b` c ``
    """
    text = " ".join(text.split())
    return f"`` {text} ``" if "`" in text else f"`{text}`"
