"""Which queries share slices: what an optimizer decided, as groups of queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from swagcore.errors import InvalidArgument, UnknownName
from swagcore.windows import Query


def partition(queries: list[Query], optimizer: Any, slicing: str) -> list[list[Query]]:
    """The queries in groups: one for None, those of a plan, of an optimizer's plan by its name, or of lists of names.

    >>> from swagcore.windows import Window
    >>> a, b = (Query(name, "max", Window(4, 2)) for name in "ab")
    >>> [[query.name for query in group] for group in partition([a, b], [["b"], ["a"]], "pairs")]
    [['b'], ['a']]
    """
    if optimizer is None:
        return [queries] if queries else []
    trees = getattr(optimizer, "trees", optimizer)
    if isinstance(optimizer, str):
        from swagcore.optimizers import optimize

        # Queries over time and over counts share no slices: each kind is a problem of its own.
        kinds = [[query for query in queries if query.window.by_count == kind] for kind in (False, True)]
        plans = [
            optimize(kind, rate=1, optimizer=optimizer, slicing=slicing)
            for kind in kinds
            if kind or not queries
        ]
        trees = [tree for plan in plans for tree in plan.trees]
    if isinstance(trees, (str, bytes)) or not isinstance(trees, Iterable):
        raise InvalidArgument(
            "optimizer",
            optimizer,
            "None, the name of an optimizer, a plan, or a list of lists of query names",
        )
    known = {query.name: query for query in queries}
    left = dict(known)
    groups: list[list[Query]] = []
    for tree in trees:
        members = getattr(tree, "queries", tree)
        if isinstance(members, (str, bytes)) or not isinstance(members, Iterable):
            raise InvalidArgument("group of queries", members, "a list of names of queries")
        groups.append([])
        for member in members:
            name = getattr(member, "name", member)
            if not isinstance(name, str) or name not in known:
                raise UnknownName("query of a plan", name, known)
            if name not in left:
                raise InvalidArgument("query of a plan", name, "each query in one group")
            groups[-1].append(left.pop(name))
    if left:
        raise InvalidArgument("plan", sorted(left), "one that has all queries; it lacks these")
    return groups
