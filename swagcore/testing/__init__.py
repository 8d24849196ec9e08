"""The testing room: what this project is tested with, and a kit for windows of your own.

- `check_fifo`: look for a wrong answer of a first-in, first-out window; a failure is a test to paste.
- `check_words`: one interleaving over the free monoid, which speaks for every aggregate.
- `closure`: all shapes that a window can take, a proof for streams of any length; `steady_state`: what a slide costs.
- `prove`: all interleavings up to a size over the free monoid, and by closure beyond: a proof for every aggregate.
- `check_windows`: which events an engine puts into which windows, against `sw.naive`; a failure is a test to paste.
- `check_against_naive`: the answers of anything that takes queries and events, against `sw.naive`.
- `ReferenceWindow`, `SpanWindow`: windows that are obviously right. `agrees`, `tolerance`: when an answer is.
- `words`, `spans`, `intervals`, `Counting`: aggregates made for evidence.
- `DATA`, `data_for`, `PATTERNS`: the values and the interleavings that matter.
- `strategies`, `fifo_machine`: the same for Hypothesis, which has to be installed for these two only.

>>> from swagcore.testing import ReferenceWindow, check_fifo
>>> report = check_fifo(ReferenceWindow, aggregates=["max", "concat"], max_examples=20)
>>> report.aggregates, report.answers > 100
(('max', 'concat'), True)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from swagcore.algebra import Counting, intervals, words
from swagcore.testing.assignment import check_windows
from swagcore.testing.closure import Certificate, Cycle, closure, every_range, every_span, steady_state, whole
from swagcore.testing.compare import agrees, tolerance
from swagcore.testing.fifo import Report, check_fifo
from swagcore.testing.free_monoid import SpanWindow, check_words, spans
from swagcore.testing.interleavings import PATTERNS
from swagcore.testing.mismatch import Mismatch
from swagcore.testing.oracle import ReferenceWindow, check_against_naive
from swagcore.testing.prove import prove
from swagcore.testing.values import DATA, data_for

if TYPE_CHECKING:
    from swagcore.testing import strategies
    from swagcore.testing.machine import fifo_machine

__all__ = [
    "DATA",
    "PATTERNS",
    "Certificate",
    "Counting",
    "Cycle",
    "Mismatch",
    "ReferenceWindow",
    "Report",
    "SpanWindow",
    "agrees",
    "check_against_naive",
    "check_fifo",
    "check_windows",
    "check_words",
    "closure",
    "data_for",
    "every_range",
    "every_span",
    "fifo_machine",
    "intervals",
    "prove",
    "spans",
    "steady_state",
    "strategies",
    "tolerance",
    "whole",
    "words",
]


def __getattr__(name: str) -> Any:
    """What needs Hypothesis is imported when it is asked for, and says so where that is missing."""
    if name == "strategies":
        return importlib.import_module("swagcore.testing.strategies")
    if name == "fifo_machine":
        return importlib.import_module("swagcore.testing.machine").fifo_machine
    raise AttributeError(f"module 'swagcore.testing' has no attribute {name!r}")
