"""Counting edges by search: the exact density of a union of residue classes, without its composite slide.

A time picked at random is an edge with some probability, and the probability that it is none is what multiplies. A
modulus is a product of powers of coprime numbers b (primes, as far as they are small), and a class fixes the last
digits of the time in base b, for each of its b; digits of different bases are independent. So

- classes that share no b are independent: the densities of what they leave uncovered multiply;
- digits that only one class asks for are a coin of that class: it keeps the others, and covers with a weight;
- equal classes merge (their coins multiply), and a class inside one that covers for sure is dropped;
- else pick the b that most classes have, and look at its last digit: each digit that some class asks for is a smaller
  problem, all other digits together are one more. Small problems are counted by bit set, and none is solved twice.

Exponential in the worst case, as the problem is (deciding whether classes cover everything is NP-hard); it is fast
where slides are small or share few primes, and random shifts on large smooth slides are hard.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from swagcore.edges import bitset
from swagcore.edges.bounds import ONE, bounds_of_reduced
from swagcore.edges.classes import Class, NoAnswer, reduced, small_factors

Ratio: TypeAlias = tuple[int, int]
"""A probability as (numerator, denominator): cheaper than a Fraction, of which the search would make millions."""

Node: TypeAlias = dict[Class, Ratio]
"""A problem: for every class the probability, in lowest terms, with which it covers a time that is in it.

No class of a node lies in another one that covers for sure."""

SURE: Ratio = (1, 1)

SMALL_PERIOD = 1 << 14
"""Up to this period a bit set is faster than the search."""

FEW = 4
"""Up to so many classes, a part of the search is counted group by group."""

MOST_KEPT = 100_000
"""So many solutions are kept, some hundred megabytes; then the search begins to collect anew."""

MOST_GROUPS = 300
"""Up to so many groups that overlap are counted at once, without a search."""


class Case(NamedTuple):
    """One case of a digit: how likely it is, the problem that is left, and which of the parts beside it stay as they are."""

    chance: Ratio
    left: Node
    beside: list[int]


def density(classes: Collection[Class], deadline: float = math.inf) -> Fraction:
    """The share of times that are edges, for distinct classes; `NoAnswer` where there is none by the deadline.

    >>> density([(0, 2), (0, 3), (0, 4), (0, 5), (0, 6)])
    Fraction(11, 15)
    """
    return density_of_reduced(reduced(classes, deadline), deadline)


def density_of_reduced(kept: list[Class], deadline: float) -> Fraction:
    """The same for classes of which none lies in another."""
    period = 1
    for _, modulus in kept:
        period = math.lcm(period, modulus)
        if period > SMALL_PERIOD:
            break
    else:
        return Fraction(bitset.union(kept, period).bit_count(), period)
    node = dict.fromkeys(kept, SURE)
    if expected_groups(kept) <= MOST_GROUPS:
        return 1 - Fraction(*uncovered_by_few(node))
    try:
        return 1 - Fraction(*Search(kept, deadline).uncovered(node))
    except RecursionError:
        raise NoAnswer("their moduli have hundreds of factors") from None


def interval(classes: Collection[Class], deadline: float) -> tuple[Fraction, Fraction]:
    """An interval around the density, as narrow as can be had by the deadline, or soon after it.

    The densest classes are counted exactly, more and more of them: all have at least their density, and at most that
    and the sum of the others. Bonferroni's bounds hold as well.

    >>> [round(float(bound), 4) for bound in interval([(0, 6), (0, 10), (0, 15)], deadline=0)]  # 4/15 = 0.2667
    [0.1667, 0.3333]
    >>> interval([(0, 6), (0, 10), (0, 15)], deadline=math.inf)
    (Fraction(4, 15), Fraction(4, 15))
    """
    # Rounded up, to numbers of a bearable size.
    high = Fraction(min(ONE, sum(-(-ONE // modulus) for _, modulus in classes)), ONE)
    low = max((Fraction(1, modulus) for _, modulus in classes), default=Fraction(0))
    try:
        kept = reduced(classes, deadline)
        least, most = bounds_of_reduced(kept)
        low, high = max(low, least), min(high, most)
        size = 0
        while size < len(kept):
            size = min(len(kept), max(size * 5 // 4, 16))
            exact = density_of_reduced(kept[:size], deadline)
            others = Fraction(sum(-(-ONE // modulus) for _, modulus in kept[size:]), ONE)
            low, high = max(low, exact), min(high, exact + others)
    except NoAnswer:
        pass
    return low, high


class Search:
    """The search over one set of classes, and everything it has solved.

    Inside, a class is written by its digits: its residue is such that, modulo each power of b, it is the number that
    the class's remaining digits of base b make.
    """

    def __init__(self, classes: Iterable[Class], deadline: float = math.inf) -> None:
        self._deadline = deadline
        self._parts = factored({modulus for _, modulus in classes})
        self._bits: dict[int, int] = {}  # base: its bit in the masks
        for parts in self._parts.values():
            for base, _ in parts:
                self._bits.setdefault(base, 1 << len(self._bits))
        self._masks = {modulus: self._mask(modulus) for modulus in self._parts}
        self._digits: dict[tuple[Class, int], tuple[int, Class]] = {}
        self._solved: dict[frozenset[tuple[Class, Ratio]], Ratio] = {}

    def uncovered(self, node: Node) -> Ratio:
        """The probability that no class covers a time."""
        above = below = 1
        for mask, component in self._components(self._with_coins(node)):
            numerator, denominator = self._of_component(mask, component)
            above *= numerator
            below *= denominator
        return above, below

    def _of_component(self, mask: int, node: Node) -> Ratio:
        if len(node) <= FEW:
            return uncovered_by_few(node)
        key = frozenset(node.items())
        result = self._solved.get(key)
        if result is None:
            result = self._solve(mask, node)
            if len(self._solved) >= MOST_KEPT:
                self._solved.clear()
            self._solved[key] = result
        return result

    def _solve(self, mask: int, node: Node) -> Ratio:
        period = math.lcm(*{modulus for _, modulus in node})
        if all(weight == SURE for weight in node.values()):
            if mask.bit_count() == 1:  # in one base classes are disjoint, unless one lies in the other
                return period - sum(period // modulus for _, modulus in node), period
            if period <= SMALL_PERIOD:
                return period - bitset.union(node, period).bit_count(), period
        parts, cases = self._cases(node)
        known: dict[int, Ratio] = {}
        above, below = 0, 1
        for (n, d), left, beside in cases:
            numerator, denominator = self.uncovered(left)
            numerator *= n
            denominator *= d
            for part in beside:
                if part not in known:
                    known[part] = self.uncovered(parts[part])
                numerator *= known[part][0]
                denominator *= known[part][1]
            divisor = math.gcd(below, denominator)
            above = above * (denominator // divisor) + numerator * (below // divisor)
            below *= denominator // divisor
        return lowest_terms(above, below)

    def _cases(self, node: Node) -> tuple[list[Node], list[Case]]:
        """The cases of the last digit in the base that most classes have, and the parts without that base."""
        uses = Counter(base for _, modulus in node for base, _ in self._parts[modulus])
        base = min(uses, key=lambda base: (-uses[base], base))
        others: Node = {}
        asked: dict[int, Node] = {}  # digit: the classes that ask for it, without it
        for cls, weight in node.items():
            if cls[1] % base:
                others[cls] = weight
            else:
                digit, rest = self._digit(cls, base)
                asked.setdefault(digit, {})[rest] = weight
        groups = self._components(others)
        cases = []
        if len(asked) < base:
            cases.append(Case((base - len(asked), base), {}, list(range(len(groups)))))
        for rests in asked.values():
            n, d = rests.pop((0, 1), (0, 1))  # a class that asks for nothing more
            if n == d:
                continue
            mask = 0
            for _, modulus in rests:
                mask |= self._masks[modulus]
            left, beside = dict(rests), []
            sure = {modulus for (_, modulus), weight in rests.items() if weight == SURE}
            for position, (bases, part) in enumerate(groups):
                if bases & mask:
                    join(left, part, sure)
                else:
                    beside.append(position)
            cases.append(Case((d - n, d * base), left, beside))
        return [part for _, part in groups], cases

    def _digit(self, cls: Class, base: int) -> tuple[int, Class]:
        """The last digit that a class asks for in a base, and the class without it."""
        found = self._digits.get((cls, base))
        if found is None:
            residue, modulus = cls
            power = dict(self._parts[modulus])[base]
            number, digit = divmod(residue % power, base)
            found = self._digits[cls, base] = digit, self._with_part(cls, base, power, number, power // base)
        return found

    def _with_part(self, cls: Class, base: int, old: int, number: int, new: int) -> Class:
        """The class with the digits of one base replaced: the number that they make, and the power of the base."""
        residue, modulus = cls
        rest = modulus // old
        if rest * new not in self._parts:
            self._parts[rest * new] = tuple(
                (b, q if b != base else new) for b, q in self._parts[modulus] if b != base or new > 1
            )
            self._masks[rest * new] = self._mask(rest * new)
        residue %= rest
        return residue + rest * ((number - residue) * pow(rest, -1, new) % new), rest * new

    def _with_coins(self, node: Node) -> Node:
        """Every digit that only one class asks for becomes a coin of that class; classes that are equal then merge."""
        while True:
            if time.monotonic() > self._deadline:
                raise NoAnswer("their shifts leave too many cases")
            # base: the two largest powers, and whose the largest is
            largest: dict[int, tuple[int, int, Class]] = {}
            for cls in node:
                for base, power in self._parts[cls[1]]:
                    if base not in largest:
                        largest[base] = power, 1, cls
                    else:
                        first, second, whose = largest[base]
                        if power > first:
                            largest[base] = power, first, cls
                        elif power > second:
                            largest[base] = first, power, whose
            alone = [
                (base, first, second, cls) for base, (first, second, cls) in largest.items() if first > second
            ]
            if not alone:
                return node
            node = dict(node)
            for base, first, second, cls in alone:
                if cls in node:  # else another base has changed it, and the next round comes back to it
                    n, d = node.pop(cls)
                    cut = self._with_part(cls, base, first, cls[0] % second, second)
                    merge(node, cut, lowest_terms(n * second, d * first))

    def _components(self, node: Node) -> list[tuple[int, Node]]:
        """The classes in groups that have no base in common, each with the mask of its bases."""
        groups: list[tuple[int, Node]] = []
        masks = self._masks
        for cls, weight in node.items():
            mask = masks[cls[1]]
            apart: list[tuple[int, Node]] = []
            together: Node = {}
            for bases, part in groups:
                if not bases & mask:
                    apart.append((bases, part))
                    continue
                mask |= bases
                if len(part) > len(together):  # the smaller one is copied, so that all of it costs n log n
                    together, part = part, together
                together.update(part)
            together[cls] = weight
            groups = [*apart, (mask, together)]
        return groups

    def _mask(self, modulus: int) -> int:
        return sum(self._bits[base] for base, _ in self._parts[modulus])


def expected_groups(classes: list[Class]) -> float:
    """About how many groups of classes overlap, if pairs did so at random, as often as they do; too many are infinite.

    >>> expected_groups([(0, 2), (0, 3), (0, 5)]), expected_groups([(0, 4), (1, 4), (2, 4)])
    (7.0, 3.0)
    """
    n = len(classes)
    if n > 24:
        return math.inf
    pairs = sum(
        (a - b) % math.gcd(m, other) == 0 for i, (a, m) in enumerate(classes) for b, other in classes[:i]
    )
    share = pairs / max(1, math.comb(n, 2))
    return sum(math.comb(n, size) * share ** math.comb(size, 2) for size in range(1, n + 1))


def uncovered_by_few(node: Node) -> Ratio:
    """The same by inclusion and exclusion: over all groups of classes that overlap, as in F1, with weights.

    >>> uncovered_by_few({(0, 4): SURE, (2, 6): (1, 2)})
    (17, 24)
    """
    classes = [(residue, modulus, n, d) for (residue, modulus), (n, d) in node.items()]
    whole = math.lcm(*[modulus for _, modulus, _, _ in classes])
    for _, _, _, d in classes:
        whole *= d
    return lowest_terms(whole - _covered(classes, 1, whole), whole)


def _covered(classes: list[tuple[int, int, int, int]], multiple: int, whole: int) -> int:
    """What classes cover of a group's meeting, which is one in `multiple` and has the size `whole`."""
    covered = 0
    for position, (residue, modulus, n, d) in enumerate(classes):
        step = modulus // math.gcd(multiple, modulus)
        size = whole * n // (d * step)
        covered += size
        following = [
            other
            for other in classes[position + 1 :]
            if (residue - other[0]) % math.gcd(modulus, other[1]) == 0
        ]
        if following:
            covered -= _covered(following, multiple * step, size)
    return covered


def join(node: Node, others: Node, sure: set[int]) -> None:
    """Add other classes to a node: equal ones merge, those inside the node's sure ones, of these moduli, are dropped."""
    for cls, weight in others.items():
        residue, modulus = cls
        for larger in sure:
            if modulus % larger == 0 and node.get((residue % larger, larger)) == SURE:
                break
        else:
            merge(node, cls, weight)


def merge(node: Node, cls: Class, weight: Ratio) -> None:
    """Add a class to a node: two equal ones cover as one that both coins have."""
    if cls in node:
        (a, b), (n, d) = node[cls], weight
        weight = lowest_terms(b * d - (b - a) * (d - n), b * d)
    node[cls] = weight


def lowest_terms(numerator: int, denominator: int) -> Ratio:
    divisor = math.gcd(numerator, denominator)
    return numerator // divisor, denominator // divisor


def factored(moduli: Collection[int]) -> dict[int, tuple[tuple[int, int], ...]]:
    """Each modulus as powers of coprime numbers: (b, its power in the modulus).

    Primes below 1,000 are found by division. What is left of large moduli is not factored, which may be impossible;
    it is split only as far as greatest common divisors of the moduli split it, and that is all that is needed.

    >>> factored([12, 18])
    {12: ((2, 4), (3, 3)), 18: ((2, 2), (3, 9))}
    >>> factored([1009 * 1013, 1013 * 1019])[1009 * 1013]
    ((1009, 1009), (1013, 1013))
    """
    small = {modulus: small_factors(modulus) for modulus in moduli}
    bases = coprime_base({rest for _, rest in small.values()})
    parts = {}
    for modulus, (primes, rest) in small.items():
        found = list(primes)
        for base in bases:
            power = 1
            while rest % base == 0:
                rest //= base
                power *= base
            if power > 1:
                found.append((base, power))
        parts[modulus] = tuple(found)
    return parts


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Numbers, no two with a common divisor, of whose powers the given ones are products.

    >>> sorted(coprime_base([12, 18])), coprime_base([35]), coprime_base([1])
    ([2, 3], [35], [])
    """
    base: list[int] = []
    for number in numbers:
        todo = [number]
        while todo:
            number = todo.pop()
            if number == 1:
                continue
            for position, other in enumerate(base):
                divisor = math.gcd(number, other)
                if divisor > 1:
                    del base[position]
                    todo += [divisor, number // divisor, other // divisor]
                    break
            else:
                base.append(number)
    return base
