"""Random window sets, as in the evaluation of W §5.2: RandomGen, ChainGen, StarGen, RandomGraphGen.

`tumbling=True` gives the variants with tumbling windows alone. All are reproducible from their seed. W says neither
which s_max and k_max it used nor what happens when a constraint cannot be met; here a set that does not come about
within `TRIES` draws is begun anew, and one that never comes about is an error.

W Alg 6 as printed does not do what the text says. It uses up B (line 7 counts it down to 0), so that line 11 makes
Delta * l windows where B + Delta * l are meant. Its loop 1 <= l <= L makes L levels above the base, where "3 levels with
2, 4 and 6 windows" has L = 3 with the base. Line 15 takes the lcm of the slides below for the *least* slide, where
coverage needs a multiple of it. And nothing ties a range to those below: it is not ensured that a window is covered by
any of them. Here a level has B + Delta * l windows, each covered by all of a random, non-empty subset of the level below.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from swagcore.coverage.relation import covered_by
from swagcore.errors import InvalidArgument
from swagcore.windows import Window

TRIES, BEGINS = 500, 100
"""Draws for one set before it is begun anew, and begins before it is given up."""

STRETCH = 4
"""A window above others has a slide of at most so many times the least that covers them: chains stay within bounds."""


def random_window(
    rng: random.Random, least: int, most: int, ratio: int, *, step: int = 1, tumbling: bool = False
) -> Window | None:
    """W Alg 5: a slide from `least` to `most` (a multiple of `step`), a range of 1 to `ratio` slides. None if there is none.

    >>> random_window(random.Random(1), 2, 10, 5)
    Window(range=20, slide=4)
    """
    slides = range(-(-least // step) * step, most + 1, step)
    if not slides:
        return None
    slide = rng.choice(slides)
    return Window(slide if tumbling else slide * rng.randint(1, ratio), slide)


def random_gen(
    count: int, seed: int, *, s_max: int = 50, k_max: int = 10, tumbling: bool = False
) -> list[Window]:
    """Windows that have nothing to do with each other.

    >>> random_gen(3, seed=1)
    [Window(range=100, slide=10), Window(range=100, slide=50), Window(range=36, slide=18)]
    """

    def draw(rng: random.Random) -> list[Window]:
        return _grown(count, lambda made: random_window(rng, 2, s_max, k_max, tumbling=tumbling))

    return _made(draw, count, seed, s_max, k_max)


def chain_gen(
    count: int, seed: int, *, s_max: int = 10, k_max: int = 10, tumbling: bool = False
) -> list[Window]:
    """Windows each of which is covered by the one before it; `s_max` bounds the slide of the first.

    >>> made = chain_gen(4, seed=1)
    >>> all(covered_by(made[i + 1], made[i]) for i in range(3))
    True
    """

    def draw(rng: random.Random) -> list[Window]:
        def next_one(made: list[Window]) -> Window | None:
            if not made:
                return random_window(rng, 2, s_max, k_max, tumbling=tumbling)
            step = made[-1].slide
            window = random_window(rng, step, STRETCH * step, k_max, step=step, tumbling=tumbling)
            return window if window and covered_by(window, made[-1]) else None

        return _grown(count, next_one)

    return _made(draw, count, seed, s_max, k_max)


def star_gen(
    count: int, seed: int, *, s_max: int = 50, k_max: int = 10, tumbling: bool = False
) -> list[Window]:
    """A window, and others that are covered by it.

    >>> made = star_gen(4, seed=1)
    >>> all(covered_by(window, made[0]) for window in made)
    True
    """

    def draw(rng: random.Random) -> list[Window]:
        def next_one(made: list[Window]) -> Window | None:
            if not made:
                return random_window(rng, 2, max(2, s_max // count), k_max, tumbling=tumbling)
            window = random_window(rng, made[0].slide, s_max, k_max, step=made[0].slide, tumbling=tumbling)
            return window if window and covered_by(window, made[0]) else None

        return _grown(count, next_one)

    return _made(draw, count, seed, s_max, k_max)


def random_graph_gen(
    seed: int,
    *,
    levels: int = 3,
    base: int = 2,
    growth: int = 2,
    chance: float = 0.5,
    s_max: int = 10,
    k_max: int = 10,
    tumbling: bool = False,
) -> list[Window]:
    """W Alg 6, mended: levels of base, base + growth, ... windows, none covered by another of its own level.

    `s_max` bounds the slides of the base.

    >>> [(window.range, window.slide) for window in random_graph_gen(seed=3)][:2], len(random_graph_gen(seed=3))
    ([(14, 7), (28, 4)], 12)
    """
    for name, size in {"levels": levels, "base": base}.items():
        _whole(name, size, 1)
    _whole("growth", growth, 0)
    if not 0 < chance <= 1:
        raise InvalidArgument("chance", chance, "a probability above 0")

    def draw(rng: random.Random) -> list[Window]:
        made: list[Window] = []
        below: list[Window] = []
        for level in range(levels):

            def next_one(here: list[Window], below: list[Window] = below) -> Window | None:
                chosen = [window for window in below if rng.random() < chance]
                if below and not chosen:
                    return None
                step = math.lcm(*(window.slide for window in chosen))
                most = STRETCH * step if chosen else s_max
                window = random_window(rng, max(2, step), most, k_max, step=step, tumbling=tumbling)
                if window is None or not all(covered_by(window, other) for other in chosen):
                    return None
                alone = not any(covered_by(window, other) or covered_by(other, window) for other in here)
                return window if alone else None

            below = _grown(base + growth * level, next_one)
            made += below
        if len(set(made)) < len(made):
            raise _Stuck
        return made

    return _made(draw, sum(base + growth * level for level in range(levels)), seed, s_max, k_max)


class _Stuck(Exception):
    """No window came about that meets the constraints."""


def _grown(count: int, next_one: Callable[[list[Window]], Window | None]) -> list[Window]:
    made: list[Window] = []
    for _ in range(TRIES):
        window = next_one(made)
        if window is not None and window not in made:
            made.append(window)
        if len(made) == count:
            return made
    raise _Stuck


def _made(
    draw: Callable[[random.Random], list[Window]], count: int, seed: int, s_max: int, k_max: int
) -> list[Window]:
    for name, size, least in (("count", count, 1), ("s_max", s_max, 2), ("k_max", k_max, 1)):
        _whole(name, size, least)
    rng = random.Random(seed)
    for _ in range(BEGINS):
        try:
            return draw(rng)
        except _Stuck:
            continue
    raise InvalidArgument(
        "s_max", s_max, f"a larger one: {count} windows of this sort did not come about below it"
    )


def _whole(name: str, size: int, least: int) -> None:
    if not isinstance(size, int) or isinstance(size, bool) or size < least:
        raise InvalidArgument(name, size, f"a whole number from {least} on")
