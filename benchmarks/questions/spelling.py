"""How strangers spell dates and names."""

import random
from datetime import datetime, time

from services.core import clock

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
SHORTEST_MISSPELT = 6


def day_of(at: datetime) -> datetime:
    """The start of the instant's day in UTC."""
    return clock.instant(datetime.combine(at.date(), time()))


def bare(at: datetime, chance: random.Random) -> str:
    """A day as people write it."""
    month = MONTHS[at.month - 1]
    ways = (
        f"{at:%Y-%m-%d}",
        f"{at.day} {month} {at.year}",
        f"{month} {at.day}, {at.year}",
        f"{at.day} {month[:3]} {at.year}",
        f"{_ordinal(at.day)} {month} {at.year}",
    )
    return chance.choice(ways)


def _ordinal(day: int) -> str:
    last = {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{'th' if 10 < day < 20 else last}"


def on(at: datetime, chance: random.Random) -> str:
    """A day with the word before it."""
    return f"{chance.choice(('on', 'on', 'as of'))} {bare(at, chance)}"


def exact(at: datetime) -> str:
    """An instant to the second."""
    return f"at {at:%Y-%m-%dT%H:%M:%SZ}"


def month_of(at: datetime) -> str:
    """The month in words."""
    return f"{MONTHS[at.month - 1]} {at.year}"


def misspelt(name: str, chance: random.Random) -> str | None:
    """The name with one slip of a finger in its longest word; None where that is too short, or has a digit."""
    words = name.split()
    word = max(words, key=len)
    if len(word) < SHORTEST_MISSPELT or any(letter.isdigit() for letter in name):
        return None
    at = chance.randrange(1, len(word) - 2)
    slips = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    )
    slip = chance.choice([one for one in slips if one != word])
    return " ".join(slip if one == word else one for one in words)
