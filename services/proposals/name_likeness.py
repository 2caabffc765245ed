"""When a name in a text is an entity's: the same, the same but for its spelling, or near enough to ask."""

from services.core.models import Entity
from services.language.names import name_key
from services.mirror.name_candidates import COMPANY_FORMS, SMALL_WORDS

_LEAST_FOR_A_SLIP = 5
"""In shorter names one letter makes another name."""


def same_type(type_: str, entity: Entity) -> bool:
    """True where types do not keep them apart; a missing type matches any."""
    return not type_ or not entity.types or type_ in entity.types


def likeness(name: str, type_: str, entity: Entity) -> str:
    """Why `name` may stand for an entity of another name, in words; empty where nothing speaks for it."""
    one, other = name_key(name), name_key(entity.name)
    if one == other:
        return "" if same_type(type_, entity) else f"the same name, but of type {entity.type}"
    if not same_type(type_, entity):
        return ""
    kinds = {type_, *entity.types}
    may_be_person = kinds <= {"", "Person"}
    if may_be_person and _is_last_name(one, other):
        return "a last name"
    if may_be_person and _is_initialled(one, other):
        return "the same last name with matching initials"
    if "Person" not in kinds and (_shortens(name, entity.name) or _shortens(entity.name, name)):
        return "an acronym"
    if _without_form(one) == _without_form(other):
        return "the same name except for the legal form"
    return "one letter apart" if _is_slip(one, other) else ""


def is_part(name: str, entity: Entity) -> bool:
    """True where an entity's name has all words of `name` and others; small words and forms of companies tell none."""
    words = set(name_key(name.replace(",", " ")).split())
    return bool(words - {*SMALL_WORDS, *COMPANY_FORMS}) and words < set(name_key(entity.name.replace(",", " ")).split())


def _is_last_name(one: str, other: str) -> bool:
    short, long = sorted((one.split(), other.split()), key=len)
    return len(short) == 1 and len(long) > 1 and short[0] == long[-1]


def _is_initialled(one: str, other: str) -> bool:
    """“J. Smith” and “John Smith”, “J. R. Smith” and “John Smith”; not “Ann Smith” and “Abe Smith”."""
    (*given, last), (*other_given, other_last) = one.split() or [""], other.split() or [""]
    if last != other_last or not given or not other_given:
        return False
    pairs = list(zip(given, other_given, strict=False))
    fits = all(a == b or (min(len(a), len(b)) == 1 and a[0] == b[0]) for a, b in pairs)
    return fits and (len(given) != len(other_given) or any(a != b for a, b in pairs))


def _shortens(short: str, long: str) -> bool:
    letters = "".join(word[0] for word in name_key(long).split() if word not in SMALL_WORDS)
    written = short.replace(".", "")
    return len(letters) > 1 and written.isupper() and written.casefold() == letters


def _without_form(name: str) -> str:
    words = name.replace(",", " ").split()
    return " ".join(words[:-1] if len(words) > 1 and words[-1] in COMPANY_FORMS else words)


def _is_slip(one: str, other: str) -> bool:
    """One letter more, less, other, or two exchanged; and the same digits."""
    if (
        min(len(one), len(other)) < _LEAST_FOR_A_SLIP
        or abs(len(one) - len(other)) > 1
        or _digits(one) != _digits(other)
    ):
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, other_rest = one[start:], other[start:]
    exchanged = rest[:2] == other_rest[:2][::-1] and rest[2:] == other_rest[2:]
    return exchanged or rest[1:] == other_rest[1:] or rest[1:] == other_rest or rest == other_rest[1:]


def _digits(name: str) -> str:
    return "".join(letter for letter in name if letter.isdigit())
