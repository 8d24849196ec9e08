"""Levels: what mutants of the file asked for."""

from __future__ import annotations

import pytest

from swagcore.substreams import levels


def test_the_least_value_is_accepted() -> None:
    assert levels.positive("p", 1) == 1


@pytest.mark.parametrize("p", [1, 3])
def test_an_insert_looks_only_at_levels_whose_width_was_passed(
    p: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the early end every insert goes through all levels, and the answers are the same."""
    looked_at = 0

    def counted(distance: int, p: int) -> levels.Level:
        nonlocal looked_at
        looked_at += 1
        return level_of(distance, p)

    level_of = levels.level_of
    monkeypatch.setattr(levels, "level_of", counted)
    stamps = levels.Stamps(p)
    for time in range(1000):
        stamps.insert(time)
    assert looked_at <= 2 * p * 1000
