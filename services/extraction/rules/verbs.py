"""Facts that verbs tell, by the lexicon, and the frames that need more than a line of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from services.extraction.rules.choices import choose, is_kind
from services.extraction.rules.date_expressions import DateExpression
from services.extraction.rules.edges import original_text
from services.extraction.rules.factuality import is_denied
from services.extraction.rules.findings import SentenceReading
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import USER, Referent
from services.extraction.rules.phrases import listed, phrase
from services.extraction.rules.plausibility import Ends, fits, plausible
from services.extraction.rules.times import Time, Times, of_verb, tense_of, times
from services.extraction.rules.verb_lexicon import Entry, entries
from services.extraction.rules.word_categories import known

if TYPE_CHECKING:
    from spacy.tokens import Token

_TIMES: dict[str, Time] = {"PARTICIPATED_IN": "event", "LEADS": "state"}
_SHORT = 9
_BARE = 0.5
_MAKES = ("write", "develop", "build", "implement", "code", "rewrite", "program")


def by_lexicon(reading: SentenceReading, frame: Frame, over: bool, base: float) -> None:
    """What the lexicon makes of a clause: each line whose place is filled with something that fits."""
    filled: set[tuple[str, int]] = set()
    has_object = bool(frame.slots.get("object")) and not frame.passive
    for entry in entries(frame.lemma):
        if (
            has_object
            and entry.place != "object"
            and frame.verb.lemma_ in ("move", "relocate", "run", "switch", "migrate", "go")
        ):
            continue
        for filler in _fillers(frame, entry):
            if (entry.place, filler.i) in filled or is_denied(filler):
                continue
            if _tell(reading, frame, entry, filler, over, base):
                filled.add((entry.place, filler.i))


def _fillers(frame: Frame, entry: Entry) -> "list[Token]":
    """What fills a line's place; "three companies: A, B and C" are A, B and C."""
    found = []
    if frame.passive and frame.verb.lemma_ == "run" and entry.relation == "USES":
        return []
    for token in frame.slots.get(entry.place, []):
        names = _nested_place(token) if entry.relation == "LIVES_IN" and not phrase(token).proper else []
        if token.tag_ == "NNS" and not phrase(token).proper:
            names = [one for c in token.children if c.dep_ == "appos" for one in listed(c) if phrase(one).proper]
            calls = [c for c in token.children if c.dep_ == "acl" and c.lemma_ in ("call", "name")]
            names += [one for c in calls for o in c.children if o.dep_ == "oprd" for one in listed(o)]
        found += names or [token]
    return found


def _nested_place(token: "Token") -> "list[Token]":
    """ "a flat on Údolní Street": the place that has a name."""
    preps = [c for c in token.children if c.dep_ == "prep" and c.lower_ in ("in", "on", "at", "near")]
    return [c for prep in preps for c in prep.children if c.dep_ == "pobj" and phrase(c).proper][:1]


def _tell(reading: SentenceReading, frame: Frame, entry: Entry, filler: "Token", over: bool, base: float) -> bool:
    """Adds what one line tells of one filler. Returns False when the filler does not fit the line."""
    other = reading.refer(filler)
    if other is None or not fits(other, entry.other, frame):
        return False
    is_added = False
    for subject in subjects_of(reading, frame, entry.place):
        relation = _relation(reading, frame, entry, subject, other, over)
        source, target = (subject, other) if entry.forward else (other, subject)
        ends = Ends(source, target, entry.forward, entry.lemma)
        made_elsewhere = relation == "CREATED" and entry.place == "at" and bool(frame.subjects)
        if relation not in reading.relations or made_elsewhere or not plausible(relation, ends):
            continue
        own = _TIMES.get(relation, entry.time) if entry.relation.startswith("@") else entry.time
        span = when(reading, frame.verb, own, over)
        sure = base * _doubt(entry, relation, source, target, other)
        inner = _nominal(reading, filler) if relation == "INTRODUCES" else None
        for named, what in [(relation, _renamed(frame, relation, target))] if inner is None else inner:
            reading.add(source, named, what, span, sure * (_BARE if _says_nothing(named, what) else 1.0))
        is_added = True
    return is_added


def _relation(
    reading: SentenceReading, frame: Frame, entry: Entry, subject: Referent, other: Referent, over: bool
) -> str:
    """The relation that a line tells of these two; "" for none."""
    relation = entry.relation
    if relation == "PREFERS" and is_denied(frame.verb) and not over:
        return "DISLIKES"
    if not relation.startswith("@"):
        return relation
    coded = any(is_kind(one, "programming") for one in reading.refer_all(frame.slots.get("in", [])))
    return "CREATED" if relation == "@writes" and coded else choose(relation, subject, other)


def _nominal(reading: SentenceReading, noun: "Token") -> list[tuple[str, Referent]] | None:
    """ "proposes the addition of X", "the deprecation and removal of X": what is added and removed is X.

    Nothing for a noun that stands for itself.
    """
    nouns = [noun, *listed(noun)[1:]] if noun.dep_ != "conj" else [noun]
    named = "INTRODUCES" if noun.lemma_.lower() in known("addition") else ""
    named = "REMOVES" if any(one.lemma_.lower() in known("removal") for one in nouns) else named
    if not named:
        return None
    found: list[tuple[str, Referent]] = []
    for prep in (c for one in nouns for c in one.children if c.lower_ == "of" and c.dep_ == "prep"):
        for token in (one for c in prep.children if c.dep_ == "pobj" for one in listed(c)):
            inner = reading.refer(token)
            if inner is not None:
                found.append((named, replace(inner, name=feature(token, inner.name, named))))
    return found


def _says_nothing(relation: str, target: Referent) -> bool:
    """True for "a mechanism" and "a feature" without anything that says which."""
    bare = " " not in target.name and not target.proper
    return (
        relation == "INTRODUCES"
        and bare
        and target.plain in known("wide") | {"feature", "change", "proposal", "concept"}
    )


def _renamed(frame: Frame, relation: str, target: Referent) -> Referent:
    """A language without how well it is spoken; a feature with what it is for."""
    if relation == "SPEAKS":
        return replace(target, name=_language(target.name))
    if relation in ("INTRODUCES", "REMOVES") and target.at >= 0:
        return replace(target, name=feature(frame.verb.doc[target.at], target.name, relation))
    return target


def subjects_of(reading: SentenceReading, frame: Frame, place: str) -> list[Referent]:
    """Who a line of the lexicon is told of: the doer; of a passive with a preposition, what it is done to."""
    tokens: Sequence[Token] = frame.subjects
    if place == "in" and not frame.passive and frame.verb.lemma_ in _MAKES and frame.slots.get("object"):
        tokens = frame.slots["object"]
    if frame.passive and place != "object":
        tokens = frame.surface
    found = reading.refer_all(tokens)
    if not found and frame.implied and not frame.surface and not (frame.passive and place == "object"):
        implied = reading.discourse.implied_subject()
        return [implied] if implied else []
    if len(found) != len(tokens):
        return found
    return [one for one, token in zip(found, tokens, strict=True) if not is_vague(token)]


def _language(name: str) -> str:
    """A language without how well it is spoken: "a little German"."""
    words = name.split()
    return words[-1] if words[-1].lower() in known("language") and len(words) > 1 and words[0].islower() else name


def feature(noun: "Token", name: str, relation: str) -> str:
    """What is introduced or removed: with what it is for when the noun says little ("syntax for literals")."""
    words = name.split()
    while relation == "INTRODUCES" and len(words) > 1 and words[0].lower() in known("fresh"):
        words.pop(0)
    name = " ".join(words)
    purpose = _purpose(noun) if noun.lemma_.lower() in known("wide") else ""
    if relation == "REMOVES" and noun.lower_ == "support" and purpose.startswith("for "):
        return purpose.removeprefix("for ")
    return f"{name} {purpose}".strip()


def _purpose(noun: "Token") -> str:
    """ "for literals", "of writing them", "to annotate methods", if it is short."""
    after = noun.doc[noun.i + 1] if noun.i + 1 < len(noun.doc) else noun
    beside = [after] if after.dep_ == "prep" and after.head != noun else []
    for child in (*(c for c in noun.children if c.i > noun.i), *beside):
        inner = [c for c in child.children if c.dep_ == "pobj"]
        if child.dep_ == "prep" and child.lower_ in ("for", "of") and inner:
            return f"{child.lower_} {phrase(inner[0]).text}"
        clause = child.dep_ in ("prep", "acl") and (child.lower_ in ("for", "of") or child.tag_ == "VB")
        objects = [c for c in child.subtree if c.dep_ == "dobj"][:1]
        if clause and objects and phrase(objects[0]).end - noun.i <= _SHORT:
            return original_text(noun.doc[noun.i + 1 : phrase(objects[0]).end])
    return ""


def is_vague(token: "Token") -> bool:
    """True for a subject that is nobody in particular: a bare plural, "a company", "people"."""
    if any(c.dep_ == "appos" and c.pos_ == "PROPN" for c in token.children):
        return False
    if (
        token.lower_ in known("role")
        and token.tag_ in ("NN", "NNP")
        and not any(c.dep_ in ("det", "poss") for c in token.children)
    ):
        return True
    if token.lower_ == "user" and token.tag_ != "NNS":
        return False
    if token.pos_ in ("PROPN", "PRON"):
        return token.lower_ in known("generic")
    if token.lower_ in known("generic"):
        return True
    named = phrase(token)
    if named.proper:
        return False
    dets = [child.lower_ for child in token.children if child.dep_ == "det"]
    if any(det in ("a", "an", "any", "each", "every", "some", "most", "many", "such") for det in dets):
        return True
    return token.tag_ == "NNS" and not named.definite


def _doubt(entry: Entry, relation: str, source: Referent, target: Referent, other: Referent) -> float:
    """What is taken from a line's confidence: for an end of another type, for needs and uses of common nouns."""
    sure = 0.9 if entry.other in ("Organization", "Place", "Person") and other.type not in ("", entry.other) else 1.0
    vague = relation in ("USES", "DEPENDS_ON", "SUPPORTS") and not target.proper and source.name != USER
    return sure * (0.8 if vague or (relation == "INTRODUCES" and entry.lemma == "describe") else 1.0)


def when(reading: SentenceReading, verb: "Token", time: Time, over: bool) -> Times:
    """A clause's times by its verb's dates; a participle in a list without dates has the last one's."""
    whens = of_verb(reading.dates, verb)
    if not whens:
        whens = _shared(reading, verb)
    return times(time, whens, tense_of(verb), reading.reference, over)


def _shared(reading: SentenceReading, verb: "Token") -> list[DateExpression]:
    """ "was written and directed by X in 2019": the first verb has no words of its own."""
    later = [c for c in verb.children if c.dep_ == "conj" and c.pos_ == "VERB"]
    own = [c for c in verb.children if c.dep_ in ("dobj", "prep", "agent", "attr", "acomp")]
    if later and not own:
        return of_verb(reading.dates, later[-1])
    if verb.dep_ in ("xcomp", "ccomp") and verb.head.lemma_ in (
        "use",
        "stop",
        "begin",
        "start",
        "cease",
        "quit",
        "go",
        "come",
        "confirm",
        "announce",
    ):
        return of_verb(reading.dates, verb.head)
    if verb.dep_ == "advcl" and verb.tag_ == "VBG" and verb.i > verb.head.i:
        return [one for one in of_verb(reading.dates, verb.head) if one.kind == "at"]
    return []
