"""The ledger on a terminal: progress, the table at the end of a run, the list of claims.

On a terminal there is a bar and there are colours; into a file or a pipe go plain lines, one a file of specs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from swagcore.ledger._declare import SOURCES, VERDICTS, Claim, Evidence
from swagcore.ledger._judge import Entry, Finding, due

_COLOURS = {"holds": "green", "refuted": "red", "open": "yellow"}


class Timed:
    """A watcher that only remembers how long each piece of evidence took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.began = time.perf_counter()

    def starts(self, claim: Claim, evidence: Evidence) -> None:
        """Nothing to show."""

    def ends(self, claim: Claim, evidence: Evidence, finding: Finding, seconds: float) -> None:
        """Add the time to that of the function: claims made in a loop share one."""
        self.seconds[evidence.where] = self.seconds.get(evidence.where, 0) + seconds

    def summary(self) -> str:
        """The time of the run, and what took most of it."""
        total = time.perf_counter() - self.began
        slow = sorted(self.seconds.items(), key=lambda item: -item[1])[:3]
        most = ", ".join(f"{where} {seconds:.1f} s" for where, seconds in slow if seconds >= 1)
        return f"{total:.1f} s" + (f" (the slowest: {most})" if most else "")


class _Bar(Timed):
    """A progress bar that names what runs now."""

    def __init__(self, progress: Progress, total: int) -> None:
        super().__init__()
        self._progress = progress
        self._task = progress.add_task("", total=total)

    def starts(self, claim: Claim, evidence: Evidence) -> None:
        self._progress.update(self._task, description=claim.id)

    def ends(self, claim: Claim, evidence: Evidence, finding: Finding, seconds: float) -> None:
        super().ends(claim, evidence, finding, seconds)
        self._progress.advance(self._task)


class _Lines(Timed):
    """One line for each file of specs, once all of its evidence ran."""

    def __init__(self, console: Console, claims: Sequence[Claim], profile: str) -> None:
        super().__init__()
        self._console = console
        self._left: dict[str, int] = {}
        for claim in claims:
            self._left[claim.file] = self._left.get(claim.file, 0) + due([claim], profile)
        self._count = dict(self._left)
        self._took = dict.fromkeys(self._left, 0.0)

    def ends(self, claim: Claim, evidence: Evidence, finding: Finding, seconds: float) -> None:
        super().ends(claim, evidence, finding, seconds)
        self._left[claim.file] -= 1
        self._took[claim.file] += seconds
        if not self._left[claim.file]:
            ran, took = self._count[claim.file], self._took[claim.file]
            self._console.print(Text(f"{claim.file}: {ran} ran in {took:.1f} s"), soft_wrap=True)


@contextmanager
def watching(console: Console, claims: Sequence[Claim], profile: str) -> Iterator[Timed]:
    """A watcher that suits the console."""
    if not console.is_terminal:
        yield _Lines(console, claims, profile)
        return
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bar(progress, due(claims, profile))


def show_run(console: Console, entries: Sequence[Entry]) -> None:
    """The table by paper, what did not run, and each problem in a line of its own."""
    table = Table("source", title="The ledger")
    for column in ("claims", *VERDICTS, "not as expected"):
        table.add_column(column, justify="right")
    for key, name in SOURCES.items():
        of_key = [entry for entry in entries if entry.source.startswith(key)]
        if of_key:
            table.add_row(f"{key}  {name}", *_counts(of_key))
    table.add_section()
    table.add_row("all", *_counts(entries))
    console.print(table)
    not_run = sum(one.outcome == "not run" for entry in entries for one in entry.evidence)
    if not_run:
        pieces = "1 piece of evidence is" if not_run == 1 else f"{not_run} pieces of evidence are"
        console.print(f"{pieces} of a larger profile and did not run.", highlight=False)
    for entry in entries:
        if entry.problem:
            line = Text.assemble(
                ("not as expected: ", "red"), f"{entry.id} ({entry.source}): {entry.problem}"
            )
            console.print(line, soft_wrap=True)


def _counts(entries: Sequence[Entry]) -> list[str]:
    verdicts = [sum(entry.verdict == verdict for entry in entries) for verdict in VERDICTS]
    return [
        str(number) for number in (len(entries), *verdicts, sum(bool(entry.problem) for entry in entries))
    ]


def show_claims(console: Console, entries: Sequence[Entry]) -> None:
    """The claims: a table on a terminal, else one line each, for grep and head."""
    if not console.is_terminal:
        for entry in entries:
            line = f"{entry.verdict:8} {entry.id}  {entry.source}  {_said(entry)}"
            console.print(Text(line), soft_wrap=True)
        return
    table = Table("verdict", "claim", "source", "statement", "ran")
    table.columns[4].no_wrap = True
    for entry in entries:
        verdict = Text(entry.verdict, style=_COLOURS.get(entry.verdict, ""))
        table.add_row(verdict, Text(entry.id), Text(entry.source), Text(_said(entry)), entry.ran)
    console.print(table)


def _said(entry: Entry) -> str:
    if entry.counterexample is not None:
        return f"{entry.statement} Counterexample: {entry.counterexample}"
    if entry.reason is not None:
        return f"{entry.statement} Open: {entry.reason}"
    return entry.statement
