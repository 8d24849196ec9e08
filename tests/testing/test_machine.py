"""The state machine passes right windows, and stops at wrong ones."""

from __future__ import annotations

import unittest

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from swagcore.testing import Mismatch, ReferenceWindow, fifo_machine

QUICK = settings(max_examples=40, stateful_step_count=20, database=None, derandomize=True, deadline=None)


@pytest.mark.parametrize("name", ["sum", "concat", "arg_max", "collect_distinct"])
def test_right_ones_pass(name):
    run_state_machine_as_test(fifo_machine(ReferenceWindow, name), settings=QUICK)


class EvictsNewest(ReferenceWindow):
    def evict(self):
        self.values.pop()


class WrongLength(ReferenceWindow):
    def __len__(self):
        return min(super().__len__(), 2)


class Broken(ReferenceWindow):
    def _check(self):
        assert len(self.values) < 3, "more than two"


class NoNulls(ReferenceWindow):
    def insert(self, value):
        super().insert(0 if value is None else value)


@pytest.mark.parametrize(
    ("window", "error", "said"),
    [
        (EvictsNewest, Mismatch, "is .*, expected"),
        (WrongLength, Mismatch, "len is 2, expected 3"),
        (Broken, AssertionError, "more than two"),
        (NoNulls, Mismatch, "is 0, expected None"),
    ],
)
def test_wrong_ones_do_not(window, error, said):
    machine = fifo_machine(window, "last", values=st.integers(1, 5) | st.none())
    no_explaining = settings(QUICK, phases=[Phase.generate, Phase.shrink])
    with pytest.raises(error, match=said):
        run_state_machine_as_test(machine, settings=no_explaining)


def test_the_class_is_a_test_case_with_a_name():
    machine = fifo_machine(ReferenceWindow, "max")
    assert issubclass(machine.TestCase, unittest.TestCase)
    assert machine.__name__ == "FifoMachine_max"
