"""A watch on somebody else's code: a call that does not come back is interrupted, where that is possible."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any


class Hang(BaseException):
    """Raised inside a call that takes too long; no `Exception`, so that the call's own handlers let it through.

    >>> issubclass(Hang, Exception)
    False
    """


class Watch:
    """Interrupts a call that takes longer than `patience` seconds (at the most twice that) with `Hang`.

    Set `call` to a new number before a call and to None after it. The watch works in the main thread of a Unix
    process, on code that runs in the interpreter; elsewhere (`works` is False), and inside C code that never returns
    to it, a hang stays one; for whoever watches the process, `beat` is called as long as the interpreter runs.

    >>> with Watch(patience=0.05) as watch:
    ...     watch.call = 1
    ...     try:
    ...         while watch.works:
    ...             pass
    ...     except Hang:
    ...         print("interrupted")
    ...     watch.call = None
    interrupted
    """

    def __init__(self, patience: float, beat: Callable[[], None] = lambda: None) -> None:
        self.patience = patience
        self.beat = beat
        self.call: int | None = None
        self.works = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()
        self._seen: int | None = None
        self._raised = 0
        self._before: Any = None
        self._timer = (0.0, 0.0)
        self._started = 0.0

    def __enter__(self) -> Watch:
        if self.works:
            self.beat()
            self._started = time.monotonic()
            self._before = signal.signal(signal.SIGALRM, self._tick)
            self._timer = signal.setitimer(signal.ITIMER_REAL, self.patience, self.patience)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.works:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
            left, interval = self._timer
            if left:  # somebody else's alarm was running: let it go on, late rather than never
                signal.setitimer(
                    signal.ITIMER_REAL, max(left - (time.monotonic() - self._started), 0.001), interval
                )

    def be(self, patience: float) -> None:
        """Change the patience of a running watch."""
        self.patience = patience
        self._seen = None
        if self.works:
            signal.setitimer(signal.ITIMER_REAL, patience, patience)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        """Every `patience` seconds: a call that was running at the last tick, and still is, has had its time.

        One that catches `Hang` and goes on hangs for good: then there is no beat any more.
        """
        hangs = self.call is not None and self.call == self._seen
        self._raised = self._raised + 1 if hangs else 0
        self._seen = self.call
        if self._raised <= 1:
            self.beat()
        if hangs:
            raise Hang
