"""What specs/laws.py says of plain sums of floats, for any number of them and every grouping. After Jeannerod and
Rump (2013).

One addition of two floats, to the nearest, without overflow: its error is at most u |a + b|, and at most |a| and
|b|, since b and a are floats themselves and no float is nearer to the sum than the one that is returned. The rest
is by induction over the grouping.
"""

from __future__ import annotations

from proofs.z3_tools import proved
from swagcore.ledger import evidence


@evidence(
    "induction",
    of="laws.fast_sum.bound",
    scope="any number of floats, every grouping; given the error of one addition",
)
def one_more_addition() -> object:
    """Base: one float has no error. Step: k values whose absolute values sum to A, and l to B, have errors of at
    most (k - 1) u A and (l - 1) u B; so the addition may add l u A + k u B. One of three cases applies: B <= u A,
    where |b| is small enough; A <= u B; or neither, where u |a + b| is."""
    import z3

    u, k, l, size_a, size_b, a, error, total_a = z3.Reals("u k l A B a error sum_a")
    least = [u > 0, u <= 1, k >= 1, l >= 1, size_a >= 0, size_b >= 0]
    # |sum_a| <= A, |a - sum_a| <= (k - 1) u A, so |a| <= A + (k - 1) u A.
    magnitude = z3.Real("|b|")
    bound = lambda n, size: size + (n - 1) * u * size
    absolute = lambda x: z3.If(x >= 0, x, -x)
    product_a = z3.Real("(k-1)uA")
    reach = proved(
        absolute(a) <= size_a + product_a,
        given=[absolute(total_a) <= size_a, absolute(a - total_a) <= product_a, size_a >= 0, product_a >= 0],
        twin=absolute(a) <= size_a,
    )
    if reach is not None:
        return reach
    allowed = l * u * size_a + k * u * size_b
    # Where B <= u A: the error is at most |b| <= B + (l - 1) u B. Where A <= u B, it is the same with the names
    # exchanged.
    small = proved(
        magnitude <= allowed,
        given=[*least, size_b <= u * size_a, magnitude <= bound(l, size_b)],
        twin=magnitude <= size_b,
        seconds=20,
    )
    if small is not None:
        return small
    # Where neither is below u times the other: u |a + b| <= u (A + B + (k - 1) u A + (l - 1) u B), u A < B and u B
    # < A.
    large = proved(
        error <= allowed,
        given=[
            *least,
            u * size_a < size_b,
            u * size_b < size_a,
            error <= u * (bound(k, size_a) + bound(l, size_b)),
        ],
        twin=error <= u * (size_a + size_b),
        seconds=20,
    )
    if large is not None:
        return large
    n1, n2 = (k - 1) * u * size_a, (l - 1) * u * size_b
    return proved(
        n1 + n2 + allowed == (k + l - 1) * u * (size_a + size_b),
        given=least,
        twin=n1 + n2 + allowed == (k + l) * u * (size_a + size_b),
        seconds=20,
    )
