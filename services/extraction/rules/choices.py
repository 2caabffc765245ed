"""Relations that a verb alone does not settle: "joined" a company or a band, "directed" a film or an office."""

import re
from collections.abc import Callable

from services.extraction.rules.mentions import Referent, is_coded
from services.extraction.rules.word_categories import known


def is_kind(referent: Referent, category: str) -> bool:
    """True when one of the words of its name is in a category of words, or its last one without the plural."""
    words = re.findall(r"[\w#+.-]+", referent.name.lower())
    listed = known(category)
    return bool(words) and (
        any(word in listed for word in words)
        or words[-1].rstrip("s") in listed
        or referent.plain in listed
        or referent.name.lower() in listed
    )


def is_person(referent: Referent) -> bool:
    """True for who may be a person: typed so, or a name of letters without a word of firms or things."""
    if referent.type == "Person":
        return True
    if is_coded(referent.name) or re.search(r"\(|\b[A-Z]{2,}\b", referent.name):
        return False
    things = ("organization", "product", "document", "place", "band", "event")
    return not referent.type and referent.proper and not any(is_kind(referent, one) for one in things)


def _joins(subject: Referent, other: Referent) -> str:
    if other.plain in known("job"):
        return ""
    if is_kind(other, "project") and not is_kind(other, "band"):
        return "WORKS_ON"
    if is_kind(other, "school") and not is_kind(other, "band"):
        return "STUDIED_AT"
    return "WORKS_FOR" if is_person(subject) and not is_kind(other, "band") else "MEMBER_OF"


def _directs(_: Referent, other: Referent) -> str:
    firms = any(is_kind(other, one) for one in ("organization", "project", "led", "band"))
    return "LEADS" if firms or other.type == "Organization" else "DIRECTED"


def _replaces(subject: Referent, other: Referent) -> str:
    people = is_person(subject) and is_person(other) and "Person" in (subject.type, other.type)
    return "SUCCEEDED" if people else "REPLACES"


def _buys(subject: Referent, other: Referent) -> str:
    if subject.type == "Person":
        return "OWNS"
    return "ACQUIRED" if other.proper else "OWNS" if is_kind(other, "owned") else ""


def _moves(subject: Referent, _: Referent) -> str:
    return "BASED_IN" if subject.type == "Organization" or is_kind(subject, "organization") else "LIVES_IN"


def _writes(_: Referent, other: Referent) -> str:
    return "CREATED" if any(is_kind(other, one) for one in ("product", "composed")) else "AUTHORED"


def _drops(subject: Referent, _: Referent) -> str:
    return "USES" if subject.type == "Person" else ""


def _attends(_: Referent, other: Referent) -> str:
    return "STUDIED_AT" if is_kind(other, "school") or other.type == "Organization" else "PARTICIPATED_IN"


CHOICES: dict[str, Callable[[Referent, Referent], str]] = {
    "@joins": _joins,
    "@directs": _directs,
    "@replaces": _replaces,
    "@buys": _buys,
    "@moves": _moves,
    "@writes": _writes,
    "@drops": _drops,
    "@attends": _attends,
}
"""The relation that a choice of the lexicon stands for, by the choice's name: it depends on both ends."""
