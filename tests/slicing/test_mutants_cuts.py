"""Cuts: what mutants of the file asked for."""

from __future__ import annotations

from swagcore.slicing.cuts import Cuts


def test_classes_are_listed_by_modulus_then_residue_the_largest_first() -> None:
    assert Cuts([(0, 3), (2, 3), (1, 5)]).classes == [(1, 5), (2, 3), (0, 3)]
