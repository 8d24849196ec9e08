"""Trees in the making: what optimizers put together and take apart, with costs that are not computed from scratch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from swagcore.cost import Classes, CostModel, linear_panes, overlap, slices_by_rate
from swagcore.windows import Query, Window


class Bunch:
    """Some of the queries, by position, with their edges and what they cost together.

    `final` is E * Omega. `windows` says how many queries have which window; where E * Omega is linear in E, it is
    `growth * edge_rate - constant`, and the windows are not needed any more.
    """

    __slots__ = ("classes", "constant", "edge_rate", "final", "first", "growth", "parts", "windows")

    def __init__(
        self,
        parts: list[int] | tuple[Bunch, Bunch],
        classes: Classes,
        edge_rate: Fraction,
        final: Fraction,
        windows: Counter[Window],
        growth: Fraction,
        constant: Fraction,
    ) -> None:
        self.parts = parts
        self.first: int = parts[0] if isinstance(parts, list) else min(part.first for part in parts)
        self.classes = classes
        self.edge_rate = edge_rate
        self.final = final
        self.windows = windows
        self.growth = growth
        self.constant = constant

    @property
    def members(self) -> list[int]:
        """The positions of its queries, in order; put together when asked for, since most bunches are only tried."""
        found: list[int] = []
        todo = [self]
        while todo:
            parts = todo.pop().parts
            if isinstance(parts, list):
                found += parts
            else:
                todo += parts
        return sorted(found)


class Loom:
    """Makes bunches under a cost model: of queries (`bunch`), of bunches (`joined`), of all that belong together (`units`).

    `shared_rate` is None where every tree does its own sub-aggregation. TriWeave does it once, over the edges of all
    queries together, of which `shared_rate` is the rate: a tree then pays for its edges from there.

    >>> queries = [Query("a", "max", Window(6, 2)), Query("b", "max", Window(8, 4)), Query("c", "max", Window(4, 4))]
    >>> loom = Loom(CostModel(rate=1), queries)
    >>> [bunch.members for bunch in loom.units()]
    [[0], [1, 2]]
    >>> loom.cost(loom.bunch([0, 1])), CostModel(rate=1).tree(queries[:2]).cost
    (Fraction(11, 4), Fraction(11, 4))
    """

    def __init__(
        self, model: CostModel, queries: Sequence[Query], shared_rate: Fraction | None = None
    ) -> None:
        self.model = model
        self.windows = [query.window for query in queries]
        self.shared_rate = shared_rate
        self.linear = model.technique == "panes" or (model.omega, model.technique) == ("paper", "flatfit")

    # What it costs

    @property
    def fixed(self) -> Fraction:
        """What a tree costs before it has any edges."""
        return self.model.rate if self.shared_rate is None else self.shared_rate

    def cost(self, bunch: Bunch) -> Fraction:
        """What the bunch costs as a tree."""
        return self.fixed + self._beyond(bunch)

    def saving(self, one: Bunch, other: Bunch, both: Bunch) -> Fraction:
        """What it saves to run two bunches as one."""
        return self.fixed + self._beyond(one) + self._beyond(other) - self._beyond(both)

    def _beyond(self, bunch: Bunch) -> Fraction:
        return bunch.final if self.shared_rate is None else bunch.final - bunch.edge_rate

    # How they are made

    def bunch(self, members: Iterable[int]) -> Bunch:
        """The queries at these positions."""
        listed = sorted(members)
        return self._of_windows(listed, Counter(self.windows[member] for member in listed))

    def joined(self, one: Bunch, other: Bunch) -> Bunch:
        """Both together. It costs one count of edges, unless one has the edges of the other."""
        classes = one.classes | other.classes
        known = next((bunch for bunch in (one, other) if len(bunch.classes) == len(classes)), None)
        edge_rate = known.edge_rate if known else self.model.class_rate(classes)
        return self._made(
            (one, other),
            classes,
            edge_rate,
            one.windows + other.windows,
            one.growth + other.growth,
            one.constant + other.constant,
        )

    def joined_all(self, bunches: Sequence[Bunch]) -> Bunch:
        """All of them together, for one count of edges."""
        classes = frozenset().union(*(bunch.classes for bunch in bunches))
        windows: Counter[Window] = Counter()
        for bunch in bunches:
            windows.update(bunch.windows)
        return self._made(
            sorted(member for bunch in bunches for member in bunch.members),
            classes,
            self.model.class_rate(classes),
            windows,
            sum((bunch.growth for bunch in bunches), Fraction(0)),
            sum((bunch.constant for bunch in bunches), Fraction(0)),
        )

    def units(self) -> list[Bunch]:
        """The queries, those in one bunch that are merged before anything else; in the order of their first ones.

        The rule. Under panes: queries with the same edges (the same slide and the same residues). Under every other
        technique: queries with the same range, slide and offset.

        It is never worse. Let q be in a tree where its like is in another tree with no more edges, and move it there: that
        tree's edges stay the same, those of the tree it leaves are no more than before. Under panes q then costs W_q
        times the smaller edge rate, and nobody pays more; with TriWeave that needs ranges of at least a slide, for
        edges less are partials to join more, so there the first rule holds only where all ranges are. Queries
        with the same window have the same slices to combine, under FlatFAT for no more in the smaller tree, under the other
        techniques for nothing, once one of them is there. And Weave Share would do it of itself, under panes: no merge
        saves more than one of equal edges, which saves lambda. (So does every merge of a query that is always one
        slice, and costs nothing anywhere; ties decide there, and such queries are kept apart from the others.)
        """
        like: dict[tuple[int, int, int], list[int]] = {}
        for position, window in enumerate(self.windows):
            like.setdefault((window.range, window.slide, window.offset), []).append(position)
        by_edges = self.model.technique == "panes" and (
            self.shared_rate is None or all(range >= slide for range, slide, _ in like)
        )
        groups: dict[object, list[list[int]]] = {}
        for key, members in like.items():
            window = self.windows[members[0]]
            group: object = key
            if by_edges:
                free = window.range < window.slide and not slices_by_rate(window, self.model.slicing)[0]
                group = tuple(window.edges(self.model.slicing)), free
            groups.setdefault(group, []).append(members)
        units = []
        for found in groups.values():
            # One window stands for all that are like it: they may differ in lag, which costs nothing.
            windows = Counter({self.windows[members[0]]: len(members) for members in found})
            positions = (
                found[0] if len(found) == 1 else sorted(member for members in found for member in members)
            )
            units.append(self._of_windows(positions, windows))
        return sorted(units, key=lambda bunch: bunch.first)

    def _of_windows(self, members: list[int], windows: Counter[Window]) -> Bunch:
        classes = self.model.classes(windows)
        slides = {modulus for _, modulus in classes}
        # Different residues of one modulus never meet.
        rate = Fraction(len(classes), *slides) if len(slides) == 1 else self.model.class_rate(classes)
        growth = constant = Fraction(0)
        if self.model.technique == "panes" and self.model.omega == "counted":
            growth, constant = linear_panes(windows, self.model.slicing)
        elif self.model.technique == "panes":
            growth = overlap(windows)
        elif self.linear:
            growth = Fraction(3 * windows.total())
        return self._made(members, classes, rate, Counter() if self.linear else windows, growth, constant)

    def _made(
        self,
        parts: list[int] | tuple[Bunch, Bunch],
        classes: Classes,
        edge_rate: Fraction,
        windows: Counter[Window],
        growth: Fraction,
        constant: Fraction,
    ) -> Bunch:
        if self.linear:
            final = growth * edge_rate - constant
        else:
            final = edge_rate * self.model.omega_of(windows, edge_rate)
        return Bunch(parts, classes, edge_rate, final, windows, growth, constant)
