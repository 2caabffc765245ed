"""What may fill a place of the lexicon, and which relations cannot hold between two things."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from services.extraction.rules.choices import is_kind, is_person, is_version
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import USER, Referent

_TICKET = re.compile(r"[A-Z]+-\d+|#\d+|(?:[Tt]icket|[Ii]ssue) \S+")
TYPES = ("Document", "Project", "Work", "Event")
_PROPOSALS = ("propose", "describe", "define", "specify")
_MADE = ("product", "organization", "work", "project", "founded", "document")
_NEEDY = ("USES", "DEPENDS_ON", "SUPPORTS")


@dataclass(frozen=True, slots=True)
class Ends:
    """The two ends of a fact to be, whether the clause's subject is its source, and the verb that tells it."""

    source: Referent
    target: Referent
    forward: bool
    verb: str


def fits(other: Referent, wanted: str, frame: Frame) -> bool:
    """True when a thing is what a line of the lexicon wants at its other end: a type, or "@" and a word for it."""
    if wanted in FITS:
        return FITS[wanted](other, frame)
    return is_kind(other, wanted[1:]) if wanted.startswith("@") else True


def plausible(relation: str, ends: Ends) -> bool:
    """False for what a relation cannot hold between."""
    return not any(relation in relations and wrong(ends) for relations, wrong in _IMPOSSIBLE)


def _is_any(referent: Referent, categories: tuple[str, ...]) -> bool:
    return any(is_kind(referent, category) for category in categories)


def _organization(other: Referent, frame: Frame) -> bool:
    if not other.proper:
        return _is_any(other, ("organization", "band", "school"))
    return other.type != "Person" or " " not in other.name or (other.at >= 0 and not frame.passive)


def _is_code(other: Referent) -> bool:
    """True for "HTTP", "LoRaWAN" and "MQTT 5": capitals inside, or a number."""
    return bool(re.search(r"[A-Z][A-Z]|[a-z][A-Z]|\d", other.name))


def _coded(other: Referent, _: Frame) -> bool:
    if is_kind(other, "programming"):
        return True
    return other.proper and other.type not in ("Place", "Person", "Event") and not is_kind(other, "language")


FITS: dict[str, Callable[[Referent, Frame], bool]] = {
    "Organization": _organization,
    "Place": lambda other, _: (
        (other.proper and not re.search(r"[a-z][A-Z]|[\d_()]", other.name)) or is_kind(other, "place")
    ),
    "Person": lambda other, _: is_person(other) or (other.proper and not is_version(other)),
    "Product": lambda other, _: other.proper or is_kind(other, "product"),
    "@cannot": lambda _, frame: any(c.dep_ == "aux" and c.lower_ in ("ca", "can") for c in frame.verb.children),
    "@version": lambda other, _: is_version(other) or (other.type == "Document" and other.name[-1:].isdigit()),
    "@ticket": lambda other, _: bool(_TICKET.fullmatch(other.name)),
    "@comes": lambda other, frame: other.type != "Place" and (is_kind(other, "organization") or "to" in frame.slots),
    "@proper": lambda other, _: other.proper,
    "@coded": _coded,
    "@format": lambda other, _: other.proper and (_is_code(other) or _is_any(other, ("programming", "format"))),
    "@protocol": lambda other, _: other.proper and _is_code(other) and other.type != "Document",
    "@made": lambda other, _: other.proper or _is_any(other, ("product", "work")),
    "@owner": lambda other, _: is_person(other) or _is_any(other, ("band", "organization")),
    "@sold": lambda other, _: other.proper or is_kind(other, "owned"),
    "@car": lambda other, _: other.proper or is_kind(other, "owned"),
    "@group": lambda other, _: is_kind(other, "band") or (other.proper and not _is_any(other, ("work", "event"))),
    "@performed": lambda other, _: other.type in ("Work", "Event") or _is_any(other, ("work", "event", "award")),
    "@joinable": lambda other, frame: _organization(other, frame) or is_kind(other, "project"),
    "@task": lambda other, _: (other.proper and other.type != "Person") or _is_any(other, ("project", "product")),
    "@project": lambda other, _: other.proper or is_kind(other, "project"),
}


def _is_common(referent: Referent) -> bool:
    return not referent.proper and referent.name != USER


def _is_nothing(ends: Ends) -> bool:
    things = ("product", "organization", "project", "document", "band", "led", "role")
    return _is_common(ends.source) and not (ends.target.proper and _is_any(ends.source, things))


def _proposes_nothing(ends: Ends) -> bool:
    source = ends.source
    if source.type == "Person" or not (source.proper or _is_any(source, ("document", "product"))):
        return True
    named = re.search(r"\d", source.name) or _is_any(source, ("document", "product")) or source.type == "Document"
    return ends.verb in _PROPOSALS and not named


def _owns_nothing(ends: Ends) -> bool:
    """Plural common nouns, and a part of a firm that a firm bought."""
    target = ends.target
    if target.proper:
        return False
    firms = target.type == "Organization" and ends.source.type == "Organization"
    return firms or (target.name.endswith("s") and not target.name.endswith("ss"))


_IMPOSSIBLE: tuple[tuple[tuple[str, ...], Callable[[Ends], bool]], ...] = (
    (_NEEDY, _is_nothing),
    (("SUPPORTS",), lambda ends: ends.source.type == "Document" and not ends.target.proper),
    (("DEPENDS_ON", "HAS_STATUS"), lambda ends: ends.source.type == "Person"),
    (("MARRIED_TO", "SIBLING_OF"), lambda ends: _is_common(ends.source) or _is_common(ends.target)),
    (("WORKS_FOR",), lambda ends: not ends.forward and ends.target.type == "Person" and " " in ends.target.name),
    (("WON",), lambda ends: not ends.forward and not is_kind(ends.target, "award")),
    (("REPORTS_TO",), lambda ends: not (is_person(ends.source) and is_person(ends.target))),
    (("LOCATED_IN",), lambda ends: not ends.source.proper and not _is_any(ends.source, ("place", "organization"))),
    (("PERFORMED_IN", "DIRECTED"), lambda ends: not ends.target.proper),
    (("INTRODUCES", "REMOVES"), _proposes_nothing),
    (
        ("CREATED", "AUTHORED", "FOUNDED", "WON", "ACQUIRED"),
        lambda ends: _is_common(ends.source) and not (ends.source.type == "Organization" and ends.source.sure > 0.8),
    ),
    (("FOUNDED",), lambda ends: ends.target.type == "Place"),
    (("CREATED", "FOUNDED"), lambda ends: not ends.target.proper and not _is_any(ends.target, _MADE)),
    (("AUTHORED",), lambda ends: not ends.target.proper and not _is_any(ends.target, ("document", "work"))),
    (("LEADS",), lambda ends: not ends.target.proper and not _is_any(ends.target, ("led", "project", "band"))),
    (("WORKS_ON",), lambda ends: not ends.target.proper and ends.target.name.endswith("s") and ends.verb == "work"),
    (("OWNS",), _owns_nothing),
)
