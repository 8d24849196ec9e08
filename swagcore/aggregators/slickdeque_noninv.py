"""SlickDeque (Non-Inv): only the partials that can still be an answer. S §4.2.1.2, Algorithm 3."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from itertools import pairwise
from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow


class SlickDequeNonInv(Technique):
    """A deque of (position, partial). A new partial throws out, from the back, those that lose against it.

    For a selective aggregate x ⊕ y is x or y. Where `back ⊕ new` is new, back is never again an answer: every window
    that holds it holds new as well. Those that stay win against all that come after them, so the answer over the
    newest n is the first node not older than that, found by bisection over the positions.

    Invariant: positions ascend; the newest partial is the last node; each node ⊕ the next is the node; and from a
    node to the next, what lies between is absorbed by the next. (That is gone, so `_check` cannot see it.)
    Combines: insert as many as nodes are thrown out, and one if a node is left; evict and all queries 0. A partial is at
    most once thrown out, and at most once kept against another: below 2 amortized. Evict, insert, query at a steady
    length n: worst n - 1; amortized 2 - 1/(n - 1) on the worst input, which has a great value just before the last one
    expires and rising small ones between; 2 - 2/n on input in random order; none for n = 1.

    What counts is whether the result *is* the new partial. S Algorithm 3, line 16, asks `==`, which mixes up partials
    that are equal but not the same: the first of 1 and True comes out as True. Lines 23-39 are off by one: startPos is
    the last position *before* the range, so both loops have to skip it (`<=`); as printed, a range below wSize is
    answered over one partial too many, against S Example 6, steps 4 and 5. It asks for a "non-invertible" operation;
    what it needs is a selective one (the union of {1} and {2} comes out as {1}).

    S §4.3.1 gives the worst step n operations and a chance of 1 in n!: it has n - 1, as the oldest has just expired, and
    twice that chance, for the last node may as well stay (n = 2: every step). Nor does a step of 8 need 9 partials in
    order: those between that are thrown out at once do no harm (in a window of 5 a step has 2 operations or more in 9 cases
    of 20, not in 1 of 3!). Table 4 has n for all ranges, the text 2n: a look-up costs steps along the deque, and no operation.

    Storage: a plain deque. Chunks, as in S §4.2.1.2, buy nothing here: they take 1.2 to 1.6 times as long, in one run of
    bench/slickdeque_storage.py at window 1024, since Python's deque is one of chunks already. Two lists take 1.1 to 1.2
    times as long for `query()`, though only 0.6 to 0.7 for `query(n)`, where there is more to search than to throw out.

    >>> from swagcore.algebra import aggregate
    >>> window = SlickDequeNonInv(aggregate("max"))
    >>> for price in (6, 5, 0, 1):
    ...     window.insert(price)
    >>> window.query(), window.query(3), window._state()["nodes"]
    (6, 5, [(0, 6), (1, 5), (3, 1)])
    """

    name = "slickdeque_noninv"
    multi = True
    needs = ("selective",)

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._nodes: deque[tuple[int, Partial]] = deque()
        self._head = 0
        self._tail = 0

    def insert(self, partial: Partial) -> None:
        """Add the newest partial. A combine for each node that goes, and one if another stays."""
        nodes, combine, tail = self._nodes, self._combine, self._tail
        while nodes and combine(nodes[-1][1], partial) is partial:
            nodes.pop()
        nodes.append((tail, partial))
        self._tail = tail + 1

    def evict(self) -> None:
        """Forget the oldest partial. No combine."""
        head = self._head
        if head == self._tail:
            raise EmptyWindow
        if self._nodes[0][0] == head:
            self._nodes.popleft()
        self._head = head + 1

    def query(self, n: int | None = None) -> Partial:
        """The answer over the newest n partials, all by default. No combine; O(log n) looks at the deque for an n."""
        nodes = self._nodes
        if n is None:
            return nodes[0][1] if nodes else self._identity
        if not self._newest(n):
            return self._identity
        return nodes[bisect_left(nodes, (self._tail - n,))][1]

    def __len__(self) -> int:
        return self._tail - self._head

    def _check(self) -> None:
        nodes, state = list(self._nodes), self._state()
        positions = [position for position, _ in nodes]
        assert positions == sorted(set(positions)), state
        assert bool(nodes) == (self._head < self._tail), state
        assert not nodes or self._head <= positions[0], state
        assert not nodes or positions[-1] == self._tail - 1, state
        for (_, older), (_, newer) in pairwise(nodes):
            assert self._combine(older, newer) is older is not newer, state

    def _state(self) -> dict[str, Any]:
        """The nodes, with positions counted from the oldest partial of the window."""
        nodes = [(position - self._head, partial) for position, partial in self._nodes]
        return {"nodes": nodes, "size": len(self)}
