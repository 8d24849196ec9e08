"""The columns that the answers of several queries share on their way."""

from __future__ import annotations

from dataclasses import dataclass

from swagcore.spark.job import Asked


@dataclass(frozen=True)
class Slots:
    """The columns that the answers of all queries share: the n-th of a type in each query is one column."""

    types: tuple[str, ...]
    of_query: dict[int, tuple[int, ...]]


def slots_of(asked: tuple[Asked, ...]) -> Slots:
    """As few columns as hold the payloads of any one query."""
    types: list[str] = []
    of_query = {}
    for one in asked:
        mine: list[int] = []
        for part in one.recipe.parts:
            for _, type in part.payload:
                free = [n for n, known in enumerate(types) if known == type and n not in mine]
                if not free:
                    types.append(type)
                    free = [len(types) - 1]
                mine.append(free[0])
        of_query[one.number] = tuple(mine)
    return Slots(tuple(types), of_query)
