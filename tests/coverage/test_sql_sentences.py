"""What is said of queries that are refused or come back as they are: the whole sentence, with its place."""

from __future__ import annotations

import pytest

pytest.importorskip("sqlglot")

from swagcore.coverage.sql import rewrite, rewriting
from swagcore.coverage.sql_text import SqlError

CONSTANT = "expected a constant duration, such as INTERVAL '5 minutes'"
SERIES = (
    "expected generate_series(time_bucket(slide, time - range) + slide, time_bucket(slide, time), slide), "
    "or time_bucket(slide, time) - (range - slide) as its first"
)
STARTS = "generate_series(time_bucket('5 min', ts - '15 min') + '5 min', time_bucket('5 min', ts), '5 min')"


def bucket(arguments: str, aggregate: str = "max(v)") -> str:
    return f"SELECT {aggregate} AS m FROM t GROUP BY time_bucket({arguments})"


def azure(windows: str, rest: str = "FROM t TIMESTAMP BY ts") -> str:
    return f"SELECT max(v) AS m {rest} GROUP BY {windows}"


def series(
    source: str = "FROM t, unnest({}) AS w(start)",
    select: str = "start",
    first: str = "time_bucket('5 min', ts - '15 min') + '5 min'",
    last: str = "time_bucket('5 min', ts)",
    step: str = ", '5 min'",
) -> str:
    starts = f"generate_series({first}, {last}{step})"
    return f"SELECT {select}, max(v) AS m {source} GROUP BY 1".replace("{}", starts)


def at(sql: str, shown: str, problem: str) -> str:
    """The sentence for a place on the first line."""
    cut = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return f'line 1, column {sql.index(shown) + 1}, at "{cut}": {problem}'


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [(4, None, "def ghi"), (4, 7, "def"), (4, 8, "def"), (3, 6, "de"), (0, 11, "abc def ghi")],
)
def test_what_is_shown(start: int, end: int | None, shown: str) -> None:
    assert str(SqlError("abc def\nghi", start, "no", end)) == f'line 1, column {start + 1}, at "{shown}": no'


def test_what_is_long_is_cut_at_sixty_characters() -> None:
    assert str(SqlError("x" * 60, 0, "no")) == f'line 1, column 1, at "{"x" * 60}": no'
    assert str(SqlError("x" * 61, 0, "no")) == f'line 1, column 1, at "{"x" * 57}...": no'
    for size, shown in ((60, f"median({'v' * 52})"), (61, f"median({'v' * 50}...")):
        done = rewriting(bucket("'1 hour', ts", f"median({'v' * (size - 8)})"), "duckdb")
        assert done.reason == f"{shown} cannot be put together from smaller windows"


@pytest.mark.parametrize(
    ("sql", "shown", "problem"),
    [
        # Text
        ("SELECT 'a \"b", "'a \"b", "a quote or a comment that is never closed"),
        ("SELECT 'a' /* time_bucket('", "/* time_bucket('", "a quote or a comment that is never closed"),
        ("SELECT {# 1", "{# 1", "a quote or a comment that is never closed"),
        (
            "SELECT time_bucket(1, 2) + FROM t",
            "FROM t",
            "it does not parse: Required keyword: 'expression' missing for <class 'sqlglot.expressions.core.Add'>",
        ),
        (bucket("'1 hour', ts") + " ]", "]", "it does not parse: Invalid expression / Unexpected token"),
        (
            bucket("'1 hour', ts", 'max(CAST(v AS "INT("))'),
            bucket("'1 hour', ts", 'max(CAST(v AS "INT("))'),
            "it does not parse: No expression was parsed from 'INT('",
        ),
        ("SHOW time_bucket(1)", "SHOW time_bucket(1)", "expected a SELECT, or several in a UNION ALL"),
        (
            "VALUES (time_bucket('1 hour', ts))",
            "time_bucket('1 hour', ts)",
            "expected a SELECT, or several in a UNION ALL",
        ),
        # Durations
        (bucket("5, ts"), "5", CONSTANT),
        (bucket("f(5), ts"), "f(5)", CONSTANT),
        (bucket("to_minutes(5, 6), ts"), "to_minutes(5, 6)", CONSTANT),
        (bucket("to_minutes(v), ts"), "to_minutes(v)", CONSTANT),
        (bucket("'5 minutes'::VARCHAR, ts"), "time_bucket('5 minutes'::VARCHAR, ts)", CONSTANT),
        (bucket("INTERVAL (n) MINUTE, ts"), "n", CONSTANT),
        (
            bucket("INTERVAL -5 MINUTE, ts"),
            "time_bucket(INTERVAL -5 MINUTE, ts)",
            "expected durations longer than zero",
        ),
        (
            bucket("'1 week 1 day', ts"),
            "'1 week 1 day'",
            "duration is '1 week 1 day'; expected a duration such as \"5 minutes\", \"90 s\" or \"1 h 30 min\"; "
            "its units are us, ms, s, min, h and d",
        ),
        (bucket("'1 hour', ts, TIMESTAMP 'noon'"), "'noon'", "expected a constant timestamp, or an INTERVAL"),
        # GROUP BY and the SELECT list
        (
            "SELECT time_bucket('1 h', ts) AS s FROM t GROUP BY true",
            "time_bucket('1 h', ts) AS s FROM t GROUP BY true",
            "expected the window itself among what is grouped by",
        ),
        ("SELECT time_bucket('1 h', ts), k FROM t GROUP BY 0", "0", "expected a position from 1 to 2"),
        ("SELECT time_bucket('1 h', ts), k FROM t GROUP BY 3", "3", "expected a position from 1 to 2"),
        ("SELECT time_bucket('1 h', ts), k FROM t GROUP BY 1.5", "1.5", "expected a position from 1 to 2"),
        (
            bucket("'1 h', ts").replace("FROM t ", ""),
            "max(v) AS m GROUP BY time_bucket('1 h', ts)",
            "it has no FROM",
        ),
        (
            "SELECT t.*, max(v) AS m FROM t GROUP BY time_bucket('1 h', ts)",
            "t.*",
            "expected the names of columns, since * cannot be grouped by",
        ),
        (
            "SELECT time_bucket('1 h', ts) AS a, time_bucket('2 h', ts) AS b FROM t GROUP BY 1, 2",
            "time_bucket('2 h', ts)",
            "expected the same window as time_bucket('1 h', ts): one SELECT has one window",
        ),
        # Spark
        (
            "SELECT 1 FROM t GROUP BY window()",
            "window",
            "expected window(time, range), and possibly slide and start",
        ),
        (
            "SELECT 1 FROM t GROUP BY window(ts)",
            "window(ts)",
            "expected window(time, range), and possibly slide and start",
        ),
        (
            "SELECT window(ts, '1 h') AS a, window(ts, '2 h') AS b FROM t GROUP BY 1, 2",
            "window(ts, '2 h')",
            "expected the same window as window(ts, '1 h'): one SELECT has one window",
        ),
        # Azure
        (
            azure("HoppingWindow(minute, 0, 5)"),
            "HoppingWindow(minute, 0, 5)",
            "expected durations longer than zero",
        ),
        (
            azure("HoppingWindow(minute, 5, 0)"),
            "HoppingWindow(minute, 5, 0)",
            "expected durations longer than zero",
        ),
        (
            azure("TumblingWindow(minute, 5, 1, 9)"),
            "TumblingWindow(minute, 5, 1, 9)",
            "expected a unit and duration, both whole numbers",
        ),
        (
            azure("HoppingWindow(minute, 5)"),
            "HoppingWindow(minute, 5)",
            "expected a unit and duration and hop, both whole numbers",
        ),
        (
            azure("TumblingWindow(Duration(minute, 5), 3)"),
            "3",
            "expected Duration, Hop or Offset of a unit and a whole number",
        ),
        (
            azure("TumblingWindow(Duration(minute))"),
            "Duration(minute)",
            "expected Duration, Hop or Offset of a unit and a whole number",
        ),
        (
            "SELECT TumblingWindow(minute, 5) AS w FROM t TIMESTAMP BY",
            "TIMESTAMP BY",
            "expected a column after TIMESTAMP BY",
        ),
        (
            "SELECT TumblingWindow(minute, 5) AS w FROM t TIMESTAMP BY ts",
            "TumblingWindow(minute, 5) AS w FROM t",
            "expected one Windows(...) in the GROUP BY, found 0",
        ),
        (
            azure("Hopping(minute, 5, 1) ORDER BY m"),
            "max(v) AS m FROM t TIMESTAMP BY ts GROUP BY Hopping(minute, 5, 1) ORDER BY m",
            "Azure Stream Analytics has no ORDER BY and no TOP; leave it out",
        ),
        (
            azure("Hopping(minute, 5, 1)").replace("SELECT", "SELECT TOP 3"),
            "3 max(v) AS m FROM t TIMESTAMP BY ts GROUP BY Hopping(minute, 5, 1)",
            "Azure Stream Analytics has no ORDER BY and no TOP; leave it out",
        ),
        (
            azure("Tumbling(minute, 5)") + " UNION " + azure("Tumbling(minute, 9)"),
            "max(v) AS m FROM t TIMESTAMP BY ts GROUP BY Tumbling(minute, 5)",
            "expected UNION ALL between SELECTs with Windows(...)",
        ),
        (
            azure("Tumbling(minute, 5)") + " EXCEPT " + azure("Tumbling(minute, 9)"),
            "max(v) AS m FROM t TIMESTAMP BY ts GROUP BY Tumbling(minute, 5)",
            "expected UNION ALL between SELECTs with Windows(...)",
        ),
        # A series of starts
        *(
            (series(first=first), f"generate_series({first}, time_bucket('5 min', ts), '5 min')", SERIES)
            for first in (
                "ts",
                "ts - '5 min'",
                "time_bucket('6 min', ts) - '6 min'",
                "time_bucket('5 min', ts, INTERVAL '1 min') - '5 min'",
                "time_bucket('5 min', ts) - '6 min'",
                "time_bucket('5 min', tt) - '5 min'",
                "time_bucket('5 min', ts) + '5 min'",
                "time_bucket('5 min', ts - '15 min') - '5 min'",
                "time_bucket('5 min', ts - '15 min') + '10 min'",
                "time_bucket('5 min', tt - '15 min') + '5 min'",
            )
        ),
        (series(last="ts"), STARTS.replace("time_bucket('5 min', ts),", "ts,"), SERIES),
        (series(step=""), STARTS.replace(", '5 min')", ")"), SERIES),
        (series(step=", '6 min'"), STARTS.replace("'5 min')", "'6 min')"), SERIES),
        (series().replace("generate_series", "range"), STARTS.replace("generate_series", "range"), SERIES),
        (series("FROM t, unnest({}) AS w"), STARTS, "expected a name for the starts, as in unnest(...) AS w(start)"),
        (series("FROM t, unnest({}) AS w(start, b)"), STARTS, "expected a name for the starts, as in unnest(...) AS w(start)"),
        (series("FROM t, unnest(list_reverse({})) AS w(start)"), STARTS, "expected a name for the starts, as in unnest(...) AS w(start)"),
        (series("FROM t", "unnest({})"), STARTS, "expected unnest(generate_series(...)) AS a name"),
        (series("FROM t", "date_trunc('hour', unnest({})) AS start"), STARTS, "expected unnest(generate_series(...)) AS a name"),
        (series("FROM (SELECT *, unnest({}) FROM t)"), STARTS, "expected unnest(generate_series(...)) AS a name"),
        *(
            (series(f"FROM t, LATERAL (SELECT {inner}) AS w"), STARTS, "expected LATERAL (SELECT unnest(generate_series(...)) AS a name)")
            for inner in (
                "unnest({})",
                "unnest({}) AS start, 1 AS one",
                "unnest({}) AS start WHERE v > 1",
                "unnest({}) AS start LIMIT 1",
                "date_trunc('hour', unnest({})) AS start",
                "start FROM (SELECT unnest({}) AS start)",
            )
        ),
        *(
            (series(f"FROM t {join}"), STARTS, "expected the starts to be joined without a condition")
            for join in (
                "JOIN unnest({}) AS w(start) ON v > 1",
                "LEFT JOIN unnest({}) AS w(start) ON true",
                "JOIN unnest({}) AS w(start) USING (v)",
                "JOIN u ON v IN (SELECT unnest({}) AS start)",
            )
        ),
        *(
            (
                series(f"FROM (SELECT {inner})"),
                STARTS,
                "expected a subquery of the form (SELECT *, unnest(...) AS start FROM ... WHERE ...)",
            )
            for inner in (
                "*, v + 1 AS u, unnest({}) AS start FROM t",
                "* REPLACE (v + 1 AS v), unnest({}) AS start FROM t",
                "t.* EXCLUDE (k), unnest({}) AS start FROM t",
                "*, unnest({}) AS start FROM t LIMIT 3",
            )
        ),
        *(
            (
                series(source, select),
                STARTS,
                "expected it in the SELECT itself, in a join, or in a subquery that is read alone",
            )
            for source, select in (
                ("FROM (SELECT *, unnest({}) AS start FROM t) AS q, u", "start"),
                ("FROM (SELECT * FROM (SELECT *, unnest({}) AS start FROM t) WHERE v > 3)", "start"),
                ("FROM u", "(SELECT unnest({}) AS start FROM t) AS start"),
            )
        ),
        (
            series("FROM t, unnest({}) AS w(start), unnest(generate_series(ts, ts, INTERVAL '1 h')) AS x(b)"),
            "generate_series(ts, ts, INTERVAL '1 h')",
            "expected one series of window starts in a SELECT",
        ),
    ],
)  # fmt: skip
def test_refusals(sql: str, shown: str, problem: str) -> None:
    with pytest.raises(SqlError) as caught:
        rewrite(sql, "duckdb")
    assert str(caught.value) == at(sql, shown, problem)


def test_lines_are_counted_by_their_ends_alone() -> None:
    sql = "SELECT '\u2028\x0c',\r\n 1\nFROM t GROUP GROUP time_bucket('1 h', ts)"
    with pytest.raises(SqlError) as caught:
        rewrite(sql, "duckdb")
    assert str(caught.value) == (
        "line 3, column 14, at \"GROUP time_bucket('1 h', ts)\": it does not parse: Invalid expression / Unexpected token"
    )


HOUR, TWO_HOURS = "time_bucket('1 h', ts)", "time_bucket('2 h', ts)"


@pytest.mark.parametrize(
    ("select", "tail", "reason"),
    [
        ("abs(median(v + pi())) AS m", "", "median(v + pi()) cannot be put together from smaller windows"),
        ("abs(median((v))) AS m", "", "median((v)) cannot be put together from smaller windows"),
        ("mean() AS m", "", "mean cannot be put together from smaller windows"),
        ("mean(v, g) AS m", "", "mean(v, g) cannot be put together from smaller windows"),
        ("sum(v IGNORE NULLS) AS m", "", "sum(v IGNORE NULLS) cannot be put together from smaller windows"),
        ("sum(v RESPECT NULLS) FILTER (WHERE v > 1) AS m", "", "sum(v RESPECT NULLS) FILTER (WHERE v > 1) depends on the order of its rows"),
        ("sum(v ORDER BY g) AS m", "", "sum(v ORDER BY g) depends on the order of its rows"),
        ("avg(DISTINCT v) AS m", "", "avg(DISTINCT v) cannot be put together from smaller windows, because it is DISTINCT"),
        ("max(time_bucket('1 h', ts)) AS m", "", "max(time_bucket('1 h', ts)) is an aggregate of the window itself"),
        ("max(v) AS m", f", {HOUR} + v", "it groups by the window and a column in one expression"),
        ("max(v) AS m", " WITH TOTALS", "it groups by ROLLUP"),
        ("max(v) AS m", " ORDER BY g LIMIT 1", "a SELECT over a window is ordered by something that is no column of its result"),
        ("max(v) AS m", " ORDER BY max(v) LIMIT 1", "a SELECT over a window is ordered by something that is no column of its result"),
        ("count(v, g)", "", "count(v, g) has no name; write AS and a name after it"),
        ("max(\"v\")", "", "max(\"v\") has no name; write AS and a name after it"),
        ("abs(v + 1) AS m", "", "abs(v + 1) is neither grouped by nor an aggregate that smaller windows can give"),
        ("max(uuid()) AS m", "", "it is random: it calls uuid"),
        ("max(v) AS m, k", ", k, shuffle(k)", "it is random: it calls shuffle"),
    ],
)  # fmt: skip
def test_reasons(select: str, tail: str, reason: str) -> None:
    sql = f"(SELECT {select} FROM t GROUP BY {HOUR}{tail}) UNION ALL (SELECT {select} FROM t GROUP BY {HOUR}{tail})"
    assert rewriting(sql, "duckdb").reason == reason


@pytest.mark.parametrize(
    "size", ["1 quarter", "2 years", "3 decades", "2 centuries", "1 millennium", "5 mons"]
)
def test_no_fixed_length(size: str) -> None:
    assert rewriting(bucket(f"'{size}', ts"), "duckdb").reason == f"{size} is no fixed length of time"


def test_another_dialect_is_not_written_where_the_query_is_not_read() -> None:
    with pytest.raises(SqlError) as caught:
        rewrite(bucket("'1 month', ts"), "spark")
    assert str(caught.value) == (
        "line 1, column 1, at \"SELECT max(v) AS m FROM t GROUP BY time_bucket('1 month',...\": "
        "it cannot be written for spark, because 1 month is no fixed length of time"
    )


def test_each_select_has_its_own_time() -> None:
    sql = " UNION ALL ".join(
        azure("TumblingWindow(minute, 5)", f"FROM t TIMESTAMP BY {time}") for time in ("a", "b")
    )
    assert rewriting(sql, "duckdb").reason == "SELECT 2 does not take its time from a"
