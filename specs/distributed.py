"""Plans for several nodes: S chapter 6, its algorithms as printed and as meant."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from swagcore.cost import CostModel
from swagcore.ledger import claim, evidence, smallest
from swagcore.optimizers import optimize
from swagcore.optimizers.workloads import workload
from swagcore.plan import partition_error
from swagcore.windows import Query, Window

THIRTEEN = (
    *(
        "g_rand",
        "w_rand",
        "wg_rand",
        "g_rr",
        "w_rr",
        "wg_rr",
        "g_tl",
        "w_tl",
        "wg_tl",
        "w_tn",
        "wg_tn",
        "w_i",
        "wg_i",
    ),
)


def named(windows: tuple[tuple[int, int], ...]) -> list[Query]:
    """Queries of these (range, slide)."""
    return [Query(f"q{i}", "max", Window(range_, slide)) for i, (range_, slide) in enumerate(windows)]


def small_sets(most: int, sizes: list[tuple[int, int]]) -> Iterator[list[Query]]:
    """All sets of up to so many queries with these windows, the smallest first."""
    for count in range(1, most + 1):
        yield from map(named, combinations_with_replacement(sizes, count))


SIZES = [(slide * overlap, slide) for slide in (1, 2, 3, 4) for overlap in (1, 3)]


# What a plan costs


@claim(
    "distributed.total_and_max",
    source="S Eq 6.1",
    kind="formula",
    statement="""The total cost of a plan is the sum of its nodes' costs, its max cost the largest of them; a node costs what
    its trees cost, each by C = λ + E Ω.""",
)
@evidence(
    "exhaustive", scope="all thirteen optimizers, sets of up to 3 of 8 windows, 1 to 3 nodes, λ = 1/3 and 4"
)
def total_and_max() -> object:
    def holds(optimizer: str, nodes: int, rate: Fraction, queries: list[Query]) -> bool:
        plan = optimize(queries, rate, optimizer, nodes=nodes)
        model = CostModel(rate)
        costs = [
            sum((rate + model.edge_rate(tree.queries) * tree.omega for tree in trees), Fraction(0))
            for trees in plan.by_node
        ]
        return plan.cost == sum(costs) and plan.max_node_cost == max(costs)

    sets = list(small_sets(3, SIZES))
    return smallest(
        ((o, n, r, q) for q in sets for o in THIRTEEN for n, r in ((1, Fraction(4)), (3, Fraction(1, 3)))),
        holds,
    )


@claim(
    "distributed.partition",
    source="S Table 7",
    kind="algorithm",
    statement="""Each of the thirteen optimizers plans every query once; the G ones share nothing, the W ones have at most one
    tree a node.""",
    remark="As repaired: the pseudocode of S §6.5 as printed does not, see the claims about Algorithms 4 and 6.",
)
@evidence(
    "exhaustive",
    scope="sets of up to 3 of 8 windows, 1 to 3 nodes; workloads of 40 queries, 1, 5 and 64 nodes",
)
def every_query_once() -> object:
    def holds(optimizer: str, nodes: int, queries: list[Query]) -> bool:
        plan = optimize(queries, 1, optimizer, nodes=nodes)
        fits = {
            "g": all(len(tree.queries) == 1 for tree in plan.trees),
            "w": max(map(len, plan.by_node)) <= 1,
            "wg": True,
        }[optimizer.split("_")[0]]
        return partition_error(plan, queries) is None and fits

    sets = [*small_sets(3, SIZES), workload(40, 30, 8, fragments=True)]
    return smallest(
        ((o, n, q) for q in sets for o in THIRTEEN for n in ((1, 2, 3) if len(q) < 40 else (1, 5, 64))), holds
    )


# The algorithms as printed


def to_lowest_as_printed(queries: int, nodes: int) -> list[int]:
    """Algorithm 4, which query goes where: the trees t_0 .. t_(Q-1), sorted; which of them are placed, in turn."""
    placed = list(range(min(nodes, queries)))  # "assign N most expensive trees to N nodes"
    remaining = queries - nodes
    placed += [i for i in range(remaining + 1) if i < queries]  # "for i = 0 to T": t_i
    return placed


@claim(
    "distributed.alg4",
    source="S Alg 4",
    kind="algorithm",
    expected="refuted",
    statement="The To Lowest algorithm as printed places every query exactly once.",
)
@evidence("exhaustive", scope="up to 6 queries and 6 nodes")
def alg4_places_all() -> object:
    return smallest(
        ((q, n) for q in range(1, 7) for n in range(1, 7)),
        lambda q, n: sorted(to_lowest_as_printed(q, n)) == list(range(q)),
    )


@claim(
    "distributed.alg4_meant",
    source="O distributed",
    kind="algorithm",
    corrects="distributed.alg4",
    statement="""To Lowest over the trees that remain, from the most expensive on, places every query once; for G_TL every
    tree is then on the node that cost least when it came.""",
)
@evidence("exhaustive", scope="sets of up to 4 of 8 windows, 1 to 3 nodes")
def alg4_meant() -> object:
    def holds(nodes: int, queries: list[Query]) -> bool:
        plan = optimize(queries, 1, "g_tl", nodes=nodes)
        costs = [Fraction(0)] * nodes
        for tree in sorted(plan.trees, key=lambda tree: (-tree.cost, int(tree.names[0][1:]))):
            if costs[tree.node] != min(costs):
                return False
            costs[tree.node] += tree.cost
        return partition_error(plan, queries) is None

    return smallest(((n, q) for q in small_sets(4, SIZES) for n in (1, 2, 3)), holds)


def inserted_as_printed(costs: dict[frozenset[int], Fraction], queries: int, nodes: int) -> list[int]:
    """Algorithm 6, WeaveOnly: which queries are in the plan at the end, as often as they were put in.

    Weaving once a query, after the loops over nodes and trees, as it must be meant; WeaveCost is set to infinity once."""
    trees = [[i] for i in range(min(nodes, queries))]
    best: Fraction | None = None
    chosen = (0, 0)
    for i in range(nodes, queries):
        for k, tree in enumerate(trees):
            cost = costs[frozenset([*tree, i])]
            if best is None or cost < best:
                best, chosen = cost, (i, k)
        query, k = chosen
        trees[k].append(query)
    return sorted(query for tree in trees for query in tree)


@claim(
    "distributed.alg6",
    source="S Alg 6",
    kind="algorithm",
    expected="refuted",
    statement="""The Inserted algorithm as printed, which sets its best weave cost to infinity before the loop over queries
    and not within it, plans every query exactly once.""",
    remark="Read with the switch after the loops over nodes and trees; within them, it would weave once for every tree.",
)
@evidence("exhaustive", scope="up to 4 queries of 8 windows, 1 and 2 nodes, λ = 1")
def alg6_plans_all() -> object:
    model = CostModel(1, omega="paper")

    def holds(nodes: int, queries: list[Query]) -> bool:
        from itertools import combinations

        everyone = range(len(queries))
        costs = {
            frozenset(some): model.tree(queries[i] for i in some).cost
            for size in range(1, len(queries) + 1)
            for some in combinations(everyone, size)
        }
        return inserted_as_printed(costs, len(queries), nodes) == list(everyone)

    return smallest(
        ((n, q) for q in small_sets(4, [(1, 1), (2, 1)]) for n in (1, 2)),
        holds,
    )


@claim(
    "distributed.alg6_meant",
    source="O distributed",
    kind="algorithm",
    corrects="distributed.alg6",
    statement="Inserted, with the best weave cost found anew for every query, plans every query once.",
)
@evidence("exhaustive", scope="w_i and wg_i, sets of up to 4 of 8 windows, 1 to 3 nodes")
def alg6_meant() -> object:
    return smallest(
        ((o, n, q) for q in small_sets(4, SIZES) for o in ("w_i", "wg_i") for n in (1, 2, 3)),
        lambda o, n, q: partition_error(optimize(q, 1, o, nodes=n), q) is None,
    )


@claim(
    "distributed.alg5_stops",
    source="S §6.5.2",
    kind="statement",
    expected="refuted",
    statement="""The To Nodes algorithm stops merging when the number of trees has come down to the number of nodes, so that it
    never leaves a node without a tree where there are queries enough.""",
    remark="""So the text says of W_TN and WG_TN; Algorithm 5 as printed merges while anything is saved, whatever the number of
    nodes, and so do we: it costs no more in total.""",
)
@evidence("exhaustive", scope="sets of up to 3 of 8 windows, 2 and 3 nodes, λ = 1")
def alg5_stops() -> object:
    return smallest(
        ((n, q) for q in small_sets(3, SIZES) for n in (2, 3)),
        lambda n, q: len(optimize(q, 1, "w_tn", nodes=n).trees) >= min(n, len(q)),
    )


# What is said about them


@claim(
    "distributed.wtn_dearer",
    source="S §6.5.2",
    kind="statement",
    statement="""W_TN's plans cost no less in total than those of Weave Share alone, and WG_TN's cost exactly as much as those:
    not forcing trees to merge is never dearer.""",
)
@evidence(
    "exhaustive",
    scope="sets of up to {most} of 8 windows, 1 and 2 nodes, λ = 1/10, 1 and 10, both Omegas",
    most=3,
)
@evidence(
    "exhaustive",
    scope="sets of up to {most} of 8 windows, 1 and 2 nodes, λ = 1/10, 1 and 10, both Omegas",
    most=5,
    profile="full",
)
def wtn_dearer(most: int) -> object:
    def holds(omega: str, rate: Fraction, nodes: int, queries: list[Query]) -> bool:
        woven = optimize(queries, rate, "weave_share", omega=omega).cost
        forced = optimize(queries, rate, "w_tn", nodes=nodes, omega=omega).cost
        return forced >= woven == optimize(queries, rate, "wg_tn", nodes=nodes, omega=omega).cost

    rates = (Fraction(1, 10), Fraction(1), Fraction(10))
    return smallest(
        (
            (o, r, n, q)
            for q in small_sets(most, SIZES)
            for o in ("counted", "paper")
            for r in rates
            for n in (1, 2)
        ),
        holds,
    )


@claim(
    "distributed.grouping_penalty",
    source="S §6.5.2",
    kind="formula",
    statement="Grouping trees without weaving them costs λ for each tree beside its final aggregations: m λ in all.",
)
@evidence(
    "exhaustive", scope="sets of up to 3 of 8 windows, wg_tn on 2 nodes, λ from 1 to 5: the cost less all E Ω"
)
def grouping_penalty() -> object:
    def holds(rate: int, queries: list[Query]) -> bool:
        plan = optimize(queries, rate, "wg_tn", nodes=2)
        return plan.cost - sum(tree.edge_rate * tree.omega for tree in plan.trees) == len(plan.trees) * rate

    return smallest(product(range(1, 6), small_sets(3, SIZES)), holds)


def best_cost(model: CostModel, queries: list[Query], together: bool) -> Fraction:
    """The least cost of any partition; `together`: of those where queries of one slide are in one tree."""
    units = [[query] for query in queries]
    if together:
        by_slide: dict[int, list[Query]] = {}
        for query in queries:
            by_slide.setdefault(query.window.slide, []).append(query)
        units = list(by_slide.values())

    def partitions(rest: list[list[Query]]) -> Iterator[list[list[Query]]]:
        if not rest:
            yield []
            return
        for others in partitions(rest[1:]):
            yield [rest[0], *others]
            for place, tree in enumerate(others):
                yield [*others[:place], rest[0] + tree, *others[place + 1 :]]

    return min(model.plan_cost(trees) for trees in partitions(units))


@claim(
    "distributed.same_slides",
    source="S §6.5.3",
    kind="statement",
    expected="refuted",
    statement="""Merging all queries of the same slide into the same trees first is always beneficial for the total cost:
    the best plan that keeps them together costs no more than any other, whatever the technique.""",
)
@evidence(
    "exhaustive",
    scope="SlickDeque (inv) as counted, up to 4 queries with slides 1 to 3 and overlaps 1 to 3, λ = 1/10 and 1/2",
)
def same_slides_any_technique() -> object:
    return same_slides("slickdeque_inv")


@claim(
    "distributed.same_slides_panes",
    source="O distributed",
    kind="statement",
    corrects="distributed.same_slides",
    statement="Under panes, and where slides divide ranges, merging all queries of the same slide first is never worse.",
)
@evidence(
    "exhaustive",
    scope="panes as counted, up to 4 queries with slides 1 to 3 and overlaps 1 to 3, λ = 1/10 and 1/2",
)
def same_slides_panes() -> object:
    return same_slides("panes")


def same_slides(technique: str) -> object:
    sizes = [(slide * overlap, slide) for slide in (1, 2, 3) for overlap in (1, 2, 3)]
    models = {rate: CostModel(rate, technique) for rate in (Fraction(1, 10), Fraction(1, 2))}

    def holds(rate: Fraction, queries: list[Query]) -> bool:
        return best_cost(models[rate], queries, True) <= best_cost(models[rate], queries, False)

    return next(
        (
            {"λ": str(rate), "windows (range, slide)": [(q.window.range, q.window.slide) for q in queries]}
            for queries in small_sets(4, sizes)
            for rate in models
            if not holds(rate, queries)
        ),
        None,
    )


@claim(
    "distributed.g_tl_lpt",
    source="S §6.3",
    kind="statement",
    statement="""In the category Group Only the cost of a node is the sum of the separate costs of its queries, so that G_TL
    is the longest-processing-time rule: its max cost is at most 4/3 - 1/(3 N) times the least possible.""",
    remark="The factor is Graham's, for scheduling on equal machines; the paper speaks of analogies to scheduling.",
)
@evidence("exhaustive", scope="sets of up to 6 of 4 windows, 2 and 3 nodes, against every assignment")
def group_only_is_scheduling() -> object:
    sizes = [(3, 1), (1, 1), (6, 2), (12, 3)]

    def holds(nodes: int, queries: list[Query]) -> bool:
        plan = optimize(queries, 1, "g_tl", nodes=nodes)
        costs = [tree.cost for tree in plan.trees]
        least = min(
            max(
                sum((c for c, at in zip(costs, where, strict=True) if at == n), Fraction(0))
                for n in range(nodes)
            )
            for where in product(range(nodes), repeat=len(costs))
        )
        return plan.max_node_cost <= (Fraction(4, 3) - Fraction(1, 3 * nodes)) * least

    return smallest(((n, q) for q in small_sets(5, sizes) for n in (2, 3)), holds)
