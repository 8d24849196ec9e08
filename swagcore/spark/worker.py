"""What runs on a worker: Arrow batches of slices in, Arrow batches of answers out.

The batches of a partition come sorted by run (the keys and the piece of time, see slices.py), then by time. A worker
holds about `ROWS` slices at a time, or up to three times those of the longest window where they are more, and `WINDOWS`
answers: its memory does not grow with the data. Over one key of 20 million slices with three parts, a worker grew by
0.2 GB where windows had a thousand slices, and by 0.5 GB where they had a million.

Nothing of swagcore is imported but kernels, by relative imports: the source of this module is sent to workers that do
not have swagcore.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..kernels import folds
from ..kernels.instances import windows

ROWS = 1 << 18
WINDOWS = 1 << 18
MOST = 2.0**63 - 2.0**50
"""A total of magnitudes below that is below 2**63, though it was rounded with each of 2**40 additions."""

Array = np.ndarray[Any, np.dtype[Any]]


class Plan(TypedDict):
    """Plain data, so that it can be sent.

    - `keys`: how many key columns come first; the piece of time and the slice's start follow, then the parts.
    - `parts`: (fold, its first column, how many columns).
    - `windows`: (range, slide, offset, queries), a query being (its number, for each slot it fills: the slot, the part,
      and which of the part's results).
    - `slots`: how many columns of results there are. `types`: which column of the input has the type of each.
    - `longest`: the longest range. `piece`: the length of a piece of time.
    """

    keys: int
    parts: list[tuple[str, int, int]]
    windows: list[tuple[int, int, int, list[tuple[int, list[tuple[int, int, int]]]]]]
    types: list[int]
    longest: int
    piece: int


def answers(batches: Iterable[Any], plan: Plan) -> Iterator[Any]:
    """The answers to the windows of a plan: their query, keys, start, and results in slots."""
    held: list[Any] = []
    rows, enough = 0, ROWS
    resumed: int | None = None  # up to where the first run was answered already
    for batch in batches:
        if not batch.num_rows:
            continue
        held.append(batch)
        rows += batch.num_rows
        if rows < enough:
            continue
        slices = Slices(pa.Table.from_batches(held), plan, resumed)
        last = int(slices.bounds[-2])  # the last run may go on in the next batch
        if last:
            yield from slices.part(0, last)
            resumed = None
        rest = slices.table.slice(last)
        if rest.num_rows >= ROWS:
            open_run = Slices(rest, plan, resumed)
            resumed = int(open_run.times[-1])
            yield from open_run.all_answers(until=resumed)
            rest = rest.slice(int(np.searchsorted(open_run.times, resumed - plan["longest"], side="right")))
        held = rest.to_batches()
        rows = rest.num_rows
        enough = max(ROWS, 2 * rows)
    if rows:
        yield from Slices(pa.Table.from_batches(held), plan, resumed).all_answers()


class Slices:
    """Some rows of slices, as arrays; `resumed` says up to where the first run was answered already."""

    def __init__(self, table: Any, plan: Plan, resumed: int | None = None) -> None:
        self.table = table.combine_chunks()
        self.plan = plan
        self.resumed = resumed
        keys = plan["keys"]
        self.pieces = _numbers(self._column(keys))
        self.times = _numbers(self._column(keys + 1))
        changes = np.zeros(len(self.times), bool)
        changes[:1] = True
        for codes in [self.pieces, *(_codes(self._column(key)) for key in range(keys))]:
            changes[1:] |= codes[1:] != codes[:-1]
        self.bounds = np.append(np.flatnonzero(changes), len(changes))
        self._prepared: dict[int, Any] = {}

    def _column(self, position: int) -> Any:
        column = self.table.column(position)
        return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)

    def part(self, first: int, last: int) -> Iterator[Any]:
        """The answers of the rows from `first` to `last`, which are whole runs."""
        return Slices(self.table.slice(first, last - first), self.plan, self.resumed).all_answers()

    def all_answers(self, until: int | None = None) -> Iterator[Any]:
        """The answers; with `until`, only those of windows that end by then."""
        piece = self.plan["piece"]
        runs = self.pieces[self.bounds[:-1]]
        for length, slide, offset, queries in self.plan["windows"]:
            first, before = runs * piece, runs * piece + piece
            if self.resumed is not None:
                first[0] = max(first[0], self.resumed - length + 1)
            if until is not None:
                before[-1] = min(before[-1], until - length + 1)
            window = (length, slide, offset)
            for found in windows(self.times, self.bounds, first, before, window, WINDOWS):
                yield from self._batches(found, queries)

    def _batches(self, found: Any, queries: list[tuple[int, list[tuple[int, int, int]]]]) -> Iterator[Any]:
        count = len(found.start)
        places = pa.array(self.bounds[found.run])
        keys = [self._column(key).take(places) for key in range(self.plan["keys"])]
        starts = pa.array(found.start)
        results: dict[int, list[Any]] = {}
        for number, slots in queries:
            columns = [None] * len(self.plan["types"])
            for slot, part, which in slots:
                if part not in results:
                    results[part] = self._fold(part, found)
                columns[slot] = results[part][which]
            filled = [
                pa.nulls(count, self.table.schema.field(like).type) if column is None else column
                for column, like in zip(columns, self.plan["types"], strict=True)
            ]
            arrays = [pa.array(np.full(count, number, np.int32)), *keys, starts, *filled]
            names = ["q", *(f"k{key}" for key in range(len(keys))), "start"]
            names += [f"d{slot}" for slot in range(len(filled))]
            yield pa.RecordBatch.from_arrays(arrays, names)

    def _fold(self, part: int, found: Any) -> list[Any]:
        fold, first, _ = self.plan["parts"][part]
        column = self._column(first)
        if fold == "add":
            return [self._added(part, column, found)]
        if fold in ("multiply", "multiply_magnitudes"):
            if part not in self._prepared:
                nothing = 1.0 if fold == "multiply" else -1
                self._prepared[part] = _numbers(column.fill_null(nothing))
            return [pa.array(getattr(folds, fold)(self._prepared[part], found.lo, found.hi))]
        if fold == "moments":
            if part not in self._prepared:
                columns = [self._column(first + place).fill_null(0) for place in range(3)]
                self._prepared[part] = [_numbers(each) for each in columns]
            counts, means, squares = self._prepared[part]
            n, mean, spread = folds.moments(counts, means, squares, found.lo, found.hi)
            return [pa.array(n), pa.array(mean, mask=n == 0), pa.array(spread, mask=n == 0)]
        if part not in self._prepared:
            self._prepared[part] = _ranks(column, fold)
        ranks, known = self._prepared[part]
        rows = folds.choose(ranks, known, found.lo, found.hi)
        value = self._column(first + 1) if fold.endswith("_by") else column
        return [value.take(pa.array(rows, mask=rows < 0))]

    def _added(self, part: int, column: Any, found: Any) -> Any:
        if part not in self._prepared:
            if pa.types.is_decimal(column.type):
                limbs = _limbs(column)
            else:
                limbs = [_numbers(column.fill_null(0) if column.null_count else column)]
            tally = np.append(0, np.cumsum(np.asarray(column.is_valid()))) if column.null_count else None
            self._prepared[part] = limbs, tally, _large(limbs)
        limbs, tally, large = self._prepared[part]
        if any(folds.add(sizes, found.lo, found.hi).max() >= MOST for sizes in large):
            raise OverflowError("swagcore: a window has too many events for an exact total of integers")
        totals = [folds.add(limb, found.lo, found.hi) for limb in limbs]
        unknown = None if tally is None else tally[found.hi] == tally[found.lo]
        return (
            pa.array(totals[0], mask=unknown) if len(limbs) == 1 else _decimal(totals, unknown, column.type)
        )


def _large(limbs: list[Array]) -> list[Array]:
    """The magnitudes of those limbs whose total could wrap, by which it is seen whether one does; floats do not."""
    sizes = [np.abs(limb.astype(np.float64)) for limb in limbs if limb.dtype == np.int64]
    return [size for size in sizes if size.sum() >= MOST]


def _numbers(column: Any) -> Array:
    """A column without nulls as an array of int64 or float64."""
    if pa.types.is_boolean(column.type):
        return np.asarray(column).astype(np.int64)
    if pa.types.is_floating(column.type):
        return np.asarray(column).astype(np.float64, copy=False)
    if pa.types.is_temporal(column.type):
        column = column.cast(pa.int32() if pa.types.is_date32(column.type) else pa.int64())
    return np.asarray(column).astype(np.int64, copy=False)


def _codes(column: Any) -> Array:
    """Numbers that are equal where the keys are: nulls equal nulls, and NaN itself."""
    return np.asarray(column.dictionary_encode(null_encoding="encode").indices)


def _ranks(column: Any, fold: str) -> tuple[Array, Array]:
    """Numbers such that the smallest one is to be chosen, and which of them are known."""
    known = np.asarray(column.is_valid())
    if fold == "first":
        return np.zeros(len(known), np.int64), known
    if fold == "last":
        return -np.arange(len(known)), known
    type = column.type
    if pa.types.is_floating(type):
        numbers = _numbers(column.fill_null(0)) + 0.0  # -0.0 is 0.0
        numbers[np.isnan(numbers)] = np.nan  # one NaN, above all numbers
        bits = numbers.view(np.int64)
        ranks = bits ^ ((bits >> 63) & np.int64(2**63 - 1))
    elif pa.types.is_integer(type) or pa.types.is_boolean(type):
        ranks = _numbers(column.fill_null(0) if pa.types.is_integer(type) else column.fill_null(False))
    elif pa.types.is_temporal(type):
        as_int = column.cast(pa.int32() if pa.types.is_date32(type) else pa.int64())
        ranks = _numbers(as_int.fill_null(0))
    else:  # text, bytes, decimals: the rank of each among all that occur
        coded = column.dictionary_encode()
        order = np.asarray(pc.sort_indices(coded.dictionary))
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        ranks = (
            place[np.asarray(coded.indices.fill_null(0))] if len(order) else np.zeros(len(known), np.int64)
        )
    return ~ranks if fold.startswith("max") else ranks, known


# Decimals: 128 bits, as four limbs of 32


def _limbs(column: Any) -> list[Array]:
    words = np.frombuffer(column.buffers()[1], np.uint64)[2 * column.offset :][: 2 * len(column)].copy()
    words = words.reshape(-1, 2)
    words[~np.asarray(column.is_valid())] = 0
    low, high = words[:, 0], words[:, 1]
    mask, half = np.uint64(2**32 - 1), np.uint64(32)
    unsigned = [low & mask, low >> half, high & mask]
    return [limb.astype(np.int64) for limb in unsigned] + [high.view(np.int64) >> 32]


def _decimal(limbs: list[Array], unknown: Array | None, type: Any) -> Any:
    carried = np.zeros(len(limbs[0]), np.int64)
    parts = []
    for limb in limbs:
        total = limb + carried
        parts.append((total & np.int64(2**32 - 1)).astype(np.uint64))
        carried = total >> 32
    # The upper limb is signed: what it carries has to be its own sign.
    fits = carried == np.where(parts[3] >> np.uint64(31), -1, 0)
    words = np.empty((len(parts[0]), 2), np.uint64)
    words[:, 0] = parts[0] | parts[1] << np.uint64(32)
    words[:, 1] = parts[2] | parts[3] << np.uint64(32)
    valid = None if unknown is None else pa.array(~unknown).buffers()[1]
    wide = pa.Array.from_buffers(pa.decimal128(38, type.scale), len(words), [valid, pa.py_buffer(words)])
    try:
        if not fits.all():
            raise pa.ArrowInvalid("beyond 128 bits")
        wide.validate(full=True)
        return wide.cast(type)
    except pa.ArrowInvalid:
        raise OverflowError(f"swagcore: a sum does not fit its type, {type}") from None
