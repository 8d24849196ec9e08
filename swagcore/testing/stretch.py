"""Long windows, checked as fast as they can be asked: over spans the right answer is known without calculation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from swagcore.testing.case import Case, Finding, Skip, Step, Tally, Target
from swagcore.testing.free_monoid import spans
from swagcore.testing.watch import Hang, Watch

AROUND = 1000
"""The size of the windows."""

LIFE = 8 * AROUND
"""So many moves a window lives: a failure is repeated and cut down from its beginning."""


class Stretch:
    """Windows of about a thousand positions that grow, slide, fall back and drain, asked after every move.

    `run` does one phase, some hundred moves, and says what is wrong, as a case from the window's beginning, or None. The answers
    go to the tally, as ones by spans.

    >>> from swagcore.testing import ReferenceWindow
    >>> tally, stretch = Tally(), Stretch(Target(ReferenceWindow), seed=0)
    >>> with Watch(2.0) as watch:
    ...     stretch.run(watch, tally)
    >>> tally.answers > 100 and tally.answers == tally.by_spans
    True
    """

    def __init__(
        self, target: Target, seed: int, mark: Callable[[tuple[Any, ...]], None] = lambda place: None
    ) -> None:
        self.target, self.seed, self.mark = target, seed, mark
        self._lives = 0
        self._phases: Iterator[tuple[str, int]] = iter(())
        self._begin()

    def _begin(self) -> None:
        self._window: Any = None
        self._chance = random.Random(f"{self.seed} stretch {self._lives}")
        self._lives += 1
        self._phase_number = 0
        self._moves: list[str] = []  # "insert" and "evict"; a query follows each turn
        self._first = self._last = 0

    def case_at(self, life: int, phase: int) -> Case:
        """The steps of a window from the beginning of that life to the end of that phase; nothing is run."""
        self._lives = life
        self._begin()
        for _ in range(phase + 1):
            turn, times = self._phase()
            self._moves += [*turn, "query"] * times
            self._last += times * ("insert" in turn)
            self._first += times * ("evict" in turn)
        return Case(spans, tuple(_steps(self._moves)))

    def run(self, watch: Watch, tally: Tally) -> tuple[Case, Finding] | None:
        """One phase; what is wrong, confirmed, or None."""
        if len(self._moves) > LIFE:
            self._begin()
        self.mark(("stretch", self._lives - 1, self._phase_number))
        self._phase_number += 1
        turn, times = self._phase()
        before = self._last, self._first
        watch.call = 0  # one call for the whole phase, which is short
        try:
            if self._window is None:
                self._window = self.target.make(spans)
                tally.cases += 1
                tally.compared_cases += 1
            wrong = self._do(turn, times)
        except Skip:
            raise
        except (Exception, SystemExit, Hang):
            wrong = True
        finally:
            watch.call = None
        done = self._last - before[0] if "insert" in turn else self._first - before[1]
        tally.answers += done
        tally.by_spans += done
        self._moves += [*turn, "query"] * (done + wrong)
        if not wrong:
            return None
        case = Case(spans, tuple(_steps(self._moves)))
        finding = self.target.run(case, watch)
        self._begin()
        return None if finding is None else (case, finding)  # an answer may be right in another form

    def _phase(self) -> tuple[tuple[str, ...], int]:
        """What to do in turn, and how often."""
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

    def _do(self, turn: tuple[str, ...], times: int) -> bool:
        """The moves and the queries; whether an answer differs. Nothing else in here: this is the inner loop."""
        window = self._window
        insert, evict, query = window.insert, window.evict, window.query
        first, last = self._first, self._last
        try:
            if turn == ("insert",):
                for _ in range(times):
                    insert(last)
                    if query() != (first, last + 1):
                        return True
                    last += 1
            elif turn == ("evict",):
                for _ in range(times):
                    evict()
                    if query() != ((first + 1, last) if first + 1 < last else None):
                        return True
                    first += 1
            else:
                ahead = turn[0] == "evict"
                for _ in range(times):
                    if ahead:
                        evict()
                        insert(last)
                    else:
                        insert(last)
                        evict()
                    if query() != ((first + 1, last + 1) if first < last else None):
                        return True
                    first += 1
                    last += 1
            return False
        finally:
            self._first, self._last = first, last


def _steps(moves: list[str]) -> Iterator[Step]:
    position = 0
    for move in moves:
        if move == "insert":
            yield (move, position)
            position += 1
        else:
            yield (move,)
