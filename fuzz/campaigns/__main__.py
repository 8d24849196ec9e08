"""Run campaigns: python -m fuzz.campaigns [NAME ...] --seconds 60 --seed 1 [--report FILE]. Exit code 1 where something was found.

The report has a row for each campaign, written as soon as that campaign is over: a run that is cut off leaves what it did.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fuzz.campaigns import CAMPAIGNS
from fuzz.campaigns.frame import as_markdown, run


def main(arguments: list[str] | None = None) -> int:
    """Run what is named, or all, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.campaigns", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CAMPAIGNS))
    parser.add_argument("--seconds", type=float, default=60.0, help="for each campaign")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--report", type=Path, help="a Markdown file to write")
    given = parser.parse_args(arguments)
    for name in given.names:
        if name not in CAMPAIGNS:
            parser.error(f"there is no campaign {name!r}; there are {', '.join(CAMPAIGNS)}")
    outcomes = []
    for name in given.names or CAMPAIGNS:
        outcomes.append(run(CAMPAIGNS[name], given.seconds, given.seed))
        print(outcomes[-1], flush=True)
        if given.report:
            given.report.parent.mkdir(parents=True, exist_ok=True)
            given.report.write_text(as_markdown(outcomes))
    return 1 if any(outcome.findings for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
