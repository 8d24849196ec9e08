"""A state machine for each technique: any interleaving, `_check` after every step, every query compared."""

from __future__ import annotations

import math

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from swagcore.aggregators.b_int_qnt import BIntQuantiles
from swagcore.algebra import aggregate, quantile, words
from swagcore.testing import agrees, fifo_machine
from tests.aggregators.kit import CLASSES, HISTORICAL, MULTI, VARIANTS, Lifted, askable, lifted

QUICK = settings(max_examples=12, stateful_step_count=30, database=None, deadline=None)


def representative(name):
    needs = CLASSES[name.split()[0]].needs
    if "selective" in needs:
        return ["arg_max", "last"]
    return [words, "mean"] if "inverse" in needs else [words, "collect_distinct"]


def machine_for(name, function):
    """`fifo_machine`, and the queries that this technique has beside `query()`."""
    base = fifo_machine(lifted(name), function)

    class Machine(base):
        def compare(self, *asked):
            n, lag = (*asked, 0)[:2]
            values = list(self.reference.values)
            stop = len(values) - lag
            expected = self.window.aggregate.over(values[stop - n : stop])
            assert agrees(self.window.aggregate, values, expected, self.window.query(*asked))

        @precondition(lambda self: len(self.reference) > 0 and self.window.technique.multi)
        @rule(data=st.data())
        def query_newest(self, data):
            n = data.draw(st.integers(1, len(self.reference)))
            if askable(self.window.technique, n):
                self.compare(n)

        @precondition(lambda self: len(self.reference) > 0 and self.window.technique.historical)
        @rule(data=st.data())
        def query_before(self, data):
            lag = data.draw(st.integers(0, len(self.reference)))
            self.compare(data.draw(st.integers(0, len(self.reference) - lag)), lag)

    return Machine


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("which", [0, 1])
def test_every_step(name, which, tiny):
    run_state_machine_as_test(machine_for(name, representative(name)[which]), settings=QUICK)


def test_the_kinds_are_what_they_should_be():
    assert set(HISTORICAL) == {"r_int", "flatfat", "b_int", "l_int", "psoup", "l_int declared"}
    assert set(MULTI) - set(HISTORICAL) == {"recompute", "flatfit", "flatfit stack-free", "slickdeque_inv"}


class Forgetful(Lifted):
    """Loses the order of two: a machine that runs over words has to see it."""

    def query(self, *which):
        answer = super().query(*which)
        return answer[::-1] if len(answer) == 2 else answer


def test_a_machine_can_fail(monkeypatch):
    monkeypatch.setattr(
        "tests.aggregators.test_machines.lifted", lambda name: lambda function: Forgetful(name, function)
    )
    with pytest.raises((AssertionError, ExceptionGroup)):
        run_state_machine_as_test(
            machine_for("psoup", words), settings=settings(QUICK, max_examples=100, phases=[Phase.generate])
        )


class Quantiles(RuleBasedStateMachine):
    """B-INT-QNT against sorting, NaN above all, nulls skipped."""

    values = st.integers(-3, 3) | st.sampled_from([0.5, math.inf, -math.inf, math.nan, None])

    def __init__(self):
        super().__init__()
        self.window, self.held = BIntQuantiles(), []

    @rule(value=values)
    def insert(self, value):
        self.window.insert(value)
        self.held.append(value)

    @precondition(lambda self: self.held)
    @rule()
    def evict(self):
        self.window.evict()
        del self.held[0]

    @rule(phis=st.lists(st.sampled_from([0.01, 0.25, 0.5, "1/3", 0.9, 1]), max_size=3), data=st.data())
    def query(self, phis, data):
        lag = data.draw(st.integers(0, len(self.held)))
        n = data.draw(st.integers(0, len(self.held) - lag))
        stop = len(self.held) - lag
        expected = [quantile(phi).over(self.held[stop - n : stop]) for phi in phis]
        got = self.window.query(phis, n, lag)
        assert all(agrees(aggregate("max"), (), a, b) for a, b in zip(expected, got, strict=True)), (
            expected,
            got,
        )

    @invariant()
    def holds_together(self):
        assert len(self.window) == len(self.held)
        self.window._check()


def test_quantiles(tiny):
    run_state_machine_as_test(Quantiles, settings=settings(QUICK, max_examples=30))
