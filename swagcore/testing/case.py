"""One case: a fresh window, some steps, and the comparison of every answer with the reference."""

from __future__ import annotations

import inspect
import signal
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from swagcore.algebra import Aggregate
from swagcore.errors import InvalidArgument, MissingLaw
from swagcore.testing.compare import agrees, tolerance
from swagcore.testing.free_monoid import SpanWindow, spans
from swagcore.testing.oracle import ReferenceWindow
from swagcore.testing.watch import Hang, Watch

Step: TypeAlias = tuple[Any, ...]
"""("insert", value), ("evict",) or ("query",)"""


@dataclass(frozen=True)
class Case:
    """What is done to a window; `beside` is inserted, before that, into another window, which must not matter.

    >>> Case(ReferenceWindow("sum").aggregate, (("insert", 1), ("query",)))
    Case(aggregate=<aggregate sum>, steps=(('insert', 1), ('query',)), beside=())
    """

    aggregate: Aggregate
    steps: tuple[Step, ...]
    beside: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Raised:
    """An exception in the place of an answer.

    >>> Raised.by(ValueError("no items"))
    Raised(kind='ValueError', text='no items')
    """

    kind: str
    text: str

    @classmethod
    def by(cls, problem: BaseException) -> Raised:
        """The exception, as far as it is repeatable; its text in one line."""
        try:
            text = " ".join(str(problem).split())
        except Exception:
            text = "an exception whose text cannot be had"
        return cls(type(problem).__name__, text)


@dataclass(frozen=True)
class Died(Raised):
    """The end of the process in the place of an answer.

    >>> Died.by_code(-11), Died.by_code(0)
    (Died(kind='SIGSEGV', text='the process dies'), Died(kind='exit code 0', text='the process dies'))
    """

    @classmethod
    def by_code(cls, code: int) -> Died:
        """The end of a process by its exit code, which is below zero where a signal ended it."""
        known = {int(one): one.name for one in signal.Signals}
        kind = f"exit code {code}" if code >= 0 else known.get(-code, f"signal {-code}")
        return cls(kind, "the process dies")


@dataclass(frozen=True)
class Finding:
    """What went wrong, at which step (-1: already when the window was made).

    >>> Finding("wrong", 3, expected=1, got=2).signature
    'wrong'
    """

    kind: Literal["wrong", "length", "crash", "hang"]
    step: int
    expected: Any = None
    got: Any = None
    tolerance: Any = 0

    @property
    def signature(self) -> str:
        """What a smaller case has to have in common with this one, to be the same finding."""
        return f"{self.kind} {self.got.kind}" if self.kind == "crash" else self.kind


class Skip(Exception):
    """The target says that it cannot do this aggregate.

    >>> str(Skip("needs an inverse"))
    'needs an inverse'
    """


@dataclass
class Tally:
    """How much was done: cases, those of them in which something was compared, and answers compared.

    `by_spans`: how many of the answers are of spans, known without re-evaluation; `evaluated_long`: how many are by re-evaluation
    of windows around a thousand values.

    >>> Tally().cases
    0
    """

    cases: int = 0
    compared_cases: int = 0
    answers: int = 0
    by_spans: int = 0
    evaluated_long: int = 0


class Target:
    """The window under test, by its factory.

    A factory that can be called without an argument makes windows for one aggregate of its own; any other is given
    the aggregate.

    >>> Target(ReferenceWindow).fixed, Target(lambda: ReferenceWindow("sum")).fixed
    (False, True)
    """

    def __init__(self, factory: Callable[..., Any], *, fixed: bool | None = None) -> None:
        if not callable(factory):
            raise InvalidArgument("factory", factory, "a function or class that makes a window")
        self.factory = factory
        self.fixed = _takes(factory) is None if fixed is None else fixed
        wrong = None if self.fixed else _takes(factory, "aggregate")
        if wrong is not None:
            raise InvalidArgument(
                "factory", factory, f"one that takes the aggregate alone, or nothing; calling it: {wrong}"
            )
        self._fresh: Any = None
        self._calls = 0

    def make(self, aggregate: Aggregate) -> Any:
        """A fresh window; `Skip` where the target says that it does not do this aggregate."""
        try:
            return self.factory() if self.fixed else self.factory(aggregate)
        except (MissingLaw, NotImplementedError) as refusal:
            raise Skip(str(refusal) or type(refusal).__name__) from refusal

    def probe(self, aggregate: Aggregate) -> None:
        """Make one window, to learn whether the target does this aggregate (`Skip`), and makes windows at all."""
        try:
            window = self.make(aggregate)
        except (Skip, KeyboardInterrupt):
            raise
        except BaseException:
            return  # a crash or a hang is a finding: the first case will meet it again and report it
        for name in ("insert", "evict", "query"):
            if not callable(getattr(window, name, None)):
                raise InvalidArgument(
                    "factory",
                    self.factory,
                    f"one that makes windows with insert, evict and query: {name} is missing",
                )

    def of_nothing(self, aggregate: Aggregate) -> Any:
        """What an empty window has to answer: lower(identity).

        A target with an aggregate of its own may have a convention of its own (0, None, -inf, an exception): an
        empty window then has to do what a fresh one does.
        """
        if not self.fixed:
            return aggregate.over(())
        if self._fresh is None:
            window = self.make(aggregate)
            self._fresh = (_outcome(window.query),)
        return self._fresh[0]

    def run(self, case: Case, watch: Watch, tally: Tally | None = None) -> Finding | None:
        """Do the steps and compare; the first thing that is wrong, or None."""
        aggregate, tally = case.aggregate, tally or Tally()
        oracle: Any = SpanWindow() if aggregate is spans else ReferenceWindow(aggregate)
        answers_before, position = tally.answers, -1
        try:
            watch.call = self._calls = self._calls + 1  # from here on an exception is the target's
            if case.beside:
                other = self.make(aggregate)
                for value in case.beside:
                    other.insert(value)
            window = self.make(aggregate)
            insert, evict, query = window.insert, window.evict, window.query
            sized = hasattr(type(window), "__len__")
            watch.call = None
            for position, step in enumerate(case.steps):
                name, expected, got = step[0], None, None
                if name == "query":
                    expected = self._expected(aggregate, oracle, watch)
                watch.call = self._calls = self._calls + 1
                if name == "insert":
                    insert(step[1])
                elif name == "evict":
                    evict()
                else:
                    got = query() if type(expected) is not Raised else _outcome(query)
                length = len(window) if sized else None
                watch.call = None  # until here
                if name == "insert":
                    oracle.insert(step[1])
                elif name == "evict":
                    oracle.evict()
                else:
                    finding = _judged(aggregate, oracle.values, expected, got, position, tally)
                    if finding:
                        return finding
                if length is not None and length != len(oracle):
                    return Finding("length", position, len(oracle), length)
            return None
        except Hang:
            return Finding("hang", position)
        except Skip:
            raise
        except BaseException as problem:  # also the panic of an extension, which is no Exception
            if watch.call is None or isinstance(problem, KeyboardInterrupt):
                raise
            return Finding("crash", position, got=Raised.by(problem))
        finally:
            watch.call = None
            tally.cases += 1
            tally.compared_cases += tally.answers > answers_before
            if aggregate is spans:
                tally.by_spans += tally.answers - answers_before

    def _expected(self, aggregate: Aggregate, oracle: Any, watch: Watch) -> Any:
        """The right answer. A user's aggregate may have none for these values, and raise: then nothing is compared."""
        try:
            if len(oracle):
                return oracle.query()
            watch.call = self._calls = self._calls + 1  # a fresh window may be asked
            return self.of_nothing(aggregate)
        except Exception:
            return UNKNOWN
        finally:
            watch.call = None


UNKNOWN = Raised("any", "the aggregate itself has no answer")


def _outcome(query: Callable[[], Any]) -> Any:
    try:
        return query()
    except (Hang, KeyboardInterrupt):
        raise
    except BaseException as problem:
        return Raised.by(problem)


def _judged(
    aggregate: Aggregate, values: Collection[Any], expected: Any, got: Any, position: int, tally: Tally
) -> Finding | None:
    if expected is UNKNOWN:
        return None
    if isinstance(expected, Raised):
        right: bool | None = isinstance(got, Raised) and got.kind == expected.kind
    else:
        right = agrees(aggregate, values, expected, got)
    if right is None:
        return None
    tally.answers += 1
    if right:
        return None
    allowed = 0 if isinstance(expected, Raised) else tolerance(aggregate, values, expected)
    return Finding("wrong", position, expected, got, allowed)


def _takes(factory: Callable[..., Any], *arguments: Any) -> TypeError | None:
    """Why the factory cannot be called with these arguments, or None: it can, as far as its signature tells."""
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):  # a class of an extension module may have none: it is given the aggregate
        return None if arguments else TypeError("unknown")
    try:
        signature.bind(*arguments)
    except TypeError as problem:
        return problem
    return None
