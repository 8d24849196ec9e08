"""Partials in, answers out: one file a technique, one protocol (technique.py), their names (registry.py)."""

from swagcore.aggregators.fifo import Fifo, fifo
from swagcore.aggregators.registry import technique_class, technique_for, techniques
from swagcore.aggregators.technique import Technique

__all__ = ["Fifo", "Technique", "fifo", "technique_class", "technique_for", "techniques"]
