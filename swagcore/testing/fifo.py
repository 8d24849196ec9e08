"""`check_fifo`: look for a wrong answer of a first-in, first-out window, and print the smallest one as a test.

Seeded cases, each of one aggregate, one kind of data and one pattern of inserts, evicts and queries; every answer is
compared with re-evaluation. No dependency: it runs wherever the core does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from swagcore.algebra import Aggregate, aggregate, words
from swagcore.errors import InvalidArgument, SwagError
from swagcore.testing.case import Case, Finding, Skip, Step, Tally, Target
from swagcore.testing.free_monoid import spans
from swagcore.testing.interleavings import PATTERNS, asked_seldom, draw_interleaving
from swagcore.testing.mismatch import Mismatch
from swagcore.testing.paste import as_test, label
from swagcore.testing.shrink import ATTEMPTS, shrink
from swagcore.testing.stretch import Stretch, data_of_long
from swagcore.testing.values import DATA, Data, data_for, data_of
from swagcore.testing.watch import Watch

AGGREGATES: tuple[str | Aggregate, ...] = (
    "sum",  # commutative, invertible
    "max",  # selective, no inverse, an identity that is not zero
    "concat",  # not commutative
    "count",
    "mean",  # two parts
    "product",  # identity one, zeros
    "min",
    "last",
    "first",
    "arg_max",  # ties: the earlier wins
    "collect_distinct",  # not commutative, not selective, no inverse
    "median",  # partials that grow
    "variance",
    "all",
    words,
    spans,
)
"""What is tried where nothing is named: laws kept and laws missing, in most combinations."""

SIZES = (1, 2, 3, 4, 5, 6, 8, 8, 12, 16, 17, 33)
LONG = 400
EVERY = 40
ASKED = 6
"""Window sizes: small ones find most. Of EVERY cases of an aggregate one is around sizes up to LONG, tripled by long growth, asked
ASKED times only, since every answer is re-evaluated; spans, whose reference costs nothing, are long more often and asked always."""

BY_SPANS, EVALUATED = 14, 2
"""Where windows of about a thousand are wanted: so many answers of theirs come on one of a case, over spans and by re-evaluation."""

FIRST_ROUNDS = 5
"""Before that, so many rounds of cases: what a slow window is asked in some seconds should not be long ones alone."""


@dataclass(frozen=True)
class Report:
    """What a check did that found nothing: never silent about how much that was.

    >>> print(Report("TwoStacks", cases=10, compared_cases=9, answers=120, aggregates=("sum",), skipped=("max",)))
    TwoStacks: 10 cases, 120 answers compared in 90% of them, nothing wrong; sum; skipped: max
    >>> print(Report("Daba", 10, 10, 120, ("sum", "spans"), by_spans=90, seconds=0.5))
    Daba: 10 cases, 120 answers (240 a second, 25% by re-evaluation) compared in 100% of them, nothing wrong; sum, spans
    """

    name: str
    cases: int
    compared_cases: int
    answers: int
    aggregates: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    by_spans: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        share = 100 * self.compared_cases // max(self.cases, 1)
        skipped = f"; skipped: {', '.join(self.skipped)}" if self.skipped else ""
        evaluated = 100 * (self.answers - self.by_spans) // max(self.answers, 1)
        rate = (
            f" ({self.answers / self.seconds:,.0f} a second, {evaluated}% by re-evaluation)"
            if self.seconds
            else ""
        )
        return (
            f"{self.name}: {self.cases:,} cases, {self.answers:,} answers{rate} compared in {share}% of them, nothing wrong; "
            f"{', '.join(self.aggregates)}{skipped}"
        )


def check_fifo(
    factory: Callable[..., Any],
    aggregates: Iterable[str | Aggregate] | str | Aggregate | None = None,
    max_examples: int = 200,
    seed: int = 0,
    *,
    data: Iterable[str] | str | None = None,
    values: Iterable[Any] | None = None,
    nulls: bool = False,
    timeout: float = 2.0,
) -> Report:
    """Look for a wrong answer of the windows that `factory` makes; raise `Mismatch` with the smallest case found.

    `factory(aggregate)` makes an empty window with `insert(value)`, `evict()` and `query()`: raw values in, the
    lowered answer out; where it has a `len`, that is checked too. A factory that needs no argument makes windows for
    one aggregate, and `aggregates` has to say which: `check_fifo(MovingMax, "max")`.

    - `aggregates`: names or aggregates of your own to try; else `AGGREGATES`. One that the factory refuses with
      `MissingLaw` or `NotImplementedError` is skipped; if all are, that is an error.
    - `max_examples`: how many cases for each aggregate. The same `seed` gives the same cases and the same failure.
    - `data`: only these kinds of data (`swagcore.testing.DATA` names them: "ints", "floats", "specials", ...);
      `values`: your own, the simplest first, in place of them; `nulls`: put None between them, which is to be skipped.
    - `timeout`: a call that takes longer (up to twice as long) is a hang, where the watch works: in the main thread of
      a Unix process, on code that runs in the interpreter.

    A crash or a hang is a finding like a wrong answer. The text of the `Mismatch` is a test to paste and run. Answers
    are compared as `swagcore.testing.agrees` says: exactly, or calculated floats within a stated bound.

    >>> from swagcore.testing import ReferenceWindow
    >>> check_fifo(ReferenceWindow, max_examples=5).answers > 1000
    True
    >>> class Newest(ReferenceWindow):
    ...     def evict(self):
    ...         self.values.pop()
    >>> check_fifo(lambda: Newest("sum"), "sum")
    Traceback (most recent call last):
        ...
    swagcore.testing.mismatch.Mismatch: # factory gives a wrong answer for aggregate 'sum': expected 1, got 0. ...
    """
    if not isinstance(max_examples, int) or isinstance(max_examples, bool) or max_examples < 1:
        raise InvalidArgument("max_examples", max_examples, "a positive integer")
    campaign = Campaign(factory, aggregates, seed, data=data, values=values, nulls=nulls, timeout=timeout)
    for _ in campaign.run(max_examples):
        pass
    return campaign.report()


class Campaign:
    """The cases of one target, in rounds: each round has one case for every aggregate.

    `mark` is told of every case before it is tried, by a place that `case_at` takes; `beat` is called while the interpreter
    runs; `target` is one to use for the factory's.

    >>> from swagcore.testing import ReferenceWindow
    >>> campaign = Campaign(ReferenceWindow, "max", seed=1)
    >>> for tally in campaign.run(rounds=3):
    ...     pass
    >>> tally.cases, campaign.report().aggregates
    (5, ('max',))
    """

    def __init__(
        self,
        factory: Callable[..., Any],
        aggregates: Iterable[str | Aggregate] | str | Aggregate | None = None,
        seed: int = 0,
        *,
        data: Iterable[str] | str | None = None,
        values: Iterable[Any] | None = None,
        nulls: bool = False,
        timeout: float = 2.0,
        mark: Callable[[tuple[Any, ...]], None] = lambda place: None,
        beat: Callable[[], None] = lambda: None,
        target: Target | None = None,
    ) -> None:
        if not isinstance(seed, int):
            raise InvalidArgument("seed", seed, "an integer")
        if not isinstance(timeout, (int, float)) or not timeout > 0:
            raise InvalidArgument("timeout", timeout, "a number of seconds above zero")
        self.seed, self.nulls, self.timeout = seed, nulls, timeout
        self.target = Target(factory) if target is None else target
        self.mark, self.beat, self.attempts = mark, beat, ATTEMPTS
        self.functions = functions = self._chosen(aggregates)
        only = [data] if isinstance(data, str) else None if data is None else list(data)
        own = None if values is None else data_of(values)
        self.data: dict[Aggregate, list[Data]] = {}
        self.skipped: list[str] = []
        refusals = []
        with Watch(timeout, beat) as watch:
            for place, function in enumerate(functions):
                if aggregates is None and only is not None and not _known(function, only):
                    continue  # nobody asked for this aggregate
                mark(("first", place, 0))
                watch.call = place
                try:
                    self.target.probe(function)
                except Skip as refusal:
                    self.skipped.append(function.name)
                    refusals.append(f"{function.name}: {refusal}")
                    continue
                finally:
                    watch.call = None
                self.data[function] = [own] if own else data_for(function, only)
        if not self.data:
            why = f"; the last refusal was {refusals[-1]}" if refusals else ""
            raise SwagError(f"nothing was checked: {label(self.target)} takes none of the aggregates{why}")
        self.tally = Tally()

    def _chosen(self, aggregates: Iterable[str | Aggregate] | str | Aggregate | None) -> list[Aggregate]:
        """The aggregates to try; a target with an aggregate of its own is told which one that is."""
        if aggregates is None:
            named: list[str | Aggregate] = [] if self.target.fixed else list(AGGREGATES)
        else:
            if not isinstance(aggregates, (str, Aggregate, Iterable)):
                raise InvalidArgument(
                    "aggregates", aggregates, "one or more aggregates, or None for the usual ones"
                )
            named = [aggregates] if isinstance(aggregates, (str, Aggregate)) else list(aggregates)
            ours: dict[Any, Aggregate] = {"words": words, "spans": spans}
            named = [ours.get(name, name) if isinstance(name, str) else name for name in named]
        if self.target.fixed and len(named) != 1:
            raise InvalidArgument(
                "aggregates",
                aggregates,
                f"one aggregate, because {label(self.target)} takes no argument and so computes one: say which",
            )
        if not named:
            raise InvalidArgument(
                "aggregates", aggregates, "one or more aggregates, or None for the usual ones"
            )
        return [aggregate(name) for name in named]

    def run(self, rounds: int | None = None, *, long: bool = False) -> Iterator[Tally]:
        """Run that many rounds (None: for ever), and say after every case how much was done so far.

        `long`: between the cases, windows of about a thousand, over spans and over values that are re-evaluated each time.
        """
        stretches = [stretch for stretch in map(self._stretch, self.data) if stretch] if long else []
        evaluated = sum(stretch.function is not spans for stretch in stretches)
        with Watch(self.timeout, self.beat) as watch:
            for function, kinds in self.data.items():
                for which, case in enumerate(self._first_cases(function, kinds[0])):
                    self.mark(("first", self.functions.index(function), which))
                    self._try(case, kinds[0], watch)
                    yield self.tally
            number = 0
            while rounds is None or number < rounds:
                for function, kinds in self.data.items():
                    case, kind = self._draw(function, kinds, number)
                    self.mark(("drawn", self.functions.index(function), number))
                    self._try(case, kind, watch)
                    yield self.tally
                    if number < FIRST_ROUNDS:
                        continue
                    of_cases = self.tally.answers - sum(stretch.answers for stretch in stretches)
                    for stretch in stretches:
                        share = BY_SPANS if stretch.function is spans else EVALUATED / evaluated
                        while stretch.answers < share * of_cases:
                            found = stretch.run(watch, self.tally)
                            if found is not None:
                                raise self._mismatch(*found, stretch.data, watch)
                            yield self.tally
                number += 1

    def _stretch(self, function: Aggregate) -> Stretch | None:
        """Long windows of an aggregate, where it has any."""
        data = data_of_long(function, self.data.get(function) or data_for(function))
        if data is None:
            return None
        place = self.functions.index(function)
        return Stretch(
            self.target,
            function,
            data,
            self.seed,
            lambda life, part: self.mark(("stretch", place, life, part)),
        )

    def case_at(self, place: tuple[Any, ...]) -> tuple[Case, Data]:
        """The case of a place that `mark` was told of, and its kind of data."""
        kind, index, *numbers = place
        function = self.functions[index]
        if kind == "stretch":
            stretch = self._stretch(function)
            assert stretch is not None  # or it would not have been marked
            return stretch.case_at(*numbers), stretch.data
        (number,) = numbers
        kinds = self.data.get(function) or data_for(function)
        if kind == "first":
            return self._first_cases(function, kinds[0])[number], kinds[0]
        return self._draw(function, kinds, number)

    def look_at(self, place: tuple[Any, ...], otherwise: Finding) -> Mismatch:
        """What is wrong at a place, cut down, as an error; `otherwise` where it does not show again."""
        with Watch(self.timeout, self.beat) as watch:
            case, kind = self.case_at(place)
            finding = self.target.run(case, watch)
            if finding is not None:
                self.attempts = 60 if finding.kind == "hang" else 800  # each in a process of its own
                return self._mismatch(case, finding, kind, watch)
        finding = replace(otherwise, step=len(case.steps) - 1)
        note = f" Seen once, not again: the target is not deterministic. Seed {self.seed}."
        return Mismatch(as_test(self.target, case, finding, note))

    def report(self) -> Report:
        """What was done; an error if nothing was compared, for then nothing is known."""
        if not self.tally.answers:
            raise SwagError(f"nothing was checked: no answer of {label(self.target)} could be compared")
        return Report(
            label(self.target),
            self.tally.cases,
            self.tally.compared_cases,
            self.tally.answers,
            tuple(function.name for function in self.data),
            tuple(self.skipped),
            self.tally.by_spans,
        )

    def _first_cases(self, function: Aggregate, kind: Data) -> list[Case]:
        """One value alone; then the same beside another window, for state that windows share by mistake."""
        a, b = (kind.draw(random.Random(0), 2) * 2)[:2] if kind.number_them else (kind.simplest * 2)[:2]
        steps: tuple[Step, ...] = (("query",), ("insert", a), ("query",), ("evict",), ("query",))
        return [Case(function, steps), Case(function, steps, beside=(b,))]

    def _draw(self, function: Aggregate, kinds: list[Data], number: int) -> tuple[Case, Data]:
        chance = random.Random(f"{self.seed} {function.name} {number}")
        patterns = list(PATTERNS)
        kind, pattern = kinds[number % len(kinds)], patterns[chance.randrange(len(patterns))]
        size = chance.choice(SIZES)
        long = number % EVERY == EVERY // 2 or (function is spans and chance.random() < 0.1)
        if long:
            size = chance.randint(34, LONG)
            pattern = chance.choice((pattern, "long_growth"))
        names = draw_interleaving(chance, pattern, size)
        if long and function is not spans:
            names = asked_seldom(chance, names, ASKED)
        drawn = iter(kind.draw(chance, names.count("insert")))
        steps: list[Step] = [(name, next(drawn)) if name == "insert" else (name,) for name in names]
        if self.nulls and not kind.number_them:
            steps = [("insert", None) if len(step) > 1 and chance.random() < 0.2 else step for step in steps]
        return Case(function, tuple(steps)), kind

    def _try(self, case: Case, kind: Data, watch: Watch) -> None:
        finding = self.target.run(case, watch, self.tally)
        if finding is not None:
            raise self._mismatch(case, finding, kind, watch)

    def _mismatch(self, case: Case, finding: Finding, kind: Data, watch: Watch) -> Mismatch:
        """The finding, as small as it gets, as an error whose text is a test."""
        length = len(case.steps)
        again = self.target.run(case, watch)
        if again is None or again.signature != finding.signature:
            note = f" Seen once, not again: the target is not deterministic. Seed {self.seed}."
        elif case.beside:
            note = f" Two windows share state that each should have for itself. Seed {self.seed}."
        else:
            case, finding = self._smallest(case, finding, kind, watch)
            note = f" Seed {self.seed}, {len(case.steps)} of {length} steps left."
        return Mismatch(as_test(self.target, case, finding, note), expected=finding.expected, got=finding.got)

    def _smallest(self, case: Case, finding: Finding, kind: Data, watch: Watch) -> tuple[Case, Finding]:
        """Shrunk; every smaller case that hangs costs the watch's patience, so that is short and the end confirmed."""
        for patience in (0.1, 0.5) if finding.kind == "hang" else (self.timeout,):
            watch.be(min(patience, self.timeout))
            small, found = shrink(
                case, finding, kind, lambda smaller: self.target.run(smaller, watch), self.attempts
            )
            watch.be(self.timeout)
            if finding.kind != "hang" or self.target.run(small, watch) is not None:
                return small, found
        return case, finding


def _known(function: Aggregate, only: list[str]) -> bool:
    """Whether the aggregate takes one of these kinds of data; an unknown kind is for `data_for` to refuse."""
    return not set(only) <= set(DATA) or any(kind.name in only for kind in data_for(function))
