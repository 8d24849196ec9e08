"""F1 with the GCDs looked up in a table. S §5.2.4."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection

from swagcore.edges import f1
from swagcore.edges.classes import Class
from swagcore.errors import InvalidArgument


class GcdTable:
    """The GCDs of all pairs of numbers up to a limit, in a given number of bytes. Rows are filled when first asked for.

    A pair beyond the limit takes steps of Euclid's algorithm until the smaller number is in the table. b bytes at g a
    GCD hold the pairs up to about sqrt(2b/g), as S §5.2.4 says; here g = 4.

    >>> table = GcdTable(64 * 1024 * 1024)
    >>> table.limit, table.gcd(12, 18), table.gcd(10**40, 5792 * 7)
    (5792, 6, 32)
    """

    def __init__(self, size: int) -> None:
        if size < 4:
            raise InvalidArgument("size of the table", size, "at least 4 bytes")
        self.limit = min(math.isqrt(size // 2), 2**32 - 1)
        self._rows: dict[int, array[int]] = {}

    def gcd(self, a: int, b: int) -> int:
        """The greatest common divisor of two numbers that are not negative."""
        if a < b:
            a, b = b, a
        while b > self.limit:
            a, b = b, a % b
        if b == 0:
            return a
        row = self._rows.get(b)
        if row is None:
            row = self._rows[b] = array("I", [math.gcd(b, rest) for rest in range(b)])
        return row[a % b]


TABLE = GcdTable(64 * 1024 * 1024)
"""The table of method 'f1_table': pairs up to 5,792."""


def edges(classes: Collection[Class]) -> tuple[int, int]:
    """(edges, period), by F1 with the table.

    >>> edges([(0, 3), (0, 4), (3, 4), (0, 6), (2, 6), (0, 9)])
    (27, 36)
    """
    return f1.by_groups(classes, TABLE.gcd)
