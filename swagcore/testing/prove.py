"""`prove`: every interleaving up to a size, over the free monoid, of a window that takes the user's aggregate."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from swagcore.algebra import Aggregate
from swagcore.errors import InvalidArgument, MissingLaw, SwagError
from swagcore.testing.apart import Board, Ended, apart, refused
from swagcore.testing.closure import Certificate, closure
from swagcore.testing.fuzz import find_factory
from swagcore.testing.letters import LETTERS, Word
from swagcore.testing.mismatch import Mismatch
from swagcore.testing.watch import Hang, Watch

MADE = "when it is made"

MOST = 14
"""Sizes beyond that have more interleavings than anybody waits for."""

SHAPES = 3_000
"""So many shapes are looked for before closure is given up."""


@dataclass(frozen=True)
class Proof:
    """What was proved. `closed` is the certificate of closure, where there is one: then it is for streams of any length.

    >>> print(Proof("Window", 2, 9, 18, None))
    Window is right for every associative operation in all 9 interleavings of up to 2 inserts (18 answers)
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
        if self.closed is not None:
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

    Each is run twice: asked after every step, and asked at its end alone, for a window may put work off until it is asked. A
    window that touches values only through the aggregate cannot tell one operation from another, so right words are a proof for
    every associative operation and all data. Where its shapes, up to renaming, are finitely many, they are visited too
    (`closure`), and the proof is for streams of any length. A wrong answer, a crash, or a call that takes longer than `timeout`
    (where the watch of `check_fifo` works) is a `Mismatch` with a shortest interleaving.

    For another process that watches this one: `mark` is told of each interleaving before it is tried, `proved` of the proof before
    its shapes are looked for, and `beat` is called while the interpreter runs.

    >>> from swagcore.testing import ReferenceWindow
    >>> print(prove(ReferenceWindow, size=3))
    ReferenceWindow is right for every associative operation in all 22 interleavings of up to 3 inserts (44 answers), \
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
    mark(("", False))
    _refuse(factory)
    tried = answers = 0
    with Watch(timeout, beat) as watch:
        for steps in interleavings(size):
            tried += 1
            for every_step in (False, True):
                mark((steps, every_step))
                answers += _run(factory, steps, every_step, watch)
        proof = Proof(_name(factory), size, tried, answers, None)
        proved(proof)
        mark(())
        return replace(proof, closed=_closed(factory, size, watch))


def _refuse(factory: Callable[[Aggregate], Any]) -> None:
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
    try:
        factory(LETTERS)
    except (MissingLaw, NotImplementedError) as refusal:
        raise InvalidArgument(
            "factory", factory, f"one that takes an aggregate without laws; it says: {refusal}"
        ) from None
    except (Exception, SystemExit):
        return  # the first interleaving will meet it again


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


def _run(factory: Callable[[Aggregate], Any], steps: str, every_step: bool, watch: Watch) -> int:
    """One interleaving. Asked after every step, only its last answer is compared: the others end shorter ones."""
    done: list[str] = []
    first = inserted = 0
    got: Any = None
    watch.call = 1 if watch.call is None else watch.call + 1  # one call for the whole, which is short
    try:
        window = factory(LETTERS)
        for step in steps:
            if step == "i":
                done.append(f"insert {Word((inserted,))}")
                window.insert(Word((inserted,)))
                inserted += 1
            else:
                done.append("evict")
                window.evict()
                first += 1
            if every_step:
                done.append("query()")
                got = window.query()
        if not every_step or not steps:
            done.append("query()")
            got = window.query()
    except Hang:
        raise Mismatch(f"{', '.join(done) or MADE}: does not come back") from None
    except (Exception, SystemExit) as problem:
        raise Mismatch(f"{', '.join(done) or MADE}: {type(problem).__name__}: {problem}") from problem
    expected = Word(tuple(range(first, inserted)))
    if got != expected:
        raise Mismatch(
            f"{', '.join(done)}: the answer is {got!r}, expected {expected!r}", expected=expected, got=got
        )
    return 1


def _said(steps: str, every_step: bool) -> str:
    """The steps of an interleaving in words, as `_run` says them.

    >>> _said("ie", every_step=True)
    'insert a, query(), evict, query()'
    """
    done: list[str] = []
    for place, step in enumerate(steps):
        done.append(f"insert {Word((steps[:place].count('i'),))}" if step == "i" else "evict")
        done += ["query()"] * every_step
    return ", ".join(done if every_step and steps else [*done, "query()"])


def prove_apart(target: str, size: int = 8) -> Proof:
    """`prove` of MODULE:FACTORY in a process of its own, so that a target that ends the process is a finding too."""
    so_far: list[Proof] = []
    found, place = apart(_prove, target, size, each=so_far.append)
    if not isinstance(found, Ended):
        return found  # type: ignore[no-any-return]
    if so_far:
        return so_far[
            -1
        ]  # it ended while its shapes were looked for, which copies windows as nobody else does
    if not place:
        raise refused(target, found)
    how = "does not come back" if found.died is None else f"the process dies, {found.died.kind}"
    raise Mismatch(f"{_said(*place)}: {how}")


def _prove(board: Board, tell: Callable[[Any], None], target: str, size: int) -> Proof:
    return prove(find_factory(target), size, mark=board.write, beat=board.beat, proved=tell)


def _closed(factory: Callable[[Aggregate], Any], size: int, watch: Watch) -> Certificate | None:
    watch.call = None  # as long as it takes
    try:
        return closure(factory, size, limit=SHAPES)
    except Mismatch as wrong:
        if wrong.expected is not None:
            raise
        return None  # what the window keeps does not tell all of its behaviour
    except (SwagError, TypeError, RecursionError):
        return None  # too many shapes, or one that cannot be copied


def _name(factory: Callable[[Aggregate], Any]) -> str:
    return getattr(factory, "__name__", type(factory).__name__)
