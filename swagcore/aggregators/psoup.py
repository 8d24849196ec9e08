"""PSoup: a balanced search tree over insertion times, each node with the aggregate of its leaves. A §3.1.3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow


class Node(NamedTuple):
    """A leaf is a partial; an inner node aggregates the leaves below it. Nodes never change, they are replaced.

    >>> Node("ab", height=1, size=2, older=Node("a"), newer=Node("b")).newer.partial
    'b'
    """

    partial: Partial
    height: int = 0
    size: int = 1
    older: Node | None = None
    newer: Node | None = None


class PSoup(Technique):
    """The partials are the leaves of a height-balanced tree, in the order of insertion; nodes know their aggregate.

    An insert hangs a leaf in at the right end, an evict takes one off at the left; all nodes above it are built anew, and
    rotated where their two sides differ by more than one in height. Both make the right side the higher one, so only
    that is ever mended. A query adds up the nodes beside its path: sizes tell the way. The paper has an n-ary tree; this
    is the binary one.

    Invariant: `partial` of an inner node is combine(older.partial, newer.partial), `size` and `height` are right, and the
    heights of two siblings differ by one at most (AVL), so that the height h is at most 1.4405 log2(n + 2).

    Combines, at height h: insert at most h + 2: its path, the new node, one rotation. Evict at most 3(h - 1): its path,
    and two more for a rotation at each node. query() 0, query(n) at most h - 1, query(n, lag) at most 2h - 3; 0 at
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
        """Drop the oldest partial. At most 3(h - 1) combines."""
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
        if node.older is None or node.newer is None:
            return self._join(node, leaf)
        return self._balanced(node.older, self._with_newest(node.newer, leaf))

    def _without_oldest(self, node: Node) -> Node | None:
        if node.older is None or node.newer is None:
            return None
        rest = self._without_oldest(node.older)
        return self._balanced(rest, node.newer) if rest else node.newer

    def _join(self, older: Node, newer: Node) -> Node:
        partial = self._combine(older.partial, newer.partial)
        return Node(partial, max(older.height, newer.height) + 1, older.size + newer.size, older, newer)

    def _balanced(self, older: Node, newer: Node) -> Node:
        """The two joined; where the newer is higher by two, by a rotation."""
        if newer.height < older.height + 2:
            return self._join(older, newer)
        middle, newest = newer.older, newer.newer
        assert middle is not None and newest is not None  # it has a height
        if middle.height <= newest.height:
            return self._join(self._join(older, middle), newest)
        assert middle.older is not None and middle.newer is not None  # it is higher than its sibling
        return self._join(self._join(older, middle.older), self._join(middle.newer, newest))

    def _cover(self, node: Node, start: int, stop: int) -> Iterator[Partial]:
        """The fewest nodes that hold the leaves from start up to stop, from the oldest to the newest."""
        if start <= 0 and node.size <= stop:
            yield node.partial
        elif node.older is not None and node.newer is not None:
            half = node.older.size
            if start < half:
                yield from self._cover(node.older, start, stop)
            if half < stop:
                yield from self._cover(node.newer, start - half, stop - half)

    def __len__(self) -> int:
        return self._root.size if self._root else 0

    def _check(self) -> None:
        def check(node: Node) -> None:
            if node.older is None or node.newer is None:
                assert node.older is node.newer is None, node  # An inner node has two children,
                assert (node.height, node.size) == (0, 1), node  # a leaf is one partial.
                return
            older, newer = node.older, node.newer
            assert abs(older.height - newer.height) <= 1, self._state()  # Balanced.
            assert node.height == 1 + max(older.height, newer.height), self._state()
            assert node.size == older.size + newer.size, self._state()
            assert self._aggregate.equal(node.partial, self._combine(older.partial, newer.partial)), (
                self._state()
            )
            check(older)
            check(newer)

        if self._root:
            check(self._root)

    def _state(self) -> dict[str, Any]:
        def shown(node: Node | None) -> Any:
            if node is None or node.older is None:
                return node and node.partial
            return {"partial": node.partial, "older": shown(node.older), "newer": shown(node.newer)}

        return {"tree": shown(self._root)}
