"""Names in a sentence that its records do not hold."""

from services.language.inflection import stem
from services.retrieval.tokens import STOP_WORDS
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import GENERAL, meanings, word_set

_TITLES = word_set("""
    dr mr mrs ms prof sir dame lord lady i utc gmt ad bc ce bce am pm january february march april may june july
    august september october november december monday tuesday wednesday thursday friday saturday sunday jan feb
    mar apr jun jul aug sep sept oct nov dec undated note ok yes no christmas easter""")
_FINITE = word_set("is was are were has had have became joined wrote left will did does held got")
_NOUN_ENDINGS = ("ing", "ship", "tion", "ment", "ness", "ity", "ance", "ence", "ly", "s")


def unknown_names(reading: ReadSentence, known: frozenset[str], cited: frozenset[str]) -> list[str]:
    """The names in a sentence that are in none of its records: `known` are the stems there, `cited` the names' keys."""
    odd = [word.text for word in reading.names if word.name not in cited]
    words = [word for word in reading.words if word.is_word]
    for i, word in enumerate(words):
        following = words[i + 1] if i + 1 < len(words) else None
        if not word.name and _is_name_like(reading, word, following) and not _is_held(word, known):
            odd.append(word.text)
    return odd


def _is_held(word: ReadWord, known: frozenset[str]) -> bool:
    if word.lower in _TITLES or word.lower in GENERAL or stem(word.lower) in known or word.lower in known:
        return True
    if any(meaning in known for meaning, _ in meanings(word.lower)):
        return True
    parts = [part for part in word.lower.replace("/", "-").replace(".", "-").split("-") if part]
    return len(parts) > 1 and all(stem(part) in known or part in GENERAL for part in parts)


def _is_name_like(reading: ReadSentence, word: ReadWord, following: ReadWord | None) -> bool:
    """True for a capital within the sentence, for letters with digits, and for an opening word that reads as a name."""
    if word.text[:1].isdigit() or (any(c.isdigit() for c in word.text) and word.text[:1].isalpha()):
        return True
    if word.text.endswith("s") and word.text[:-1].isupper() and len(word.text) > 2:
        return False  # the plural of an acronym names a kind of thing
    if any(c.isupper() for c in word.text[1:]):
        return True
    if not word.text[:1].isupper():
        return False
    if word.start and reading.text[: word.start].rstrip()[-1:] not in (":", '"', "(", "–", "|"):
        return True
    if word.lower in STOP_WORDS or word.lower in GENERAL:
        return False
    goes_on = (
        following is not None
        and following.text[:1].isupper()
        and not following.name
        and following.start - word.end <= 2
    )
    is_subject = following is not None and following.lower in _FINITE and not word.lower.endswith(_NOUN_ENDINGS)
    return goes_on or is_subject or (following is not None and following.lower == "'s")
