"""Which words of a question nothing explains: where there are any, the answer would be a guess."""

import re
from collections.abc import Sequence, Set

from services.analyst.mentions import NameMention
from services.analyst.parsed_question import ParsedQuestion
from services.analyst.question_cues import BE, DO, HAVE, OF
from services.analyst.question_words import FUNCTION_WORDS, LIGHT_WORDS, QuestionWord, is_plural, places_of
from services.analyst.relation_choice import RelationChoice
from services.analyst.subject_sides import done_by_noun
from services.analyst.tense_and_change import in_the_past
from services.analyst.vocabulary import OWN, is_of_people
from services.core import clock
from services.language.numbers import number

STRONG = 0.9
"""So strongly words must speak for a relation that verbs like "become" and "hold" need no other explanation."""

_BELIEF = frozenset(
    ("would", "believe", "believed", "think", "thought", "know", "known", "say", "said", "assume", "assumed", "suppose")
)
"""What one does on the graph's clock."""
_TURNING = frozenset(("co", "ex", "non", "vice", "anti", "pro", "sub", "un"))
"""Prefixes that make of a word another one."""
_MODALS = frozenset(("may", "will", "can", "might", "must", "shall", "still", "just", "well", "even", "own"))
"""Small words that may be names as well."""
_ENDEARING = frozenset(("little", "young", "old", "dear", "poor", "lovely"))
"""Adjectives before a name that tell nothing by which it is another one."""
_OFFICES = frozenset(("job", "role", "post", "position", "seat", "office", "chair"))
_ARTICLES = ("the", "a", "an")
_OF_NOW = frozenset(("live", "active", "valid", "ongoing"))
_SPEAKERS = frozenset(("we", "i"))
_VERBS = BE | DO | HAVE
_HAD = frozenset(("have", "got", "know"))
"""What we have or know of is what the graph has."""
_BEFORE_ADJECTIVES = frozenset((*_ARTICLES, "any", "our", "which", "what", "have", "has", "'s"))
_CARES = re.compile(
    r" (?:(?:take|takes|took|taking|taken) care of|look(?:s|ed|ing)? after|(?:deal|deals|dealt|dealing) with"
    r"|handl(?:e|es|ed|ing)"
    r"|(?:see|sees|saw|seeing) to|attend(?:s|ed|ing)? to|(?:is|was|are|were) (?:in charge of|responsible for))(?= )"
)
_WHICH = re.compile(r" (?:which|what)(?: of (?:the|these|those))? $")
_THE = re.compile(r" (?:the|these|those|his|her|its|their|our) $")
_CLAUSE = re.compile(r" the \w+ (?:where|that|which|whose|(?:in|at|for) which) (?:the )?M ")
_WORKING = re.compile(
    r" (?:which|what|how many) (?P<noun>[a-z]+) (?:(?:is|are|was|were|has|have|had|been|did|D|[a-z]+ly) )*"
    r"(?P<verb>work(?:s|ed|ing)?)(?= )"
)
_LITTLE = {
    "responsible": re.compile(r" responsible as "),
    "like": re.compile(r" look(?:ed|s)? like "),
    "how": re.compile(r" how (?:far along )?(?:is|was|are|were|did|does|has|had) "),
    "use": re.compile(r" use to "),
    "used": re.compile(r" used to "),
    "work": re.compile(r" at work (?:$|D |, )"),
    "name": re.compile(r" the name of "),
    "round": re.compile(r" time round "),
    "once": re.compile(r" (?:was|were|had|has|M) once | once (?:was|were|had|led|ran|held|won|\w+ed) "),
}
"""Words that say nothing within these phrases."""


def unexplained(question: ParsedQuestion, explained: frozenset[int], choice: RelationChoice | None) -> tuple[int, ...]:
    """Return the places of the words that are neither name, date, cue, part of the relation nor a word without content.

    Without a choice no relation is asked for.
    """
    known = places_of(question.mentions) | question.dated | question.cues.titles | explained
    known |= _compounds(question.words, known) | in_the_past(question.template)
    known |= {m.first - 1 for m in question.mentions if m.first and question.words[m.first - 1].low in _ENDEARING}
    if choice is not None:
        known |= _offices(question, choice) | _adjectives_of_now(question, choice) | _cared_for(question, choice)
        known -= _before_clause(question, choice)
        known |= _at_work(question, choice)
        known |= {place - 1 for place in choice.places if place and question.words[place - 1].low == "how"}
    strong = choice is not None and choice.word_score >= STRONG
    others = frozenset() if choice is None else _of_others(question, choice)
    names = _of_longer_names(question) | _of_things_by(question, choice) | _of_somebody(question, choice)
    small = FUNCTION_WORDS | LIGHT_WORDS if choice is None or strong or choice.sure else FUNCTION_WORDS
    return tuple(
        place
        for place, word in enumerate(question.words)
        if not (
            place in known
            or (word.low in small and not _denies(question.words, place) and place not in others | names)
            or (word.low == "present" and place + 1 in known)
            or _is_small(question, word, strong)
        )
    )


def _of_others(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return the places of light words by which the graph calls another relation: "play" beside clubs of members, but
    not "held" in "held the post"."""
    named = (cue for cue in question.cues.relations if cue.hint.weight >= OWN and cue.relation != choice.relation)
    places = {place for cue in named for place in cue.places} - choice.places - _done_by_noun(question, choice)
    light = (place for place in places if question.words[place].low in LIGHT_WORDS)
    return frozenset(place for place in light if _next(question.words, place, _ARTICLES) not in choice.places)


def _of_longer_names(question: ParsedQuestion) -> frozenset[int]:
    """Return the places of small words that make another name of a part of one: "May" of "May Pharma", where the graph
    has an April Pharma."""
    words, named = question.words, places_of(question.mentions)
    if all(word.is_capitalised for at, word in enumerate(words) if at not in named):
        return frozenset()
    before = (mention.first - 1 for mention in question.mentions if mention.how == "short" and mention.first > 1)
    return frozenset(
        at for at in before if words[at].low in _MODALS and words[at].is_capitalised and not words[at + 1].gap.strip()
    )


def _of_things_by(question: ParsedQuestion, choice: RelationChoice | None) -> frozenset[int]:
    """Return the place of "by" in "the judges of the songs by A": A wrote the songs, whoever judges them."""
    words, types = question.words, question.cues.types
    by = (mention.first - 1 for mention in question.mentions if mention.first > 3)
    return frozenset(
        at
        for at in by
        if choice is not None
        and words[at].low == "by"
        and at - 1 in types
        and any(word.low in OF for word in words[max(0, at - 4) : at - 1])
        and any(place < at - 1 for place in choice.places - types.keys())
    )


def _of_somebody(question: ParsedQuestion, choice: RelationChoice | None) -> frozenset[int]:
    """Return the places of "whose" in "whose is it", and of "we" and "I" in "which ships do we own": nobody knows who
    that is, unless something else explains the word."""
    lows = [word.low for word in question.words]
    whose = {0} if lows[:1] == ["whose"] and lows[1:2] and lows[1] in BE else set()
    pairs = enumerate(zip(lows, lows[1:], [*lows[2:], ""], strict=False), 1)
    spoken = {at for at, (before, low, behind) in pairs if low in _SPEAKERS and before in _VERBS and behind not in _HAD}
    if question.mentions:
        spoken = set()  # who is asked about has a name: "which ports of A do we serve?"
    return frozenset(whose | spoken) if choice is not None else frozenset()


def _done_by_noun(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return the places of "made" where a noun says what was done: "made the most acquisitions"."""
    own = (cue for cue in question.cues.relations if cue.relation == choice.relation)
    return frozenset().union(*(done_by_noun(question.words, cue) for cue in own)) - choice.places


def _denies(words: Sequence[QuestionWord], place: int) -> bool:
    """True for "aren't" within a question; one that opens it, or ends it ("wasn't she?"), denies nothing."""
    return 0 < place < len(words) - 2 and words[place].low.endswith("n't")


def _offices(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return the places of "post" and "job" beside what tells which: "the CEO post", "the role of chair"."""
    words, things = question.words, [m for m in question.mentions if not _is_of_person(m, question)]
    known = choice.places | places_of(things)
    return frozenset(
        place
        for place, word in enumerate(words)
        if word.low in _OFFICES
        and (place - 1 - (words[place - 1].low == "'s") in known or _next(words, place, ("of", "as", "the")) in known)
    )


def _before_clause(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return the place of "led" in "who led the band that A sang in": what a clause says of A is another matter."""
    clause = _CLAUSE.search(question.template.text)
    if clause is None or question.template.matched(clause)[0].first == 0:
        return frozenset()
    start = question.template.matched(clause)[0].first
    own = [cue for cue in question.cues.relations if cue.relation == choice.relation]
    before = [cue for cue in own if cue.last <= start and cue.hint.form == "verb"]
    names_before = any(mention.first < start for mention in question.mentions)
    return places_of(before) if not names_before and any(cue.first > start for cue in own) else frozenset()


def _adjectives_of_now(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return the place of "live" in "a live contract": it says of a relation's noun that it holds."""
    words = question.words
    return frozenset(
        place
        for place, word in enumerate(words)
        if word.low in _OF_NOW and place and words[place - 1].low in _BEFORE_ADJECTIVES and place + 1 in choice.places
    )


def _cared_for(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return the places of "takes care of" and the like behind the noun of a relation that is asked for: "which vet
    takes care of her" and "who handles their account" ask who it is."""
    asked = {at for at, word in enumerate(question.words) if at and question.words[at - 1].low in ("which", "what")}
    named = (cue for cue in question.cues.relations if cue.relation == choice.relation and cue.hint.weight >= OWN)
    asks_who = [word.low for word in question.words if word.low in ("who", "whom")] != []
    is_asked = any(asks_who or asked.intersection(cue.places) for cue in named)
    match = _CARES.search(question.template.text) if is_asked else None
    return places_of(question.template.matched(match)) if match else frozenset()


def _at_work(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return the place of "worked" in "which winemakers worked at A": the noun tells as what."""
    match = _WORKING.search(question.template.text)
    if match is None:
        return frozenset()
    (noun,), (verb,) = (question.template.matched(match, group) for group in ("noun", "verb"))
    is_explained = noun.first in choice.places and noun.first not in question.cues.types
    return frozenset(verb.places) if is_explained else frozenset()


def _next(words: Sequence[QuestionWord], place: int, small: Sequence[str]) -> int:
    """Return the place of the next word but for small ones."""
    return next((at for at in range(place + 1, len(words)) if words[at].low not in small), -1)


def _is_of_person(mention: NameMention, question: ParsedQuestion) -> bool:
    return is_of_people(question.lexicon.type_of(mention.name))


def _is_small(question: ParsedQuestion, word: QuestionWord, strong: bool) -> bool:
    """ "Will" of a date to come, and "how" of what the relation itself is asked for."""
    text, when = question.template.text, question.when
    if word.low in ("will", "would", "going", "supposed") and when.first is not None and when.first > clock.now():
        return True
    if number(word.low) > 1 and _counts_known(question, word):
        return True
    if word.low in _BELIEF and when.known_at is not None:
        return True
    pattern = _LITTLE.get(word.low) if word.low != "how" or strong else None
    return pattern is not None and bool(pattern.search(text))


def _counts_known(question: ParsedQuestion, word: QuestionWord) -> bool:
    """True for "two" of "which two" and of "the two depots", which says how many there are and asks for no number."""
    text, at = question.template.text, question.words.index(word)
    before = text[: text.find(f" {word.low} ")] + " "
    behind = question.words[at + 1 : at + 2]
    return bool(_WHICH.search(before) or (_THE.search(before) and behind and is_plural(behind[0])))


def _compounds(words: Sequence[QuestionWord], known: Set[int]) -> frozenset[int]:
    """Return the words that a hyphen joins with one that is explained: "BDFL-delegate", but not the "co" of
    "co-author", who is another one."""
    joined = [at for at, word in enumerate(words) if at and word.gap == "-" and words[at - 1].low not in _TURNING]
    return frozenset(place - 1 for place in joined if place in known) | {p for p in joined if p - 1 in known}
