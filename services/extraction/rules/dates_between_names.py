"""When a fact held, by where the names of its two ends stand in a parsed sentence, whichever reader found it.

The clause between the ends dates it: the dates of its verb, those that it shares with the verb that it is joined to,
and those beside or inside the noun that says it.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from services.extraction.rules import nominal_relations
from services.extraction.rules.clause_dates import Dated, Time, Times, of_verb, tense_of, times
from services.extraction.rules.date_expressions import DateExpression
from services.extraction.rules.dates_beside_nouns import STANDING, beside, is_title
from services.extraction.rules.findings import NO_TIMES, Finding, SentenceReading
from services.extraction.rules.transitions import applied
from services.language.changes import ending_phrases, starting_verbs

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

EVENTS = frozenset(
    ("FOUNDED", "ACQUIRED", "BORN_IN", "DIED_IN", "CREATED", "AUTHORED", "DIRECTED", "PERFORMED_IN", "WON", "SUCCEEDED",
     "PARTICIPATED_IN", "HAS_VERSION", "INTRODUCES", "REMOVES", "REPLACES")
)  # fmt: skip
"""Relations that say what happened once: their date is a start, and they have no end."""
LASTING = frozenset(("CHILD_OF", "SIBLING_OF", "SPEAKS", "ALLERGIC_TO", "PREFERS", "DISLIKES", "LOCATED_IN", "SUPPORTS",
                     "WRITTEN_IN"))  # fmt: skip
"""Relations that texts hardly ever date: a date beside them is another fact's."""
_TIMELESS = ("CHILD_OF", "SIBLING_OF", "SPEAKS")
_STAYS = frozenset(
    ("be", "remain", "stay", "live", "work", "serve", "study", "own", "use", "hold", "lead", "manage", "play",
     "teach", "have", "know", "like", "belong", "chair", "head", "captain", "sit", "reside", "run", "coach", "keep",
     "support", "depend", "need", "require", "attend", "direct", "read", "spend", "train", "rent", "edit")
)  # fmt: skip
_MOVES = frozenset(
    ("move", "switch", "migrate", "relocate", "transfer", "go", "port", "come", "transition", "convert", "change",
     "sign", "hire", "poach", "recruit", "join", "arrive", "return")
)  # fmt: skip
_GIVES = frozenset(("sell", "hand", "give"))
_REPLACES = frozenset(("succeed", "replace", "follow", "relieve", "take"))
_OFFICES = ("HAS_ROLE", "LEADS")
_BUILDS = frozenset(("develop", "build", "create", "write", "make", "design"))
_BESIDE = ("appos", "compound", "nmod", "amod")
_CLOSE = 3
"""How many words may stand between an end and the date that follows it in a list."""
_SAYS = frozenset(("say", "tell", "announce", "confirm", "note", "explain"))
_OFFICE = (
    "become appoint elect reelect name serve take start begin promote hire join succeed replace chair head lead "
    "captain direct manage resign retire leave step quit stand make act remain run swear install hold choose crown "
    "work return be"
)
_FOLLOWS = ("become", "succeed", "follow", "replace")
_TELLING = {
    relation: frozenset(verbs.split())
    for relation, verbs in {
        "MARRIED_TO": "marry wed remarry divorce separate get exchange",
        "HAS_ROLE": _OFFICE,
        "LEADS": f"{_OFFICE} own found set give get hand",
        "AUTHORED": "write author publish post draft compose pen edit propose create",
        "CREATED": (
            "create develop build write design make found invent compose contribute specify begin start paint record "
            "produce"
        ),
        "BORN_IN": "bear",
        "DIED_IN": "die pass kill drown perish",
        "WON": "win receive award go take give present share earn collect get lift clinch claim secure",
        "SUCCEEDED": "succeed replace follow take hand elect appoint become name come inherit",
        "FOUNDED": "found establish start set launch create open form cofound incorporate",
        "REPORTS_TO": "report answer manage supervise",
        "BASED_IN": "base move relocate transfer headquarter be have",
        "STUDIED_AT": (
            "study graduate attend take read enrol enroll enter earn finish receive leave complete do train get"
        ),
        "LIVES_IN": (
            "live move settle emigrate immigrate relocate return stay reside spend go flee come rent leave remain be"
        ),
        "WORKS_FOR": (
            "join leave work be hire start begin move employ appoint name serve spend stay return sign resign retire "
            "quit go become take run poach recruit have play coach teach step depart lose fire dismiss train switch "
            "come"
        ),
        "ACQUIRED": "acquire buy take purchase swallow merge sell absorb snap complete",
    }.items()
}
"""The verbs that tell some relations; for what nouns tell ("his wife") the date of another verb says nothing."""


def _was(relation: str, source: "Token | None", target: "Token | None") -> bool:
    """True where a noun beside an end says that it is over: "his former employer, Acme", "the former CEO of Acme"."""
    ends = [end for end in ((source, target) if relation == "MARRIED_TO" else (target,)) if end is not None]
    heads = [
        *ends,
        *(end.head.head for end in ends if end.dep_ == "pobj"),
        *(end.head for end in ends if end.dep_ == "appos"),
    ]
    nouns = [noun for head in heads for noun in (head, *head.children) if noun == head or noun.dep_ in _BESIDE]
    return any(nominal_relations.is_former(noun) for noun in nouns if _tells_relation(noun))


def _tells_relation(noun: "Token") -> bool:
    return nominal_relations.names_relation(noun) or noun.lemma_ in ("employer", "owner", "member", "home", "ex")


def near(
    dates: Sequence[Dated],
    source: "Token | None",
    target: "Token | None",
    relation: str,
    held: Times = NO_TIMES,
) -> Times:
    """When a relation between two words of a sentence held, by the dates of their clause; else `held`.

    Which word tells it is not known: the verb between them is taken for it, and says with the words before a date
    whether that is a start or an end.
    """
    given = times_between(dates, relation, source, target)
    if _was(relation, source, target):
        return replace(given, is_over=True) if given.valid_at and given.invalid_at else Times(is_over=True)
    if given != NO_TIMES:
        return given
    start = None if relation == "HAS_ROLE" and is_title(source, target) else _coming(dates, held.valid_at)
    return replace(held, valid_at=start, invalid_at=_coming(dates, held.invalid_at))


def _coming(dates: Sequence[Dated], day: datetime | None) -> datetime | None:
    """The next of such days where the sentence speaks of what is to come: "follows her on 1 September"."""
    for one in dates:
        if one.when.first == day and one.when.ahead is not None and one.verb is not None:
            tense = tense_of(one.verb)
            is_planned = tense == "present" and one.verb.lemma_ not in _STAYS and one.when.kind in ("at", "since")
            if tense == "future" or is_planned:
                return one.when.ahead
    return day


def head_of(sentence: "Span", place: tuple[int, int]) -> "Token | None":
    """The word of a place in a sentence that is highest in the tree."""
    start, end = (sentence.start_char + offset for offset in place)
    words = [token for token in sentence if token.idx < end and token.idx + len(token) > start]
    inside = {token.i for token in words}
    return next((token for token in words if token.head.i not in inside or token.head == token), None)


def times_between(dates: Sequence[Dated], relation: str, source: "Token | None", target: "Token | None") -> Times:
    """When a relation between two words held, by the dates of their sentence; either word may stand elsewhere."""
    if relation in LASTING or not dates or (source is None and target is None):
        return Times()
    own, own_time = beside(dates, relation, source, target)
    if own:
        return times(own_time, own, "past")
    verb = _predicate(relation, source, target)
    if verb is None:
        return Times()
    whens = _whens(dates, verb)
    if verb.lemma_ == "be":  # "is a potter and, since 2019, mayor": the dates are the last one's
        whens = [one for one in whens if one.kind in ("since", "until", "between") and not _is_listed(target)]
    time = _time(relation, verb, source, target)
    if relation == "HAS_ROLE" and time != "end" and is_title(source, target) and not _is_given(verb, source, target):
        return Times()  # "the mayor, Ada Brandt, spoke in May"
    given = times(time, whens, tense_of(verb))
    last = next((one.last for one in whens if one.kind == "between" and one.first == given.valid_at), None)
    return replace(given, invalid_at=last) if relation == "CREATED" and last is not None else given


def _predicate(relation: str, source: "Token | None", target: "Token | None") -> "Token | None":
    """The verb that tells the relation; None where the verb between its ends tells another."""
    verb = verb_between(relation, source, target)
    return verb if verb is not None and verb.lemma_.lower() in _TELLING.get(relation, (verb.lemma_.lower(),)) else None


def verb_between(relation: str, source: "Token | None", target: "Token | None") -> "Token | None":
    """The verb between two ends: the one nearest to the target below the word that both share."""
    if source is None or target is None:
        one = target if target is not None else source
        way = [] if one is None else list(one.ancestors)
    else:
        up, down = [source, *source.ancestors], [target, *target.ancestors]
        shared = next((token for token in up if token in down), None)
        if shared is None:
            return None
        way = [*down[: down.index(shared)], *up[: up.index(shared)], shared]
    verbs = [token for token in way if _is_verb(token) and token != source]
    if not verbs and relation in _OFFICES:  # "appointed Ada Brandt treasurer" is one phrase or two to the parser
        given = [token for token in (source, target) if token is not None and token.dep_ in ("dobj", "nsubjpass")]
        verbs = [token.head for token in given if token.head.lemma_ in starting_verbs() and _is_verb(token.head)]
    return next((token for token in verbs if token.lemma_ not in _SAYS), None)


def _is_given(verb: "Token", source: "Token | None", target: "Token | None") -> bool:
    """True for an office that a verb gives to whom it names with it: "hired its first lawyer, Ada Brandt"."""
    named = [end for end in (source, target) if end is not None and end.head == verb and end.dep_ == "dobj"]
    is_had = target is not None and any(child.lower_ == "the" for child in target.children)
    return verb.lemma_ in starting_verbs() and bool(named) and not is_had


def _is_verb(token: "Token") -> bool:
    return token.pos_ in ("VERB", "AUX") and token.dep_ not in ("amod", "aux", "auxpass", "compound")


def _is_listed(noun: "Token | None") -> bool:
    """True for a noun with others beside it, of which the last has the dates."""
    return noun is not None and (noun.dep_ == "conj" or any(child.dep_ == "conj" for child in noun.children))


def _whens(dates: Sequence[Dated], verb: "Token") -> list[DateExpression]:
    """The dates of the verb, or those that open the clause that it is joined to: "In 1996 it bought A and sold B"."""
    own = [one for one in dates if one.when in of_verb(dates, verb) and not _is_of_name(one)]
    if own:
        return [one.when for one in own]
    above = verb.head
    if verb.dep_ in ("relcl", "advcl") and verb.lemma_ in _FOLLOWS and above != verb:
        main = above if _is_verb(above) else next((t for t in above.ancestors if _is_verb(t)), above)
        return [one for one in of_verb(dates, main) if one.kind == "at"]
    if verb.dep_ != "conj" or not _is_verb(above) or any(c.dep_ in ("nsubj", "nsubjpass") for c in verb.children):
        return []
    subjects = [c.i for c in above.children if c.dep_ in ("nsubj", "nsubjpass")]
    return [
        one.when
        for one in dates
        if one.verb == above and not _is_of_name(one) and subjects and one.path[0].i < min(subjects)
    ]


def _is_of_name(one: Dated) -> bool:
    """True for a date beside a name: "under Beatrix Oor (1999–2011)"."""
    return any(token.pos_ == "PROPN" and token.ent_type_ != "DATE" for token in one.path[1:-1])


def _time(relation: str, verb: "Token", source: "Token | None", target: "Token | None") -> Time:
    if relation in EVENTS:
        return "event"
    if relation == "HAS_STATUS":
        return "start"
    if handed := _handed(verb, source, target):
        return handed
    if _ends(verb):
        return "end"
    if target is not None and target.dep_ == "pobj":
        apart = target.head.lower_ == "from" or (target.head.lower_ == "of" and target.head.head.lower_ == "out")
        if apart and verb.lemma_ in _MOVES:
            return "end"
    if source is not None and relation in STANDING and verb.lemma_ in _REPLACES:
        taken = source.dep_ in ("dobj", "nsubjpass") or (source.dep_ == "pobj" and source.head.lower_ == "from")
        if taken and verb in source.ancestors:
            return "end"
    return "state" if verb.lemma_ in _STAYS else "start"


def _ends(verb: "Token") -> bool:
    wording = " ".join([verb.lemma_, *(c.lower_ for c in verb.children if c.dep_ == "prt")])
    return verb.lemma_ in ending_phrases() or wording in ending_phrases()


def _handed(verb: "Token", source: "Token | None", target: "Token | None") -> Time | None:
    """What a verb tells that ends something for one and starts it for another: "sold Tom the boat", "left A for B"."""
    if verb.lemma_ in _GIVES and source is not None:
        given = source.head if source.dep_ == "appos" else source
        is_given = given.dep_ in ("dative", "nsubjpass") or (given.dep_ == "pobj" and given.head.lower_ == "to")
        return "start" if is_given else "end"
    if verb.lemma_ == "leave" and target is not None and target.dep_ == "pobj" and target.head.lower_ == "for":
        return "start"
    return "end" if any(word.lower_ == "rid" for word in (verb, *verb.children)) else None


def settled(reading: SentenceReading) -> list[Finding]:
    """What was found in a sentence, with the dates of its clause where the rule that found it gave none.

    What ends and begins in the sentence has the last word.
    """
    found = []
    for one in reading.found:
        source, target = _nearest(
            _words(reading.sentence, one.source.name, one.source.at),
            _words(reading.sentence, one.target.name, one.target.at),
        )
        verb = verb_between(one.relation, source, target) if source is not None and target is not None else None
        if turned := applied(reading.transitions, _settled(reading, one, source, target), verb):
            found.append(turned)
    return found


def _settled(reading: SentenceReading, one: Finding, source: "Token | None", target: "Token | None") -> Finding:
    """A finding with the dates that its rule did not give."""
    given = one.times
    if one.relation in _TIMELESS:
        return replace(one, times=Times(is_over=given.is_over))
    if one.relation not in EVENTS and given.valid_at is not None and given.valid_at == given.invalid_at:
        return replace(one, times=replace(given, valid_at=None))  # "effective today it is no longer a part"
    found = Times()
    if one.relation in EVENTS and (one_of_several := _after_end(reading.dates, given, source, target)) is not None:
        return replace(one, times=one_of_several)
    if given.valid_at is None and given.invalid_at is None:
        found = times_between(reading.dates, one.relation, source, target)
    is_open = one.relation not in EVENTS and found.invalid_at is None and given.invalid_at is None
    if is_open:
        end = _ended(reading, one.relation, target)
        found = replace(found, invalid_at=found.invalid_at or end, is_over=found.is_over or end is not None)
    if given.is_over:
        found = replace(found, valid_at=None)
    if given.is_over and given.invalid_at is None and _used_to(_predicate(one.relation, source, target)):
        given = Times(is_over=True)  # since when it holds no longer is not told
        one = replace(one, times=given)
    filled = given.filled(found)
    if found == Times() or (filled.valid_at and filled.invalid_at and filled.invalid_at < filled.valid_at):
        return one
    return replace(one, times=filled)


def _used_to(verb: "Token | None") -> bool:
    """True for the verb of "used to work at Acme"."""
    return verb is not None and any(token.lower_ == "used" for token in (verb.head, *verb.children))


def _after_end(dates: Sequence[Dated], given: Times, source: "Token | None", target: "Token | None") -> Times | None:
    """ "acquired by A in 1971, by B in 1988": the date that follows the later end, before the other ends of the list.

    What was made "between 2014 and 2017" keeps its end.
    """
    if given.valid_at is None or source is None or target is None:
        return None
    own = next((one for one in dates if one.when.first == given.valid_at), None)
    if own is None or own.verb is None:
        return None
    if own.when.kind == "between" and own.verb.lemma_ in _BUILDS and given.invalid_at is None:
        return Times(given.valid_at, own.when.last, given.is_over)
    later = max(source, target, key=lambda token: token.i)
    rest = [one for one in dates if one.when.kind == "at" and own.verb in one.path[1:] and one.path[0].i > later.i]
    if own.when.kind != "at" or own.path[0].i > later.i or not rest or later.dep_ not in ("pobj", "conj", "appos"):
        return None
    return Times(rest[0].when.first) if rest[0].path[0].i - later.i <= _CLOSE else None


def _ended(reading: SentenceReading, relation: str, target: "Token | None") -> datetime | None:
    """The end that a clause about the target tells: "the chair of Kiln, which she held until 2014"."""
    there = [one.when for one in reading.dates if one.when.kind == "until" and one.verb is not None
             and one.verb.dep_ == "relcl" and one.verb.lemma_ in _STAYS and one.verb.head == target]  # fmt: skip
    if there and relation in STANDING | {"LIVES_IN"}:
        return times("state", there, "past").invalid_at
    return None


def _words(sentence: "Span", name: str, at: int) -> "list[Token]":
    """The words that a referent may stand for: where it was read, or each last word of its name."""
    if sentence.start <= at < sentence.end:
        return [sentence.doc[at]]
    words = re.findall(r"\w+", name)
    return [token for token in sentence if words and token.text == words[-1]]


def _nearest(sources: "list[Token]", targets: "list[Token]") -> "tuple[Token | None, Token | None]":
    """The two that stand closest to each other."""
    if not sources or not targets:
        return next(iter(sources), None), next(iter(targets), None)
    return min(((a, b) for a in sources for b in targets), key=lambda pair: abs(pair[0].i - pair[1].i))
