"""What a part of this room needs and a core install does not bring."""

from __future__ import annotations

from swagcore.errors import SwagError


class HypothesisMissing(SwagError, ImportError):
    """The strategies and the state machine need Hypothesis; the rest of the kit does not.

    >>> raise HypothesisMissing("swagcore.testing.strategies")
    Traceback (most recent call last):
        ...
    swagcore.testing.needs.HypothesisMissing: swagcore.testing.strategies needs Hypothesis, which is not installed; \
run: pip install hypothesis
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} needs Hypothesis, which is not installed; run: pip install hypothesis")
