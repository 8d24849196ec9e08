"""How many operations a slide costs, exactly: every technique, windows of 1 .. 64 partials.

A slide is evict, insert and the queries: one over the whole window, or one for each range 1 .. n (S §2.3.2 calls that
max-multi-query). Operations are calls of `combine` and `inverse`, counted over the free monoid, every answer checked,
from a shape of the window until that shape comes back: so the worst slide and the mean are those of every longer run.
SlickDeque (Non-Inv) depends on its input: it is counted on the worst one, which repeats every n - 1 slides.

    python bench/combine_counts.py        # writes results/combine_counts.json and .md beside itself
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle, islice
from pathlib import Path

from swagcore.aggregators import Technique, technique_for
from swagcore.aggregators.flatfit import FlatFit
from swagcore.algebra import Aggregate, Counting, aggregate
from swagcore.testing.closure import Cycle, every_range, steady_state, whole

RESULTS = Path(__file__).parent / "results"
SIZES = range(1, 65)
SHOWN = (1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 63, 64)


@dataclass(frozen=True)
class Formula:
    """What the counts are in closed form; `text` is how the table shows it."""

    text: str
    value: Callable[[int], Fraction | int]
    powers_only: bool = False


@dataclass(frozen=True)
class Row:
    """One technique in one setting: its formulas, what the paper says, and why that differs."""

    technique: str
    worst: Formula | None
    amortized: Formula | None
    paper: str = ""
    note: str = ""


def log(n: int) -> int:
    """⌊log2 n⌋."""
    return n.bit_length() - 1


def from_(
    first: int, value: Callable[[int], Fraction | int], *below: int | Fraction
) -> Callable[[int], Fraction | int]:
    """The values below `first`, from n = 1 on, then the formula."""
    return lambda n: value(n) if n >= first else below[n - 1]


def _power(n: int) -> bool:
    return n & (n - 1) == 0


_TREE = Formula("⌊log n⌋ + ones(n) - 1", lambda n: log(n) + n.bit_count() - 1)
_TREE_MEAN = Formula("⌊log n⌋ + n / 2^⌊log n⌋ - 1", lambda n: log(n) + Fraction(n, 2 ** log(n)) - 1)

SINGLE = [
    Row(
        "recompute", Formula("n - 1", lambda n: n - 1), Formula("n - 1", lambda n: n - 1), "n - 1; Table 2: n"
    ),
    Row(
        "subtract_on_evict",
        Formula("2", from_(2, lambda n: 2, 1)),
        Formula("2", from_(2, lambda n: 2, 1)),
        "2",
        "n = 1 drains at every slide: there is nothing to subtract from.",
    ),
    Row(
        "r_int",
        Formula("2", from_(2, lambda n: 2, 0)),
        Formula("2", from_(2, lambda n: 2, 0)),
        "2 (as Panes (Inv))",
    ),
    Row("flatfat", _TREE, _TREE_MEAN, "log n, exactly", "Equal where n is a power of two, and nowhere else."),
    Row("b_int", _TREE, _TREE_MEAN, "log n", "As FlatFAT: what an insert saves, the look-up pays."),
    Row(
        "l_int",
        Formula(
            "2^(k+1) - 3, 2 less for n = 2^k; k = ⌊log n⌋ >= 3",
            from_(8, lambda n: 2 ** (log(n) + 1) - (5 if _power(n) else 3), 0, 1, 2, 4, 5, 5, 5),
        ),
        Formula(
            "3k - 5 + (n + 2) / 2^k, 2 / 2^k less for n = 2^k; k = ⌊log n⌋ >= 3",
            from_(
                8,
                lambda n: 3 * log(n) - 5 + Fraction(n + (0 if _power(n) else 2), 2 ** log(n)),
                *map(Fraction, ("0", "1", "3/2", "5/2", "11/4", "3", "13/4")),
            ),
        ),
        "A Theorem 3.4: O(1) amortized for each of O(log n) partitions",
        "The landmarks for all ranges 1 .. n are kept: a declared range alone costs below 3 an insert.",
    ),
    Row("psoup", None, None, "A §3.1.3: O(log n)", "At most 2⌈log n⌉ + 2."),
    Row(
        "two_stacks",
        Formula("n", from_(2, lambda n: n, 0)),
        Formula("3 - 3/n", lambda n: 3 - Fraction(3, n)),
        "n; 3",
        "The flip, the first insert and the query after the flip each cost one less.",
    ),
    Row(
        "two_stacks_lite",
        Formula("n - 1", lambda n: n - 1),
        Formula("3 - 4/n", from_(2, lambda n: 3 - Fraction(4, n), 0)),
    ),
    Row(
        "daba",
        Formula("8 from n = 9 on", from_(9, lambda n: 8, 0, 1, 2, 4, 5, 7, 5, 7)),
        Formula(
            "5 - 8/n for even n, 5 - 6/(n - 1) for odd n",
            from_(2, lambda n: 5 - (Fraction(6, n - 1) if n % 2 else Fraction(8, n)), 0),
        ),
        "8; 5",
        "Worst as said. The first shrink after a flip costs 1, not 3; the first insert into a back, and a query without one, none.",
    ),
    Row(
        "daba_lite",
        Formula("6 from n = 9 on", from_(9, lambda n: 6, 0, 1, 2, 3, 4, 5, 4, 5)),
        Formula(
            "4 - 6/n for even n, 4 - 4/(n - 1) for odd n",
            from_(2, lambda n: 4 - (Fraction(4, n - 1) if n % 2 else Fraction(6, n)), 0),
        ),
    ),
    Row(
        "flatfit",
        Formula("n - 1", lambda n: n - 1),
        Formula("3(n - 1) / (n + 1)", lambda n: Fraction(3 * (n - 1), n + 1)),
        "n - 1; 3",
        "3(n - 1) in n + 1 slides: §3.3.1 multiplies by n / (n - 1) where it should by n / (n + 1).",
    ),
    Row(
        "flatfit stack-free",
        Formula("n - 1", lambda n: n - 1),
        Formula("3(n - 1) / (n + 1)", lambda n: Fraction(3 * (n - 1), n + 1)),
        "n - 1; 3",
        "The same operations without the stack; §3.2.2 as printed begins with initVal, one more.",
    ),
    Row(
        "slickdeque_inv",
        Formula("2", from_(2, lambda n: 2, 1)),
        Formula("2", from_(2, lambda n: 2, 1)),
        "2",
        "As Subtract-on-Evict.",
    ),
    Row(
        "slickdeque_noninv",
        Formula("n - 1", lambda n: n - 1),
        Formula("2 - 1/(n - 1), on the worst input", from_(2, lambda n: 2 - Fraction(1, n - 1), 0)),
        "n; < 2",
        "After the evict n - 1 nodes are left. On input in random order the mean is 2 - 2/n.",
    ),
]

MULTI = [
    Row(
        "recompute",
        Formula("n(n - 1) / 2", lambda n: n * (n - 1) // 2),
        Formula("n(n - 1) / 2", lambda n: n * (n - 1) // 2),
        "n²/2 - n/2",
    ),
    Row(
        "r_int",
        Formula("n + 1", from_(2, lambda n: n + 1, 0)),
        Formula("n + 1", from_(2, lambda n: n + 1, 0)),
        "none: S takes it for Panes (Inv)",
        "R-INT answers every range, by one inverse.",
    ),
    Row(
        "flatfat",
        Formula("nk/2 for n = 2^k", lambda n: n * log(n) // 2, powers_only=True),
        Formula(
            "nk/2 - 3(n - k - 1)/4 for n = 2^k",
            lambda n: Fraction(n * log(n), 2) - Fraction(3 * (n - log(n) - 1), 4),
            powers_only=True,
        ),
        "n log n - 3n/2 + (5/2) log n + 5/2",
        "4 at n = 2, where one operation does. The tree as the paper has it costs n log n - 5n/2 + (3/2) log n + 5/2; "
        "here the nodes above the newest leaf are filled as leaves arrive, which saves up to half of that.",
    ),
    Row(
        "b_int",
        None,
        Formula(
            "nk - 5n/2 + 3k/2 + 5/2 for n = 2^k",
            lambda n: n * log(n) - Fraction(5 * n, 2) + Fraction(3 * log(n), 2) + Fraction(5, 2),
            powers_only=True,
        ),
        "n log n",
    ),
    Row("l_int", None, None, "", "At most one operation a range beside the inserts."),
    Row("psoup", None, None, "A §3.1.3: O(log n) a look-up"),
    Row(
        "flatfit",
        Formula("n - 1", lambda n: n - 1),
        Formula("n - 1", lambda n: n - 1),
        "3n",
        "One for each range above 1: every pointer but the newest went to the end before the slide.",
    ),
    Row(
        "slickdeque_inv",
        Formula("2n - 2", from_(2, lambda n: 2 * n - 2, 1)),
        Formula("2n - 2", from_(2, lambda n: 2 * n - 2, 1)),
        "2n",
        "The total of the window is the answer of the range n, and becomes that of n - 1 by one inverse.",
    ),
    Row(
        "slickdeque_noninv",
        Formula("n - 1", lambda n: n - 1),
        Formula("2 - 1/(n - 1), on the worst input", from_(2, lambda n: 2 - Fraction(1, n - 1), 0)),
        "§4.3.1: 2n at worst; Table 4: n",
        "A look-up is no operation: all ranges cost as much as one. The paper counts steps along the deque.",
    ),
]


def counted(technique: str, n: int, *, multi: bool = False) -> tuple[int, Fraction]:
    """The operations of the worst slide, and of the mean one."""
    if technique == "slickdeque_noninv":
        return max(map(max, (_worst_step(n), _worst_cycle(n)))), _mean(_worst_cycle(n))

    def factory(partials: Aggregate) -> Technique:
        if technique == "flatfit stack-free":
            return FlatFit(partials, stack_free=True)
        ranges = range(1, n + 1) if multi else [n]
        return technique_for(technique, partials, ranges if technique == "slickdeque_inv" else None)

    found: Cycle = steady_state(factory, n, asks=every_range if multi else whole)
    return found.worst, found.amortized


def _slides(n: int, values: list[int]) -> list[int]:
    """What each value costs SlickDeque (Non-Inv) once n are there before it."""
    counting = Counting(aggregate("max"))
    window = technique_for("slickdeque_noninv", counting.aggregate)
    costs = []
    for value in values:
        counting.reset()
        if len(window) == n:
            window.evict()
        window.insert(value)
        window.query()
        costs.append(counting.operations)
    return costs[n:]


def _worst_step(n: int) -> list[int]:
    """Falling values, then the greatest: all nodes go at once."""
    return _slides(n, [*range(n, 0, -1), n + 1])


def _worst_cycle(n: int) -> list[int]:
    """A great value just before the last one expires, rising small ones between: all but the great go, and are kept."""
    once = [n, *range(1, n - 1)]
    return _slides(n, list(islice(cycle(once), n + 5 * len(once))))


def _mean(costs: list[int]) -> Fraction:
    return Fraction(sum(costs), len(costs))


def agrees(row: Row, n: int, worst: int, mean: Fraction) -> bool:
    """Whether the formulas of the row give the counts at n; those for powers of two speak of no other n."""
    for formula, value in ((row.worst, worst), (row.amortized, mean)):
        if formula and (_power(n) or not formula.powers_only) and formula.value(n) != value:
            return False
    return True


def table(rows: list[Row], *, multi: bool) -> dict[str, dict[str, list[str]]]:
    """The counts of all rows and sizes, as strings: fractions are exact."""
    counts = {}
    for row in rows:
        pairs = [counted(row.technique, n, multi=multi) for n in SIZES]
        for n, (worst, mean) in zip(SIZES, pairs, strict=True):
            if not agrees(row, n, worst, mean):
                raise SystemExit(
                    f"{row.technique}, n = {n}: counted {worst} and {mean}, which no formula says"
                )
        counts[row.technique] = {
            "worst": [str(worst) for worst, _ in pairs],
            "amortized": [str(mean) for _, mean in pairs],
        }
    return counts


def readable(title: str, rows: list[Row], counts: dict[str, dict[str, list[str]]]) -> str:
    """The table of formulas beside the paper's, and the counts at some sizes."""
    lines = [
        f"## {title}",
        "",
        "| technique | worst slide | amortized | papers | difference |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        worst, mean = (formula.text if formula else "below" for formula in (row.worst, row.amortized))
        lines.append(f"| {row.technique} | {worst} | {mean} | {row.paper} | {row.note} |")
    lines += ["", "Worst / amortized at some n:", ""]
    lines += ["| technique | " + " | ".join(map(str, SHOWN)) + " |", "|---" * (len(SHOWN) + 1) + "|"]
    for row in rows:
        found = counts[row.technique]
        cells = [f"{found['worst'][n - 1]} / {_short(found['amortized'][n - 1])}" for n in SHOWN]
        lines.append(f"| {row.technique} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _short(fraction: str) -> str:
    value = Fraction(fraction)
    return str(value) if value.denominator == 1 else f"{math.floor(value * 1000 + Fraction(1, 2)) / 1000:g}"


def main() -> None:
    counts = {"single": table(SINGLE, multi=False), "all_ranges": table(MULTI, multi=True)}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "combine_counts.json").write_text(
        json.dumps({"sizes": list(SIZES), **counts}, indent=1) + "\n"
    )
    about = (
        "# Operations a slide\n\nCalls of `combine` and `inverse` in evict, insert, query at a steady length n, counted by "
        "`python bench/combine_counts.py`; log is that of base 2, S and A are the papers (S §2.3.2, §3.3, §4.3, Tables 2 to 4; "
        "A §3). All values for n = 1 .. 64, as exact fractions, are in combine_counts.json; formulas that begin later "
        "than n = 1 are followed by nothing but the counts before it.\n\n"
    )
    tables = readable("One query over the window", SINGLE, counts["single"])
    tables += "\n" + readable("All ranges 1 .. n at every slide", MULTI, counts["all_ranges"])
    (RESULTS / "combine_counts.md").write_text(about + tables)
    print(tables)


if __name__ == "__main__":
    main()
