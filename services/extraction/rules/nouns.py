"""Facts that nouns tell of a name: roles, kin, founders, members, parts, seats."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.extraction.rules.choices import choose, is_kind, is_person
from services.extraction.rules.edges import told
from services.extraction.rules.factuality import is_denied
from services.extraction.rules.findings import NO_TIMES, Reading
from services.extraction.rules.mentions import USER, Referent
from services.extraction.rules.phrases import listed, phrase
from services.extraction.rules.times import Times
from services.extraction.rules.words import known

if TYPE_CHECKING:
    from spacy.tokens import Token

_KIN = {"kin_partner": "MARRIED_TO", "kin_child": "CHILD_OF", "kin_sibling": "SIBLING_OF"}
_TELLING = (
    "kin_partner",
    "kin_child",
    "kin_parent",
    "kin_sibling",
    "manager",
    "report",
    "founder",
    "creator",
    "author",
    "owner",
    "successor",
    "predecessor",
)
_OF = {"founder": "FOUNDED", "creator": "CREATED", "author": "AUTHORED", "owner": "OWNS", "successor": "SUCCEEDED"}


def is_role(noun: "Token") -> bool:
    """True for the head of a job title or an office, and for nouns built like one."""
    plain = noun.lemma_.lower()
    if any(c.dep_ == "acl" and c.lemma_ in ("write", "implement", "build", "maintain") for c in noun.children):
        return False
    if plain in known("role") or noun.lower_ in known("role"):
        return True
    return bool(
        re.search(r"(?:ologist|ographer|ician|keeper|maker|smith|wright|monger|-in-chief|woman|person)$", plain)
    ) and (plain not in ("maker", "woman", "person", "keeper"))


def role_name(noun: "Token", with_of: bool = True) -> str:
    """A role without "new", "former", "first", places, organizations and possessors: "chief executive"."""
    found = phrase(noun)
    doc = noun.doc
    start = found.start
    names = [t.i for t in doc[start : noun.i] if t.pos_ == "PROPN" and t.ent_type_ == "PERSON"]
    if names:
        start = names[-1] + 1
    if noun.dep_ in ("compound", "nmod", "amod") or noun.head.pos_ == "PROPN":
        while (
            start > noun.sent.start
            and doc[start - 1].pos_ in ("ADJ", "NOUN", "PROPN")
            and doc[start - 1].dep_ in ("compound", "amod", "nmod")
        ):
            start -= 1
    while start < noun.i and (
        doc[start].tag_ in ("VBN", "VBD")
        or doc[start].ent_type_ == "DATE"
        or doc[start].lower_ in known("fresh")
        or doc[start].dep_ in ("poss", "case")
        or doc[start].tag_ == "POS"
        or (doc[start].ent_type_ in ("GPE", "ORG", "NORP", "LOC", "ORDINAL", "DATE") and doc[start].pos_ != "NOUN")
        or doc[start].like_num
        or (doc[start].text == "-" and doc[start - 1].lower_ in known("fresh"))
    ):
        start += 1
    peoples = [
        t.i for t in doc[start : noun.i] if t.ent_type_ in ("NORP", "GPE") or t.lower_ in known("language") | {"born"}
    ]
    start = peoples[-1] + 1 if peoples else start
    while start < noun.i and doc[start].text in ("-", ",", "'s", "’s"):
        start += 1
    if any(token.tag_ == "POS" for token in doc[start : noun.i]):
        start = max(token.i for token in doc[start : noun.i] if token.tag_ == "POS") + 1
    end = max(noun.i + 1, found.end) if noun.pos_ != "PROPN" or found.end - 1 == noun.i else noun.i + 1
    if found.proper and found.end > noun.i + 1:
        end = found.end if doc[noun.i + 1].lower_ == "for" else noun.i + 1
    if with_of:
        end = max(end, _function(noun, end))
    return told(doc[start:end])


def _function(noun: "Token", end: int) -> int:
    """The end of "head of growth", "director of engineering": a field in common nouns belongs to the title."""
    for prep in noun.children:
        if prep.dep_ == "prep" and prep.lower_ in ("of", "for") and prep.i == noun.i + 1:
            for field in prep.children:
                named = phrase(field)
                if (
                    field.dep_ == "pobj"
                    and not named.proper
                    and not _is_group(field)
                    and not any(c.dep_ in ("det", "poss") for c in field.children)
                ):
                    last = listed(field)[-1]
                    return max(end, last.i + 1)
    return end


def _is_group(noun: "Token") -> bool:
    return noun.lemma_.lower() in known("organization", "band", "project", "product", "led")


@dataclass(frozen=True, slots=True)
class _Said:
    """A noun that is said of a subject: whose it is, when, and how sure the pattern is."""

    reading: Reading
    subject: Referent
    noun: "Token"
    span: Times
    base: float
    owners: tuple[Referent, ...]

    @property
    def plain(self) -> str:
        """The noun in the singular and in small letters."""
        return str(self.noun.lemma_.lower())

    def add(self, relation: str, other: Referent, less: float = 0.0, span: Times | None = None) -> None:
        """Adds a relation from the subject."""
        self.reading.add(self.subject, relation, other, self.span if span is None else span, self.base - less)


def relate(
    reading: Reading, subject: Referent, noun: "Token", span: Times, base: float, of: Referent | None = None
) -> None:
    """Adds what a noun says of a subject ("Ada is the head of Kiln"). `of` is a possessor that stands elsewhere."""
    if is_denied(noun):
        return
    if _is_former(noun):
        span = Times(span.valid_at, span.invalid_at, is_over=True)
    said = _Said(reading, subject, noun, span, base, (of,) if of else tuple(holders(reading, noun)))
    for reader in (_kin, _manager, _maker, _origin, _member, _part, _by, _role):
        if reader(said):
            return


def _kin(said: _Said) -> bool:
    for category, relation in _KIN.items():
        if said.plain in known(category):
            for owner in said.owners if relation == "CHILD_OF" else said.owners[:1]:
                said.add(relation, owner)
            return True
    if said.plain in known("kin_parent"):
        for owner in said.owners[:1]:
            said.reading.add(owner, "CHILD_OF", said.subject, said.span, said.base)
        return True
    return False


def _manager(said: _Said) -> bool:
    """ "Her boss is Max", "his deputy, Priyanka Rao"."""
    owner = next(iter(said.owners), None)
    if owner is None or owner.name == said.subject.name or not is_person(owner):
        return False
    possessed = any(child.dep_ == "poss" for child in said.noun.children)
    if said.plain in known("manager") and (owner.type == "Person" or possessed):
        said.reading.add(owner, "REPORTS_TO", said.subject, said.span, said.base)
        return True
    if said.plain in known("report") and not _org_of(said.noun):
        said.add("REPORTS_TO", owner, 0.05)
        return True
    return False


def _maker(said: _Said) -> bool:
    """ "the founder of", "the author of", "the successor to"."""
    if said.plain in known("predecessor") and said.owners:
        said.reading.add(said.owners[0], "SUCCEEDED", said.subject, base=said.base)
        return True
    relation = next((relation for category, relation in _OF.items() if said.plain in known(category)), "")
    if relation == "OWNS" and phrase(said.noun).text.lower() not in known("owner"):
        return False
    before = len(said.reading.found)
    for owner in said.owners if relation else ():
        named = _made(relation, said.subject, owner)
        if named:
            said.add(named, owner, span=said.span if named == "OWNS" else NO_TIMES)
    lone = said.plain in known("founder", "successor", "predecessor")
    return lone or len(said.reading.found) > before


def _made(relation: str, subject: Referent, owner: Referent) -> str:
    """What "author of" and "successor to" tell of this owner; "" for what they cannot be of."""
    if relation == "SUCCEEDED":
        return choose("@replaces", subject, owner)
    if relation == "AUTHORED":
        if owner.type in ("Person", "Organization"):
            return ""
        return "CREATED" if owner.type == "Product" or is_kind(owner, "product") else relation
    if relation == "CREATED" and (owner.type == "Organization" or is_kind(owner, "organization") or " " in owner.name):
        return ""
    return "" if relation == "FOUNDED" and owner.type == "Person" else relation


def _origin(said: _Said) -> bool:
    """ "a native of Hull", "a fan of jazz"."""
    if said.plain == "native" and said.owners:
        said.add("BORN_IN", said.owners[0], span=NO_TIMES)
        return True
    homes = [c for c in said.noun.children if c.dep_ in ("compound", "nmod") and c.ent_type_ == "GPE"]
    if said.plain == "native" and homes:
        said.add("BORN_IN", Referent(phrase(homes[0]).text, "Place"), span=NO_TIMES)
        return True
    of = [token for token in _objects(said.noun, ("of",)) if said.plain in known("fan")]
    for one in said.reading.refer_all(of):
        said.add("PREFERS", one, 0.1)
    return bool(of)


def _member(said: _Said) -> bool:
    if said.plain in known("alumnus"):
        for owner in (*said.owners, *_at(said.reading, said.noun, ("at", "from"))):
            said.add("STUDIED_AT", owner)
        return True
    if said.plain not in ("member", "player", "fellow") or (said.plain == "player" and not said.owners):
        return False
    for owner in (*said.owners, *_at(said.reading, said.noun, ("at", "on"))):
        if owner.type != "Person":
            said.add("MEMBER_OF", owner)
    return True


def _part(said: _Said) -> bool:
    if said.plain not in known("part") or not said.owners or is_role(said.noun):
        return False
    owner = said.owners[0]
    if owner.type != "Person" and (owner.proper or owner.plain not in known("generic")):
        said.add("PART_OF", owner, 0.0 if said.subject.proper else 0.1)
    return True


def _by(said: _Said) -> bool:
    """ "a novel by Ada Brandt", "a fork by Greer McAllister"."""
    kinds = (("document", "AUTHORED"), ("work", "CREATED"), ("product", "CREATED"))
    made = next((relation for category, relation in kinds if said.plain in known(category)), "")
    makers = _objects(said.noun, ("by",))
    if not makers or not (made or said.plain == "fork") or said.subject.type == "Person":
        return False
    relation = "DIRECTED" if said.plain in ("film", "movie") else made or "CREATED"
    for one in said.reading.refer_all(makers):
        if one.proper:
            said.reading.add(one, relation, said.subject, said.span, said.base - 0.05)
    return True


def _objects(noun: "Token", prepositions: tuple[str, ...]) -> "list[Token]":
    """What stands after prepositions of a noun, lists taken apart."""
    preps = [child for child in noun.children if child.dep_ == "prep" and child.lower_ in prepositions]
    return [one for prep in preps for inner in prep.children if inner.dep_ == "pobj" for one in listed(inner)]


def _role(said: _Said) -> bool:
    """A role, and what its holder is to what it is held of: its leader, its maintainer, or in its employ."""
    subject, plain = said.subject, said.plain
    if (
        subject.name.lower() in known("role")
        or not is_role(said.noun)
        or not (is_person(subject) or subject.name == USER)
    ):
        return False
    name = role_name(said.noun)
    others = _at(said.reading, said.noun, ("at", "for", "with", "in", "on"))
    held = [*said.owners, *(one for one in others if one.name not in name)]
    held = [one for one in held if _can_be_held(one) and one.name != subject.name]
    if name and not _is_told_by_its_holding(name.lower(), plain, held):
        said.add("HAS_ROLE", Referent(name, "Role", 0.97, False, plain))
    for owner in held:
        relation, less = _holding(name, plain, owner, owner in said.owners)
        if relation:
            said.add(relation, owner, less)
    return True


def _is_told_by_its_holding(title: str, plain: str, held: list[Referent]) -> bool:
    """ "the head of Kiln" is no more than LEADS, "the maintainer of libtern" no more than WORKS_ON."""
    if title in known("bare") and held:
        return True
    things = any(not is_kind(one, "organization") and one.type in ("Product", "Project", "") for one in held)
    return things and plain in known("works_on") and title in ("maintainer", "contributor", "owner", "co-maintainer")


def _holding(name: str, plain: str, owner: Referent, is_owner: bool) -> tuple[str, float]:
    """What the holder of a role is to what it is held of, and how much less sure that is; "" for nothing."""
    title = name.lower()
    firm = owner.type == "Organization" or is_kind(owner, "organization")
    heads = plain in ("head", "leader", "lead", "captain", "ceo", "chair", "chairman", "president")
    leads = heads or title in known("leads") or any(title.startswith(f"{one} of") for one in known("leads"))
    if leads and is_owner and " of " not in name:
        return ("LEADS", 0.02) if owner.type != "Place" or firm else ("", 0.0)
    technical = bool(re.match(r"(?:product|project|tech|technical|delivery)\b", title))
    if plain in known("works_on") or technical:
        thing = is_kind(owner, "product") or is_kind(owner, "project") or owner.type == "Product"
        if thing or technical or plain in ("maintainer", "contributor", "co-maintainer"):
            return "WORKS_ON", 0.05
    if owner.type == "Product" or re.search(r"\d$", owner.name):
        return "WORKS_ON", 0.05
    if owner.type == "Place" or not (firm or owner.proper) or owner.type in ("Version", "Document"):
        return "", 0.0
    if plain in known("officer") and is_kind(owner, "band"):
        return "", 0.0
    banded = plain in known("player") or (plain in known("member") and is_kind(owner, "band"))
    return ("MEMBER_OF" if banded else "WORKS_FOR"), 0.05 if firm or not owner.type else 0.1


def _can_be_held(owner: Referent) -> bool:
    if owner.name == "user" or owner.type == "Person":
        return False
    return owner.proper or any(is_kind(owner, one) for one in ("organization", "band", "project", "product", "led"))


def holders(reading: Reading, noun: "Token") -> list[Referent]:
    """Whose the noun is: its possessor, what follows "of", and a name before it ("Kestrel CEO")."""
    found: list[Referent] = []
    for child in noun.children:
        if child.dep_ == "poss":
            found += reading.refer_all(listed(child))
        elif child.dep_ == "prep" and _holds(child, noun):
            for inner in (one for one in child.children if one.dep_ == "pobj"):
                names = [a for a in inner.children if a.dep_ == "appos" and a.pos_ == "PROPN" and a.i == inner.i + 1]
                names = names or _misplaced(noun, inner)
                found += reading.refer_all(names or [one for one in listed(inner) if _names_one(one, noun)])
        elif child.dep_ in ("compound", "nmod") and child.ent_type_ == "ORG" and child.i < noun.i:
            found += reading.refer_all([child])
    return [one for one in found if one.name]


def _holds(prep: "Token", noun: "Token") -> bool:
    """True for "of", and for "on" and "to" after the nouns that take them: "lead on Kiln", "successor to Ada"."""
    if prep.lower_ == "on":
        return noun.lemma_ in ("lead", "engineer", "developer", "designer")
    if prep.lower_ == "to":
        return noun.lemma_ in ("heir", "successor", "assistant", "adviser", "deputy", "sister", "brother")
    return bool(prep.lower_ == "of")


def _misplaced(noun: "Token", inner: "Token") -> "list[Token]":
    """ "a member of the band Lantern" is sometimes parsed as if Lantern were the member."""
    if inner.pos_ != "NOUN" or inner.lemma_.lower() not in known("band", "organization"):
        return []
    return [c for c in noun.children if c.dep_ == "appos" and c.pos_ == "PROPN" and c.i == inner.i + 1]


def _names_one(token: "Token", noun: "Token") -> bool:
    named = phrase(token)
    if named.proper:
        return not re.fullmatch(r"[\d.]+", named.text)
    return named.definite or noun.lemma_.lower() in known("part")


def _at(reading: Reading, noun: "Token", prepositions: tuple[str, ...]) -> list[Referent]:
    """The names after prepositions of a noun that are no places and no numbers."""
    found = reading.refer_all(_objects(noun, tuple(one for one in prepositions if one not in ("in", "on"))))
    inside = reading.refer_all(_objects(noun, tuple(one for one in prepositions if one in ("in", "on"))))
    found += [one for one in inside if is_kind(one, "organization") or is_kind(one, "band") or one.type == "Product"]
    return [one for one in found if one.proper and one.type not in ("Place", "Version") and not one.name[:1].isdigit()]


def _org_of(noun: "Token") -> bool:
    return any(c.dep_ == "prep" and c.lower_ in ("at", "of") for c in noun.children)


def _is_former(noun: "Token") -> bool:
    words = {child.lower_ for child in noun.children if child.dep_ in ("amod", "advmod", "compound", "nmod")}
    words |= {
        token.lower_
        for token in noun.doc[max(0, noun.i - 3) : noun.i]
        if token.lower_ in ("former", "ex", "onetime", "one-time")
    }
    return bool(words & {"former", "ex", "onetime", "one-time", "erstwhile", "retired", "then"})


def tells(noun: "Token") -> bool:
    """True for a noun that `relate` reads of a person: a role, kin, a founder, a boss."""
    return (
        noun.lemma_ == "native" or is_role(noun) or any(noun.lemma_.lower() in known(category) for category in _TELLING)
    )
