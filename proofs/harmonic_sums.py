"""What specs/edges.py says of sums of 1/k and logarithms, for every k.

An inequality between a sum and a logarithm is that of one term, summed: term(x) > 0 for x >= 1. It is shown as in a
calculus book: term tends to 0 and its derivative, a quotient of polynomials, is negative, so that term falls
towards 0 and stays above it. The signs of polynomials are by their coefficients.
"""

from __future__ import annotations

from typing import Any

from proofs.substreams import positive
from proofs.z3_tools import proved
from swagcore.ledger import evidence


def falls_to_zero(term: Any, x: Any) -> object:
    """None where term(x) is shown to be positive for all x >= 1; else what was in the way."""
    import sympy

    limit = sympy.limit(term, x, sympy.oo)
    if limit != 0:
        return {"limit": limit}
    above, below = sympy.fraction(sympy.together(sympy.diff(term, x)))
    if positive(sympy.expand(below), x=1) is not None:
        above, below = -above, -below
    bad = positive(sympy.expand(below), x=1) or positive(sympy.expand(-above), x=1)
    return None if bad is None else {"not of one sign": bad}


@evidence(
    "symbolic", of="edges.s_harmonic", scope="all k; Euler's constant is the limit of the sum less ln k"
)
def error_of_the_harmonic_sum() -> object:
    """e_k = H_k - ln k - gamma tends to 0, that being what gamma is. So e_k is the sum of e_j - e_(j+1) = ln(1 +
    1/j) - 1/(j + 1) over j >= k, and 1/(2k) and 1/(2k + 1) are sums of their differences too: it is enough to
    compare term by term. That gamma is 0.5772... is in the claim's own check, in intervals."""
    import sympy

    x = sympy.Symbol("x")
    real = sympy.Symbol("x", positive=True)
    step = sympy.log(real + 1) - sympy.log(real) - 1 / (real + 1)
    below = lambda bound: (bound - bound.subs(real, real + 1)) - step  # positive: e_k is below the bound
    for name, term in {
        "below 1/(2k)": below(1 / (2 * real)),
        "above 1/(2k + 1)": -below(1 / (2 * real + 1)),
    }.items():
        found = falls_to_zero(term.subs(real, x), x)
        if found is not None:
            return {name: found}
    if falls_to_zero(below(1 / (2 * real + 1)).subs(real, x), x) is None:
        raise RuntimeError("the twin, that it is below 1/(2k + 1), came out true as well")
    return None


@evidence(
    "symbolic",
    of="edges.reciprocals",
    scope="all different slides: a term, 1/j > ln(j + 1) - ln j, for all j",
)
def a_reciprocal_exceeds_its_logarithm() -> object:
    """Summed over j = max - n + 1 .. max the logarithms leave ln(max + 1) - ln(max - n + 1)."""
    import sympy

    x = sympy.Symbol("x")
    found = falls_to_zero(1 / x - sympy.log(x + 1) + sympy.log(x), x)
    if found is not None:
        return found
    if falls_to_zero(1 / (x + 1) - sympy.log(x + 1) + sympy.log(x), x) is None:
        raise RuntimeError("the twin, 1/(j + 1) > ln(j + 1) - ln j, came out true as well")
    n, top = sympy.symbols("n max", positive=True)
    total = lambda n: sympy.log(top + 1) - sympy.log(top - n + 1)
    j = top - n  # the term that n + 1 slides have and n have not
    step = sympy.expand(total(n + 1) - total(n) - (sympy.log(j + 1) - sympy.log(j)))
    return None if step == 0 and total(sympy.Integer(0)) == 0 else {"the sum": step}


@evidence(
    "induction",
    of="edges.reciprocals",
    scope="all different slides: the largest ones that there can be have the least sum",
)
def different_slides_go_down() -> object:
    """Of different slides up to max, from the largest on, the i-th is at most max - i + 1. Base: the first. Step:
    the next is smaller by one at least. So its reciprocal is at least that of max - i + 1."""
    import z3

    top, i, slide, following = z3.Ints("max i slide next")
    base = proved(slide <= top - 1 + 1, given=[slide <= top, slide >= 1], twin=slide <= top - 1)
    if base is not None:
        return base
    step = proved(
        following <= top - (i + 1) + 1,
        given=[i >= 1, slide <= top - i + 1, following < slide, following >= 1],
        twin=following <= top - (i + 1),
    )
    if step is not None:
        return step
    x, y = z3.Reals("x y")
    return proved(1 / x >= 1 / y, given=[x > 0, y >= x], twin=1 / x > 1 / y)
