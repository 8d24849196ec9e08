"""The search for a density, step by step: factors, groups, cases, coins, and how much it solves."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest

from swagcore.edges import best, bitset
from swagcore.edges.best import (
    SURE,
    Search,
    coprime_base,
    expected_groups,
    factored,
    join,
    lowest_terms,
    merge,
    uncovered_by_few,
)
from swagcore.edges.classes import NoAnswer


def share_left(node):
    """What a node leaves uncovered, time by time: the product of what the classes of a time leave."""
    period = math.lcm(*(modulus for _, modulus in node))
    total = Fraction(0)
    for time in range(period):
        total += math.prod(
            (1 - Fraction(n, d) for (r, m), (n, d) in node.items() if time % m == r), start=Fraction(1)
        )
    return total / period


# Factors


@pytest.mark.parametrize(
    "numbers, expected",
    [
        ([], []),
        ([1, 1], []),
        ([4], [4]),
        ([4, 2], [2]),
        ([2, 4, 8], [2]),
        ([6, 10, 15], [2, 3, 5]),
        ([9, 5], [5, 9]),
        ([12, 12], [12]),
        ([35, 7, 11], [5, 7, 11]),
    ],
)
def test_coprime_base(numbers, expected):
    for order in itertools.permutations(numbers):
        assert sorted(coprime_base(order)) == expected


@pytest.mark.parametrize(
    "modulus, with_others, expected",
    [
        (1, [], ()),
        (12, [], ((2, 4), (3, 3))),
        (1009**2, [], ((1009**2, 1009**2),)),  # nothing asks for its factors
        (1009**2, [1009], ((1009, 1009**2),)),
        (1009, [1009**2], ((1009, 1009),)),
        (6 * 1009, [1013], ((2, 2), (3, 3), (1009, 1009))),
        (5 * 1009**2 * 1013, [1009 * 1019], ((5, 5), (1009, 1009**2), (1013, 1013))),
    ],
)
def test_factored(modulus, with_others, expected):
    found = factored([modulus, *with_others])[modulus]
    assert sorted(found) == sorted(expected)


# Few classes at once


def test_expected_groups():
    assert expected_groups([]) == 0 and expected_groups([(0, 5)]) == 1
    assert expected_groups([(0, 2), (0, 3)]) == 3 and expected_groups([(1, 4), (3, 4)]) == 2
    assert expected_groups([(3, 4), (2, 6)]) == 2 and expected_groups([(3, 4), (1, 6)]) == 3
    # One pair in three: three classes, one group of two, and one of three with the chance of 1/27.
    assert expected_groups([(0, 4), (1, 4), (1, 3 * 2)]) == pytest.approx(4 + 1 / 27)
    assert expected_groups([(residue, 30) for residue in range(24)]) == 24
    assert expected_groups([(residue, 30) for residue in range(25)]) == math.inf


def test_few_classes_with_weights():
    rng = random.Random(8)
    for _ in range(60):
        node = {}
        for modulus in rng.choices([2, 3, 4, 5, 6, 8, 9, 10, 12], k=rng.randint(1, 4)):
            node[rng.randrange(modulus), modulus] = rng.choice([SURE, (1, 2), (2, 3), (3, 5)])
        found = uncovered_by_few(node)
        assert Fraction(*found) == share_left(node) and math.gcd(*found) == 1


def test_merging():
    node = {(0, 2): (1, 2)}
    merge(node, (0, 2), (1, 3))  # one of the two coins: 1 - 1/2 * 2/3
    merge(node, (1, 3), (3, 4))
    assert node == {(0, 2): (2, 3), (1, 3): (3, 4)}
    merge(node, (0, 2), SURE)
    assert node[0, 2] == SURE and lowest_terms(6, 4) == (3, 2)


def test_joining_drops_what_lies_in_a_sure_class():
    node = {(1, 2): SURE, (0, 3): (1, 2), (2, 5): SURE}
    others = {
        (1, 4): SURE,
        (2, 4): SURE,
        (3, 6): (1, 2),
        (0, 9): (1, 3),
        (0, 3): (1, 2),
        (7, 10): (1, 7),
        (8, 10): (1, 7),
    }
    join(node, others, {2, 5})
    assert node == {
        (1, 2): SURE,
        (0, 3): (3, 4),  # two coins
        (2, 5): SURE,
        (2, 4): SURE,
        (0, 9): (1, 3),  # inside (0, 3), which covers by a coin only
        (8, 10): (1, 7),
    }


# Steps of the search


def test_groups_have_no_base_in_common():
    classes = [(1, 6), (1, 35), (0, 1), (2, 15), (3, 11), (5, 121), (1, 13), (4, 221)]
    search = Search(classes)
    weights = {cls: (1, place + 2) for place, cls in enumerate(classes)}
    groups = search._components(weights)
    assert sorted(sorted(part) for _, part in groups) == [
        [(0, 1)],
        [(1, 6), (1, 35), (2, 15)],  # 15 joins 6 and 35
        [(1, 13), (4, 221)],
        [(3, 11), (5, 121)],
    ]
    assert {cls: weight for _, part in groups for cls, weight in part.items()} == weights
    masks = {frozenset(part): mask for mask, part in groups}
    assert sorted(mask.bit_count() for mask in masks.values()) == [0, 1, 2, 4]
    assert all(one & other == 0 for one, other in itertools.combinations(masks.values(), 2))


def test_the_smaller_of_two_groups_is_copied():
    for order in ([(1, 35), (1, 6), (5, 6), (2, 15)], [(1, 6), (5, 6), (1, 35), (2, 15)]):
        ((_, part),) = Search(order)._components(dict.fromkeys(order, SURE))
        assert list(part) == [
            (1, 6),
            (5, 6),
            (1, 35),
            (2, 15),
        ]  # those that were together first stay in place


def test_cases_of_the_base_that_most_classes_have():
    """Base 3. Digit 2 is not asked for; 15 and 33 ask for 0, which leaves (0, 5), with (0, 10) in it; 21 asks for 1."""
    node = {(0, 15): SURE, (1, 21): SURE, (3, 33): (1, 3), (0, 10): SURE, (4, 14): SURE, (5, 13): SURE}
    parts, cases = Search(node)._cases(node)
    assert parts == [{(0, 10): SURE, (4, 14): SURE}, {(5, 13): SURE}]
    assert sorted(cases, key=lambda case: sorted(case.left)) == [
        ((1, 3), {}, [0, 1]),
        ((1, 3), {(0, 5): SURE, (3, 11): (1, 3), (4, 14): SURE}, [1]),
        ((1, 3), {(1, 7): SURE, (0, 10): SURE, (4, 14): SURE}, [1]),
    ]


def test_parts_without_a_base_of_a_case_stay_beside_it():
    node = dict.fromkeys([(0, 21), (1, 35), (2, 77), (1, 9), (2, 25), (0, 2), (3, 11)], SURE)
    parts, cases = Search(node)._cases(node)  # of base 7
    assert parts == [{(1, 9): SURE}, {(2, 25): SURE}, {(0, 2): SURE}, {(3, 11): SURE}]
    assert sorted((case.chance, sorted(case.left), case.beside) for case in cases) == [
        ((1, 7), [(0, 3), (1, 9)], [1, 2, 3]),
        ((1, 7), [(1, 5), (2, 25)], [0, 2, 3]),
        ((1, 7), [(2, 11), (3, 11)], [0, 1, 2]),
        ((4, 7), [], [0, 1, 2, 3]),
    ]


def test_cases_with_a_class_that_asks_for_a_digit_and_nothing_more():
    node = {(0, 3): (1, 2), (1, 3): SURE, (2, 15): SURE, (6, 15): SURE, (0, 5): (1, 4)}
    parts, cases = Search(node)._cases(node)
    assert parts == [{(0, 5): (1, 4)}]
    # By a coin digit 0 is covered half of the time; digit 1 always, so that nothing is left to ask; all digits are asked for.
    assert sorted(cases, key=lambda case: case.chance[1]) == [
        ((1, 3), {(2, 5): SURE, (0, 5): (1, 4)}, []),
        ((1, 6), {(1, 5): SURE, (0, 5): (1, 4)}, []),
    ]


def test_digits_that_only_one_class_asks_for_become_coins():
    node = {(3, 4): SURE, (1, 6): SURE, (5, 7): (1, 2), (1, 2 * 25): SURE, (1, 2 * 5): SURE}
    search = Search(node)
    coins = search._with_coins(node)
    # 4 keeps 1 modulo 2, by 1/2; 6 keeps the same, by 1/3; so does 50, which first joins 10, by 1/5. Together (1, 2) covers
    # by 1 - 1/2 * 2/3 * 4/5 = 11/15, and alone asks for a digit of 2 then: 11/30. 7 keeps nothing, by 1/14.
    assert coins == {(0, 1): lowest_terms(30 * 14 - 19 * 13, 30 * 14)}
    assert Fraction(*search.uncovered(node)) == share_left(node)
    node = {(0, 6): SURE, (1, 6): SURE, (3, 4): SURE}
    assert Search(node)._with_coins(node) == {(0, 6): SURE, (1, 6): SURE, (1, 2): (1, 2)}
    assert node[3, 4] == SURE  # what was given is as it was


def test_the_search_with_weights_against_every_time(monkeypatch):
    monkeypatch.setattr(best, "FEW", 1)
    monkeypatch.setattr(best, "SMALL_PERIOD", 0)
    rng = random.Random(21)
    for _ in range(60):
        some = rng.choices([2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 18, 20, 45], k=rng.randint(2, 7))
        node = {(rng.randrange(m), m): rng.choice([(1, 2), (2, 3), (3, 5)]) for m in some}
        assert Fraction(*Search(node).uncovered(node)) == share_left(node), node


def test_nothing_is_left_of_the_time():
    node = dict.fromkeys([(0, 6), (1, 10), (2, 15)], SURE)
    with pytest.raises(NoAnswer, match="their shifts leave too many cases"):
        Search(node, deadline=0).uncovered(node)


# How much it solves


class Watched(Search):
    """A search that notes the problems it solves."""

    def __init__(self, classes, deadline=math.inf):
        super().__init__(classes, deadline)
        self.asked, self.solved, self.most_kept = 0, [], 0

    def _of_component(self, mask, node):
        self.asked += 1
        found = super()._of_component(mask, node)
        self.most_kept = max(self.most_kept, len(self._solved))
        return found

    def _solve(self, mask, node):
        self.solved.append(frozenset(node.items()))
        return super()._solve(mask, node)


def watched(classes):
    node = dict.fromkeys(classes, SURE)
    search = Watched(node)
    assert 1 - Fraction(*search.uncovered(node)) == Fraction(*bitset.edges(classes))
    return search


def hard_classes():
    rng = random.Random(9)
    smooth = [d for d in range(20, 400) if (2**5 * 3**3 * 5**2 * 7 * 11) % d == 0]
    return best.reduced({(rng.randrange(m), m) for m in rng.sample(smooth, 50)})


def test_nothing_is_solved_twice_nor_what_is_small():
    search = watched(hard_classes())
    assert len(search.solved) == len(set(search.solved))
    assert all(len(node) > best.FEW for node in search.solved)


def test_classes_of_one_base_are_added():
    """Without a case, and without a bit set of 2**20 times."""
    search = watched([(residue, 1 << 20) for residue in range(best.FEW + 1)])
    assert (search.asked, len(search.solved)) == (1, 1)


@pytest.mark.parametrize("small_period, at_once", [(360, True), (359, False)])
def test_small_problems_are_counted_by_bit_set(monkeypatch, small_period, at_once):
    monkeypatch.setattr(best, "SMALL_PERIOD", small_period)
    search = watched([(0, 8), (1, 8), (0, 45), (1, 45), (2, 10), (3, 10)])
    assert (search.asked == 1) is at_once


def test_so_many_solutions_are_kept(monkeypatch):
    monkeypatch.setattr(best, "MOST_KEPT", 4)
    assert watched(hard_classes()).most_kept == 4


def test_small_periods_need_no_search(monkeypatch):
    monkeypatch.setattr(best, "MOST_GROUPS", -1)
    monkeypatch.setattr(best, "Search", None)
    assert best.density([(0, 1 << 14), (1, 1 << 13)]) == Fraction(3, 1 << 14)
    with pytest.raises(TypeError):  # there is none
        best.density([(0, (1 << 14) + 1)])


def test_few_groups_need_no_search(monkeypatch):
    monkeypatch.setattr(best, "Search", None)
    assert best.density([(0, 101), (0, 103), (1, 101)]) == Fraction(2, 101) + Fraction(1, 103) - Fraction(
        2, 101 * 103
    )
