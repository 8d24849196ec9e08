"""The ledger as Markdown: every claim once, in its place, and nothing in a statement that Markdown would take for its own."""

import re

import markdown
import pytest

from swagcore.ledger import (
    Entry,
    Finding,
    Ledger,
    establish,
    find_checkout,
    in_order,
    judge,
    pages,
    refuted_list,
    section_of,
)
from swagcore.ledger._pages import _PLACES


def entry(**changes: object) -> Entry:
    """A claim as judged, made by hand: what judges it is tested elsewhere."""
    finding = Finding("proof", "proofs/toys.py::even", "all integers", "quick", "held", "2026-01-01")
    plain: dict[str, object] = {
        "id": "toys.one",
        "source": "W Thm 9",
        "kind": "theorem",
        "statement": "A statement.",
        "expected": "holds",
        "verdict": "holds",
        "ran": "2026-01-01",
        "evidence": (finding,),
        "counterexample": None,
        "corrects": None,
        "reason": None,
        "remark": None,
    }
    return Entry(**{**plain, **changes})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def declared() -> list[Entry]:
    checkout = find_checkout()
    assert checkout is not None
    return [judge(claim) for claim in checkout.claims()]


def html(text: str) -> str:
    return markdown.markdown(text, extensions=["attr_list", "tables"])


def test_every_declared_claim_has_a_place(declared: list[Entry]) -> None:
    assert [one.source for one in declared if section_of(one.source) is None] == []


def test_every_declared_claim_is_on_one_page_once(declared: list[Entry]) -> None:
    made = {name: html(text) for name, text in pages(declared).items()}
    for one in declared:
        heads = {name: text.count(f'id="{one.id}"') for name, text in made.items()}
        assert {name: n for name, n in heads.items() if n} == {f"{one.source[0]}.md": 1}, one.id


def test_a_page_keeps_the_order_of_the_paper() -> None:
    sources = [
        "W §2.1",
        "W Def 1",
        "W Thm 1",
        "W §2.2.1",
        "W §2.10",
        "W Thm 8",
        "W Thm 9",
        "W Alg 4",
        "W §A.1",
        "W Eq 7",
    ]
    toys = [entry(id=f"toys.n{i}", source=source) for i, source in enumerate(sources)]
    assert [one.source for one in in_order(reversed(toys))] == sources


@pytest.mark.parametrize("key", sorted(_PLACES))
def test_numbers_of_a_kind_rise_through_a_paper(key: str) -> None:
    """A thing in a wrong section would break the rise. Figures and tables float, so they may not."""
    for kind in ("Thm", "Def", "Eq", "Alg", "Ex", "Lemma"):
        things = [thing for thing in _PLACES[key] if thing.startswith(f"{kind} ")]
        toys = in_order([entry(id="toys.one", source=f"{key} {thing}") for thing in things])
        numbers = [[int(n) for n in one.source.split()[-1].split(".")] for one in toys]
        assert numbers == sorted(numbers), (key, kind)


def test_what_a_claim_says() -> None:
    broken = entry(
        id="toys.broken", verdict="refuted", counterexample="range = 1 | slide = 2", remark="Read as *meant*."
    )
    mended = entry(id="toys.mended", source="O toys", corrects="toys.broken")
    made = pages([broken, mended], link=lambda where: f"code/{where}")
    paper, ours = html(made["W.md"]), html(made["O.md"])
    assert "Theorem 9 (Thm 9)" in paper
    assert 'class="claim" data-kind="theorem" data-topic="toys" data-verdict="refuted"' in paper
    assert "<code>range = 1 | slide = 2</code>" in paper
    assert "Read as *meant*." in paper
    assert '<a href="O.md#toys.mended">toys.mended</a>' in paper
    assert '<a href="W.md#toys.broken">toys.broken</a>' in ours
    assert '<a href="code/proofs/toys.py::even"><code>proofs/toys.py::even</code></a>. all integers' in paper


def test_the_front_page_has_a_line_for_each_refuted_statement() -> None:
    ledger = Ledger()
    claims = [
        ledger.claim(f"toys.n{n}", source="W Thm 9", kind="theorem", statement=f"{n} is\neven.").by(
            "exhaustive", lambda n=n: f"{n}\nis odd" if n % 2 else None, scope=str(n)
        )
        for n in range(5)
    ]
    entries = establish(claims)
    lines = refuted_list(entries).splitlines()
    assert lines == [f"- [W Thm 9](W.md#toys.n{n}): {n} is even. **But** `{n} is odd`" for n in (1, 3)]
    front = pages(entries)["index.md"]
    assert all(line in front for line in lines)
    assert "| [W](W.md) Wu et al. | 5 | 3 | 2 | 0 |" in front


NASTY = [
    "a*b*c",
    "_x_ __y__",
    "1 < 2 > 0 & <b>",
    "[x](y)",
    "# no heading",
    "{: #x}",
    "x | y",
    "![a](b)",
    "a \\* b",
    "one ` alone",
]


@pytest.mark.parametrize("words", NASTY)
def test_a_statement_stays_as_it_is_written(words: str) -> None:
    shown = html(pages([entry(statement=f"Say {words} end.")])["W.md"])
    text = re.sub(r"</?(p|li|ul|h\d|a|code|strong|t\w+)\b[^>]*>", "", shown)
    for sign, character in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(sign, character)
    assert f"Say {words.replace('`', chr(39))} end." in text


def test_what_did_not_run_says_so() -> None:
    made = pages(
        [
            judge(
                Ledger()
                .claim("toys.one", source="W Thm 9", kind="theorem", statement="0 is 0.")
                .by("proof", lambda: None, scope="all", profile="nightly")
            )
        ]
    )["W.md"]
    assert "not run (profile nightly)" in made
    assert "**open**" in made
