"""What specs/weave.py says of FlatFAT's operations a slide, for windows of every size n: h(n) = (k - 1 + n / 2^k) /
2, 2^k <= n < 2^(k+1).

A level is known by its width w = 2^j. At each level an insert and a query take one combine or none; how many of the
2 w places of the circle take one is counted, and summed over the levels. That w is a power of two is used in the
sum only. The code's own operations are compared with this, place by place, for small windows.
"""

from __future__ import annotations

from proofs.coverage import first_failure
from proofs.z3_tools import proved
from swagcore.aggregators.flatfat import FlatFat
from swagcore.algebra.wrappers import Counting, intervals
from swagcore.ledger import evidence

EVERY = "windows of every size"


def insert_combines(p: int, n: int, w: int) -> bool:
    """Whether the insert at position p combines two nodes of w leaves: p is in the right one of the two, and they
    begin inside the window."""
    return p % (2 * w) >= w and p - p % (2 * w) >= p - n + 1


def query_combines(l: int, n: int, w: int) -> bool:
    """Whether the query over n partials from position l on takes a node of w leaves beside others: the first block
    at or after l is odd, and is followed by another."""
    first, after = -(-l // w), -(-(l + n) // w)
    return first % 2 == 1 and after - first >= 2


@evidence(
    "proof",
    of="weave.omega.flatfat.counted",
    scope=EVERY + ": the places of the circle that take a combine, level by level",
)
def places_of_a_level() -> object:
    """Of 2 w places in a row: w where 2 w <= n, n - w where w <= n < 2 w, none where n < w; for inserts and for
    queries alike."""
    import z3

    p, l, n, w, a, rest, y = z3.Ints("p l n w a rest y")
    # Inserts: p = a * 2w + rest. The places are rest = w .. min(2w, n) - 1.
    block = a * (2 * w)
    in_place = z3.And(rest >= w, block >= p - n + 1)
    inserts = lambda: proved(
        in_place == z3.And(rest >= w, rest <= n - 1),
        given=[w >= 1, n >= 1, p == block + rest, rest >= 0, rest < 2 * w],
        twin=in_place == (rest >= w),
    )
    # Queries: the first block at or after l is block 2a + 1, l = (2a + 1) w - y, 0 <= y < w. It is followed by
    # another one where l + n goes beyond
    # the end of it, (2a + 2) w. The places are y = 0 .. min(w, n - w) - 1.
    followed = l + n > (2 * a + 2) * w
    queries = lambda: proved(
        followed == (y < n - w),
        given=[w >= 1, n >= 1, l == (2 * a + 1) * w - y, y >= 0, y < w],
        twin=followed == (y < n),
    )
    # So many are those, of either kind.
    least = lambda x, y: z3.If(x < y, x, y)
    count = z3.If(2 * w <= n, w, z3.If(w <= n, n - w, 0))
    most = lambda x: z3.If(x > 0, x, 0)
    same = lambda: proved(
        z3.And(most(least(2 * w, n) - w) == count, most(least(w, n - w)) == count),
        given=[w >= 1, n >= 1],
        twin=most(least(2 * w, n)) == count,
    )
    # ceil((l + n) / w) >= 2a + 3 is l + n > (2a + 2) w: c is the ceiling where (c - 1) w < x <= c w.
    c, x, d = z3.Ints("c x d")
    ceiling = lambda: proved(
        (c >= d + 1) == (x > d * w),
        given=[
            w >= 1,
            (c - 1) * w < x,
            x <= c * w,
            z3.Implies(c >= d + 1, (c - 1) * w >= d * w),
            z3.Implies(c <= d, c * w <= d * w),
        ],
        twin=(c >= d) == (x > d * w),
    )
    monotone = lambda: proved(
        z3.Implies(c <= d, c * w <= d * w), given=[w >= 1], twin=c * w <= d * w, seconds=20
    )
    return first_failure(inserts, queries, same, monotone, ceiling)


@evidence("symbolic", of="weave.omega.flatfat.counted", scope=EVERY + ": the sum over the levels, by sympy")
def half_a_combine_a_level() -> object:
    """w of 2 w for the widths 1, 2, ..., 2^(k-1), and n - 2^k of 2^(k+1) for 2^k."""
    import sympy

    n = sympy.symbols("n", positive=True)
    j, k = sympy.symbols("j k", integer=True, nonnegative=True)
    whole = sympy.summation(sympy.Integer(2) ** j / 2 ** (j + 1), (j, 0, k - 1))
    total = whole + (n - 2**k) / 2 ** (k + 1)
    formula = (k - 1 + n / 2**k) / 2
    if sympy.simplify(total - (k + n / 2**k) / 2) == 0:
        raise RuntimeError("the twin came out true as well")
    difference = sympy.simplify(total - formula)
    return None if difference == 0 else {"difference": difference}


@evidence(
    "exhaustive",
    of="weave.omega.flatfat.counted",
    scope="the model against the code: each insert and query of windows up to 20, 64 places",
)
def model_and_code_combine_alike() -> object:
    widths = [1 << j for j in range(6)]
    for n in range(1, 21):
        counting = Counting(intervals)
        window = FlatFat(counting.aggregate)
        for p in range(n + 64):
            if len(window) == n:
                window.evict()
            counting.reset()
            window.insert((p, p + 1))
            if counting.combines != sum(insert_combines(p, min(n, p + 1), w) for w in widths):
                return {"window": n, "insert at": p, "combines": counting.combines}
            for asked in range(1, len(window) + 1):
                counting.reset()
                window.query(asked)
                if counting.combines != sum(query_combines(p - asked + 1, asked, w) for w in widths):
                    return {"window": n, "newest": p, "query": asked, "combines": counting.combines}
    return None
