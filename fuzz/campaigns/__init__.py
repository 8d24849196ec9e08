"""Searches of our own code that take as long as one lets them: python -m fuzz.campaigns NAME --seconds 60 --seed 1."""

from __future__ import annotations

from fuzz.campaigns import differential, metamorphic, optimizers, rewrites, stateful
from fuzz.campaigns.frame import Campaign

CAMPAIGNS: dict[str, Campaign] = {
    campaign.name: campaign
    for campaign in (
        differential.CAMPAIGN,
        stateful.CAMPAIGN,
        stateful.ENGINE,
        optimizers.CAMPAIGN,
        metamorphic.CAMPAIGN,
        rewrites.CAMPAIGN,
    )
}
