"""What a clause ends and begins, and for whom, by the table of changes: "A resigned as CEO", "B was succeeded by C"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.extraction.rules import nominal_relations, verbs
from services.extraction.rules.choices import CHOICES, is_kind, is_person
from services.extraction.rules.clause_dates import Times, of_noun, of_verb, tense_of, times
from services.extraction.rules.findings import SentenceReading, Transition
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import Referent
from services.extraction.rules.phrases import listed, phrase
from services.extraction.rules.word_categories import known
from services.language.changes import ChangeVerb, Places, change_nouns, change_verbs

if TYPE_CHECKING:
    from spacy.tokens import Token

_OF_PEOPLE = frozenset(("office", "employment", "marriage", "study"))
_OF_POSTS = ("as", "at", "with", "on", "of")
"""The prepositions behind a post that the parser may give to its verb: "gave up her seat on the board of Kiln"."""
_FAR = 4
"""How many words may stand between those of an idiom: "handed in her long-awaited notice"."""
_REPLACED = frozenset(("use", "status"))
"""What something else takes the place of, named or not: who moved to a department may have stayed with the firm."""
_BACK = 6
"""How far before its verb a noun for a spell may stand: "her term as mayor of Bath ended"."""
_ANNOUNCING = frozenset(str.split("announce demand call expect want plan deny consider offer threaten"))
"""The verbs whose day is not that of the end they speak of: "announced her resignation on 3 May"."""


def read(reading: SentenceReading, frame: Frame) -> None:
    """Add what a clause ends and begins."""
    for change in change_verbs().get(frame.verb.lemma_.lower(), ()):
        idiom = _idiom(frame.verb, change)
        if idiom is not None and _read(reading, frame, change, idiom):
            return


def _idiom(verb: "Token", change: ChangeVerb) -> "list[Token] | None":
    """The other words of an idiom, each near the one before or a word of the verb itself; None where one is missing."""
    found: list[Token] = []
    for words in change.words[1:]:
        at = found[-1].i if found else verb.i
        own = [t for t in verb.children if t.dep_ in ("prt", "prep", "advmod", "dobj", "acomp", "oprd") and t.i > at]
        near = verb.doc[at + 1 : min(at + 1 + _FAR, verb.sent.end)]
        word = next((t for t in (*near, *own) if t.lemma_.lower() in words or t.lower_ in words), None)
        if word is None:
            return None
        found.append(word)
    return found


def _read(reading: SentenceReading, frame: Frame, change: ChangeVerb, idiom: "Sequence[Token]") -> bool:
    """Add what a line tells of a clause. Return False where the clause does not fit it."""
    clause = _Clause(reading, frame, change)
    lost = _tokens(frame, change.lost, idiom)
    if "subject's" in change.loses and not any(map(_kinds, lost)):
        lost = _before(frame.verb)
    if not lost and (change.lost == ("object",) or change.words[0] == ("be",)):
        return False  # "gave up smoking", "was out sick"
    gained = _tokens(frame, change.gained, idiom) or ([] if change.is_swap else lost)
    losers, gainers = _people(reading, frame, change.loses, change), _people(reading, frame, change.gains, change)
    moves_object = "subject" in change.loses and "object" not in change.lost and frame.slots.get("object")
    if not (losers if change.loses and "subject" not in change.gains else gainers) or (moves_object and not idiom):
        return False
    goes_elsewhere = change.is_swap and gained and not lost and not change.about & _REPLACED
    is_read = not goes_elsewhere and clause.add(True, losers, lost, gainers)
    if gained or not change.is_swap:
        is_read |= clause.add(False, gainers, gained, losers)
    if is_read and ("ownership" not in change.about or any(map(_is_office, (*lost, *gained)))):
        _succeeded(reading, frame, losers, gainers)
    return is_read


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause and the line of the table that it fits."""

    reading: SentenceReading
    frame: Frame
    change: ChangeVerb

    def add(
        self, ends: bool, people: Sequence[Referent], tokens: "Sequence[Token]", others: Sequence[Referent]
    ) -> bool:
        """Add what some begin or end to have. Return False where the clause says of what, but not of what kind."""
        things = [token for token in tokens if self.reading.refer(token) is not None or _kinds(token)]
        return sum(self._add(ends, one, things, others) for one in people) > 0

    def _add(self, ends: bool, one: Referent, tokens: "Sequence[Token]", others: Sequence[Referent]) -> bool:
        reading, change = self.reading, self.change
        span = verbs.when(reading, self.frame.verb, "end" if ends else "start", over=False)
        before = len(reading.found)
        names = tuple(name for token in tokens for name in _add(reading, one, token, change.about, span))
        if tokens and not names and not any(map(_kinds, tokens)):
            return False
        if not ends and not others and not change.is_swap:
            del reading.found[before:]  # the lexicon reads what only begins
        other = next((other for other in others if other.name != one.name), None)
        about = frozenset().union(change.about, *map(_kinds, tokens))
        names_office = any(map(nominal_relations.is_role, tokens))
        takes_over = bool(change.loses) and not ends
        reading.transitions.append(
            Transition(ends, one, about, names, span, self.frame.verb, other, names_office, takes_over)
        )
        return True


def _kinds(token: "Token") -> frozenset[str]:
    """What a noun for a spell, an office, a post or a share is about; nothing for other words."""
    nouns = (change_nouns(kind) for kind in ("spell", "office", "post", "share"))
    found = (one[token.lemma_.lower()] for one in nouns if token.lemma_.lower() in one)
    return next(found, frozenset()) if token.pos_ == "NOUN" else frozenset()


def _add(
    reading: SentenceReading, holder: Referent, token: "Token", about: frozenset[str], span: Times
) -> Iterator[str]:
    """Add what somebody has or had of a thing, and yield the names by which the thing may be told of."""
    before = len(reading.found)
    if nominal_relations.is_role(token):
        nominal_relations.relate(reading, holder, token, span, 0.87)
        yield nominal_relations.role_name(token)
    elif _kinds(token) or _is_group(token):
        yield from _of_noun(reading, holder, token, about | _kinds(token), span)
    elif (thing := reading.refer(token)) is not None and thing.name != holder.name:
        relation = "" if token.pos_ == "PRON" else _relation(holder, thing, about)
        if kin := _kin(token):
            relation = "MARRIED_TO" if about & {"marriage", "kin"} and kin in known("kin_partner") else ""
        if relation == "OWNS" and span.valid_at and holder.type == "Organization":
            relation = "ACQUIRED"
        if relation:
            reading.add(holder, relation, thing, span, 0.85)
        if relation or thing.proper:
            yield thing.name
    yield from (one.target.name for one in reading.found[before:])


def _kin(token: "Token") -> str:
    """The kin right before a name: "leaves his wife Eleri"; "" for other names."""
    start = phrase(token).start
    before = token.doc[start - 1].lower_ if start else ""
    return before if before in known("kin_partner", "kin_child", "kin_sibling", "kin_parent") else ""


def _is_group(token: "Token") -> bool:
    """True for "board" in "the board of Kiln"."""
    return token.pos_ == "NOUN" and token.lemma_ in known("band")


def _is_office(token: "Token") -> bool:
    return nominal_relations.is_role(token) or "office" in _kinds(token)


def _of_noun(
    reading: SentenceReading, holder: Referent, noun: "Token", about: frozenset[str], span: Times
) -> Iterator[str]:
    """Add what a noun for a spell, an office or a share is of: "her term as mayor of Bath", "the chair of Oakfield"."""
    lemma = noun.lemma_.lower()
    if lemma in change_nouns("office"):
        name = nominal_relations.role_name(noun)
        reading.add(holder, "HAS_ROLE", Referent(name, "Role", 0.97, False, lemma), span, 0.85)
        yield name
    for inner in _objects(noun, (*_OF_POSTS, "in", "to")):
        if nominal_relations.is_role(inner) or _is_group(inner):
            yield from _add(reading, holder, inner, about, span)
        elif (thing := reading.refer(inner)) is not None and thing.name != holder.name and thing.proper:
            relation = _relation(holder, thing, about)
            if lemma in change_nouns("office"):
                relation = "LEADS"
            elif relation and _is_group(noun) and "marriage" not in about:
                relation = "MEMBER_OF"
            if relation:
                reading.add(holder, relation, thing, span, 0.8)
                yield thing.name


def _relation(holder: Referent, thing: Referent, about: frozenset[str]) -> str:
    """What somebody has or had to a thing that a change of some kinds is about; "" for nothing."""
    if "marriage" in about and is_person(thing):
        return "MARRIED_TO"
    if thing.type == "Person":
        return ""
    if about & {"employment", "membership"} and thing.proper and thing.type != "Place":
        if "employment" not in about:
            return "MEMBER_OF"
        return CHOICES["@joins"](holder, thing) if is_person(holder) else "MEMBER_OF" if "membership" in about else ""
    if "ownership" in about and (thing.proper or is_kind(thing, "owned")):
        return "OWNS"
    return ""


def _tokens(frame: Frame, places: Places, idiom: "Sequence[Token]") -> "list[Token]":
    """What stands in places of a clause without the words of an idiom; of a post also what the clause says it is of."""
    found: list[Token] = []
    for place in places:
        found += frame.subjects if place == "subject" else frame.slots.get(place, [])
    if any(map(_kinds, found)):
        found += [token for place in _OF_POSTS if place not in places for token in frame.slots.get(place, [])]
    return [token for token in found if token not in idiom]


def _people(reading: SentenceReading, frame: Frame, places: Places, change: ChangeVerb) -> list[Referent]:
    """Who stands in places of a clause, of those who can have such things."""
    for place in places:
        if found := [one for one in _named(reading, frame, place) if _can_have(one, change)]:
            return found
    return []


def _named(reading: SentenceReading, frame: Frame, place: str) -> list[Referent]:
    if place.endswith("'s"):
        nouns = frame.surface if place == "subject's" else frame.slots.get("object", [])
        spells = [noun for noun in nouns if _kinds(noun)] or _before(frame.verb)
        return [one for noun in spells for one in nominal_relations.holders(reading, noun)]
    if place != "subject":
        return reading.refer_all(frame.slots.get(place, []))
    if frame.passive:
        return reading.refer_all(frame.subjects)
    return reading.refer_all(_engaged(frame)) or verbs.subjects_of(reading, frame, "none")


def _engaged(frame: Frame) -> "list[Token]":
    """Whom the verb above appoints: "named Ines Carvalho chief executive, succeeding Piet Oosterhuis"."""
    verb = frame.verb
    above = change_verbs().get(verb.head.lemma_, ()) if verb.dep_ in ("advcl", "xcomp", "acl") else ()
    is_engaging = any(one.begins and "object" in one.gains for one in above)
    return [c for c in verb.head.children if c.dep_ == "dobj"] if is_engaging and verb.tag_ == "VBG" else []


def _can_have(one: Referent, change: ChangeVerb) -> bool:
    if one.name.lower() in known("role"):
        return False
    return is_person(one) or (not change.about <= _OF_PEOPLE and one.proper)


def _before(verb: "Token") -> "list[Token]":
    """The noun for a spell that stands closest before a verb, in whatever place the parser has it."""
    for token in reversed(verb.doc[max(verb.sent.start, verb.i - _BACK) : verb.i]):
        if token.lemma_.lower() in change_nouns("spell") and token.pos_ == "NOUN":
            return [token]
        if token.pos_ == "VERB":
            break
    return []


def _succeeded(reading: SentenceReading, frame: Frame, losers: Sequence[Referent], gainers: Sequence[Referent]) -> None:
    """Add who came after whom: the first who gains after the first who loses."""
    for old, new in zip(losers[:1], gainers[:1], strict=False):
        if is_person(old) and is_person(new) and "Person" in (old.type, new.type) and old.name != new.name:
            span = verbs.when(reading, frame.verb, "event", over=False)
            reading.add(new, "SUCCEEDED", old, span, 0.85)


def read_nouns(reading: SentenceReading) -> None:
    """Add what nouns of ending tell: "accepted her resignation as dean on 3 May", "his divorce from Ann in 2010"."""
    for noun in reading.sentence:
        about = change_nouns("event").get(noun.lemma_.lower()) if noun.pos_ == "NOUN" else None
        span = _day_of(reading, noun) if about else None
        if about and span is not None and span.invalid_at is not None:
            for one in _who_loses(reading, noun)[:1]:
                if is_person(one):
                    tokens = _objects(noun, ("as", "from"))
                    names = tuple(name for token in tokens for name in _add(reading, one, token, about, span))
                    reading.transitions.append(Transition(True, one, about, names, span, noun))


def _who_loses(reading: SentenceReading, noun: "Token") -> list[Referent]:
    """Whose end a noun tells of: who is dismissed, not who dismisses, in "her dismissal of the coach"."""
    dismissed = [one for one in reading.refer_all(_objects(noun, ("of",))) if is_person(one)]
    return dismissed or nominal_relations.holders(reading, noun)


def _day_of(reading: SentenceReading, noun: "Token") -> Times:
    """When a noun of ending says that something ended: by its own date, or by that of its verb."""
    whens, verb = of_noun(reading.dates, noun), noun.head
    if verb.pos_ != "VERB":
        return times("end", whens, "past")
    if noun.dep_ in ("nsubj", "dobj", "nsubjpass") and verb.lemma_ not in _ANNOUNCING:
        whens = whens or of_verb(reading.dates, verb)
    return times("end", whens, tense_of(verb))


def _objects(noun: "Token", prepositions: tuple[str, ...]) -> "list[Token]":
    preps = [child for child in noun.children if child.dep_ == "prep" and child.lower_ in prepositions]
    return [one for prep in preps for inner in prep.children if inner.dep_ == "pobj" for one in listed(inner)]
