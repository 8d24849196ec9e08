"""Compare the engines with the meaning of windows, and write table.md and table.json: python -m fuzz.engines.compare.

Every difference has a class:

- semantics: the engine's own rule, named, with the place where it is documented;
- undocumented: a rule that it keeps to and its documentation does not tell, with the place where people asked about it;
- float drift: a sum, mean or moment farther from the exact answer than adding the window's values plainly could be: rounding is
  carried over from values that have left; its size is in units in the last place of the window's largest value (or of the answer, where that is larger);
- wrong: anything else, and among calculated floats whatever no rounding can excuse: a negative variance, a mean or median outside
  the window's values, NaN from numbers, a value that is not in the window.

What may differ without being a difference is the rounding of the window's own values, by one rule for all engines:
`swagcore.testing.tolerance`, in proportion to the values that are added. A median of two middle values is their mean, and an engine
may calculate it as (a + b) / 2 or a + (b - a) / 2. A minimum, a maximum and a median in the middle are chosen: they are exact.
"""

from __future__ import annotations

import json
import math
import random
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from fuzz.engines.adapters import ENGINES, Engine
from swagcore import Query, Window, naive
from swagcore.algebra import aggregate, same
from swagcore.errors import SwagError
from swagcore.testing import Mismatch, tolerance
from swagcore.testing.assignment import check_windows
from swagcore.testing.values import data_of

HERE = Path(__file__).parent
CASES = 25
CALCULATED = ("sum", "mean", "variance", "stddev")
ROUNDING = (*CALCULATED, "median")
VALUES: dict[str, tuple[float, ...]] = {
    "ints": (0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 7.0, -8.0),
    "floats": (0.0, 1.0, 0.5, -2.5, -0.0, 0.1, 0.2, 0.3, 2.06),
    "wide": (0.0, 1.0, 2.0, 3.0, 0.1, -1.0, 1e8, 3e8, 1e16, -1e16),
    "specials": (0.0, 1.0, 2.0, -1.0, math.inf, -math.inf, math.nan),
}
"""No values so large that their sums leave the range of floats: every engine that adds does that."""
SAME, ROUNDED = "same", "rounded"


def _number(value: Any) -> Any:
    """Missing is NaN, and everything else a plain float."""
    return math.nan if value is None else float(value)


def _exactly(name: str, values: list[Any]) -> float:
    try:
        return _number(aggregate(name).over(values))
    except (SwagError, OverflowError):
        return math.inf


def classify(engine: Engine, name: str, values: list[float], got: Any) -> tuple[str, float]:
    """The class of one answer, and the size of a drift in ulps.

    >>> classify(Engine("x"), "mean", [0.0, 0.0], -0.5)[0], classify(Engine("x"), "max", [1.0], 1.0)[0]
    ("wrong: outside the window's values", 'same')
    """
    expected, given = _exactly(name, values), _number(got)
    if same(expected, given):
        return SAME, 0.0
    finite = all(map(math.isfinite, values))
    if name in ROUNDING and finite:
        allowed = tolerance(aggregate(name), values, expected)
        if allowed is None or not math.isfinite(expected):
            return ROUNDED, 0.0  # plain arithmetic may leave the range of floats
        if math.isfinite(given) and abs(Fraction(given) - Fraction(expected)) <= allowed:
            return ROUNDED, 0.0
    for convention in engine.conventions:
        if convention.only and name not in convention.only:
            continue
        if convention.name.startswith("the variance of one") and len(values) == 1 and given == 0:
            return str(convention), 0.0
        seen = convention.seen(values)
        if seen != values and same(_exactly(name, seen), given):
            return str(convention), 0.0
        if seen != values and name in ROUNDING and math.isfinite(given):
            left = [value for value in seen if value is not None]
            allowed = tolerance(aggregate(name), left, _exactly(name, left))
            if (
                all(map(math.isfinite, left))
                and allowed is not None
                and abs(Fraction(given) - Fraction(_exactly(name, left))) <= allowed
            ):
                return str(convention), 0.0
    why = _inexcusable(name, values, given)
    if why or name not in CALCULATED or not finite:
        return f"wrong: {why or 'another answer'}", 0.0
    return "float drift", abs(given - expected) / math.ulp(max(abs(expected), *map(abs, values)) or 1.0)


def _inexcusable(name: str, values: list[float], given: float) -> str:
    """What no rounding and no rule for NaN explains, in a few words; nothing where there is no such thing."""
    numbers = [value for value in values if value == value]
    if given != given:
        known = len(numbers) == len(values)  # NaN in, NaN out may be a rule
        undefined = {math.inf, -math.inf} <= set(numbers) or (
            name in ("variance", "stddev") and (len(numbers) < 2 or not all(map(math.isfinite, numbers)))
        )
        return "NaN from numbers" if known and not undefined else ""
    if name in ("min", "max"):
        return "" if given in numbers else "a value that is not in the window"
    if name in ("variance", "stddev"):
        return "negative" if given < 0 else ""
    if name in ("mean", "median") and numbers:
        slack = 1e-6 * max((abs(value) for value in numbers if math.isfinite(value)), default=0.0) + 1e-6
        inside = min(numbers) - slack <= given <= max(numbers) + slack
        return "" if inside else "outside the window's values"
    return ""


def judged(engine: Engine, name: str, values: list[float], w: int) -> Iterator[tuple[str, float, int, Any]]:
    """Every answer of one case: its class, its size, its row, and what the engine said."""
    if engine.full and w > len(values):
        return
    try:
        answers = engine.rows[name](values, w)
    except BaseException as problem:  # a panic of Rust code is no Exception
        if isinstance(problem, (KeyboardInterrupt, SystemExit)):
            raise
        yield f"wrong: raises {type(problem).__name__}", 0.0, len(values) - 1, problem
        return
    for i, got in enumerate(answers):
        if not engine.full or i >= w - 1:
            yield (*classify(engine, name, values[max(0, i - w + 1) : i + 1], got), i, got)


def smallest(engine: Engine, name: str, values: list[float], w: int, kind: str) -> tuple[list[float], int]:
    """A smaller case with an answer of the same class: fewer values, a shorter window, smaller values."""

    def has(candidate: list[float], size: int) -> bool:
        return (
            bool(candidate) and size > 0 and any(c == kind for c, *_ in judged(engine, name, candidate, size))
        )

    again = True
    while again:
        again = False
        for i in range(len(values)):
            if has(values[:i] + values[i + 1 :], w):
                values, again = values[:i] + values[i + 1 :], True
                break
        if w > 1 and has(values, w - 1):
            w, again = w - 1, True
        for i, value in enumerate(values):
            for simpler in (0.0, 1.0):
                if repr(value) not in ("0.0", repr(simpler)) and has(
                    [*values[:i], simpler, *values[i + 1 :]], w
                ):
                    values, again = [*values[:i], simpler, *values[i + 1 :]], True
                    break
    return values, w


def rows_of(title: str, engine: Engine, seed: int, cases: int) -> Iterator[dict[str, Any]]:
    """One row of the table for each aggregate: how many answers, and the differences by class."""
    for name in engine.rows:
        answers, tried, found = 0, 0, {}
        for kind in engine.data:
            for number in range(cases):
                chance = random.Random(f"{seed} {title} {name} {kind} {number}")
                values = data_of(VALUES[kind]).draw(chance, chance.randint(1, 30))
                w = chance.randint(1, 12)
                tried += 1
                for said, ulps, i, got in judged(engine, name, values, w):
                    answers += 1
                    if said in (SAME, ROUNDED):
                        continue
                    entry = found.setdefault(said, {"answers": 0, "ulps": 0.0, "case": (values, w)})
                    entry["answers"] += 1
                    entry["ulps"] = max(entry["ulps"], ulps)
                    del i, got
        for said, entry in found.items():
            values, w = smallest(engine, name, *entry.pop("case"), said)
            wrong = next(one for one in judged(engine, name, values, w) if one[0] == said)
            window = values[max(0, wrong[2] - w + 1) : wrong[2] + 1]
            entry["minimal"] = {
                "values": repr(values),
                "window": w,
                "row": wrong[2],
                "expected": repr(_exactly(name, window)),
                "got": repr(wrong[3] if isinstance(wrong[3], BaseException) else _number(wrong[3])),
            }
            entry["ulps"] = f"{entry['ulps']:.3g}" if entry["ulps"] else ""
        yield {
            "engine": title,
            "version": engine.version,
            "compared": f"{name} over the newest w rows",
            "cases": tried,
            "answers": answers,
            "differences": found,
        }


def _trailing(title: str, engine: Engine, seed: int, cases: int) -> dict[str, Any]:
    answers, found = 0, {}
    assert engine.trailing is not None
    for number in range(cases * 4):
        chance = random.Random(f"{seed} {title} trailing {number}")
        times = sorted(chance.randint(-20, 20) for _ in range(chance.randint(1, 12)))
        events = [(time, 2**i) for i, time in enumerate(times)]
        range_ = chance.randint(1, 10)
        peers = [sum(v for t, v in events if time - range_ < t <= time) for time, _ in events]
        so_far = [
            sum(v for t, v in events[: i + 1] if time - range_ < t) for i, (time, _) in enumerate(events)
        ]
        for i, got in enumerate(engine.trailing(events, range_)):
            answers += 1
            if got != peers[i]:
                said = (
                    f"undocumented: of rows at the same time only those so far are in ({engine.so_far})"
                    if engine.so_far and got == so_far[i]
                    else "wrong: another answer"
                )
                entry = found.setdefault(
                    said,
                    {
                        "answers": 0,
                        "ulps": "",
                        "minimal": {
                            "values": repr(events),
                            "window": range_,
                            "row": i,
                            "expected": repr(peers[i]),
                            "got": repr(got),
                        },
                    },
                )
                entry["answers"] += 1
                if len(repr(events)) < len(entry["minimal"]["values"]):
                    entry["minimal"] = {
                        "values": repr(events),
                        "window": range_,
                        "row": i,
                        "expected": repr(peers[i]),
                        "got": repr(got),
                    }
    return {
        "engine": title,
        "version": engine.version,
        "compared": "sum over (t - range, t] for each event",
        "cases": cases * 4,
        "answers": answers,
        "differences": found,
    }


def _windows(title: str, engine: Engine, seed: int, cases: int) -> dict[str, Any]:
    assert engine.windows is not None
    found: dict[str, Any] = {}
    answers = 0

    def target(events: Any, range_: int, slide: int, offset: int) -> Any:
        nonlocal answers
        assert engine.windows is not None
        meant = naive([Query("q", "sum", Window(range_, slide, offset))], events)
        right = [(answer.start, answer.end, answer.value) for answer in meant]
        if engine.tumbling and range_ != slide:
            return right  # it promises no others: the question is not put to it
        result = engine.windows(events, range_, slide, offset)
        answers += len(result)
        if engine.from_the_first and events:
            first = offset + (events[0][0] - offset) // slide * slide
            missing = [answer for answer in right if answer[0] < first]
            if missing:
                said = "semantics: no window before the one of the first event (group_by_dynamic, start_by)"
                small = {
                    "values": repr(events),
                    "window": f"({range_}, {slide}, {offset})",
                    "row": "",
                    "expected": repr(missing[0]),
                    "got": "none",
                }
                entry = found.setdefault(said, {"answers": 0, "ulps": "", "minimal": small})
                entry["answers"] += len(missing)
                if len(repr(small)) < len(repr(entry["minimal"])):
                    entry["minimal"] = small
            result = [*result, *missing]
        return result

    try:
        check_windows(target, max_examples=cases * (40 if engine.tumbling else 8), seed=seed, **engine.claims)
    except Mismatch as wrong:
        said = str(wrong)
        call = next(line for line in said.splitlines() if "engine(" in line).strip()
        found["wrong: another answer"] = {
            "answers": 1,
            "ulps": "",
            "minimal": {
                "values": call,
                "window": "",
                "row": "",
                "expected": said.splitlines()[-1].strip(),
                "got": said.splitlines()[0].lstrip("# "),
            },
        }
    return {
        "engine": title,
        "version": engine.version,
        "compared": "sums by window over time" + (", range = slide" if engine.tumbling else ""),
        "cases": cases * (40 if engine.tumbling else 8),
        "answers": answers,
        "differences": found,
    }


def table(seed: int = 0, cases: int = CASES, only: list[str] | None = None) -> list[dict[str, Any]]:
    """All comparisons."""
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for title in only or ENGINES:
            engine = ENGINES[title]()
            rows += rows_of(title, engine, seed, cases)
            if engine.trailing:
                rows.append(_trailing(title, engine, seed, cases))
            if engine.windows:
                rows.append(_windows(title, engine, seed, cases))
    return rows


def as_markdown(rows: list[dict[str, Any]]) -> str:
    """The table, and the minimal input of every class below it."""
    lines = [
        "# Other people's engines against the meaning of windows",
        "",
        "Written by `python -m fuzz.engines.compare`. The classes are explained in `compare.py`; what is wrong has a page under `docs/trophies/`.",
        "",
        "| engine | version | compared | cases | answers | differences |",
        "|---|---|---|---|---|---|",
    ]
    notes = []
    for row in rows:
        said = []
        for kind, entry in row["differences"].items():
            size = f", up to {entry['ulps']} ulps" if entry["ulps"] else ""
            said.append(f"{kind.partition(' (')[0]}: {entry['answers']}{size}")
            small = entry["minimal"]
            notes.append(
                f"- {row['engine']}, {row['compared']}, {kind}: `{small['values']}`, window {small['window']}, "
                f"row {small['row']}: expected {small['expected']}, got {small['got']}"
            )
        lines.append(
            f"| {row['engine']} | {row['version']} | {row['compared']} | {row['cases']} | {row['answers']} | {'; '.join(said) or 'none'} |"
        )
    return "\n".join([*lines, "", "## The smallest input of each class", "", *notes, ""])


def main() -> None:
    """Compare, and write table.md and table.json."""
    import argparse

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=CASES, help="cases for each aggregate and kind of data")
    parser.add_argument(
        "--engine", action="append", choices=list(ENGINES), help="only this one; prints, writes nothing"
    )
    arguments = parser.parse_args()
    rows = table(arguments.seed, arguments.cases, arguments.engine)
    if arguments.engine:
        print(as_markdown(rows))
        return
    (HERE / "table.json").write_text(json.dumps(rows, indent=1) + "\n")
    (HERE / "table.md").write_text(as_markdown(rows))
    print(
        f"{sum(row['answers'] for row in rows):,} answers of {len({row['engine'] for row in rows})} engines compared"
    )


if __name__ == "__main__":
    main()
