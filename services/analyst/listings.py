"""Questions without a name that ask for everyone a noun describes: "Who are the ministers?"."""

import re
from collections.abc import Iterator
from dataclasses import replace

from services.analyst.parsed_question import ParsedQuestion
from services.analyst.query_plan import QueryPlan
from services.analyst.question_cues import CURRENT
from services.analyst.question_words import places_of
from services.analyst.ranking_questions import Ranking
from services.analyst.relation_choice import RelationChoice, choices_of_kind, choices_of_nouns
from services.analyst.tense_and_change import change_asked, is_perfect, tense_of
from services.analyst.vocabulary import OWN, Side

_COUNTS = re.compile(r" how many ")
_OVER = re.compile(r" used to (?:be|have been)? ?(?:an? )?")
_ASKS = re.compile(r"^(?: (?:who|which|what|how many|all|every|each|the|current|present|former|everyone|and))+ ")
_DENIES = re.compile(r" (?:no|not|never|without|neither|nor|nobody|none|\S+n't) ")
_SIDES: tuple[Side, ...] = ("source", "target")
_PLAIN = 0.8
"""The score of a noun alone: low, so that verbs beside it, such as "change", have to be explained."""


def listings(question: ParsedQuestion) -> Iterator[Ranking]:
    """Return whom a question may list by a noun, now or in the time that it names."""
    template = question.template
    denies = _DENIES.search(template.text)
    if question.mentions or question.when.way == "pair" or denies or not _ASKS.match(template.text):
        return
    over = _OVER.search(template.text)
    places = places_of(template.matched(over)) if over else frozenset[int]()
    if counts := _COUNTS.search(template.text):
        places |= places_of(template.matched(counts))
    past = over is not None or is_perfect(template) or tense_of(template) == "past"
    past = past and not any(question.words[at].low in CURRENT for at in range(min(len(question.words), 4)))
    for choice in (*choices_of_nouns(question.cues), *_of_kinds(question)):
        most = question.lexicon.busiest(choice.relation, choice.side)
        is_past = past and question.when.way == "none"
        plan = QueryPlan("all", relation=choice.relation, side=choice.side, when=question.when, most=most)
        plan = replace(plan, counts=counts is not None, is_over=over is not None)
        plan = replace(plan, perfect=is_past, tense="past" if is_past else "present")
        yield plan, replace(choice, word_score=_PLAIN, sure=False), places
    yield from _ended(question)


def _ended(question: ParsedQuestion) -> Iterator[Ranking]:
    """ "Which lines were closed?": what has ended of the only relation that such things have, for good."""
    head, lexicon = question.cues.head, question.lexicon
    if head is None or question.when.way != "none" or _COUNTS.search(question.template.text):
        return
    kind = question.cues.types[head]
    sides = ((entry.name, side, entry.types(side)) for entry in lexicon.relations.values() for side in _SIDES)
    own = [(relation, side) for relation, side, kinds in sides if kinds[kind] * 2 > kinds.total()]
    if len(own) != 1 or {cue.relation for cue in question.cues.relations} - {own[0][0]}:
        return
    ((relation, side),) = own
    choice = RelationChoice(relation, side, _PLAIN, frozenset(question.cues.types), _PLAIN)
    changed = change_asked(question, choice)
    if changed.change == "ends":
        plan = QueryPlan("all", relation=relation, side=side, most=lexicon.busiest(relation, side), is_over=True)
        yield replace(plan, perfect=True, tense="past", change="ends"), choice, changed.places


def _of_kinds(question: ParsedQuestion) -> Iterator[RelationChoice]:
    """Return the relations of a kind of things that the question calls by their own names: "which clubs have won"."""
    own = {cue.relation for cue in question.cues.relations if cue.hint.weight >= OWN}
    return (choice for choice in choices_of_kind(question.cues) if choice.relation in own)
