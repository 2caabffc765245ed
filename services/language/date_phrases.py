"""The phrases that name a date in English, each with what reads it, and which of them a text may have."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache, lru_cache

from services.language import date_readers as read
from services.language.calendar import Closed
from services.language.date_words import (
    AMOUNT,
    ANY_WEEKDAY,
    CAPITAL,
    DECADES,
    FEAST,
    FEASTS,
    HOW_MANY,
    MONTHS,
    NAMED_M,
    NTH,
    SEASON,
    SEASONS,
    SHORT_WEEKDAY,
    UNIT,
    WEEKDAY,
    WEEKDAYS,
    YY,
    D,
    M,
    Y,
    words_before,
)

Reader = read.Reader
_START = (
    r"(?:\b|(?=['’]))(?:(?<![\w/.#$€£+-])|(?<=[a-z\d.][-/])(?=[a-z])"
    r"|(?<=\bmid-)|(?<=\bpre-)|(?<=\bpost-)|(?<=\bend-)|(?<=\blate-)|(?<=\bearly-)|(?<=\.\.))"
)
_END = r"(?!\w|/\d|[-.,:]\d|['’]\w*\d|\s*(?:bce?\b|b\.c\b))"
_DAY_START = r"(?<![\w/.#$€£+])(?<!\D-)"
_WORD_START = r"(?:(?<=\d-\d\d/)|(?<=_)|(?<=[a-z]-)|(?<=\.\.)|(?<![\w/.-]))"
_WORD_END = r"(?![^\W_]|[-.]\d)"


def _rule(pattern: str, reader: Reader, before: str = "", start: str = _START, end: str = _END) -> tuple[str, Reader]:
    return rf"(?i:{start}{before}(?P<date>{pattern}){end})", reader


_W = rf"(?:(?P<short>{SHORT_WEEKDAY})\.?,?\s+(?:the\s+)?)?"
_IN_YEAR = r"(?:\s+(?:of|in))?(?:\s+the\s+year)?"
_OF = rf"(?:{_IN_YEAR}\s*,?\s*|[-/])"
_FISCAL = r"(?:fy\s?|fiscal\s+(?:year\s+)?)?"
_D2 = r"(?#dash)(?P<d2>(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?!\d))"
_M2 = NAMED_M.replace("<month>", "<month2>")
_DASH = r"\s*(?:-|–|—|\bto\b|\band\b|\buntil\b|\btill\b|\bthrough\b|&)\s*(?:the\s+)?"
_WAY = r"(?P<way>this\s+past|this\s+coming|last|previous|past|this|current|next|coming)"
_ANY = rf"(?:{FEAST}|{SEASON}|{ANY_WEEKDAY}|(?P<weekend>weekend)|{NAMED_M})"
_RECURRING = "(?#recurring)" + re.sub(r"\(\?#\w+\)", "", _ANY)
_DAY_PARTS = "morning|afternoon|evening|night"
_PART = rf"(?:\s+(?:{_DAY_PARTS})\b)?(?!\s+(?:{_DAY_PARTS})s\b)"
_LED = rf"\b(?:on|at|over|by|until|till|since|before|after|during|from|(?:hours|{_DAY_PARTS})\s+of)\s+"
_NEWS = (
    r"(?:(?-i:(?!called|named)[a-z]{2,}(?:ed|[a-rt-z]s))|said|told|met|won|lost|went|came|left|began|fell|rose|took|made|held|cob|eod|noon|[ap]m"
    r"|of\s+(?:business\s+)?(?:business|day|play))\s+"
)
"""A verb, the people told, or a time of day before a weekday without a preposition, as news and notes have it."""

_ALONE = r"(?=\s*(?:[.,;?!)]|$|\b(?:at|and|with|to)\b))"
_NO_NAME = r"(?!['’]|\s+(?-i:[A-Z]))"
_NOT_OF = rf"(?!\s+(?:of|in)\s+(?:the\s+)?(?:\w+\s+)?(?:{re.sub('^.*?<month>', '(?:', M)}|\d)|\s+of\b)"
_NO_RANGE = r"(?!\s+(?:range|per\s?cent|degrees?|%|°|[FCK]\b|mph|fahrenheit|celsius))"
_YEAR_LED = (
    r"(?:(?:^|\n)[\s*•(\[-]*|\b(?:in|since|during|throughout|until|till|by|before|after|from|to|between|and|or|of|for"
    r"|around|about|through|thru|into|beyond|past|over|circa|ca?\.?|as|ending|ended|the|an?|years?|early|late|mid|pre|post"
    r"|than|his|her|its|their|our|my|your|this|copyright|start|end|within|quarter|half|qtr\.?|q|lord|born|died|[bdr]\.|fl\.|est\.?"
    r"|established|founded|built|published|released|opened|closed|completed|dated|painted|date|starting|beginning|vs\.?"
    r"):?(?:\s*-\s*|\s+)|['’]s\s+|[(©~≈]\s*|\bca?\.?|\b\d{4}\s*(?:-|–|,|to)\s*)$"
)
_PRICE_LED = r"\b(?:sells?|sold|buy|bought|auctioned|insured|listed)(?:\s+\w+){0,2}\s+for\s+$"
_NO_NAME_OF_YEAR = (
    r"(?!(?<=\bthe \d{4})\s*(?:[.,;!?)]|$|\b(?:are|is|was|were|have|has)\b)|(?<=^\d{4})\s+(?-i:[A-Z])\w+,)"
)
"""A band, "the 1975", and a town behind its code are no year."""

_NO_STREET = (
    r"(?!\s+(?:(?-i:[A-Z])[a-z]+\s+){0,2}(?:avenue|street|road|lane|drive|boulevard|square"
    r"|(?-i:Close|Court|Crescent|Gardens|Grove|Hill|Mews|Parade|Place|Row|Terrace|Walk|Way|Block))\b)"
)
_PERSONS = ("April", "May", "June", "August", "Jan")
_NO_PERSON = (
    rf"(?!(?:{'|'.join(rf'(?<={lead} {name})' for lead in ('after', 'before', 'since') for name in _PERSONS)})"
    r"\s+(?:arrived|became|came|died|joined|left|married|met|moved|resigned|returned|retired|said|spoke|took|told"
    r"|was\s+born|went|won)\b)"
)
"""A month that someone is called after does what people do."""

_NO_PLACE = r"(?!\s+(?-i:Accords?|Agreement|Carol|Islands?|Massacre|Offensive|Rising|Uprising)\b)"
_COUNTED = (
    r"(?!\s*(?:(?:to|and|or|-|–)\s*[\d,]+\s*)?(?:%|percent|people|inhabitants|residents|men|women|metres?|meters?|miles?"
    r"|km|kilomet|euros?|dollars?|pounds?|votes?|voters|units?|pages?|words?|employees|workers|students|pupils|soldiers"
    r"|troops|seats?|copies|members|times|years|days|hours?|hrs|minutes|points?|kg|mm|cm|ml|hp|rpm|[mgk]?w|[kmg]hz|[kmgt]b"
    r"|mah|kcal|calories|lit(?:re|er)s|tons|tonnes|acres|hectares|feet|ft|yards|guests|visitors|participants|jobs|homes"
    r"|houses|villages|delegates|cars|shares|tickets|patients|children|staff|fans|respondents|refugees|families|volunteers"
    r"|cases|block|vision)\b)(?!\s*(?:(?:to|-|–)\s*[\d,.]+\s*)?[mb]illion\b)"
    r"(?!(?<=\babout \d{4})\s+(?:are|have|were)\b)"
    r"(?!\s*[€$%°])(?!\s*[/+*=×x<>]\s*\d)(?!-[a-z])(?!:\s*(?-i:A|An|The)\s)"
    r"(?!\s+to\s+\d{1,3}\b(?!\s+[A-Z]))"
    r"(?!(?:(?<=\bof \d\d[05]0)|(?<=\babout \d\d[05]0)|(?<=\baround \d\d[05]0))\s+(?-i:[a-z]+s)\b)"
    rf"{_NO_STREET}"
)


def _led_year(match: re.Match[str], now: datetime) -> Closed | None:
    """Read four digits alone as a year only behind a word that a year follows."""
    before = words_before(match.string, match.start("date"))
    is_led = re.search(_YEAR_LED, before, re.I) and not re.search(_PRICE_LED, before, re.I)
    return read.whole_year(match, now) if is_led else None


RULES: tuple[tuple[str, Reader], ...] = (
    _rule(
        r"(?#clock)\d{4}(?:-\d\d-\d\d|\d{4})T\d\d:?\d\d(?::?\d\d(?:[.,]\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?",
        read.instant,
        start=_WORD_START,
    ),
    _rule(rf"{_W}{M}\s+{D}\s+(?#colon)(?P<clock>\d\d:\d\d:\d\d(?:\s+[A-Z]{{3,4}})?)\s+{Y}", read.with_clock),
    _rule(rf"{M}\s+{D}{_DASH}{_D2}(?:,|\s+of)?\s+{YY}", read.days_of_month),
    _rule(rf"{_W}{D}(?:\s+day)?(?:\s+of\s+|[\s./-]*){M}{_OF}{YY}", read.dated, start=_DAY_START, end=_WORD_END),
    _rule(rf"{D}-{M}-(?P<y>\d\d)", read.dated, start=_DAY_START),
    _rule(rf"{_W}{M}[\s-]*(?:the\s+)?{D}(?:\s*,?\s*(?:of\s+)?|\s?-\s?){YY}", read.dated),
    _rule(rf"{Y}(?:,?\s+|[-/]){M}(?:\s+|[-/]){D}", read.dated),
    _rule(
        rf"{Y}(?#joint)(?P<sep>[-/])(?P<month>1[0-2]|0?[1-9])(?P=sep){D}", read.dated, start=_WORD_START, end=_WORD_END
    ),
    _rule(rf"{Y}\.(?P<month>[01]\d)\.(?P<d>[0-3]\d)", read.dated, end=_WORD_END),
    _rule(r"(?P<y>19\d\d|20\d\d)(?P<month>0[1-9]|1[0-2])(?P<d>[0-3]\d)", read.dated, start=_WORD_START, end=_WORD_END),
    _rule(rf"(?P<one>[0-3]?\d)(?#joint)(?P<sep>[-/.])(?P<two>[0-3]?\d)(?P=sep){Y}", read.numeric),
    _rule(r"(?P<one>[0-3]?\d)(?#slash)(?P<sep>/)(?P<two>[0-3]?\d)/(?P<y>\d\d)", read.numeric),
    _rule(rf"{Y}(?:-|,?\s+)?w(?:ee)?k?\s?(?#week)(?P<week>[0-5]?\d)(?:-[1-7])?", read.iso_week),
    _rule(rf"(?:calendar\s+)?(?:week|wk|cw|w)\.?\s?(?#week)(?P<week>[0-5]?\d)(?:\s+of|,|/)?\s*{Y}", read.iso_week),
    _rule(rf"{FEAST}{_IN_YEAR},?\s+{YY}", read.dated),
    _rule(rf"{SEASON}{_IN_YEAR},?\s+{YY}(?:[-–/]\d\d(?:\d\d)?)?", read.dated, r"(?!(?-i:Summer of ['’]))"),
    _rule(rf"{M}{_OF}{YY}(?!\s+(?:men|people|protesters|soldiers|women|workers)\b)", read.dated),
    _rule(rf"{Y}\s+{M}", read.dated),
    _rule(rf"{Y}-(?P<month>0[1-9]|1[0-2])", read.dated),
    _rule(rf"(?P<month>0?[1-9]|1[0-2])(?#slash)/{Y}", read.dated),
    _rule(rf"(?P<month>0?[1-9]|1[0-2])\.{Y}(?:(?=\s*[–-])|(?<=[–-]\d\.\d{{4}})|(?<=[–-]\d\d\.\d{{4}}))", read.dated),
    _rule(rf"(?#q)q(?P<part>[1-4])(?:{_IN_YEAR},?\s*|[/-]){_FISCAL}{YY}", read.part_of_year("quarter")),
    _rule(rf"(?#q)(?P<part>[1-4])q[\s/-]?{_FISCAL}(?P<y>\d{{4}}|['’]?\d\d)", read.part_of_year("quarter")),
    _rule(rf"(?#q){Y}[\s/-]?q(?P<part>[1-4])", read.part_of_year("quarter")),
    _rule(rf"(?#half)h(?P<part>[12])(?:{_IN_YEAR},?\s*|[/-]){_FISCAL}{YY}", read.part_of_year("half")),
    _rule(rf"(?P<part>[12])(?#half)h[\s/-]?{_FISCAL}(?P<y>\d{{4}}|['’]?\d\d)", read.part_of_year("half")),
    _rule(rf"{Y}[\s/-]?(?#half)h(?P<part>[12])", read.part_of_year("half")),
    _rule(r"(?#fiscal)(?:fy|fiscal(?:\s+year)?)[\s-]?(?P<y>['’]?\d\d|\d{4})", read.whole_year),
    _rule(r"(?#tens)(?P<y>[12]\d\d0)['’]?s", read.decade),
    _rule(r"['’](?#tens)(?P<tens>\d)0s", read.short_decade),
    _rule(
        rf"(?#tens)(?P<tens>[2-9](?=0)|{'|'.join(DECADES)})(?:0['’]?s)?{_NO_RANGE}",
        read.short_decade,
        r"(?:(?<=the )|(?<=mid-)|(?<=mid )|(?<=early )|(?<=late )|(?<=early-)|(?<=late-)|(?<=roaring ))",
    ),
    _rule(
        rf"{NTH}(?#century)[\s-](?:century|centuries|cent\.|c\.)(?:\s+(?:ad|ce)\b)?",
        read.century,
        r"(?<!\ba )(?!(?:(?<=\bhis )|(?<=\bher )|(?<=\btheir ))[a-z])(?<!turn of the )",
    ),
    _rule(rf"(?-i:AD|A\.D\.)\s*(?#era)(?P<any>\d{{1,4}})(?:{_DASH}(?P<any2>\d{{1,4}}))?", read.whole_year),
    _rule(
        r"(?#era)(?P<any>\d{1,4})(?:\s*(?:-|–|—|to)\s*(?P<any2>\d{1,4}))?\s*(?-i:AD|A\.D\.|CE|C\.E\.)",
        read.whole_year,
        end=r"(?!\w)",
    ),
    _rule(rf"{Y}(?#joint)(?P<sep>\s?[-–—]\s?|/)(?P<y2>\d{{4}}|\d\d){_COUNTED}", read.range_of_years),
    _rule(rf"{Y}(?=\s*(?:[-–—]|\bto\b)\s*(?:the\s+)?(?:present|now|date|\)))", read.whole_year),
    _rule(rf"{Y}(?=\s+(?:had|was|saw|brought|marked|ended|began)\b)", read.whole_year, r"(?<!(?-i:[A-Z]) )"),
    _rule(
        rf"{Y}(?![\"”]){_COUNTED}(?:(?<=\bin \d{{4}})|(?<=\best\. \d{{4}})|(?!\s+by\s+(?-i:[A-Z]))){_NO_NAME_OF_YEAR}",
        _led_year,
        start="",
    ),
    _rule(
        r"(?#quote)(?P<y>['’]\d\d)",
        read.whole_year,
        r"(?<!Summer of )(?:(?<=in )|(?<=since )|(?<=of )|(?<=by )|(?<=until )|(?<=before )|(?<=after )|(?<=and ))",
    ),
)
"""Each phrase with its reader, surest first."""

RELATIVE: tuple[tuple[str, Reader], ...] = (
    _rule(rf"{AMOUNT}\s+(?:(?<=week\s)|(?<=weeks\s)|(?<=fortnight\s)|(?:ago|from)\s+)(?:today|tomorrow)", read.counted),
    _rule(
        r"(?:the\s+day\s+(?:before|after)\s+)?(?#today)(?<![\"“])(?:yesterday|today|tomorrow)"
        rf"(?:\s+(?:{_DAY_PARTS}|lunchtime))?(?![\"”])",
        read.today,
    ),
    _rule(
        rf"(?#night)(?:tonight|(?:last|this)\s+(?:{_DAY_PARTS})|the\s+night\s+before\s+last)",
        read.today,
    ),
    _rule(rf"(?:the\s+)?{_WAY}\s+(?!an?\s(?!couple)|one\b){AMOUNT}{_NOT_OF}", read.rolling),
    _rule(rf"the\s+(?P<way>past)\s+(?!day){UNIT}{_NOT_OF}", read.rolling),
    _rule(rf"the\s+{_WAY}\s+(?!day){UNIT}{_NOT_OF}", read.rolling, r"\b(?:over|in|during|within|for|throughout)\s+"),
    _rule(rf"{_WAY}\s+(?!day|hour|minute){UNIT}(?P<far>)(?!-[a-z]){_NOT_OF}", read.calendar_unit),
    _rule(rf"the\s+{UNIT}\s+(?P<far>before|after)\s+(?P<way>last|next)", read.calendar_unit),
    _rule(rf"{_WAY}\s+{_RECURRING}(?P<far>){_NO_NAME}{_NOT_OF}", read.chosen, r"(?<!the (?=(?-i:[A-Z])))"),
    _rule(rf"the\s+{_RECURRING}\s+(?P<far>before|after)\s+(?P<way>last|next)", read.chosen),
    _rule(rf"{HOW_MANY}\s+{_RECURRING}e?s\s+(?#ago)ago", read.times_ago),
    _rule(rf"{AMOUNT}\s+(?#ago)(?:ago|back|from\s+now|hence)", read.counted),
    _rule(rf"{AMOUNT}\s+(?:from|on)\s+{WEEKDAY}", read.from_weekday),
    _rule(rf"{WEEKDAY}\s+week(?!['’-])", read.from_weekday),
    _rule(rf"in\s+{AMOUNT}(?:['’]s?)?(?:\s+time)?(?!\s+(?:of|or|with|\d+)\b)", read.in_time),
    _rule(rf"{NAMED_M}\s+{D}{_DASH}{_D2}(?!\s*[\d%]){_COUNTED}", read.implied_range),
    _rule(rf"{NAMED_M}\s*(?:-|–|—|to|until|till|through)\s*{_M2}(?!\s*\d)", read.implied_range, r"(?<!\ba )"),
    _rule(rf"{NAMED_M}\s+and\s+{_M2}(?!\s*\d)", read.implied_range, r"\bbetween\s+"),
    _rule(rf"{_W}{D}\s+(?:of\s+)?{NAMED_M}(?!\s*\d|['’]s){_NO_STREET}", read.implied_day, start=_DAY_START),
    _rule(rf"{_W}{NAMED_M}\s+(?:the\s+)?{D}(?!\s*(?:%|\d(?!\d?:\d\d))){_COUNTED}", read.implied_day, r"(?<!\bin )"),
    _rule(rf"{_W}(?#nth)(?P<of_month>\d\d?(?:st|nd|rd|th)){_NO_NAME}", read.implied, rf"(?={SHORT_WEEKDAY}\W)"),
    _rule(r"(?#nth)(?P<of_month>\d\d?(?:st|nd|rd|th))\s+(?P<way>inst|ult|prox)\b\.?", read.of_letter, end=""),
    _rule(r"(?#slash)(?P<month>1[0-2]|0?[1-9])/(?P<d>1[3-9]|2\d|3[01])", read.implied, _LED),
    _rule(
        rf"(?#slash)(?!24/7)(?P<d>1[3-9]|2\d|3[01])/(?P<month>1[0-2]|0?[1-9]){_ALONE}",
        read.implied,
        r"\b(?:on|since|until|till)\s+",
    ),
    _rule(rf"{ANY_WEEKDAY}{_PART}(?!\s+(?-i:[A-Z]))", read.implied, _LED),
    _rule(rf"{CAPITAL}{WEEKDAY}{_PART}", read.implied, r"\b(?:on|since|until|till)\s+"),
    _rule(rf"{CAPITAL}{WEEKDAY}\s+(?-i:{_DAY_PARTS})", read.implied, r"(?<!every )(?<!each )"),
    _rule(rf"{CAPITAL}{WEEKDAY}(?=['’]s\s+(?-i:[a-z]))", read.implied, r"(?<!(?-i:[A-Z]) )"),
    _rule(
        rf"{CAPITAL}{WEEKDAY}(?=\s*[.,;:?!)]|\s*$|\s+(?:at|that|and|in|to|after|before|as|with|from)\b)",
        read.implied,
        _NEWS,
    ),
    _rule(r"(?#weekend)(?P<weekend>weekend)(?!\s+of\b)", read.implied, _LED + r"the\s+"),
    _rule(FEAST + _NO_PLACE, read.implied, _LED),
    _rule(rf"(?#nth)(?P<of_month>\d\d?(?:st|nd|rd|th)){_ALONE}", read.implied, _LED + r"the\s+"),
    _rule(rf"{NAMED_M}(?=\s+on(?:wards?)?\b)", read.implied, r"\bfrom\s+"),
    _rule(
        rf"{NAMED_M}",
        read.implied,
        r"\b(?:in|since|from|until|till|by|during|before|after|mid|late|early|(?:end|start|beginning|middle|close|half|\w*days?|weeks?"
        r"|month|part|rest)\s+of)[\s-]+(?:early[\s-]|late[\s-]|mid[\s-])?",
        end=_NO_NAME + _NO_PERSON + r"(?!\w|\s*\d)",
    ),
)
"""Those that count from when a text was written; behind the others."""

_FEAST_WORDS = tuple({name.split()[-1][:5] for name in FEASTS})
_CLUES: dict[str, Sequence[str]] = {
    "month": MONTHS,
    "weekday": WEEKDAYS,
    "season": tuple(SEASONS),
    "feast": _FEAST_WORDS,
    "recurring": (*MONTHS, *SEASONS, *_FEAST_WORDS, *WEEKDAYS, "weekend"),
    "unit": ("day", "w", "mo", "quarter", "y", "decade", "hour", "hr", "min", "night"),
    "week": ("w",),
    "weekend": ("weekend",),
    "dash": ("-", "–", "—", "to", "and", "til", "through", "&"),
    "joint": ("-", "–", "—", "/", "."),
    "colon": (":",),
    "slash": ("/",),
    "clock": ("t0", "t1", "t2"),
    "quote": ("'", "’"),
    "tens": ("0s", "0'", "0’", "ies"),
    "nth": ("st", "nd", "rd", "th"),
    "q": ("q",),
    "half": ("1h", "2h", "h1", "h2"),
    "fiscal": ("fy", "fiscal"),
    "century": ("cent", "c."),
    "night": ("night", "morning", "afternoon", "evening"),
    "today": ("day", "tomorrow"),
    "ago": ("ago", "back", "now", "hence"),
}
"""What a text in lower case must have one of for the phrases with such a comment: most texts need few of them."""

_SHAPES = {"year": re.compile(r"[12]\d{3}|['’]\d\d|\d/\d\d"), "era": re.compile(r"A\.?D|C\.?E")}
"""What it must have for these as it is written."""


_compiled = cache(re.compile)
"""A phrase is compiled when a text first has its clues, since compiling all of them takes 50 ms."""


@cache
def _all_rules() -> list[tuple[frozenset[str], str, Reader, bool]]:
    """Return the phrases with the clues that each needs, surest first."""
    return [
        (frozenset(re.findall(r"\(\?#(\w+)\)", pattern)), pattern, reader, every is RELATIVE)
        for every in (RULES, RELATIVE)
        for pattern, reader in every
    ]


@lru_cache(maxsize=1024)
def _rules_without(
    missing: frozenset[str], is_dated: bool, has_years: bool
) -> Sequence[tuple[re.Pattern[str], Reader]]:
    return [
        (_compiled(pattern), reader)
        for needs, pattern, reader, is_relative in _all_rules()
        if not needs & missing and (is_dated or not is_relative or (has_years and reader in read.YEARLESS))
    ]


def rules(text: str, *, is_dated: bool, has_years: bool = False) -> Sequence[tuple[re.Pattern[str], Reader]]:
    """Return the phrases that may be in a text, each with its reader, surest first: matching them all takes longer.

    Of a text that is not dated itself, those that count from its date are left out, but those that only lack a year
    are not where the text has years.
    """
    has = text.lower().__contains__
    missing = {clue for clue, words in _CLUES.items() if not any(map(has, words))}
    return _rules_without(
        frozenset(missing | {shape for shape, pattern in _SHAPES.items() if not pattern.search(text)}),
        is_dated,
        has_years,
    )
