"""S Algorithm 1 and the optimized wReset of S §3.2.2, line by line as printed, to see where they are right.

Two misprints are read charitably, since nothing runs otherwise: line 10 loops up to wSize - 1 (set `to_wsize` to have it
as printed), and `windowSize` in line 48 is wSize. `mended` makes the two corrections that the algorithm needs: no pop
from an empty stack, and the older operand first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class AsPrinted:
    """Algorithm 1 with a partial a step; `deepest` is the most entries its stack has held since it was last set to 0."""

    def __init__(
        self,
        wSize: int,
        combine: Callable[[Any, Any], Any],
        initVal: Any,
        to_wsize: bool = False,
        mended: bool = False,
    ) -> None:
        self.wSize, self.combine, self.initVal, self.mended = wSize, combine, initVal, mended
        self.operations = self.deepest = 0
        self.Partials: list[Any] = [None] * wSize  # 7
        self.Pointers: list[Any] = [None] * wSize  # 8
        self.Positions: list[int] = []  # 9
        for i in range(wSize + 1 if to_wsize else wSize):  # 10
            self.Partials[i] = initVal  # 11
            self.Pointers[i] = i + 1  # 12
        self.Pointers[wSize - 1] = 0  # 14
        self.currInd = 0  # 15
        self.prevInd = wSize - 1  # 16

    def step(self, newPartial: Any, ranges: list[int]) -> list[Any]:
        """Lines 22-50: one partial in, the answers over the newest `range` partials of each query out."""
        self.Partials[self.prevInd] = newPartial  # 22
        self.Pointers[self.prevInd] = self.currInd  # 23
        answers = [self.answer(q_range) for q_range in ranges]  # 24-25
        self.prevInd = self.currInd  # 46
        self.currInd += 1  # 47
        if self.currInd == self.wSize:  # 48
            self.currInd = 0  # 49
        return answers

    def answer(self, q_range: int) -> Any:
        Partials, Pointers, Positions = self.Partials, self.Pointers, self.Positions
        startInd = self.currInd - q_range  # 26
        if startInd < 0:  # 27
            startInd += self.wSize  # 28
        while True:  # 30
            Positions.append(startInd)  # 31
            startInd = Pointers[startInd]  # 32
            if startInd == self.currInd:  # 33
                break
        self.deepest = max(self.deepest, len(Positions))
        answer = Partials[Positions.pop()]  # 35
        while len(Positions) > 1:  # 36
            tempInd = Positions.pop()  # 37
            answer = self.join(answer, Partials[tempInd])  # 38
            Partials[tempInd] = answer  # 39
            Pointers[tempInd] = self.currInd  # 40
        if self.mended and not Positions:
            return answer
        tempInd = Positions.pop()  # 42
        answer = self.join(answer, Partials[tempInd])  # 43
        return answer  # 44

    def join(self, answer: Any, partial: Any) -> Any:
        """answer ⊕ partial as lines 38 and 43 have it; the other way round where mended."""
        self.operations += 1
        return self.combine(partial, answer) if self.mended else self.combine(answer, partial)

    def wReset(self, through: bool) -> Any:
        """S §3.2.2: backwards "until currInd is reached", with (through) or without that index itself."""
        answer = self.initVal
        index = self.currInd
        while True:
            index = (index - 1) % self.wSize
            if index == self.currInd and not through:
                return answer
            answer = self.join(answer, self.Partials[index])
            self.Partials[index] = answer
            self.Pointers[index] = self.currInd
            if index == self.currInd:
                return answer
