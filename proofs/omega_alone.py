"""What specs/weave.py says of Omega as counted for one query on its own, for all ranges and slides."""

from __future__ import annotations

from typing import Any

from swagcore.ledger import evidence


@evidence(
    "symbolic",
    of="weave.omega.panes.single",
    scope="all ranges and slides, each slicing: the formula, with the numbers of slices that slicing.* proves",
)
def omega_is_combines_an_edge() -> object:
    """With range = q * slide + rest. The code's formula: b E + a slices, b = (q + others) * slide, a = own_of_rest
    - own * others, where `others` spreads other windows' edges over the times left, and E * Omega = (b E + a - 1) /
    slide. Alone, E = own / slide, and the `others` cancel: so it is one less than the slices of an instance, once a
    slide. Those are 2q + 1 for pairs, q + 1 for Cutty, range / gcd for panes where a rest is left
    (slicing.pairs.rest and so on), and a fold of n partials takes n - 1 combines. Where every time is an edge, or
    no rest is left, b is the range and a is 0, and the slices are E * range."""
    import sympy

    q, s, g, rest, others = sympy.symbols("q slide g rest others", positive=True)
    span = q * s + rest

    def a_slide(b: Any, a: Any, own: Any) -> Any:
        """Combines a slide by the formula: slide * E * Omega, Omega = b / slide - (1 - a) / slide / E."""
        rate = own / s
        return s * rate * (b / s - (1 - a) / s / rate)

    def by_formula(own: Any, own_of_rest: Any, others: Any = others) -> Any:
        return a_slide((q + others) * s, own_of_rest - own * others, own)

    facts = {
        "pairs": by_formula(2, 1) - (2 * q + 1 - 1),
        "cutty": by_formula(1, 1) - (q + 1 - 1),
        "panes": by_formula(s / g, rest / g) - (span / g - 1),
        "no rest": a_slide(q * s, 0, 1) - (q - 1),
        "every time an edge": a_slide(span, 0, s) - (span - 1),
    }
    if sympy.simplify(by_formula(2, 1) - (2 * q + 1)) == 0:
        raise RuntimeError("the twin came out true as well")
    return next(({name: value} for name, value in facts.items() if sympy.simplify(value) != 0), None)
