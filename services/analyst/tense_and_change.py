"""Whether a question asks for what began, or what ended, rather than for what held; and its tense."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from services.analyst.parsed_question import ParsedQuestion, QuestionTemplate
from services.analyst.question_words import places_of
from services.analyst.relation_choice import RelationChoice
from services.analyst.vocabulary import SYNONYM, is_momentary
from services.language.changes import ChangeVerb, change_verbs, momentary_verbs, starting_verbs
from services.language.inflection import is_past, possible_bases

Change = Literal["", "begins", "ends"]
Tense = Literal["present", "past", "future"]

TURNED_INTO = re.compile(
    r" (?:(?:became|becomes?|becoming)(?! of )|"
    r"(?:turn(?:s|ed)?|got|gets?|gotten|(?:was|were) made|went|go|goes|(?:mov|chang)(?:e|es|ed) (?:in)?to|"
    r"switch(?:es|ed)? to|(?:took|take|entered|assumed)(?: up)? (?:the )?office(?: as| of)?)"
    r"(?: (?:to|into|the|a|an))* M) "
)
"""Verbs of what happens, with what it led to; "became of" asks how something went on."""
_MADE = frozenset(("write", "author", "draft", "move"))
"""Verbs of what happens at once, where relations of the same name go on."""
_GOES_ON = frozenset(
    ("take", "get", "receive", "employ", "engage", "change", "turn", "sign", "switch", "reach", "name", "become")
)
"""Verbs that tell of a beginning beside some words and of a state beside others."""
_INTO_OFFICE = frozenset(("join", "rejoin", "leave", "elect", "appoint", "nominate", "reject", "merge"))
"""Verbs of what happens at once that tell of a beginning of whatever else is named."""
_LASTING = frozenset(("marry", "wed", "remarry", "enrol", "enroll", "enlist", "settle"))
"""Verbs whose participles behind "was" tell of a state."""
_ELSEWHERE = frozenset(
    (
        "go",
        "change",
        "turn",
        "shift",
        "switch",
        "step",
        "transfer",
        "trade",
        "exchange",
        "swap",
        "convert",
        "move",
        "graduate",
    )
)
"""Verbs of an end that also tell of where one goes, or of what one has from it."""
_RUNNING_OUT = frozenset(("end", "expire", "lapse", "terminate", "conclude", "finish"))
"""Verbs of an end that what ends does by itself: "which of her leases expired"."""
_BEFORE_PARTICIPLE = frozenset(("was", "were", "been", "got", "being", "be"))
_PRESENT = frozenset(("is", "are", "am", "does", "do", "has", "have", "isn't", "aren't", "doesn't", "don't"))
_PAST = frozenset(("was", "were", "did", "had", "wasn't", "weren't", "didn't", "hadn't"))
_PERFECT = re.compile(
    r" (?:has|have|had) (?:the |its |his |her |their )?(?:\S+ ){0,4}?"
    r"(?:been|had|held|led|made|taken|gone|run|won|left|kept|sold|bought|built|lost|taught|sung|become|\w+ed"
    r"|\w{3,}en|\w+wn) "
)
_IN_THE_PAST = re.compile(
    r" in (?:the |its |his |her |their )?(?:former|earlier|past|older|olden|bygone|previous|early|old) "
    r"(?:times?|days|years)(?= )| in the (?:distant )?past(?= )| back in the days?(?= )"
)
_FUTURE = re.compile(r" (?:will|shall|going to) ")
_ASKS = re.compile(r"^(?: D| ,)*(?: \w+)? (?:who|which|what|whose|where|how many|whether) ")
_USED_TO = re.compile(r" used? to ")
_ASKED = frozenset(("did", "didn't"))
_ASKED_HAVING = frozenset(("have", "do"))
"""What "did" asks for: "did she have", "did they do"."""
_NOT_FINITE = frozenset(
    ("to", "the", "a", "an", "of", "for", "in", "which", "what", "'s", "its", "his", "her", "their")
)


@dataclass(frozen=True, slots=True)
class AskedChange:
    """What kind of change is asked for, and the words that say so."""

    change: Change = ""
    places: frozenset[int] = frozenset()


def change_asked(question: ParsedQuestion, choice: RelationChoice) -> AskedChange:
    """Return the change of a relation's facts that a question asks for, by its verbs and the relation's own name."""
    template = question.template
    compounds = frozenset(at for at, word in enumerate(question.words[1:]) if word.gap == "-")
    ending_up = frozenset(at - 1 for at, word in enumerate(question.words) if at and word.low == "up")
    if ended := _words(template, _ending_verbs(), choice.places | compounds | ending_up):
        return AskedChange("ends", ended)
    if verb := TURNED_INTO.search(template.text):
        return AskedChange("begins", places_of(t for t in template.matched(verb) if t.mention is None))
    passive = (_BEFORE_PARTICIPLE | {"is", "are"}) & {token.text for token in template.tokens}
    others = compounds | _of_others(question, choice)
    if started := _words(template, _beginning_verbs() - (_LASTING if passive else frozenset()), others):
        return AskedChange("begins", started - (_words(template, _verbs_of_their_own(), others) - choice.places))
    return AskedChange("begins") if is_momentary(choice.relation) or _is_done(question) else AskedChange()


def is_perfect(template: QuestionTemplate) -> bool:
    """True for a question about what has been so far: "Where has she lived?"."""
    return _PERFECT.search(template.text) is not None


def _of_others(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return the places of verbs by which the graph calls another relation: "founded" beside who acquired what."""
    named = (cue for cue in question.cues.relations if cue.hint.weight >= SYNONYM and cue.relation != choice.relation)
    return places_of(named) - choice.places


def in_the_past(template: QuestionTemplate) -> frozenset[int]:
    """Return the places of words for a past that no date tells: "in former times"."""
    match = _IN_THE_PAST.search(template.text)
    return places_of(template.matched(match)) if match else frozenset()


def tense_of(template: QuestionTemplate) -> Tense:
    """Return the tense of a question, by its auxiliaries, else by its first verb."""
    words = [token.text for token in template.tokens if token.mention is None]
    if _FUTURE.search(template.text):
        return "future"
    if _PRESENT.intersection(words) - (_ASKED_HAVING if _ASKED.intersection(words) else frozenset()):
        return "present"
    if _PAST.intersection(words) or _USED_TO.search(template.text):
        return "past"
    finite = (word for before, word in zip(("", *words), words, strict=False) if before not in _NOT_FINITE)
    return "past" if _ASKS.search(template.text) and any(map(is_past, finite)) else "present"


def _words(template: QuestionTemplate, verbs: frozenset[str], known: frozenset[int]) -> frozenset[int]:
    """Return the places of a question's words that are forms of these verbs and explained by nothing else."""
    tokens = [token for token in template.tokens if token.mention is None]
    texts = ["", *(token.text for token in tokens)]
    return places_of(
        token
        for before, token in zip(texts, tokens, strict=False)
        if token.first not in known
        and (is_past(token.text) or (_ASKED & set(texts) and before not in _NOT_FINITE))
        and verbs & possible_bases(token.text)
    )


def _is_done(question: ParsedQuestion) -> bool:
    """True for a value that is a participle in small letters: "was it accepted in 2015?", "those withdrawn in 2014"."""
    words, types = question.words, question.cues.types
    return question.when.way == "period" and any(
        is_past(words[mention.first].low)
        and not words[mention.first].is_capitalised
        and (mention.first - 1 in types or any(word.low in _BEFORE_PARTICIPLE for word in words[: mention.first]))
        for mention in question.mentions
    )


def _is_left(change: ChangeVerb) -> bool:
    """True where the subject has lost something, and nobody else has it for that."""
    return change.loses[:1] == ("subject",) and (not change.gains or change.is_swap)


@cache
def _ending_verbs() -> frozenset[str]:
    """The verbs, as lemmas, by which somebody ends what he has, holds or does."""
    ending = (one for changes in change_verbs().values() for one in changes if _is_left(one))
    own = frozenset(verb for one in ending if len(one.words) == 1 for verb in one.words[0])
    return (own - _ELSEWHERE) | _RUNNING_OUT


@cache
def _verbs_of_their_own() -> frozenset[str]:
    """The verbs, as lemmas, that say what happened, so that they are the name of no other relation: "found", "buy"."""
    return momentary_verbs() - _INTO_OFFICE


@cache
def _beginning_verbs() -> frozenset[str]:
    """The verbs, as lemmas, by which something begins or happens."""
    return (starting_verbs() | momentary_verbs() | _MADE) - _GOES_ON
