"""Small queries and the whole text that they become, for Spark and for DuckDB; white space apart."""

from __future__ import annotations

import pytest

pytest.importorskip("sqlglot")

import swagcore as sw
from swagcore.coverage.sql import naive, rewrite, rewriting
from swagcore.coverage.sql_emit import phrase

NOTE = "-- Windows are [start, end) here; Azure Stream Analytics takes (start, end]."


def flat(text: str) -> str:
    return " ".join(text.split())


AZURE = (
    "SELECT k, System.Window().Id, System.Timestamp() AS stop, avg(v) AS a FROM t TIMESTAMP BY ts WHERE v > 0 "
    "GROUP BY k, Windows(Window('ten', TumblingWindow(minute, 10)), Window('hop', HoppingWindow(minute, 20, 5)))"
)
DECIMALS = """SELECT {0}.start, {0}.end AS e, avg(CAST(d AS DECIMAL(5, 2))) AS a, sum(CAST(d AS DECIMAL(29, 1))) AS b,
avg(CAST(c AS DECIMAL(36, 35))) AS c, avg(CAST(c AS DECIMAL)) AS f FROM t
GROUP BY window(ts, '5 minutes', '5 minutes', '1 minute') UNION ALL
SELECT {0}.start, {0}.end, avg(CAST(d AS DECIMAL(5, 2))), sum(CAST(d AS DECIMAL(29, 1))), avg(CAST(c AS DECIMAL(36, 35))),
avg(CAST(c AS DECIMAL)) FROM t GROUP BY window(ts, '10 minutes', '5 minutes', '1 minute')
ORDER BY 1 LIMIT 5""".format("window")
OVERLAPPING = (
    "SELECT min(v) AS m FROM t GROUP BY window(ts, '10 minutes', '5 minutes') UNION ALL "
    "SELECT min(v) FROM t GROUP BY window(ts, '20 minutes', '5 minutes')"
)
JOINED = (
    "SELECT window.start AS s, a.k, b.k AS other, sum(a.v * b.v) AS p FROM t AS a JOIN t AS b ON a.g = b.g "
    "GROUP BY window(a.ts, '10 minutes', '5 minutes'), a.k, b.k"
)
COMMENTED = """-- head
SELECT /*+ BROADCAST(t) */ window.start /* when */ AS s, max(v) /* high */ AS m FROM t WHERE v > 0 /* positive */
GROUP BY window(ts, '7 milliseconds')
UNION ALL (SELECT window.start, max(v) FROM t WHERE v > 0 GROUP BY window(ts, '11 milliseconds') /* v */)
-- between
UNION ALL SELECT /*+ COALESCE(3) */ window.start, max(v) FROM t WHERE v > 0 GROUP BY window(ts, '22 milliseconds')"""
STARTS = (
    "unnest(generate_series(time_bucket('5 minutes', ts - '15 minutes') + '5 minutes', "
    "time_bucket('5 minutes', ts), '5 minutes'))"
)
KEYS = (
    "SELECT K, \"the key\", even(g), sum(v), sum(V) AS again, avg(v) AS a, count(*), 'x' FROM t "
    "GROUP BY time_bucket(INTERVAL '5 minutes', ts), k, t.k, \"the key\", 'y', even(g) UNION ALL "
    "SELECT k, \"the key\", even(g), sum(v), sum(v), avg(v), count(*), 'x' FROM t "
    "GROUP BY time_bucket(INTERVAL '10 minutes', ts), even(g), \"the key\", k"
)


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        (
            AZURE,
            "duckdb",
            f"""{NOTE}
            WITH factor_5min AS MATERIALIZED (
              /* 5 minutes, a factor window that nobody asked for: from the stream */
              SELECT TIME_BUCKET(INTERVAL '5' MINUTE, ts) AS window_start, k, SUM(v) AS sum_v, COUNT(v) AS count_v
              FROM t WHERE v > 0 AND NOT ts IS NULL GROUP BY 1, 2
            ), window_10min AS MATERIALIZED (
              /* 10 minutes: from factor_5min */
              SELECT TIME_BUCKET(INTERVAL '10' MINUTE, window_start) AS window_start, k, SUM(sum_v) AS sum_v,
              CAST(SUM(count_v) AS BIGINT) AS count_v FROM factor_5min GROUP BY 1, 2
            ), window_20min_every_5min AS MATERIALIZED (
              /* 20 minutes every 5 minutes: from factor_5min */
              SELECT UNNEST( GENERATE_SERIES(
                TIME_BUCKET(INTERVAL '5' MINUTE, window_start - INTERVAL '20' MINUTE) + INTERVAL '5' MINUTE,
                TIME_BUCKET(INTERVAL '5' MINUTE, window_start), INTERVAL '5' MINUTE
              ) ) AS window_start, k, SUM(sum_v) AS sum_v, CAST(SUM(count_v) AS BIGINT) AS count_v
              FROM factor_5min GROUP BY 1, 2
            )
            SELECT k, 'ten' AS Id, window_start + INTERVAL '10' MINUTE AS stop, sum_v / NULLIF(count_v, 0) AS a
            FROM window_10min UNION ALL
            SELECT k, 'hop' AS Id, window_start + INTERVAL '20' MINUTE AS stop, sum_v / NULLIF(count_v, 0) AS a
            FROM window_20min_every_5min""",
        ),
        (
            AZURE,
            "spark",
            f"""{NOTE}
            WITH factor_5min AS (
              /* 5 minutes, a factor window that nobody asked for: from the stream */
              SELECT WINDOW(ts, '5 minutes') AS win, k, SUM(v) AS sum_v, COUNT(v) AS count_v
              FROM t WHERE v > 0 GROUP BY 1, 2
            ), window_10min AS (
              /* 10 minutes: from factor_5min */
              SELECT WINDOW(win.start, '10 minutes') AS win, k, SUM(sum_v) AS sum_v,
              CAST(SUM(count_v) AS BIGINT) AS count_v FROM factor_5min GROUP BY 1, 2
            ), window_20min_every_5min AS (
              /* 20 minutes every 5 minutes: from factor_5min */
              SELECT WINDOW(win.start, '20 minutes', '5 minutes') AS win, k, SUM(sum_v) AS sum_v,
              CAST(SUM(count_v) AS BIGINT) AS count_v FROM factor_5min GROUP BY 1, 2
            )
            SELECT k, 'ten' AS Id, win.end AS stop, sum_v / NULLIF(count_v, 0) AS a FROM window_10min UNION ALL
            SELECT k, 'hop' AS Id, win.end AS stop, sum_v / NULLIF(count_v, 0) AS a FROM window_20min_every_5min""",
        ),
        (  # the types of Spark's sums and averages: ten digits more, and four; no more than 38
            DECIMALS,
            "spark",
            """
            WITH window_5min_from_1min AS (
              /* 5 minutes from 1 minute on: from the stream */
              SELECT WINDOW(ts, '5 minutes', '5 minutes', '1 minute') AS win, SUM(CAST(d AS DECIMAL(5, 2))) AS sum,
              COUNT(CAST(d AS DECIMAL(5, 2))) AS count, SUM(CAST(d AS DECIMAL(29, 1))) AS sum_2,
              SUM(CAST(c AS DECIMAL(36, 35))) AS sum_3, COUNT(CAST(c AS DECIMAL(36, 35))) AS count_2,
              SUM(CAST(c AS DECIMAL)) AS sum_4, COUNT(CAST(c AS DECIMAL)) AS count_3 FROM t GROUP BY 1
            ), window_10min_every_5min_from_1min AS (
              /* 10 minutes every 5 minutes from 1 minute on: from window_5min_from_1min */
              SELECT WINDOW(win.start, '10 minutes', '5 minutes', '1 minute') AS win,
              CAST(SUM(sum) AS DECIMAL(15, 2)) AS sum, CAST(SUM(count) AS BIGINT) AS count,
              CAST(SUM(sum_2) AS DECIMAL(38, 1)) AS sum_2, CAST(SUM(sum_3) AS DECIMAL(38, 35)) AS sum_3,
              CAST(SUM(count_2) AS BIGINT) AS count_2, CAST(SUM(sum_4) AS DECIMAL(20, 0)) AS sum_4,
              CAST(SUM(count_3) AS BIGINT) AS count_3 FROM window_5min_from_1min GROUP BY 1
            )
            SELECT win.start AS start, win.end AS e,
            CAST(sum / CAST(NULLIF(count, 0) AS DECIMAL(20, 0)) AS DECIMAL(9, 6)) AS a, sum_2 AS b,
            CAST(sum_3 / CAST(NULLIF(count_2, 0) AS DECIMAL(20, 0)) AS DECIMAL(38, 38)) AS c,
            CAST(sum_4 / CAST(NULLIF(count_3, 0) AS DECIMAL(20, 0)) AS DECIMAL(14, 4)) AS f
            FROM window_5min_from_1min UNION ALL
            SELECT win.start AS start, win.end AS end,
            CAST(sum / CAST(NULLIF(count, 0) AS DECIMAL(20, 0)) AS DECIMAL(9, 6)), sum_2,
            CAST(sum_3 / CAST(NULLIF(count_2, 0) AS DECIMAL(20, 0)) AS DECIMAL(38, 38)),
            CAST(sum_4 / CAST(NULLIF(count_3, 0) AS DECIMAL(20, 0)) AS DECIMAL(14, 4))
            FROM window_10min_every_5min_from_1min ORDER BY 1 LIMIT 5""",
        ),
        (  # DuckDB has one type for the sums of all decimals
            DECIMALS.replace(", avg(CAST(c AS DECIMAL)) AS f", "").replace(
                ",\navg(CAST(c AS DECIMAL)) FROM", "\nFROM"
            ),
            "duckdb",
            """
            WITH window_5min_from_1min AS MATERIALIZED (
              /* 5 minutes from 1 minute on: from the stream */
              SELECT TIME_BUCKET(INTERVAL '5' MINUTE, ts, INTERVAL '1' MINUTE) AS window_start,
              SUM(TRY_CAST(d AS DECIMAL(5, 2))) AS sum, COUNT(TRY_CAST(d AS DECIMAL(5, 2))) AS count,
              SUM(TRY_CAST(d AS DECIMAL(29, 1))) AS sum_2, SUM(TRY_CAST(c AS DECIMAL(36, 35))) AS sum_3,
              COUNT(TRY_CAST(c AS DECIMAL(36, 35))) AS count_2 FROM t WHERE NOT ts IS NULL GROUP BY 1
            ), window_10min_every_5min_from_1min AS MATERIALIZED (
              /* 10 minutes every 5 minutes from 1 minute on: from window_5min_from_1min */
              SELECT UNNEST( GENERATE_SERIES(
                TIME_BUCKET(INTERVAL '5' MINUTE, window_start - INTERVAL '10' MINUTE, INTERVAL '1' MINUTE)
                + INTERVAL '5' MINUTE,
                TIME_BUCKET(INTERVAL '5' MINUTE, window_start, INTERVAL '1' MINUTE), INTERVAL '5' MINUTE
              ) ) AS window_start, SUM(sum) AS sum, CAST(SUM(count) AS BIGINT) AS count, SUM(sum_2) AS sum_2,
              SUM(sum_3) AS sum_3, CAST(SUM(count_2) AS BIGINT) AS count_2 FROM window_5min_from_1min GROUP BY 1
            )
            SELECT window_start AS start, window_start + INTERVAL '5' MINUTE AS e, sum / NULLIF(count, 0) AS a,
            sum_2 AS b, sum_3 / NULLIF(count_2, 0) AS c FROM window_5min_from_1min UNION ALL
            SELECT window_start AS start, window_start + INTERVAL '10' MINUTE AS "end", sum / NULLIF(count, 0),
            sum_2, sum_3 / NULLIF(count_2, 0) FROM window_10min_every_5min_from_1min
            ORDER BY 1 NULLS FIRST LIMIT 5""",
        ),
        (  # a part that begins in the window need not end in it
            OVERLAPPING,
            "spark",
            """
            WITH factor_5min AS (
              /* 5 minutes, a factor window that nobody asked for: from the stream */
              SELECT WINDOW(ts, '5 minutes') AS win, MIN(v) AS min_v FROM t GROUP BY 1
            ), window_10min_every_5min AS (
              /* 10 minutes every 5 minutes: from factor_5min */
              SELECT WINDOW(win.start, '10 minutes', '5 minutes') AS win, MIN(min_v) AS min_v FROM factor_5min GROUP BY 1
            ), window_20min_every_5min AS (
              /* 20 minutes every 5 minutes: from window_10min_every_5min */
              SELECT whole AS win, MIN(min_v) AS min_v
              FROM ( SELECT *, WINDOW(win.start, '20 minutes', '5 minutes') AS whole FROM window_10min_every_5min ) AS parts
              WHERE win.end <= whole.end GROUP BY 1
            )
            SELECT min_v AS m FROM window_10min_every_5min UNION ALL SELECT min_v FROM window_20min_every_5min""",
        ),
        (  # a part of [p, p + 10) is in the windows that begin after p - 15, and not after p
            OVERLAPPING,
            "duckdb",
            """
            WITH factor_5min AS MATERIALIZED (
              /* 5 minutes, a factor window that nobody asked for: from the stream */
              SELECT TIME_BUCKET(INTERVAL '5' MINUTE, ts) AS window_start, MIN(v) AS min_v FROM t
              WHERE NOT ts IS NULL GROUP BY 1
            ), window_10min_every_5min AS MATERIALIZED (
              /* 10 minutes every 5 minutes: from factor_5min */
              SELECT UNNEST( GENERATE_SERIES(
                TIME_BUCKET(INTERVAL '5' MINUTE, window_start - INTERVAL '10' MINUTE) + INTERVAL '5' MINUTE,
                TIME_BUCKET(INTERVAL '5' MINUTE, window_start), INTERVAL '5' MINUTE
              ) ) AS window_start, MIN(min_v) AS min_v FROM factor_5min GROUP BY 1
            ), window_20min_every_5min AS MATERIALIZED (
              /* 20 minutes every 5 minutes: from window_10min_every_5min */
              SELECT UNNEST( GENERATE_SERIES(
                TIME_BUCKET(INTERVAL '5' MINUTE, window_start - INTERVAL '15' MINUTE) + INTERVAL '5' MINUTE,
                TIME_BUCKET(INTERVAL '5' MINUTE, window_start), INTERVAL '5' MINUTE
              ) ) AS window_start, MIN(min_v) AS min_v FROM window_10min_every_5min GROUP BY 1
            )
            SELECT min_v AS m FROM window_10min_every_5min UNION ALL SELECT min_v FROM window_20min_every_5min""",
        ),
        (  # two keys of one name
            JOINED,
            "spark",
            """
            WITH factor_5min AS (
              /* 5 minutes, a factor window that nobody asked for: from the stream */
              SELECT WINDOW(a.ts, '5 minutes') AS win, a.k AS k_2, b.k AS k_3, SUM(a.v * b.v) AS sum
              FROM t AS a JOIN t AS b ON a.g = b.g GROUP BY 1, 2, 3
            ), window_10min_every_5min AS (
              /* 10 minutes every 5 minutes: from factor_5min */
              SELECT WINDOW(win.start, '10 minutes', '5 minutes') AS win, k_2, k_3, SUM(sum) AS sum
              FROM factor_5min GROUP BY 1, 2, 3
            )
            SELECT win.start AS s, k_2 AS k, k_3 AS other, sum AS p FROM window_10min_every_5min""",
        ),
        (  # comments stand where they stood, once; the hint is of what reads the stream
            COMMENTED,
            "spark",
            """
            -- v
            -- COALESCE(3)
            WITH window_7ms AS (
              /* 7 milliseconds: from the stream */
              SELECT /*+ BROADCAST(t) */ WINDOW(ts, '7 milliseconds') AS win, MAX(v) AS max_v FROM t
              WHERE v > 0 /* positive */ GROUP BY 1
            ), window_11ms AS (
              /* 11 milliseconds: from the stream */
              SELECT /*+ BROADCAST(t) */ WINDOW(ts, '11 milliseconds') AS win, MAX(v) AS max_v FROM t
              WHERE v > 0 GROUP BY 1
            ), window_22ms AS (
              /* 22 milliseconds: from window_11ms */
              SELECT WINDOW(win.start, '22 milliseconds') AS win, MAX(max_v) AS max_v FROM window_11ms GROUP BY 1
            )
            /* head */
            SELECT win.start AS s, /* when */ max_v AS m /* high */ FROM window_7ms UNION ALL
            ( SELECT win.start AS start, max_v FROM window_11ms ) /* between */ UNION ALL
            SELECT win.start AS start, max_v FROM window_22ms""",
        ),
        (  # each key once, constants are none; the first SELECT names the columns
            KEYS.replace("even(g), sum(v),", "even(g) AS e, sum(v),", 1),
            "duckdb",
            """
            WITH window_5min AS MATERIALIZED (
              /* 5 minutes: from the stream */
              SELECT TIME_BUCKET(INTERVAL '5' MINUTE, ts) AS window_start, k, "the key" AS key, EVEN(g) AS key_2,
              SUM(v) AS sum_v, COUNT(v) AS count_v, COUNT(*) AS count_all FROM t GROUP BY 1, 2, 3, 4
            ), window_10min AS MATERIALIZED (
              /* 10 minutes: from window_5min */
              SELECT TIME_BUCKET(INTERVAL '10' MINUTE, window_start) AS window_start, k, key, key_2,
              SUM(sum_v) AS sum_v, CAST(SUM(count_v) AS BIGINT) AS count_v,
              CAST(SUM(count_all) AS BIGINT) AS count_all FROM window_5min GROUP BY 1, 2, 3, 4
            )
            SELECT K, key AS "the key", key_2 AS e, sum_v AS "sum(v)", sum_v AS again,
            sum_v / NULLIF(count_v, 0) AS a, count_all AS "count_star()", 'x' FROM window_5min UNION ALL
            SELECT k, key AS "the key", key_2, sum_v, sum_v, sum_v / NULLIF(count_v, 0), count_all, 'x'
            FROM window_10min""",
        ),
    ],
)
def test_rewritten(sql: str, dialect: str, expected: str) -> None:
    assert flat(rewrite(sql, dialect)) == flat(expected)


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        (
            AZURE,
            "duckdb",
            f"""{NOTE}
            SELECT k, 'ten' AS Id, TIME_BUCKET(INTERVAL '10' MINUTE, ts) + INTERVAL '10' MINUTE AS stop, AVG(v) AS a
            FROM t WHERE v > 0 AND NOT ts IS NULL GROUP BY TIME_BUCKET(INTERVAL '10' MINUTE, ts), k UNION ALL
            SELECT k, 'hop' AS Id, window_start + INTERVAL '20' MINUTE AS stop, AVG(v) AS a FROM (
              SELECT *, UNNEST( GENERATE_SERIES(
                TIME_BUCKET(INTERVAL '5' MINUTE, ts - INTERVAL '20' MINUTE) + INTERVAL '5' MINUTE,
                TIME_BUCKET(INTERVAL '5' MINUTE, ts), INTERVAL '5' MINUTE
              ) ) AS window_start FROM t WHERE v > 0
            ) AS t GROUP BY window_start, k""",
        ),
        (
            AZURE,
            "spark",
            f"""{NOTE}
            SELECT k, 'ten' AS Id, WINDOW(ts, '10 minutes').end AS stop, AVG(v) AS a FROM t WHERE v > 0
            GROUP BY WINDOW(ts, '10 minutes'), k UNION ALL
            SELECT k, 'hop' AS Id, WINDOW(ts, '20 minutes', '5 minutes').end AS stop, AVG(v) AS a FROM t WHERE v > 0
            GROUP BY WINDOW(ts, '20 minutes', '5 minutes'), k""",
        ),
        (
            JOINED,
            "duckdb",
            """
            SELECT w.window_start AS s, a.k, b.k AS other, SUM(a.v * b.v) AS p FROM t AS a JOIN t AS b ON a.g = b.g
            CROSS JOIN UNNEST(GENERATE_SERIES(
              TIME_BUCKET(INTERVAL '5' MINUTE, a.ts - INTERVAL '10' MINUTE) + INTERVAL '5' MINUTE,
              TIME_BUCKET(INTERVAL '5' MINUTE, a.ts), INTERVAL '5' MINUTE
            )) AS w(window_start) GROUP BY w.window_start, a.k, b.k""",
        ),
        (  # weeks begin on Mondays: 96 hours after the first of 1970, a Thursday
            "SELECT DISTINCT time_bucket(INTERVAL '7 days', ts) AS s, K, count(*) FROM t GROUP BY s, k "
            "HAVING max(v) > 1 AND s > 0 ORDER BY s LIMIT 3 OFFSET 1",
            "spark",
            """
            SELECT DISTINCT WINDOW(ts, '168 hours', '168 hours', '96 hours').start AS s, K, COUNT(*) FROM t
            GROUP BY WINDOW(ts, '168 hours', '168 hours', '96 hours'), k HAVING MAX(v) > 1 AND s > 0
            ORDER BY s NULLS LAST LIMIT 3 OFFSET 1""",
        ),
        (
            "SELECT window AS w, max(v) AS m FROM t GROUP BY window(ts, '5 minutes') HAVING window.end > '2024-01-01'",
            "duckdb",
            """
            SELECT {'start': TIME_BUCKET(INTERVAL '5' MINUTE, ts),
            'end': TIME_BUCKET(INTERVAL '5' MINUTE, ts) + INTERVAL '5' MINUTE} AS w, MAX(v) AS m FROM t
            WHERE NOT ts IS NULL GROUP BY TIME_BUCKET(INTERVAL '5' MINUTE, ts)
            HAVING TIME_BUCKET(INTERVAL '5' MINUTE, ts) + INTERVAL '5' MINUTE > '2024-01-01'""",
        ),
        (  # what is the window, and what only has its names
            "SELECT window(ts, '5 minutes') AS w, w.start /* a */, max(t.start) AS a, max(t.window) AS b, "
            "max(f(v).start) AS c, max(v) AS m FROM (SELECT * FROM t WHERE window > 3) AS t GROUP BY w "
            "HAVING m > 1 AND W.End > 0",
            "duckdb",
            """
            -- a
            SELECT {'start': TIME_BUCKET(INTERVAL '5' MINUTE, ts),
            'end': TIME_BUCKET(INTERVAL '5' MINUTE, ts) + INTERVAL '5' MINUTE} AS w,
            TIME_BUCKET(INTERVAL '5' MINUTE, ts) AS start, MAX(t.start) AS a, MAX(t."window") AS b,
            MAX(F(v).start) AS c, MAX(v) AS m FROM ( SELECT * FROM t WHERE "window" > 3 ) AS t
            WHERE NOT ts IS NULL GROUP BY TIME_BUCKET(INTERVAL '5' MINUTE, ts)
            HAVING m > 1 AND TIME_BUCKET(INTERVAL '5' MINUTE, ts) + INTERVAL '5' MINUTE > 0""",
        ),
        (
            "SELECT window(ts, '5 minutes').end, max(v) AS m FROM t GROUP BY window(ts, '5 minutes')",
            "duckdb",
            """
            SELECT TIME_BUCKET(INTERVAL '5' MINUTE, ts) + INTERVAL '5' MINUTE AS "end", MAX(v) AS m FROM t
            WHERE NOT ts IS NULL GROUP BY TIME_BUCKET(INTERVAL '5' MINUTE, ts)""",
        ),
        (  # the time of Azure is an expression, with commas in parentheses
            "SELECT System.Timestamp AS stop, max(DATEADD(day, v, ts)) AS m FROM t AS a TIMESTAMP BY DATEADD(second, f((x), 1), a.ts) "
            "JOIN u ON a.k = u.k GROUP BY TumblingWindow(minute, 5), timestamp",
            "spark",
            f"""{NOTE}
            SELECT WINDOW(DATE_ADD(SECOND, F(( x ), 1), a.ts), '5 minutes').end AS stop,
            MAX(DATE_ADD(DAY, v, ts)) AS m FROM t AS a JOIN u ON a.k = u.k
            GROUP BY WINDOW(DATE_ADD(SECOND, F(( x ), 1), a.ts), '5 minutes'), timestamp""",
        ),
        (  # comments inside of what becomes something else
            "SELECT System /* a */ . /* b */ Window( /* c */ ) /* d */ . Id /* e */, System.Timestamp /* f */, "
            "max(v) AS m FROM t TIMESTAMP BY ts GROUP BY Windows(Window('x', TumblingWindow(minute, 5)))",
            "spark",
            f"""{NOTE}
            -- a
            -- b
            -- c
            -- d
            -- f
            SELECT 'x' /* e */ AS Id, WINDOW(ts, '5 minutes').end AS Timestamp, MAX(v) AS m FROM t
            GROUP BY WINDOW(ts, '5 minutes')""",
        ),
        (
            "SELECT max(v) AS m FROM (SELECT * FROM t TIMESTAMP BY ts) AS q GROUP BY TumblingWindow(minute, 5)",
            "spark",
            f"{NOTE} SELECT MAX(v) AS m FROM ( SELECT * FROM t ) AS q GROUP BY WINDOW(ts, '5 minutes')",
        ),
        (  # a subquery that lists the starts is read through
            f"SELECT q.start, q.k, max(v) AS m FROM (SELECT *, {STARTS} AS start FROM t JOIN u USING (k) WHERE v > 0) AS q "
            "WHERE q.g > 1 GROUP BY q.start, Q.k",
            "spark",
            """
            SELECT WINDOW(ts, '15 minutes', '5 minutes').start AS start, k, MAX(v) AS m FROM t JOIN u USING (k)
            WHERE v > 0 AND g > 1 GROUP BY WINDOW(ts, '15 minutes', '5 minutes'), k""",
        ),
        (
            f"SELECT w.start /* when */, start + INTERVAL '1 hour' AS later, a.start AS other, max(v) AS m "
            f"FROM t AS a, {STARTS} AS w(start) GROUP BY w.start, a.start",
            "spark",
            """
            -- when
            SELECT WINDOW(ts, '15 minutes', '5 minutes').start AS start,
            WINDOW(ts, '15 minutes', '5 minutes').start + INTERVAL '1' HOUR AS later, a.start AS other, MAX(v) AS m
            FROM t AS a GROUP BY WINDOW(ts, '15 minutes', '5 minutes'), a.start""",
        ),
        (
            COMMENTED.replace("/*+ BROADCAST(t) */ ", "").replace("/*+ COALESCE(3) */ ", ""),
            "duckdb",
            """
            -- v
            /* head */
            SELECT TIME_BUCKET(INTERVAL '7' MILLISECOND, ts, INTERVAL '3' MILLISECOND) AS s, /* when */
            MAX(v) AS m /* high */ FROM t WHERE v > 0 /* positive */ AND NOT ts IS NULL
            GROUP BY TIME_BUCKET(INTERVAL '7' MILLISECOND, ts, INTERVAL '3' MILLISECOND) UNION ALL
            ( SELECT TIME_BUCKET(INTERVAL '11' MILLISECOND, ts, INTERVAL '7' MILLISECOND) AS start, MAX(v) FROM t
            WHERE v > 0 AND NOT ts IS NULL
            GROUP BY TIME_BUCKET(INTERVAL '11' MILLISECOND, ts, INTERVAL '7' MILLISECOND) ) /* between */ UNION ALL
            SELECT TIME_BUCKET(INTERVAL '22' MILLISECOND, ts, INTERVAL '18' MILLISECOND) AS start, MAX(v) FROM t
            WHERE v > 0 AND NOT ts IS NULL
            GROUP BY TIME_BUCKET(INTERVAL '22' MILLISECOND, ts, INTERVAL '18' MILLISECOND)""",
        ),
    ],
)
def test_naive(sql: str, dialect: str, expected: str) -> None:
    assert flat(naive(sql, dialect)) == flat(expected)


def test_the_graph_is_counted_from_the_first_window_in_the_largest_unit() -> None:
    sql = " UNION ALL ".join(
        f"SELECT max(v) AS m FROM t GROUP BY window(ts, '{size} minutes', '{size} minutes', '{offset} minutes')"
        for size, offset in ((10, 8), (20, 18), (40, 38))
    )
    done = rewriting(sql, "spark")
    ten, twenty, forty = sw.Window(1, 1), sw.Window(2, 2, 1), sw.Window(4, 4, 3)
    assert done.unit == 10 * 60_000_000
    assert done.graph is not None
    assert done.graph.parent == {ten: None, twenty: ten, forty: twenty}
    written = ["10min_from_8min", "20min_from_18min", "40min_from_38min"]
    assert [name for name in written if f"window_{name} AS (" in done.sql] == written


def test_quantifiers_and_comparisons_with_any() -> None:
    """Spark's any, some and every are aggregates; what a value is compared with is none."""
    sql = " UNION ALL ".join(
        f"SELECT window AS w, some(b) AND any(b) AS a, any(b) = true AS t, every(b) AS e, mean(v) AS m, max(v) = ANY(array(1, 2)) AS o, "
        f"count(v, b) AS n FROM t "
        f"GROUP BY window(ts, '{size} minutes')"
        for size in (5, 10)
    )
    text = flat(rewrite(sql, "spark"))
    assert "COUNT(v, b) AS count_v_2 FROM t" in text
    assert "SOME(b) AS bool_or_b, ANY( b ) AS bool_or, EVERY(b) AS bool_and_b, SUM(v) AS sum_v" in text
    assert "BOOL_OR(bool_or_b) AS bool_or_b, BOOL_OR(bool_or) AS bool_or, BOOL_AND(bool_and_b)" in text
    assert (
        "SELECT win AS w, bool_or_b AND bool_or AS a, bool_or = TRUE AS t, bool_and_b AS e, sum_v / NULLIF(count_v, 0) AS m, EXISTS(ARRAY(1, 2), x -> max_v = x) AS o"
        in text
    )


def test_a_comment_stays_inside_of_an_expression() -> None:
    sql = " UNION ALL ".join(
        f"SELECT 2 * (max(v) /* high */ - k /* key */) AS m FROM t GROUP BY window(ts, '{size} minutes'), k"
        for size in (5, 10)
    )
    assert "SELECT 2 * ( max_v /* high */ - k /* key */ ) AS m FROM window_5min" in flat(
        rewrite(sql, "spark")
    )


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (1, "1 microsecond"),
        (1_001, "1001 microseconds"),
        (1_000, "1 millisecond"),
        (999_000, "999 milliseconds"),
        (2_000_000, "2 seconds"),
        (59_000_000, "59 seconds"),
        (120_000_000, "2 minutes"),
        (7_200_000_000, "2 hours"),
        (48 * 3_600_000_000, "48 hours"),
    ],
)
def test_sizes_in_words(size: int, words: str) -> None:
    assert phrase(size) == words
