"""What the specs say of SlickDeque (Non-Inv) on values in random order, for windows of every size.

All orders of n different values are equally likely. The deque keeps the values that no later one exceeds, and an
insert compares the new value with the kept ones from the newest on, until one exceeds it: one combine for each. The
claims' own checks run the code on all orders for small n, and compare it with the formulas of this file.
"""

from __future__ import annotations

from typing import Any

from proofs.z3_tools import proved
from swagcore.ledger import evidence

EVERY = "windows of every size"


def nonzero(facts: dict[str, Any], twins: dict[str, Any]) -> object:
    """The first of the facts, differences that should vanish, that does not; None where all do. Twins must not
    vanish."""
    import sympy

    for name, difference in twins.items():
        if sympy.simplify(sympy.expand_func(difference)) == 0:
            raise RuntimeError(f"the twin '{name}' is zero as well")
    for name, difference in facts.items():
        left = sympy.simplify(sympy.expand_func(difference))
        if left != 0:
            return {name: left}
    return None


@evidence("proof", of="slickdeque.expected", scope=EVERY + ": when two values are compared")
@evidence("proof", of="weave.omega.noninv.insert", scope=EVERY + ": when two values are compared")
def compared_where_both_exceed_what_is_between() -> object:
    """The new value meets the i-th newest of the others if that one is kept, which is where it exceeds all between
    the two, and if all kept ones between went, which is where the new value exceeds the largest between: so the two
    are the largest two of i + 1 values, in either order."""
    import z3

    new, old, between, other = z3.Ints("new old between other")
    is_kept, arrives = old > between, new > between
    top_two = z3.And(
        z3.Implies(new > old, old > between),  # the second largest
        z3.Implies(old > new, new > between),
    )
    given = [new != old, new != between, old != between]
    same = proved(z3.And(is_kept, arrives) == top_two, given=given, twin=is_kept == top_two)
    if same is not None:
        return same
    # `between` is the largest between: what exceeds it exceeds each, and the largest is one of them.
    return proved(
        z3.Implies(new > between, new > other),
        given=[other <= between],
        twin=z3.Implies(new > other, new > between),
    )


@evidence(
    "symbolic", of="slickdeque.expected", scope=EVERY + ": the sum of the chances, by sympy and by induction"
)
@evidence(
    "symbolic",
    of="weave.omega.noninv.insert",
    scope=EVERY + ": the sum of the chances, by sympy and by induction",
)
def the_mean_cost_is_a_telescope() -> object:
    """Two given values are the largest two in 2! (i - 1)! of (i + 1)! orders: 2 / (i (i + 1)). In a window of n,
    with its oldest gone, i runs from 1 to n - 1. The sum by sympy, and once more by induction on n: nothing for n =
    1, one more chance a step."""
    import sympy

    i, n = sympy.symbols("i n", integer=True, positive=True)
    orders = 2 * sympy.factorial(i - 1) / sympy.factorial(i + 1)
    chance = 2 / (i * (i + 1))
    mean = lambda n: 2 - 2 / n
    return nonzero(
        {
            "the chance": sympy.combsimp(orders / chance) - 1,
            "base": mean(sympy.Integer(1)),
            "step": mean(n + 1) - mean(n) - chance.subs(i, n),
            "sum": sympy.summation(chance, (i, 1, n - 1)) - mean(n),
        },
        {
            "one term more": sympy.summation(chance, (i, 1, n)) - mean(n),
            "2 - 1/n": (2 - 1 / (n + 1)) - (2 - 1 / n) - chance.subs(i, n),
        },
    )


@evidence("induction", of="slickdeque.full_chance", scope=EVERY)
def full_where_values_fall() -> object:
    """Full means that no insert throws any out. Base: the first one is kept. Step: n nodes of the n values so far,
    which fall, so that the last is the smallest; a new one throws none out just where it does not exceed the last;
    else a node is lost for good. So a window is full in one order of n!, the falling one."""
    import z3

    new, last, kept, n, out = z3.Ints("new last kept n thrown_out")
    # What is thrown out is at least the last one where the new value exceeds it, else none.
    given = [n >= 1, kept <= n, kept >= 1, new != last, out >= 0, out <= kept, (out >= 1) == (new > last)]
    full = kept - out + 1 == n + 1
    return proved(full == z3.And(kept == n, new < last), given=given, twin=full == (kept == n))


@evidence("proof", of="slickdeque.chance", scope=EVERY + ": which steps are the worst")
def worst_steps() -> object:
    """Before the insert there are n - 1 values, of which d are kept, falling; t of these are thrown out, and one
    more is looked at where one is left. That is n - 1 operations just where all n - 1 are kept and at most one of
    them exceeds the new value."""
    import z3

    n, d, t = z3.Ints("n d t")
    given = [n >= 2, d >= 1, d <= n - 1, t >= 0, t <= d]
    cost = t + z3.If(t < d, 1, 0)
    worst = z3.And(d == n - 1, d - t <= 1)
    most = proved(cost <= n - 1, given=given, twin=cost < n - 1)
    return (
        most
        if most is not None
        else proved((cost == n - 1) == worst, given=given, twin=(cost == n - 1) == (d == t))
    )


@evidence("symbolic", of="slickdeque.chance", scope=EVERY + ": 1 / (n - 1)! times 2 / n")
def two_in_n_factorial() -> object:
    """Of the orders of the values before the newest one of (n - 1)! falls; the newest is as likely of each of n
    ranks, whatever that order is, and two of them, the largest and the second largest, leave at most one that
    exceeds it."""
    import sympy

    n = sympy.symbols("n", integer=True, positive=True)
    chance = 1 / sympy.factorial(n - 1) * 2 / n
    return nonzero(
        {"2 in n!": sympy.combsimp(chance * sympy.factorial(n)) - 2},
        {"1 in n!": sympy.combsimp(chance * sympy.factorial(n)) - 1},
    )


@evidence("induction", of="slickdeque.panes_smaller_counted", scope=EVERY)
@evidence("induction", of="weave.omega.noninv.length.counted", scope=EVERY)
def one_older_value() -> object:
    """Put one value before n - 1 others: it is kept where it exceeds all of them, in 1 of the n ranks it may have,
    and the others are kept as before, since only later values count. So orders by the number of kept values, as a
    polynomial in x, get the factor x + n - 1; on x^k that is c(n, k) = c(n - 1, k - 1) + (n - 1) c(n - 1, k), the
    recurrence of the Stirling numbers of the first kind, and the base is one order of no value. The mean is P'(1) /
    P(1): it grows by 1/n a step, from 0, as 1 + 1/2 + ... + 1/n does."""
    import sympy

    n, k, x = sympy.symbols("n k x", integer=True, positive=True)
    a, b, p, slope = sympy.symbols("c_before_k_less_1 c_before_k p slope", positive=True)
    # Coefficient of x^k of (a x^(k-1) + b x^k) (x + n - 1).
    product = sympy.expand((a * x ** (k - 1) + b * x**k) * (x + n - 1), power_exp=False)
    found = sympy.expand(sympy.powsimp(sympy.expand(product / x**k))).coeff(x, 0)
    # P_n = (x + n - 1) P_(n-1): at x = 1 the value is n p, and the derivative p + n slope, p and slope those of
    # P_(n-1).
    mean = (p + n * slope) / (n * p)
    before = sympy.Function("P")(x)
    derivative = sympy.diff((x + n - 1) * before, x)
    at_one = derivative.subs(sympy.Derivative(before, x), slope).subs(before, p).subs(x, 1)
    wrong = nonzero(
        {
            "the recurrence": found - (a + (n - 1) * b),
            "the derivative": at_one - (p + n * slope),
            "the mean": mean - slope / p - 1 / n,
        },
        {"another recurrence": found - (a + n * b), "another mean": mean - slope / p - 1 / (n + 1)},
    )
    return wrong if wrong is not None else _kept_as_the_recurrence_says()


def _kept_as_the_recurrence_says() -> object:
    """The model against sympy's own numbers: products of x + n - 1 for n up to 12."""
    import sympy
    from sympy.functions.combinatorial.numbers import stirling

    x = sympy.symbols("x")
    polynomial = sympy.Poly(1, x)
    for n in range(1, 13):
        polynomial = polynomial * sympy.Poly(x + n - 1, x)
        for k in range(1, n + 1):
            if polynomial.nth(k) != stirling(n, k, kind=1):
                return {"n": n, "k": k}
    return None
