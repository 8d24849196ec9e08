"""PSoup: a balanced search tree over insertion times, each node with the aggregate of its leaves. A §3.1.3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow


class Node(NamedTuple):
    """A leaf is a partial; an inner node aggregates the leaves below it. Nodes never change, they are replaced.

    >>> older, newer = Node("ab", height=1, size=2, children=(Node("a"), Node("b"))).children
    >>> newer
    Node(partial='b', height=0, size=1, children=None)
    """

    partial: Partial
    height: int = 0
    size: int = 1
    children: tuple[Node, Node] | None = None


class PSoup(Technique):
    """The partials are the leaves of a height-balanced tree, in the order of insertion; nodes know their aggregate.

    An insert hangs a leaf in at the right end, an evict takes one off at the left; all nodes above it are built anew, and
    rotated where their two sides differ by more than one in height. Both make the right side the higher one, so only
    that is ever mended, and by a single rotation: only nodes above the oldest leaf have a left side that is higher, and
    none of them is in a right side. A query adds up the nodes beside its path: sizes tell the way. The paper has an n-ary
    tree; this is the binary one.

    Invariant: `partial` of an inner node is combine(older.partial, newer.partial), `size` and `height` are right, and the
    heights of two siblings differ by one at most (AVL), so that the height h is at most 1.4405 log2(n + 2).

    Combines, at height h: insert at most h + 2: its path, the new node, one rotation. Evict at most 2(h - 1): its path,
    and one more for a rotation at each node. query() 0, query(n) at most h - 1, query(n, lag) at most 2h - 3; 0 at
    heights 0 and 1. A slide with one query, counted for windows up to 64: at most 2⌈log2 n⌉ + 2.

    The paper (A §3.1.3) counts O(log N_max) for update and lookup, which this keeps.

    >>> from swagcore.algebra import words
    >>> window = PSoup(words)
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query(), window.query(2), window.query(2, 1)
    (('b', 'c', 'd'), ('c', 'd'), ('b', 'c'))
    """

    name = "psoup"
    multi = True
    historical = True

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._root: Node | None = None

    def insert(self, partial: Partial) -> None:
        """Add the newest partial. At most h + 2 combines."""
        leaf = Node(partial)
        self._root = self._with_newest(self._root, leaf) if self._root else leaf

    def evict(self) -> None:
        """Drop the oldest partial. At most 2(h - 1) combines."""
        if self._root is None:
            raise EmptyWindow
        self._root = self._without_oldest(self._root)

    def query(self, n: int | None = None, lag: int = 0) -> Partial:
        """The aggregate of the n partials before the newest `lag`; all of those by default. O(log n) combines."""
        start, stop = self._span(n, lag)
        if start == stop or self._root is None:
            return self._identity
        total, *newer = self._cover(self._root, start, stop)
        for partial in newer:
            total = self._combine(total, partial)
        return total

    def _with_newest(self, node: Node, leaf: Node) -> Node:
        if node.children is None:
            return self._join(node, leaf)
        older, newer = node.children
        return self._balanced(older, self._with_newest(newer, leaf))

    def _without_oldest(self, node: Node) -> Node | None:
        if node.children is None:
            return None
        older, newer = node.children
        rest = self._without_oldest(older)
        return self._balanced(rest, newer) if rest else newer

    def _join(self, older: Node, newer: Node) -> Node:
        partial = self._combine(older.partial, newer.partial)
        return Node(partial, max(older.height, newer.height) + 1, older.size + newer.size, (older, newer))

    def _balanced(self, older: Node, newer: Node) -> Node:
        """The two joined; where the newer is higher by two, by a rotation."""
        if newer.height < older.height + 2:
            return self._join(older, newer)
        assert newer.children is not None  # it has a height
        middle, newest = (
            newer.children
        )  # the middle is not the higher one: the newer is no node above the oldest leaf
        return self._join(self._join(older, middle), newest)

    def _cover(self, node: Node, start: int, stop: int) -> Iterator[Partial]:
        """The fewest nodes that hold the leaves from start up to stop, from the oldest to the newest."""
        if start <= 0 and node.size <= stop:
            yield node.partial
        elif node.children is not None:
            older, newer = node.children
            if start < older.size:
                yield from self._cover(older, start, stop)
            if older.size < stop:
                yield from self._cover(newer, start - older.size, stop - older.size)

    def __len__(self) -> int:
        return self._root.size if self._root else 0

    def _check(self) -> None:
        def check(node: Node, oldest: bool) -> None:
            if node.children is None:
                assert (node.height, node.size) == (0, 1), node  # A leaf is one partial.
                return
            older, newer = node.children
            assert abs(older.height - newer.height) <= 1, self._state()  # Balanced,
            assert oldest or older.height <= newer.height, self._state()  # with higher sides on the right.
            assert node.height == 1 + max(older.height, newer.height), self._state()
            assert node.size == older.size + newer.size, self._state()
            assert self._aggregate.equal(node.partial, self._combine(older.partial, newer.partial)), (
                self._state()
            )
            check(older, oldest)
            check(newer, False)

        if self._root:
            check(self._root, True)

    def _state(self) -> dict[str, Any]:
        def shown(node: Node) -> Any:
            if node.children is None:
                return node.partial
            older, newer = node.children
            return {"partial": node.partial, "older": shown(older), "newer": shown(newer)}

        return {"tree": shown(self._root) if self._root else None}
