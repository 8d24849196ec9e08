"""What specs/coverage_costs.py says of recurrences and of what factor windows change, for all integers and any
number of windows."""

from __future__ import annotations

from types import SimpleNamespace

from proofs.coverage import ALL, first_failure
from proofs.z3_tools import proved
from swagcore.coverage.cost import recurrences
from swagcore.ledger import evidence


@evidence("symbolic", of="coverage.eq1_middle_corrected", scope="all numbers but r, s = 0")
def middle_of_equation_1() -> object:
    import sympy

    r, s, period = sympy.symbols("r s R", nonzero=True)
    first = 1 + (period - r) / s
    if sympy.simplify(first - (1 + (period / r - 1) * s / r)) == 0:
        raise RuntimeError("the twin, with s / r, came out true as well")
    difference = sympy.simplify(first - (1 + (period / r - 1) * r / s))
    return None if difference == 0 else {"difference": difference}


@evidence("proof", of="coverage.tumbling_count", scope=ALL + "; and `recurrences` itself run on symbols")
def tumbling_windows_tile_the_period() -> object:
    """Instance i of a tumbling window is in a period of m ranges just where 0 <= i < m; so m = R / r of them, that
    read r times each of m * r = R."""
    import sympy
    import z3

    r, m, i = z3.Ints("r m i")
    products = [z3.Implies(i <= m - 1, (i + 1) * r <= m * r), z3.Implies(i >= m, (i + 1) * r >= m * r + r)]
    monotone = lambda: proved(z3.And(*products), given=[r >= 1], twin=(i + 1) * r <= m * r, seconds=20)
    fits = i * r + r <= m * r
    counted = lambda: proved(
        fits == (i <= m - 1), given=[r >= 1, m >= 1, i >= 0, (i + 1) * r == i * r + r, *products], twin=fits
    )
    size, times = sympy.symbols("r m", integer=True, positive=True)
    found = sympy.simplify(recurrences(SimpleNamespace(range=size, slide=size), times * size))
    if found != times:
        return {"recurrences": found}
    return first_failure(monotone, counted)


@evidence("induction", of="coverage.eq3_corrected", scope="any number of windows below")
def the_change_is_the_difference() -> object:
    """The cost with the factor window less that without it is what Equation 2 adds up (`change`). Base: no window
    below, and what the factor window costs itself. Step: one window more, n times with multiplier m_f from the
    factor window, m_w from the other. So the signs are the same."""
    import z3

    with_it, without, change, n, m_f, m_w, own = z3.Ints("with without change n m_f m_w own")
    base = lambda: proved(
        with_it - without == change,
        given=[with_it == own, without == 0, change == own],
        twin=with_it - without == 2 * change,
    )
    step = lambda: proved(
        (with_it + n * m_f) - (without + n * m_w) == change + n * (m_f - m_w),
        given=[with_it - without == change, n >= 1, m_f >= 1, m_w >= 1],
        twin=(with_it + n * m_f) - (without + n * m_w) == change,
    )
    signs = lambda: proved(
        z3.And((with_it < without) == (change < 0), (with_it > without) == (change > 0)),
        given=[with_it - without == change],
        twin=(with_it < without) == (change <= 0),
    )
    return first_failure(base, step, signs)
