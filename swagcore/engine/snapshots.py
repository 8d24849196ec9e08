"""The state of an engine as plain data, and back: what `json.dumps` takes and `json.loads` gives.

A snapshot has slices and positions; techniques are rebuilt from the slices. It is checked before it is used: its
shape, which names what is missing or of the wrong type, then a digest over all of it.
"""

from __future__ import annotations

import contextlib
import hashlib
import heapq
import json
import math
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from swagcore.algebra import aggregate
from swagcore.engine.group import Group
from swagcore.engine.plain import from_plain, to_plain
from swagcore.engine.substream import Substream
from swagcore.errors import InvalidArgument, SwagError, shown
from swagcore.windows import Answer, Query, Window

__all__ = [
    "checked",
    "from_plain",
    "group_from",
    "group_to_plain",
    "query_from",
    "query_to_plain",
    "sealed",
    "to_plain",
]

VERSION = 1
NUMBER = (int, None)
TEXT = (str, None)
PLAIN = object()
"""Anything that `to_plain` wrote."""
SHAPE: Any = {
    "swagcore": int,
    "technique": str,
    "slicing": str,
    "unit": TEXT,
    "now": NUMBER,
    "last_event": NUMBER,
    "events": int,
    "ranked": int,
    "keys": [(PLAIN, int)],
    "queries": [
        {
            "name": str,
            "aggregate": str,
            "window": {"range": int, "slide": int, "offset": int, "lag": int, "by_count": bool},
            "value": TEXT,
            "by": TEXT,
            "emit_empty": bool,
        }
    ],
    "groups": [
        {
            "by_count": bool,
            "queries": [{"name": str, "rank": int, "since": NUMBER}],
            "recent": [(PLAIN, int)],
            "timelines": [{"key": PLAIN, "reached": NUMBER, "held": [(int, int, int, PLAIN)]}],
            "substreams": [
                {
                    "key": PLAIN,
                    "last_event": NUMBER,
                    "open": bool,
                    "slices": [(int, int, [PLAIN])],
                    "askers": [{"last": NUMBER, "next": NUMBER}],
                }
            ],
        }
    ],
    "digest": str,
}
"""A dict has these fields; a list of one shape any number of such; a tuple that many; None: it may be null."""


def digest(data: dict[str, Any]) -> str:
    """A digest over all that a snapshot says, the same after a round trip through JSON."""
    told = {name: value for name, value in data.items() if name != "digest"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """The data with their digest."""
    return {**data, "digest": digest(data)}


def checked(snapshot: Any) -> dict[str, Any]:
    """The snapshot, if it is whole; an error that says where it is not.

    >>> checked({"swagcore": 1, "technique": 5})
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: snapshot, field 'technique' is 5; expected a str
    """
    if not isinstance(snapshot, dict) or "swagcore" not in snapshot:
        raise InvalidArgument("snapshot", snapshot, "what Engine.snapshot() returned")
    if snapshot["swagcore"] != VERSION:
        raise InvalidArgument("snapshot, field 'swagcore'", snapshot["swagcore"], f"{VERSION}, its version")
    _conform(snapshot, SHAPE, "")
    if snapshot["digest"] != digest(snapshot):
        raise InvalidArgument(
            "digest of the snapshot",
            snapshot["digest"],
            "the one of its content: something in it was changed after it was taken",
        )
    return snapshot


def _conform(data: Any, shape: Any, path: str) -> None:
    if shape is PLAIN:
        return
    if isinstance(shape, dict):
        _expect(isinstance(data, dict), data, path, "a dict")
        for name, inner in shape.items():
            place = f"{path}.{name}" if path else name
            if name not in data:
                raise InvalidArgument(f"snapshot, field {place!r}", "missing", "it to be there")
            _conform(data[name], inner, place)
    elif isinstance(shape, list):
        _expect(isinstance(data, list), data, path, "a list")
        for position, element in enumerate(data):
            _conform(element, shape[0], f"{path}[{position}]")
    elif isinstance(shape, tuple) and shape[-1] is not None:
        _expect(isinstance(data, list) and len(data) == len(shape), data, path, f"a list of {len(shape)}")
        for position, (element, inner) in enumerate(zip(data, shape, strict=True)):
            _conform(element, inner, f"{path}[{position}]")
    elif isinstance(shape, tuple):
        _expect(data is None or type(data) is shape[0], data, path, f"{_a(shape[0])} or null")
    else:
        _expect(type(data) is shape, data, path, _a(shape))


def _a(kind: type) -> str:
    return f"an {kind.__name__}" if kind is int else f"a {kind.__name__}"


def _expect(ok: bool, data: Any, path: str, accepted: str) -> None:
    if not ok:
        raise InvalidArgument(f"snapshot, field {path!r}", data, accepted)


@contextlib.contextmanager
def reading() -> Iterator[None]:
    """What goes wrong inside is the snapshot's fault."""
    try:
        yield
    except Exception as problem:
        raise SwagError(f"the snapshot cannot be restored: {shown(problem, 300)}") from problem


def query_to_plain(query: Query) -> dict[str, Any]:
    """A query; its aggregate has to be one that can be found by its name."""
    name = query.function.name
    try:
        found = aggregate(name)
    except SwagError:
        found = None
    if found is not query.function:
        raise InvalidArgument(
            f"aggregate of query {query.name!r}", query.aggregate, "a registered one, to snapshot it"
        )
    window = {
        field.name: getattr(query.window, field.name) for field in fields(Window) if field.name != "unit"
    }
    columns = {"value": query.value, "by": query.by}
    return {
        "name": query.name,
        "aggregate": name,
        "window": window,
        **columns,
        "emit_empty": query.emit_empty,
    }


def query_from(data: dict[str, Any]) -> Query:
    """The query that was written."""
    return Query(**{**data, "window": Window(**data["window"])})


def group_to_plain(group: Group) -> dict[str, Any]:
    """A group: its queries, its timelines, and every key's slices."""
    # In the order in which `enter` makes the lanes, which may not be the one in which they came and went.
    lanes = dict.fromkeys(lane for name in group.queries for lane in group.lanes_of[name])
    return {
        "by_count": group.by_count,
        "queries": [
            {"name": name, "rank": group.ranks[name], "since": group.since[name]} for name in group.queries
        ],
        "recent": [[to_plain(key), time] for key, time in group.recent.items()],
        "timelines": [
            {
                "key": to_plain(key),
                "reached": int(timeline.reached) if math.isfinite(timeline.reached) else None,
                "held": [[*entry[:3], to_plain(tuple(entry[3]))] for entry in sorted(timeline.held)],
            }
            for key, timeline in (group.ordinals.items() if group.by_count else [(None, group.time)])
        ],
        "substreams": [
            {
                "key": to_plain(substream.key),
                "last_event": substream.last_event,
                "open": substream.open is not None,
                "slices": [
                    [piece.first, piece.end, [to_plain(piece.partials[lane.place]) for lane in lanes]]
                    for piece in substream.slices()
                ],
                "askers": [{"last": asker.last, "next": asker.next} for asker in substream.askers],
            }
            for substream in group.substreams.values()
        ],
    }


def group_from(
    data: dict[str, Any], queries: dict[str, Query], keys: dict[Any, list[int]], group: Group
) -> Group:
    """The group that was written, into a new one."""
    joining = [(queries[query["name"]], query["rank"]) for query in data["queries"]]
    group.enter(joining, None, {})
    group.since = {query["name"]: query["since"] for query in data["queries"]}
    group.recent = {from_plain(key): time for key, time in data["recent"]}
    for told in data["timelines"]:
        timeline = group.timeline(from_plain(told["key"]))
        timeline.reached = -math.inf if told["reached"] is None else told["reached"]
        timeline.held = [(*entry[:3], Answer(*from_plain(entry[3]))) for entry in told["held"]]
    for told in data["substreams"]:
        key = from_plain(told["key"])
        substream = group.substreams[key] = Substream(key, keys[key][0], group.lanes)
        _restore_substream(group, substream, told)
    return group


def _restore_substream(group: Group, substream: Substream, told: dict[str, Any]) -> None:
    for name, query in group.queries.items():
        substream.ask(query, group.ranks[name], group.lanes_of[name], None)
    *closed, last = [*told["slices"], None] if not told["open"] else told["slices"]
    longest = group.longest
    for first, end, partials in closed:
        substream.open, substream.first, substream.end = list(map(from_plain, partials)), first, end
        substream.close(end, longest)
    if last is not None:
        first, end, partials = last
        substream.open, substream.first, substream.end = list(map(from_plain, partials)), first, end
    substream.last_event = told["last_event"]
    for asker, positions in zip(substream.askers, told["askers"], strict=True):
        asker.last, asker.next = positions["last"], positions["next"]
        if asker.next is not None:
            entry = (asker.next + asker.window.range, asker.rank, substream.rank, asker)
            heapq.heappush(group.timeline(substream.key).due, entry)
    substream.idle = [asker for asker in substream.askers if asker.next is None]
