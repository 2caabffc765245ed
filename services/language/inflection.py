"""The forms of English words: of verbs, of nouns, and the stems that join them."""

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import Stemmer

_stemmer = Stemmer.Stemmer("english")
_VERBS = [
    line.split()
    for line in (Path(__file__).parent / "irregular_verbs.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
_PASTS = {verb: past.strip("()") for verb, past, *_ in _VERBS}
_PARTICIPLES = {verb: forms[1] for verb, *forms in _VERBS if len(forms) > 1} | {
    verb: verb for verb in ("become", "come", "run")
}
"""The participles that differ from the past."""
_BASES = {form: verb for verb, *forms in _VERBS for form in forms if not form.startswith("(")}
_PAST_FORMS = frozenset(form.strip("()") for verb, *forms in _VERBS if verb not in ("be", "have") for form in forms)
IRREGULAR_VERBS = frozenset(verb for verb, past in _PASTS.items() if past not in (f"{verb}d", f"{verb}ed"))
"""The verbs whose past does not end with "ed"; of some it is the verb itself: "put"."""

_PREFIX = re.compile(r"(?:re|out|over|under|mis|fore|up|with|co(?=-|.{4}))-?(?=...)")
_LIKE_PASTS = frozenset(
    str.split(
        "need embed feed succeed proceed exceed speed bleed breed seed weed deed reed bed red shed wed sled indeed "
        "hundred unrelated dated undated sacred naked kindred"
    )
)
_DOUBLES = re.compile(
    r"(?:^(?:qu|[^aeiou])*[aeiou][bdfgklmnprtvz]|fer|mit|pel|cur|trol|gret|bed|quip|nap|mat|gram)$(?<!offer)(?<!differ)"
    r"(?<!suffer)(?<!limit)(?<!vomit)"
)
"""Verbs that double their last letter before "ed"."""
_PLURALS = {"person": "people", "man": "men", "woman": "women", "child": "children"}


@functools.lru_cache(maxsize=65_536)
def base_of(word: str) -> str:
    """Return the verb of an irregular form in lower case: "write" of "wrote"; any other word is returned as it is."""
    if word in _BASES:
        return _BASES[word]
    prefix = _PREFIX.match(word)
    bare = word[prefix.end() :] if prefix else ""
    return word[: -len(bare)] + _BASES[bare] if bare in _BASES and bare not in _PASTS else word


@functools.lru_cache(maxsize=65_536)
def possible_bases(word: str) -> frozenset[str]:
    """Return what the verb of a form may be: "carry" of "carries", "use" and "us" of "used", "teach" of "taught"."""
    found = {word, base_of(word)}
    for ending, others in (
        ("ies", ("y",)),
        ("es", ("", "e")),
        ("s", ("",)),
        ("ied", ("y",)),
        ("ed", ("", "e")),
        ("ing", ("", "e")),
    ):
        if word.endswith(ending):
            found |= {word.removesuffix(ending) + other for other in others}
    return frozenset(found | {re.sub(r"(.)\1$", r"\1", base) for base in found})


def past_of(verb: str) -> str:
    """Return the past of a verb: "wrote" of "write", "preferred" of "prefer"."""
    return _in_form(verb, _PASTS)


def participle_of(verb: str) -> str:
    """Return the past participle of a verb: "written" of "write", "preferred" of "prefer"."""
    return _in_form(verb, {**_PASTS, **_PARTICIPLES})


def _in_form(verb: str, irregular: Mapping[str, str]) -> str:
    prefix = _PREFIX.match(verb)
    bare = verb[prefix.end() :] if prefix and verb not in irregular else verb
    if bare in irregular:
        return verb[: len(verb) - len(bare)] + irregular[bare]
    if verb.endswith("e"):
        return f"{verb}d"
    if _ends_in_y(verb):
        return f"{verb[:-1]}ied"
    return f"{verb}{verb[-1] if _DOUBLES.search(verb) else ''}ed"


def third_person(verb: str) -> str:
    """Return a verb as "he" or "she" does it: "writes", "carries"."""
    if verb in ("be", "have"):
        return "is" if verb == "be" else "has"
    return _with_s(verb, r"(?:s|x|ch|sh|o|z)$")


def without_s(verb: str) -> str:
    """Return the verb of a third person: "write" of "writes", "carry" of "carries"."""
    if verb in ("is", "has"):
        return "be" if verb == "is" else "have"
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "goes", "does")) else verb[:-1]


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    return _PLURALS.get(noun) or _with_s(noun, r"(?:s|x|ch|sh)$")


def _with_s(word: str, hissing: str) -> str:
    if re.search(hissing, word):
        return f"{word}es"
    return f"{word[:-1]}ies" if _ends_in_y(word) else f"{word}s"


def _ends_in_y(word: str) -> bool:
    return re.search(r"[^aeiou]y$", word) is not None


@functools.lru_cache(maxsize=65_536)
def is_past(word: str) -> bool:
    """Say whether a word in lower case is a past or a participle, as far as its letters tell: "wrote", "supported"."""
    if word in _PASTS:
        return word in _BASES
    prefix = _PREFIX.match(word)
    return (
        word in _PAST_FORMS
        or (word.endswith("ed") and word not in _LIKE_PASTS)
        or (prefix is not None and word[prefix.end() :] in _BASES)
    )


def stems_of(words: Sequence[str]) -> list[str]:
    """Return the Snowball stem of each word in lower case."""
    found: list[str] = _stemmer.stemWords(words)
    return found


@functools.lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem that the forms of a word share: "wrote" and "writes", "author" and "author's"."""
    return stems_of([base_of(word.lower().removesuffix("'s").removesuffix("'"))])[0]


_SUFFIXES = {""} | set(
    str.split(
        "e ed d s es n en al ing ion ation ance ence ment ised ized ising izing ise ize isation ization ated ating ate "
        "ity y ive able t"
    )
)
_LEAST_SHARED = 4


def is_form_of(word: str, value: str) -> bool:
    """True for two forms of one word: "withdrawal" and "withdrawn"."""
    if not value.isalpha() or word[:_LEAST_SHARED] != value[:_LEAST_SHARED]:
        return False
    shared = next((n for n, (a, b) in enumerate(zip(word, value, strict=False)) if a != b), min(len(word), len(value)))
    return any(
        cut >= max(_LEAST_SHARED, len(value) - 3) and word[cut:] in _SUFFIXES and value[cut:] in _SUFFIXES
        for cut in range(shared, _LEAST_SHARED - 1, -1)
    )
