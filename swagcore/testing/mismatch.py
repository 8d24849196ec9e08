"""The error that says: this answer is wrong."""

from __future__ import annotations

from typing import Any

from swagcore.errors import SwagError


class Mismatch(SwagError, AssertionError):
    """A wrong answer, a crash or a hang that a check found; `expected` and `got` where there are two to compare.

    `steps`: from `closure`, the inserts, evicts and queries that lead to it.

    From `check_fifo` its text is a test: paste it into a file, run it, and see the same failure.

    >>> raise Mismatch("query() is 3, expected 4", expected=4, got=3)
    Traceback (most recent call last):
        ...
    swagcore.testing.mismatch.Mismatch: query() is 3, expected 4
    """

    def __init__(
        self, text: str, *, expected: Any = None, got: Any = None, steps: tuple[str, ...] = ()
    ) -> None:
        super().__init__(text)
        self.expected = expected
        self.got = got
        self.steps = steps
