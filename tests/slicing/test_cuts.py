"""Cuts: residue classes against a list of times."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import swagcore as sw
from swagcore.slicing import Cuts
from swagcore.slicing.cuts import MOST_EDGES

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


@pytest.mark.parametrize(
    ("given_classes", "kept"),
    [
        ([(0, 2), (0, 4), (2, 4), (1, 4)], [(1, 4), (0, 2)]),
        ([(5, 6), (1, 2), (2, 3), (4, 6)], [(4, 6), (2, 3), (1, 2)]),
        ([(3, 7), (3, 7)], [(3, 7)]),
        ([(0, 3), (2, 3), (1, 5)], [(1, 5), (2, 3), (0, 3)]),  # the largest first, by modulus, then residue
        ([(1, 6), (0, 1)], [(0, 1)]),
    ],
)
def test_classes_that_are_kept(given_classes: list[tuple[int, int]], kept: list[tuple[int, int]]) -> None:
    assert Cuts(given_classes).classes == kept
    assert Cuts(reversed(given_classes)).classes == kept


@pytest.mark.parametrize("modulus", range(1, 40))
def test_a_class_inside_another_is_left_out_whichever_comes_first(modulus: int) -> None:
    residue = modulus // 2
    inner = [(residue, 2 * modulus), (residue, 3 * modulus), (residue + modulus, 2 * modulus)]
    assert Cuts([(residue, modulus), *inner]).classes == [(residue, modulus)]
    assert Cuts([*inner, (residue, modulus)]).classes == [(residue, modulus)]


def test_edges_of_two_classes_by_hand() -> None:
    """0, 4, 8, 12 ... and 2, 8, 14 ...: 8 is an edge of both and comes once."""
    cuts = Cuts([(0, 4), (2, 6)])
    assert list(islice(cuts.from_time(-4), 8)) == [-4, 0, 2, 4, 8, 12, 14, 16]
    assert [time for time in range(13) if time in cuts] == [0, 2, 4, 8, 12]
    assert [cuts.at_or_before(time) for time in range(5)] == [0, 0, 2, 2, 4]
    assert [cuts.after(time) for time in range(5)] == [2, 2, 4, 4, 8]
    assert [cuts.between(0, end) for end in range(6)] == [0, 1, 1, 2, 2, 3]
    assert cuts.period == 12


def test_only_the_length_of_the_walk_is_limited() -> None:
    assert Cuts([(0, 4), (2, 6)]).between(10**15, 10**15 + 12) == 4  # 10**15 is 4 modulo 12


def test_the_most_edges_that_are_walked() -> None:
    assert MOST_EDGES == 10_000_000
    two = Cuts([(0, 3), (0, 2)])
    two.refuse_beyond(12_000_000)  # at most 4 and 6 millions of edges
    with pytest.raises(sw.SwagError) as refused:
        two.refuse_beyond(12_000_001)
    assert str(refused.value) == (
        "time to walk over is 12000001; expected one of at most 10000000 edges; this one may have 10000002"
    )


def test_nothing_to_cut() -> None:
    with pytest.raises(sw.SwagError, match="at least one window"):
        Cuts([])
