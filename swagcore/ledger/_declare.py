"""How a claim and its evidence are written down.

Declaring runs nothing. Each declaration is checked at once as far as it can be, and `Ledger.checked` checks
what only the whole can tell: evidence may stand in another module than its claim, and a claim may correct a
later one.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from swagcore.errors import InvalidArgument, UnknownName

SOURCES = {
    "S": "Shein 2019",
    "C": "Chung, Guirguis, Kurdia",
    "G": "Golab 2006",
    "A": "Arasu, Widom 2004",
    "W": "Wu et al.",
    "O": "our own",
}
CLAIM_KINDS = ("theorem", "formula", "table", "algorithm", "complexity", "example", "definition", "statement")
EVIDENCE_KINDS = (
    "proof",
    "induction",
    "closure",
    "exhaustive",
    "property",
    "symbolic",
    "simulation",
    "scale",
)
VERDICTS = ("holds", "refuted", "open")
PROFILES = ("quick", "full", "nightly")  # each runs what the ones before it run, and more

_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")
_NUMBER = r"[0-9A-Z]+(\.[0-9A-Z]+)*[a-z]?"  # 7.6, 4.3.1, 2a, and IV.A or B.1 for appendices
_SOURCE = re.compile(
    rf"[SCGAW] ((Thm|Lemma|Def|Eq|Alg|Table|Fig|Ex|Obs|fn) {_NUMBER}|§{_NUMBER})"
    r"|O [a-z0-9]+([._-][a-z0-9]+)*"
)
_SOURCE_WANTED = (
    "a key S C G A W and a locator: Thm Lemma Def Eq Alg Table Fig Ex Obs fn with a number, or a §, "
    "as in 'S Eq 7.6' or 'W §2.1.1'; or O and a word of our own, as in 'O laws'"
)

Check = TypeVar("Check", bound=Callable[..., object])


@dataclass(frozen=True)
class Evidence:
    """One executable reason to believe or reject a claim.

    `check()` returns None where the statement held, or a counterexample where it failed. `where` names the
    function for a reader; `where` and `scope` together name the evidence within its claim.

    >>> ledger = Ledger()
    >>> ledger.claim("a.b", source="O toys", kind="statement", statement="0 is 0.").by(
    ...     "proof", lambda: None, scope="all there is").evidence[0].scope
    'all there is'
    """

    kind: str
    scope: str
    profile: str
    where: str
    check: Callable[[], object] = field(repr=False, compare=False)


@dataclass(eq=False)
class Claim:
    """One statement that a machine can judge, and the evidence for it.

    It is what `claim(...)` returns: put it above a function that has `@evidence`, or chain `.by(...)`.

    >>> toy = Ledger().claim("toys.zero", source="O toys", kind="statement", statement="0 is 0.")
    >>> toy.by("exhaustive", lambda: None if 0 == 0 else 0, scope="0").expected
    'holds'
    """

    id: str
    source: str
    kind: str
    statement: str
    expected: str
    reason: str | None
    remark: str | None
    corrects: str | None
    file: str
    evidence: list[Evidence] = field(default_factory=list)
    ledger: Ledger | None = field(default=None, repr=False)

    def __call__(self, check: Check) -> Check:
        """Take the evidence that stands between this claim and the function; the function stays as it was."""
        assert self.ledger is not None
        for one in self.ledger._take(check, self):
            self._add(one)
        return check

    def by(
        self, kind: str, check: Callable[..., object], *, scope: str, profile: str = "quick", **arguments: Any
    ) -> Claim:
        """Add evidence without a decorator, for claims that are made in a loop; returns the claim.

        >>> ledger = Ledger()
        >>> def absorbs(operation, element):
        ...     return None if operation(element, 5) == element else 5
        >>> for name, operation, element in [("min", min, 0), ("max", max, 9)]:
        ...     _ = ledger.claim(
        ...         f"toys.{name}.absorbs", source="O toys", kind="statement",
        ...         statement=f"{element} absorbs under {name}.",
        ...     ).by("exhaustive", absorbs, scope="5", operation=operation, element=element)
        >>> [claim.id for claim in ledger.checked()]
        ['toys.min.absorbs', 'toys.max.absorbs']
        """
        self._add(_evidence(kind, check, scope, profile, arguments))
        return self

    def _add(self, one: Evidence) -> None:
        if self.expected == "open":
            raise InvalidArgument(
                f"expected of claim {self.id}", "open", f"holds or refuted, as it has evidence ({one.where})"
            )
        if any((one.where, one.scope) == (other.where, other.scope) for other in self.evidence):
            raise InvalidArgument(
                f"evidence of claim {self.id}",
                one.where,
                f"another scope than {one.scope!r}, which it has already",
            )
        self.evidence.append(one)


class Ledger:
    """The claims declared so far.

    `claim` and `evidence` of this module write into one ledger for the whole checkout; a test makes its own.

    >>> ledger = Ledger()
    >>> later = ledger.claim("toys.later", source="O toys", kind="statement", statement="P is NP.",
    ...                      expected="open", reason="nobody knows")
    >>> [claim.id for claim in ledger.checked()]
    ['toys.later']
    """

    def __init__(self) -> None:
        self._claims: dict[str, Claim] = {}
        self._elsewhere: list[tuple[str, Evidence]] = []  # evidence with of=, until its claim is known
        self._below: dict[Callable[..., object], list[Evidence]] = {}  # evidence without of=, by its function
        self._taken: set[Callable[..., object]] = set()  # those of the functions that have a @claim above

    def claim(
        self,
        id: str,
        *,
        source: str,
        kind: str,
        statement: str,
        expected: str = "holds",
        reason: str | None = None,
        remark: str | None = None,
        corrects: str | None = None,
    ) -> Claim:
        """Declare a claim; put it above a function that has `@evidence`, or chain `.by(...)`.

        - `id`: lower-case words joined by dots, first the topic
        - `source`: where it is printed: `S Eq 7.6`, `W §2.1.1`; a statement of ours is `O topic`
        - `kind`: theorem, formula, table, algorithm, complexity, example, definition, statement
        - `statement`: in our own words, complete enough to be judged without the paper
        - `expected`: holds, refuted, or open with a `reason`
        - `remark`: how it was read, where that needs saying (a misprint, a charitable reading)
        - `corrects`: the id of the refuted claim that this one replaces

        >>> ledger = Ledger()
        >>> @ledger.claim("toys.halves", source="O toys", kind="statement", statement="n // 2 + n // 2 is n.",
        ...               expected="refuted")
        ... @ledger.evidence("exhaustive", scope="n up to 9")
        ... def halves():
        ...     return next((n for n in range(10) if n // 2 + n // 2 != n), None)
        >>> halves()
        1
        >>> ledger.checked()[0].evidence[0].kind
        'exhaustive'
        """
        if not isinstance(id, str) or not _ID.fullmatch(id):
            raise InvalidArgument(
                "id of a claim", id, "lower-case words joined by dots, as in 'coverage.thm1'"
            )
        if id in self._claims:
            raise InvalidArgument(
                "id of a claim",
                id,
                f"one that is not taken; {self._claims[id].file} has a claim of that name",
            )
        if not isinstance(source, str) or not _SOURCE.fullmatch(source):
            raise InvalidArgument(f"source of claim {id}", source, _SOURCE_WANTED)
        if kind not in CLAIM_KINDS:
            raise UnknownName(f"kind of claim {id}", kind, CLAIM_KINDS)
        if expected not in VERDICTS:
            raise UnknownName(f"expected of claim {id}", expected, VERDICTS)
        if (expected == "open") != bool(reason):
            wanted = (
                "a sentence, as the claim is open"
                if expected == "open"
                else "none: only an open claim has one"
            )
            raise InvalidArgument(f"reason of claim {id}", reason, wanted)
        new = Claim(
            id=id,
            source=source,
            kind=kind,
            statement=_sentence(f"statement of claim {id}", statement),
            expected=expected,
            reason=None if reason is None else _sentence(f"reason of claim {id}", reason),
            remark=None if remark is None else _sentence(f"remark of claim {id}", remark),
            corrects=corrects,
            file=_file_of(_caller()),
            ledger=self,
        )
        self._claims[id] = new
        return new

    def evidence(
        self, kind: str, *, scope: str, profile: str = "quick", of: str | None = None, **arguments: Any
    ) -> Callable[[Check], Check]:
        """Declare that a function is evidence, for the `@claim` above it or for the claim with the id `of`.

        - `kind`: proof, induction, closure, exhaustive, property, symbolic, simulation, scale
        - `scope`: what was covered, in words; it may name the arguments in braces
        - `profile`: the smallest profile that runs it: quick, full, nightly
        - `arguments`: handed to the function, so that it can stand in two profiles with two bounds

        The function returns None where the statement held and a counterexample where it failed. An exception
        is an error of the run, never a verdict.

        >>> ledger = Ledger()
        >>> @ledger.claim("toys.even", source="O toys", kind="statement", statement="n * (n + 1) is even.")
        ... @ledger.evidence("exhaustive", scope="n up to {limit}", limit=10)
        ... @ledger.evidence("exhaustive", scope="n up to {limit}", limit=10_000, profile="full")
        ... def even(limit):
        ...     return next((n for n in range(limit + 1) if n * (n + 1) % 2), None)
        >>> [one.scope for one in ledger.checked()[0].evidence]
        ['n up to 10', 'n up to 10000']
        """

        def declare(check: Check) -> Check:
            one = _evidence(kind, check, scope, profile, arguments)
            if of is not None:
                self._elsewhere.append((of, one))
            else:
                # Decorators apply from below; a reader reads from above.
                self._below.setdefault(check, []).insert(0, one)
            return check

        return declare

    def checked(self) -> list[Claim]:
        """All claims, in the order in which they were declared, once the ledger as a whole makes sense.

        Raises if evidence belongs to no claim, a claim has no evidence, or `corrects` names no refuted claim.
        """
        for check, waiting in self._below.items():
            if check not in self._taken:
                raise InvalidArgument(
                    f"claim of evidence {waiting[0].where}",
                    None,
                    "a @claim above its @evidence, or of='claim.id'",
                )
        while self._elsewhere:
            of, one = self._elsewhere[0]
            if of not in self._claims:
                raise InvalidArgument(
                    f"of, of evidence {one.where}", of, f"the id of a claim{self._near(of)}"
                )
            self._claims[of]._add(one)
            self._elsewhere.pop(0)
        for claim in self._claims.values():
            if claim.expected != "open" and not claim.evidence:
                raise InvalidArgument(
                    f"evidence of claim {claim.id}",
                    None,
                    "at least one, as it is expected to be judged; or expected='open' with a reason",
                )
            if claim.corrects is not None:
                target = self._claims.get(claim.corrects)
                if target is None or target.expected != "refuted":
                    near = "" if target else self._near(claim.corrects)
                    raise InvalidArgument(
                        f"corrects of claim {claim.id}",
                        claim.corrects,
                        f"a claim with expected='refuted'{near}",
                    )
        return list(self._claims.values())

    def _take(self, check: Callable[..., object], claim: Claim) -> list[Evidence]:
        """The evidence written above a function; several claims may share it."""
        if check not in self._below:
            raise InvalidArgument(
                f"evidence of claim {claim.id}",
                None,
                f"an @evidence between the @claim and {_name_of(check)}",
            )
        self._taken.add(check)
        return self._below[check]

    def _near(self, id: object) -> str:
        # A hundred ids in a message help nobody: the nearest one does.
        import difflib

        near = difflib.get_close_matches(str(id), self._claims, n=1, cutoff=0.5)
        return f" (did you mean {near[0]!r}?)" if near else ""


def _evidence(
    kind: str, check: Callable[..., object], scope: str, profile: str, arguments: dict[str, Any]
) -> Evidence:
    if not callable(check):
        raise InvalidArgument("evidence", check, "a function that returns None or a counterexample")
    where = f"{_file_of(_innermost(check).__module__ or 'builtins')}::{_name_of(check)}"
    if kind not in EVIDENCE_KINDS:
        raise UnknownName(f"kind of evidence {where}", kind, EVIDENCE_KINDS)
    if profile not in PROFILES:
        raise UnknownName(f"profile of evidence {where}", profile, PROFILES)
    scope = _sentence(f"scope of evidence {where}", scope)
    try:
        inspect.signature(check).bind(**arguments)
    except TypeError as error:
        raise InvalidArgument(
            f"arguments of evidence {where}", arguments, f"those that its function takes ({error})"
        ) from None
    except ValueError:
        pass  # a builtin without a signature: the run will tell
    if arguments:
        try:
            scope = scope.format(**arguments)
        except (LookupError, ValueError) as error:
            raise InvalidArgument(
                f"scope of evidence {where}", scope, f"only its arguments ({', '.join(arguments)}) in braces"
            ) from error
        check = functools.partial(check, **arguments)
    return Evidence(kind=kind, scope=scope, profile=profile, where=where, check=check)


def _sentence(what: str, text: object) -> str:
    """Text as one line, so that it can be wrapped in the source as its author likes."""
    if not isinstance(text, str) or not text.strip():
        raise InvalidArgument(what, text, "a sentence in words")
    return " ".join(text.split())


def _innermost(check: Any) -> Any:
    """The function behind partials, wrappers and callable objects."""
    while isinstance(check, functools.partial):
        check = check.func
    check = inspect.unwrap(check)
    return check if hasattr(check, "__qualname__") else type(check)


def _name_of(check: Callable[..., object]) -> str:
    return str(_innermost(check).__qualname__).replace(".<locals>", "")


def _file_of(module: str) -> str:
    """A module's file as a reader of the checkout knows it: no path of this machine ever reaches the ledger.

    >>> _file_of("specs.windows"), _file_of("swagcore.ledger")
    ('specs/windows.py', 'swagcore/ledger/__init__.py')
    """
    is_package = hasattr(sys.modules.get(module), "__path__")
    return module.replace(".", "/") + ("/__init__.py" if is_package else ".py")


def _caller() -> str:
    """The module that declares: the first one up the stack that is not this one."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return "__main__" if frame is None else str(frame.f_globals.get("__name__", "__main__"))


#: The ledger of the checkout, filled as the modules of `specs/` and `proofs/` are imported.
LEDGER = Ledger()
claim = LEDGER.claim
evidence = LEDGER.evidence
