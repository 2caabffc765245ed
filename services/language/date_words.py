"""The words that dates are made of, as patterns, and the numbers they stand for."""

import re

from services.language.numbers import COUNT, ORDINALS, number

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
DECADES = {
    "noughties": 0,
    "aughts": 0,
    "twenties": 2,
    "thirties": 3,
    "forties": 4,
    "fifties": 5,
    "sixties": 6,
    "seventies": 7,
    "eighties": 8,
    "nineties": 9,
}
FEASTS: dict[str, tuple[int, ...]] = {
    "new year's day": (1, 1),
    "new year's eve": (12, 31),
    "new year": (1, 1),
    "epiphany": (1, 6),
    "candlemas": (2, 2),
    "lady day": (3, 25),
    "lammas": (8, 1),
    "michaelmas": (9, 29),
    "martinmas": (11, 11),
    "burns night": (1, 25),
    "australia day": (1, 26),
    "groundhog day": (2, 2),
    "valentine's day": (2, 14),
    "international women's day": (3, 8),
    "st patrick's day": (3, 17),
    "april fools' day": (4, 1),
    "st george's day": (4, 23),
    "anzac day": (4, 25),
    "may day": (5, 1),
    "labour day": (5, 1),
    "juneteenth": (6, 19),
    "midsummer's day": (6, 24),
    "canada day": (7, 1),
    "fourth of july": (7, 4),
    "independence day": (7, 4),
    "bastille day": (7, 14),
    "halloween": (10, 31),
    "hallowe'en": (10, 31),
    "all saints' day": (11, 1),
    "all souls' day": (11, 2),
    "guy fawkes night": (11, 5),
    "bonfire night": (11, 5),
    "armistice day": (11, 11),
    "remembrance day": (11, 11),
    "veterans day": (11, 11),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "xmas": (12, 25),
    "boxing day": (12, 26),
    "st stephen's day": (12, 26),
    "ash wednesday": (-46,),
    "palm sunday": (-7,),
    "maundy thursday": (-3,),
    "good friday": (-2,),
    "easter sunday": (0,),
    "easter monday": (1,),
    "easter": (0,),
    "ascension day": (39,),
    "pentecost": (49,),
    "whit sunday": (49,),
    "whit monday": (50,),
    "martin luther king day": (1, 0, 3),
    "presidents' day": (2, 0, 3),
    "memorial day": (5, 0, -1),
    "labor day": (9, 0, 1),
    "columbus day": (10, 0, 2),
    "thanksgiving": (11, 3, 4),
}
"""Each feast's month and day, its days after Easter, or its month, weekday and which such weekday of the month."""

# A comment in a pattern, such as (?#month), names what a text must have for it: see `_CLUES` in date_phrases.py.
Y = r"(?#year)(?P<y>1\d{3}|2[01]\d\d)"
YY = r"(?#year)(?P<y>1\d{3}|2[01]\d\d|['’]\d\d)"
M = (
    r"(?#month)(?P<month>(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![^\W\d_]))(?:\.(?=\s*[\d'’,/–-]|\s+(?:the|of|to|and)\b))?"
)
CAPITAL = r"(?=(?-i:[A-Z]))"
NAMED_M = rf"(?:{CAPITAL}|(?!ma[ry])){M}"
"""A month without a year: in small letters "may" and "march" are other words."""

_NAMED = "|".join(word.replace("-", "[- ]") for word, n in sorted(ORDINALS.items(), reverse=True) if n <= 31)
D = rf"(?P<d>(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?!\d)|(?:{_NAMED})\b)"
NTH = rf"(?P<nth>\d\d?(?:st|nd|rd|th)|{_NAMED})"
WEEKDAY = r"(?#weekday)(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
ANY_WEEKDAY = WEEKDAY[:-1] + r"|(?:mon|tues?|wed|thu|thurs?|fri|(?-i:Sat|Sun))\b\.?)"
SHORT_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\b"
SEASON = rf"(?#season)(?P<season>{'|'.join(SEASONS)})"
_FEAST_NAMES = "|".join(sorted((re.sub("'", "['’]?", name) for name in FEASTS), key=len, reverse=True))
FEAST = rf"(?#feast)(?P<feast>{re.sub('st ', r'(?:st[.]?|saint) ', _FEAST_NAMES)})"
_SHORT_UNITS = {
    "night": "day",
    "wk": "week",
    "mo": "month",
    "yr": "year",
    "hr": "hour",
    "min": "minute",
    "centurie": "century",
}
UNIT = (
    r"(?#unit)(?P<unit>day|weekend|week|fortnight|month|quarter|year|decade|century|hour|minute"
    rf"|{'|'.join(_SHORT_UNITS)}(?=s?\b))"
)
HOW_MANY = rf"(?P<n>{COUNT})"
AMOUNT = rf"(?P<n>half\s+an?|{COUNT}(?:\s+and\s+a\s+half)?)\s+{UNIT}s?(?P<and_half>\s+and\s+a\s+half)?"

_FINER = {
    "century": (100, "year"),
    "decade": (10, "year"),
    "year": (12, "month"),
    "quarter": (3, "month"),
    "month": (30, "day"),
    "fortnight": (14, "day"),
    "week": (7, "day"),
    "day": (24, "hour"),
    "hour": (60, "minute"),
}


def year(text: str) -> int:
    """Return the year that "1998" or "'98" names."""
    short = int(text[-2:])
    return int(text) if len(text) == 4 else short + (1900 if short > 30 else 2000)


def month_number(text: str) -> int:
    """Return the number of a month in figures or by name, whose first three letters tell it."""
    return int(text) if text.isdigit() else MONTHS.index(text[:3].lower()) + 1


def weekday_number(text: str) -> int:
    """Return the number of a weekday by its name, 0 for Monday."""
    return WEEKDAYS.index(text[:3].lower())


def unit_of(match: re.Match[str]) -> str:
    """Return the unit of a phrase in the singular."""
    word = match["unit"].lower()
    return _SHORT_UNITS.get(word, word)


def amount(match: re.Match[str]) -> tuple[int, str]:
    """Return the number and unit of "three weeks", "half a year" or "a year and a half", in whole units."""
    given, unit = match.groupdict(), unit_of(match)
    words = given.get("n") or "a"
    count = 0.5 if words.startswith("half") else number(words) + (0.5 if given.get("and_half") else 0)
    if count == int(count):
        return int(count), unit
    size, finer = _FINER[unit]
    return int(count * size), finer


def words_before(text: str, position: int) -> str:
    """Return the 80 characters before `position`: a whole text before each date would take quadratic time."""
    return text[max(position - 80, 0) : position]
