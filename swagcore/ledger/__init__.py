"""The ledger: every statement we judge, the evidence for it, and the verdict of the last run.

For those who write claims (see `specs/README.md`):

- `claim`, `evidence`: a statement, next to the function that judges it
- `smallest`, `by_size`, `shrunk`: what such a function usually returns, a minimal counterexample or None

For those who run or read them:

- `Ledger`: the claims that were declared, checked as a whole
- `establish`: runs the evidence of a profile and derives the verdicts
- `Entry`, `Finding`, `Record`: a claim as judged, one outcome, and the file that keeps them
- `pages`: the same as Markdown, by paper; `figures`, `refuted_list`, `in_order`, `section_of`, `topics` are parts of it
- `find_checkout`: where the claims of this installation stand, if it is a checkout

A verdict is never written by hand. A claim says what is *expected*; a run says what was found; a difference
fails the run.

>>> ledger = Ledger()
>>> @ledger.claim("squares.grow", source="O squares", kind="statement", statement="x * x is at least x.")
... @ledger.evidence("exhaustive", scope="x from -9 to 9")
... def squares_grow():
...     return smallest(range(-9, 10), lambda x: x * x >= x)
>>> [entry] = establish(ledger.checked(), profile="quick")
>>> entry.verdict, entry.counterexample, entry.problem
('holds', None, None)
"""

from swagcore.ledger._checkout import Checkout, digest, find_checkout
from swagcore.ledger._declare import (
    CLAIM_KINDS,
    EVIDENCE_KINDS,
    PROFILES,
    SOURCES,
    VERDICTS,
    Claim,
    Evidence,
    Ledger,
    claim,
    evidence,
)
from swagcore.ledger._judge import Entry, Finding, Watcher, due, establish, judge
from swagcore.ledger._pages import figures, in_order, pages, refuted_list, section_of, topics
from swagcore.ledger._record import Record, write_atomically
from swagcore.ledger._search import by_size, shrunk, smallest

__all__ = [
    "CLAIM_KINDS",
    "EVIDENCE_KINDS",
    "PROFILES",
    "SOURCES",
    "VERDICTS",
    "Checkout",
    "Claim",
    "Entry",
    "Evidence",
    "Finding",
    "Ledger",
    "Record",
    "Watcher",
    "by_size",
    "claim",
    "digest",
    "due",
    "establish",
    "evidence",
    "figures",
    "find_checkout",
    "in_order",
    "judge",
    "pages",
    "refuted_list",
    "section_of",
    "shrunk",
    "smallest",
    "topics",
    "write_atomically",
]
