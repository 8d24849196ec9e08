"""Rewriting as tables: what is recognised, what comes out, what comes back unchanged, what is refused and where."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("sqlglot")

import swagcore as sw
from swagcore.coverage.sql import naive, rewrite, rewriting
from swagcore.coverage.sql_forms import BUCKETS_FROM, read_query
from swagcore.coverage.sql_text import SqlError
from swagcore.errors import SwagError, UnknownName

MINUTE = 60_000_000
FIGURE_1 = """SELECT DeviceID,
       System.Window().Id,
       Min(temperature) AS MinTemp
FROM Input TIMESTAMP BY EntryTime
GROUP BY DeviceID,
       Windows(
    Window('10 min', TumblingWindow(minute, 10)),
    Window('20 min', TumblingWindow(minute, 20)),
    Window('30 min', TumblingWindow(minute, 30)),
    Window('40 min', TumblingWindow(minute, 40))
    )"""


def azure(windows: str, select: str = "max(v) AS m") -> str:
    return f"SELECT {select} FROM t TIMESTAMP BY ts GROUP BY {windows}"


def spark(sizes: str) -> str:
    return f"SELECT max(v) AS m FROM t GROUP BY window(ts, {sizes})"


def bucket(arguments: str) -> str:
    return f"SELECT time_bucket({arguments}) AS s, max(v) AS m FROM t GROUP BY 1"


def series(first: str, source: str = "FROM t, {} AS w(start)", select: str = "start") -> str:
    starts = f"unnest(generate_series({first}, time_bucket(INTERVAL '5 minutes', ts), INTERVAL '5 minutes'))"
    return f"SELECT {select}, max(v) AS m {source} GROUP BY 1".replace("{}", starts)


FIRST = "time_bucket(INTERVAL '5 minutes', ts - INTERVAL '15 minutes') + INTERVAL '5 minutes'"
OTHER_FIRST = "time_bucket(INTERVAL '5 minutes', ts) - INTERVAL '10 minutes'"
FIVE, FIFTEEN = (5, 5, 0), (15, 5, 0)


@pytest.mark.parametrize(
    ("sql", "windows"),
    [
        (azure("TumblingWindow(minute, 5)"), [FIVE]),
        (azure("k, tumblingwindow(mi, 5, 1)"), [(5, 5, 1)]),
        (azure("HOPPING(n, 15, 5)"), [FIFTEEN]),
        (azure("TumblingWindow(Duration(second, 300), Offset(minute, -1))"), [(5, 5, 4)]),
        (azure("HoppingWindow(minute, 15, 5)"), [FIFTEEN]),
        (azure("HoppingWindow(Duration(minute, 15), Hop(minute, 5), Offset(minute, 2))"), [(15, 5, 2)]),
        (azure("Windows(TumblingWindow(minute, 5), HoppingWindow(minute, 15, 5))"), [FIVE, FIFTEEN]),
        (
            azure("Windows(Window('a', TumblingWindow(hour, 1)), Window('b', TumblingWindow(day, 1)))"),
            [(60, 60, 0), (1440, 1440, 0)],
        ),
        (FIGURE_1, [(10, 10, 0), (20, 20, 0), (30, 30, 0), (40, 40, 0)]),
        (spark("'5 minutes'"), [FIVE]),
        (spark("'15 minutes', '5 minutes'"), [FIFTEEN]),
        (spark("'15 minutes', '300 seconds', '-1 minute'"), [(15, 5, 4)]),
        (spark("'interval 1 week'"), [(7 * 1440, 7 * 1440, 0)]),
        (spark("'1 hour 30 minutes'"), [(90, 90, 0)]),
        ("SELECT window(ts, '5 minutes') AS w, max(v) AS m FROM t GROUP BY w", [FIVE]),
        (
            "SELECT window(ts, '5 minutes').start AS s, max(v) AS m FROM t GROUP BY window(ts, '5 minutes')",
            [FIVE],
        ),
        (
            f"({spark(chr(39) + '5 minutes' + chr(39))}) UNION ALL {spark(chr(39) + '1 hour' + chr(39))}",
            [FIVE, (60, 60, 0)],
        ),
        (bucket("INTERVAL '5 minutes', ts"), [FIVE]),
        (bucket("INTERVAL 5 MINUTE, ts"), [FIVE]),
        (bucket("INTERVAL (5) MINUTES, ts"), [FIVE]),
        (bucket("'5 minutes'::INTERVAL, ts"), [FIVE]),
        (bucket("to_minutes(5), ts"), [FIVE]),
        (bucket("INTERVAL '5 minutes', ts, INTERVAL '1 minute'"), [(5, 5, 1)]),
        (bucket("INTERVAL '5 minutes', ts, TIMESTAMP '2024-02-29 00:03:00'"), [(5, 5, 3)]),
        (bucket("(INTERVAL '5 minutes'), ts"), [FIVE]),
        (bucket("INTERVAL '5 minutes', ts, -INTERVAL '1 minute'"), [(5, 5, 4)]),
        (bucket("INTERVAL '5 minutes', ts, INTERVAL (-1) MINUTE"), [(5, 5, 4)]),
        (bucket("INTERVAL '5 minutes', ts, '1 minute'::INTERVAL"), [(5, 5, 1)]),
        (bucket("INTERVAL '5 minutes', ts, TIMESTAMPTZ '2024-01-01 00:00:00+05:28'"), [(5, 5, 2)]),
        (  # a Thursday, as the first day of 1970 was
            bucket("INTERVAL '7 days', ts, TIMESTAMP '2024-02-29 00:03:00'"),
            [(7 * 1440, 7 * 1440, 3)],
        ),
        (bucket("INTERVAL '2 weeks', ts, TIMESTAMP '1970-01-01'"), [(14 * 1440, 14 * 1440, 0)]),
        (bucket("INTERVAL '7 days', ts"), [(7 * 1440, 7 * 1440, 4 * 1440)]),  # weeks begin on Mondays
        (series(FIRST), [FIFTEEN]),
        (series(OTHER_FIRST), [FIFTEEN]),
        (series(FIRST, "FROM t CROSS JOIN {} AS w(start)", "w.start"), [FIFTEEN]),
        (series(FIRST, "FROM t, LATERAL {} AS w(start)"), [FIFTEEN]),
        (series(FIRST, "FROM t JOIN {} AS w(start) ON true"), [FIFTEEN]),
        (series(FIRST, "FROM t, {} AS w(start)").replace("unnest(", "(", 1), [FIFTEEN]),
        (series(FIRST, "FROM (SELECT t.*, {} AS start FROM t)"), [FIFTEEN]),
        (series(FIRST, "FROM t, (SELECT {} AS start) AS w", "w.start"), [FIFTEEN]),
        (series(FIRST, "FROM t CROSS JOIN LATERAL (SELECT {} AS start) AS w"), [FIFTEEN]),
        (series(FIRST, "FROM (SELECT *, {} AS start FROM t WHERE v > 0) AS q", "q.start"), [FIFTEEN]),
        (series(FIRST, "FROM (SELECT ts, v, {} AS start FROM t)"), [FIFTEEN]),
        (series(FIRST, "FROM t", "{} AS start"), [FIFTEEN]),
    ],
)
def test_what_is_recognised(sql: str, windows: list[tuple[int, int, int]]) -> None:
    branches = read_query(sql)[3]
    assert [branch.window for branch in branches] == [
        sw.Window(*(size * MINUTE for size in sizes)) for sizes in windows
    ]


def test_the_smallest_window() -> None:
    for sql in (
        azure("TumblingWindow(microsecond, 1)"),
        azure("HoppingWindow(us, 1, 1)"),
        spark("'1 microsecond'"),
    ):
        assert [branch.window for branch in read_query(sql)[3]] == [sw.Window(1, 1)]


def test_buckets_are_counted_from_the_third_of_january_2000() -> None:
    window = read_query(bucket("INTERVAL '11 minutes', ts"))[3][0].window
    assert window.offset == BUCKETS_FROM % (11 * MINUTE) != 0


SIZES = ("'10 minutes', '2 minutes'", "'10 minutes'")


def clauses(sql: str) -> dict[str, str]:
    """The WITH clauses of a rewritten query, and what each reads from."""
    found = re.findall(r"(\w+) AS (?:MATERIALIZED )?\(\n  /\* .*?: from (.+?) \*/", sql)
    return {name: source.replace("the stream", "-") for name, source in found}


@pytest.mark.parametrize("dialect", ["spark", "duckdb"])
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            FIGURE_1,
            {
                "window_10min": "-",
                "window_20min": "window_10min",
                "window_30min": "window_10min",
                "window_40min": "window_20min",
            },
        ),
        (
            azure("Windows(TumblingWindow(minute, 20), TumblingWindow(minute, 30))", "sum(v) AS s"),
            {"factor_10min": "-", "window_20min": "factor_10min", "window_30min": "factor_10min"},
        ),
        (
            azure("HoppingWindow(minute, 15, 5)", "avg(v) AS a"),
            {"factor_5min": "-", "window_15min_every_5min": "factor_5min"},
        ),
        (  # min may be put together from windows that overlap, the sum beside it may not
            azure("Windows(HoppingWindow(minute, 10, 5), HoppingWindow(minute, 20, 5))", "min(v) AS m"),
            {
                "factor_5min": "-",
                "window_10min_every_5min": "factor_5min",
                "window_20min_every_5min": "window_10min_every_5min",
            },
        ),
        (
            azure(
                "Windows(HoppingWindow(minute, 10, 5), HoppingWindow(minute, 20, 5))",
                "min(v) AS m, sum(v) AS s",
            ),
            {
                "factor_5min": "-",
                "window_10min_every_5min": "factor_5min",
                "window_20min_every_5min": "factor_5min",
            },
        ),
        (
            azure(
                "Windows(HoppingWindow(minute, 10, 5), HoppingWindow(minute, 20, 5))",
                "min(v) AS m, max(v) AS x, bool_or(b) AS o, bool_and(b) AS a",
            ),
            {
                "factor_5min": "-",
                "window_10min_every_5min": "factor_5min",
                "window_20min_every_5min": "window_10min_every_5min",
            },
        ),
        (  # events without a time are in no window of Spark, so that a hopping window has all of a tumbling one
            f"{spark(SIZES[0])} UNION ALL {spark(SIZES[1])}",
            {
                "factor_2min": "-",
                "window_10min_every_2min": "factor_2min",
                "window_10min": "window_10min_every_2min",
            },
        ),
    ],
)
def test_the_shape_of_what_comes_out(sql: str, expected: dict[str, str], dialect: str) -> None:
    written = rewriting(sql, dialect)
    assert clauses(written.sql) == expected
    assert len(re.findall(r"(?m)^FROM window_", written.sql)) == written.sql.count("UNION ALL") + 1
    assert not re.search(r"(?m)^FROM factor_", written.sql), "factor windows are not shown"


def test_a_comment_says_how_azure_differs() -> None:
    note = "-- Windows are [start, end) here; Azure Stream Analytics takes (start, end].\n"
    done = rewriting(FIGURE_1, "duckdb")
    assert done.sql.startswith(note) and done.naive.startswith(note)


def test_tumbling_windows_of_duckdb_do_not_come_from_hopping_ones() -> None:
    """The events without a time are a group of time_bucket, and in no series of starts."""
    hop = "time_bucket(INTERVAL '2 minutes', ts - INTERVAL '8 minutes') + INTERVAL '2 minutes'"
    sql = (
        f"SELECT start, min(v) AS m FROM t, unnest(generate_series({hop}, time_bucket(INTERVAL '2 minutes', ts), "
        "INTERVAL '2 minutes')) AS w(start) GROUP BY 1 UNION ALL "
        "SELECT time_bucket(INTERVAL '10 minutes', ts), min(v) FROM t GROUP BY 1"
    )
    assert clauses(rewrite(sql, "duckdb"))["window_10min"] in ("factor_2min", "-")


def test_a_factor_window_that_nothing_is_computed_from_any_more_is_left_out() -> None:
    """The tumbling window would come from a factor window of 6 minutes, which comes from the hopping one."""
    hop = "time_bucket(INTERVAL '2 minutes', ts - INTERVAL '6 minutes') + INTERVAL '2 minutes'"
    sql = (
        f"SELECT start, min(v) AS m FROM t, unnest(generate_series({hop}, time_bucket(INTERVAL '2 minutes', ts), "
        "INTERVAL '2 minutes')) AS w(start) GROUP BY 1 UNION ALL "
        "SELECT time_bucket(INTERVAL '12 minutes', ts), min(v) FROM t GROUP BY 1"
    )
    assert clauses(rewrite(sql, "duckdb")) == {
        "factor_2min": "-",
        "window_6min_every_2min": "factor_2min",
        "window_12min": "factor_2min",
    }


def test_only_what_is_needed_is_carried() -> None:
    sql = (
        "SELECT time_bucket(INTERVAL '10 minutes', ts) AS s, max(v) AS c FROM t GROUP BY 1 UNION ALL "
        "SELECT time_bucket(INTERVAL '20 minutes', ts), avg(x) FROM t GROUP BY 1 UNION ALL "
        "SELECT time_bucket(INTERVAL '40 minutes', ts), min(v) FROM t GROUP BY 1"
    )
    bodies = rewrite(sql, "duckdb").split("AS MATERIALIZED")[1:]
    carried = [sorted(set(re.findall(r"AS ((?:min|max|sum|count)_\w+)", body))) for body in bodies]
    assert carried == [["count_x", "max_v", "min_v", "sum_x"], ["count_x", "min_v", "sum_x"], ["min_v"]]


# Unchanged


TWO = "SELECT {} FROM t GROUP BY time_bucket(INTERVAL '{}', ts){}"


def two(select: str, tail: str = "", sizes: tuple[str, str] = ("5 minutes", "10 minutes")) -> str:
    return " UNION ALL ".join(TWO.format(select, size, tail) for size in sizes)


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        (
            two("count(DISTINCT v) AS n"),
            "count(DISTINCT v) cannot be put together from smaller windows, because it is DISTINCT",
        ),
        (
            two("sum(DISTINCT v) AS n"),
            "sum(DISTINCT v) cannot be put together from smaller windows, because it is DISTINCT",
        ),
        (two("median(v) AS m"), "median(v) cannot be put together from smaller windows"),
        (two("max(v) AS m, stddev(v) AS d"), "stddev(v) cannot be put together from smaller windows"),
        (two("max(v, 2) AS m"), "max(v, 2) cannot be put together from smaller windows"),
        (two("max(v + random()) AS m"), "it is random: it calls rand"),
        (two("arg_max(k, v) AS m"), "arg_max(k, v) cannot be put together from smaller windows"),
        (
            two("product(v) AS m"),
            "product(v) is neither grouped by nor an aggregate that smaller windows can give",
        ),
        (two("max(v) + 1"), "max(v) + 1 has no name; write AS and a name after it"),
        (two("max(v) AS m", sizes=("1 month", "1 year")), "1 month is no fixed length of time"),
        (two("max(v) AS m", ", ROLLUP (k)"), "it groups by ROLLUP"),
        (two("max(v) AS m", ", CUBE (k, v)"), "it groups by CUBE"),
        (two("max(v) AS m", ", GROUPING SETS ((k), (v))"), "it groups by GROUPING SETS"),
        (two("max(v) AS m", ", (k, v)"), "it groups by a tuple"),
        (
            two("max(v) AS m, row_number() OVER () AS r"),
            "a SELECT over a window has a window function (OVER)",
        ),
        (two("max(v) AS m, (SELECT 1) AS one"), "a SELECT over a window has a subquery among its columns"),
        (
            two("max(v) AS m", " QUALIFY true"),
            "a SELECT over a window has a clause that is not shared: QUALIFY",
        ),
        (
            two("max(v) AS m").replace("t GROUP", "t WHERE v > 1 GROUP", 1),
            "SELECT 2 does not read the same rows as the first",
        ),
        (two("max(v) AS m").replace(", ts)", ", tt)", 1), "SELECT 2 does not take its time from tt"),
        (
            two("max(v) AS m").replace(", ts)", ", ts), k", 1),
            "SELECT 2 does not group by the same columns as the first",
        ),
        (two("max(v) AS m").replace(" t ", " t WHERE random() < 0.5 "), "it is random: it calls rand"),
        (
            bucket("INTERVAL '5 minutes', ts"),
            "no window is computed from another, or from a factor window, at less cost than from the stream",
        ),
        (
            series(FIRST, "FROM t, {} AS w(start) WHERE start > TIMESTAMP '2024-01-01'"),
            "the rows are filtered by the window that they are in",
        ),
    ],
)
def test_what_comes_back_unchanged(sql: str, reason: str) -> None:
    done = rewriting(sql, "duckdb")
    assert done.reason == reason
    assert done.sql == f"-- not rewritten: {reason}\n{sql}"
    assert done.naive == sql


def test_what_cannot_be_improved_is_still_translated() -> None:
    sql = azure("TumblingWindow(minute, 5)", "median(v) AS m")
    done = rewriting(sql, "duckdb")
    assert done.reason is not None and "median" in done.reason
    assert "TIME_BUCKET(INTERVAL '5' MINUTE, ts)" in done.sql
    assert done.sql == f"-- not rewritten: {done.reason}\n{naive(sql, 'duckdb')}"


# Errors


GONE = "\N{END OF TEXT}"  # where an error is expected at the end of the query


@pytest.mark.parametrize(
    ("sql", "at", "problem"),
    [
        ("", GONE, "expected a query"),
        ("\n  SELECT max(v) FROM t", "SELECT", "no window is found in it"),
        ("SELECT x,\n  'a FROM window(", "'a", "never closed"),
        ("SELECT max(v)\nFROM t GROUP BY time_bucket('1 hour', ts", "ts", "does not parse: Expecting )"),
        ("SELECT max(v)\nFROM t GROUP GROUP time_bucket('1 hour', ts)", "GROUP time", "does not parse"),
        ("SELECT 1; " + bucket("'1 hour', ts"), "SELECT 1", "expected one query, found 2"),
        ("CREATE VIEW v AS " + bucket("'1 hour', ts"), "v AS", "expected a SELECT"),
        (bucket("INTERVAL 'a while', ts"), "'a while'", "expected a duration"),
        (bucket("INTERVAL '0 minutes', ts"), "time_bucket", "longer than zero"),
        (bucket("width, ts"), "width", "expected a constant duration"),
        (bucket("'1 hour', ts, now()::TIMESTAMP"), "now()", "expected a constant timestamp"),
        (
            bucket("'1 hour', ts") + "\nUNION ALL SELECT 1, 2",
            "1, 2",
            "expected time_bucket(...) in this SELECT",
        ),
        ("SELECT *, max(v) FROM t GROUP BY time_bucket('1 hour', ts)", "*", "* cannot be grouped by"),
        (
            "SELECT\n v, max(v) AS m FROM t GROUP BY time_bucket('1 hour', ts) UNION ALL "
            + bucket("'2 hours', ts"),
            "v, max",
            "expected a column that is grouped by",
        ),
        ("SELECT time_bucket('1 hour', ts) AS s, max(v) AS m FROM t", "time_bucket", "there is none"),
        ("SELECT time_bucket('1 hour', ts) AS s FROM t GROUP BY v", "v", "expected the window itself"),
        ("SELECT time_bucket('1 hour', ts) AS s FROM t GROUP BY 7", "7", "expected a position from 1 to 1"),
        (series("ts"), "generate_series", "expected generate_series(time_bucket(slide, time - range)"),
        (
            series(FIRST.replace("+ INTERVAL '5", "+ INTERVAL '6")),
            "generate_series",
            "expected generate_series",
        ),
        (series(FIRST.replace("ts -", "tt -")), "generate_series", "expected generate_series"),
        (series(OTHER_FIRST.replace("10", "11")), "generate_series", "expected generate_series"),
        (series(FIRST, "FROM t LEFT JOIN {} AS w(start) ON v > 1"), "generate_series", "without a condition"),
        (series(FIRST, "FROM t, {}"), "generate_series", "expected a name for the starts"),
        (
            series(FIRST, "FROM (SELECT DISTINCT v, {} AS start FROM t)"),
            "generate_series",
            "expected a subquery",
        ),
        (spark("'5 minutes', '10 minutes'"), "window(", "slide is longer than their range"),
        (spark("'5 fortnights'"), "'5 fortnights'", "expected a duration"),
        (
            spark("'1', '2', '3', '4'"),
            "window(",
            "expected window(time, range), and possibly slide and start",
        ),
        (
            spark("'1 hour'") + " UNION ALL SELECT 1 FROM t",
            "1 FROM t",
            "expected window(...) in this SELECT, too",
        ),
        (
            "SELECT window(ts, '1 hour') AS a, window(ts, '2 hours') AS b FROM t GROUP BY 1, 2",
            "window(ts, '2",
            "expected the same window as window(ts, '1 hour')",
        ),
        (azure("Windows()"), "Windows()", "one or more windows"),
        (azure("TumblingWindow(fortnight, 1)"), "fortnight", "expected a unit"),
        (azure("TumblingWindow(minute, 1.5)"), "1.5", "expected a whole number"),
        (azure("TumblingWindow(minute)"), "TumblingWindow(", "expected a unit and duration"),
        (azure("TumblingWindow(Hop(minute, 1))"), "TumblingWindow(", "expected Duration(..)"),
        (
            azure("SlidingWindow(minute, 10)"),
            "SlidingWindow(",
            "expected TumblingWindow(...) or HoppingWindow(",
        ),
        (
            azure("TumblingWindow(minute, 1), HoppingWindow(minute, 2, 1)"),
            "max(v)",
            "in the GROUP BY, found 2",
        ),
        (azure("Windows(TumblingWindow(minute, 1))", "System.Window().Id AS i"), "System", "has no id"),
        (
            azure("Windows(Window(5, TumblingWindow(minute, 1)))"),
            "5,",
            "expected the id of the window, a string",
        ),
        (
            azure("TumblingWindow(minute, 1)").replace("TIMESTAMP BY ts", ""),
            "max(v)",
            "expected TIMESTAMP BY",
        ),
        (azure("TumblingWindow(minute, 1)").replace("BY ts", "BY", 1), "TIMESTAMP", "expected a column"),
        (
            azure("TumblingWindow(minute, 1)").replace("m FROM", "m INTO o FROM"),
            "o FROM",
            "INTO names an output",
        ),
        (FIGURE_1.replace("10)),", "10),"), "\n    )", "does not parse"),  # as W Fig 1(a) prints it
        (azure("HoppingWindow(minute, 5, 10)"), "max(v)", "Spark has no windows"),
    ],
)
def test_errors_point_at_the_place(sql: str, at: str, problem: str) -> None:
    with pytest.raises(SqlError) as caught:
        rewrite(sql, "spark")
    assert isinstance(caught.value, SwagError)
    message = str(caught.value)
    place = len(sql) if at is GONE else sql.index(at) + len(at) - len(at.lstrip())
    line, column = sql.count("\n", 0, place) + 1, place - sql.rfind("\n", 0, place)
    assert message.startswith(f"line {line}, column {column}, at "), message
    assert problem in message
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("dialect", ["flink", None, 3, ["spark"]])
def test_unknown_dialects(dialect: Any) -> None:
    with pytest.raises(UnknownName, match=r"dialect is .*; expected one of duckdb, spark"):
        rewrite(FIGURE_1, dialect)


def test_a_query_is_text() -> None:
    with pytest.raises(SwagError, match="sql is 3; expected the text of a query"):
        rewrite(3)  # type: ignore[arg-type]


def test_a_query_may_be_nested_too_deeply() -> None:
    with pytest.raises(SqlError, match="nested too deeply"):
        rewrite(bucket("'1 hour', " + "(" * 5000 + "ts" + ")" * 5000), "duckdb")


def test_without_sqlglot_one_sentence_says_so() -> None:
    script = (
        "import sys; sys.modules['sqlglot'] = None\n"
        "import swagcore as sw\n"
        "import swagcore.coverage\n"
        "try:\n    swagcore.coverage.rewrite\n"
        "except sw.SwagError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == 'sqlglot is not installed; run: pip install "swagcore[sql]"\n'


# What survives


def test_comments_survive() -> None:
    sql = """-- first
SELECT k, -- second
  System.Window().Id AS id, /* third */ max(v) AS m -- fourth
FROM t TIMESTAMP BY ts -- fifth
WHERE v > 0 /* sixth */
GROUP BY k, -- seventh
  Windows( /* eighth */ Window('a', TumblingWindow(minute, 5)) /* ninth */, Window('b', TumblingWindow(minute, 10)))
-- tenth"""
    for dialect in ("spark", "duckdb"):
        done = rewriting(sql, dialect)
        assert done.reason is None
        for text in (done.sql, done.naive):
            for word in [
                "first",
                "second",
                "third",
                "fourth",
                "fifth",
                "sixth",
                "seventh",
                "eighth",
                "ninth",
                "tenth",
            ]:
                assert text.count(word) == 1, (word, text)


duckdb = pytest.importorskip("duckdb")


@pytest.mark.parametrize(
    "sql",
    [
        # names of ours that the user has, too
        "SELECT time_bucket(INTERVAL '5 minutes', ts) AS window_start, window_start AS w, max(max_v) AS max_v, sum(count_all) AS c "
        "FROM window_5min GROUP BY 1, 2 UNION ALL "
        "SELECT time_bucket(INTERVAL '10 minutes', ts), window_start, max(max_v), sum(count_all) FROM window_5min GROUP BY 1, 2",
        # the user's own WITH, a join, two keys of one name
        "WITH big AS (SELECT * FROM t WHERE v > 1) "
        + " UNION ALL ".join(
            f"SELECT time_bucket(INTERVAL '{size} minutes', a.ts) AS s, a.k, b.k AS other, sum(a.v * b.v) AS p "
            "FROM big AS a JOIN big AS b ON a.g = b.g GROUP BY 1, a.k, b.k"
            for size in (5, 10, 15)
        ),
        # ORDER BY and LIMIT of the whole, and of one SELECT
        two("time_bucket(INTERVAL '5 minutes', ts) AS s, max(v) AS m", sizes=("5 minutes", "5 minutes"))
        + " ORDER BY s, m LIMIT 3",
        "(SELECT time_bucket(INTERVAL '5 minutes', ts) AS s, max(v) AS m FROM t GROUP BY 1 ORDER BY m DESC, s LIMIT 2) "
        "UNION ALL (SELECT time_bucket(INTERVAL '10 minutes', ts), max(v) FROM t GROUP BY 1)",
        # UNION, EXCEPT, DISTINCT
        two("DISTINCT max(v) AS m").replace("UNION ALL", "UNION"),
        two("max(v) AS m").replace("UNION ALL", "EXCEPT"),
        # names that DuckDB gives, an alias used again, keys that are expressions, an aggregate only in HAVING
        " UNION ALL ".join(
            f"SELECT time_bucket(INTERVAL '{size} minutes', ts) AS s, K, Max(V), count(*), sum(t.v) FROM t GROUP BY s, K"
            for size in (5, 10)
        ),
        " UNION ALL ".join(
            f"SELECT max(v) AS hi, hi * 2 AS twice, upper(k) || '!' AS loud, 'x' AS x FROM t "
            f"GROUP BY time_bucket(INTERVAL '{size} minutes', ts), upper(k) HAVING avg(v) > 1 AND hi > 2"
            for size in (5, 10)
        ),
        # a name that is a column, although the SELECT list calls something else so
        " UNION ALL ".join(
            f"SELECT time_bucket(INTERVAL '{size} minutes', ts) AS s, left(k, 0) AS k, count(*) AS n FROM t GROUP BY s, k"
            for size in (5, 10)
        ),
        # the same window twice, and a window that is written as hopping and is none
        two("max(v) AS m", sizes=("5 minutes", "5 minutes")),
        "SELECT start AS s, max(v) AS m FROM t, unnest(generate_series(time_bucket(INTERVAL '5 minutes', ts - INTERVAL '5 minutes') "
        "+ INTERVAL '5 minutes', time_bucket(INTERVAL '5 minutes', ts), INTERVAL '5 minutes')) AS w(start) GROUP BY 1 UNION ALL "
        "SELECT time_bucket(INTERVAL '5 minutes', ts), max(v) FROM t GROUP BY 1",
        # what an aggregate becomes must keep its parentheses
        two("9 / avg(v) AS a, -avg(v) AS b, 7 - sum(v) / count(v) AS c"),
        # FILTER, count(), mean, a list to compare with, names of functions and columns in any case
        two(
            "sum(v) FILTER (WHERE v > 3) AS a, avg(v) FILTER (WHERE g = 1) AS b, count() AS c, mean(v) AS d, "
            "max(v) = ANY([5, 10]) AS e"
        ),
        two("even(g) AS e, T.k, sum(t.V) AS s", ", Even(G), K"),
        # positions, the last one too; a key twice; GROUP BY ALL
        " UNION ALL ".join(
            f"SELECT k, max(v) AS m, time_bucket(INTERVAL '{size} minutes', ts) AS s FROM t GROUP BY k, 3, 1"
            for size in (5, 10)
        ),
        " UNION ALL ".join(
            f"SELECT k, max(v) AS m, time_bucket(INTERVAL '{size} minutes', ts) AS s FROM t GROUP BY ALL"
            for size in (5, 10)
        ),
        # offsets that differ, buckets that are counted from 2000, a WITH before one SELECT, subqueries in parentheses
        " UNION ALL ".join(
            f"SELECT time_bucket(INTERVAL '{size} minutes', ts, INTERVAL '{offset} minutes') AS s, max(v) AS m, "
            "sum(v) AS t FROM t GROUP BY 1"
            for size, offset in ((11, 3), (22, 14), (44, 3))
        ),
        "WITH big AS (SELECT * FROM t WHERE v > 1) "
        + series(FIRST, "FROM big, {} AS w(start)", "start, min(v) AS n"),
        series(
            FIRST,
            "FROM (SELECT *, {} AS start FROM t WHERE v > 2) AS q WHERE q.g > 1",
            "q.start, count(*) AS n",
        ),
        series(FIRST, "FROM t, {} AS w(start)").replace("unnest(", "(", 1),
        # no key and no aggregate
        two("'five' AS label"),
        # a quoted name, a struct, a time that is an expression
        two('max("V") AS "a ""name""", min(k) AS "select"'),
        two("max(v) AS m").replace(", ts)", ", ts + INTERVAL '1 day')"),
        two("max(v) AS m").replace(", ts)", ", ts::TIMESTAMPTZ)"),
    ],
)
def test_on_duckdb(sql: str) -> None:
    with duckdb.connect() as db:
        db.execute("SET threads = 1; SET timezone = 'America/New_York'")
        db.execute(
            "CREATE TABLE t AS SELECT TIMESTAMP '2024-03-10 01:00:00' + to_seconds(97 * i) AS ts, "
            "['a', 'b', NULL][1 + i % 3] AS k, i % 4 AS g, (i * 7) % 11 AS v FROM range(60) AS r(i)"
        )
        db.execute("INSERT INTO t VALUES (NULL, 'a', 1, 5), (NULL, NULL, 2, NULL)")
        db.execute(
            "CREATE TABLE window_5min AS SELECT ts, g AS window_start, v AS max_v, v AS count_all FROM t"
        )
        done = rewriting(sql, "duckdb")
        assert done.reason is None
        body = done.sql[done.sql.rindex("\n)\n") :]
        assert "TIME_BUCKET" not in body, "the SELECTs read windows"
        ours, theirs = db.sql(done.sql), db.sql(sql)
        assert (ours.columns, ours.types) == (theirs.columns, theirs.types)
        key = lambda row: [str(value) for value in row]
        assert sorted(ours.fetchall(), key=key) == sorted(theirs.fetchall(), key=key)
        assert theirs.fetchall()
