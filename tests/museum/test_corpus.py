"""Every case that a campaign once failed on is checked again; and a campaign finds, cuts down and keeps what is wrong."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fuzz.campaigns import CAMPAIGNS, differential, frame, metamorphic, optimizers, rewrites, stateful
from fuzz.campaigns.frame import CORPUS, Campaign, run, without_one
from swagcore.aggregators import Fifo

KEPT = sorted(CORPUS.glob("*.json"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_what_once_failed_is_right(path: Path) -> None:
    kept = json.loads(path.read_text())
    CAMPAIGNS[kept["campaign"]].check(kept["case"])


@pytest.mark.parametrize("campaign", CAMPAIGNS.values(), ids=CAMPAIGNS)
def test_a_campaign_finds_nothing(campaign: Campaign, tmp_path: Path) -> None:
    campaign.check(campaign.draw(random.Random(0)))  # what is imported at the first case is not timed
    outcome = run(campaign, seconds=0.5, seed=0, corpus=tmp_path)
    assert not outcome.findings, [path.read_text() for path in outcome.findings]
    assert outcome.cases > 1 and outcome.answers > 10, outcome


def no_sevens(case: dict[str, list[int]]) -> int:
    if 7 in case["numbers"]:
        raise AssertionError("a seven")
    return len(case["numbers"])


SEVENS = Campaign(
    "sevens",
    lambda chance: {"numbers": [chance.randint(0, 9) for _ in range(9)]},
    no_sevens,
    lambda case: ({"numbers": fewer} for fewer in without_one(case["numbers"])),
)


def test_a_finding_is_cut_down_and_kept(tmp_path: Path) -> None:
    outcome = run(SEVENS, seconds=5, seed=3, most=2, corpus=tmp_path)
    assert len(outcome.findings) == 2
    for path in outcome.findings:
        kept = json.loads(path.read_text())
        assert kept["case"] == {"numbers": [7]} and kept["said"] == "AssertionError: a seven"
    again = run(SEVENS, seconds=5, seed=3, most=2, corpus=tmp_path)
    assert str(again) == str(outcome)


def hanging(case: dict[str, list[int]]) -> int:
    while 7 in case["numbers"]:
        pass
    return 1


def test_a_case_that_hangs_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "CASE_SECONDS", 0.05)
    outcome = run(replace(SEVENS, check=hanging), seconds=5, seed=3, most=1, corpus=tmp_path)
    (path,) = outcome.findings
    kept = json.loads(path.read_text())
    assert kept["case"] == {"numbers": [7]} and kept["said"] == "Hangs: no end after 0.05 s"


def worse(optimize: Any) -> Any:
    """Right plans, but never the best: what should be searched for is not shared at all."""
    return lambda queries, rate, name, *given: optimize(
        queries, rate, "no_share" if name == "exhaustive" else name, *given
    )


def shortened(function: Any) -> Any:
    return lambda *arguments: list(function(*arguments))[:-1]


BREAKAGES = {
    "differential": (differential, "run", shortened),
    "metamorphic": (
        metamorphic,
        "run",
        lambda run: lambda *given: [one for one in run(*given) if one.start != 0],
    ),
    "stateful": (
        Fifo,
        "query",
        lambda query: lambda self, *which: query(self, *which) if len(self) != 3 else None,
    ),
    "optimizers": (optimizers, "optimize", worse),
    "engine": (stateful, "naive", shortened),
    "rewrites": (
        rewrites,
        "rewriting",
        lambda rewriting: lambda *given: replace(rewriting(*given), sql="SELECT 1"),
    ),
}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_campaign_notices_what_is_wrong(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, attribute, broken = BREAKAGES[name]
    monkeypatch.setattr(place, attribute, broken(getattr(place, attribute)))
    assert run(CAMPAIGNS[name], seconds=5, seed=0, most=1, corpus=tmp_path).findings
