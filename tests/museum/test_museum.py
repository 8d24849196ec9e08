"""The museum: every bug is caught by the kit, and the same code with one line mended is not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from fuzz.museum import PIECES, catalogue
from fuzz.museum.piece import Piece
from swagcore.testing import Mismatch

README = Path(__file__).parents[2] / "fuzz" / "museum" / "README.md"


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_the_bug_is_caught_within_a_minute(piece: Piece) -> None:
    began = time.monotonic()
    with pytest.raises(Mismatch):
        piece.catch()
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_the_repaired_twin_is_not(piece: Piece) -> None:
    assert piece.catch(repaired=True)


def test_there_are_enough_and_each_is_told_once() -> None:
    names = [piece.name for piece in PIECES]
    assert len(names) == len(set(names)) >= 25
    for piece in PIECES:
        told = piece.exhibit.__doc__ or ""
        assert all(
            source.partition("#")[0].partition(",")[0] in told
            for source in piece.source.split(", ")
            if "/" in source
        ), piece.name


def test_the_catalogue_is_that_of_the_readme() -> None:
    assert catalogue() in README.read_text(), "run: python -m fuzz.museum"
