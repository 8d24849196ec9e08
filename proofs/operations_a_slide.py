"""What the specs say of operations a slide of FlatFIT, SlickDeque (Inv) and FlatFAT, for windows of every size.

The structures are modelled by what decides the operations: FlatFIT by its pointers, SlickDeque (Inv) by the ranges
that have an answer. The claims' own checks count the operations of the code for small windows, and compare them
with the same formulas.
"""

from __future__ import annotations

from typing import Any

from proofs.coverage import first_failure
from proofs.z3_tools import proved
from swagcore.ledger import evidence

EVERY = "windows of every size"


@evidence(
    "induction",
    of="weave.omega.flatfit.counted",
    scope=EVERY + ": n + 1 slides from a reset to the next, pointer by pointer",
)
def flatfit_between_resets() -> object:
    """Base: a window that was filled by inserts has single steps only, so its first query is a reset, as is every
    query that finds it so. A reset leaves all pointers at the end of the window, e. After j more slides those
    before e still go to e, that of e goes to e + j, the end, and the others go to the next position. So the walk of
    slide j, from the head e - n + j on, is head, e, newest for 1 < j < n; where j = 1 the newest is e, and where j
    = n the head is. A walk of k positions takes k - 1 combines, and lengthens the pointers of all but the last to
    the end."""
    import z3

    n, e, j, i = z3.Ints("n e j i")
    before = lambda i: z3.If(
        i < e, e, z3.If(i == e, z3.If(j == 1, e + 1, e + j - 1), i + 1)
    )  # newest inserted
    end, head, newest = e + j, e - n + j, e + j - 1
    slide = [n >= 2, j >= 1]
    shape = lambda i: z3.If(i < e, e, z3.If(i == e, end, i + 1))
    lengthened = lambda *walked: z3.If(z3.Or(*(i == place for place in walked)), end, before(i))
    rest = [i > head, i < end]  # what the head's pointer is does not matter any more: it goes first

    def kept(*walked: Any, given: list[Any]) -> Any:
        return lambda: proved(
            lengthened(*walked) == shape(i), given=[*slide, *rest, *given], twin=lengthened(*walked) == end
        )

    first = lambda: proved(
        z3.And(before(head) == e, e == newest, before(e) == end),
        given=[*slide, j == 1],
        twin=before(head) == end,
    )
    middle = [j > 1, j < n]
    between = lambda: proved(
        z3.And(before(head) == e, before(e) == newest, e != newest, before(newest) == end),
        given=[*slide, *middle],
        twin=before(e) == end,
    )
    last = lambda: proved(
        z3.And(head == e, before(head) == newest, before(newest) == end),
        given=[*slide, j == n],
        twin=head < e,
    )
    # Then the head is e + 1, and every step is a single one: a walk over all n positions, a reset.
    single = lambda: proved(
        before(i) == i + 1, given=[*slide, j == n + 1, i >= head, i < end], twin=before(i) == end
    )
    shapes = [kept(head, given=[j == 1]), kept(head, e, given=middle), kept(e, given=[j == n])]
    return first_failure(first, between, last, single, *shapes)


@evidence("symbolic", of="weave.omega.flatfit.counted", scope=EVERY + ": the operations of a cycle, summed")
def flatfit_of_a_cycle() -> object:
    """n - 1 for the reset, 1, n - 2 times 2, and 1, in n + 1 slides; below 3, and below 2 just where n < 5."""
    import sympy
    import z3

    n = sympy.symbols("n", positive=True)
    a_slide = 3 * (n - 1) / (n + 1)
    total = lambda twos: ((n - 1) + 1 + 2 * twos + 1) / (1 + 1 + (n - 2) + 1)
    if sympy.simplify(total(n - 1) - a_slide) == 0:
        raise RuntimeError("the twin came out true as well")
    difference = sympy.simplify(total(n - 2) - a_slide)
    if difference != 0:
        return {"difference": difference}
    size = z3.Int("n")
    sides = z3.And(3 * (size - 1) < 3 * (size + 1), (3 * (size - 1) < 2 * (size + 1)) == (size < 5))
    return proved(sides, given=[size >= 1], twin=3 * (size - 1) < 2 * (size + 1))


@evidence(
    "induction", of="weave.omega.flatfit.max_multi.counted", scope=EVERY + ", ranges asked in any order"
)
def flatfit_of_all_ranges() -> object:
    """After a slide all pointers go to the end, e. Base: one position, whose pointer does. Step: the newest, at e,
    goes to e + 1; the query from another position walks there in one step and then to the end, whatever was asked
    before it: one combine, and its pointer goes to the end. That from e itself takes none: n - 1 in all."""
    import z3

    e, i, asked = z3.Int("e"), z3.Int("i"), z3.Bool("asked_already")
    pointer = z3.If(i == e, e + 1, z3.If(asked, e + 1, e))  # in the course of the slide, position i
    walk = lambda: proved(
        z3.Implies(z3.Not(asked), z3.And(pointer == e, pointer < e + 1)), given=[i < e], twin=pointer == e
    )
    newest = lambda: proved(pointer == e + 1, given=[i == e], twin=pointer == e)
    after = lambda: proved(pointer == e + 1, given=[asked, i <= e], twin=pointer == i + 1)
    n, k, combines = z3.Ints("n k combines")
    # By induction on the ranges asked: 1 .. k take k - 1.
    count = lambda: proved(
        combines + z3.If(k + 1 == 1, 0, 1) == (k + 1) - 1,
        given=[k >= 0, combines == z3.If(k == 0, 0, k - 1), n >= k],
        twin=combines + 1 == (k + 1) - 1,
    )
    return first_failure(walk, newest, after, count)


@evidence("induction", of="weave.omega.inv.counted", scope=EVERY + " above 1, any set of ranges up to it")
@evidence("induction", of="weave.omega.inv.single", scope=EVERY + " above 1: the case of one range")
def slickdeque_inv_of_a_slide() -> object:
    """n is the largest range and the length of the window. Invariant: the ranges below the length have an answer of
    their own. Evict: where n - 1 has one, that is the total; else one inverse. Insert: a combine for the total, two
    operations for each answer there is, and an inverse where n - 1 is a range."""
    import z3

    n, x, ranges = z3.Ints("n x ranges")
    is_range = z3.Function("is_range", z3.IntSort(), z3.BoolSort())
    has = lambda length: z3.And(is_range(x), x < length)
    evicted = z3.And(has(n), x != n - 1)
    inserted = z3.Or(evicted, z3.And(x == n - 1, is_range(n - 1)))
    evict = lambda: proved(evicted == has(n - 1), twin=evicted == has(n))
    insert = lambda: proved(inserted == has(n), twin=inserted == has(n + 1))
    # Answers before: all ranges but n.
    next_below = is_range(n - 1)
    one = z3.If(next_below, 1, 0)
    answers = ranges - 1 - one
    given = [n >= 2, ranges >= 1, z3.Implies(next_below, ranges >= 2)]
    operations = z3.If(next_below, 0, z3.If(n - 1 > 0, 1, 0)) + 1 + 2 * answers + one
    counted = lambda: proved(operations == 2 * ranges - 2 * one, given=given, twin=operations == 2 * ranges)
    single = lambda: proved(operations == 2, given=[*given, ranges == 1], twin=operations == 1)
    return first_failure(evict, insert, counted, single)


@evidence(
    "symbolic",
    of="final.flatfat.multi_counted",
    scope=EVERY + " that is a power of two: nodes counted by the arcs that use them",
)
def flatfat_of_all_arcs() -> object:
    """A node is used for an arc of the circle that contains its leaves, and not all those of its parent. Of the
    arcs of w leaves, w - b + 1 contain b leaves in a row; w is below n, as the root answers for all. There are n /
    2^j nodes of 2^j leaves; an arc takes one operation less than nodes; the update takes log2 n."""
    import sympy

    n, b, w, size = sympy.symbols("n b w size", integer=True, positive=True)
    j, k = sympy.symbols("j k", integer=True, nonnegative=True)
    containing = (n - b) * (n - b + 1) / 2
    by_width = sympy.summation(w - b + 1, (w, b, n - 1))
    if sympy.expand(by_width - containing) != 0:
        return {"arcs that contain b leaves": sympy.expand(by_width - containing)}
    used = sympy.expand(
        (containing.subs(b, size) - containing.subs(b, 2 * size)) / size
    )  # n / size nodes, a place of n
    # Summed over sizes 1, 2, ..., 2^(k-1) term by term: a power of the size makes a geometric series, with sum 2^k
    # = n.
    powers = {1: n - 1, 0: k, -1: 2 - 2 / n}
    for exponent, total in powers.items():
        series = sympy.summation(sympy.Integer(2) ** (exponent * j), (j, 0, k - 1))
        if sympy.simplify(series - total.subs(n, 2**k)) != 0:
            return {"series": exponent}
    nodes = sum(used.coeff(size, exponent) * total for exponent, total in powers.items())
    if sympy.expand(used - sum(used.coeff(size, exponent) * size**exponent for exponent in powers)) != 0:
        return {"other powers in": used}
    operations = k + nodes - (n - 1)
    formula = n * k - sympy.Rational(5, 2) * n + sympy.Rational(3, 2) * k + sympy.Rational(5, 2)
    if sympy.expand(operations - (formula + n + k)) == 0:
        raise RuntimeError("the twin, the formula as printed, came out true as well")
    difference = sympy.expand(operations - formula)
    return None if difference == 0 else {"difference": difference}


@evidence(
    "induction", of="final.flatfat.multi_counted", scope=EVERY + " that is a power of two: at most n log2 n"
)
def flatfat_stays_below_its_bound() -> object:
    """5n - 3k - 5 >= 0 for n = 2^k: 0 for k = 0, and a step adds 5n - 3."""
    import z3

    n, k = z3.Ints("n k")
    less = lambda n, k: 5 * n - 3 * k - 5
    base = lambda: proved(less(n, k) == 0, given=[n == 1, k == 0], twin=less(n, k) > 0)
    step = lambda: proved(
        less(2 * n, k + 1) >= 0,
        given=[n >= 1, k >= 0, less(n, k) >= 0],
        twin=less(2 * n, k + 1) >= less(n, k) + 3,
    )
    return first_failure(base, step)
