"""A Hypothesis state machine for first-in, first-out windows: every step compared, every invariant checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from swagcore.algebra import Aggregate
from swagcore.algebra import aggregate as named
from swagcore.testing.compare import agrees
from swagcore.testing.mismatch import Mismatch
from swagcore.testing.needs import HypothesisMissing
from swagcore.testing.oracle import ReferenceWindow

try:
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
    from hypothesis.strategies import SearchStrategy
except ModuleNotFoundError as missing:
    raise HypothesisMissing(__name__) from missing

from swagcore.testing.strategies import values_for


def fifo_machine(
    factory: Callable[[Aggregate], Any],
    aggregate: Aggregate | str,
    values: SearchStrategy[Any] | None = None,
    *,
    nulls: bool = True,
) -> type[RuleBasedStateMachine]:
    """A state machine class over the windows that `factory(aggregate)` makes, raw values in and lowered out.

    Rules insert, evict, query, drain and slide; queries are compared with re-evaluation. After every step `len`,
    where the window has one, is compared, and `_check()`, where it has one, is called. Use its `TestCase`:

    >>> from swagcore.testing import ReferenceWindow
    >>> TestMax = fifo_machine(ReferenceWindow, "max").TestCase
    >>> from hypothesis import settings
    >>> from hypothesis.stateful import run_state_machine_as_test
    >>> run_state_machine_as_test(fifo_machine(ReferenceWindow, "max"), settings=settings(max_examples=5, database=None))
    """
    function = named(aggregate)
    drawn = values_for(function, nulls=nulls) if values is None else values

    class FifoMachine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.window = factory(function)
            self.reference = ReferenceWindow(function)

        @rule(value=drawn)
        def insert(self, value: Any) -> None:
            self.window.insert(value)
            self.reference.insert(value)

        @precondition(lambda self: len(self.reference) > 0)
        @rule()
        def evict(self) -> None:
            self.window.evict()
            self.reference.evict()

        @rule()
        def query(self) -> None:
            expected, got = self.reference.query(), self.window.query()
            if agrees(function, self.reference.values, expected, got) is False:
                raise Mismatch(
                    f"query() over {list(self.reference.values)!r} is {got!r}, expected {expected!r}",
                    expected=expected,
                    got=got,
                )

        @precondition(lambda self: len(self.reference) > 0)
        @rule()
        def drain(self) -> None:
            while len(self.reference):
                self.evict()

        @precondition(lambda self: len(self.reference) > 0)
        @rule(arriving=st.lists(drawn, min_size=2, max_size=8))
        def slide(self, arriving: list[Any]) -> None:
            for value in arriving:
                self.insert(value)
                self.evict()

        @invariant()
        def holds_together(self) -> None:
            if hasattr(type(self.window), "__len__") and len(self.window) != len(self.reference):
                raise Mismatch(
                    f"len is {len(self.window)}, expected {len(self.reference)}",
                    expected=len(self.reference),
                    got=len(self.window),
                )
            if hasattr(self.window, "_check"):
                self.window._check()

    FifoMachine.__name__ = FifoMachine.__qualname__ = f"FifoMachine_{function.name}"
    return FifoMachine
