"""The aggregates made for evidence: they count what happened, and they notice what must not happen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swagcore as sw
from swagcore.algebra import Counting, intervals, words
from swagcore.algebra.wrappers import NotAdjacent
from swagcore.errors import InvalidArgument
from tests.algebra.values import DOMAINS, LAWS, partials

letters = st.lists(st.integers(0, 2), max_size=5).map(tuple)


@given(letters, letters, letters)
def test_words_are_the_free_monoid(a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...]) -> None:
    for law in ("associative", "identity", "inverse"):
        assert LAWS[law](words, a, b, c)
    # Free: a word has one factorization into letters, so that every other monoid is an image of it.
    assert words.fold([words.lift(letter) for letter in a]) == a


@pytest.mark.parametrize("name", DOMAINS)
@given(data=st.data())
@settings(max_examples=settings().max_examples // 4)  # for many aggregates at once
def test_every_aggregate_is_an_image_of_the_words(name: str, data: st.DataObject) -> None:
    """word -> partial respects combine: the reason why a run over words is a proof for all of them."""
    aggregate = sw.aggregate(name)
    alphabet = data.draw(partials(name, 3, longest=1))

    def image(word: tuple[int, ...]) -> object:
        return aggregate.fold([alphabet[letter] for letter in word])

    a, b = data.draw(letters), data.draw(letters)
    assert aggregate.equal(image(words.combine(a, b)), aggregate.combine(image(a), image(b)))


def test_a_word_that_is_no_beginning_is_noticed() -> None:
    with pytest.raises(NotAdjacent):
        words.inverse(("a", "b"), ("b",))  # type: ignore[misc]
    with pytest.raises(NotAdjacent):
        words.inverse(("a",), ("a", "b"))  # type: ignore[misc]


@given(st.integers(-5, 5), st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_intervals_are_words_without_their_letters(start: int, lengths: list[int]) -> None:
    pieces, here = [], start
    for length in lengths:
        pieces.append((here, here + length) if length else None)
        here += length
    for law in ("associative", "identity", "inverse"):
        assert LAWS[law](intervals, *pieces)
    assert intervals.over(range(start, here)) == ((start, here) if here > start else None)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((0, 2), (3, 4)),  # lost
        ((0, 2), (1, 3)),  # repeated
        ((2, 3), (0, 2)),  # swapped
        ((0, 1), (0, 1)),
    ],
)
def test_intervals_that_are_not_adjacent(a: tuple[int, int], b: tuple[int, int]) -> None:
    with pytest.raises(NotAdjacent, match="does not begin where the first ends"):
        intervals.combine(a, b)


@pytest.mark.parametrize(
    ("total", "oldest"),
    [((0, 3), (1, 2)), ((0, 3), (2, 3)), ((0, 3), (0, 4)), (None, (0, 1))],
)
def test_intervals_that_are_no_beginning(total: tuple[int, int] | None, oldest: tuple[int, int]) -> None:
    assert intervals.inverse is not None
    with pytest.raises(NotAdjacent, match="is no beginning of the first"):
        intervals.inverse(total, oldest)


@given(partials("sum", 3))
def test_counting_changes_nothing_and_counts_everything(operands: tuple[object, ...]) -> None:
    a, b, _ = operands
    total = sw.aggregate("sum")
    counting = Counting(total)
    counted = counting.aggregate
    joined = counted.combine(a, b)
    assert counted.equal(joined, total.combine(a, b))
    assert counted.inverse is not None
    assert counted.equal(counted.inverse(joined, a), b)
    assert (counting.combines, counting.inverses, counting.operations) == (1, 1, 2)
    counting.reset()
    assert counting.operations == 0


def test_counting_keeps_the_order_of_operands() -> None:
    counting = Counting(words)
    assert counting.aggregate.over("cab") == ("c", "a", "b")
    assert counting.aggregate.combine(("a",), ("b",)) == ("a", "b")
    assert (counting.combines, counting.inverses, counting.operations) == (4, 0, 4)


def test_only_an_aggregate_can_be_counted() -> None:
    with pytest.raises(InvalidArgument) as refused:
        Counting("sum")  # type: ignore[arg-type]
    assert str(refused.value) == (
        "aggregate to count is 'sum'; expected an Aggregate, such as sw.aggregate('sum')"
    )


def test_counting_keeps_the_laws() -> None:
    for name in DOMAINS:
        one = sw.aggregate(name)
        counted = Counting(one).aggregate
        assert counted.name == one.name
        for law in ("commutative", "idempotent", "selective", "invertible", "identity", "examples"):
            assert getattr(counted, law) == getattr(one, law)
    largest = Counting(sw.aggregate("max"))
    assert largest.aggregate.over([3, None, 7, 5]) == 7
    assert largest.combines == 4
    assert largest.aggregate.inverse is None
