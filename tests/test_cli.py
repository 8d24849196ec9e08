"""The command line, as a user meets it: in a toy checkout, outside of any, and through a pipe.

A toy checkout is a copy of the package beside specs of our own, run by `python -m swagcore` in that folder.
"""

from __future__ import annotations

import compileall
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import swagcore
from swagcore import cli, ledger
from swagcore.cli import ledger as ledger_commands
from swagcore.errors import SwagError

PACKAGE = Path(swagcore.__file__).parent

TRUE = """
from swagcore.ledger import claim, evidence, smallest

@claim("toys.true", source="W Thm 1", kind="theorem", statement="Squares are [not] negative.")
@evidence("exhaustive", scope="n up to 9")
def squares():
    return smallest(range(10), lambda n: n * n >= 0)
"""
REFUTED = """
@claim("toys.false", source="S Eq 7.6", kind="formula", statement="n is below 3.", expected="refuted")
@evidence("exhaustive", scope="n up to 9")
def below_three():
    return smallest(range(10), lambda n: n < 3)
"""
OPEN = """
claim("toys.open", source="O toys", kind="statement", statement="P is NP.", expected="open", reason="nobody knows")
"""
WRONG = REFUTED.replace(', expected="refuted"', "")
BROKEN = TRUE.replace("n * n >= 0", "n // n >= 0")
FULL = """
@evidence("scale", of="toys.true", scope="huge", profile="full")
def huge():
    return None
"""


class Toy:
    """A folder with a copy of the package, and whatever else a test puts there."""

    def __init__(self, root: Path, package: Path) -> None:
        self.root = root
        shutil.copytree(package, root / "swagcore")
        self.record = root / "swagcore" / "ledger.json"

    def specs(self, *parts: str) -> Toy:
        (self.root / "pyproject.toml").touch()
        for folder in ("specs", "proofs"):
            (self.root / folder).mkdir(exist_ok=True)
            (self.root / folder / "__init__.py").touch()
        (self.root / "specs" / "toys.py").write_text("".join(parts), encoding="utf-8")
        return self

    def swag(self, *arguments: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "swagcore", *arguments],
            cwd=self.root,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "100", **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    def claims(self, *arguments: str) -> dict[str, dict[str, Any]]:
        return {one["id"]: one for one in json.loads(self.swag("claims", "--json", *arguments).stdout)}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package without its record, compiled once: half the time of so small a run is compilation."""
    copy = tmp_path_factory.mktemp("package") / "swagcore"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "ledger.json"))
    compileall.compile_dir(copy, quiet=1)
    return copy


@pytest.fixture
def toy(tmp_path: Path, package: Path) -> Toy:
    return Toy(tmp_path, package)


def called(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    """The command line in this process: faster, where no checkout is needed."""
    with pytest.raises(SystemExit) as left:
        cli.main(list(arguments))
    out, err = capsys.readouterr()
    return left.value.code, out, err


# verify


def test_verify_establishes_the_verdicts_and_claims_shows_them(toy: Toy) -> None:
    run = toy.specs(TRUE, REFUTED, OPEN).swag("verify")
    assert re.search(r"W  Wu et al\. +│ +1 │ +1 │ +0 │ +0 │ +0 │", run.stdout)
    assert re.search(r"S  Shein 2019 +│ +1 │ +0 │ +1 │ +0 │ +0 │", run.stdout)
    assert re.search(r"all +│ +3 │ +1 │ +1 │ +1 │ +0 │", run.stdout)
    assert run.stderr == "specs/toys.py: 2 ran in 0.0 s\n", "no bar where there is no terminal"
    claims = toy.claims()
    assert {id: one["verdict"] for id, one in claims.items()} == {
        "toys.true": "holds",
        "toys.false": "refuted",
        "toys.open": "open",
    }
    assert claims["toys.false"]["counterexample"] == "n = 3"
    assert claims["toys.open"]["ran"] == "never"


def test_the_json_has_the_keys_that_are_promised(toy: Toy) -> None:
    toy.specs(TRUE).swag("verify", "--json", "out.json")
    [one] = json.loads((toy.root / "out.json").read_text())
    assert one == toy.claims()["toys.true"]
    date = one.pop("ran")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", date)
    assert one == {
        "id": "toys.true",
        "source": "W Thm 1",
        "kind": "theorem",
        "statement": "Squares are [not] negative.",
        "expected": "holds",
        "verdict": "holds",
        "evidence": [
            {
                "kind": "exhaustive",
                "where": "specs/toys.py::squares",
                "scope": "n up to 9",
                "profile": "quick",
                "outcome": "held",
                "ran": date,
                "detail": None,
            }
        ],
        "counterexample": None,
        "corrects": None,
        "reason": None,
        "remark": None,
    }


def test_a_verdict_that_was_not_expected_fails_the_run_and_is_recorded(toy: Toy) -> None:
    run = toy.specs(TRUE, WRONG).swag("verify", code=1)
    assert (
        "not as expected: toys.false (S Eq 7.6): expected holds, found refuted by specs/toys.py::below_three: n = 3\n"
        in run.stdout
    )
    assert toy.claims()["toys.false"]["verdict"] == "refuted"


def test_an_error_fails_the_run(toy: Toy) -> None:
    run = toy.specs(BROKEN).swag("verify", code=1)
    assert "toys.true (W Thm 1): specs/toys.py::squares failed: ZeroDivisionError" in run.stdout


def test_a_larger_profile_is_kept_until_the_code_changes(toy: Toy) -> None:
    toy.specs(TRUE)
    (toy.root / "proofs" / "big.py").write_text("from swagcore.ledger import evidence\n" + FULL)

    def outcomes() -> list[str]:
        return [one["outcome"] for one in toy.claims()["toys.true"]["evidence"]]

    assert "1 piece of evidence is of a larger profile and did not run." in toy.swag("verify").stdout
    assert outcomes() == ["held", "not run"]
    toy.swag("verify", "--profile", "full")
    assert outcomes() == ["held", "held"]
    toy.swag("verify")
    assert outcomes() == ["held", "held"]
    (toy.root / "proofs" / "big.py").write_text("# changed\nfrom swagcore.ledger import evidence\n" + FULL)
    toy.swag("verify")
    assert outcomes() == ["held", "not run"]


def test_only_runs_a_part_and_leaves_the_record(toy: Toy) -> None:
    toy.specs(TRUE, WRONG)
    assert re.search(r"all +│ +1 │", toy.swag("verify", "--only", "toys.true").stdout)
    assert not toy.record.exists()
    assert toy.swag("verify", "--only", "tous", code=1).stderr.startswith(
        "swag: no claim has an id that starts"
    )


def test_a_damaged_record_is_mended_by_verify_and_explained_by_claims(toy: Toy) -> None:
    toy.specs(TRUE)
    toy.record.write_text("{")
    assert "not a record of verdicts" in toy.swag("claims", code=1).stderr
    toy.swag("verify")
    assert toy.claims()["toys.true"]["verdict"] == "holds"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("import nothing_of_that_name", "specs/toys.py: it cannot be imported (ModuleNotFoundError: "),
        ("raise SystemExit(0)", "specs/toys.py: it cannot be imported (SystemExit: 0)"),
        (TRUE.replace("theorem", "theorems"), "specs/toys.py: kind of claim toys.true is 'theorems'; "),
        (
            TRUE + FULL.replace("toys.true", "toys.tru"),
            "is 'toys.tru'; expected the id of a claim (did you mean",
        ),
        ("", "specs/ declares no claim"),
    ],
)
def test_specs_that_cannot_be_read_fail_in_one_line_and_change_nothing(
    toy: Toy, spec: str, message: str
) -> None:
    run = toy.specs(spec).swag("verify", code=1)
    assert message in run.stderr
    assert run.stderr.startswith("swag: ")
    assert run.stderr.count("\n") == 1
    assert not toy.record.exists()


@pytest.mark.parametrize("target", ["specs", "nowhere/out.json"])
def test_a_json_file_that_cannot_be_written_is_told_before_the_run(toy: Toy, target: str) -> None:
    run = toy.specs(TRUE).swag("verify", "--json", target, code=1)
    assert run.stderr == f"swag: {target}: expected a file in a directory that exists\n"
    assert not toy.record.exists()


def test_verify_outside_a_checkout_says_so_in_one_sentence(toy: Toy) -> None:
    run = toy.swag("verify", code=1)
    assert run.stderr.startswith("swag: verify needs a checkout of the repository")
    assert run.stderr.count("\n") == 1


def test_a_checkout_of_other_code_is_not_verified(toy: Toy, tmp_path: Path, package: Path) -> None:
    """An installed package beside a checkout: the checkout will do only where it holds the very same code."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    here = Toy(checkout, package).specs(TRUE)

    def installed(code: int) -> str:
        # A console script does not put the current directory on the path, as -m does.
        run = [sys.executable, "-P", "-c", "from swagcore.cli import main; main(['verify'])"]
        done = subprocess.run(
            run, cwd=checkout, env={**os.environ, "PYTHONPATH": str(toy.root)}, capture_output=True, text=True
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stderr

    installed(0)
    assert here.record.exists()
    assert not toy.record.exists()
    (checkout / "swagcore" / "more.py").touch()
    assert "needs a checkout" in installed(1)


def test_code_that_changes_during_the_run_is_not_recorded(toy: Toy) -> None:
    meddle = TRUE.replace("    return", "    open('specs/more.py', 'w').close()\n    return")
    assert "changed during the run" in toy.specs(meddle).swag("verify", code=1).stderr
    assert not toy.record.exists()


# claims


def test_claims_outside_a_checkout_reads_the_shipped_record(toy: Toy) -> None:
    toy.specs(TRUE, REFUTED).swag("verify")
    for name in ("specs", "proofs"):
        shutil.rmtree(toy.root / name)
    run = toy.swag("claims")
    assert run.stderr == ""
    assert run.stdout == (
        "holds    toys.true  W Thm 1  Squares are [not] negative.\n"
        "refuted  toys.false  S Eq 7.6  n is below 3. Counterexample: n = 3\n"
    )


def test_claims_without_any_record(toy: Toy) -> None:
    assert "no record of verdicts yet" in toy.swag("claims", code=1).stderr
    run = toy.specs(TRUE).swag("claims")
    assert "no run of `swag verify` has been recorded yet" in run.stderr
    assert run.stdout.startswith("open     toys.true")


def test_claims_in_a_checkout_adds_what_is_new_and_says_that_the_code_changed(toy: Toy) -> None:
    toy.specs(TRUE).swag("verify")
    assert toy.swag("claims").stderr == ""
    toy.specs(TRUE, REFUTED)
    assert "made from other code than the present" in toy.swag("claims", "--json").stderr
    claims = toy.claims()
    assert claims["toys.true"]["verdict"] == "holds"
    assert (claims["toys.false"]["verdict"], claims["toys.false"]["ran"]) == ("open", "never")


def test_claims_shows_the_record_also_where_the_specs_do_not_import(toy: Toy) -> None:
    toy.specs(TRUE).swag("verify")
    run = toy.specs("import nothing_of_that_name").swag("claims")
    assert run.stdout.startswith("holds")
    assert "left out: specs/toys.py: it cannot be imported" in run.stderr


def test_claims_by_verdict_and_by_source(toy: Toy) -> None:
    toy.specs(TRUE, REFUTED, OPEN).swag("verify")
    assert list(toy.claims("--verdict", "refuted")) == ["toys.false"]
    assert list(toy.claims("--source", "W")) == ["toys.true"]
    assert list(toy.claims("--source", "W", "--verdict", "open")) == []
    assert toy.swag("claims", "--source", "G").stdout == ""


def test_a_narrow_encoding_is_no_reason_to_fail(toy: Toy) -> None:
    toy.specs(TRUE.replace("W Thm 1", "W §2.1")).swag("verify", PYTHONIOENCODING="ascii")
    assert "W \\xa72.1" in toy.swag("claims", PYTHONIOENCODING="ascii").stdout
    assert toy.claims()["toys.true"]["source"] == "W §2.1"


@pytest.mark.skipif(os.name == "nt", reason="no pipes of that kind")
@pytest.mark.parametrize("lines", [1, 5000], ids=["at exit", "on the way"])
def test_a_closed_pipe_is_quiet(toy: Toy, lines: int) -> None:
    loop = (
        f"for n in range({lines}): claim(f'toys.n{{n}}', source='O toys', kind='statement', statement='x', "
    )
    toy.specs(TRUE, loop + "expected='open', reason='y')\n").swag("verify")
    for arguments in (["claims"], ["claims", "--json"]):
        process = subprocess.Popen(
            [sys.executable, "-m", "swagcore", *arguments],
            cwd=toy.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait() == 1


# the program


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert called("--version", capsys=capsys) == (0, f"swagcore {swagcore.__version__}\n", "")
    for command in ([], ["verify"], ["claims"]):
        code, out, _ = called(*command, "--help", capsys=capsys)
        assert code == 0
        assert "Usage: swag" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["verfy"],
        ["verify", "--profile", "slow"],
        ["claims", "--verdict", "true"],
        ["claims", "--source", "Z"],
        ["-x"],
    ],
)
def test_wrong_usage_is_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = called(*arguments, capsys=capsys)
    assert (code, out) == (2, "")
    assert "Usage: swag" in err


def test_a_users_mistake_anywhere_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistaken(**_: object) -> None:
        raise SwagError("a sentence\nin two lines")

    monkeypatch.setattr(cli, "app", mistaken)
    assert called("claims", capsys=capsys) == (1, "", "swag: a sentence in two lines\n")


def test_the_choices_of_the_command_line_are_those_of_the_ledger() -> None:
    assert tuple(ledger_commands.Profile) == ledger.PROFILES
    assert tuple(ledger_commands.Verdict) == ledger.VERDICTS
    assert list(ledger_commands.Source) == list(ledger.SOURCES)


def test_help_imports_nothing_heavy() -> None:
    names = "import sys; from swagcore import cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", names], capture_output=True, text=True, check=True)
    heavy = {"swagcore.ledger", "hypothesis", "z3", "numpy", "pandas", "pyspark", "pyarrow"}
    assert not heavy & set(done.stdout.split())


# on a terminal


def test_a_terminal_gets_a_bar_and_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from rich.console import Console

    from swagcore.ledger._show import show_claims, watching

    toys = ledger.Ledger()
    toys.claim("a.b", source="W §2", kind="statement", statement="Not [markup].").by(
        "proof", lambda: None, scope="x"
    )
    screen = Console(file=io.StringIO(), force_terminal=True, width=100, legacy_windows=False)
    with watching(screen, toys.checked(), "quick") as watcher:
        entries = ledger.establish(toys.checked(), watcher=watcher)
    show_claims(screen, entries)
    assert isinstance(screen.file, io.StringIO)
    shown = screen.file.getvalue()
    assert "1/1" in shown
    assert "Not [markup]." in shown
    assert "┃" in shown
