"""Residue classes: factors and divisors, which classes lie in others, what two have in common, and the table of GCDs."""

from __future__ import annotations

import math

import numpy
import pytest

from swagcore.edges import bitset, f1
from swagcore.edges.classes import (
    SMALL_PRIMES,
    NoAnswer,
    _dividing,
    checked,
    divisors,
    from_slides,
    powers,
    reduced,
    small_factors,
)
from swagcore.edges.f1_table import TABLE, GcdTable
from swagcore.edges.overlap import common, overlap
from swagcore.errors import InvalidArgument


def prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


# Factors and divisors


def test_small_primes():
    assert len(SMALL_PRIMES) == 168 and all(map(prime, SMALL_PRIMES))
    assert SMALL_PRIMES[:4] == (2, 3, 5, 7) and SMALL_PRIMES[-1] == 997
    assert small_factors(math.prod(SMALL_PRIMES)) == (tuple((p, p) for p in SMALL_PRIMES), 1)


@pytest.mark.parametrize(
    "number, expected",
    [
        (1, ((), 1)),
        (2, (((2, 2),), 1)),
        (4, (((2, 4),), 1)),
        (8, (((2, 8),), 1)),
        (12, (((2, 4), (3, 3)), 1)),
        (961, (((31, 961),), 1)),
        (997, (((997, 997),), 1)),
        (2 * 997, (((2, 2), (997, 997)), 1)),
        (997**2, (((997, 997**2),), 1)),
        (1009, ((), 1009)),
        (6 * 1009, (((2, 2), (3, 3)), 1009)),
        (997 * 1009, (((997, 997),), 1009)),
        (1009 * 1013, ((), 1009 * 1013)),
    ],
)
def test_small_factors(number, expected):
    assert small_factors(number) == expected


def test_factors_are_powers_of_primes():
    for number in range(1, 1500):
        primes, rest = small_factors(number)
        assert [p for p, _ in primes] == [p for p in range(2, 1000) if prime(p) and number % p == 0]
        assert all(number % power == 0 and number // power % p for p, power in primes)
        assert rest == 1 or prime(rest)


def test_divisors_of_a_number_with_a_large_prime():
    assert sorted(divisors(6 * 1009)) == [1, 2, 3, 6, 1009, 2018, 3027]
    assert divisors(1009) == (1,) and divisors(1) == ()
    assert powers(3, 1) == [1] and powers(3, 27) == [1, 3, 9, 27]


# Classes inside others


def test_reduced_is_in_the_order_of_moduli_and_residues():
    classes = [(residue, modulus) for modulus in (9, 7, 1000) for residue in range(modulus - 1, 0, -1)]
    kept = reduced(classes)
    assert kept == sorted(kept, key=lambda cls: (cls[1], cls[0])) and kept[:2] == [(1, 7), (2, 7)]


def test_a_class_inside_one_that_was_dropped_is_inside_a_larger_one():
    assert reduced([(1, 2), (3, 4), (7, 8), (0, 8)]) == [(1, 2), (0, 8)]


def test_composites_of_large_primes_are_not_taken_for_primes():
    """1009 divides 1009 squared, which small primes do not show: with many moduli and with few."""
    for others in ([], [(0, n) for n in range(30, 60)]):
        kept = reduced([*others, (5, 1009), (5, 1009**2), (6, 1009**2)])
        assert kept[-2:] == [(5, 1009), (6, 1009**2)]
        assert reduced([*others, (5, 1009 * 1013), (5, 1009)])[-1] == (5, 1009)


class Unwalked(set):
    """A set that may be asked, and not be walked over."""

    def __iter__(self):
        raise AssertionError("all moduli were looked at")


def test_a_modulus_with_few_divisors_is_not_compared_with_all_others():
    moduli = Unwalked(range(2, 1000))
    assert sorted(_dividing(12, moduli)) == [2, 3, 4, 6]
    assert sorted(_dividing(2 * 499, moduli)) == [2, 499]
    assert _dividing(1009, moduli) == []


def test_a_modulus_with_more_divisors_than_there_are_moduli_is_compared_with_those():
    divisors.cache_clear()
    assert sorted(_dividing(math.factorial(20), set(range(17, 50)))) == [
        n for n in range(17, 50) if math.factorial(20) % n == 0
    ]
    assert divisors.cache_info().misses == 0  # its 41,040 divisors were never listed


def test_reducing_stops_at_the_deadline():
    with pytest.raises(NoAnswer, match="there are too many large moduli to compare"):
        reduced([(0, 2)], deadline=0)
    assert reduced([], deadline=0) == []


def test_integers_of_other_types_become_plain_ones():
    (cls,) = from_slides([(numpy.int64(4), numpy.int32(7))])
    assert cls == (3, 4) and [type(part) for part in cls] == [int, int]
    (cls,) = checked([(numpy.int64(7), 4)])
    assert cls == (3, 4) and [type(part) for part in cls] == [int, int]


# What two classes have in common


def test_common_times_of_two_classes():
    classes = [(residue, modulus) for modulus in range(1, 9) for residue in range(modulus)]
    for a, m in classes:
        for b, n in classes:
            together = math.lcm(m, n)
            times = [t for t in range(together) if t % m == a and t % n == b]
            assert overlap((a, m), (b, n)) is bool(times)
            assert common((a, m), (b, n)) == ((times[0], together) if times else None)


# Limits of the methods


def test_the_bit_set_at_its_limit(monkeypatch):
    monkeypatch.setattr(bitset, "MOST_BITS", 12)
    assert bitset.edges([(0, 4), (1, 6)]) == (5, 12)
    with pytest.raises(
        InvalidArgument, match=r"composite slide is 20; expected one of at most 12 bits for method 'bitset'"
    ):
        bitset.edges([(0, 4), (1, 10)])


@pytest.mark.parametrize("times", range(1, 20))
def test_a_pattern_is_repeated(times):
    assert f"{bitset.repeated(0b0110, 4, 4 * times):b}" == ("0110" * times).lstrip("0")


def test_f1_at_its_limit():
    assert f1.edges([(residue, 30) for residue in range(22)]) == (22, 30)
    with pytest.raises(
        InvalidArgument,
        match="number of classes is 23; expected at most 22 that lie in no other one, for methods 'f1' and 'f1_table'",
    ):
        f1.edges([(residue, 30) for residue in range(23)])


def test_terms_with_a_period_of_the_callers_choice():
    assert f1.terms([(0, 2), (1, 3)], period=12) == [10, 2] and f1.terms([]) == []


# The table of GCDs


@pytest.mark.parametrize(
    "size, limit",
    [
        (4, 1),
        (7, 1),
        (8, 2),
        (199, 9),
        (200, 10),
        (1 << 40, 741455),
        (1 << 65, 2**32 - 1),
        (1 << 99, 2**32 - 1),
    ],
)
def test_the_limit_of_a_table(size, limit):
    assert (
        GcdTable(size).limit == limit
    )  # rows of 32-bit numbers: about size / 2 pairs and no number beyond them


def test_the_table_of_the_method():
    assert TABLE.limit == 5792 and TABLE.gcd(5792, 2 * 5792) == 5792


def test_a_table_needs_room_for_one_gcd():
    with pytest.raises(InvalidArgument, match="size of the table is 3; expected at least 4 bytes"):
        GcdTable(3)


def test_rows_are_those_of_the_smaller_number_up_to_the_limit():
    table = GcdTable(200)
    for a, b in [(3, 8), (8, 3), (10, 10), (20, 10), (11, 5), (12, 11), (0, 9), (9, 0)]:
        assert table.gcd(a, b) == math.gcd(a, b)
    assert {number: len(row) for number, row in table._rows.items()} == {3: 3, 10: 10, 5: 5, 1: 1}
