"""Closure in two halves: right windows are certified, wrong ones are caught by a shortest interleaving."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import pairwise, product

import pytest

from swagcore.aggregators import technique_for
from swagcore.aggregators.flatfit import FlatFit
from swagcore.errors import InvalidArgument, SwagError
from swagcore.testing import Mismatch, ReferenceWindow
from swagcore.testing.closure import closure, every_range, every_span, steady_state, whole
from swagcore.testing.cycles import worst_mean
from swagcore.testing.letters import Word, shape_of


def of(name, ranges=None):
    return lambda aggregate: technique_for(name, aggregate, ranges)


@pytest.mark.parametrize(
    ("name", "size", "shapes", "worst", "amortized"),
    [
        # name, size, shapes; insert, evict, query, slide; amortized
        ("recompute", 12, 13, (0, 0, 11, 11), "11"),
        ("subtract_on_evict", 12, 13, (1, 1, 0, 2), "2"),
        ("r_int", 12, 25, (1, 0, 1, 2), "2"),
        ("two_stacks", 32, 560, (1, 31, 1, 32), "93/32"),
        ("two_stacks_lite", 32, 560, (1, 30, 1, 31), "23/8"),
        ("daba", 32, 766, (4, 3, 1, 8), "19/4"),
        ("daba_lite", 32, 766, (3, 2, 1, 6), "61/16"),
        ("flatfat", 12, 209, (3, 0, 3, 4), "7/2"),
        ("b_int", 12, 209, (3, 0, 4, 4), "7/2"),
        ("l_int", 6, 48, (4, 0, 1, 5), "3"),
        ("psoup", 16, 46, (7, 3, 0, 10), "9"),
        ("flatfit", 7, 461, (0, 0, 6, 6), "9/4"),
    ],
)
def test_certificates(name, size, shapes, worst, amortized):
    certificate = closure(of(name), size)
    assert certificate.shapes == certificate.states == shapes
    assert tuple(certificate.worst[step] for step in ("insert", "evict", "query", "slide")) == worst
    assert certificate.amortized == Fraction(amortized)
    assert certificate.answers == shapes


@pytest.mark.parametrize(
    ("name", "asks", "size", "shapes"),
    [
        ("flatfit", every_range, 5, 154),
        ("flatfat", every_span, 9, 161),
        ("b_int", every_span, 9, 161),
        ("l_int", every_span, 5, 40),
        ("psoup", every_span, 9, 15),
        ("r_int", every_span, 6, 13),
        ("slickdeque_inv", lambda length: [(n,) for n in (2, 3, 5) if n <= length] + [()], 6, 7),
    ],
)
def test_many_questions(name, asks, size, shapes):
    certificate = closure(of(name, [2, 3, 5] if name == "slickdeque_inv" else None), size, asks=asks)
    assert certificate.shapes == shapes
    assert certificate.answers > shapes


def test_the_two_resets_of_flatfit_are_one():
    with_stack, without = (
        closure(lambda aggregate, free=free: FlatFit(aggregate, stack_free=free), 6, asks=every_range)
        for free in (False, True)
    )
    assert with_stack.worst == without.worst
    assert with_stack.amortized == without.amortized


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_slickdeque_over_all_orders(size):
    """The kept positions are all sets that hold the newest; the worst input costs 2 - 1/(n - 1) a slide."""
    certificate = closure(
        of("slickdeque_noninv"), size, ordered=True, asks=lambda length: [(), *every_range(length)]
    )
    assert certificate.shapes == 2**size
    assert certificate.worst == {"insert": size - 1, "evict": 0, "query": 0, "slide": size - 1}
    assert certificate.amortized == (2 - Fraction(1, size - 1) if size > 1 else 0)


# Wrong ones


class Plain:
    """Right, without a `_state`: its attributes are its shape."""

    def __init__(self, aggregate):
        self.aggregate, self.held = aggregate, deque()

    def insert(self, value):
        self.held.append(value)

    def evict(self):
        self.held.popleft()

    def query(self):
        return self.aggregate.over(self.held)


class EvictsNewest(Plain):
    def evict(self):
        self.held.pop()


class Swaps(Plain):
    def query(self):
        word = list(self.held)
        return self.aggregate.over(word[:1] + word[1:3][::-1] + word[3:])


class LateFlip(Plain):
    """Two stacks whose second flip, of three or more, is in the wrong order."""

    def __init__(self, aggregate):
        self.aggregate, self.front, self.back = aggregate, [], []

    def insert(self, value):
        self.back.append(value)

    def evict(self):
        if not self.front:
            self.front, self.back = self.back[::-1], []
            if len(self.front) >= 3:
                self.front[:2] = self.front[:2][::-1]
        self.front.pop()

    def query(self):
        return self.aggregate.over(self.front[::-1] + self.back)


class Crashes(Plain):
    def query(self):
        if len(self.held) == 2:
            raise RuntimeError("two")
        return super().query()


class WrongLength(Plain):
    def __len__(self):
        return min(len(self.held), 2)


class FailsItsOwnCheck(Plain):
    def _check(self):
        assert len(self.held) < 2, "more than one"


class AnswerChanges(Plain):
    """Right when it is asked once; asked twice in a row it forgets the oldest."""

    asked = False

    def insert(self, value):
        super().insert(value)
        self.asked = False

    def query(self):
        answer = self.aggregate.over(list(self.held)[1:] if self.asked and len(self.held) > 1 else self.held)
        self.asked = True
        return answer


class Tired(Plain):
    """Wrong after its hundredth insert, which its shape does not show."""

    def __init__(self, aggregate):
        super().__init__(aggregate)
        self.inserts = 0

    def insert(self, value):
        self.inserts += 1
        if self.inserts <= 100:
            super().insert(value)

    def evict(self):
        if self.held:
            super().evict()

    def _state(self):
        return {"held": list(self.held)}


class Twofold(Tired):
    """Right, but it combines once more after its hundredth insert."""

    def insert(self, value):
        self.inserts += 1
        Plain.insert(self, value)
        if self.inserts > 100:
            self.aggregate.combine(value, value)


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (EvictsNewest, "insert a, insert b, evict, query(): the answer is a, expected b"),
        (Swaps, "insert a, insert b, insert c, query(): the answer is acb, expected abc"),
        (LateFlip, "insert a, insert b, insert c, evict, query(): the answer is cb, expected bc"),
        (Crashes, "insert a, insert b, query(): RuntimeError: two"),
        (WrongLength, "insert a, insert b, insert c: len is 2, expected 3"),
        (FailsItsOwnCheck, "insert a, insert b: AssertionError: more than one"),
        (AnswerChanges, "insert a, insert b, query(), query(): the answer is b, expected ab"),
    ],
)
def test_wrong_ones_are_caught_by_a_shortest_way(window, said):
    with pytest.raises(Mismatch) as caught:
        closure(window, 4)
    assert str(caught.value).startswith(said)
    assert shortest(window) == said.split(": ")[0].count(",") + 1


def shortest(window):
    """The length of the shortest interleaving that goes wrong, by trying all of them."""
    from swagcore.algebra import words

    for length in range(1, 7):
        for steps in product("ieq", repeat=length):
            target, expected, place = window(words), (), 0
            try:
                for step in steps:
                    if step == "i":
                        target.insert(place)
                        expected += (place,)
                        place += 1
                    elif step == "e":
                        if not expected:
                            break
                        target.evict()
                        expected = expected[1:]
                    elif target.query() != expected:
                        return length
                    if hasattr(target, "_check"):
                        target._check()
                    if hasattr(target, "__len__") and len(target) != len(expected):
                        return length
            except (RuntimeError, AssertionError):
                return length
    raise AssertionError("nothing is wrong")


@pytest.mark.parametrize(
    ("window", "said"), [(Tired, "another past|different ways"), (Twofold, "go different ways")]
)
def test_a_shape_that_hides_something_is_noticed(window, said):
    with pytest.raises(Mismatch, match=said):
        closure(window, 4)


def test_a_window_without_a_state():
    assert closure(Plain, 5).shapes == 6
    assert closure(lambda aggregate: ReferenceWindow(aggregate), 5).shapes == 6


class Counts(Plain):
    """Right, but with a position that counts on: its shapes have no end."""

    def __init__(self, aggregate):
        super().__init__(aggregate)
        self.tail = 0

    def insert(self, value):
        super().insert(value)
        self.tail += 1


def test_shapes_without_an_end():
    with pytest.raises(
        SwagError, match=r"no closure after 50 shapes of up to 3 elements.*relative positions"
    ):
        closure(Counts, 3, limit=50)
    with pytest.raises(SwagError, match=r"no steady state after 50 slides.*relative positions"):
        steady_state(Counts, 3, limit=50)


@pytest.mark.parametrize("size", [0, -1, 1.5, "3", None, True])
def test_sizes(size):
    with pytest.raises(InvalidArgument, match=r"^size is .*; expected a positive integer"):
        closure(Plain, size)
    with pytest.raises(InvalidArgument, match=r"^size is .*; expected a positive integer"):
        steady_state(Plain, size)


def test_steady_state_begins_with_the_costliest_slide():
    cycle = steady_state(of("two_stacks"), 3)
    assert (cycle.costs, cycle.worst, cycle.amortized) == ((3, 2, 1), 3, 2)
    assert steady_state(of("flatfit"), 4, asks=whole).costs == (3, 1, 2, 2, 1)


def test_steady_state_checks_its_answers():
    with pytest.raises(Mismatch, match="the answer is ac, expected bc"):
        steady_state(EvictsNewest, 2)


# The parts


def cycles_by_hand(edges):
    """Every simple cycle, by walking."""
    best = []

    def walk(path, cost):
        for to, price in edges[path[-1]]:
            if to in path:
                best.append(Fraction(price_of(path[path.index(to) :]) + price, len(path) - path.index(to)))
            else:
                walk([*path, to], cost + price)

    def price_of(path):
        return sum(max(p for t, p in edges[a] if t == b) for a, b in pairwise(path))

    for node in edges:
        walk([node], 0)
    return max(best)


def test_worst_mean_on_all_small_graphs():
    import random

    chance = random.Random(4)
    for _ in range(300):
        nodes = range(chance.randint(1, 5))
        edges = {
            node: [(to, chance.randint(0, 6)) for to in nodes if chance.random() < 0.5] or [(node, 1)]
            for node in nodes
        }
        assert worst_mean(edges) == cycles_by_hand(edges)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ([Word((3,))], [Word((9,))], True),  # letters are renamed by place
        ([Word((3, 4))], [Word((9,))], False),
        ({"n": 3}, {"n": 9}, False),  # numbers are not
        ([Word((1, 2, 3)), Word((1, 2))], [Word((8, 9)), Word((8,))], True),  # an old beginning is one letter
        (
            [Word((1, 2, 3)), Word((2, 3))],
            [Word((7, 8, 9)), Word((7, 8, 9))],
            False,
        ),  # not where it is used in part
        ([Word((3, 3))], [Word((9,))], False),
        ([Word(())], [Word((9,))], False),
        (deque([Word((3,)), 1]), (Word((9,)), 1), True),
    ],
)
def test_shapes(one, other, alike):
    assert (shape_of(one, 3) == shape_of(other, 9)) is alike
