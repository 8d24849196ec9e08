"""FlatFIT: S chapter 3, its algorithm as printed, its costs and its examples."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from specs.printed.flatfit import AsPrinted
from swagcore.aggregators.flatfit import FlatFit
from swagcore.algebra import Aggregate, Counting
from swagcore.ledger import claim, evidence, smallest
from swagcore.testing.closure import Cycle, every_range, steady_state

LOW = -math.inf
LETTERS = "abcdefghijklmnopqrstuvwxyz" * 4


def range_sets(window: int) -> Iterator[list[int]]:
    """All sets of ranges with the window's own, from the longest on."""
    for size in range(window):
        for others in combinations(range(1, window), size):
            yield [window, *sorted(others, reverse=True)]


def words_right(machine: AsPrinted, ranges: list[int], steps: int) -> bool:
    """Whether every answer is the word of the newest letters, in order."""
    try:
        for count, letter in enumerate(LETTERS[:steps], start=1):
            answers = machine.step(letter, ranges)
            if answers != [LETTERS[max(0, count - n) : count] for n in ranges]:
                return False
    except IndexError:
        return False
    return True


# Algorithm 1


@claim(
    "flatfit.alg1_runs",
    source="S Alg 1",
    kind="algorithm",
    expected="refuted",
    statement="Algorithm 1 as printed runs for every window size and every set of ranges up to it.",
    remark="""Lines 35 to 43 pop once before and once after the loop: where the first jump already ends at the current index, the
    second pop is from an empty stack. So it is for every range of 1, and in the paper's own Example 4. Line 10 is read as ending
    at wSize - 1, and windowSize in line 48 as wSize.""",
)
@evidence("exhaustive", scope="windows of 1 to 5, all sets of ranges with the longest, 3 wSize steps")
def alg1_runs() -> object:
    def holds(window: int, ranges: list[int]) -> bool:
        machine = AsPrinted(window, max, LOW)
        try:
            for value in range(3 * window):
                machine.step(value, ranges)
        except IndexError:
            return False
        return True

    return smallest(((window, ranges) for window in range(1, 6) for ranges in range_sets(window)), holds)


@claim(
    "flatfit.alg1_order",
    source="S Alg 1",
    kind="algorithm",
    expected="refuted",
    statement="Where it runs, Algorithm 1 as printed is right for operations that do not commute, as S §3.1 promises.",
    remark="Lines 38 and 43 combine the newer partial with the older one: answer ⊕ Partials[tempInd], and not the other way round.",
)
@evidence("exhaustive", scope="words, windows of 2 to 6, the whole window as the only range")
def alg1_order() -> object:
    return smallest(
        range(2, 7), lambda window: words_right(AsPrinted(window, operator.add, ""), [window], 3 * window)
    )


@claim(
    "flatfit.alg1_mended",
    source="O flatfit",
    kind="algorithm",
    corrects="flatfit.alg1_runs",
    statement="""Without the pop from an empty stack, and with the older operand first, Algorithm 1 answers every set of ranges, over
    words and so for every associative operation.""",
)
@evidence(
    "exhaustive",
    scope="words, windows of 1 to 6, all sets of ranges with the longest, asked in both orders, 4 wSize steps",
)
def alg1_mended() -> object:
    def holds(window: int, ranges: list[int]) -> bool:
        return all(
            words_right(AsPrinted(window, operator.add, "", mended=True), order, 4 * window)
            for order in (ranges, ranges[::-1])
        )

    return smallest(((window, ranges) for window in range(1, 7) for ranges in range_sets(window)), holds)


@claim(
    "flatfit.alg1_mended_order",
    source="O flatfit",
    kind="algorithm",
    corrects="flatfit.alg1_order",
    statement="With the older operand first, as in `FlatFit`, the answer over the whole window is the word in its order.",
)
@evidence("exhaustive", scope="words, windows of 1 to 8")
def alg1_mended_order() -> object:
    def holds(window: int) -> bool:
        return words_right(AsPrinted(window, operator.add, "", mended=True), [window], 4 * window)

    return smallest(range(1, 9), holds)


# The stack-free reset


@claim(
    "flatfit.reset_as_printed",
    source="S §3.2.2",
    kind="algorithm",
    expected="refuted",
    statement="""The optimized wReset, which goes backwards from prevInd until currInd is reached, returns the aggregate of the whole
    window.""",
    remark="Read as stopping there, without currInd: the oldest partial is left out.",
)
@evidence("exhaustive", scope="words, windows of 2 to 8")
def reset_as_printed() -> object:
    return smallest(range(2, 9), lambda window: reset(window, through=False) == LETTERS[:window])


@claim(
    "flatfit.reset_mended",
    source="O flatfit",
    kind="algorithm",
    corrects="flatfit.reset_as_printed",
    statement="Going on through currInd, it does; from initVal that takes n operations, and n - 1 from the newest partial.",
)
@evidence(
    "exhaustive",
    scope="words, windows of 2 to 8; operations of the technique's own reset, windows of 2 to 32",
)
def reset_mended() -> object:
    wrong = smallest(range(2, 9), lambda window: reset(window, through=True) == LETTERS[:window])
    if wrong is not None:
        return wrong
    return smallest(
        range(2, 33), lambda n: steady_state(lambda a: FlatFit(a, stack_free=True), n).worst == n - 1
    )


def reset(window: int, through: bool) -> str:
    machine = AsPrinted(window, operator.add, "", mended=True)
    for place in range(window):
        machine.Partials[place], machine.Pointers[place] = LETTERS[place], (place + 1) % window
    return str(machine.wReset(through))


# Operations


def cycle(n: int) -> Cycle:
    return steady_state(FlatFit, n)


@claim(
    "flatfit.period",
    source="S §3.3.1",
    kind="complexity",
    statement="""With one query, the operations of FlatFIT repeat every n + 1 slides: n - 1 for the wReset, 1 for the slide before and
    the slide after it, 2 for the n - 2 others; 3(n - 1) in all.""",
    remark="The text also says that n - 1 slides cost two each, but adds up n - 2 of them, as there are.",
)
@evidence(
    "closure",
    scope="n from 2 to 64, one steady cycle each, of the technique and of the algorithm as printed, mended",
)
def period() -> object:
    def holds(n: int) -> bool:
        expected = (n - 1, 1, *[2] * (n - 2), 1)
        machine = AsPrinted(n, max, 0, mended=True)
        costs = []
        for value in range(n + 1):
            before = machine.operations
            machine.step(value, [n])
            costs.append(machine.operations - before)
        found = cycle(n).costs  # for n = 3 it is half as long: 2, 1
        ours = found * (len(expected) // len(found))
        return tuple(costs) == expected == ours and sum(expected) == 3 * (n - 1)

    return smallest(range(3, 65), holds)


@claim(
    "flatfit.amortized_as_printed",
    source="S §3.3.1",
    kind="formula",
    expected="refuted",
    statement="3(n - 1) operations in n + 1 slides are, multiplied by n and divided by n - 1, 3n operations in n slides: 3 a slide.",
)
@evidence("closure", scope="n from 2 to 64, one steady cycle each")
def amortized_as_printed() -> object:
    return smallest(range(2, 65), lambda n: cycle(n).amortized == 3)


@claim(
    "flatfit.amortized",
    source="O flatfit",
    kind="formula",
    corrects="flatfit.amortized_as_printed",
    statement="It is 3(n - 1)/(n + 1) operations a slide: below 3, and 3 in the limit, as Table 3 says.",
)
@evidence("closure", scope="n from 1 to 64, one steady cycle each")
@evidence("symbolic", scope="the limit, by sympy", limit=True)
def amortized(limit: bool = False) -> object:
    if limit:
        import sympy

        n = sympy.Symbol("n")
        found = sympy.limit(3 * (n - 1) / (n + 1), n, sympy.oo)
        return None if found == 3 else str(found)
    return smallest(range(1, 65), lambda n: cycle(n).amortized == Fraction(3 * (n - 1), n + 1) < 3)


@claim(
    "flatfit.worst",
    source="S Table 3",
    kind="table",
    statement="With one query, no slide of FlatFIT costs more than n operations.",
    remark="n - 1, exactly.",
)
@evidence("closure", scope="n from 1 to 64, one steady cycle each")
def worst() -> object:
    return smallest(range(1, 65), lambda n: cycle(n).worst == n - 1)


@claim(
    "flatfit.multi_as_printed",
    source="S §3.3.1",
    kind="complexity",
    expected="refuted",
    statement="With all ranges 1 .. n at every slide, FlatFIT needs 3 operations a query on average: 3n a slide.",
)
@evidence("closure", scope="n up to 32, one steady cycle each")
def multi_as_printed() -> object:
    return smallest(range(1, 33), lambda n: steady_state(FlatFit, n, asks=every_range).amortized == 3 * n)


@claim(
    "flatfit.multi",
    source="O flatfit",
    kind="complexity",
    corrects="flatfit.multi_as_printed",
    statement="""With all ranges, asked from the longest on, every slide costs n - 1 operations: one for each range but 1. The
    algorithm as printed, mended, costs as much in that order, and more in the other: 22 for n = 16.""",
)
@evidence("closure", scope="n up to 32, one steady cycle each; the algorithm as printed, mended, n up to 16")
def multi() -> object:
    wrong = smallest(range(1, 33), lambda n: set(steady_state(FlatFit, n, asks=every_range).costs) == {n - 1})
    if wrong is not None:
        return wrong
    falling = smallest(range(1, 17), lambda n: printed_cost(n, list(range(n, 0, -1))) == n - 1)
    return (
        falling if falling is not None else None if printed_cost(16, list(range(1, 17))) == 22 else "rising"
    )


def printed_cost(n: int, ranges: list[int]) -> int:
    """What the 100th slide costs."""
    machine = AsPrinted(n, max, 0, mended=True)
    for value in range(100):
        machine.operations = 0
        machine.step(value, ranges)
    return machine.operations


@claim(
    "flatfit.resets_once",
    source="S §3.3.1",
    kind="statement",
    statement="With all ranges, the walk over the whole window happens once, at the beginning, and never again.",
    remark="From n = 4 on. A walk of two or three steps is the whole of a smaller window.",
)
@evidence(
    "exhaustive",
    scope="windows of 3 to 16, 5 n slides: the depth of the stack in the algorithm as printed, mended",
)
def resets_once() -> object:
    def holds(n: int) -> bool:
        machine = AsPrinted(n, max, 0, mended=True)
        depths = []
        for value in range(5 * n):
            machine.deepest = 0
            machine.step(value, list(range(n, 0, -1)))
            depths.append(machine.deepest)
        return depths[0] == n and max(depths[1:]) < n

    return smallest(range(4, 17), holds)


# The stack


def depths(n: int, ranges: list[int], steps: int) -> list[int]:
    """The most entries of the stack at each step."""
    machine = AsPrinted(n, max, 0, mended=True)
    found = []
    for value in range(steps):
        machine.deepest = 0
        machine.step(value, ranges)
        found.append(machine.deepest)
    return found


@claim(
    "flatfit.stack_as_printed",
    source="S §3.2.2",
    kind="statement",
    expected="refuted",
    statement="""With one query the stack holds n - 1 entries at the first step of a period, one at the second and the last, and two at
    the others.""",
)
@evidence("exhaustive", scope="windows of 2 to 20")
def stack_as_printed() -> object:
    return smallest(range(2, 21), lambda n: depths(n, [n], n + 1) == [n - 1, 1, *[2] * (n - 2), 1])


@claim(
    "flatfit.stack",
    source="O flatfit",
    kind="statement",
    corrects="flatfit.stack_as_printed",
    statement="It holds one more each time: n entries at the first step, 2 at the second and the last, 3 at the others.",
)
@evidence("exhaustive", scope="windows of 2 to 20, two periods")
def stack() -> object:
    return smallest(range(2, 21), lambda n: depths(n, [n], 2 * n + 2) == [n, 2, *[3] * (n - 2), 2] * 2)


@claim(
    "flatfit.stack_queries",
    source="S §3.3.2",
    kind="formula",
    expected="refuted",
    statement="""With q queries, 1 < q < n, the stack never holds more than n / 2^(q-1) entries after the first wReset: n/2 with two, half of
    that with each query more.""",
)
@evidence(
    "exhaustive", scope="windows of 3 to 8, all sets of ranges with the longest, 6 n steps after the first n"
)
def stack_queries() -> object:
    def holds(n: int, ranges: list[int]) -> bool:
        most = max(depths(n, ranges, 7 * n)[n:])
        return len(ranges) in (1, n) or most <= max(1, Fraction(n, 2 ** (len(ranges) - 1)))

    return smallest(((n, ranges) for n in range(3, 9) for ranges in range_sets(n)), holds)


@claim(
    "flatfit.stack_two",
    source="O flatfit",
    kind="statement",
    corrects="flatfit.stack_queries",
    statement="Two queries can fill the stack as one does: with ranges n and 1 it holds n entries once in n + 1 slides.",
)
@evidence("exhaustive", scope="windows of 2 to 20, three periods")
def stack_two() -> object:
    return smallest(range(2, 21), lambda n: max(depths(n, [n, 1], 4 * n + 4)[n + 1 :]) == n)


@claim(
    "flatfit.stack_all",
    source="S §3.3.2",
    kind="statement",
    expected="refuted",
    statement="With all ranges the stack never holds more than one entry after the first step.",
)
@evidence("exhaustive", scope="windows of 2 to 16, 5 n steps, asked from the longest range on")
def stack_all() -> object:
    return smallest(range(2, 17), lambda n: max(depths(n, list(range(n, 0, -1)), 5 * n)[1:]) <= 1)


@claim(
    "flatfit.stack_all_counted",
    source="O flatfit",
    kind="statement",
    corrects="flatfit.stack_all",
    statement="With all ranges the stack holds at most three entries after the first step, whatever n; and three are held.",
)
@evidence("exhaustive", scope="windows of 3 to 16, 5 n steps, asked from the longest range on")
def stack_all_counted() -> object:
    return smallest(range(3, 17), lambda n: max(depths(n, list(range(n, 0, -1)), 5 * n)[1:]) == 3)


# Examples 3 and 4

STREAM = [2, 4, 0, 3, 7, 6, 1, 8, 9, 5]
OPERATIONS = [(4, 0), (1, 1), (2, 0), (2, 1), (2, 1), (1, 1), (4, 0), (1, 1), (2, 0), (2, 1)]


def example() -> list[tuple[int, int]]:
    """The operations of Q1 (range 5) and Q2 (range 2) at each step, by the algorithm as printed, mended."""
    machine = AsPrinted(5, max, LOW, mended=True)
    found = []
    for value in STREAM:
        machine.Partials[machine.prevInd], machine.Pointers[machine.prevInd] = value, machine.currInd
        counts = []
        for asked in (5, 2):
            before = machine.operations
            machine.answer(asked)
            counts.append(machine.operations - before)
        machine.prevInd, machine.currInd = machine.currInd, (machine.currInd + 1) % 5
        found.append((counts[0], counts[1]))
    return found


@claim(
    "flatfit.example_3",
    source="S Ex 3",
    kind="example",
    statement="""Over 2, 4, 0, 3, 7, 6, 1, 8, 9, 5 with a range of 5, FlatFIT takes 4 comparisons at steps 1 and 7, 1 at steps 2, 6 and 8,
    2 at the others: 21, where Panes takes 40.""",
)
@evidence("exhaustive", scope="the example, by the algorithm as printed, mended, and by the technique")
def example_3() -> object:
    printed = [first for first, _ in example()]
    counting = Counting(Aggregate("max", lift=float, combine=max, identity=LOW))
    window = FlatFit(counting.aggregate)
    for _ in range(5):
        window.insert(LOW)
    ours = []
    for value in STREAM:
        counting.reset()
        window.evict()
        window.insert(value)
        window.query()
        ours.append(counting.combines)
    right = [4, 1, 2, 2, 2, 1, 4, 1, 2, 2]
    return (
        None
        if printed == ours == right and sum(right) == 21 and 10 * (5 - 1) == 40
        else {"printed": printed, "ours": ours}
    )


@claim(
    "flatfit.example_4",
    source="S Ex 4",
    kind="example",
    statement="""With a second query of range 2 on the same stream, FlatFIT answers it with no comparison at steps 1, 3, 7 and 9 and
    with one at the others: 6, where Panes takes 10.""",
)
@evidence("exhaustive", scope="the example, by the algorithm as printed, mended")
def example_4() -> object:
    found = example()
    second = [count for _, count in found]
    return None if found == OPERATIONS and sum(second) == 6 and 10 * (2 - 1) == 10 else found
