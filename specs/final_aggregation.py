"""From partials to answers: the techniques and complexities of S §2.3.2 (Tables 2 to 4), counted exactly.

A slide is evict, insert, query at a steady length n. Closure visits every shape of a window, so what it counts holds
for streams of any length, and, over the free monoid, for every associative operation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from swagcore.aggregators import technique_for
from swagcore.aggregators.flatfit import FlatFit
from swagcore.algebra import Aggregate
from swagcore.ledger import claim, evidence, smallest
from swagcore.testing.closure import Cycle, closure, every_range, steady_state, whole
from swagcore.testing.mismatch import Mismatch

SINGLE = [
    "recompute",
    "subtract_on_evict",
    "r_int",
    "flatfat",
    "b_int",
    "l_int",
    "psoup",
    "two_stacks",
    "two_stacks_lite",
    "daba",
    "daba_lite",
]


def maker(technique: str) -> Callable[[Aggregate], object]:
    """A factory of windows of a technique."""
    return lambda aggregate: technique_for(technique, aggregate)


def slide(technique: str, n: int, multi: bool = False) -> Cycle:
    """What slides cost in the steady state, one query or all ranges 1 .. n."""
    return steady_state(maker(technique), n, asks=every_range if multi else whole)


# Right, in every shape


def right_in_all(factory: Callable[[Aggregate], object], size: int, **options: Any) -> object:
    """None, once closure has seen every shape up to a size; else a shortest way to a wrong answer."""
    try:
        closure(factory, size, **options)
    except Mismatch as wrong:
        return str(wrong)
    return None


def all_shapes(technique: str, size: int) -> object:
    return right_in_all(maker(technique), size)


for _technique, _source in {
    "recompute": "S §2.3.2",
    "subtract_on_evict": "S §2.3.2",
    "r_int": "A §3.2",
    "flatfat": "S §2.3.2",
    "b_int": "A §3.1.1",
    "l_int": "A §3.1.2",
    "psoup": "A §3.1.3",
    "two_stacks": "S §2.3.2",
    "daba": "S §2.3.2",
    "two_stacks_lite": "O techniques",
    "daba_lite": "O techniques",
}.items():
    claim(
        f"final.{_technique}.right",
        source=_source,
        kind="algorithm",
        statement=f"""{_technique} answers the aggregate of the whole window, from the oldest to the newest, after any
        insert, evict and query, for every associative operation{", with an inverse that takes the oldest off" if _technique in ("subtract_on_evict", "r_int") else ""}.""",
    ).by(
        "closure",
        all_shapes,
        scope="all shapes of windows of up to {size}, streams of any length",
        technique=_technique,
        size=10,
    ).by(
        "closure",
        all_shapes,
        scope="all shapes of windows of up to {size}, streams of any length",
        profile="full",
        technique=_technique,
        size=64 if _technique not in ("l_int", "psoup") else 20,
    )


claim(
    "final.flatfit.right",
    source="S §3.2",
    kind="algorithm",
    statement="""FlatFIT answers the aggregate of the whole window, from the oldest to the newest, after any insert, evict
    and query, for every associative operation, with and without the stack.""",
    remark="As mended: see the claims about Algorithm 1.",
)


@evidence(
    "closure",
    of="final.flatfit.right",
    scope="all shapes of windows of up to {size}, streams of any length",
    size=6,
)
@evidence(
    "closure",
    of="final.flatfit.right",
    scope="all shapes of windows of up to {size}, streams of any length",
    size=10,
    profile="full",
)
def flatfit_shapes(size: int) -> object:
    return right_in_all(FlatFit, size) or right_in_all(
        lambda aggregate: FlatFit(aggregate, stack_free=True), size
    )


claim(
    "final.flatfit.right_ranges",
    source="S §3.2",
    kind="algorithm",
    statement="FlatFIT answers every range 1 .. n at every step, whichever were asked before.",
)


@evidence(
    "closure",
    of="final.flatfit.right_ranges",
    scope="all shapes of windows of up to {size}, any ranges in any order",
    size=5,
)
def flatfit_ranges(size: int) -> object:
    return right_in_all(maker("flatfit"), size, asks=every_range)


claim(
    "final.slickdeque.right",
    source="S §4.2",
    kind="algorithm",
    statement="""SlickDeque (Non-Inv) answers every range, for every selective associative operation: in every order of the
    values, ties included.""",
    remark="As mended: see the claims about Algorithm 3.",
)


@evidence(
    "closure",
    of="final.slickdeque.right",
    scope="all shapes and orders of windows of up to {size}, every range",
    size=5,
)
@evidence(
    "closure",
    of="final.slickdeque.right",
    scope="all shapes and orders of windows of up to {size}, every range",
    size=6,
    profile="full",
)
def slickdeque_shapes(size: int) -> object:
    return right_in_all(maker("slickdeque_noninv"), size, asks=every_range, ordered=True)


# Panes


@claim(
    "final.panes.single",
    source="S §2.3.2",
    kind="complexity",
    statement="Panes needs exactly n - 1 operations a slide.",
)
@evidence("closure", scope="n up to 64, one steady cycle each")
def panes_single() -> object:
    return smallest(range(1, 65), lambda n: set(slide("recompute", n).costs) == {n - 1})


@claim(
    "final.panes.multi",
    source="S §2.3.2",
    kind="complexity",
    statement="Panes needs exactly n^2/2 - n/2 operations a slide for all ranges 1 .. n.",
)
@evidence("closure", scope="n up to 24, one steady cycle each")
def panes_multi() -> object:
    return smallest(
        range(1, 25), lambda n: set(slide("recompute", n, multi=True).costs) == {n * (n - 1) // 2}
    )


@claim(
    "final.panes_inv.single",
    source="S §2.3.2",
    kind="complexity",
    statement="Panes (Inv), which is Subtract-on-Evict, needs exactly 2 operations a slide.",
    remark="From n = 2 on. A window of one partial is drained by every slide: there is nothing to subtract from, and we need fewer.",
)
@evidence("closure", scope="n from 2 to 64, one steady cycle each")
def panes_inv_single() -> object:
    return smallest(range(2, 65), lambda n: set(slide("subtract_on_evict", n).costs) == {2})


@claim(
    "final.r_int.one_query",
    source="S §2.3.2",
    kind="statement",
    expected="refuted",
    statement="R-Int, like Panes (Inv), does not allow several queries to be processed together.",
)
@evidence("closure", scope="n up to 8: some range below n is not answered by R-INT, over the free monoid")
def r_int_one_query() -> object:
    for n in range(2, 9):
        costs = set(slide("r_int", n, multi=True).costs)  # every answer is checked
        if costs:
            return {"n": n, "ranges answered": list(range(1, n + 1)), "operations a slide": costs.pop()}
    return None


@claim(
    "final.r_int.all_ranges",
    source="O techniques",
    kind="complexity",
    corrects="final.r_int.one_query",
    statement="R-INT answers all ranges 1 .. n at every slide with n + 1 operations: one combine, and an inverse each.",
)
@evidence("closure", scope="n from 2 to 32, one steady cycle each")
def r_int_all_ranges() -> object:
    return smallest(range(2, 33), lambda n: set(slide("r_int", n, multi=True).costs) == {n + 1})


# FlatFAT and B-Int


@claim(
    "final.flatfat.exact",
    source="S §2.3.2",
    kind="complexity",
    expected="refuted",
    statement="FlatFAT needs exactly log2(n) operations a slide: no whole number for most n; rounded up, for every n.",
)
@evidence("closure", scope="n up to 64, one steady cycle each")
def flatfat_exact() -> object:
    return smallest(range(1, 65), lambda n: set(slide("flatfat", n).costs) == {math.ceil(math.log2(n))})


@claim(
    "final.flatfat.counted",
    source="O techniques",
    kind="complexity",
    corrects="final.flatfat.exact",
    statement="""FlatFAT and B-INT need exactly log2(n) operations a slide where n is a power of two; else k - 1 + n / 2^k
    amortized, k = floor(log2 n), and at most k - 1 plus the number of ones in n.""",
)
@evidence("closure", scope="n up to 64, one steady cycle each")
def flatfat_counted() -> object:
    def holds(n: int, technique: str) -> bool:
        k, cycle = n.bit_length() - 1, slide(technique, n)
        exact = n & (n - 1) or set(cycle.costs) == {k}
        return (
            bool(exact)
            and cycle.amortized == k - 1 + Fraction(n, 2**k)
            and cycle.worst == k - 1 + n.bit_count()
        )

    return smallest(((n, t) for n in range(1, 65) for t in ("flatfat", "b_int")), holds)


def nodes_to_cover(first: int, last: int, low: int, high: int) -> int:
    """The fewest nodes of a binary tree over low .. high that cover first .. last."""
    if last < low or high < first:
        return 0
    if first <= low and high <= last:
        return 1
    middle = (low + high) // 2
    return nodes_to_cover(first, last, low, middle) + nodes_to_cover(first, last, middle + 1, high)


def flatfat_all_ranges(k: int) -> Fraction:
    """Operations a slide for all ranges, on the paper's tree of n = 2^k leaves, the mean over all places of the circle."""
    n = 2**k
    total = 0
    for newest in range(n):
        total += k  # the update, from the leaf to the root
        for width in range(1, n):  # the root is the answer for the whole window
            oldest = newest - width + 1
            if oldest >= 0:
                nodes = nodes_to_cover(oldest, newest, 0, n - 1)
            else:
                nodes = nodes_to_cover(0, newest, 0, n - 1) + nodes_to_cover(oldest + n, n - 1, 0, n - 1)
            total += nodes - 1
    return Fraction(total, n)


@claim(
    "final.flatfat.multi",
    source="S §2.3.2",
    kind="formula",
    expected="refuted",
    statement="""FlatFAT needs, exactly, n log2 n - 3n/2 + (5 log2 n)/2 + 5/2 operations a slide for all ranges 1 .. n, n a power
    of two.""",
)
@evidence(
    "exhaustive",
    scope="n = 1, 2, 4, ..., 64; every place of the circle, the fewest nodes of the paper's own tree",
)
def flatfat_multi() -> object:
    return smallest(range(7), lambda k: flatfat_all_ranges(k) == 2**k * k - Fraction(3 * 2**k - 5 * k - 5, 2))


@claim(
    "final.flatfat.multi_counted",
    source="O techniques",
    kind="formula",
    corrects="final.flatfat.multi",
    statement="""On the paper's tree it is n log2 n - 5n/2 + (3 log2 n)/2 + 5/2, n a power of two: n + log2 n less than printed;
    and at most n log2 n, as the upper bound says.""",
)
@evidence(
    "exhaustive",
    scope="n = 1, 2, 4, ..., 64; every place of the circle, the fewest nodes of the paper's own tree",
)
def flatfat_multi_counted() -> object:
    def holds(k: int) -> bool:
        counted = flatfat_all_ranges(k)
        return counted == 2**k * k - Fraction(5 * 2**k - 3 * k - 5, 2) and counted <= 2**k * k

    return smallest(range(7), holds)


@claim(
    "final.flatfat.root",
    source="S §2.3.2",
    kind="algorithm",
    expected="refuted",
    statement="""The root of FlatFAT's tree over a circle of leaves, updated upwards from each new leaf, is the aggregate of the
    whole window, for every associative operation.""",
    remark="For commutative ones it is, where the window is as long as the circle.",
)
@evidence("exhaustive", scope="words, windows of 1 to 8, up to 20 inserts")
def flatfat_root() -> object:
    def holds(window: int, inserts: int) -> bool:
        capacity = 1 << (window - 1).bit_length()
        tree = [""] * (2 * capacity)
        for i in range(inserts):
            node = capacity + i % capacity
            tree[node] = chr(97 + i)
            while node > 1:
                node //= 2
                tree[node] = tree[2 * node] + tree[2 * node + 1]
        return tree[1] == "".join(chr(97 + i) for i in range(max(0, inserts - window), inserts))

    return smallest(((window, inserts) for window in range(1, 9) for inserts in range(1, 21)), holds)


@claim(
    "final.flatfat.space",
    source="S §2.3.2",
    kind="complexity",
    expected="refuted",
    statement="The space of FlatFAT and B-Int, 2^(ceil(log2 n) + 1), is at most 3n.",
    remark="So in the text, and in the footnote of Tables 2 to 4.",
)
@evidence("exhaustive", scope="n up to 100")
def flatfat_space() -> object:
    return smallest(range(1, 101), lambda n: 2 ** ((n - 1).bit_length() + 1) <= 3 * n)


@claim(
    "final.flatfat.space_bound",
    source="O techniques",
    kind="complexity",
    corrects="final.flatfat.space",
    statement="2^(ceil(log2 n) + 1) is below 4n, exactly 2n where n is a power of two, and comes as near to 4n as one likes.",
)
@evidence("exhaustive", scope="n up to 4097")
def flatfat_space_bound() -> object:
    def holds(n: int) -> bool:
        space = 2 ** ((n - 1).bit_length() + 1)
        power = n & (n - 1) == 0
        near = (
            4 * n - space == 4 if (n - 1) & (n - 2) == 0 and n > 2 else True
        )  # n = 2^k + 1: all but 4 cells
        return space < 4 * n and (space == 2 * n) == power and near

    return smallest(range(1, 4098), holds)


@claim(
    "final.b_int.log",
    source="S Table 2",
    kind="table",
    statement="B-Int needs O(log n) operations a slide, amortized and at worst, and O(n log n) for all ranges 1 .. n.",
    remark="At most 2 log2(n), and n log2(n).",
)
@evidence("closure", scope="n from 2 to 64 (all ranges: to 32), one steady cycle each")
def b_int_log() -> object:
    def holds(n: int) -> bool:
        single = slide("b_int", n)
        multi = slide("b_int", n, multi=True).worst if n <= 32 else 0
        return single.worst <= 2 * math.log2(n) and multi <= max(1, n * math.log2(n))

    return smallest(range(2, 65), holds)


@claim(
    "final.b_int.slower",
    source="S §2.3.2",
    kind="statement",
    expected="refuted",
    statement="B-Int is slower than FlatFAT by a constant factor: a slide of one query costs it more operations.",
    remark="Of operations, not of time: what an insert saves, the look-up pays, exactly.",
)
@evidence("closure", scope="n from 2 to 64, one steady cycle each")
def b_int_slower() -> object:
    def case(n: int) -> object:
        return {
            "n": n,
            "B-Int": str(slide("b_int", n).amortized),
            "FlatFAT": str(slide("flatfat", n).amortized),
        }

    return next(
        (case(n) for n in range(2, 65) if slide("b_int", n).amortized <= slide("flatfat", n).amortized), None
    )


# TwoStacks


@claim(
    "final.two_stacks.total",
    source="S §2.3.2",
    kind="formula",
    expected="refuted",
    statement="TwoStacks needs 3n operations for n slides, once around.",
)
@evidence("closure", scope="n up to 64, one steady cycle each")
def two_stacks_total() -> object:
    return smallest(range(1, 65), lambda n: slide("two_stacks", n).amortized == 3)


@claim(
    "final.two_stacks.counted",
    source="O techniques",
    kind="formula",
    corrects="final.two_stacks.total",
    statement="TwoStacks needs 3n - 3 operations for n slides: the flip, the first insert and the query after it cost one less.",
)
@evidence("closure", scope="n up to 64, one steady cycle each")
def two_stacks_counted() -> object:
    return smallest(range(1, 65), lambda n: slide("two_stacks", n).amortized * n == 3 * n - 3)


@claim(
    "final.two_stacks.table",
    source="S Table 2",
    kind="table",
    statement="TwoStacks needs at most 3 operations a slide amortized, and at most n at worst.",
    remark="Fewer than 3; n is reached from n = 2 on.",
)
@evidence("closure", scope="all shapes up to {size}", size=16)
@evidence("closure", scope="all shapes up to {size}", size=64, profile="full")
def two_stacks_table(size: int) -> object:
    def holds(n: int) -> bool:
        found = closure(maker("two_stacks"), n)
        return found.amortized <= 3 and found.worst["slide"] == n

    return smallest(range(2, size + 1, 1 if size < 32 else 31), holds)


@claim(
    "final.two_stacks.space",
    source="S §2.3.2",
    kind="complexity",
    statement="The two stacks together never hold more than n nodes of two values each.",
)
@evidence("exhaustive", scope="every interleaving of up to 12 inserts and evicts")
def two_stacks_space() -> object:
    from itertools import product

    from swagcore.algebra import words

    for steps in product("ie", repeat=12):
        window = technique_for("two_stacks", words)
        length = 0
        for step in steps:
            if step == "i":
                window.insert(("x",))
            elif length:
                window.evict()
            else:
                break
            length += 1 if step == "i" else -1
            state = window._state()
            nodes = sum(len(part) for part in state.values() if isinstance(part, list))
            if nodes > 2 * length:
                return {"steps": "".join(steps), "values": nodes, "length": length}
    return None


# DABA


@claim(
    "final.daba.worst",
    source="S Table 2",
    kind="table",
    statement="DABA needs at most 8 operations a slide, whatever the window's length and past; 8 are needed from n = 9 on.",
)
@evidence("closure", scope="all shapes up to 24; steady cycles from 9 to 64")
@evidence("closure", scope="all shapes up to 64; steady cycles from 9 to 64", profile="full", size=64)
def daba_worst(size: int = 24) -> object:
    found = closure(maker("daba"), size)
    if found.worst["slide"] > 8 or found.worst["insert"] + found.worst["evict"] + found.worst["query"] > 8:
        return {"size": size, "worst": found.worst}
    return smallest(range(9, 65), lambda n: slide("daba", n).worst == 8)


@claim(
    "final.daba.total",
    source="S §2.3.2",
    kind="formula",
    expected="refuted",
    statement="DABA needs 5n operations for n slides.",
)
@evidence("closure", scope="n up to 64, one steady cycle each")
def daba_total() -> object:
    return smallest(range(1, 65), lambda n: slide("daba", n).amortized == 5)


@claim(
    "final.daba.counted",
    source="O techniques",
    kind="formula",
    corrects="final.daba.total",
    statement="DABA needs 5 - 8/n operations a slide amortized for even n, and 5 - 6/(n - 1) for odd n > 1: below 5.",
)
@evidence("closure", scope="n from 2 to 64, one steady cycle each")
def daba_counted() -> object:
    return smallest(
        range(2, 65),
        lambda n: slide("daba", n).amortized == 5 - (Fraction(6, n - 1) if n % 2 else Fraction(8, n)),
    )


@claim(
    "final.chunks.minimum",
    source="S §2.3.2",
    kind="formula",
    expected="refuted",
    statement="The space 2n + 4k + 4n/k of chunked storage (DABA; the same in S §4.3.2 for SlickDeque) is least at k = sqrt(n), where it is 2n + 4 sqrt(n).",
)
@evidence("symbolic", scope="all n > 0, by sympy: the derivative's root, and the value there")
def chunks_minimum() -> object:
    root, least = chunk_minimum()
    import sympy

    n = sympy.Symbol("n", positive=True)
    claimed = 2 * n + 4 * sympy.sqrt(n)
    return (
        None
        if root == sympy.sqrt(n) and sympy.simplify(least - claimed) == 0
        else {"k": str(root), "space": str(least)}
    )


@claim(
    "final.chunks.minimum_counted",
    source="O techniques",
    kind="formula",
    corrects="final.chunks.minimum",
    statement="It is least at k = sqrt(n), where it is 2n + 8 sqrt(n).",
)
@evidence("symbolic", scope="all n > 0, by sympy: the derivative's root, and the value there")
def chunks_minimum_counted() -> object:
    import sympy

    n = sympy.Symbol("n", positive=True)
    root, least = chunk_minimum()
    right = root == sympy.sqrt(n) and sympy.simplify(least - (2 * n + 8 * sympy.sqrt(n))) == 0
    return None if right else {"k": str(root), "space": str(least)}


def chunk_minimum() -> tuple[object, object]:
    """Where 2n + 4k + 4n/k is least, and what it is there; the second derivative is positive there."""
    import sympy

    n, k = sympy.symbols("n k", positive=True)
    space = 2 * n + 4 * k + 4 * n / k
    (root,) = sympy.solve(sympy.diff(space, k), k)
    if not sympy.simplify(sympy.diff(space, k, 2).subs(k, root)).is_positive:
        raise RuntimeError("the root is no minimum")
    return root, sympy.simplify(space.subs(k, root))


# Beyond the papers


@claim(
    "final.lite.counted",
    source="O techniques",
    kind="complexity",
    statement="""TwoStacks Lite needs 3 - 4/n operations a slide amortized and n - 1 at worst, n > 1; DABA Lite 4 - 6/n for even n and
    4 - 4/(n - 1) for odd n, at worst 6 from n = 9 on, and never more.""",
)
@evidence("closure", scope="n from 2 to 64, one steady cycle each; all shapes of DABA Lite up to 24")
def lite_counted() -> object:
    if closure(maker("daba_lite"), 24).worst["slide"] > 6:
        return {"DABA Lite": closure(maker("daba_lite"), 24).worst}

    def holds(n: int) -> bool:
        two, daba = slide("two_stacks_lite", n), slide("daba_lite", n)
        mean = 4 - (Fraction(4, n - 1) if n % 2 else Fraction(6, n))
        return (
            two.amortized == 3 - Fraction(4, n)
            and two.worst == n - 1
            and daba.amortized == mean
            and (daba.worst == 6 if n >= 9 else daba.worst <= 6)
        )

    return smallest(range(2, 65), holds)
