"""`swag rewrite`, as a user meets it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

pytest.importorskip("sqlglot")

from swagcore import cli
from swagcore.cli.rewrite import rewrite

if "rewrite" not in {
    command.callback.__name__ for command in cli.app.registered_commands if command.callback
}:
    cli.app.command()(rewrite)

TEN = " UNION ALL ".join(
    f"SELECT window.start AS s, k, avg(v) AS a FROM t GROUP BY window(ts, '{10 * n} minutes', '5 minutes'), k"
    for n in range(1, 11)
)
MEDIAN = "SELECT window.start AS s, median(v) AS m FROM t GROUP BY window(ts, '1 hour')"


def swag(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as left:
        cli.main(["rewrite", *arguments])
    out, err = capsys.readouterr()
    return left.value.code, out, err


def test_a_query_of_ten_windows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "query.sql"
    path.write_text(TEN, encoding="utf-8")
    code, out, err = swag(str(path), capsys=capsys)
    assert (code, err) == (0, "")
    assert out.startswith("WITH factor_5min AS (\n")
    assert out.count("UNION ALL") == 9
    assert out.endswith("\n") and not out.endswith("\n\n")
    code, out, err = swag(str(path), "--dialect", "duckdb", capsys=capsys)
    assert (code, err) == (0, "")
    assert "TIME_BUCKET" in out


def test_the_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEN.encode())))
    code, out, _ = swag("-", capsys=capsys)
    assert code == 0 and out.startswith("WITH")


def test_what_cannot_be_improved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "query.sql"
    path.write_text(MEDIAN, encoding="utf-8")
    reason = "median(v) cannot be put together from smaller windows"
    assert swag(str(path), capsys=capsys) == (
        0,
        f"-- not rewritten: {reason}\n{MEDIAN}\n",
        f"swag: not rewritten: {reason}\n",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"SELECT max(v)\nFROM t", "line 1, column 1, at"),
        (b"SELECT 1,\n median(v FROM t GROUP BY window(ts, '1 hour')", "line 2, column 11, at"),
        (b"\xff\xfe", "it is not text in UTF-8"),
    ],
)
def test_mistakes(tmp_path: Path, content: bytes, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "query.sql"
    path.write_bytes(content)
    code, out, err = swag(str(path), capsys=capsys)
    assert (code, out) == (1, "")
    assert err.startswith("swag: ") and message in err and err.count("\n") == 1


def test_files_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "No such file" in swag(str(tmp_path / "missing.sql"), capsys=capsys)[2]
    assert "it is a directory" in swag(str(tmp_path), capsys=capsys)[2]


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert swag("x.sql", "--dialect", "flink", capsys=capsys)[0] == 2
    assert swag(capsys=capsys)[0] == 2
