"""Spark: many windows over one DataFrame by one shared plan, and a local session on any machine.

Importing this room imports neither PySpark nor Java; calling any of it needs the extra `spark`.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from swagcore.spark.java import JavaMissing, SparkMissing, ensure_java, session

if TYPE_CHECKING:
    from swagcore.spark.batch import explain, tables, windows
    from swagcore.spark.streaming import dropped, stream

__all__ = [
    "JavaMissing",
    "SparkMissing",
    "dropped",
    "ensure_java",
    "explain",
    "session",
    "stream",
    "tables",
    "windows",
]

_LAZY = {
    "dropped": "streaming",
    "explain": "batch",
    "stream": "streaming",
    "tables": "batch",
    "windows": "batch",
}


def __getattr__(name: str) -> Any:
    """The functions that need PySpark, imported when they are first asked for."""
    if name in _LAZY:
        if importlib.util.find_spec("pyspark") is None:
            raise SparkMissing
        return getattr(importlib.import_module(f"swagcore.spark.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'swagcore.spark' has no attribute {name!r}")
