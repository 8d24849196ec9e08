"""What a caller can do wrong: the error says what was given and what would do, and the window is as before."""

from __future__ import annotations

import pytest

import swagcore as sw
from swagcore.aggregators import fifo, technique_class, technique_for
from swagcore.aggregators.b_int_qnt import BIntQuantiles
from swagcore.aggregators.l_int import LInt
from swagcore.aggregators.landmarks import partition
from swagcore.aggregators.slickdeque_inv import SlickDequeInv
from swagcore.aggregators.slickdeque_noninv import SlickDequeNonInv
from swagcore.algebra import Aggregate, aggregate, words
from swagcore.errors import EmptyWindow, InvalidArgument, SwagError, UnknownName
from tests.aggregators.kit import HISTORICAL, MULTI, VARIANTS, maker


def window_of(name, letters):
    function = aggregate("max") if name == "slickdeque_noninv" else words
    window = maker(name)(function)
    for letter in letters:
        window.insert(function.partial(letter))
    return window


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("held", [0, 1, 5])
def test_evict_on_empty(name, held):
    window = window_of(name, "abcde"[:held])
    for _ in range(held):
        window.evict()
    for _ in range(2):
        with pytest.raises(EmptyWindow, match=r"evict.* on an empty window; insert before you evict"):
            window.evict()
        window._check()
        assert len(window) == 0
    window.insert(window._aggregate.partial("x"))
    assert window._aggregate.lower(window.query()) in (("x",), "x")


OUTSIDE = [-1, 4, 10**30, 1.0, "2", True, (1,)]


@pytest.mark.parametrize("name", [*MULTI, "slickdeque_noninv"])
@pytest.mark.parametrize("n", OUTSIDE)
def test_n_out_of_range(name, n):
    window = window_of(name, "abc")
    with pytest.raises(
        InvalidArgument, match=r"^n is .*; expected (an integer from 0 to 3|one of the ranges)"
    ):
        window.query(n)
    window._check()


@pytest.mark.parametrize("name", HISTORICAL)
@pytest.mark.parametrize(
    ("n", "lag", "said"),
    [
        *(
            (1, lag, "^lag is .*; expected an integer from 0 to 3, the length of the window")
            for lag in OUTSIDE
        ),
        (2, 2, "^n is 2; expected an integer from 0 to 1, the length of the window before the lag"),
        (4, 0, "^n is 4; expected an integer from 0 to 3"),
        (None, 4, "^lag is 4"),
        (None, -1, "^lag is -1"),
    ],
)
def test_lag_out_of_range(name, n, lag, said):
    with pytest.raises(InvalidArgument, match=said):
        window_of(name, "abc").query(n, lag)


@pytest.mark.parametrize("name", [*MULTI, "slickdeque_noninv"])
def test_the_newest_none(name):
    if name != "slickdeque_inv":
        assert window_of(name, "abc").query(0) == window_of(name, "").query()


def test_the_newest_none_of_a_selective_aggregate_are_its_identity():
    longest = Aggregate(
        "longest", lift=str, combine=lambda a, b: b if len(b) > len(a) else a, identity="", selective=True
    )
    window = SlickDequeNonInv(longest)
    assert (window.query(), window.query(0)) == ("", "")
    window.insert("ab")
    assert (window.query(), window.query(0)) == ("ab", "")


@pytest.mark.parametrize("name", ["two_stacks", "two_stacks_lite", "daba", "daba_lite", "subtract_on_evict"])
def test_single_query_techniques_say_so(name):
    with pytest.raises(
        InvalidArgument,
        match=f"ranges is .2.; expected none: technique '{name}' answers over the whole window",
    ):
        fifo(name, "sum", ranges=[2])
    window = fifo(name, "sum")
    window.insert(1)
    with pytest.raises(
        InvalidArgument,
        match=f"arguments of query is .1,.; expected none: technique '{name}' answers over the whole window",
    ):
        window.query(1)


@pytest.mark.parametrize("name", ["recompute", "flatfit", "slickdeque_noninv"])
def test_lag_where_there_is_none(name):
    window = fifo(name, "max")
    window.insert(1)
    with pytest.raises(
        InvalidArgument,
        match=r"arguments of query is .1, 0.; expected n alone: technique .* answers no historical range",
    ):
        window.query(1, 0)


@pytest.mark.parametrize("ranges", [[0], [-1], [1.0], ["3"], [True], [None], 5, [2, 0]])
@pytest.mark.parametrize("name", ["slickdeque_inv", "l_int", "flatfit", "auto"])
def test_ranges(name, ranges):
    with pytest.raises(InvalidArgument, match=r"^ranges is .*; expected positive integers"):
        technique_for(name, words, ranges)


@pytest.mark.parametrize("ranges", [[0], [2.0], [True], 3])
@pytest.mark.parametrize("make", [SlickDequeInv, LInt])
def test_ranges_of_the_classes(make, ranges):
    with pytest.raises(InvalidArgument, match=r"^ranges is .*; expected positive integers"):
        make(words, ranges)


def test_partition_of_nothing():
    assert partition([]) == []
    assert LInt(words, ranges=[]).query() == ()


def test_a_range_that_was_not_declared():
    window = fifo("slickdeque_inv", "sum", ranges=[2, 4])
    for value in range(5):
        window.insert(value)
    for n in (0, 1, 3, 5):
        with pytest.raises(
            InvalidArgument,
            match=r"^n is \d; expected one of the ranges that were declared in advance \(2, 4\)",
        ):
            window.query(n)
    with pytest.raises(InvalidArgument, match=r"declared in advance \(none\)"):
        fifo("slickdeque_inv", "sum").query(1)


def test_a_declared_range_that_the_window_does_not_have():
    window = fifo("slickdeque_inv", "sum", ranges=[2])
    window.insert(1)
    with pytest.raises(
        InvalidArgument, match=r"^n is 2; expected an integer from 0 to 1, the length of the window"
    ):
        window.query(2)


@pytest.mark.parametrize("name", ["dabba", "", "Daba", None, 3, ["daba"]])
def test_unknown_technique(name):
    for make in (technique_class, lambda name: technique_for(name, words), lambda name: fifo(name, "sum")):
        with pytest.raises(UnknownName, match=r"^technique is .*; expected one of .*daba"):
            make(name)


@pytest.mark.parametrize("name", ["auto", "slickdeque"])
def test_names_without_a_class(name):
    with pytest.raises(InvalidArgument, match=r"expected a technique itself"):
        technique_class(name)


def test_unknown_aggregate():
    with pytest.raises(UnknownName, match=r"did you mean 'max'"):
        fifo("daba", "maxx")


def test_a_value_that_cannot_be_lifted_changes_nothing():
    window = sw.fifo("flatfit", "sum")
    window.insert(1)
    with pytest.raises(InvalidArgument, match=r"value for aggregate 'sum' is 'x'"):
        window.insert("x")
    assert (window.query(), len(window)) == (1, 1)


@pytest.mark.parametrize("phi", [0, 1.5, -0.1, "x", None, True])
def test_phi(phi):
    window = BIntQuantiles()
    window.insert(1)
    with pytest.raises(InvalidArgument, match=r"^phi is"):
        window.query([phi])


@pytest.mark.parametrize("phis", [0.5, None])
def test_phis_is_a_list(phis):
    window = BIntQuantiles()
    window.insert(1)
    with pytest.raises(
        InvalidArgument, match=r"^phis is .*; expected numbers above 0 and not above 1, in a list"
    ):
        window.query(phis)


def test_every_error_is_one_of_ours():
    assert issubclass(EmptyWindow, SwagError) and issubclass(EmptyWindow, IndexError)
