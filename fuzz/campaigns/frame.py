"""What all campaigns share: seeded cases that are plain data, a time, a report, and findings that are kept.

A campaign draws a case, which JSON can hold, and checks it: the number of answers compared (0: the case does not apply), or an
exception, which is a finding; so is a case that does not end. A finding is cut down by the campaign's own `smaller`, and kept in
fuzz/corpus.
"""

from __future__ import annotations

import json
import random
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parents[1] / "corpus"
CASE_SECONDS = 30.0
"""A case takes milliseconds. One that takes so long hangs: it must not keep a night from its report."""
Case = dict[str, Any]


class Hangs(Exception):
    """A case did not end in time."""


@dataclass(frozen=True)
class Campaign:
    """A search: how to draw a case, how to check one, and smaller cases to try when one fails."""

    name: str
    draw: Callable[[random.Random], Case]
    check: Callable[[Case], int]
    smaller: Callable[[Case], Iterable[Case]] = field(default=lambda case: ())


@dataclass
class Outcome:
    """What a run did.

    >>> print(Outcome("differential", 7, 100, 80, 5000, []))
    differential: 100 cases, 5,000 answers checked, 80% of cases compared, 0 findings, seed 7
    """

    name: str
    seed: int
    cases: int
    compared: int
    answers: int
    findings: list[Path]

    @property
    def share(self) -> int:
        """Of a hundred cases, how many were compared."""
        return 100 * self.compared // max(self.cases, 1)

    def __str__(self) -> str:
        kept = "".join(f"; {path.name}" for path in self.findings)
        return (
            f"{self.name}: {self.cases:,} cases, {self.answers:,} answers checked, {self.share}% of cases compared, "
            f"{len(self.findings)} findings, seed {self.seed}{kept}"
        )


def as_markdown(outcomes: Iterable[Outcome]) -> str:
    """The report of a run: a row for each campaign.

    >>> print(as_markdown([Outcome("differential", 7, 100, 80, 5000, [])]), end="")
    # Campaigns
    <BLANKLINE>
    | campaign | seed | cases | answers checked | share compared | findings |
    |---|---|---|---|---|---|
    | differential | 7 | 100 | 5,000 | 80% | none |
    """
    lines = ["# Campaigns", "", "| campaign | seed | cases | answers checked | share compared | findings |"]
    lines.append("|---|---|---|---|---|---|")
    for one in outcomes:
        findings = ", ".join(path.name for path in one.findings) or "none"
        lines.append(
            f"| {one.name} | {one.seed} | {one.cases:,} | {one.answers:,} | {one.share}% | {findings} |"
        )
    return "\n".join(lines) + "\n"


def run(campaign: Campaign, seconds: float, seed: int, most: int = 5, corpus: Path = CORPUS) -> Outcome:
    """Draw and check until the time is over, or there are so many findings."""
    outcome = Outcome(campaign.name, seed, 0, 0, 0, [])
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(outcome.findings) < most:
        case = campaign.draw(random.Random(f"{campaign.name} {seed} {outcome.cases}"))
        outcome.cases += 1
        try:
            answers = checked(campaign, case)
        except Exception as problem:
            path = keep(campaign, *cut_down(campaign, case, problem), f"{seed}-{outcome.cases - 1}", corpus)
            if path not in outcome.findings:
                outcome.findings.append(path)
            continue
        outcome.answers += answers
        outcome.compared += answers > 0
    return outcome


def checked(campaign: Campaign, case: Case) -> int:
    """Check a copy of the case, as JSON holds it; raises `Hangs` where that takes longer than `CASE_SECONDS`."""
    with _limited(CASE_SECONDS):
        return campaign.check(json.loads(json.dumps(case)))


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return

    def stop(*_: Any) -> None:
        raise Hangs(f"no end after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def cut_down(
    campaign: Campaign, case: Case, problem: Exception, most: int = 2000, seconds: float = 120.0
) -> tuple[Case, Exception]:
    """A smaller case that fails with the same kind of exception, as small as the time allows."""
    tried, again, end = 0, True, time.monotonic() + seconds
    while again:
        again = False
        for candidate in campaign.smaller(case):
            tried += 1
            if tried > most or time.monotonic() > end:
                return case, problem
            try:
                checked(campaign, candidate)
            except Exception as other:
                if type(other) is type(problem):
                    case, problem, again = candidate, other, True
                    break
    return case, problem


def keep(campaign: Campaign, case: Case, problem: Exception, name: str, corpus: Path = CORPUS) -> Path:
    """Write the finding down; `tests/museum/test_corpus.py` replays it from then on."""
    corpus.mkdir(exist_ok=True)
    path = corpus / f"{campaign.name}-{name}.json"
    said = f"{type(problem).__name__}: {' '.join(str(problem).split())[:500]}"
    path.write_text(json.dumps({"campaign": campaign.name, "said": said, "case": case}, indent=1) + "\n")
    return path


def without_one(items: list[Any]) -> Iterator[list[Any]]:
    """The list without its halves, then without each of its items.

    >>> list(without_one([1, 2]))
    [[2], [1], [2], [1]]
    """
    half = len(items) // 2
    if half:
        yield items[half:]
        yield items[:half]
    for place in range(len(items)):
        yield items[:place] + items[place + 1 :]
