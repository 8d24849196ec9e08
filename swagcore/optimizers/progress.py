"""A progress bar for planning that takes its time: on a terminal, and only after a while."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

PATIENCE = 1.5
"""Seconds before a bar appears."""


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Gives a function to say how many of the total are done. Silent where the standard error is no terminal.

    >>> with progress("planning", 3) as done:
    ...     for step in range(3):
    ...         done(step + 1)
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    begun = time.monotonic()
    bar = None
    task = None

    def say(done: int) -> None:
        nonlocal bar, task
        if bar is None and time.monotonic() - begun > PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(what, total=total)
        if bar is not None and task is not None:
            bar.update(task, completed=done)

    try:
        yield say
    finally:
        if bar is not None:
            bar.stop()
