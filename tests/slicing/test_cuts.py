"""Cuts: residue classes against a list of times."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import swagcore as sw
from swagcore.slicing import Cuts

classes = st.lists(
    st.integers(1, 12).flatmap(lambda modulus: st.tuples(st.integers(0, modulus - 1), st.just(modulus))),
    min_size=1,
    max_size=6,
)


@given(classes, st.integers(-40, 40), st.integers(0, 30))
def test_against_a_list_of_times(given_classes: list[tuple[int, int]], at: int, length: int) -> None:
    cuts = Cuts(given_classes)
    edges = [t for t in range(-80, 121) if any(t % modulus == residue for residue, modulus in given_classes)]
    assert [t for t in range(-80, 121) if t in cuts] == edges
    assert cuts.at_or_before(at) == max(edge for edge in edges if edge <= at)
    assert cuts.after(at) == min(edge for edge in edges if edge > at)
    assert list(islice(cuts.from_time(at), 5)) == [edge for edge in edges if edge >= at][:5]
    assert cuts.between(at, at + length) == sum(at <= edge < at + length for edge in edges)
    assert all((edge + cuts.period in cuts) for edge in edges)


@given(classes)
def test_no_class_lies_in_another(given_classes: list[tuple[int, int]]) -> None:
    kept = Cuts(given_classes).classes
    for residue, modulus in kept:
        inside = [(r, m) for r, m in kept if modulus % m == 0 and residue % m == r]
        assert inside == [(residue, modulus)]


def test_nothing_to_cut() -> None:
    with pytest.raises(sw.SwagError, match="at least one window"):
        Cuts([])
