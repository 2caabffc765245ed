"""What clauses tell of versions and documents: releases, what they add and remove, what they propose."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from services.extraction.rules import verbs
from services.extraction.rules.choices import is_version
from services.extraction.rules.edges import VERSION
from services.extraction.rules.findings import Reading
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import Referent
from services.extraction.rules.times import Times

if TYPE_CHECKING:
    from spacy.tokens import Token


def read(reading: Reading, frame: Frame, base: float) -> None:
    """Adds what such a clause tells."""
    versions(reading, frame)
    _been_supported(reading, frame, base)
    _in_version(reading, frame, base)
    _proposed(reading, frame, base)


_PROPOSED = {
    "add": "INTRODUCES",
    "introduce": "INTRODUCES",
    "include": "INTRODUCES",
    "create": "INTRODUCES",
    "support": "INTRODUCES",
    "allow": "INTRODUCES",
    "enable": "INTRODUCES",
    "provide": "INTRODUCES",
    "define": "INTRODUCES",
    "remove": "REMOVES",
    "deprecate": "REMOVES",
    "drop": "REMOVES",
}


def _proposed(reading: Reading, frame: Frame, base: float) -> None:
    """ "This PEP proposes adding a module": what a proposal proposes, it introduces or removes."""
    relation = _PROPOSED.get(frame.verb.lemma_)
    if (
        relation is None
        or frame.verb.dep_ not in ("xcomp", "ccomp")
        or frame.verb.head.lemma_ not in ("propose", "suggest")
    ):
        return
    told = {one.target.at for one in reading.found if one.relation == relation}
    for subject in verbs.subjects_of(reading, frame, "object"):
        for token in frame.slots.get("object", []):
            other = reading.refer(token)
            if other is not None and subject.type in ("Document", "") and token.i not in told:
                name = verbs.feature(token, other.name, relation)
                reading.add(
                    subject,
                    relation,
                    Referent(name, "Topic", other.sure, other.proper, other.plain, token.i),
                    base=base - 0.05,
                )


def _in_version(reading: Reading, frame: Frame, base: float) -> None:
    """ "In Python 3.5, the async keyword was introduced", "has been deprecated since Python 3.4"."""
    lemma = frame.verb.lemma_
    relation = {
        "add": "INTRODUCES",
        "introduce": "INTRODUCES",
        "deprecate": "REMOVES",
        "remove": "REMOVES",
        "drop": "REMOVES",
    }.get(lemma)
    if relation is None or not frame.passive:
        return
    for place in ("since", "as of", "with", "from", "by"):
        for token in frame.slots.get(place, []):
            other = reading.refer(token)
            if other is not None and is_version(other) and other.proper:
                for thing in reading.refer_all(frame.surface):
                    reading.add(other, relation, thing, verbs.when(reading, frame.verb, "event", False), base - 0.05)


def _been_supported(reading: Reading, frame: Frame, base: float) -> None:
    """ "ARM64 has been supported since Ricochet 6.2"."""
    if not frame.passive or frame.verb.lemma_ != "support":
        return
    span = verbs.when(reading, frame.verb, "state", False)
    for place in ("since", "in", "from", "by", "on"):
        for token in frame.slots.get(place, []):
            other = reading.refer(token)
            if other is not None and other.proper and other.name[-1:].isdigit():
                for thing in reading.refer_all(frame.surface):
                    reading.add(other, "SUPPORTS", thing, span, base - 0.05)


def versions(reading: Reading, frame: Frame) -> None:
    """ "Python 3.5 was released in 2015", "Gorse 6.0 came out", "v2 of the app shipped": a product has a version."""
    names = ("release", "ship", "publish", "land", "launch", "issue")
    out = frame.lemma in (
        "come out",
        "ship",
        "land",
        "arrive",
        "drop",
        "appear",
        "launch",
        "debut",
        "go live",
        "date",
    ) and (not frame.slots.get("object"))
    is_out = frame.lemma == "be" and any(c.lower_ == "out" for c in frame.verb.children)
    passive = frame.passive and frame.verb.lemma_ in names
    tokens = frame.surface if (out or is_out or passive) else ()
    owns = frame.lemma == "reach" or not frame.passive
    product = next(iter(verbs.subjects_of(reading, frame, "object")), None) if owns else None
    if frame.verb.lemma_ in ("release", "ship", "publish") and not frame.passive:
        tokens = tuple(frame.slots.get("object", ())) or (frame.surface if frame.verb.lemma_ != "release" else ())
    if frame.lemma == "reach":
        tokens = tuple(frame.slots.get("object", ()))
    for token in tokens:
        version(reading, token, verbs.when(reading, frame.verb, "event", over=False), product=product)


def version(reading: Reading, token: "Token", span: Times, base: float = 0.9, product: Referent | None = None) -> None:
    """Adds the version that a word names, with the product before it or after "of"."""
    referent = reading.refer(token)
    if referent is None:
        return
    match = re.fullmatch(r"(.+?)\s+(?:version |v\. ?|release )?(v?\d[\w.-]*)", referent.name, re.IGNORECASE)
    number = next((c.text for c in token.children if VERSION.fullmatch(c.text) and c.i > token.i), "")
    if token.lower_ in ("version", "release") and number and product is not None:
        reading.add(product, "HAS_VERSION", Referent(number, "Version"), span, base)
        return
    product = product or reading.discourse.last_product(token)
    bare = re.fullmatch(r"(?:version |release |v\. ?)?(v?\d[\w.-]*)", referent.name, re.IGNORECASE)
    if bare and product is not None and product.type != "Person":
        reading.add(product, "HAS_VERSION", Referent(bare[1], "Version"), span, base)
        return
    if match and referent.type != "Document" and not re.fullmatch(r"(?:version|release)", match[1], re.IGNORECASE):
        product = replace(referent, name=match[1], type="Product")
        reading.add(product, "HAS_VERSION", replace(referent, name=match[2], type="Version"), span, base)
        return
    last = re.search(r"\bv?\d[\w.]*$", referent.name)
    of = [
        reading.refer(p)
        for t in (token, *token.children)
        for c in t.children
        if c.dep_ == "prep" and c.lower_ == "of"
        for p in c.children
    ]
    if last and of and of[0] is not None:
        reading.add(of[0], "HAS_VERSION", replace(referent, name=last[0], type="Version"), span, base)
