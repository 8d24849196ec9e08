"""The ledger, on toy claims: what a declaration may say, how a verdict follows, what a record keeps."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from swagcore.errors import FileError, SwagError
from swagcore.ledger import (
    PROFILES,
    Claim,
    Entry,
    Evidence,
    Finding,
    Ledger,
    Record,
    by_size,
    digest,
    due,
    establish,
    judge,
    shrunk,
    smallest,
    write_atomically,
)


def held() -> None:
    return None


def seven() -> int:
    return 7


def broken() -> None:
    raise ZeroDivisionError("division by\nzero")


def toy(ledger: Ledger | None = None, id: str = "toys.one", expected: str = "holds", **more: Any) -> Claim:
    return (ledger or Ledger()).claim(
        id, source="O toys", kind="statement", statement="A toy.", expected=expected, **more
    )


def judged(claim: Claim, profile: str = "quick", **more: Any) -> Entry:
    [entry] = establish([claim], profile, **more)
    return entry


# Verdicts


def test_a_true_claim_holds() -> None:
    entry = judged(toy().by("proof", held, scope="all"))
    assert (entry.verdict, entry.counterexample, entry.reason, entry.problem) == ("holds", None, None, None)
    [finding] = entry.evidence
    assert (finding.outcome, finding.ran, finding.detail) == ("held", entry.ran, None)
    assert entry.ran != "never"


def test_a_false_claim_expected_to_be_refuted_is_refuted_with_its_counterexample() -> None:
    entry = judged(toy(expected="refuted").by("exhaustive", seven, scope="7"))
    assert (entry.verdict, entry.counterexample, entry.problem) == ("refuted", "7", None)


def test_a_false_claim_expected_to_hold_is_a_problem_that_shows_the_counterexample() -> None:
    entry = judged(toy().by("exhaustive", seven, scope="7"))
    assert entry.verdict == "refuted"
    assert entry.problem is not None
    assert entry.problem.startswith("expected holds, found refuted by ")
    assert entry.problem.endswith("::seven: 7")


def test_a_true_claim_expected_to_be_refuted_is_a_problem() -> None:
    entry = judged(toy(expected="refuted").by("exhaustive", held, scope="7"))
    assert entry.verdict == "holds"
    assert entry.problem is not None
    assert entry.problem.startswith("expected refuted, found holds")


def test_an_error_is_a_problem_and_no_verdict() -> None:
    entry = judged(toy().by("proof", held, scope="all").by("exhaustive", broken, scope="some"))
    assert (entry.verdict, entry.reason) == ("open", "its evidence failed to run")
    assert entry.problem is not None
    assert "::broken failed: ZeroDivisionError: division by zero (test_ledger.py:" in entry.problem


def test_a_counterexample_counts_also_beside_an_error_but_the_error_is_still_a_problem() -> None:
    entry = judged(toy(expected="refuted").by("proof", broken, scope="a").by("exhaustive", seven, scope="7"))
    assert entry.verdict == "refuted"
    assert entry.problem is not None


def test_one_counterexample_outweighs_all_that_held() -> None:
    claim = toy().by("proof", held, scope="a").by("exhaustive", seven, scope="b").by("proof", held, scope="c")
    assert judged(claim).verdict == "refuted"


@pytest.mark.parametrize("leave", [SystemExit(0), SystemExit("bye"), GeneratorExit(), RecursionError()])
def test_evidence_cannot_end_the_run(leave: BaseException) -> None:
    def leaves() -> None:
        raise leave

    entry = judged(toy().by("proof", leaves, scope="all"))
    assert entry.evidence[0].outcome == "error"
    assert entry.problem


def test_a_person_can_end_the_run() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judged(toy().by("proof", interrupted, scope="all"))


@pytest.mark.parametrize("answer", [True, False, "generator"])
def test_a_predicate_by_mistake_is_an_error(answer: object) -> None:
    def predicate() -> object:
        return (n for n in range(3)) if answer == "generator" else answer

    entry = judged(toy(expected="refuted").by("exhaustive", predicate, scope="all"))
    assert entry.evidence[0].outcome == "error"
    assert "expected None where the statement held" in str(entry.problem)


@pytest.mark.parametrize(
    ("counterexample", "told"),
    [
        (0, "0"),
        ((), "()"),
        ("", ""),
        ({"range": 3, "key": "a"}, "range = 3, key = 'a'"),
        ("no window ends at 7", "no window ends at 7"),
    ],
)
def test_every_value_but_none_is_a_counterexample(counterexample: object, told: str) -> None:
    entry = judged(toy().by("exhaustive", lambda: counterexample, scope="all"))
    assert (entry.verdict, entry.counterexample) == ("refuted", told)


def test_an_open_claim_is_open_for_its_reason_and_no_problem() -> None:
    entry = judged(toy(expected="open", reason="nobody\n  knows"))
    assert (entry.verdict, entry.ran, entry.reason, entry.problem) == ("open", "never", "nobody knows", None)


# Profiles


@pytest.mark.parametrize(
    ("profile", "ran"), [("quick", ["quick"]), ("full", ["quick", "full"]), ("nightly", list(PROFILES))]
)
def test_a_profile_runs_its_own_and_the_smaller_ones(profile: str, ran: list[str]) -> None:
    calls: list[str] = []
    claim = toy()
    for name in PROFILES:
        claim.by("property", functools.partial(calls.append, name), scope=name, profile=name)
    assert due([claim], profile) == len(ran)
    entry = judged(claim, profile)
    assert calls == ran
    assert [one.outcome == "held" for one in entry.evidence] == [name in ran for name in PROFILES]


def test_evidence_outside_the_profile_is_not_run_never_holds_and_no_problem() -> None:
    entry = judged(toy().by("scale", held, scope="huge", profile="nightly"))
    assert (entry.verdict, entry.ran, entry.problem) == ("open", "never", None)
    assert entry.evidence[0].outcome == "not run"
    assert "--profile nightly" in str(entry.reason)


def test_a_refuted_claim_whose_counterexample_is_out_of_profile_says_what_did_not_run() -> None:
    claim = toy(expected="refuted").by("proof", held, scope="a").by("scale", seven, scope="b", profile="full")
    assert "::seven did not run" in str(judged(claim).problem)


# Records


def recorded(entry: Entry, code: str = "c0de") -> Record:
    return Record.from_json(Record(code, (entry,)).to_json())


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    claim = toy(remark="read § kindly").by("proof", held, scope="a").by("scale", seven, scope="b")
    record = Record("c0de", (judged(claim), judged(toy(expected="open", reason="why not"))))
    record.write(tmp_path / "ledger.json")
    assert Record.read(tmp_path / "ledger.json") == record
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.json"]
    assert "§" in (tmp_path / "ledger.json").read_text(encoding="utf-8")


def two_profiles() -> Claim:
    return toy().by("proof", held, scope="a").by("scale", held, scope="b", profile="full")


def test_an_outcome_of_the_same_code_is_kept_with_its_date() -> None:
    earlier = judged(two_profiles(), "full")
    old = [
        Finding(one.kind, one.where, one.scope, one.profile, one.outcome, "2001-01-01")
        for one in earlier.evidence
    ]
    record = recorded(judge(two_profiles(), old))
    entry = judged(two_profiles(), "quick", kept=record.kept("c0de"))
    assert [one.outcome for one in entry.evidence] == ["held", "held"]
    assert entry.evidence[0].ran > "2001-01-01", "this one ran again"
    assert entry.evidence[1].ran == "2001-01-01", "this one did not"
    assert entry.ran == entry.evidence[0].ran


def test_an_outcome_of_other_code_is_dropped() -> None:
    record = recorded(judged(two_profiles(), "full"))
    entry = judged(two_profiles(), "quick", kept=record.kept("other"))
    assert [one.outcome for one in entry.evidence] == ["held", "not run"]


def test_a_kept_counterexample_still_refutes() -> None:
    def claim() -> Claim:
        return toy().by("proof", held, scope="a").by("scale", seven, scope="b", profile="full")

    record = recorded(judged(claim(), "full"))
    entry = judged(claim(), "quick", kept=record.kept("c0de"))
    assert (entry.verdict, entry.counterexample) == ("refuted", "7")
    assert entry.problem


def test_an_error_is_never_kept() -> None:
    def claim() -> Claim:
        return toy().by("scale", broken, scope="b", profile="full")

    record = recorded(judged(claim(), "full"))
    assert judged(claim(), "quick", kept=record.kept("c0de")).evidence[0].outcome == "not run"


def test_what_is_kept_belongs_to_its_claim_and_scope() -> None:
    record = recorded(judged(two_profiles(), "full"))
    other_claim = toy(id="toys.two").by("scale", held, scope="b", profile="full")
    other_scope = toy().by("scale", held, scope="c", profile="full")
    for claim in (other_claim, other_scope):
        assert judged(claim, kept=record.kept("c0de")).verdict == "open"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"code": "x", "claims": [{}]}', '{"code": "x", "claims": 3}']
)
def test_a_damaged_record_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "ledger.json").write_text(text)
    with pytest.raises(FileError, match="not a record of verdicts"):
        Record.read(tmp_path / "ledger.json")


def test_a_missing_record_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no record of verdicts yet"):
        Record.read(tmp_path / "ledger.json")


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "file"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(FileError, match="No space left"):
        write_atomically(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_the_hash_sees_code_and_names_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "a.py").write_bytes(b"x = 1\n")
    first = digest([folder])
    (folder / "ledger.json").write_text("{}")
    (folder / "a.py").write_bytes(b"x = 1\r\n")
    assert digest([folder]) == first, "neither data nor line ends are code"
    (folder / "a.py").write_bytes(b"x = 2\n")
    second = digest([folder])
    (folder / "a.py").rename(folder / "b.py")
    third = digest([folder])
    (folder / "c.py").touch()
    assert len({first, second, third, digest([folder])}) == 4


# Declarations


def claim_with(**changes: Any) -> Callable[[Ledger], object]:
    fields: dict[str, Any] = {
        "id": "a.b",
        "source": "W Thm 1",
        "kind": "theorem",
        "statement": "True.",
    } | changes
    return lambda ledger: ledger.claim(fields.pop("id"), **fields)


def evidence_with(check: Any = held, **changes: Any) -> Callable[[Ledger], object]:
    fields: dict[str, Any] = {"kind": "proof", "scope": "all"} | changes
    return lambda ledger: toy(ledger).by(fields.pop("kind"), check, **fields)


def twice(ledger: Ledger) -> None:
    toy(ledger)
    toy(ledger)


def same_evidence_twice(ledger: Ledger) -> None:
    toy(ledger).by("proof", held, scope="all").by("proof", held, scope="all")


def open_with_evidence(ledger: Ledger) -> None:
    toy(ledger, expected="open", reason="why").by("proof", held, scope="all")


def open_with_evidence_elsewhere(ledger: Ledger) -> None:
    toy(ledger, expected="open", reason="why")
    ledger.evidence("proof", scope="all", of="toys.one")(held)


def without_evidence(ledger: Ledger) -> None:
    toy(ledger)


def evidence_of_nobody(ledger: Ledger) -> None:
    toy(ledger)
    ledger.evidence("proof", scope="all", of="toys.onne")(held)


def evidence_without_a_claim(ledger: Ledger) -> None:
    ledger.evidence("proof", scope="all")(held)


def claim_below_its_evidence(ledger: Ledger) -> None:
    @ledger.evidence("proof", scope="all")
    @toy(ledger)
    def upside_down() -> None: ...


def corrects(target: str, expected: str = "refuted") -> Callable[[Ledger], None]:
    def declare(ledger: Ledger) -> None:
        toy(ledger, expected=expected).by("proof", held, scope="all")
        toy(ledger, id="toys.two", corrects=target).by("proof", held, scope="all")

    return declare


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (claim_with(id="Windows.One"), "id of a claim is 'Windows.One'; expected lower-case words"),
        (claim_with(id="windows"), "joined by dots"),
        (claim_with(id="windows..one"), "joined by dots"),
        (claim_with(id=7), "id of a claim is 7"),
        (twice, "one that is not taken; "),
        (claim_with(source="W"), "source of claim a.b is 'W'; expected a key S C G A W and a locator"),
        (claim_with(source="X Thm 1"), "source of claim"),
        (claim_with(source="W Theorem 1"), "source of claim"),
        (claim_with(source="W Thm"), "source of claim"),
        (claim_with(source="W § 2"), "source of claim"),
        (claim_with(source="O Two Words"), "source of claim"),
        (claim_with(source=None), "source of claim a.b is None"),
        (claim_with(kind="theorems"), "kind of claim a.b is 'theorems'; .*did you mean 'theorem'"),
        (claim_with(expected="hold"), "expected of claim a.b is 'hold'; .*did you mean 'holds'"),
        (claim_with(statement="  "), "statement of claim a.b is '  '; expected a sentence"),
        (claim_with(remark=""), "remark of claim a.b is ''; expected a sentence"),
        (claim_with(expected="open"), "reason of claim a.b is None; expected a sentence"),
        (claim_with(reason="why"), "reason of claim a.b is 'why'; expected none"),
        (evidence_with(kind="prof"), "kind of evidence .*::held is 'prof'; .*did you mean 'proof'"),
        (evidence_with(scope=""), "scope of evidence .*::held is ''"),
        (evidence_with(profile="ful"), "profile of evidence .*::held is 'ful'; .*did you mean 'full'"),
        (evidence_with(check=7), "evidence is 7; expected a function"),
        (
            evidence_with(check=lambda limit: None),
            "arguments of evidence .*missing a required argument: 'limit'",
        ),
        (evidence_with(limit=3), "arguments of evidence .*unexpected keyword argument 'limit'"),
        (
            evidence_with(check=lambda limit: None, limit=3, scope="up to {limt}"),
            r"scope of evidence .* only its arguments \(limit\) in braces",
        ),
        (same_evidence_twice, "evidence of claim toys.one is .*; expected another scope than 'all'"),
        (open_with_evidence, "expected of claim toys.one is 'open'; expected holds or refuted"),
        (open_with_evidence_elsewhere, "expected of claim toys.one is 'open'; expected holds or refuted"),
        (without_evidence, "evidence of claim toys.one is None; expected at least one"),
        (evidence_of_nobody, "of, of evidence .* is 'toys.onne'; .*did you mean 'toys.one'"),
        (evidence_without_a_claim, "claim of evidence .*::held is None; expected a @claim above"),
        (claim_below_its_evidence, "evidence of claim toys.one is None; expected an @evidence between"),
        (corrects("toys.oen"), "corrects of claim toys.two is 'toys.oen'; .*did you mean 'toys.one'"),
        (corrects("toys.one", "holds"), "corrects of claim toys.two is 'toys.one'; .*expected='refuted'"),
    ],
)
def test_a_bad_declaration_is_one_clear_sentence(declare: Callable[[Ledger], object], message: str) -> None:
    ledger = Ledger()

    def whole() -> None:
        declare(ledger)
        ledger.checked()

    with pytest.raises(SwagError, match=message) as caught:
        whole()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "source",
    [
        "S Thm 1",
        "C Lemma 1",
        "W Def 3",
        "S Eq 7.6",
        "W Alg 4",
        "S Table 2.1",
        "G Fig 3a",
        "A Ex 1.1",
        "A Obs 2",
        "S fn 12",
        "S §4.3.1",
        "W §B.1",
        "O laws",
        "O arg_max.ties",
        "O float-sums",
    ],
)
def test_sources_that_are_accepted(source: str) -> None:
    assert Ledger().claim("a.b", source=source, kind="theorem", statement="x").source == source


def test_a_correction_may_stand_before_the_claim_it_corrects() -> None:
    ledger = Ledger()
    toy(ledger, id="toys.two", corrects="toys.one").by("proof", held, scope="all")
    toy(ledger, expected="refuted").by("exhaustive", seven, scope="7")
    assert [entry.corrects for entry in establish(ledger.checked())] == ["toys.one", None]


def test_evidence_elsewhere_joins_its_claim_once_however_often_one_looks() -> None:
    ledger = Ledger()
    ledger.evidence("proof", of="toys.one", scope="all")(held)
    ledger.evidence("scale", of="toys.one", scope="many")(held)
    toy(ledger).by("exhaustive", held, scope="few")
    for _ in range(2):
        assert [one.scope for one in ledger.checked()[0].evidence] == ["few", "all", "many"]


def test_two_claims_may_share_a_function_that_stays_callable() -> None:
    ledger = Ledger()

    @toy(ledger)
    @toy(ledger, id="toys.two")
    @ledger.evidence("exhaustive", scope="n up to {limit}", limit=3)
    @ledger.evidence("exhaustive", scope="n up to {limit}", limit=9, profile="full")
    def shared(limit: int) -> int:
        return limit

    assert shared(5) == 5
    for entry in establish(ledger.checked(), "full"):
        assert [(one.scope, one.detail) for one in entry.evidence] == [("n up to 3", "3"), ("n up to 9", "9")]


def test_where_names_file_and_function_and_no_machine() -> None:
    def local() -> None: ...

    @functools.wraps(local)
    def wrapped() -> None: ...

    here = __name__.replace(".", "/") + ".py"
    expected = "test_where_names_file_and_function_and_no_machine.local"
    for check in (local, wrapped, functools.partial(local)):
        assert toy().by("proof", check, scope="all").evidence[0].where == f"{here}::{expected}"
    assert toy().file == here


# Searches


def test_smallest_stops_at_the_first_failure() -> None:
    seen: list[int] = []

    def small(n: int) -> bool:
        seen.append(n)
        return n < 3

    assert smallest(iter(range(100)), small) == {"n": 3}
    assert seen == [0, 1, 2, 3]


def test_smallest_tells_none_from_nothing() -> None:
    assert smallest([None], lambda value: value is not None) == {"value": None}


def test_smallest_of_no_case_is_an_error_and_so_is_a_predicate_without_an_answer() -> None:
    with pytest.raises(ValueError, match="no case was tried"):
        smallest([], lambda n: True)
    with pytest.raises(TypeError, match="True or False"):
        smallest([1], lambda n: None)


def test_smallest_with_a_builtin() -> None:
    assert smallest([1, 0], bool) == {"case": 0}


@pytest.mark.parametrize("axes", [(), (range(3),), (range(2), range(5), "abc"), (range(0), range(3))])
def test_by_size_gives_each_combination_once_smallest_first(axes: tuple[Any, ...]) -> None:
    import itertools

    found = list(by_size(*axes))
    assert sorted(found) == sorted(itertools.product(*axes))
    sizes = [sum(axis.index(one) for axis, one in zip(axes, case, strict=True)) for case in found]
    assert sizes == sorted(sizes)


def test_shrunk_is_minimal_and_the_same_every_time() -> None:
    def search() -> object:
        return shrunk(st.lists(st.integers()), lambda values: sum(values) < 100)

    assert search() == {"values": [100]} == search()
    first: list[int] = []
    second: list[int] = []
    for seen in (first, second):
        assert shrunk(st.integers(), lambda n, seen=seen: seen.append(n) or True, examples=50) is None
    assert first == second
    assert len(set(first)) > 10


def test_shrunk_passes_an_error_on() -> None:
    with pytest.raises(ZeroDivisionError):
        shrunk(st.integers(), lambda n: 1 // 0)


# z3


def test_a_proof_holds_a_falsehood_has_a_model_and_unknown_raises() -> None:
    z3 = pytest.importorskip("z3")
    tools = pytest.importorskip("proofs.z3_tools")
    x, y, z, n = z3.Ints("x y z n")
    assert tools.unsat(x > 0, x < 1) is None
    assert tools.unsat(x > 0, x < 2, z3.Bool("b")) == {"b": True, "x": 1}
    assert tools.proved(x + y == y + x) is None
    assert tools.proved(x != 3) == {"x": 3}
    with pytest.raises(RuntimeError, match="contradicts itself"):
        tools.proved(x == y, given=[x > 0, x < 0])
    with pytest.raises(RuntimeError, match="twin"):
        tools.proved(x + 0 == x, twin=x * 1 == x)
    with pytest.raises(RuntimeError, match="z3 does not know"):
        # No sum of two cubes is a cube: true, and out of reach.
        tools.unsat(x > 0, y > 0, z > 0, n > 2, x * x * x + y * y * y == z * z * z, seconds=0.2)


# Watching


def test_a_watcher_sees_every_piece_that_runs_in_order() -> None:
    class Notes(list[str]):
        def starts(self, claim: Claim, evidence: Evidence) -> None:
            self.append(f"start {evidence.scope}")

        def ends(self, claim: Claim, evidence: Evidence, finding: Finding, seconds: float) -> None:
            assert seconds >= 0
            self.append(f"{finding.outcome} {evidence.scope}")

    notes = Notes()
    claim = toy().by("proof", held, scope="a").by("proof", seven, scope="b")
    establish([claim.by("scale", held, scope="c", profile="full")], watcher=notes)
    assert notes == ["start a", "held a", "start b", "counterexample b"]


def test_the_ledger_of_this_checkout_is_sound() -> None:
    from swagcore.ledger import find_checkout

    checkout = find_checkout()
    if checkout is None:
        pytest.skip("not a checkout")
    claims = checkout.claims()
    assert len({claim.id for claim in claims}) == len(claims)
    assert all(json.dumps(judge(claim).statement) for claim in claims)
    assert "specs" in sys.modules
