"""Closure: all shapes that a window can take, and in each the right word. A proof for streams of any length.

A window that touches partials only through `combine` and `inverse` cannot tell one stream from another. So all that
it can ever be, up to the names of the letters inside, are the shapes that inserts, evicts and queries lead to; for a
bounded length these are finitely many. `closure` visits them all. What it certifies is exact: how many shapes, the
greatest number of operations (calls of `combine` and `inverse`) of each kind of step and of a slide, and what a slide
costs in the long run. `steady_state` follows one window that slides, for sizes whose shapes are too many.
"""

from __future__ import annotations

import copy
import random
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NoReturn

from swagcore.algebra import Aggregate, Counting
from swagcore.errors import InvalidArgument, SwagError
from swagcore.testing.cycles import worst_mean
from swagcore.testing.letters import LETTERS, ORDER, Word, shape_of
from swagcore.testing.mismatch import Mismatch

Asked = tuple[int, ...]
"""The arguments of a query: () for the whole window, (n,) for the newest n, (n, lag) for the n before the newest lag."""


def whole(length: int) -> list[Asked]:
    """Ask for the whole window only.

    >>> whole(2)
    [()]
    """
    return [()]


def every_range(length: int) -> list[Asked]:
    """Ask for the newest n, for every n from the longest to the shortest.

    >>> every_range(2)
    [(2,), (1,)]
    """
    return [(n,) for n in range(length, 0, -1)] or [()]


def every_span(length: int) -> list[Asked]:
    """Ask for the n before the newest lag, for every n and lag.

    >>> every_span(2)
    [(2, 0), (1, 0), (1, 1)]
    """
    return [(n, lag) for n in range(length, 0, -1) for lag in range(length - n + 1)] or [()]


@dataclass(frozen=True)
class Certificate:
    """What `closure` found out: nothing wrong, in all shapes of windows of up to `size` elements.

    `states` counts the shapes together with the order of the ranks in the window, where there are ranks. `worst` has
    the most operations of an "insert", an "evict", a "query" and a "slide": evict, insert and all queries, at length
    `size`. `amortized` is what a slide costs in the long run, at the most: the worst mean of a cycle of slides.

    >>> print(Certificate(2, 4, 4, 9, {"insert": 1, "evict": 1, "query": 1, "slide": 2}, Fraction(3, 2)))
    up to 2 elements: 4 shapes, 9 answers; at most 1 an insert, 1 an evict, 1 a query, 2 a slide; 3/2 amortized
    """

    size: int
    shapes: int
    states: int
    answers: int
    worst: dict[str, int]
    amortized: Fraction

    def __str__(self) -> str:
        insert, evict, query, slide = (self.worst[step] for step in ("insert", "evict", "query", "slide"))
        return (
            f"up to {self.size} elements: {self.shapes:,} shapes, {self.answers:,} answers; at most {insert} an insert, "
            f"{evict} an evict, {query} a query, {slide} a slide; {self.amortized} amortized"
        )


@dataclass(frozen=True)
class Cycle:
    """The operations of each slide in the steady state, once around; `before` has those until it began.

    >>> Cycle((3, 1, 2), ()).amortized, Cycle((3, 1, 2), ()).worst
    (Fraction(2, 1), 3)
    """

    costs: tuple[int, ...]
    before: tuple[int, ...]

    @property
    def worst(self) -> int:
        """The most operations of a slide."""
        return max(self.costs)

    @property
    def amortized(self) -> Fraction:
        """The mean of a slide."""
        return Fraction(sum(self.costs), len(self.costs))


def closure(
    factory: Callable[[Aggregate], Any],
    size: int,
    *,
    asks: Callable[[int], Iterable[Asked]] = whole,
    ordered: bool = False,
    shape: Callable[[Any], Any] | None = None,
    limit: int = 500_000,
) -> Certificate:
    """Explore all shapes of the windows that `factory(aggregate)` makes, up to a length, and check every answer in each.

    - A window has `insert`, `evict`, `query`, and `len` and `_check()` if it likes: those are checked too.
    - `asks(length)` are the queries to try in a shape: `whole`, `every_range`, `every_span`, or your own.
    - `ordered=True` for a window that needs a selective aggregate: the letters have ranks, and all orders are tried.
    - `shape(window)`: all that its behaviour depends on, as plain data, the partials as they are. By default that is
      `_state()` where the window has it, else its attributes. Positions must be relative, or the shapes have no end;
      after `limit` of them that is an error.

    That two windows of one shape behave alike, whatever their past, is tried on a long walk through all that was found,
    whose every step must cost the same and lead to the same shape; a shape that leaves something out is noticed there.
    A wrong answer, a wrong length, a broken `_check` or a crash is a `Mismatch` with a shortest way to it.

    >>> from swagcore.aggregators import technique_for
    >>> print(closure(lambda aggregate: technique_for("two_stacks", aggregate), size=4))
    up to 4 elements: 14 shapes, 14 answers; at most 1 an insert, 3 an evict, 1 a query, 4 a slide; 9/4 amortized
    >>> class Stack(list):
    ...     def __init__(self, aggregate): self.aggregate = aggregate
    ...     insert, evict = list.append, list.pop
    ...     def query(self): return self.aggregate.over(self)
    >>> closure(Stack, size=4)
    Traceback (most recent call last):
        ...
    swagcore.testing.mismatch.Mismatch: insert a, insert b, evict, query(): the answer is a, expected b
    """
    _natural("size", size)
    _natural("limit", limit)
    return _Exploration(factory, size, asks, ordered, shape, limit).run()


def steady_state(
    factory: Callable[[Aggregate], Any],
    size: int,
    *,
    asks: Callable[[int], Iterable[Asked]] = whole,
    shape: Callable[[Any], Any] | None = None,
    limit: int = 100_000,
) -> Cycle:
    """Fill a window, then slide it - evict, insert, all queries - until its shape comes back; every answer is checked.

    >>> from swagcore.aggregators import technique_for
    >>> steady_state(lambda aggregate: technique_for("flatfit", aggregate), size=5)
    Cycle(costs=(4, 1, 2, 2, 2, 1), before=())
    """
    _natural("size", size)
    counting = Counting(LETTERS)
    window = _Window(factory(counting.aggregate), counting, shape)
    for _ in range(size):
        window.insert()
    for asked in asks(size):
        window.query(asked)
    seen: dict[Any, int] = {}
    costs: list[int] = []
    while (key := window.key()) not in seen:
        if len(costs) > limit:
            raise SwagError(
                f"no steady state after {limit} slides; a shape must hold relative positions only"
            )
        seen[key] = len(costs)
        costs.append(window.evict() + window.insert() + sum(window.query(asked) for asked in asks(size)))
    begin = seen[key]
    # Begin with the costliest slide: the same cycle is then the same tuple, wherever it was entered.
    cycle = costs[begin:]
    turns = (tuple(cycle[i:] + cycle[:i]) for i in range(len(cycle)))
    return Cycle(max(turns), tuple(costs[:begin]))


class _Window:
    """A window, the letters that it should hold, and what each step costs and has to answer."""

    def __init__(
        self, target: Any, counting: Counting, shape: Callable[[Any], Any] | None, held: tuple[Word, ...] = ()
    ) -> None:
        self.target, self.counting, self.shape, self.held = target, counting, shape, held
        self.next = 0

    def copied(self) -> _Window:
        # The aggregate is not copied, so that the copies are counted by the same counter.
        aggregate = self.counting.aggregate
        memo = {
            id(kept): kept for kept in (aggregate, aggregate.combine, aggregate.inverse, aggregate.identity)
        }
        other = _Window(copy.deepcopy(self.target, memo), self.counting, self.shape, self.held)
        other.next = self.next
        return other

    def insert(self, rank: Fraction | int = 0) -> int:
        word = Word((self.next,), rank)
        self.next += 1
        self.held += (word,)
        return self._cost(lambda: self.target.insert(word))

    def evict(self, argument: tuple[()] = ()) -> int:
        self.held = self.held[1:]
        return self._cost(self.target.evict)

    def query(self, asked: Asked) -> int:
        got: list[Any] = []
        cost = self._cost(lambda: got.append(self.target.query(*asked)))
        n, lag = (*asked, *(len(self.held), 0)[len(asked) :])
        stop = len(self.held) - lag
        expected = self.counting.aggregate.over(self.held[stop - n : stop])
        if got[0] != expected:
            raise Mismatch(f"the answer is {got[0]!r}, expected {expected!r}", expected=expected, got=got[0])
        return cost

    def _cost(self, step: Callable[[], Any]) -> int:
        before = self.counting.operations
        step()
        return self.counting.operations - before

    def key(self) -> Any:
        """The shape, and beside it the order of the ranks in the window."""
        target = self.target
        if self.shape is not None:
            structure = self.shape(target)
        else:
            structure = target._state() if hasattr(target, "_state") else [target]
        shape = shape_of(structure, self.held[0].letters[0] if self.held else self.next)
        order = sorted({word.rank for word in self.held})
        return shape, tuple(order.index(word.rank) for word in self.held)

    def check(self) -> None:
        if hasattr(type(self.target), "__len__") and len(self.target) != len(self.held):
            raise Mismatch(f"len is {len(self.target)}, expected {len(self.held)}")
        if hasattr(self.target, "_check"):
            self.target._check()


class _Exploration:
    """Breadth first, so that the first thing that is wrong has a shortest way to it."""

    def __init__(
        self,
        factory: Callable[[Aggregate], Any],
        size: int,
        asks: Callable[[int], Iterable[Asked]],
        ordered: bool,
        shape: Callable[[Any], Any] | None,
        limit: int,
    ) -> None:
        self.counting = Counting(ORDER if ordered else LETTERS)
        self.factory, self.size, self.asks, self.ordered = factory, size, asks, ordered
        self.shape, self.limit = shape, limit
        self.numbers: dict[Any, int] = {}
        self.ways: list[tuple[int, str]] = []  # of each state: the one before it, and the step from there
        self.frontier: deque[tuple[int, _Window]] = deque()
        self.after: list[
            dict[str, list[tuple[int, int]]]
        ] = []  # of each state: where steps lead, and their costs
        self.full: list[int] = []
        self.past: list[str] | None = None  # of the window that walks: its steps so far
        self.worst = dict.fromkeys(("insert", "evict", "query", "slide"), 0)
        self.answers = 0

    def run(self) -> Certificate:
        start = _Window(self.factory(self.counting.aggregate), self.counting, self.shape)
        self.meet(start, 0, "")
        while self.frontier:
            number, window = self.frontier.popleft()
            self.after.append(
                {
                    kind: [self.step(number, window, kind, argument) for argument in arguments]
                    for kind, arguments in self.steps(window).items()
                }
            )
            if len(window.held) == self.size:
                self.full.append(number)
        self.walk()
        shapes = len({shape for shape, _ in self.numbers})
        slides = {number: list(self.slid(number)) for number in self.full}
        self.worst["slide"] = max(cost for ways in slides.values() for _, cost in ways)
        amortized = worst_mean(slides)
        return Certificate(self.size, shapes, len(self.numbers), self.answers, self.worst, amortized)

    def meet(self, window: _Window, before: int, step: str) -> int:
        """The number of a window's state; a new one is checked, and explored later."""
        key = window.key()
        if key in self.numbers:
            return self.numbers[key]
        number = self.numbers[key] = len(self.numbers)
        self.ways.append((before, step))
        if number >= self.limit:
            raise SwagError(
                f"no closure after {self.limit} shapes of up to {self.size} elements; expected fewer, "
                "from a smaller size or a _state() that holds relative positions only"
            )
        self.attempt(number, "", window.check)
        self.frontier.append((number, window))
        return number

    def steps(self, window: _Window) -> dict[str, list[Any]]:
        """What can be done to a window, as arguments: the same for all windows of a state, and in the same order."""
        length = len(window.held)
        return {
            "insert": self.ranks(window) if length < self.size else [],
            "evict": [()] if length else [],
            "query": list(self.asks(length)),
        }

    def step(self, number: int, window: _Window, kind: str, argument: Any) -> tuple[int, int]:
        """Do it to a copy: where that leads, and what it costs."""
        after = window.copied()
        name = kind
        if kind == "insert":
            name += f" {Word((after.next,))}"
        elif kind == "query":
            name += f"({', '.join(map(str, argument))})"
            self.answers += 1
        cost = self.attempt(number, name, getattr(after, kind), argument)
        self.worst[kind] = max(self.worst[kind], cost)
        return self.meet(after, number, name), cost

    def slid(self, number: int) -> Iterator[tuple[int, int]]:
        """The states after a slide, and what it costs: evict, insert, all queries."""
        ((evicted, evicting),) = self.after[number]["evict"]
        for inserted, inserting in self.after[evicted]["insert"]:
            state, cost = inserted, evicting + inserting
            for place in range(len(self.after[state]["query"])):
                state, asking = self.after[state]["query"][place]
                cost += asking
            yield state, cost

    def walk(self) -> None:
        """One window, for a long time, seldom drained: what it does must be what its shape says."""
        chance = random.Random(self.size)
        window = _Window(self.factory(self.counting.aggregate), self.counting, self.shape)
        number, shrinking, self.past = 0, False, []
        for _ in range(min(1_000 + len(self.numbers), 5_000)):
            if chance.random() < 0.1:
                shrinking = chance.random() < 0.4
            steps = self.steps(window)
            wanted = "evict" if shrinking and len(window.held) > 1 else "insert"
            kind = chance.choice([kind for kind in (wanted, wanted, "query", "evict") if steps[kind]])
            place = chance.randrange(len(steps[kind]))
            self.past.append(kind)
            cost = self.attempt(
                number, f"(after another past) {kind}", getattr(window, kind), steps[kind][place]
            )
            expected = self.after[number][kind][place]
            if (self.numbers.get(window.key()), cost) != expected:
                problem = "two windows of one shape go different ways: behaviour depends on more than the shape shows"
                self.fail(number, kind, Mismatch(problem))
            number = expected[0]

    def ranks(self, window: _Window) -> list[Fraction | int]:
        """The ranks to try for a new letter: between, above and below those in the window, and equal to each."""
        if not self.ordered or not window.held:
            return [0]
        known = sorted({word.rank for word in window.held})
        between = [Fraction(a + b) / 2 for a, b in pairwise(known)]
        return [*known, *between, known[0] - 1, known[-1] + 1]

    def attempt(self, number: int, step: str, do: Callable[..., Any], *argument: Any) -> Any:
        """Do it; if it goes wrong, say how one gets there."""
        try:
            return do(*argument)
        except Exception as problem:
            self.fail(number, step, problem)

    def fail(self, number: int, step: str, problem: Exception) -> NoReturn:
        steps = [step] if step else []
        while number:
            number, name = self.ways[number]
            steps.append(name)
        said = str(problem) if isinstance(problem, Mismatch) else f"{type(problem).__name__}: {problem}"
        expected, got = getattr(problem, "expected", None), getattr(problem, "got", None)
        way = list(reversed(steps))
        done = tuple(re.findall(r"[a-z]+", step)[0] for step in (way if self.past is None else self.past))
        raise Mismatch(
            f"{', '.join(way) or 'a fresh window'}: {said}", expected=expected, got=got, steps=done
        ) from problem


def _natural(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidArgument(name, value, "a positive integer")
