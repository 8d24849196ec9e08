"""Durations: every spelling, what is refused, and that what is written is what is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swagcore.durations import MICROSECONDS, microseconds, unit_named
from swagcore.errors import InvalidArgument, UnknownName

SPELLINGS = {
    1: ["us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds"],
    1_000: ["ms", "msec", "msecs", "millisecond", "milliseconds"],
    1_000_000: ["s", "sec", "secs", "second", "seconds"],
    60_000_000: ["min", "mins", "minute", "minutes"],
    3_600_000_000: ["h", "hr", "hrs", "hour", "hours"],
    86_400_000_000: ["d", "day", "days"],
}


@pytest.mark.parametrize(
    ("size", "spelling"), [(size, word) for size, words in SPELLINGS.items() for word in words]
)
def test_every_spelling(size: int, spelling: str) -> None:
    for word in (spelling, spelling.capitalize(), spelling.upper()):
        assert (
            microseconds(f"7 {word}")
            == microseconds(f"7{word}")
            == microseconds(f"  7  {word}  ")
            == 7 * size
        )
        assert MICROSECONDS[unit_named(word)] == size


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 s", 0),
        ("5 minutes", 300_000_000),
        ("90 s", 90_000_000),
        ("1 h 30 min", 5_400_000_000),
        ("1h30min", 5_400_000_000),
        ("1 hour, 30 minutes", 5_400_000_000),
        ("1 d 2 h 3 min 4 s 5 ms 6 us", 93_784_005_006),
        ("0 d 1 us", 1),
        ("90 min", 5_400_000_000),
        ("1.5 h", 5_400_000_000),
        ("1.5 ms", 1_500),
        ("0.000001 s", 1),
        ("1.0 us", 1),
        ("0.1 s 0.1 ms", 100_100),  # exact: no float in between
        ("007 s", 7_000_000),
        ("1\th\n30 min", 5_400_000_000),
        ("123456789012345678901234567890 us", 123456789012345678901234567890),
    ],
)
def test_read(text: str, expected: int) -> None:
    assert microseconds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "5",  # no unit
        "s",  # no number
        "1 h 30",
        "five minutes",
        "5 m",  # minutes or months
        "5 parsecs",
        "5 weeks",
        "-5 s",
        "+5 s",
        "1e3 s",
        "5. s",
        ".5 s",
        "1,5 s",
        "1_000 s",
        "30 min 1 h",  # the larger unit comes first
        "1 s 1 s",
        "1 s 1 sec",
        "1 h, , 30 min",
        "1 h,",
        "1 h, ",
        ", 1 h",
        "1 h; 30 min",
        "1 h and 30 min",
        "1 s.",
        "nan s",
        "inf s",
        "٥ s",  # a digit, but not one that everybody can read
        "9" * 5_000 + " s",
        "0." + "0" * 5_000 + "1 s",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(InvalidArgument, match="expected a duration such as"):
        microseconds(text)


@pytest.mark.parametrize("text", ["0.5 us", "1.0005 ms", "0.0000001 s", "1 s 0.1 us"])
def test_less_than_a_microsecond_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument, match="expected a whole number of microseconds"):
        microseconds(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("-5 s", -5_000_000), (" - 1 h 30 min", -5_400_000_000), ("2 us", 2)]
)
def test_a_sign_where_one_is_allowed(text: str, expected: int) -> None:
    assert microseconds(text, signed=True) == expected


@pytest.mark.parametrize("text", ["--5 s", "-", "5 s -1 ms", "+5 s", "-5"])
def test_one_sign_and_only_in_front(text: str) -> None:
    with pytest.raises(InvalidArgument):
        microseconds(text, signed=True)


def test_the_error_names_the_argument_and_the_value_as_given() -> None:
    with pytest.raises(
        InvalidArgument, match=r"^offset is '-five'; expected a duration such as \"5 minutes\""
    ):
        microseconds("-five", "offset", signed=True)


@pytest.mark.parametrize("name", ["", "m", "week", " s", None, 5, b"s"])
def test_units_that_nobody_defined(name: object) -> None:
    with pytest.raises(UnknownName, match="expected one of d, h, min, ms, s, us"):
        unit_named(name)


def test_the_nearest_unit_is_suggested() -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'min'\?"):
        unit_named("mina")


DESCENDING = sorted(SPELLINGS, reverse=True)


@given(st.data())
def test_round_trip(data: st.DataObject) -> None:
    """A number of microseconds, cut into units in any way and spelled in any way, is read as itself."""
    sizes = data.draw(
        st.lists(st.sampled_from(DESCENDING), min_size=1, unique=True).map(lambda s: sorted(s, reverse=True))
    )
    numbers = [data.draw(st.integers(0, 10**12)) for _ in sizes]
    words = [data.draw(st.sampled_from(SPELLINGS[size])) for size in sizes]
    gap, joint = data.draw(st.sampled_from(["", " ", "\t"])), data.draw(st.sampled_from([" ", ", ", "  "]))
    text = joint.join(f"{number}{gap}{word}" for number, word in zip(numbers, words, strict=True))
    assert microseconds(text) == sum(number * size for number, size in zip(numbers, sizes, strict=True))


@given(st.integers(0, 10**15), st.sampled_from([1_000, 1_000_000]))
def test_decimals_are_exact(total: int, size: int) -> None:
    whole, rest = divmod(total, size)
    digits = len(str(size)) - 1
    assert microseconds(f"{whole}.{rest:0{digits}d} {SPELLINGS[size][0]}") == total
