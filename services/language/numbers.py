"""How English writes numbers: in figures, in words, as counts, ordinals and fractions."""

import re

_BELOW_TWENTY = str.split(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = str.split("twenty thirty forty fifty sixty seventy eighty ninety")
_NTH_BELOW_TWENTY = str.split(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_CARDINALS = {
    **{word: n for n, word in enumerate(_BELOW_TWENTY)},
    **{word: 10 * n for n, word in enumerate(_TENS, 2)},
    "couple": 2,
    "twice": 2,
    "thrice": 3,
}
_MULTIPLES = {"dozen": 12, "hundred": 100}
_SCALES = {
    "thousand": 10**3,
    "k": 10**3,
    "million": 10**6,
    "m": 10**6,
    "billion": 10**9,
    "bn": 10**9,
    "trillion": 10**12,
}
_PARTS_OF_ONE = {"half": 0.5, "quarter": 0.25, "three-quarters": 0.75}

ORDINALS = {
    **{word: n for n, word in enumerate(_NTH_BELOW_TWENTY)},
    **{f"{word[:-1]}ieth": 10 * n for n, word in enumerate(_TENS, 2)},
    **{
        f"{tens}-{word}": 10 * n + one
        for n, tens in enumerate(_TENS, 2)
        for one, word in enumerate(_NTH_BELOW_TWENTY[1:10], 1)
    },
}
"""The ordinals below a hundred, those of two words with a hyphen."""

FRACTIONS = {"half": 2, "quarter": 4} | {word: n for word, n in ORDINALS.items() if 3 <= n <= 10}
"""By what the name of a fraction divides; in the singular."""

_ONES = "|".join(_BELOW_TWENTY[1:10])
_SMALL = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-]+(?:{_ONES}))?|{'|'.join(_BELOW_TWENTY)})\b"
_SCALE = r"(?:thousand|million|billion|trillion)\b"
_PART = r"(?:\s+and\s+(?:a\s+)?(?:half|quarter|three[\s-]+quarters)\b)?"
_FIGURE = r"(?:\d{1,3}(?:[,\u202f ]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)*)"


def _in_words(part: str = "") -> str:
    hundred = rf"[\s-]+hundred\b(?:(?:\s+and\s+|[\s-]+){_SMALL})?"
    return (
        rf"(?:{_SMALL}|an?(?=[\s-]+(?:dozen|hundred|{_SCALE})\b)){part}(?:[\s-]+dozen\b|{hundred})?"
        rf"(?:[\s-]+{_SCALE}(?:(?:(?<=thousand)\s+and\s+|[\s-]+){_SMALL}(?:{hundred})?)?)*{part}"
    )


CARDINAL = rf"(?:\d+|{_SMALL})"
"""A pattern of a whole number, below a hundred if it is in words: "420", "forty-two"."""

COUNT = rf"(?:\d{{1,3}}|(?:an?\s+)?couple\s+of|{_in_words()}|an?)"
"""A pattern of how many there are of what is named next: "3", "twenty", "a couple of", "a"."""

NUMBER = (
    rf"(?:{_FIGURE}{_PART}(?:(?:[\s-]+(?:dozen|hundred|{_SCALE})\b)+{_PART}|(?:k|m|bn)\b)?"
    r"|an?\s+couple\b(?:\s+of\b)?|couple\s+of\b|twice\b|thrice\b"
    rf"|half[\s-]+an?[\s-]+(?:dozen|hundred|{_SCALE})\b|(?:half|quarter)[\s-]+{_SCALE}|{_in_words(_PART)})"
)
"""A pattern of a number in figures or words, with its scales: "1,500", "1.2 million", "two dozen", "half a million"."""

_TOKEN = re.compile(r"three[\s-]+quarters|[a-z]+|\d[\d,.\s\u202f]*")


def number(text: str) -> float:
    """Return the number that a text is, as `NUMBER` and `COUNT` find it.

    A version has a number that no other version has: 3.10.2 is a bit more than 3.1.
    """
    total = small = 0.0
    scale = 1
    for token in _TOKEN.findall(text.lower()):
        word = re.sub(r"\s+", "-", token) if token[0] == "t" else token
        if word in _MULTIPLES:
            small = (small or 1) * _MULTIPLES[word]
        elif word in _SCALES:
            scale = _SCALES[word]
            total, small = total + (small or (0 if total else 1)) * scale, 0.0
        elif word in _PARTS_OF_ONE:
            small += _PARTS_OF_ONE[word] * (scale if not small else 1)
        elif word[0].isdigit():
            small += _figure(word)
        else:
            small += _CARDINALS.get(word, 0)
    return total + small or float(text.lower() in ("a", "an"))


def _figure(text: str) -> float:
    first, *parts = re.sub(r"[,\s\u202f]", "", text).rstrip(".").split(".")
    whole = float(f"{first}.{parts[0]}" if parts else first)
    return whole + sum(int(part) * 1e-4**n for n, part in enumerate(parts[1:], 1))


def ordinal(text: str) -> int:
    """Return the number of an ordinal: "3rd", "third", "twenty first"."""
    word = re.sub(r"\s+", "-", text.lower())
    return ORDINALS[word] if word in ORDINALS else int(re.sub(r"\D", "", word))
