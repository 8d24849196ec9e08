"""Random query sets and plans: every technique, slicing and optimizer against `naive`, answer by answer, in order."""

from __future__ import annotations

import random

from fuzz.campaigns import draws
from fuzz.campaigns.frame import Campaign, Case
from swagcore import run
from swagcore.errors import MissingLaw
from swagcore.optimizers import optimizers
from swagcore.testing import check_against_naive


def draw(chance: random.Random) -> Case:
    """A query set, a stream, and a plan to run them by."""
    names = chance.choice((list(draws.AGGREGATES), ["sum", "count", "mean"], ["max", "min"]))
    return {
        "queries": draws.queries(chance, names),
        "events": draws.events(chance),
        "technique": chance.choice(draws.TECHNIQUES),
        "slicing": chance.choice(draws.SLICINGS),
        "optimizer": chance.choice([None, *optimizers()]),
    }


def check(case: Case) -> int:
    """How many answers agree with `naive`; 0 where the technique lacks a law."""
    try:
        return check_against_naive(
            lambda queries, events: run(
                queries, events, case["technique"], case["slicing"], case["optimizer"]
            ),
            draws.asked(case),
            draws.stream(case),
        )
    except MissingLaw:
        return 0


CAMPAIGN = Campaign("differential", draw, check, draws.smaller)
