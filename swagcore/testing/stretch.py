"""Long windows: over spans, where the right answer is known without calculation, and over values, by full re-evaluation."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from swagcore.algebra import Aggregate
from swagcore.testing.case import Case, Finding, Raised, Skip, Step, Tally, Target
from swagcore.testing.compare import agrees
from swagcore.testing.free_monoid import spans
from swagcore.testing.values import DATA, Data, built_in
from swagcore.testing.watch import Hang, Watch

AROUND = 1000
"""The size of the windows."""

LIFE = 8 * AROUND
"""So many moves a window lives: a failure is repeated and cut down from its beginning."""

PART = 100
"""So many turns are made at once: what comes between is not noticed, and a slow target is not waited for too long."""

EVALUATED: dict[str, tuple[str, Callable[[Iterable[Any]], Any]]] = {
    "sum": ("ints", sum),
    "max": ("ints", max),
    "concat": ("letters", "".join),
}
"""What Python itself evaluates as fast as long windows need it, and over which data."""


def data_of_long(function: Aggregate, kinds: Iterable[Data]) -> Data | None:
    """The data of the long windows of an aggregate, of the kinds that are wanted; None: it has none.

    >>> from swagcore.algebra import aggregate
    >>> data_of_long(aggregate("max"), [DATA["ints"]]).name, data_of_long(aggregate("max"), [DATA["floats"]])
    ('ints', None)
    """
    if function is spans:
        name = "positions"
    elif built_in(function) and function.name in EVALUATED:
        name = EVALUATED[function.name][0]
    else:
        return None
    return DATA[name] if any(kind is DATA[name] for kind in kinds) else None


class Stretch:
    """Windows of about a thousand values that grow, slide, fall back and drain, asked after every move; where the answer is
    re-evaluated, only as long as they are long.

    `run` does some moves, and says what is wrong, as a case from the window's beginning, or None. `answers`: how many so far.

    >>> from swagcore.testing import ReferenceWindow
    >>> tally, stretch = Tally(), Stretch(Target(ReferenceWindow), spans, DATA["positions"], seed=0)
    >>> with Watch(2.0) as watch:
    ...     stretch.run(watch, tally)
    >>> tally.answers, tally.by_spans, stretch.answers
    (100, 100, 100)
    """

    def __init__(
        self,
        target: Target,
        function: Aggregate,
        data: Data,
        seed: int,
        mark: Callable[[int, int], None] = lambda life, part: None,
    ) -> None:
        self.target, self.function, self.data, self.seed, self.mark = target, function, data, seed, mark
        self.answers = 0
        self._turns = 0
        self._lives = 0
        self._begin()

    def _begin(self) -> None:
        self._window: Any = None
        self._chance = random.Random(f"{self.seed} stretch {self.function.name} {self._lives}")
        self._lives += 1
        self._part = 0
        self._turn: tuple[str, ...] = ()
        self._left = 0
        self._moves: list[str] = []  # "insert", "evict" and "query"
        self._first = self._last = 0
        self._table = [self._chance.randint(-AROUND, AROUND) for _ in range(LIFE // 8)]
        self._held: deque[Any] = deque()

    def case_at(self, life: int, part: int) -> Case:
        """The steps of a window from the beginning of that life to the end of that part; nothing is run."""
        self._lives = life
        self._begin()
        for _ in range(part + 1):
            turn, times = self._next()
            self._moves += self._turned(turn) * times
            self._last += times * ("insert" in turn)  # which is what the next phase depends on
            self._first += times * ("evict" in turn)
        return self._case()

    def run(self, watch: Watch, tally: Tally) -> tuple[Case, Finding] | None:
        """Some moves; what is wrong, or None."""
        if len(self._moves) > LIFE:
            self._begin()
        self.mark(self._lives - 1, self._part)
        self._part += 1
        turn, times = self._next()
        steps = self._turned(turn)
        wrong: Finding | None = None
        self._turns = 0
        try:
            if self._window is None:
                watch.call = -1
                self._window = self.target.make(self.function)
                tally.cases += 1
                tally.compared_cases += 1
            do = self._known if self.function is spans else self._evaluated
            differs = do(steps, times, watch, tally.cases + tally.answers)
            if differs is not None:
                wrong = Finding("wrong", -1, *differs)
        except (Skip, KeyboardInterrupt):
            raise
        except Hang:
            wrong = Finding("hang", -1)
        except BaseException as problem:
            wrong = Finding("crash", -1, got=Raised.by(problem))
        finally:
            watch.call = None
        self._moves += steps * self._turns
        done = self._turns - (wrong is not None) if steps[-1] == "query" else 0
        self.answers += done
        tally.answers += done
        tally.by_spans += done * (self.function is spans)
        tally.evaluated_long += done * (self.function is not spans)
        if wrong is None:
            return None
        case = self._case()
        finding = self.target.run(case, watch)
        self._begin()
        if (
            finding is None and wrong.kind != "hang"
        ):  # what is seen once only is a finding, but not what was slow once
            finding = replace(wrong, step=len(case.steps) - 1)
        return None if finding is None else (case, finding)

    def _next(self) -> tuple[tuple[str, ...], int]:
        """What to do in turn, and how often."""
        if not self._left:
            self._turn, self._left = self._phase()
        times = min(self._left, PART)
        self._left -= times
        return self._turn, times

    def _turned(self, turn: tuple[str, ...]) -> list[str]:
        """The turn with its query, which needs a long window where the answer is re-evaluated: of short ones there are many."""
        asked = self.function is spans or self._last - self._first >= AROUND // 2
        return [*turn, "query"] if asked else list(turn)

    def _phase(self) -> tuple[tuple[str, ...], int]:
        chance, held = self._chance, self._last - self._first
        if held < AROUND // 2 and chance.random() < 0.8:
            return ("insert",), chance.randint(AROUND // 4, AROUND)
        kind = chance.choice(("slide", "slide", "slide back", "grow", "shrink", "drain"))
        if kind == "grow" and held < 2 * AROUND:
            return ("insert",), chance.randint(1, AROUND // 2)
        if kind == "shrink" and held:
            return ("evict",), chance.randint(1, held)
        if kind == "drain" and held:
            return ("evict",), held
        backwards = kind == "slide back" and held
        return ("evict", "insert") if backwards else ("insert", "evict"), chance.randint(1, AROUND)

    def _known(self, steps: list[str], times: int, watch: Watch, calls: int) -> tuple[Any, Any] | None:
        """The moves and the queries over spans; what differs: expected and got. Nothing else in here: this is the inner loop."""
        window = self._window
        insert, evict, query = window.insert, window.evict, window.query
        first, last = self._first, self._last
        inserts, evicts, ahead = "insert" in steps, "evict" in steps, steps[0] == "evict"
        for self._turns in range(1, times + 1):
            watch.call = -calls - self._turns
            if evicts and ahead:
                evict()
            if inserts:
                insert(last)
                last += 1
            if evicts:
                if not ahead:
                    evict()
                first += 1
            expected = (first, last) if first < last else None
            got = query()
            if got != expected and agrees(spans, (), expected, got) is False:
                return expected, got
        self._first, self._last = first, last
        return None

    def _evaluated(self, steps: list[str], times: int, watch: Watch, calls: int) -> tuple[Any, Any] | None:
        """The same over values."""
        window, held, evaluate = self._window, self._held, EVALUATED[self.function.name][1]
        for self._turns in range(1, times + 1):
            watch.call = -calls - self._turns
            for step in steps:
                if step == "insert":
                    value = self._value(self._last)
                    window.insert(value)
                    held.append(value)
                    self._last += 1
                elif step == "evict":
                    window.evict()
                    held.popleft()
                    self._first += 1
                else:
                    expected, got = evaluate(held), window.query()
                    if got != expected and agrees(self.function, held, expected, got) is False:
                        return expected, got
        return None

    def _value(self, position: int) -> Any:
        """The value at a position of the stream."""
        if self.data.number_them:
            return self.data.number_them(position)
        return self._table[position % len(self._table)]

    def _case(self) -> Case:
        """What was done to the window so far."""
        steps: list[Step] = []
        position = 0
        for move in self._moves:
            if move == "insert":
                steps.append((move, self._value(position)))
                position += 1
            else:
                steps.append((move,))
        return Case(self.function, tuple(steps))
