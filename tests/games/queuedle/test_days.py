"""Days as people write them, and the seed of a grid that the site shows."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules, seeds
from gpusolve.games.queuedle._daily import daily
from gpusolve.games.queuedle.days import read_day
from gpusolve.games.queuedle.puzzles import Puzzle

TODAY = date(2026, 3, 1)
SITE = "fndoi/eedgr/aadqs/oeilx/eyatg"
"""The site's grid of 2025-05-31 in London."""


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", TODAY),
        ("Yesterday ", date(2026, 2, 28)),
        ("tomorrow", date(2026, 3, 2)),
        *[(text, date(2025, 5, 31)) for text in ("2025-05-31", "2025-5-31", "2025/05/31", "2025.5.31", "31.5.2025")],
        *[
            (text, date(2025, 5, 31))
            for text in ("31/5/2025", "5/31/2025", "31-05-2025", "31 May 2025", "31. May 2025")
        ],
        *[(text, date(2025, 5, 31)) for text in ("May 31, 2025", "31st of may 2025", "Sat, May 31st 2025")],
        *[(text, date(2025, 5, 31)) for text in ("31 May", "Saturday 31 May", "May 31", "may 31st")],
        ("5/5/2025", date(2025, 5, 5)),
        ("1 March", TODAY),
        ("2 Mar.", date(2025, 3, 2)),
        ("29 February", date(2024, 2, 29)),
        ("3 Sept 2025", date(2025, 9, 3)),
    ],
)
def test_days_are_read_as_people_write_them(text: str, day: date) -> None:
    assert read_day(text, TODAY) == day


@pytest.mark.parametrize(
    "text", ["", "moon", "may", "fndoi eedgr", "may be", "tsea/enop/adis/ttre eat", "marmalade 3x"]
)
def test_other_texts_are_no_days(text: str) -> None:
    assert read_day(text, TODAY) is None


@pytest.mark.parametrize(
    "text", ["5/6/2025", "2025-02-29", "32 May 2025", "30 February", "31.13.2025", "2025-W22-6", "12"]
)
def test_what_is_no_day_or_two_days_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput, match=r"^date .*expected a day, as 2025-05-31$"):
        read_day(text, TODAY)


def test_the_grids_of_370_days_tell_their_seeds() -> None:
    """Whatever dictionary stopped at a seed. The site's needed at most 590 tries on these days."""
    chance = random.Random(1)
    for number in range(370):
        day = date(2025, 5, 31) + timedelta(days=number)
        tries = chance.randrange(seeds.TRIES)
        seed = rules.daily_seed(day, "Europe/London") + tries
        drawn = seeds.find("".join(rules.draw(seed).grid), "", today=day, zone="Europe/London")
        assert drawn == seeds.Drawn(rules.draw(seed), seed, tries, day)


@pytest.mark.parametrize(
    ("zone", "named"),
    [
        ("Asia/Kolkata", "UTC+05:30"),
        ("America/New_York", "UTC-04:00"),
        ("Pacific/Honolulu", "UTC-10:00"),
        ("Pacific/Auckland", "UTC+12:00"),
        ("Asia/Kathmandu", "UTC+05:45"),
    ],
)
def test_grids_of_other_zones_are_found(zone: str, named: str) -> None:
    day = date(2025, 7, 1)
    seed = rules.daily_seed(day, zone) + 99
    drawn = seeds.find("".join(rules.draw(seed).grid), "", today=day, zone=None)
    assert drawn is not None
    assert (drawn.seed, drawn.tries, drawn.day, drawn.zone) == (seed, 99, day, named)


@pytest.mark.parametrize(
    "text",
    [
        SITE,
        SITE.upper().replace("/", "\n"),
        f"{SITE} aikiu",
        [*SITE.split("/"), "aikiu"],
        " ".join(SITE.replace("/", "")),
        f"{SITE.replace('/', '')}aikiueieexuatov",
    ],
)
def test_the_site_s_grid_gives_the_whole_queue(text: str) -> None:
    puzzle = daily(text, zone="Europe/London")
    assert puzzle == Puzzle(tuple(SITE.split("/")), "aikiueieexuatov")
    assert (puzzle.date, puzzle.zone, puzzle.puzzle_seed, puzzle.tries) == (
        *("2025-05-31", "Europe/London", 1748646000351, 351),
    )
    assert (puzzle.puzzle_dictionary, puzzle.note) == (None, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("moon", "day 'moon': 4 letters: expected a day, as 2025-05-31, or the 25 letters of the site's grid"),
        (SITE + "aikiueieexuatovx", "day .*: 41 letters"),
        (SITE.replace("f", "x"), "no day in Europe/London has this grid"),
        (f"{SITE} aikix", "queue aikix: the grid is that of 2025-05-31, whose queue begins with aikiu"),
        (SITE.replace("f", "é"), "day: 'é' in"),
    ],
)
def test_what_no_day_shows_is_bad_input(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        daily(text, zone="Europe/London")


def test_days_are_read_alike_by_all_commands() -> None:
    assert daily(["31", "May", "2025"], zone="UTC") == Puzzle.parse("31 May 2025", zone="UTC")
    assert daily("today", zone="UTC") == Puzzle.parse(None, zone="UTC") == daily(zone="UTC")


@pytest.mark.parametrize("text", ["", " ", [""]])
def test_an_empty_text_is_no_day(text: str | list[str]) -> None:
    with pytest.raises(BadInput, match="0 letters: expected a day"):
        daily(text)
