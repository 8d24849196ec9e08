"""Queries and events in, answers out: the incremental engine. Tables of pandas, Arrow and Polars: frames.py."""

from swagcore.engine.engine import Engine, run

__all__ = ["Engine", "run"]
