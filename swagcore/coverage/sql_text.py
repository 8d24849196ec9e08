"""SQL text, sqlglot's tree of it, and the place in the text that a node of the tree came from.

sqlglot is an extra: `pip install "swagcore[sql]"`. Whoever imports this module needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

try:
    from sqlglot import Token, TokenType, exp
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.errors import ParseError, TokenError
except ModuleNotFoundError as error:
    from swagcore.errors import SwagError

    class SqlMissing(SwagError, ImportError):
        """sqlglot is not installed."""

    raise SqlMissing('sqlglot is not installed; run: pip install "swagcore[sql]"') from error

from swagcore.durations import microseconds
from swagcore.errors import InvalidArgument, SwagError

Node: TypeAlias = exp.Expr
SHOWN = 60


class SqlError(SwagError, ValueError):
    """A query that is not understood; the message begins with the place.

    >>> raise SqlError("SELECT a\\nFROM t GROUP BY fortnight(ts)", 25, "it is no window")
    Traceback (most recent call last):
        ...
    swagcore.coverage.sql_text.SqlError: line 2, column 17, at "fortnight(ts)": it is no window
    """

    def __init__(self, sql: str, start: int, problem: str, end: int | None = None) -> None:
        self.line = sql.count("\n", 0, start) + 1
        self.column = start - sql.rfind("\n", 0, start)
        at = " ".join(sql[start : len(sql) if end is None else end].split())
        at = at if len(at) <= SHOWN else at[: SHOWN - 3] + "..."
        where = f'at "{at}"' if at else "at the end"
        super().__init__(f"line {self.line}, column {self.column}, {where}: {problem}")


class Unchanged(Exception):
    """Why a query that is understood cannot be improved. It never reaches a user: the query comes back with it."""


class Text:
    """A query's text: its tokens, its comments, and the places of its nodes.

    >>> text = Text("SELECT v -- the value\\nFROM t", "duckdb")
    >>> text.parse().sql(), text.comments
    ('SELECT v /* the value */ FROM t', ['the value'])
    """

    def __init__(self, sql: str, dialect: str) -> None:
        if not isinstance(sql, str):
            raise InvalidArgument("sql", sql, "the text of a query")
        self.sql = sql
        self._dialect = Dialect.get_or_raise(dialect)
        try:
            self.tokens: list[Token] = self._dialect.tokenize(sql)
        except TokenError:
            raise SqlError(sql, self._unclosed(), "a quote or a comment that is never closed") from None
        self.comments = [comment.strip() for token in self.tokens for comment in token.comments]

    def _unclosed(self) -> int:
        """Where the quote or comment begins that is never closed: the last one before which all are."""
        begins = [found.start() for found in re.finditer(r"\A|['\"`\[$]|/\*|\{#", self.sql)]
        return max(place for place in begins if self._is_closed(self.sql[:place]))

    def _is_closed(self, sql: str) -> bool:
        try:
            self._dialect.tokenize(sql)
        except TokenError:
            return False
        return True

    def parse(self, tokens: list[Token] | None = None) -> Node:
        """The tree of one statement; of all the tokens, where no others are given."""
        tokens = self.tokens if tokens is None else tokens
        try:
            trees = [tree for tree in self._dialect.parser().parse(tokens, self.sql) if tree is not None]
        except ParseError as error:
            raise self._of(error) from None
        except RecursionError:
            raise SqlError(self.sql, 0, "it is nested too deeply to be parsed") from None
        if len(trees) != 1:
            raise SqlError(self.sql, 0, f"expected one query, found {len(trees)}")
        return trees[0]

    def expression(self, tokens: list[Token]) -> Node:
        """The tree of an expression that stands in the text."""
        try:
            found = self._dialect.parser().parse_into(exp.Condition, tokens, self.sql)[0]
        except ParseError as error:
            raise self._of(error) from None
        assert found is not None
        return found

    def _of(self, error: ParseError) -> SqlError:
        """The error at the token where the parser stopped; what it parses apart, as a type in quotes, has no such place."""
        first = error.errors[0] if error.errors else {}
        where = (first.get("line"), first.get("col"))
        start = next((token.start for token in self.tokens if (token.line, token.col) == where), 0)
        return SqlError(self.sql, start, f"it does not parse: {first.get('description', error)}".rstrip("."))

    def error(self, node: Node, problem: str) -> SqlError:
        """An error at the place of a node."""
        start, end = self.place(node)
        return SqlError(self.sql, start, problem, end)

    def place(self, node: Node) -> tuple[int, int]:
        """Where a node stands in the text: its first character, and the one after its last name or literal."""
        spans = [(at.meta["start"], at.meta["end"] + 1) for at in node.walk() if "start" in at.meta]
        if not spans:
            return self.place(node.parent)[0] if node.parent else 0, len(self.sql)
        start, end = min(spans)[0], max(end for _, end in spans)
        for call in node.find_all(exp.Func):  # sqlglot does not say of all functions where they are called
            first = min((at.meta["start"] for at in call.walk() if "start" in at.meta), default=None)
            if first == start and "start" not in call.meta:
                called = re.search(r"\w+\s*\(\s*$", self.sql[:start])
                start = called.start() if called else start
        while self.sql.count("(", start, end) > self.sql.count(")", start, end) and ")" in self.sql[end:]:
            end = self.sql.index(")", end) + 1
        return start, end

    def shown(self, node: Node) -> str:
        """A node as the user wrote it, on one line."""
        start, end = self.place(node)
        text = " ".join(self.sql[start:end].split())
        return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def names(nodes: Iterable[Node]) -> Iterator[str]:
    """All names that occur, in lower case: what a name of ours must not be.

    >>> sorted(names([Text("SELECT A FROM t", "duckdb").parse()]))
    ['a', 't']
    """
    for node in nodes:
        for found in node.find_all(exp.Identifier):
            yield found.name.lower()


def plain(node: Node, qualified: bool = True) -> Node:
    """A copy by which nodes can be compared: names in lower case, no comments; table names only where they matter.

    >>> plain(exp.column("K", "t", quoted=True), qualified=False) == plain(exp.column("k"))
    True
    """

    def bare(part: Node) -> Node:
        part.pop_comments()
        if isinstance(part, exp.Identifier):
            return exp.to_identifier(part.name.lower())
        if isinstance(part, exp.Column) and not qualified:
            part.set("table", None)
        return part

    return node.transform(bare)


def duration(text: Text, node: Node) -> int:
    """The microseconds of a duration: `INTERVAL '5 minutes'`, `INTERVAL 5 MINUTE`, `'5 minutes'`, a cast, `to_minutes(5)`.

    >>> query = Text("SELECT INTERVAL '1 week'", "duckdb")
    >>> duration(query, query.parse().selects[0])
    604800000000
    """
    return _sized(text, node, node)


def _sized(text: Text, node: Node, whole: Node) -> int:
    if isinstance(node, exp.Paren):
        return _sized(text, node.this, whole)
    if isinstance(node, exp.Neg):
        return -_sized(text, node.this, whole)
    if isinstance(node, exp.Cast) and node.is_type("interval"):
        return _sized(text, node.this, whole)
    if isinstance(node, exp.Interval):
        amount, unit = node.this, node.args.get("unit")
        while isinstance(amount, exp.Paren):
            amount = amount.this
        if unit is None:
            return _sized(text, amount, whole)
        sign = "-" if isinstance(amount, exp.Neg) else ""
        amount = amount.this if sign else amount
        if isinstance(amount, exp.Literal):
            return _microseconds(text, f"{sign}{amount.name} {unit.name}", whole)
    if isinstance(node, exp.Literal) and node.is_string:
        return _microseconds(text, node.name, whole)
    if isinstance(node, exp.Anonymous) and node.name.lower().startswith("to_") and len(node.expressions) == 1:
        amount = node.expressions[0]
        if isinstance(amount, exp.Literal):
            return _microseconds(text, f"{amount.name} {node.name[3:]}", whole)
    raise text.error(whole, "expected a constant duration, such as INTERVAL '5 minutes'")


_NOT_FIXED = ("month", "mon", "quarter", "year", "decade", "century", "centurie", "millennium", "millennia")


def _microseconds(text: Text, written: str, whole: Node) -> int:
    words = written.lower().removeprefix("interval ").split()
    if any(word.rstrip("s") in _NOT_FIXED for word in words):
        raise Unchanged(f"{written.lower()} is no fixed length of time")
    if len(words) == 2 and words[1] in ("week", "weeks"):
        return 7 * _microseconds(text, f"{words[0]} days", whole)
    try:
        return microseconds(" ".join(words), signed=True)
    except InvalidArgument as error:
        raise text.error(whole, str(error)) from None


def integer(text: Text, node: Any) -> int:
    """A whole number that stands in the text."""
    sign, digits = (-1, node.this) if isinstance(node, exp.Neg) else (1, node)
    if isinstance(digits, exp.Literal) and not digits.is_string and digits.name.isdecimal():
        return sign * int(digits.name)
    raise text.error(node, "expected a whole number")


__all__ = [
    "Node",
    "SqlError",
    "Text",
    "Token",
    "TokenType",
    "Unchanged",
    "duration",
    "exp",
    "integer",
    "names",
    "plain",
]
