"""FlatFAT: a flat binary tree over a circular array of leaves. S §2.3.2, Figure 5."""

from __future__ import annotations

from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow

SMALLEST = 8
"""The fewest leaves a tree has."""


class FlatFat(Technique):
    """The partials are the leaves of a binary tree in one array; an inner node aggregates the leaves below it.

    Node i has the children 2i and 2i + 1, the leaves are the last `capacity` nodes and form a circle: the partial at
    position p, counted from the last restart or resizing, is leaf p mod capacity. An insert walks from its leaf to the root. A node
    is filled as its leaves arrive, so the nodes above the newest leaf hold all that there is of their part of the
    circle, and a query takes from the oldest leaf upwards the fewest nodes that cover its range.

    Invariant: for every block of 2^k positions, aligned to 2^k, that begins inside the window, the node of that
    block is the aggregate of those of its leaves that have arrived.

    Combines: insert and query(n) at most ⌊log2 n⌋ each, evict 0. Exactly: an insert at position p costs one for each 1
    in p for which the block up to p (p with that bit and all below it cleared) begins inside the window; a query from l
    to the newest, p, costs ones(m - l), where m is the middle of the smallest block that holds both, and 0 where l begins
    that block. Evict, insert, query: a slide costs log2 n where n is a power of two, k + n / 2^k - 1 amortized with
    k = ⌊log2 n⌋, k + ones(n) - 1 at worst; with the insert first, one more at times. All ranges 1 .. n at every slide, n = 2^k:
    nk/2 - 3(n - k - 1)/4 amortized, nk/2 at worst. `query(n, lag)` with a lag costs as in B-INT.
    A full tree doubles, one that is three quarters empty halves: nodes move, and nothing is combined.

    The paper at its edges (S §2.3.2):
    - The root is the answer only until the window wraps around the circle; then its halves are in the wrong order, and
      with n below the capacity it holds expired leaves. Here no node mixes two rounds.
    - "exactly log2(n)" operations a slide: where n is a power of two. n = 7 needs up to 4.
    - All ranges, "exact": n log n - 3n/2 + 5 log n / 2 + 5/2. Counted, with the paper's nodes and the mean over all places,
      it is n log n - 5n/2 + 3 log n / 2 + 5/2: less by n + log n (1, not 4, at n = 2).
    - "worst-case space 3n", also Table 2: 2^(⌈log n⌉ + 1) is 16 at n = 5, and tends to 4n.

    >>> from swagcore.algebra import words
    >>> window = FlatFat(words)
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query(), window.query(2), window.query(2, 1)
    (('b', 'c', 'd'), ('c', 'd'), ('b', 'c'))
    """

    name = "flatfat"
    multi = True
    historical = True

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._restart()

    def _restart(self) -> None:
        self._capacity = SMALLEST
        self._tree: list[Partial] = [None] * (2 * SMALLEST)  # node 0 is not used
        self._head = self._tail = 0

    def insert(self, partial: Partial) -> None:
        """Add the newest partial. At most ⌊log2 n⌋ combines."""
        if self._tail - self._head == self._capacity:
            self._resize(2 * self._capacity)
        head, position = self._head, self._tail
        tree, combine = self._tree, self._combine
        node = self._capacity + (position & (self._capacity - 1))
        tree[node] = partial
        begin, width = position, 1
        while node > 1:
            if node & 1:
                begin -= width
                if begin < head:  # this block has lost leaves, and so have all above it
                    break
                partial = combine(tree[node - 1], partial)
            node >>= 1
            width <<= 1
            tree[node] = partial
        self._tail = position + 1

    def evict(self) -> None:
        """Drop the oldest partial. No combine: the nodes above it are not used again before they are refilled."""
        size = self._tail - self._head
        if size > 1:
            self._tree[self._capacity + (self._head & (self._capacity - 1))] = None
            self._head += 1
            if 4 * size <= self._capacity > SMALLEST:
                self._resize(self._capacity // 2)
        elif size:
            self._restart()
        else:
            raise EmptyWindow

    def query(self, n: int | None = None, lag: int = 0) -> Partial:
        """The aggregate of the n partials before the newest `lag`; all of those by default. O(log n) combines."""
        start, stop = self._span(n, lag)
        if start == stop:
            return self._identity
        tree, combine = self._tree, self._combine
        older, *newer = self._cover(self._head + start, self._head + stop)
        total = tree[older]
        for node in newer:
            total = combine(total, tree[node])
        return total

    def _cover(self, start: int, stop: int) -> list[int]:
        """The fewest nodes that hold the positions from start up to stop, from the oldest to the newest."""
        older, newer = [], []
        row = self._capacity  # the first node of a level, and the number of its nodes
        closed = stop < self._tail
        while stop - start > 1:
            if start & 1:
                older.append(row + (start & (row - 1)))
                start += 1
            if closed and stop & 1:
                stop -= 1
                newer.append(row + (stop & (row - 1)))
            row >>= 1
            start >>= 1
            stop = (stop + 1) >> 1
        if start < stop:
            older.append(row + (start & (row - 1)))
        return older + newer[::-1]

    def _resize(self, capacity: int) -> None:
        """Move the nodes of the blocks that begin inside the window into a tree of that many leaves.

        A doubled tree has no root yet: the insert that follows fills it.
        """
        old, self._tree = self._tree, [None] * (2 * capacity)
        here, there = self._capacity, capacity
        begin, last = self._head, self._tail - 1
        # Count from a multiple of the smaller capacity: the blocks that both trees have stay blocks.
        shift = begin & -min(here, there)
        self._head, self._tail = begin - shift, last + 1 - shift
        while here and there:
            for block in range(begin, last + 1):
                self._tree[there + (block - shift & (there - 1))] = old[here + (block & (here - 1))]
            here, there = here >> 1, there >> 1
            begin, last, shift = (begin + 1) >> 1, last >> 1, shift >> 1
        self._capacity = capacity

    def __len__(self) -> int:
        return self._tail - self._head

    def _blocks(self) -> list[tuple[int, int, int]]:
        """The live blocks as (node, begin, end), from the leaves to the root."""
        blocks = []
        row, width = self._capacity, 1
        while row:
            for block in range(-(-self._head // width), -(-self._tail // width)):
                end = min((block + 1) * width, self._tail)
                blocks.append((row + (block & (row - 1)), block * width, end))
            row, width = row >> 1, width << 1
        return blocks

    def _check(self) -> None:
        assert len(self._tree) == 2 * self._capacity, self._state()
        assert self._capacity & (self._capacity - 1) == 0, (
            self._state()
        )  # A power of two, so that & finds a node.
        assert 0 <= self._head <= self._tail <= self._head + self._capacity, self._state()
        blocks = self._blocks()
        leaves = {begin: self._tree[node] for node, begin, _ in blocks if node >= self._capacity}
        assert len({node for node, _, _ in blocks}) == len(blocks), (
            self._state()
        )  # No node serves two blocks.
        for node, begin, end in blocks:
            word = self._aggregate.fold(leaves[position] for position in range(begin, end))
            assert self._aggregate.equal(self._tree[node], word), (node, begin, end, self._state())

    def _state(self) -> dict[str, Any]:
        """The nodes that are in use; `first` is the leaf of the oldest partial, counted from the left."""
        live = {node: self._tree[node] for node, _, _ in self._blocks()}
        first = self._head & (self._capacity - 1)
        return {"capacity": self._capacity, "first": first, "size": len(self), "nodes": live}
