"""S Algorithms 2 and 3, line by line as printed, to see where they are right.

Line 8 of Algorithm 2 is read as a loop up to wSize - 1, and its line 24 as writing `ans` back into the map: nothing runs
otherwise. `mended` makes the one correction that Algorithm 3 needs: both answer loops skip startPos as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any


class AsPrintedInv:
    """Algorithm 2 with a partial a step."""

    def __init__(
        self,
        ranges: list[int],
        combine: Callable[[Any, Any], Any],
        inverse: Callable[[Any, Any], Any],
        initVal: Any,
    ) -> None:
        self.combine, self.inverse = combine, inverse
        self.wSize = max(ranges)  # 5
        self.partials = [initVal] * self.wSize  # 6, 8-10
        self.answers = dict.fromkeys(ranges, initVal)  # 7, 11-13
        self.currPos = self.operations = 0  # 14

    def step(self, newPartial: Any) -> dict[int, Any]:
        """Lines 19-34: one partial in, the answers of all ranges out."""
        for qR, ans in self.answers.items():  # 19
            startPos = self.currPos - qR  # 20
            if startPos < 0:  # 21
                startPos += self.wSize  # 22
            self.answers[qR] = self.inverse(self.combine(ans, newPartial), self.partials[startPos])  # 24
            self.operations += 2
        self.partials[self.currPos] = newPartial  # 30
        self.currPos += 1  # 31
        if self.currPos == self.wSize:  # 32
            self.currPos = 0  # 33
        return dict(self.answers)


class AsPrintedNonInv:
    """Algorithm 3 with a partial a step; the ranges are asked from the longest to the shortest."""

    def __init__(self, ranges: list[int], combine: Callable[[Any, Any], Any], mended: bool = False) -> None:
        self.combine, self.mended = combine, mended
        self.ranges = sorted(ranges, reverse=True)
        self.wSize = max(ranges)  # 5
        self.d: deque[tuple[int, Any]] = deque()  # 7, nodes (pos, val)
        self.currPos = self.operations = 0  # 8

    def step(self, newPartial: Any) -> dict[int, Any]:
        """Lines 13-45: one partial in, the answers of all ranges out."""
        d, currPos = self.d, self.currPos
        if d and d[0][0] == currPos:  # 13
            d.popleft()  # 14
        while d:  # 16
            self.operations += 1
            if self.combine(d[-1][1], newPartial) != newPartial:
                break
            d.pop()  # 17
        d.append((currPos, newPartial))  # 19
        i, answers = 0, {}  # 21
        for q_range in self.ranges:  # 22
            startPos = currPos - q_range  # 23
            boundaryCrossed = startPos < 0  # 24, 25, 27
            if boundaryCrossed:
                startPos += self.wSize  # 26
            while self.skips(d[i][0], startPos, boundaryCrossed):  # 31, 36
                i += 1  # 32, 37
            answers[q_range] = d[i][1]  # 40
        self.currPos += 1  # 42
        if self.currPos == self.wSize:  # 43
            self.currPos = 0  # 44
        return answers

    def skips(self, pos: int, startPos: int, boundaryCrossed: bool) -> bool:
        before = pos <= startPos if self.mended else pos < startPos
        return before and pos > self.currPos if boundaryCrossed else before or pos > self.currPos
