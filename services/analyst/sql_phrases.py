"""A question about tables in plainer words: without what only says which columns to show, with dates put shortly."""

import re

from services.analyst.parsed_question import unwrapped
from services.analyst.sql_words import words_named
from services.analyst.unit_names import UNITS
from services.language.numbers import number

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_SCALED = re.compile(r"\b\d+(?:\.\d+)?k\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!;,])\s+|\s+(?=\()|\s[-–—]\s")
_ASIDE = re.compile(r" \([^()]*\)")
_RANKS = re.compile(r"\b(?:most|least|fewest|top|bottom|best|worst|\w{3,}est)\b", re.IGNORECASE)
_NUMBER_OF = re.compile(r"\b(?:numbers?|counts?|totals?|sums?|how many)(?: of)?(?: the)? \w+")
_OUTPUT = words_named("output")
_FIGURES = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|fifty|hundred"
_NUMBERS = rf"\d+|{_FIGURES}"
_YEAR = r"((?:1[5-9]|20)\d\d)"
_OF_TIME = "|".join(name for name, (what, _) in UNITS.items() if what == "time" and f"{name}s" in UNITS)
_ON_AVERAGE = "on average"
_AVERAGE = f"(?: {_ON_AVERAGE})?"
_DONE = rf"(?:get |be )?(\w+)(?: (?:it|them|things?|something))?{_AVERAGE}"
_PLAINER = [
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        (r"\b(?:in terms of|as measured by|measured by|judged by)\b", "by"),
        (r"\b(share|proportion|percentage) \((?:in|as a) (?:percent|percentage|%)\)", r"\1"),
        (
            r"\b(?:(?:from|in|since|as of) )?((?:1[5-9]|20)\d\d) (?:onwards?|or later|(?:and|or) after|and later)\b",
            r"since \1",
        ),
        (rf"\bfrom {_YEAR} on\b", r"since \1"),
        (
            rf"(?<!start)(?<!begin)(?<!run)(?<!date)(?<!year)s from {_YEAR}(?=\W*$|, [a-z]| (?:per|by|for each)\b)",
            r"s in \1",
        ),
        (r"\b(\w{3,}) by \1\b", r"per \1"),
        (r"\b(?:from )?(year|month|quarter|week) (?:to|on|over) \1\b", r"per \1"),
        (r"\bover the (year|month|quarter|week)s\b", r"per \1"),
        (rf"\b(?:by|per|each|every) (month|quarter|week|day) (?:of|in|during) {_YEAR}", r"per \1 in \2"),
        (r"\bhow often\b", "how many times"),
        (r"\b(?:an? |the )?zero (\w+)", r"\1 of 0"),
        (r"(?<!\d)(?<!\d ) ?% of\b", " percentage of"),
        (r"\b(?:awaiting|(?:still )?waiting for) (?=(?:an?|the|their) )", "without "),
        (r"\b(?:still|yet) to be (?=\w+(?:ed|[a-z]n)\b)", "not yet "),
        (
            rf"^(?!how many|(?:the )?average)(\w+(?: \w+)?) per (\w+),? {_ON_AVERAGE}\W*$",
            r"how many \1 per \2 on average",
        ),
        (r"\b(?:nos?|nrs?)\.? of\b", "number of"),
        (
            r"^(?!.*\b(?:how many|which)\b)(.+?) (?:per|by|for each) (\w+(?: \w+)?)( in \d{4})?,"
            rf" (top|best|bottom|worst) ({_NUMBERS})\W*$",
            r"\4 \5 \2 by \1\3",
        ),
        (r"^(on average),? (how many \w+) (?:do|does) (?:an?|each|every|the average) (\w+) \w+", r"\2 per \3 \1"),
        (
            rf"^(how many (?!(?:{_OF_TIME})s?\b)\w+) (?:do|does) (?:an?|each|every) (\w+) \w+ (on average)",
            r"\1 per \2 \3",
        ),
        (r"(?<=[a-z]{2}s) an? (year|quarter|month|week|day)\b", r" per \1"),
        (rf"\bthan an? (?=(?:{_OF_TIME}|week|year)\b)", "than 1 "),
        (
            rf"\bhow (?:long|many days) (?:do|does|did) (?:(?:it|we|they)|(.+?)) take(?: us)?{_AVERAGE} to {_DONE}",
            r"average days to \2 \1",
        ),
        (
            rf"\bhow (?:long|many days) (?:do|does|did) (.+?) take{_AVERAGE} from (\w+) to (\w+)",
            r"average days from \2 to \3 for \1",
        ),
        (rf"\bhow (?:long|many days) (?:do|does|did) (.+?) (?:take|last)\b{_AVERAGE}", r"average turnaround of \1"),
        (rf"\b(?:takes?|took) (?:the )?longest(?: time)? to {_DONE}", r"has the highest average days to \1"),
        (rf"\b(?:takes?|took) (?:the )?(?:shortest|least time) to {_DONE}", r"has the lowest average days to \1"),
        (r"\b(?:time|turn-?around|duration|lag) \((?:from )?(\w+) (?:to|until) (\w+)\)", r"days from \1 to \2"),
        (r"^(?!how many)(.*?)[:,;] how many\W*$", r"how many \1?"),
        (r"\(s\)", "s"),
        (r"\$ ?(\d+(?:\.\d+)?)", r"\1 dollars"),
        (r"€ ?(\d+(?:\.\d+)?)", r"\1 euros"),
        (r"£ ?(\d+(?:\.\d+)?)", r"\1 pounds"),
        (r" ?\([^()]*\b(?:and so on|and so forth|and the like|etc)\b[^()]*\)", ""),
        (r"\bcubic met(?:er|re)s?(?!\w)|\bm³|(?<=\d )m3\b|(?<=\bin )m3\b|(?<=\bper )m3\b", "cbm"),
        (r"\bsq(?:uare)?\.? ?m(?:et(?:er|re)s?)?\b|\bm[2²]|\bsqm\b", "sqm"),
        (r"\bdays? of the week\b|\bweek days?\b", "weekday"),
        (r"\b(?:in|during|from) the ((?:1[5-9]|20)\d)0s\b", r"from \g<1>0 to \g<1>9"),
        (
            rf"\b(which|what|who)\b(.*)\? (?:give me|show me|name|list|top|just)? ?({_NUMBERS})(?: please)?\W*$",
            r"\1 \3\2?",
        ),
    )
]
_EXAMPLE = re.compile(r" ?\(\s*e\.?\s?g\b[^()]*\)", re.IGNORECASE)
"""Values that are given as examples; "such as" and "namely" may say which are meant."""
_COMPARED = re.compile(
    rf"(?<=than |east |most |over |ctly )({_FIGURES})\b|\b({_FIGURES})(?=(?: or (?:more|fewer|less)|-[a-z]))",
    re.IGNORECASE,
)


def in_plain_words(question: str) -> str:
    """Return a question without politeness and without the parts that only name columns to show."""
    text = _THOUSANDS.sub("", unwrapped(_EXAMPLE.sub("", question)))
    text = _SCALED.sub(lambda found: f"{number(found[0]):g}", text)
    for pattern, plain in _PLAINER:
        text = pattern.sub(plain, text)
    text = _COMPARED.sub(lambda found: f"{number(found[0].lower()):g}", text)
    return _without_output(text)


def _without_output(text: str) -> str:
    """Leave out "Names and counts please." and "(by name)" of a question that ranks: it shows them anyway."""
    text = _ASIDE.sub(lambda found: "" if _is_output(found[0]) else found[0], text)
    first, *others = _SENTENCE.split(text)
    if not _RANKS.search(first):
        return text
    return " ".join([first, *(one for one in others if not _is_output(one))])


def _is_output(part: str) -> bool:
    bare = _NUMBER_OF.sub("", part.lower())
    return all(word in _OUTPUT for word in re.findall(r"[\w']+", bare))
