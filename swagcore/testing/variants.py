"""Windows that can do more: bulk insert and evict, queries over the newest n, inserts out of order by timestamp.

The same kit as `check_fifo`, with more kinds of steps; every answer is compared with re-evaluation, and a failure is cut down to
a test to paste.
"""

from __future__ import annotations

import random
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from swagcore.algebra import Aggregate
from swagcore.errors import InvalidArgument
from swagcore.testing.case import Case, Finding, Raised, Skip, Step, Tally, Target, _judged
from swagcore.testing.fifo import AGGREGATES, ASKED, EVERY, LONG, SIZES, Campaign, Report
from swagcore.testing.free_monoid import spans
from swagcore.testing.interleavings import PATTERNS, legal
from swagcore.testing.oracle import ReferenceWindow
from swagcore.testing.shrink import SECONDS, WORK, _without_chunks, _without_pairs
from swagcore.testing.values import Data
from swagcore.testing.watch import Hang, Watch

BETWEEN = "query_between"


@dataclass(frozen=True)
class Variant:
    """What a window can do besides insert, evict and query.

    - `bulk`: insert_many(values), oldest first, and evict_many(n); their names may be others.
    - `ranges`: query(n) over the newest n, for n from 1 to the length, besides query().
    - `out_of_order`: insert(time, value), and insert_many of such pairs; times are integers, come in any order and repeat. The
      oldest is the one with the smallest time, of several the one that came first; that order is also the order of combining.

    - `between`: query_between(start, end) over the values with start <= time < end, besides query(); with `out_of_order` only.

    >>> Variant(bulk=True, insert_many="extend").insert_many
    'extend'
    """

    bulk: bool = False
    ranges: bool = False
    out_of_order: bool = False
    insert_many: str = "insert_many"
    evict_many: str = "evict_many"
    between: bool = False

    def __post_init__(self) -> None:
        if self.between and not self.out_of_order:
            raise InvalidArgument(
                "between", self.between, "False, or True together with out_of_order: it asks by time"
            )
        names = {
            "insert_many": self.insert_many,
            "evict_many": self.evict_many,
        }
        for argument, name in names.items():
            if (
                not isinstance(name, str)
                or not name.isidentifier()
                or name in ("insert", "evict", "query", BETWEEN)
            ):
                raise InvalidArgument(
                    argument, name, "the name of a method that is not insert, evict or query"
                )
        if self.insert_many == self.evict_many:
            raise InvalidArgument("evict_many", self.evict_many, "another name than that of insert_many")


def check_variant(
    factory: Callable[..., Any],
    aggregates: Iterable[str | Aggregate] | str | Aggregate | None = None,
    max_examples: int = 200,
    seed: int = 0,
    *,
    variant: Variant,
    data: Iterable[str] | str | None = None,
    timeout: float = 2.0,
) -> Report:
    """Look for a wrong answer of a window that can do more; the rest is as with `check_fifo`.

    >>> class Window(ReferenceWindow):
    ...     def insert_many(self, values):
    ...         self.values.extend(values)
    ...     def evict_many(self, n):
    ...         for _ in range(n): self.values.popleft()
    >>> check_variant(Window, "concat", max_examples=20, variant=Variant(bulk=True)).answers > 100
    True
    >>> class Backwards(Window):
    ...     def insert_many(self, values):
    ...         self.values.extend(reversed(values))
    >>> check_variant(Backwards, "concat", variant=Variant(bulk=True))
    Traceback (most recent call last):
        ...
    swagcore.testing.mismatch.Mismatch: # Backwards gives a wrong answer for aggregate 'concat': expected 'ab', got 'ba'. ...
    """
    if not isinstance(max_examples, int) or isinstance(max_examples, bool) or max_examples < 1:
        raise InvalidArgument("max_examples", max_examples, "a positive integer")
    campaign = VariantCampaign(factory, aggregates, seed, variant=variant, data=data, timeout=timeout)
    for _ in campaign.run(max_examples):
        pass
    return campaign.report()


class VariantTarget(Target):
    """The window under test, with the steps that its variant allows.

    >>> from swagcore.algebra import aggregate
    >>> target = VariantTarget(ReferenceWindow, Variant())
    >>> with Watch(1.0) as watch:
    ...     target.run(Case(aggregate("sum"), (("insert", 1), ("query",))), watch)
    """

    def __init__(self, factory: Callable[..., Any], variant: Variant) -> None:
        super().__init__(factory)
        self.variant = variant

    def run(self, case: Case, watch: Watch, tally: Tally | None = None) -> Finding | None:
        """Do the steps and compare; the first thing that is wrong, or None."""
        aggregate, tally = case.aggregate, tally or Tally()
        held: list[Any] = []
        times: list[int] = []
        answers_before, position = tally.answers, -1
        try:
            watch.call = self._calls = self._calls + 1  # from here on an exception is the target's
            if case.beside:
                other = self.make(aggregate)
                for arguments in case.beside:
                    other.insert(*arguments)
            window = self.make(aggregate)
            sized = hasattr(type(window), "__len__")
            watch.call = None
            for position, step in enumerate(case.steps):
                asked = step[0] in ("query", BETWEEN)
                reference = ReferenceWindow(aggregate)
                reference.values.extend(_asked_of(step, held, times))
                expected = self._expected(aggregate, reference, watch) if asked else None
                watch.call = self._calls = self._calls + 1
                # A list is given away: what the window does with it must not change the case.
                arguments = [list(part) if isinstance(part, list) else part for part in step[1:]]
                try:
                    got = getattr(window, step[0])(*arguments)
                except BaseException as problem:
                    if isinstance(problem, (Hang, KeyboardInterrupt)) or not isinstance(expected, Raised):
                        raise
                    got = Raised.by(problem)
                length = len(window) if sized else None
                watch.call = None  # until here
                self._follow(step, held, times)
                if asked:
                    finding = _judged(aggregate, reference.values, expected, got, position, tally)
                    if finding:
                        return finding
                if length is not None and length != len(held):
                    return Finding("length", position, len(held), length)
            return None
        except Hang:
            return Finding("hang", position)
        except Skip:
            raise
        except BaseException as problem:
            if watch.call is None or isinstance(problem, KeyboardInterrupt):
                raise
            return Finding("crash", position, got=Raised.by(problem))
        finally:
            watch.call = None
            tally.cases += 1
            tally.compared_cases += tally.answers > answers_before

    def needs(self, aggregate: Aggregate, *names: str) -> None:
        """Refuse a window that lacks one of these methods."""
        try:
            window = self.make(aggregate)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return  # the first case will meet it again and report it
        for name in names:
            if not callable(getattr(window, name, None)):
                raise InvalidArgument(
                    "factory", self.factory, f"one that makes windows with {name}, which is missing"
                )

    def _follow(self, step: Step, held: list[Any], times: list[int]) -> None:
        """The same step on the plain list of what the window holds, oldest first."""
        for inserted in _inserted(step, self.variant):
            time, value = inserted if self.variant.out_of_order else (0, inserted[0])
            place = bisect_right(times, time)
            times.insert(place, time)
            held.insert(place, value)
        evicted = 1 if step[0] == "evict" else step[1] if step[0] == self.variant.evict_many else 0
        del held[:evicted], times[:evicted]


def _asked_of(step: Step, held: list[Any], times: list[int]) -> list[Any]:
    """The values that a query is about."""
    if step[0] == BETWEEN:
        return held[bisect_left(times, step[1]) : bisect_left(times, step[2])]
    return held[-step[1] :] if step[0] == "query" and len(step) > 1 else held


class VariantCampaign(Campaign):
    """The cases of one window that can do more.

    >>> campaign = VariantCampaign(ReferenceWindow, "max", variant=Variant())
    >>> sum(1 for _ in campaign.run(rounds=3)), campaign.report().aggregates
    (5, ('max',))
    """

    def __init__(
        self,
        factory: Callable[..., Any],
        aggregates: Iterable[str | Aggregate] | str | Aggregate | None = None,
        seed: int = 0,
        *,
        variant: Variant,
        data: Iterable[str] | str | None = None,
        timeout: float = 2.0,
        mark: Callable[[tuple[Any, ...]], None] = lambda place: None,
        beat: Callable[[], None] = lambda: None,
        target: VariantTarget | None = None,
    ) -> None:
        target = VariantTarget(factory, variant) if target is None else target
        if aggregates is None and not target.fixed:
            aggregates = [
                name for name in AGGREGATES if name is not spans
            ]  # their reference takes no other order
        self.variant = variant
        super().__init__(
            factory, aggregates, seed, data=data, timeout=timeout, mark=mark, beat=beat, target=target
        )
        names = [variant.insert_many, variant.evict_many] * variant.bulk + [BETWEEN] * variant.between
        with Watch(timeout, beat) as watch:
            watch.call = 0
            target.needs(next(iter(self.data)), *names)
            watch.call = None

    def _first_cases(self, function: Aggregate, kind: Data) -> list[Case]:
        cases = super()._first_cases(function, kind)
        if not self.variant.out_of_order:
            return [replace(case, beside=tuple((value,) for value in case.beside)) for case in cases]
        return [
            Case(
                function,
                tuple((step[0], 0, step[1]) if step[0] == "insert" else step for step in case.steps),
                tuple((0, value) for value in case.beside),
            )
            for case in cases
        ]

    def _draw(self, function: Aggregate, kinds: list[Data], number: int) -> tuple[Case, Data]:
        chance = random.Random(f"{self.seed} {function.name} {number} {self.variant}")
        kind = kinds[number % len(kinds)]
        pattern = chance.choice(list(PATTERNS))
        long = number % EVERY == EVERY // 2
        size = chance.randint(34, LONG) if long else chance.choice(SIZES)
        moves = legal(PATTERNS[pattern](chance, size))
        values = iter(kind.draw(chance, moves.count("insert")))
        grouped = self._grouped(chance, moves, values, ASKED / len(moves) if long and moves else None)
        steps = legal_variant_steps(grouped, self.variant)
        return Case(function, tuple(_numbered(steps, kind, self.variant))), kind

    def _grouped(
        self, chance: random.Random, moves: list[str], values: Iterator[Any], seldom: float | None
    ) -> Iterator[Step]:
        """The moves as steps: some of them taken together where the window does bulks, with queries between."""
        asked = chance.choice((1.0, 0.5, 0.15)) if seldom is None else seldom
        together, more, place = chance.choice((0.3, 0.8)), chance.choice((0.8, 0.8, 1.0)), 0
        lateness = chance.choice(((0, 0, 0, 1, 3, 8), (0, 0, 0, 1, 3, 8), (0, 1, 2 * len(moves))))
        held = 0
        front = 0
        while place < len(moves):
            name, run = moves[place], 1
            bulk = self.variant.bulk and chance.random() < together
            while bulk and place + run < len(moves) and moves[place + run] == name and chance.random() < more:
                run += 1
            place += run
            if name == "insert":
                new = []
                for value in (next(values) for _ in range(run)):
                    front += chance.choice((0, 0, 1, 2))
                    late = chance.randint(0, chance.choice(lateness))
                    new.append((front - late, value) if self.variant.out_of_order else (value,))
                held += run
                if bulk:
                    yield (
                        self.variant.insert_many,
                        new if self.variant.out_of_order else [part[0] for part in new],
                    )
                else:
                    yield ("insert", *new[0])
            else:
                held -= run
                yield (self.variant.evict_many, run) if bulk else ("evict",)
            if self.variant.bulk and chance.random() < 0.02:
                yield chance.choice(((self.variant.insert_many, []), (self.variant.evict_many, 0)))
            if self.variant.between and chance.random() < asked:
                start = front - chance.randint(-1, 12)
                yield (BETWEEN, start, start + chance.choice((0, 1, 2, 5, 20)))
            if chance.random() < asked:
                whole = not self.variant.ranges or not held or chance.random() < 0.2
                yield ("query",) if whole else ("query", chance.choice((1, held, chance.randint(1, held))))
        yield ("query",)

    def _smallest(self, case: Case, finding: Finding, kind: Data, watch: Watch) -> tuple[Case, Finding]:
        left, work = self.attempts if finding.kind != "hang" else 60, WORK
        end = time.monotonic() + SECONDS

        def now() -> tuple[Step, ...]:
            return case.steps

        def accepted(steps: list[Step]) -> bool:
            nonlocal case, finding, left, work
            if left <= 0 or work <= 0 or time.monotonic() > end:
                return False
            legal_ones = tuple(_numbered(legal_variant_steps(steps, self.variant), kind, self.variant))
            if legal_ones == case.steps:
                return False
            left, work = left - 1, work - len(legal_ones)
            candidate = replace(case, steps=legal_ones)
            again = self.target.run(candidate, watch)
            if again is None or again.signature != finding.signature:
                return False
            case, finding = replace(candidate, steps=legal_ones[: again.step + 1]), again
            return True

        if finding.kind == "hang":
            watch.be(min(self.timeout, 0.1))
        accepted(list(now()[: finding.step + 1]))
        accepted([step for step in now()[:-1] if step[0] != "query"] + list(now()[-1:]))
        before = None
        while before != now():
            before = now()
            if self.variant.out_of_order:
                accepted(_with_small_times(now(), self.variant))
            _without_chunks(now, accepted)
            _without_pairs(now, accepted)
            position = 0
            while position < len(now()):
                for simpler in _simpler(now()[position], kind, self.variant):
                    if accepted([*now()[:position], simpler, *now()[position + 1 :]]):
                        break
                else:
                    position += 1
        watch.be(self.timeout)
        return case, finding


def legal_variant_steps(steps: Iterable[Step], variant: Variant) -> list[Step]:
    """The steps, without what the window could not do: evicts of nothing, more than there is, queries over more.

    >>> legal_variant_steps([("evict",), ("insert", 5), ("evict_many", 3), ("query", 2)], Variant(bulk=True))
    [('insert', 5), ('evict_many', 1), ('query',)]
    """
    kept: list[Step] = []
    held = 0
    for step in steps:
        if step[0] == "evict" and not held:
            continue
        if step[0] == variant.evict_many:
            step = (step[0], min(step[1], held))
        if step[0] == "query" and len(step) > 1:
            step = ("query", min(step[1], held)) if held else ("query",)
        held += sum(1 for _ in _inserted(step, variant))
        held -= 1 if step[0] == "evict" else step[1] if step[0] == variant.evict_many else 0
        kept.append(step)
    return kept


def _inserted(step: Step, variant: Variant) -> list[tuple[Any, ...]]:
    """What a step inserts, each as the arguments of insert."""
    if step[0] == "insert":
        return [step[1:]]
    if step[0] == variant.insert_many:
        return list(step[1]) if variant.out_of_order else [(value,) for value in step[1]]
    return []


def _numbered(steps: list[Step], kind: Data, variant: Variant) -> list[Step]:
    """Values that are positions under another name count from the first again."""
    if kind.number_them is None:
        return steps
    names = map(kind.number_them, range(10**9))
    renamed: list[Step] = []
    for step in steps:
        new = [(*arguments[:-1], next(names)) for arguments in _inserted(step, variant)]
        if step[0] == "insert":
            step = ("insert", *new[0])
        elif step[0] == variant.insert_many:
            step = (step[0], new if variant.out_of_order else [value for (value,) in new])
        renamed.append(step)
    return renamed


def _with_small_times(steps: Iterable[Step], variant: Variant) -> list[Step]:
    """The times 0, 1, 2, ... in the same order."""
    steps = list(steps)
    times = sorted(
        {time for step in steps for time, _ in _inserted(step, variant)}
        | {time for step in steps if step[0] == BETWEEN for time in step[1:]}
    )
    small: list[Step] = []
    for step in steps:
        new = [(times.index(time), value) for time, value in _inserted(step, variant)]
        if step[0] == "insert":
            step = ("insert", *new[0])
        elif step[0] == variant.insert_many:
            step = (step[0], new)
        elif step[0] == BETWEEN:
            step = (BETWEEN, *(times.index(time) for time in step[1:]))
        small.append(step)
    return small


def _simpler(step: Step, kind: Data, variant: Variant) -> Iterator[Step]:
    """The step made simpler in one place: one call for a bulk of one, a shorter bulk, a smaller number, a simpler value."""
    if step[0] == "query" and len(step) > 1:
        yield ("query",)
        yield from (("query", n) for n in (1, step[1] - 1) if 1 <= n < step[1])
    elif step[0] == BETWEEN:
        _, start, end = step
        yield from (
            (BETWEEN, start, earlier) for earlier in (start, start + 1, end - 1) if start <= earlier < end
        )
        yield from ((BETWEEN, later, end) for later in (start + 1,) if later <= end)
    elif step[0] == variant.evict_many:
        yield from ([("evict",)] if step[1] == 1 else [])
        yield from ((step[0], n) for n in (0, 1, step[1] - 1) if 0 <= n < step[1])
    elif step[0] == variant.insert_many:
        arguments = _inserted(step, variant)
        if len(arguments) == 1:
            yield ("insert", *arguments[0])
        for i, one in enumerate(step[1]):
            yield (step[0], [*step[1][:i], *step[1][i + 1 :]])
            for simpler in _simpler(("insert", *arguments[i]), kind, variant):
                new = simpler[1:] if variant.out_of_order else simpler[1]
                if new != one:
                    yield (step[0], [*step[1][:i], new, *step[1][i + 1 :]])
    elif step[0] == "insert":
        *time, value = step[1:]
        if time:
            for earlier in (0, 1, 2, time[0] // 2, time[0] - 1):
                if abs(earlier) < abs(time[0]):
                    yield ("insert", earlier, value)
        for simplest in kind.simplest:
            if simplest is value or repr(simplest) == repr(value):
                return
            yield ("insert", *time, simplest)
