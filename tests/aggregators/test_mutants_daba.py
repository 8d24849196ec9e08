"""DABA: what mutants of the file asked for. The answers do not show when memory is taken and given back."""

from __future__ import annotations

from swagcore.aggregators.daba import SMALLEST, Daba
from swagcore.algebra import words


def filled(length: int) -> Daba:
    window = Daba(words)
    for value in range(length):
        window.insert((value,))
    return window


def test_it_grows_when_it_is_full_and_not_before() -> None:
    assert len(filled(SMALLEST)._vals) == SMALLEST
    assert len(filled(SMALLEST + 1)._vals) == 2 * SMALLEST


def test_it_shrinks_when_less_than_a_quarter_was_in_use() -> None:
    window = filled(4 * SMALLEST)
    capacity = len(window._vals)
    while len(window._vals) == capacity:
        window.evict()
    assert len(window) == capacity // 4 - 2  # the evict that finds less than a quarter


def test_what_left_is_let_go() -> None:
    window = filled(SMALLEST - 1)
    for _ in range(SMALLEST - 1):
        window.evict()
    assert set(window._vals) == set(window._aggs) == {None}
