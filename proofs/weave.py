"""The arithmetic of C Theorem 1 and Lemma 1, for all reals, and of the cost formulas; specs/weave.py has the boxes.

Edge rates are reals with what is always true of them (`always`): a union has no fewer edges than its parts, and no more than both.
That they are so, and that the savings are these terms of them, is checked on the code, in the same claims.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from proofs.z3_tools import proved
from specs.weave import asked, edge_rate, slide_sets, tumbling
from swagcore.cost import CostModel
from swagcore.ledger import by_size, evidence, smallest
from swagcore.windows import Window

REALS = "all edge rates, all sizes of S, all lambda as allowed"


def lemma_1() -> tuple[dict[str, Any], list[Any]]:
    """The terms of C Lemma 1, and what is given of them: |S| is k, b_ij the edge rates, k of queries a tree's Omega."""
    import z3

    names = "rate e_a e_b e_ab e_c e_rest e_all k"
    terms = dict(zip(names.split(), z3.Reals(names), strict=True))
    rate, e_a, e_b, e_ab, e_c, e_rest, e_all, k = terms.values()
    always = [
        e_a > 0, e_b > 0, e_c > 0, k >= 2,
        e_ab >= e_a, e_ab >= e_b, e_ab <= e_a + e_b,
        e_all >= e_rest, e_all >= e_c, e_all >= e_ab, e_all <= e_rest + e_c,
        rate >= 2 * e_ab,
    ]  # fmt: skip
    terms["pair"] = rate + e_a + e_b - 2 * e_ab
    terms["into_tree"] = rate + (k - 1) * e_rest + e_c - k * e_all
    return terms, always


@evidence("proof", of="weave.lemma1", scope=REALS)
def lemma_1_for_all_reals() -> object:
    terms, always = lemma_1()
    return proved(
        2 * terms["pair"] >= terms["into_tree"], given=always, twin=terms["pair"] >= terms["into_tree"]
    )


@evidence("proof", of="weave.lemma1", scope=REALS + ", step by step as printed")
def lemma_1_as_printed() -> object:
    """The three inequalities of its proof, each from those before it."""
    t, always = lemma_1()
    steps = [
        t["rate"] + t["e_all"] >= t["e_c"] + 2 * t["e_ab"],
        t["rate"] + 2 * (t["e_a"] + t["e_b"]) - 4 * t["e_ab"] >= t["e_c"] - t["e_all"],
        2 * t["pair"] >= t["into_tree"],
    ]
    twins = [
        t["rate"] >= t["e_c"] + 2 * t["e_ab"],
        t["rate"] + (t["e_a"] + t["e_b"]) - 4 * t["e_ab"] >= t["e_c"] - t["e_all"],
        t["pair"] >= t["into_tree"],
    ]
    for step, twin in zip(steps, twins, strict=True):
        found = proved(step, given=always, twin=twin)
        if found is not None:
            return found
        always.append(step)
    return None


@evidence(
    "exhaustive",
    of="weave.lemma1",
    scope="the terms of the proof are those of the code: sets of two to four slides up to 8",
)
def lemma_1_is_about_the_code() -> object:
    """What is given in `lemma_1` is true of edge rates, and its savings are those that the cost model gives."""

    def holds(slides: tuple[int, ...], extra: int) -> bool:
        queries = tumbling(*slides)
        rate = 2 * max(edge_rate(list(pair)) for pair in combinations(queries, 2)) + extra
        model = CostModel(rate, omega="paper")
        e_all, k = edge_rate(queries), len(queries)
        for a, b in combinations(queries, 2):
            e_a, e_b, e_ab = edge_rate([a]), edge_rate([b]), edge_rate([a, b])
            pair = model.plan_cost([[a], [b]]) - model.plan_cost([[a, b]])
            if pair != rate + e_a + e_b - 2 * e_ab or not max(e_a, e_b) <= e_ab <= min(e_a + e_b, e_all):
                return False
        for c in queries:
            rest = [query for query in queries if query is not c]
            e_c, e_rest = edge_rate([c]), edge_rate(rest)
            into_tree = model.plan_cost([rest, [c]]) - model.plan_cost([queries])
            if into_tree != rate + (k - 1) * e_rest + e_c - k * e_all:
                return False
            if not max(e_c, e_rest) <= e_all <= e_c + e_rest:
                return False
        return True

    return smallest(((s, extra) for s in slide_sets(range(2, 5), 8) for extra in (0, 1)), holds)


@evidence("proof", of="weave.condition3", scope="all reals")
def third_condition_for_all() -> object:
    """With n = m + mu = m* + mu*, which specs/weave.py checks of plans (weave.eq3)."""
    import z3

    n, m, mu, m_best, mu_best = z3.Reals("n m mu m_best mu_best")
    given = [n == m + mu, n == m_best + mu_best, m >= 1, m_best >= 1, mu >= 0, mu_best >= 0]
    return proved((mu >= mu_best / 2) == (m <= n / 2 + m_best / 2), given=given, twin=mu >= mu_best / 2)


@evidence(
    "induction",
    of="weave.thm1",
    scope="any number of merges: the sum of Eq 6 over merges, base and step; Eq 6 is weave.eq6",
)
def quarters_add_up() -> object:
    """4 * (r_1 + .. + r_i) >= r*_1 + .. + r*_2i, by induction on i; where merges are fewer than 2 mu, r* is 0."""
    import z3

    saved, best, r, odd, even = z3.Reals("saved best r odd even")
    base = proved(4 * r >= odd + even, given=[2 * r >= odd, 2 * r >= even], twin=3 * r >= odd + even)
    if base is not None:
        return base
    given = [4 * saved >= best, 2 * r >= odd, 2 * r >= even, r > 0, saved > 0]
    return proved(
        4 * (saved + r) >= best + odd + even, given=given, twin=3 * (saved + r) >= best + odd + even
    )


@evidence("proof", of="weave.eq6", scope="all reals: from Lemma 1, an untouched pair and the greedy choice")
def step_from_lemma_1() -> object:
    """r_i >= r(x, y) as x and y stand alone; 2 r(x, y) >= r*_j by Lemma 1; r*_j >= r*_(2i-1) as j <= 2i - 1."""
    import z3

    r, pair, chosen, odd, even = z3.Reals("r pair chosen odd even")
    given = [r >= pair, 2 * pair >= chosen, chosen >= odd, odd >= even]
    return proved(z3.And(2 * r >= odd, 2 * r >= even), given=given, twin=r >= odd)


@evidence(
    "induction",
    of="weave.pigeonhole",
    scope="lists of any length: a merge maps to two queries at most, each the next of its list",
)
def mapped_queries_spoil_one_pair_each() -> object:
    """A list whose first p queries are mapped has min(p, length - 1) pairs of neighbours with a mapped one: one more query, one
    more pair at the most. So after i - 1 merges at most 2(i - 1) pairs are spoiled, and one of 2i - 1 is not.
    """
    import z3

    p, length, i, mapped, spoiled = z3.Ints("p length i mapped spoiled")

    def pairs(mapped: Any) -> Any:
        return z3.If(mapped <= length - 1, mapped, length - 1)

    step = proved(
        pairs(p + 1) - pairs(p) <= 1,
        given=[p >= 0, p < length, length >= 1],
        twin=pairs(p + 1) - pairs(p) <= 0,
    )
    if step is not None:
        return step
    given = [i >= 1, mapped <= 2 * (i - 1), spoiled <= mapped, spoiled >= 0]
    return proved(spoiled < 2 * i - 1, given=given, twin=spoiled < 2 * i - 2)


@evidence(
    "exhaustive",
    of="weave.pigeonhole",
    scope="lists of up to 9 queries, every number of mapped ones: pairs counted one by one",
)
def spoiled_pairs_are_counted_right() -> object:
    def holds(length: int, mapped: int) -> bool:
        spoiled = sum(x < mapped or x + 1 < mapped for x in range(length - 1))
        return spoiled == (mapped if mapped <= length - 1 else length - 1)

    return smallest(((n, p) for n in range(1, 10) for p in range(n + 1)), holds)


@evidence("proof", of="weave.pairs.operations", scope="all integers")
def operations_of_pairs_for_all() -> object:
    """A window of q whole slides and a rest has 2q + 1 slices, of q slides alone q; twice the range over the slide is more."""
    import z3

    r, s, q, rest, ceiling = z3.Ints("range slide q rest ceiling")
    given = [s > 0, r > 0, r == q * s + rest, rest >= 0, rest < s, q >= 0]
    given += [ceiling * s >= 2 * r, (ceiling - 1) * s < 2 * r]
    slices = z3.If(rest == 0, q, 2 * q + 1)
    # ceiling * s >= 2qs + 2 rest, so the ceiling is at least 2q, and more where there is a rest.
    bound = proved(ceiling >= z3.If(rest == 0, 2 * q, 2 * q + 1), given=given, twin=ceiling >= 2 * q + 1)
    if bound is not None:
        return bound
    return proved(
        slices - 1 <= ceiling, given=[*given, ceiling >= z3.If(rest == 0, 2 * q, 2 * q + 1)], twin=slices <= q
    )


@evidence(
    "exhaustive",
    of="weave.pairs.operations",
    scope="slices of a query on its own are 2q + 1 or q: range up to 30, slide up to 12",
)
def slices_of_pairs() -> object:
    from swagcore.slicing import SharedPlan

    def holds(range: int, slide: int) -> bool:
        whole, rest = divmod(range, slide)
        return SharedPlan(asked(Window(range, slide))).counts() == {"q0": {2 * whole + 1 if rest else whole}}

    return smallest(by_size(list(range(1, 31)), list(range(1, 13))), holds)


@evidence(
    "symbolic", of="weave.omega.panes.counted", scope="all edge rates, ranges and slides, two queries; sympy"
)
def counted_and_printed_rank_alike() -> object:
    """Saving by merging is the same by both formulas: the difference of the two costs does not have the edge rates in it."""
    import sympy

    rate, r1, s1, r2, s2, e1, e2, both = sympy.symbols("rate r1 s1 r2 s2 e1 e2 both", positive=True)

    def saving(less: int) -> Any:
        final = lambda e, r, s: (e * r - less) / s
        apart = 2 * rate + final(e1, r1, s1) + final(e2, r2, s2)
        return apart - (rate + final(both, r1, s1) + final(both, r2, s2))

    difference = sympy.simplify(saving(1) - saving(0))
    twin = sympy.simplify(saving(1) - 2 * saving(0))
    if twin == 0:
        raise RuntimeError("the twin is zero as well")
    return None if difference == 0 else difference


@evidence(
    "proof", of="weave.same_edges", scope="moving one query to its like: all edge rates and overlap factors"
)
def moving_to_its_like() -> object:
    """q, of overlap w, leaves a tree of rate e2 and overlap w2 + w for one of rate e1 <= e2 that has its edges already."""
    import z3

    e1, e2, e2_after, w1, w2, w = z3.Reals("e1 e2 e2_after w1 w2 w")
    given = [e1 > 0, e1 <= e2, e2_after >= 0, e2_after <= e2, w1 >= 0, w2 >= 0, w >= 0]
    before = e1 * w1 + e2 * (w2 + w)
    after = e1 * (w1 + w) + e2_after * w2
    return proved(after <= before, given=given, twin=after < before)


@evidence("proof", of="weave.weave_perfectly", scope="all edge rates, overlaps above zero")
def perfect_for_all() -> object:
    """The saving is lambda less (E - E_a) W_a less (E - E_b) W_b, E the merged rate: lambda just where E is both of them."""
    import z3

    rate, e_a, e_b, both, w_a, w_b = z3.Reals("rate e_a e_b both w_a w_b")
    given = [rate > 0, e_a > 0, e_b > 0, w_a > 0, w_b > 0, both >= e_a, both >= e_b]
    saving = rate + e_a * w_a + e_b * w_b - both * (w_a + w_b)
    loss = [(both - e_a) * w_a, (both - e_b) * w_b]
    same = proved(saving == rate - loss[0] - loss[1], given=given, twin=saving == rate - loss[0])
    if same is not None:
        return same
    return proved(
        z3.And(loss[0] >= 0, loss[1] >= 0, (loss[0] + loss[1] == 0) == z3.And(both == e_a, both == e_b)),
        given=given,
        twin=loss[0] + loss[1] == 0,
    )


@evidence("proof", of="weave.time.lazy", scope="all n")
def pairs_of_new_trees() -> object:
    """n(n - 1)/2 pairs at first; after merge i there are n - i trees, and n - i - 1 new pairs; i up to n - 2."""
    import z3

    n, i, total = z3.Ints("n i total")
    # Sum of (n - i - 1) over the first i merges is i * (n - 1) - i * (i + 1) / 2: base i = 0, and the step.
    summed = lambda i: 2 * i * (n - 1) - i * (i + 1)
    step = proved(
        summed(i + 1) == summed(i) + 2 * (n - (i + 1) - 1),
        given=[n >= 2, i >= 0],
        twin=summed(i + 1) == summed(i) + 2 * (n - i),
    )
    if step is not None:
        return step
    given = [n >= 2, 2 * total == n * (n - 1) + 2 * (n - 2) * (n - 1) - (n - 2) * (n - 1)]
    return proved(total == (n - 1) * (n - 1), given=given, twin=total == n * n)
