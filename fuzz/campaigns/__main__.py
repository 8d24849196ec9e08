"""Run campaigns: python -m fuzz.campaigns [NAME ...] --seconds 60 --seed 1. Exit code 1 where something was found."""

from __future__ import annotations

import argparse
import sys

from fuzz.campaigns import CAMPAIGNS
from fuzz.campaigns.frame import run


def main(arguments: list[str] | None = None) -> int:
    """Run what is named, or all, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.campaigns", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CAMPAIGNS))
    parser.add_argument("--seconds", type=float, default=60.0, help="for each campaign")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    for name in given.names:
        if name not in CAMPAIGNS:
            parser.error(f"there is no campaign {name!r}; there are {', '.join(CAMPAIGNS)}")
    found = 0
    for name in given.names or CAMPAIGNS:
        outcome = run(CAMPAIGNS[name], given.seconds, given.seed)
        print(outcome, flush=True)
        found += len(outcome.findings)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
