"""Clauses as frames: a verb, who does it, to what, and where, with passives turned round and subjects filled in."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.extraction.rules.phrases import listed

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

Slots = dict[str, list["Token"]]
_SUBJECTS = ("nsubj", "nsubjpass")
_RELATIVE = ("who", "which", "that", "whom")
_LIGHT = {("take", "part"), ("take", "place"), ("take", "charge"), ("take", "over")}
_SHARED = ("conj", "xcomp", "advcl", "dep", "ccomp", "acomp", "oprd")
_REDUCED = ("acl", "relcl")


@dataclass(frozen=True, slots=True)
class Frame:
    """A clause. `subjects` do it, `slots` are the others: "object", "object2", "agent" and prepositions.

    Of a passive, what it is done to is in `surface` as well as under "object", and whoever does it in `subjects`.
    `surface` is what stands as its subject. `implied` says that nothing does, as in notes.
    """

    verb: "Token"
    lemma: str
    subjects: tuple["Token", ...]
    surface: tuple["Token", ...]
    slots: Slots
    passive: bool
    implied: bool = False


def frames(sentence: "Span") -> Iterator[Frame]:
    """The frames of a sentence's verbs in order, the copulas among them."""
    for token in sentence:
        if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass", "amod", "compound", "prep", "case"):
            yield frame(token)


def frame(verb: "Token") -> Frame:
    """The frame of one verb."""
    passive = is_passive(verb)
    surface = tuple(_subjects(verb))
    slots = _slots(verb)
    subjects = surface
    if passive:
        subjects = tuple(slots.get("agent", ()))
        if "object" in slots:
            slots["object2"] = slots["object"]
        slots["object"] = list(surface)
    lemma = verb.lemma_.lower()
    particle = next((c.lower_ for c in verb.children if c.dep_ == "prt"), "")
    if particle:
        lemma = f"{lemma} {particle}"
    for noun in slots.get("object", ()) if not passive else ():
        if (lemma, noun.lower_) in _LIGHT:
            lemma = f"{lemma} {noun.lower_}"
            slots.setdefault("of", slots.get("object+of", []))
    return Frame(verb, lemma, subjects, surface, slots, passive, implied=not surface and _is_finite(verb))


def is_passive(verb: "Token") -> bool:
    """True for "was founded by", "founded by" after a noun, and a participle in a list with one."""
    if verb.tag_ == "VBG":
        return False
    children = [child.dep_ for child in verb.children]
    if "auxpass" in children or "nsubjpass" in children:
        return True
    if verb.tag_ != "VBN" or any(c.lemma_ in ("have", "'ve") and c.dep_ == "aux" for c in verb.children):
        return verb.tag_ == "VBD" and verb.dep_ in ("acl", "relcl") and not _own_subjects(verb) and "agent" in children
    if verb.dep_ == "acl" and verb.head.dep_ == "ROOT" and "dobj" in children and "agent" not in children:
        return False  # "Ada Brandt, head of Kiln, handed in her notice" is a name with an aside to the parser
    if verb.dep_ == "conj" and verb.head.pos_ in ("VERB", "AUX"):
        return is_passive(verb.head) or (verb.head.lemma_ == "be" and not _own_subjects(verb))
    if verb.dep_ in ("acl", "advcl", "ROOT", "dep", "oprd", "acomp", "appos", "relcl"):
        return not _own_subjects(verb) or (verb.dep_ == "ROOT" and "dobj" not in children)
    return False


def _is_finite(verb: "Token") -> bool:
    return verb.tag_ in ("VBZ", "VBD", "VBN") or any(c.dep_ == "aux" for c in verb.children)


def _own_subjects(verb: "Token") -> list["Token"]:
    found = [c for c in verb.children if c.dep_ in _SUBJECTS and c.lower_ != "there" and not c.lower_.endswith("self")]
    return found[-1:]


def _subjects(verb: "Token", depth: int = 0) -> list["Token"]:
    """What stands as the subject: its own, the word that a clause hangs on, or that of the verb it is joined to."""
    own = _own_subjects(verb)
    if own:
        if own[0].lower_ in _RELATIVE and verb.dep_ in ("relcl", "acl", "ccomp", "advcl"):
            return lifted(verb.head) if verb.head.pos_ not in ("VERB", "AUX") else []
        if own[0].lower_ in _RELATIVE and verb.dep_ == "conj" and depth < 3:
            return _subjects(verb.head, depth + 1)
        return [one for subject in own for one in listed(subject)]
    if depth > 4:
        return []
    if verb.dep_ in _REDUCED and verb.head.pos_ not in ("VERB", "AUX"):
        objects = [c for c in verb.children if c.dep_ == "dobj" and c.lower_ in _RELATIVE]
        return [] if objects else lifted(verb.head)
    if verb.dep_ == "pcomp" and verb.head.pos_ in ("ADP", "SCONJ") and verb.head.head.pos_ in ("VERB", "AUX"):
        return _subjects(verb.head.head, depth + 1)
    if verb.dep_ in _SHARED and verb.head.pos_ in ("VERB", "AUX") and verb.head != verb:
        return _subjects(verb.head, depth + 1)
    return []


def lifted(noun: "Token") -> list["Token"]:
    """What a noun is told of: in "X is a library developed by Y" and "X, a library developed by Y" it is X."""
    while noun.dep_ == "conj" and noun.head.pos_ in ("NOUN", "PROPN") and noun.head != noun and noun.pos_ == "NOUN":
        if any(c.dep_ == "relcl" for c in noun.children) and noun.head.dep_ not in ("attr", "appos"):
            break
        noun = noun.head
    if noun.dep_ == "attr" and noun.pos_ == "NOUN" and noun.head.lemma_ in ("be", "become", "remain"):
        subjects = _own_subjects(noun.head)
        if (subjects and subjects[0].lower_ not in ("there", "it", "this", "that")) or (
            subjects and noun.head.lemma_ == "be"
        ):
            return [one for subject in subjects for one in listed(subject)]
    if noun.dep_ == "appos" and noun.pos_ == "NOUN" and noun.head.pos_ == "PROPN":
        return [noun.head]
    names = [c for c in noun.children if c.dep_ == "appos" and c.pos_ == "PROPN" and noun.pos_ == "NOUN"]
    if names:
        return [one for name in names[:1] for one in listed(name)]
    return [noun, *(one for one in listed(noun)[1:] if noun.dep_ in _SUBJECTS)]


def _slots(verb: "Token") -> Slots:
    """What stands beside a verb, by place. What hangs on its object may be the verb's: "studied law at Leeds"."""
    slots: Slots = {}
    for child in verb.children:
        _fill(slots, child, verb)
    for noun in (child for child in verb.children if child.dep_ == "dobj" and child.pos_ != "VERB"):
        for child in (one for one in noun.children if one.dep_ == "prep"):
            if child.lower_ == "of":
                slots.setdefault("object+of", []).extend(_fillers(child, verb))
            else:
                _prepositional(child, slots, verb, later=True)
    return slots


def _fill(slots: Slots, child: "Token", verb: "Token") -> None:
    """Puts one word beside a verb into its place."""
    if child.dep_ == "dobj" and child.pos_ != "VERB":
        slots.setdefault("object", []).extend(lifted(verb.head) if _is_relative(child, verb) else listed(child))
    elif (child.dep_ in ("attr", "oprd", "acomp") and child.pos_ != "VERB") or (
        child.dep_ == "dative" and child.pos_ != "ADP"
    ):
        slots.setdefault(child.dep_, []).extend(listed(child))
    elif child.dep_ in ("prep", "agent", "dative") or (child.dep_ == "prt" and child.pos_ == "ADP"):
        _prepositional(child, slots, verb)


def _is_relative(token: "Token", verb: "Token") -> bool:
    return token.lower_ in _RELATIVE and verb.dep_ in _REDUCED


def _prepositional(prep: "Token", slots: Slots, verb: "Token", later: bool = False) -> None:
    if any(c.dep_ == "neg" for c in prep.children):
        return
    by = prep.lower_ == "by" and later and is_passive(verb)
    name = "agent" if prep.dep_ == "agent" or by else prep.lower_
    for child in prep.children:
        if child.dep_ == "prep":
            _prepositional(child, slots, verb, later=True)
            slots.setdefault(f"{name} {child.lower_}", []).extend(_fillers(child, verb))
    fillers = _fillers(prep, verb)
    if fillers and not (later and name in slots):
        slots.setdefault(name, []).extend(fillers)


def _fillers(prep: "Token", verb: "Token") -> list["Token"]:
    found = []
    for child in prep.children:
        if child.dep_ in ("pobj", "pcomp") and child.pos_ not in ("VERB", "AUX", "ADP"):
            if _is_relative(child, verb):
                found += lifted(verb.head)
            else:
                found += listed(child)
    return found
