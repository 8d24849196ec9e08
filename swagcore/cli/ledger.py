"""`swag verify` and `swag claims`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from swagcore.cli.note import note
from swagcore.errors import FileError, SwagError


# What a user may choose from. Written out, as asking the ledger would import it for `swag --help`; a test
# compares these with the ledger's own lists.
class Profile(StrEnum):
    """How much of the evidence to run."""

    quick = "quick"
    full = "full"
    nightly = "nightly"


class Verdict(StrEnum):
    """What a run can say about a claim."""

    holds = "holds"
    refuted = "refuted"
    open = "open"


class Source(StrEnum):
    """The key of a paper, or O for our own claims."""

    S = "S"
    C = "C"
    G = "G"
    A = "A"
    W = "W"
    O = "O"


def verify(
    profile: Annotated[
        Profile, typer.Option(help="How much to run; each profile contains the ones before it.")
    ] = Profile.quick,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the claims to this file.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Only the claims whose id starts so; the record is left as it was."),
    ] = None,
) -> None:
    """Re-establish every verdict of the ledger; exit code 1 if one is not as expected.

    Needs a checkout. The verdicts are kept in swagcore/ledger.json, which ships with the package.
    """
    from rich.console import Console

    from swagcore.ledger import Record, establish, find_checkout, write_atomically
    from swagcore.ledger._record import claims_json
    from swagcore.ledger._show import show_run, watching

    checkout = find_checkout()
    if checkout is None:
        raise SwagError(
            "verify needs a checkout of the repository, installed with `pip install -e .`: "
            "specs/ and proofs/ are not part of the installed package"
        )
    if json is not None and (json.is_dir() or not json.absolute().parent.is_dir()):
        raise FileError(json, "expected a file in a directory that exists")  # now, not after fifteen minutes
    claims = checkout.claims()
    if not claims:
        raise SwagError("specs/ declares no claim, so there is nothing to verify")
    if only is not None:
        claims = [claim for claim in claims if claim.id.startswith(only)]
        if not claims:
            raise SwagError(f"no claim has an id that starts with {only!r}; `swag claims` lists them")
    code = checkout.code()
    try:
        kept = Record.read(checkout.record).kept(code)
    except FileError:
        kept = {}  # none yet, or a damaged one: this run writes it anew
    with watching(Console(stderr=True), claims, profile.value) as watcher:
        entries = establish(claims, profile.value, kept=kept, watcher=watcher)
    if only is None:
        if checkout.code() != code:
            raise SwagError(
                "the code was changed during the run; the record is left as it was, run `swag verify` again"
            )
        Record(code, tuple(entries)).write(checkout.record)
    if json is not None:
        write_atomically(json, claims_json(entries))
    console = Console()
    show_run(console, entries)
    console.print(f"profile {profile.value}: {watcher.summary()}", soft_wrap=True, highlight=False)
    if any(entry.problem for entry in entries):
        raise typer.Exit(1)


def claims(
    json: Annotated[bool, typer.Option("--json", help="Print the claims as JSON.")] = False,
    verdict: Annotated[Verdict | None, typer.Option(help="Only the claims with this verdict.")] = None,
    source: Annotated[Source | None, typer.Option(help="Only the claims of this paper; O: our own.")] = None,
) -> None:
    """List the claims of the ledger with the verdicts of the last run."""
    from swagcore.ledger import Record, find_checkout, judge
    from swagcore.ledger._record import claims_json

    checkout = find_checkout()
    path = checkout.record if checkout else Record.shipped()
    if checkout is not None and not path.exists():
        record = Record("", ())
        note("no run of `swag verify` has been recorded yet")
    else:
        record = Record.read(path)
        if checkout is not None and record.code != checkout.code():
            note("the verdicts were made from other code than the present; `swag verify` renews them")
    entries = list(record.entries)
    if checkout is not None:
        try:
            known = {entry.id for entry in entries}
            entries += [judge(claim) for claim in checkout.claims() if claim.id not in known]
        except SwagError as error:
            note(f"claims that are not in the record are left out: {error}")
    if verdict is not None:
        entries = [entry for entry in entries if entry.verdict == verdict.value]
    if source is not None:
        entries = [entry for entry in entries if entry.source.startswith(source.value)]
    if json:
        typer.echo(claims_json(entries), nl=False)
        return
    from rich.console import Console

    from swagcore.ledger._show import show_claims

    show_claims(Console(), entries)
