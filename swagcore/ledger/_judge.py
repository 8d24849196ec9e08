"""How evidence that ran becomes a verdict.

    any counterexample               refuted
    an error, and no counterexample  open
    all that ran held                holds
    nothing ran                      open

Evidence outside the profile is "not run". Its outcome may be kept from an earlier run of the very same code,
with the date of that run.
"""

from __future__ import annotations

import datetime
import inspect
import time
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from swagcore.ledger._declare import PROFILES, Claim, Evidence

Outcome = Literal["held", "counterexample", "error", "not run"]
#: What names a piece of evidence from one run to the next: claim, where, scope.
Key = tuple[str, str, str]

NEVER = "never"


@dataclass(frozen=True)
class Finding:
    """What one piece of evidence said, and when. `detail` is the counterexample, or what went wrong.

    >>> Finding("proof", "proofs/toys.py::even", "all integers", "quick").outcome
    'not run'
    """

    kind: str
    where: str
    scope: str
    profile: str
    outcome: Outcome = "not run"
    ran: str = NEVER
    detail: str | None = None


@dataclass(frozen=True)
class Entry:
    """A claim as judged: what `swag claims --json` prints.

    `verdict`, `ran` and `counterexample` are derived from the evidence by `judge`; `ran` is the latest date
    among the evidence. `reason` says why an open claim is open.

    >>> from swagcore.ledger import Ledger
    >>> toy = Ledger().claim("a.b", source="O toys", kind="statement", statement="7 is even.")
    >>> [entry] = establish([toy.by("exhaustive", lambda: 7 if 7 % 2 else None, scope="7")])
    >>> entry.verdict, entry.problem.partition(" by ")[0]
    ('refuted', 'expected holds, found refuted')
    """

    id: str
    source: str
    kind: str
    statement: str
    expected: str
    verdict: str
    ran: str
    evidence: tuple[Finding, ...]
    counterexample: str | None
    corrects: str | None
    reason: str | None
    remark: str | None

    @property
    def problem(self) -> str | None:
        """Why a run that found this fails, or None.

        A claim none of whose evidence ran is no problem: it is open, and says so.
        """
        errors = [f"{one.where} failed: {one.detail}" for one in self.evidence if one.outcome == "error"]
        if errors:
            return "; ".join(errors)
        ran = [one for one in self.evidence if one.outcome != "not run"]
        if self.verdict == self.expected or not ran:
            return None
        found = f"expected {self.expected}, found {self.verdict}"
        if self.verdict == "refuted":
            finder = next(one for one in ran if one.outcome == "counterexample")
            return f"{found} by {finder.where}: {self.counterexample}"
        missing = [one for one in self.evidence if one.outcome == "not run"]
        return f"{found} by {', '.join(one.where for one in ran)}" + (
            f" ({', '.join(one.where for one in missing)} did not run)" if missing else ""
        )


class Watcher(Protocol):
    """Somebody who wants to see a run as it goes.

    >>> class Names:
    ...     def starts(self, claim, evidence):
    ...         print(claim.id, end=" ")
    ...     def ends(self, claim, evidence, finding, seconds):
    ...         print(finding.outcome)
    >>> from swagcore.ledger import Ledger
    >>> toy = Ledger().claim("a.b", source="O toys", kind="statement", statement="0 is 0.")
    >>> _ = establish([toy.by("proof", lambda: None, scope="all")], watcher=Names())
    a.b held
    """

    def starts(self, claim: Claim, evidence: Evidence) -> None:
        """The evidence is about to run."""

    def ends(self, claim: Claim, evidence: Evidence, finding: Finding, seconds: float) -> None:
        """The evidence ran."""


def due(claims: Iterable[Claim], profile: str) -> int:
    """How many pieces of evidence a profile runs.

    >>> from swagcore.ledger import Ledger
    >>> toy = Ledger().claim("a.b", source="O toys", kind="statement", statement="0 is 0.")
    >>> _ = toy.by("proof", lambda: None, scope="all")
    >>> _ = toy.by("scale", lambda: None, scope="huge", profile="nightly")
    >>> due([toy], "quick"), due([toy], "full"), due([toy], "nightly")
    (1, 1, 2)
    """
    return sum(_runs(one, profile) for claim in claims for one in claim.evidence)


def establish(
    claims: Iterable[Claim],
    profile: str = "quick",
    *,
    kept: Mapping[Key, Finding] | None = None,
    watcher: Watcher | None = None,
) -> list[Entry]:
    """Run the evidence of a profile, claim by claim, and derive the verdicts.

    `kept` has outcomes of an earlier run of the same code; they stand in for evidence outside the profile.

    >>> from swagcore.ledger import Ledger
    >>> toy = Ledger().claim(
    ...     "a.b", source="O toys", kind="statement", statement="7 is even.", expected="refuted")
    >>> [entry] = establish([toy.by("exhaustive", lambda: 7 if 7 % 2 else None, scope="7")])
    >>> entry.verdict, entry.counterexample
    ('refuted', '7')
    """
    kept = kept or {}
    entries = []
    for claim in claims:
        findings = []
        for one in claim.evidence:
            if _runs(one, profile):
                findings.append(_watched(claim, one, watcher))
            else:
                not_run = Finding(one.kind, one.where, one.scope, one.profile)
                findings.append(kept.get((claim.id, one.where, one.scope), not_run))
        entries.append(judge(claim, findings))
    return entries


def judge(claim: Claim, findings: Iterable[Finding] | None = None) -> Entry:
    """The claim with the verdict that follows from the findings; without any, nothing ran.

    >>> from swagcore.ledger import Ledger
    >>> toy = Ledger().claim("a.b", source="O toys", kind="statement", statement="0 is 0.")
    >>> judge(toy.by("proof", lambda: None, scope="all")).verdict
    'open'
    """
    if findings is None:
        findings = [Finding(one.kind, one.where, one.scope, one.profile) for one in claim.evidence]
    evidence = tuple(findings)
    outcomes = {one.outcome for one in evidence}
    reason = None
    if "counterexample" in outcomes:
        verdict = "refuted"
    elif "error" in outcomes:
        verdict, reason = "open", "its evidence failed to run"
    elif "held" in outcomes:
        verdict = "holds"
    else:
        verdict, reason = "open", claim.reason or _why_not_run(evidence)
    return Entry(
        id=claim.id,
        source=claim.source,
        kind=claim.kind,
        statement=claim.statement,
        expected=claim.expected,
        verdict=verdict,
        ran=max((one.ran for one in evidence if one.ran != NEVER), default=NEVER),
        evidence=evidence,
        counterexample=next((one.detail for one in evidence if one.outcome == "counterexample"), None),
        corrects=claim.corrects,
        reason=reason,
        remark=claim.remark,
    )


def _why_not_run(evidence: tuple[Finding, ...]) -> str:
    first = min((one.profile for one in evidence), key=PROFILES.index, default=PROFILES[0])
    return f"its evidence was not run; `swag verify --profile {first}` runs it"


def _runs(one: Evidence, profile: str) -> bool:
    return PROFILES.index(one.profile) <= PROFILES.index(profile)


def _watched(claim: Claim, one: Evidence, watcher: Watcher | None) -> Finding:
    if watcher is None:
        return _run(one)
    watcher.starts(claim, one)
    began = time.perf_counter()
    finding = _run(one)
    watcher.ends(claim, one, finding, time.perf_counter() - began)
    return finding


def _run(one: Evidence) -> Finding:
    outcome: Outcome
    detail: str | None
    try:
        answer = one.check()
        if isinstance(answer, bool) or inspect.isgenerator(answer) or inspect.iscoroutine(answer):
            # A predicate by mistake: neither True nor False can be told from a counterexample.
            raise TypeError(
                f"it returned {answer!r}; expected None where the statement held, or a counterexample"
            )
        outcome, detail = ("held", None) if answer is None else ("counterexample", _told(answer))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit, which would end the run as if all were well
        outcome, detail = "error", _blamed(error)
    return Finding(
        one.kind, one.where, one.scope, one.profile, outcome, datetime.date.today().isoformat(), detail
    )


def _told(counterexample: Any) -> str:
    """A counterexample as a reader wants it.

    >>> _told({"range": 3, "key": "a"}), _told((1, 2)), _told("no window ends at 7")
    ("range = 3, key = 'a'", '(1, 2)', 'no window ends at 7')
    """
    if isinstance(counterexample, dict):
        return ", ".join(f"{name} = {value!r}" for name, value in counterexample.items())
    return str(counterexample)


def _blamed(error: BaseException) -> str:
    """An error in one line: what, and where it was raised (no path: that is a machine's own)."""
    summary = " ".join(f"{type(error).__name__}: {error}".removesuffix(": ").split())
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{summary} ({Path(last.filename).name}:{last.lineno} in {last.name})"
