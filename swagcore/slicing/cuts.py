"""Where a stream is cut into slices: a set of residue classes, kept as arithmetic and never as a list of times."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from itertools import takewhile

from swagcore.errors import InvalidArgument
from swagcore.windows import Window

MOST_EDGES = 10_000_000
"""What is counted by walking has at most so many edges; beyond it, counting is refused."""


class Cuts:
    """The edges of one or many windows: every time t with `t % modulus == residue` for one of the classes.

    Equal classes count once, and a class inside another is left out. The least common multiple of the moduli, the
    composite slide, may be astronomic: nothing here has its size.

    - `at_or_before(t)`, `after(t)`: the edges around a time. `__contains__`: whether a time is an edge.
    - `from_time(t)`: all edges from there on, one by one. `between(a, b)`: how many edges e have a <= e < b.

    >>> cuts = Cuts.of([Window(8, 2), Window(9, 3)])
    >>> cuts.classes, cuts.period
    ([(0, 3), (0, 2)], 6)
    >>> cuts.at_or_before(7), cuts.after(7), 9 in cuts, cuts.between(0, 12)
    (6, 8, True, 8)
    """

    def __init__(self, classes: Iterable[tuple[int, int]]) -> None:
        kept: dict[int, set[int]] = {}  # modulus -> residues
        for residue, modulus in sorted(set(classes), key=lambda edge: edge[1]):
            # A class lies in another one exactly if that modulus divides its own and the residues agree.
            if not any(modulus % m == 0 and residue % m in residues for m, residues in kept.items()):
                kept.setdefault(modulus, set()).add(residue)
        if not kept:
            raise InvalidArgument("windows", [], "at least one window")
        self.classes = [
            (residue, modulus)
            for modulus in reversed(kept)
            for residue in sorted(kept[modulus], reverse=True)
        ]

    @classmethod
    def of(cls, windows: Iterable[Window], slicing: str = "pairs") -> Cuts:
        """The cuts that these windows make together under a slicing.

        >>> Cuts.of([Window(10, 4)], "panes").classes, Cuts.of([Window(10, 4, 1)], "cutty").classes
        ([(0, 2)], [(1, 4)])
        """
        return cls(edge for window in windows for edge in window.edges(slicing))

    @property
    def period(self) -> int:
        """The edges repeat with it: the least common multiple of the moduli.

        >>> Cuts.of([Window(10**12, 10**12 - 11), Window(8, 4)]).period
        3999999999956
        """
        return math.lcm(*(modulus for _, modulus in self.classes))

    def at_or_before(self, time: int) -> int:
        """The last edge that is not after the time: where its slice starts."""
        return max([time - (time - residue) % modulus for residue, modulus in self.classes])

    def after(self, time: int) -> int:
        """The first edge after the time: where its slice ends."""
        return min([time + modulus - (time - residue) % modulus for residue, modulus in self.classes])

    def __contains__(self, time: int) -> bool:
        return any(time % modulus == residue for residue, modulus in self.classes)

    def from_time(self, time: int) -> Iterator[int]:
        """The edges at or after a time, in order, without end.

        >>> from itertools import islice
        >>> list(islice(Cuts([(0, 4), (2, 6)]).from_time(1), 6))
        [2, 4, 8, 12, 14, 16]
        """
        upcoming = [(time + (residue - time) % modulus, modulus) for residue, modulus in self.classes]
        heapq.heapify(upcoming)
        latest = None
        while True:
            edge, modulus = upcoming[0]
            heapq.heapreplace(upcoming, (edge + modulus, modulus))
            if edge != latest:
                latest = edge
                yield edge

    def between(self, start: int, end: int) -> int:
        """How many edges e have start <= e < end, by walking over them; refused where that is too far."""
        self.refuse_beyond(end - start)
        return sum(1 for _ in takewhile(lambda edge: edge < end, self.from_time(start)))

    def refuse_beyond(self, length: int) -> None:
        """Refuse to walk over a time that long if it may have more than MOST_EDGES edges.

        >>> Cuts([(0, 1)]).refuse_beyond(10**12)
        Traceback (most recent call last):
            ...
        swagcore.errors.InvalidArgument: time to walk over is 1000000000000; expected one of at most 10000000 edges; \
this one may have 1000000000000
        """
        most = sum(-(-length // modulus) for _, modulus in self.classes)
        if most > MOST_EDGES:
            raise InvalidArgument(
                "time to walk over", length, f"one of at most {MOST_EDGES} edges; this one may have {most}"
            )


def partials(window: Window, slicing: str = "pairs") -> int:
    """How many slices every instance of a window has when it is cut alone, by counting its edges. S Table 1.

    >>> [partials(Window(14, 8), slicing) for slicing in ("panes", "pairs", "cutty")]
    [7, 3, 2]
    >>> [partials(Window(16, 8), slicing) for slicing in ("panes", "pairs", "cutty")]
    [2, 2, 2]
    """
    return Cuts.of([window], slicing).between(window.offset, window.offset + window.range)
