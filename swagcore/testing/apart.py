"""Searches in a process of their own: code that ends the process, or never comes back from C, is a finding and no more.

A check that runs in this process is fast, and dies with its target: a segmentation fault, `os._exit`, a loop inside an
extension. So `swag fuzz` and `swag prove` run theirs in another process, which writes down where it is before it goes there. If it
dies, or no longer beats, that place is looked at again, each attempt in a process of its own, and cut down as usual.
"""

from __future__ import annotations

import ctypes
import mmap
import multiprocessing
import os
import pickle
import select
import signal
import struct
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from swagcore.algebra import Aggregate
from swagcore.errors import InvalidArgument, SwagError
from swagcore.testing.case import Case, Died, Finding, Skip, Step, Tally, Target
from swagcore.testing.mismatch import Mismatch
from swagcore.testing.variants import VariantTarget
from swagcore.testing.watch import Watch

START = 60.0
"""Seconds until the first beat: importing the target may take long."""

SILENCE = 10.0
"""Seconds without a beat after which a search hangs in code that cannot be interrupted. It beats every two."""

WROTE = 256
"""The bytes in which a search writes down where it is."""

Place: TypeAlias = tuple[Any, ...]
Message: TypeAlias = tuple[str, Any]


class Board:
    """What a search writes for the process that watches it: beats, and where it is. It survives the search.

    >>> board = Board(multiprocessing.get_context("spawn"))
    >>> board.write(("drawn", 3, 7)); board.place, board.beats
    (('drawn', 3, 7), 0)
    """

    def __init__(self, context: Any) -> None:
        self._beats = context.RawValue(ctypes.c_longlong, 0)
        self._text = context.RawArray(ctypes.c_char, WROTE)

    def beat(self) -> None:
        """The search is alive."""
        self._beats.value += 1

    @property
    def beats(self) -> int:
        """How often it has said so."""
        return int(self._beats.value)

    def write(self, place: Place) -> None:
        """Say where the search is going: strings and numbers."""
        self._text.value = repr(place).encode()[: WROTE - 1]

    @property
    def place(self) -> Place:
        """Where it went last; empty before the first."""
        from ast import literal_eval

        text = self._text.value.decode()
        return tuple(literal_eval(text)) if text else ()


@dataclass(frozen=True)
class Ended:
    """How a search ended that said nothing: it died, or it hung.

    >>> Ended(exit_code=-11).died
    Died(kind='SIGSEGV', text='the process dies')
    """

    exit_code: int | None

    @property
    def died(self) -> Died | None:
        """What ended the process; None: it was ended, because it hung."""
        return None if self.exit_code is None else Died.by_code(self.exit_code)


def apart(
    work: Callable[..., Any], *arguments: Any, each: Callable[[Any], None], patience: float = SILENCE
) -> tuple[Any, Place]:
    """Do `work(board, tell, *arguments)` in another process; its result, or `Ended`, and the place it wrote last.

    `tell(something)` in there is `each(something)` here. Errors of this project come back as themselves, by their text.
    """
    context = multiprocessing.get_context("spawn")
    board, (ours, theirs) = Board(context), context.Pipe(duplex=False)
    process = context.Process(target=_inside, args=(work, board, theirs, arguments))
    order = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = order or "0"  # what depends on the order of a set is found again, too
    try:
        process.start()
    finally:
        if order is None:
            del os.environ["PYTHONHASHSEED"]
    theirs.close()
    seen, since = -1, time.monotonic()
    try:
        while True:
            message = _received(ours, 0.2)
            if message is not None and message[0] == "each":
                each(message[1])
                continue
            if message is not None and message[0] == "end":
                process.join()
                return Ended(process.exitcode or 0), board.place
            if message is not None:
                return _result(message), board.place
            if board.beats != seen:
                seen, since = board.beats, time.monotonic()
            elif time.monotonic() - since > (patience if seen > 0 else START):
                return Ended(None), board.place
    finally:
        if process.is_alive():
            process.join(0.5)
        if process.is_alive():
            process.kill()
        process.join()
        ours.close()


def _received(connection: Connection, seconds: float) -> Message | None:
    try:
        return connection.recv() if connection.poll(seconds) else None
    except (EOFError, ConnectionError, pickle.UnpicklingError):
        return ("end", None)


def _result(message: Message) -> Any:
    kind, content = message
    if kind == "mismatch":
        raise Mismatch(content)
    if kind == "refused":
        raise SwagError(content)
    if kind == "error":
        raise RuntimeError(content)
    return content


def _inside(
    work: Callable[..., Any], board: Board, connection: Connection, arguments: tuple[Any, ...]
) -> None:
    """The other process: an interrupt is for the one that watches, and what the target prints is for nobody."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nobody = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nobody, 1)
    os.dup2(nobody, 2)
    try:
        message: Message = (
            "result",
            work(board, lambda something: connection.send(("each", something)), *arguments),
        )
    except Mismatch as found:
        message = ("mismatch", str(found))
    except SwagError as error:
        message = ("refused", str(error))
    except BaseException:
        message = ("error", traceback.format_exc())
    connection.send(message)


class _Traced(tuple[Step, ...]):
    """Steps that write down which of them is done next."""

    where: mmap.mmap

    def __iter__(self) -> Iterator[Step]:
        for position in range(len(self)):
            self.where[:8] = struct.pack("q", position)
            yield self[position]


class _Shown:
    """What could not be sent from one process to another, by its text."""

    def __init__(self, value: Any) -> None:
        self.text = repr(value)

    def __repr__(self) -> str:
        return self.text


class _Forked:
    """A target that is run in a process of its own, each case in a new one; where there is no fork, in this one."""

    def probe(self, aggregate: Aggregate) -> None:
        answer = forked(lambda: super(_Forked, self).probe(aggregate), 10.0)  # type: ignore[misc]
        if isinstance(answer, Exception):
            raise answer

    def needs(self, aggregate: Aggregate, *names: str) -> None:
        """The search that ended has looked already."""

    def run(self, case: Case, watch: Watch, tally: Tally | None = None) -> Finding | None:
        steps = _Traced(case.steps)
        steps.where = mmap.mmap(-1, 8)
        steps.where[:8] = struct.pack("q", -1)

        def inside() -> Finding | None:
            with Watch(watch.patience) as own:
                found: Finding | None = super(_Forked, self).run(replace(case, steps=steps), own)  # type: ignore[misc]
            return found

        answer = forked(inside, 3 * watch.patience + 0.5)
        position = struct.unpack("q", steps.where[:8])[0]
        if isinstance(answer, Skip):
            return None
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Ended):
            return (
                Finding("hang", position)
                if answer.died is None
                else Finding("crash", position, got=answer.died)
            )
        return answer  # type: ignore[no-any-return]


def forked(inside: Callable[[], Any], seconds: float) -> Any:
    """What a function gives in a copy of this process: its result, the exception it raised, or `Ended`.

    >>> forked(lambda: 1 + 1, 5.0), forked(lambda: os._exit(3), 5.0)
    (2, Ended(exit_code=3))
    """
    if not hasattr(os, "fork"):
        return inside()
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        try:
            answer: Any = inside()
        except BaseException as problem:
            answer = problem
        try:
            content = pickle.dumps(answer)
        except Exception:
            content = pickle.dumps(
                replace(answer, expected=_Shown(answer.expected), got=_Shown(answer.got))
                if isinstance(answer, Finding)
                else SwagError(repr(answer))
            )
        with os.fdopen(write, "wb") as pipe:
            pipe.write(content)
        os._exit(0)
    os.close(write)
    content, end = b"", time.monotonic() + seconds
    with os.fdopen(read, "rb", buffering=0) as pipe:
        while True:
            left = end - time.monotonic()
            ready = select.select([pipe], [], [], max(left, 0))[0]
            if not ready:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return Ended(None)
            part = pipe.read(1 << 16)
            if not part:
                break
            content += part
    status = os.waitpid(child, 0)[1]
    code = os.waitstatus_to_exitcode(status)
    return pickle.loads(content) if content else Ended(code)


class ForkedTarget(_Forked, Target):
    """A `Target` whose cases are each run in a process of its own.

    >>> from swagcore.testing import ReferenceWindow
    >>> with Watch(1.0) as watch:
    ...     ForkedTarget(lambda: os._exit(3)).run(Case(ReferenceWindow("sum").aggregate, (("query",),)), watch)
    Finding(kind='crash', step=-1, expected=None, got=Died(kind='exit code 3', text='the process dies'), tolerance=0)
    """


class ForkedVariantTarget(_Forked, VariantTarget):
    """The same for windows that can do more.

    >>> ForkedVariantTarget.__mro__[1].__name__
    '_Forked'
    """


def refused(target: str, ended: Ended) -> InvalidArgument:
    """What to say where importing the target ends the process.

    >>> print(refused("mine:Window", Ended(3)))
    MODULE:FACTORY is 'mine:Window'; expected a module that can be imported; importing it ends the process: exit code 3
    """
    how = f"ends the process: {ended.died.kind}" if ended.died else f"takes longer than {START:.0f} seconds"
    return InvalidArgument("MODULE:FACTORY", target, f"a module that can be imported; importing it {how}")
