"""Relations that a verb alone does not settle: "joined" a company or a band, "directed" a film or an office."""

import re
from collections.abc import Callable

from services.extraction.rules.edges import VERSION
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


def is_version(referent: Referent) -> bool:
    """True for "3.5", "v2" and "Python 3.5"."""
    last = referent.name.split()[-1] if referent.name else ""
    return bool(VERSION.fullmatch(last)) and referent.type != "Document"


def is_person(referent: Referent) -> bool:
    """True for who may be a person: typed so, or a name of letters without a word of firms or things."""
    if referent.type == "Person":
        return True
    if is_coded(referent.name) or re.search(r"\(|\b[A-Z]{2,}\b", referent.name):
        return False
    things = ("organization", "product", "document", "place", "band", "event")
    return not referent.type and referent.proper and not any(is_kind(referent, one) for one in things)


def choose(name: str, subject: Referent, other: Referent) -> str:
    """The relation that a choice of the lexicon makes for these two; "" for none."""
    return CHOICES[name](subject, other)


def _joins(subject: Referent, other: Referent) -> str:
    if is_kind(other, "project") and not is_kind(other, "band"):
        return "WORKS_ON"
    if other.type == "Person" or other.plain in known("kin_partner", "kin_child", "kin_parent", "kin_sibling"):
        return ""
    if is_kind(other, "school") and not is_kind(other, "band"):
        return "STUDIED_AT"
    if not is_person(subject):
        return "MEMBER_OF"
    return "MEMBER_OF" if is_kind(other, "band") else "WORKS_FOR"


def _based(subject: Referent, _: Referent) -> str:
    return "LIVES_IN" if subject.type == "Person" else "BASED_IN"


def _stays(_: Referent, other: Referent) -> str:
    return "STUDIED_AT" if is_kind(other, "school") else "WORKS_FOR"


def _works(subject: Referent, other: Referent) -> str:
    if is_kind(other, "platform"):
        return "SUPPORTS"
    return "WORKS_ON" if is_person(subject) or is_kind(subject, "organization") or is_kind(subject, "band") else ""


def _takes(_: Referent, other: Referent) -> str:
    return "LEADS" if is_kind(other, "led") or is_kind(other, "organization") or is_kind(other, "band") else "WORKS_ON"


def _belongs(subject: Referent, other: Referent) -> str:
    if re.search(r"\b(?:group|holdings?|family|conglomerate)$", other.name, re.IGNORECASE):
        return "PART_OF"
    if is_person(subject) and subject.type == "Person":
        return "MEMBER_OF"
    if is_kind(other, "band") or is_person(other) or is_kind(other, "organization"):
        return "" if not is_person(subject) or subject.type != "Person" else "MEMBER_OF"
    return "PART_OF"


def _directs(_: Referent, other: Referent) -> str:
    if is_kind(other, "work") or other.type == "Work":
        return "DIRECTED"
    if any(is_kind(other, one) for one in ("organization", "project", "led", "band")) or other.type == "Organization":
        return "LEADS"
    return "DIRECTED"


def _replaces(subject: Referent, other: Referent) -> str:
    people = (
        is_person(subject)
        and is_person(other)
        and (" " in subject.name or " " in other.name or "Person" in (subject.type, other.type))
    )
    return (
        "SUCCEEDED"
        if people and "Person" in (subject.type, other.type) and subject.type in ("Person", "")
        else "REPLACES"
    )


def _buys(subject: Referent, other: Referent) -> str:
    if subject.type == "Person":
        return "OWNS"
    return "ACQUIRED" if other.proper else "OWNS" if is_kind(other, "owned") else ""


def _moves(subject: Referent, other: Referent) -> str:
    firm = is_kind(other, "organization") or (" " in other.name and other.type == "" and not is_kind(other, "place"))
    if firm and is_person(subject):
        return _joins(subject, other)
    if subject.type == "Person":
        return "LIVES_IN"
    if subject.type == "Organization" or is_kind(subject, "organization"):
        return "BASED_IN"
    return "LIVES_IN" if is_person(subject) and not subject.name.endswith("ing") else ""


def _writes(_: Referent, other: Referent) -> str:
    return "CREATED" if any(is_kind(other, one) for one in ("product", "composed")) else "AUTHORED"


def _relies(_: Referent, __: Referent) -> str:
    return "DEPENDS_ON"


def _drops(subject: Referent, _: Referent) -> str:
    return "USES" if is_person(subject) and subject.type == "Person" else ""


def _adopts(_: Referent, other: Referent) -> str:
    return "OWNS" if is_kind(other, "owned") else "USES"


def _attends(_: Referent, other: Referent) -> str:
    return "STUDIED_AT" if is_kind(other, "school") or other.type == "Organization" else "PARTICIPATED_IN"


CHOICES: dict[str, Callable[[Referent, Referent], str]] = {
    "@joins": _joins,
    "@takes": _takes,
    "@based": _based,
    "@stays": _stays,
    "@works": _works,
    "@belongs": _belongs,
    "@directs": _directs,
    "@replaces": _replaces,
    "@buys": _buys,
    "@moves": _moves,
    "@writes": _writes,
    "@relies": _relies,
    "@drops": _drops,
    "@adopts": _adopts,
    "@attends": _attends,
    "@added": lambda _subject, _other: "INTRODUCES",
    "@removed": lambda _subject, _other: "REMOVES",
}
"""The relation that a choice of the lexicon stands for, by the choice's name: it depends on both ends."""
