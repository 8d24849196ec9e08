"""SlickDeque: S chapter 4, its algorithms as printed, their costs, chances and examples."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import factorial

from specs.printed.slickdeque import AsPrintedInv, AsPrintedNonInv
from swagcore.aggregators.slickdeque_inv import SlickDequeInv
from swagcore.aggregators.slickdeque_noninv import SlickDequeNonInv
from swagcore.algebra import Counting, aggregate
from swagcore.ledger import claim, evidence, smallest
from swagcore.testing.closure import closure, every_range, steady_state


def newest(values: Sequence[int], count: int, n: int) -> Sequence[int]:
    return values[max(0, count - n) : count]


def answers_right(step: object, function: object, ranges: list[int], values: Sequence[int]) -> bool:
    """Whether every answer is that of the newest values."""
    for count, value in enumerate(values, start=1):
        answers = step(value)  # type: ignore[operator]
        if any(answers[n] != function(newest(values, count, n)) for n in ranges):  # type: ignore[operator]
            return False
    return True


def range_sets(most: int) -> Iterator[list[int]]:
    """All sets of ranges up to a number, the smallest first."""
    for size in range(1, most + 1):
        for ranges in combinations(range(1, most + 1), size):
            yield list(ranges)


# Algorithm 2


@claim(
    "slickdeque.alg2",
    source="S Alg 2",
    kind="algorithm",
    statement="SlickDeque (Inv) as printed answers every set of ranges, for sums.",
    remark="Line 8 is read as ending at wSize - 1, and line 24 as writing the answer back into the map.",
)
@evidence("exhaustive", scope="all sets of ranges up to 5, 13 values, among them equal and negative ones")
def alg2() -> object:
    values = [3, -1, 4, 1, -5, 9, 2, 6, 5, 3, 5, 0, -7]
    return smallest(
        range_sets(5),
        lambda ranges: answers_right(
            AsPrintedInv(ranges, operator.add, operator.sub, 0).step, sum, ranges, values
        ),
    )


@claim(
    "slickdeque.inv_single",
    source="S §4.3.1",
    kind="complexity",
    statement="SlickDeque (Inv) needs exactly 2 operations a slide with one query, and 2n with all ranges 1 .. n.",
    remark="The technique here needs 2n - 2 for all ranges, from n = 2 on: the total of the window serves two of them.",
)
@evidence("exhaustive", scope="the algorithm as printed, n up to 32, every step of 3 n")
@evidence("closure", scope="the technique, n from 2 to 32, one steady cycle each", technique=True)
def inv_costs(technique: bool = False) -> object:
    def ours(n: int) -> bool:
        single = steady_state(SlickDequeInv, n)
        multi = steady_state(lambda a: SlickDequeInv(a, range(1, n + 1)), n, asks=every_range)
        return set(single.costs) == {2} and set(multi.costs) == {2 * n - 2}

    def printed(n: int) -> bool:
        for ranges, expected in (([n], 2), (list(range(1, n + 1)), 2 * n)):
            machine = AsPrintedInv(ranges, operator.add, operator.sub, 0)
            for value in range(3 * n):
                before = machine.operations
                machine.step(value)
                if machine.operations - before != expected:
                    return False
        return True

    return smallest(range(2, 33), ours) if technique else smallest(range(1, 33), printed)


@claim(
    "slickdeque.inv_space",
    source="S §4.3.2",
    kind="complexity",
    statement="SlickDeque (Inv) stores n + 1 values with one query, 2n with all ranges 1 .. n.",
)
@evidence("exhaustive", scope="the algorithm as printed, n up to 32: the array and the map")
def inv_space() -> object:
    def holds(n: int) -> bool:
        one = AsPrintedInv([n], operator.add, operator.sub, 0)
        every = AsPrintedInv(list(range(1, n + 1)), operator.add, operator.sub, 0)
        return (len(one.partials) + len(one.answers), len(every.partials) + len(every.answers)) == (
            n + 1,
            2 * n,
        )

    return smallest(range(1, 33), holds)


@claim(
    "slickdeque.example_5",
    source="S Ex 5",
    kind="example",
    statement="""Sums over 6, 5, 0, 1, 3, 4, 2, 7 with ranges 3 and 5: the answers of Figure 20, by 32 operations, where Panes takes
    48.""",
)
@evidence("exhaustive", scope="the example, by the algorithm as printed")
def example_5() -> object:
    machine = AsPrintedInv([3, 5], operator.add, operator.sub, 0)
    found = [tuple(machine.step(value).values()) for value in STREAM]
    right = [(6, 6), (11, 11), (11, 11), (6, 12), (4, 15), (8, 13), (9, 10), (13, 17)]
    return (
        None
        if found == right and machine.operations == 32 and 8 * (2 + 4) == 48
        else {"answers": found, "operations": machine.operations}
    )


STREAM = [6, 5, 0, 1, 3, 4, 2, 7]


# Algorithm 3


@claim(
    "slickdeque.alg3",
    source="S Alg 3",
    kind="algorithm",
    expected="refuted",
    statement="SlickDeque (Non-Inv) as printed answers every set of ranges, for the maximum.",
    remark="""Lines 31 and 36 skip nodes before startPos, but startPos itself is the last position outside of the range; for the longest
    range it is the newest one. Example 6 comes out wrong with it, at steps 4 and 5.""",
)
@evidence("exhaustive", scope="all sets of ranges up to 3, all streams of up to 5 values 0, 1, 2")
def alg3() -> object:
    return noninv(mended=False)


@claim(
    "slickdeque.alg3_mended",
    source="O slickdeque",
    kind="algorithm",
    corrects="slickdeque.alg3",
    statement="With both answer loops skipping startPos too (i.pos <= startPos), it answers every set of ranges.",
)
@evidence("exhaustive", scope="all sets of ranges up to 4, all streams of up to 5 values 0, 1, 2")
def alg3_mended() -> object:
    return noninv(mended=True)


def noninv(mended: bool) -> object:
    cases = (
        (ranges, values)
        for length in range(1, 6)
        for ranges in range_sets(4 if mended else 3)
        for values in product(range(3), repeat=length)
    )
    return next(
        (
            {"ranges": ranges, "values": values}
            for ranges, values in cases
            if not answers_right(AsPrintedNonInv(ranges, max, mended).step, max, ranges, values)
        ),
        None,
    )


@claim(
    "slickdeque.any_noninvertible",
    source="S §4.2",
    kind="statement",
    expected="refuted",
    statement="SlickDeque (Non-Inv) is right for every operation without an inverse.",
    remark="The operation has to choose one of its operands; the union of sets has no inverse, and does not.",
)
@evidence("exhaustive", scope="the union of sets, a window of 2, two sets out of {}, {1}, {2}, {1, 2}")
def any_noninvertible() -> object:
    sets = [frozenset(), frozenset({1}), frozenset({2}), frozenset({1, 2})]

    def holds(a: frozenset[int], b: frozenset[int]) -> bool:
        machine = AsPrintedNonInv([2], frozenset.union, mended=True)
        machine.step(a)
        return bool(machine.step(b) == {2: a | b})

    found = smallest(product(sets, sets), holds)
    return found


@claim(
    "slickdeque.selective",
    source="O slickdeque",
    kind="statement",
    corrects="slickdeque.any_noninvertible",
    statement="""It is right for every selective operation, one that returns one of its two operands; the technique asks for that law, and
    refuses an aggregate that lacks it.""",
)
@evidence(
    "closure", scope="all shapes and orders of windows of up to 5, every range; and each built-in aggregate"
)
def selective() -> object:
    from swagcore.algebra import aggregates
    from swagcore.errors import MissingLaw

    closure(SlickDequeNonInv, 5, asks=every_range, ordered=True)
    for name in aggregates():
        function = aggregate(name)
        try:
            SlickDequeNonInv(function)
            taken = True
        except MissingLaw:
            taken = False
        if taken != function.selective:
            return {"aggregate": name, "selective": function.selective, "taken": taken}
    return None


# Operations and chances


def cost_of_last(values: Sequence[int]) -> int:
    """The operations of the last value, in a window of all of them: the figures of the algorithm as printed."""
    machine = AsPrintedNonInv([len(values)], max)
    for value in values[:-1]:
        machine.step(value)
    machine.operations = 0
    machine.step(values[-1])
    return machine.operations


def all_costs(n: int) -> list[int]:
    return [cost_of_last(order) for order in permutations(range(n))]


@claim(
    "slickdeque.worst_as_printed",
    source="S §4.3.1",
    kind="complexity",
    expected="refuted",
    statement="The worst slide of SlickDeque (Non-Inv) takes n operations, n > 1.",
    remark="Table 4 has n too, as an order of magnitude.",
)
@evidence("exhaustive", scope="n from 2 to 7, all orders of n different values")
def worst_as_printed() -> object:
    return smallest(range(2, 8), lambda n: max(all_costs(n)) == n)


@claim(
    "slickdeque.worst",
    source="O slickdeque",
    kind="complexity",
    corrects="slickdeque.worst_as_printed",
    statement="It takes n - 1: when the newest comes, the oldest has left, and n - 1 nodes are there at the most.",
)
@evidence("exhaustive", scope="n from 2 to 7, all orders of n different values")
@evidence("closure", scope="all shapes and orders of windows of up to 6", shapes=True)
def worst(shapes: bool = False) -> object:
    if shapes:
        return smallest(
            range(2, 7), lambda n: closure(SlickDequeNonInv, n, ordered=True).worst["slide"] == n - 1
        )
    return smallest(range(2, 8), lambda n: max(all_costs(n)) == n - 1)


@claim(
    "slickdeque.chance_as_printed",
    source="S §4.3.1",
    kind="formula",
    expected="refuted",
    statement="On values in random order the worst step has a chance of 1 in n!.",
)
@evidence("exhaustive", scope="n from 2 to 7, all orders of n different values")
def chance_as_printed() -> object:
    return smallest(range(2, 8), lambda n: (costs := all_costs(n)).count(max(costs)) == 1)


@claim(
    "slickdeque.chance",
    source="O slickdeque",
    kind="formula",
    corrects="slickdeque.chance_as_printed",
    statement="""The worst step has a chance of 2 in n!: the values before the newest fall, and the newest is the largest of all, or
    the second largest, for it is compared with the largest all the same.""",
)
@evidence("exhaustive", scope="n from 2 to 8, all orders of n different values")
def chance() -> object:
    def holds(n: int) -> bool:
        worst = [order for order in permutations(range(n)) if cost_of_last(order) == n - 1]
        falling = [order for order in worst if list(order[:-1]) == sorted(order[:-1], reverse=True)]
        return len(worst) == len(falling) == 2

    return smallest(range(2, 8), holds)


@claim(
    "slickdeque.amortized",
    source="S §4.3.1",
    kind="complexity",
    statement="The amortized number of operations a slide is always below 2, whatever the input.",
    remark="At the most 2 - 1/(n - 1), on an input that repeats every n - 1 slides.",
)
@evidence("closure", scope="all shapes and orders of windows of 2 to 6: the worst mean of a cycle of slides")
def amortized() -> object:
    return smallest(
        range(2, 7),
        lambda n: closure(SlickDequeNonInv, n, ordered=True).amortized == 2 - Fraction(1, n - 1) < 2,
    )


@evidence(
    "induction",
    of="slickdeque.amortized",
    scope="every window size and every input: the step, over nodes and operations",
)
def below_two_for_all() -> object:
    """Each comparison removes the node it looks at, or is the last one of its insert. With r nodes removed, and c comparisons, of
    an insert: c is r + 1, or r where nothing is left to compare with. Over any run of inserts: comparisons are at most removals
    plus inserts, and nodes removed so are at most nodes inserted, less those that are left or expired. By induction over the
    inserts: comparisons + nodes left <= 2 inserts, and strictly less than 2 inserts as a node is always left."""
    import z3

    from proofs.z3_tools import proved

    inserts, comparisons, nodes, r, c, expired = z3.Ints("inserts comparisons nodes r c expired")
    invariant = comparisons + nodes <= 2 * inserts
    step = [
        r >= 0,
        expired >= 0,
        expired <= 1,
        r + expired <= nodes,
        c >= r,
        c <= r + 1,
        inserts >= 0,
        nodes >= 0,
    ]
    left = nodes - expired - r + 1
    kept = comparisons + c + left <= 2 * (inserts + 1)
    found = proved(kept, given=[invariant, *step], twin=comparisons + c + left <= 2 * inserts)
    if found is not None:
        return found
    return proved(
        z3.Implies(nodes >= 1, comparisons < 2 * inserts),
        given=[invariant, nodes >= 0],
        twin=comparisons < inserts,
    )


@claim(
    "slickdeque.expected",
    source="O slickdeque",
    kind="formula",
    statement="On values in random order a slide takes 2 - 2/n operations on average.",
)
@evidence("exhaustive", scope="n from 1 to 7, all orders of n different values")
def expected() -> object:
    return smallest(range(1, 8), lambda n: Fraction(sum(all_costs(n)), factorial(n)) == 2 - Fraction(2, n))


@claim(
    "slickdeque.nine_in_order",
    source="S §4.3.1",
    kind="statement",
    expected="refuted",
    statement="""A step of k operations needs k + 1 partials in a row in one order, so its chance is 1 in (k + 1)!: 1 in 9! for the 8
    operations of DABA's worst step.""",
    remark="""Judged for k = 2 .. 4, where all orders can be tried. Nodes of the deque need not be neighbours in the stream: those
    between them were removed.""",
)
@evidence("exhaustive", scope="k from 2 to 4, windows of k + 1 to 7, all orders")
def nine_in_order() -> object:
    def case(k: int, n: int) -> object:
        costs = all_costs(n)
        found = Fraction(sum(cost >= k for cost in costs), len(costs))
        if found <= Fraction(1, factorial(k + 1)):
            return None
        return {"operations": k, "window": n, "chance": str(found), "claimed": f"1/{factorial(k + 1)}"}

    return next((found for k in range(2, 5) for n in range(k + 1, 8) if (found := case(k, n))), None)


@claim(
    "slickdeque.multi_as_printed",
    source="S §4.3.1",
    kind="complexity",
    expected="refuted",
    statement="With all ranges 1 .. n at every slide, the worst slide takes 2n operations, n > 1.",
    remark="Table 4 says n. The walk along the deque is no aggregate operation, and these are what S §2.3.2 counts.",
)
@evidence("closure", scope="all shapes and orders of windows of 2 to 5, every range asked")
def multi_as_printed() -> object:
    return smallest(
        range(2, 6),
        lambda n: closure(SlickDequeNonInv, n, asks=every_range, ordered=True).worst["slide"] == 2 * n,
    )


@claim(
    "slickdeque.multi",
    source="O slickdeque",
    kind="complexity",
    corrects="slickdeque.multi_as_printed",
    statement="All ranges take as many operations as one: n - 1 at worst, below 2 amortized; a look-up takes none.",
)
@evidence("closure", scope="all shapes and orders of windows of 2 to 5, every range asked")
def multi() -> object:
    def holds(n: int) -> bool:
        found = closure(SlickDequeNonInv, n, asks=every_range, ordered=True)
        return found.worst["slide"] == n - 1 and found.worst["query"] == 0 and found.amortized < 2

    return smallest(range(2, 6), holds)


# Space


def length_of(order: Sequence[int]) -> int:
    """How many nodes are kept of a window with these values."""
    machine = AsPrintedNonInv([len(order)], max)
    for value in order:
        machine.step(value)
    return len(machine.d)


@claim(
    "slickdeque.space",
    source="S Table 4",
    kind="table",
    statement="SlickDeque (Non-Inv) stores from 2 to 2n values: one node of two values at least, n at the most.",
)
@evidence("exhaustive", scope="n up to 7, all orders: the fewest and the most nodes")
def space() -> object:
    def holds(n: int) -> bool:
        lengths = {length_of(order) for order in permutations(range(n))}
        return min(lengths) == 1 and max(lengths) == n

    return smallest(range(1, 8), holds)


@claim(
    "slickdeque.full_chance",
    source="S §4.3.2",
    kind="formula",
    statement="The deque is full with a chance of 1 in n!, on values in random order.",
)
@evidence("exhaustive", scope="n up to 7, all orders")
def full_chance() -> object:
    return smallest(
        range(1, 8), lambda n: sum(length_of(order) == n for order in permutations(range(n))) == 1
    )


@claim(
    "slickdeque.panes_smaller",
    source="S §4.3.2",
    kind="formula",
    expected="refuted",
    statement="""The chance that Panes, which stores n values, needs less space than SlickDeque (Non-Inv), with two values a node, is 1
    in n!/2.""",
)
@evidence("exhaustive", scope="n from 2 to 7, all orders: more than n/2 nodes")
def panes_smaller() -> object:
    def case(n: int) -> object:
        more = sum(2 * length_of(order) > n for order in permutations(range(n)))
        found = Fraction(more, factorial(n))
        claimed = Fraction(2, factorial(n))
        return None if found == claimed else {"n": n, "chance": str(found), "claimed": str(claimed)}

    return next((found for n in range(2, 8) if (found := case(n))), None)


@claim(
    "slickdeque.panes_smaller_counted",
    source="O slickdeque",
    kind="formula",
    corrects="slickdeque.panes_smaller",
    statement="""It is the sum of c(n, k) / n! over k > n/2, where c(n, k) are the Stirling numbers of the first kind, without signs:
    as many orders of n values have k of them that no later one exceeds.""",
)
@evidence("exhaustive", scope="n from 1 to 7, all orders")
def panes_smaller_counted() -> object:
    from sympy.functions.combinatorial.numbers import stirling

    def holds(n: int) -> bool:
        lengths = [length_of(order) for order in permutations(range(n))]
        return all(lengths.count(k) == stirling(n, k, kind=1) for k in range(1, n + 1))

    return smallest(range(1, 8), holds)


@claim(
    "slickdeque.example_6",
    source="S Ex 6",
    kind="example",
    statement="""Maxima over 6, 5, 0, 1, 3, 4, 2, 7 with ranges 3 and 5: the answers of Figure 22, by 11 operations, where Panes takes
    48.""",
    remark="By the algorithm as mended: as printed it answers 6 at step 4 and 5 at step 5 for range 3.",
)
@evidence("exhaustive", scope="the example, by the algorithm as mended, and by the technique")
def example_6() -> object:
    machine = AsPrintedNonInv([3, 5], max, mended=True)
    answers = [machine.step(value) for value in STREAM]
    found = [(answer[3], answer[5]) for answer in answers]
    counting = Counting(aggregate("max"))
    window = SlickDequeNonInv(counting.aggregate)
    for value in STREAM:
        if len(window) == 5:
            window.evict()
        window.insert(value)
    right = [(6, 6), (6, 6), (6, 6), (5, 6), (3, 6), (4, 5), (4, 4), (7, 7)]
    counts = machine.operations, counting.combines
    return (
        None
        if found == right and counts == (11, 11) and 8 * (2 + 4) == 48
        else {"answers": found, "operations": counts}
    )
