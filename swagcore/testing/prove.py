"""`prove`: every interleaving up to a size, over the free monoid, of a window that takes the user's aggregate."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, count
from typing import Any

from swagcore.algebra import Aggregate
from swagcore.errors import InvalidArgument, MissingLaw
from swagcore.testing.apart import Board, Ended, apart, refused
from swagcore.testing.case import Step
from swagcore.testing.closure import Certificate, closure
from swagcore.testing.fuzz import find_factory
from swagcore.testing.interleavings import EVICT, INSERT, QUERY, legal_steps
from swagcore.testing.letters import LETTERS, Word
from swagcore.testing.mismatch import Mismatch
from swagcore.testing.shrink import _without_chunks, _without_pairs
from swagcore.testing.watch import Hang, Watch

MADE = "when it is made"

MOST = 14
"""Sizes beyond that have more interleavings than anybody waits for."""

EVERY_WAY = 8
"""So many moves are asked at every set of places: there are two to the power of that."""

SHAPES = 3_000
"""So many shapes are looked for before closure is given up."""

SECONDS = 30.0
"""So long (up to twice that) they are looked for."""

NAMES = {"i": INSERT, "e": EVICT, "q": QUERY}


@dataclass(frozen=True)
class Proof:
    """What was proved. `closed` is the certificate of closure, where there is one: then it is for streams of any length.

    >>> print(Proof("Window", 2, 9, 18, None))
    Window is right for every associative operation in all 9 interleavings of up to 2 inserts (18 answers), asked in every way \
up to 8 moves
    """

    name: str
    size: int
    interleavings: int
    answers: int
    closed: Certificate | None

    def __str__(self) -> str:
        said = (
            f"{self.name} is right for every associative operation in all {self.interleavings:,} interleavings of up to "
            f"{self.size} inserts ({self.answers:,} answers)"
        )
        if self.closed is None:
            said += f", asked in every way up to {EVERY_WAY} moves"
        else:
            said += f", and on streams of any length while it holds at most {self.size}: {self.closed.shapes:,} shapes"
        return said


def prove(
    factory: Callable[[Aggregate], Any],
    size: int = 8,
    *,
    timeout: float = 2.0,
    mark: Callable[[tuple[Any, ...]], None] = lambda place: None,
    beat: Callable[[], None] = lambda: None,
    proved: Callable[[Proof], None] = lambda proof: None,
) -> Proof:
    """Run the windows that `factory(aggregate)` makes through all interleavings of up to so many inserts, over words.

    Those of up to `EVERY_WAY` moves are asked in every way: at any set of places, for a window may put work off until it is asked,
    or keep an answer too long. Longer ones are run twice: asked all the time, and at the end alone. A window that touches values
    only through the aggregate cannot tell one operation from another, so right words are a proof for every associative operation
    and all data. Where its shapes, up to renaming, are finitely many, they are visited too (`closure`), and the proof is for
    streams of any length, however asked. A wrong answer, a crash, or a call that takes longer than `timeout` (where the watch of
    `check_fifo` works) is a `Mismatch` with a shortest interleaving.

    For another process that watches this one: `mark` is told of each interleaving before it is tried, `proved` of the proof before
    its shapes are looked for, and `beat` is called while the interpreter runs.

    >>> from swagcore.testing import ReferenceWindow
    >>> print(prove(ReferenceWindow, size=3))
    ReferenceWindow is right for every associative operation in all 22 interleavings of up to 3 inserts (595 answers), \
and on streams of any length while it holds at most 3: 4 shapes
    >>> class Stack(ReferenceWindow):
    ...     def evict(self): self.values.pop()
    >>> prove(Stack, size=3)
    Traceback (most recent call last):
        ...
    swagcore.testing.mismatch.Mismatch: insert a, insert b, evict, query(): the answer is a, expected b
    """
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= MOST:
        raise InvalidArgument("size", size, f"an integer from 1 to {MOST}")
    mark(("",))
    tried = answers = 0
    with Watch(timeout, beat) as watch:
        _refuse(factory, watch)
        for moves in interleavings(size):
            tried += 1
            for steps in _asked(moves):
                mark((steps,))
                wrong = _wrong(factory, steps, watch)
                if wrong is not None:
                    raise _shortest(factory, steps, wrong, watch)
                answers += 1
        proof = Proof(_name(factory), size, tried, answers, None)
        proved(proof)
        mark(())
        return replace(proof, closed=_closed(factory, size, watch, mark))


def _refuse(factory: Callable[[Aggregate], Any], watch: Watch) -> None:
    """Refuse what takes no aggregate, or not one without laws. Any other trouble in making a window is a finding."""
    try:
        inspect.signature(factory).bind(LETTERS)
    except TypeError as problem:
        raise InvalidArgument(
            "factory",
            factory,
            f"one that takes the aggregate as its argument ({problem}); fuzz one that has its own",
        ) from None
    except ValueError:  # a class of an extension module may have no signature
        pass
    watch.call = 0
    try:
        factory(LETTERS)
    except (MissingLaw, NotImplementedError) as refusal:
        raise InvalidArgument(
            "factory", factory, f"one that takes an aggregate without laws; it says: {refusal}"
        ) from None
    except KeyboardInterrupt:
        raise
    except BaseException:
        return  # the first interleaving will meet it again
    finally:
        watch.call = None


def interleavings(size: int) -> Iterator[str]:
    """All legal sequences of inserts (i) and evicts (e) with at most so many inserts, the shortest first.

    >>> list(interleavings(1)), sum(1 for _ in interleavings(8))
    (['', 'i', 'ie'], 6917)
    """
    level = [("", 0, 0)]  # the steps, inserts so far, length
    while level:
        yield from (steps for steps, _, _ in level)
        level = [
            longer
            for steps, inserts, length in level
            for longer in ((steps + "i", inserts + 1, length + 1), (steps + "e", inserts, length - 1))
            if longer[1] <= size and longer[2] >= 0
        ]


def _asked(moves: str) -> Iterator[str]:
    """The moves with queries (q) before, between and after them, and always one at the end; the fewest first.

    >>> list(_asked("ie"))
    ['ieq', 'qieq', 'iqeq', 'qiqeq']
    """
    if len(moves) > EVERY_WAY:
        yield moves + "q"
        yield "q" + "".join(move + "q" for move in moves)
        return
    for number in range(len(moves) + 1):
        for places in combinations(range(len(moves)), number):
            yield "".join("q" * (place in places) + move for place, move in enumerate(moves)) + "q"


def _wrong(factory: Callable[[Aggregate], Any], steps: str, watch: Watch) -> Mismatch | None:
    """What is wrong with one interleaving, or None."""
    first = inserted = done = 0
    watch.call = 1 if watch.call is None else watch.call + 1  # one call for the whole, which is short
    try:
        window = factory(LETTERS)
        for step in steps:
            done += 1
            if step == "i":
                window.insert(Word((inserted,)))
                inserted += 1
            elif step == "e":
                window.evict()
                first += 1
            else:
                got, expected = window.query(), Word(tuple(range(first, inserted)))
                if got != expected:
                    said = f"{_said(steps[:done])}: the answer is {got!r}, expected {expected!r}"
                    return Mismatch(said, expected=expected, got=got)
    except Hang:
        return Mismatch(f"{_said(steps[:done])}: does not come back")
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        return Mismatch(f"{_said(steps[:done])}: {type(problem).__name__}: {problem}")
    return None


def _shortest(factory: Callable[[Aggregate], Any], steps: str, wrong: Mismatch, watch: Watch) -> Mismatch:
    """The same without the steps that it does not need."""
    now: tuple[Step, ...] = tuple((NAMES[step],) for step in steps)

    def accepted(fewer: list[Step]) -> bool:
        nonlocal now, wrong
        kept = tuple(legal_steps(fewer))
        again = None if kept == now else _wrong(factory, "".join(name[0] for (name,) in kept), watch)
        if again is None:
            return False
        now, wrong = kept, again
        return True

    before = None
    while before != now:
        before = now
        _without_chunks(lambda: now, accepted)
        _without_pairs(lambda: now, accepted)
    return wrong


def _said(steps: str) -> str:
    """The steps of an interleaving in words.

    >>> _said("iqeq"), _said("")
    ('insert a, query(), evict, query()', 'when it is made')
    """
    inserts = count()
    said = (
        f"insert {Word((next(inserts),))}" if step == "i" else "evict" if step == "e" else "query()"
        for step in steps
    )
    return ", ".join(said) or MADE


def prove_apart(target: str, size: int = 8) -> Proof:
    """`prove` of MODULE:FACTORY in a process of its own, so that a target that ends the process is a finding too."""
    so_far: list[Proof] = []
    found, place = apart(_prove, target, size, each=so_far.append)
    if not isinstance(found, Ended):
        return found  # type: ignore[no-any-return]
    if (
        so_far and not place
    ):  # it ended while its shapes were looked for, which copies windows as nobody else does
        return so_far[-1]
    if not place:
        raise refused(target, found)
    how = "does not come back" if found.died is None else f"the process dies, {found.died.kind}"
    raise Mismatch(f"{_said(*place)}: {how}")


def _prove(board: Board, tell: Callable[[Any], None], target: str, size: int) -> Proof:
    return prove(find_factory(target), size, mark=board.write, beat=board.beat, proved=tell)


def _closed(
    factory: Callable[[Aggregate], Any], size: int, watch: Watch, mark: Callable[[tuple[Any, ...]], None]
) -> Certificate | None:
    """Closure works on copies of windows, which not every window bears: what it finds counts if a new window does it too."""
    patience = watch.patience
    watch.be(SECONDS)
    watch.call = 0
    try:
        return closure(factory, size, limit=SHAPES)
    except Mismatch as found:
        steps = "".join(step[0] for step in found.steps)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None  # too many shapes, or one that cannot be copied, or it takes too long
    finally:
        watch.call = None
        watch.be(patience)
    mark((steps,))
    wrong = _wrong(factory, steps, watch)
    if wrong is not None:
        raise _shortest(factory, steps, wrong, watch)
    return None  # what the window keeps does not tell all of its behaviour


def _name(factory: Callable[[Aggregate], Any]) -> str:
    return getattr(factory, "__name__", type(factory).__name__)
