"""Reads a question: what is wanted of which entity, by which relation, and when; or why that is not clear."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from typing import Any

from services.analyst import refusals
from services.analyst.argument_roles import ArgumentRoles, argument_roles, with_value
from services.analyst.asked_change import TURNED_INTO, AskedChange, change_asked, is_perfect, tense_of
from services.analyst.coverage import unexplained
from services.analyst.figures import is_of_figures
from services.analyst.graph_lexicon import Lexicon
from services.analyst.intents import Intent, IntentMatch, intent_matches, is_yes_no
from services.analyst.joint_questions import asks_of_others
from services.analyst.mentions import NameMention
from services.analyst.parsed_question import ParsedQuestion, QuestionTemplate, parse_question, ways_to_name
from services.analyst.query_plan import Condition, DatingEvent, QueryPlan, Refusal
from services.analyst.question_words import listed, places_of
from services.analyst.rankings import rankings
from services.analyst.relation_choice import LINKED, RelationChoice, choices, is_symmetric, unsaid, value_of
from services.analyst.time_clauses import TimeClause, clause_of, successions
from services.analyst.time_frame import Way
from services.analyst.vocabulary import OWN, is_of_people
from services.language.numbers import ordinal

_RANKING: dict[Intent, float] = {
    "document": 0.9,
    "path": 0.9,
    "longest": 0.85,
    "how_long": 0.8,
    "times": 0.85,
    "former": 0.5,
    "ended": 0.75,
    "count": 0.7,
    "compare": 0.65,
    "history": 0.6,
    "when": 0.5,
    "before": 0.45,
    "after": 0.45,
    "most": 0.8,
    "nth": 0.5,
    "first": 0.4,
    "last": 0.4,
    "is": 0.3,
    "overview": 0.1,
    "value": 0.0,
}
"""How much an intent is preferred where its words are there: the rarer its words are elsewhere, the more."""

_USED_TO = re.compile(r" used? to ")
_WAYS: dict[str, Way] = {"when": "at", "while": "period", "since": "since", "before": "before", "after": "after"}
_NOT = re.compile(r" (?:not|isn't|aren't|wasn't|weren't|don't|doesn't)(?: (?!M )\S+){0,3} M ")
_ALL = frozenset(("all", "every", "each", "full", "complete", "entire", "whole"))
_RANKS = {
    "first": re.compile(r" (?:first|earliest|initial|initially|original|originally|oldest) "),
    "last": re.compile(r" (?:last|latest|most recent|most recently|newest) "),
    "shortest": re.compile(r" shortest "),
}
_OF_TIME = ("when", "long", "many", "since", "until", "first", "last")
"""What is asked of one fact and of no path."""
_PATH_BY_WORDS = 0.6
_SUCCESSIVE = str.split(
    "older newer later preceding new old previous previously next former formerly earlier prior predecessor successor "
    "subsequent"
)
_OF_PEOPLE = frozenset(("he", "she", "they", "him", "his", "her", "their"))
_OF_THINGS = frozenset(("it", "its", "they", "their"))
_WHO_IS = re.compile(r"^ who (?:is|was|were|became|held|led|ran|served) ")


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One way to understand a question: its plan, how likely it is, and the places of words that nothing explains.

    `relation_places` are those of the words that tell its relation.
    """

    plan: QueryPlan
    score: float
    left: tuple[int, ...] = ()
    relation_places: frozenset[int] = frozenset()


def read(text: str, lexicon: Lexicon, now: datetime) -> QueryPlan | Refusal:
    """Return what a question asks for, or why that was not understood."""
    question = parse_question(text, lexicon, now)
    if question.when.problem:
        return Refusal("I could not read the date.", question.when.problem)
    lacking = [mention.name for mention in question.mentions if mention.how == "unknown"]
    if lacking:
        message = f"The graph does not know {listed(lacking, 'or')}."
        return Refusal(message, "Check the number.", "unknown_name", tuple(lacking))
    found = [*_ranked(question), *(reading for way in ways_to_name(question) for reading in _interpretations(way))]
    whole = [reading for reading in found if not reading.left]
    if whole:
        best = max(whole, key=lambda one: (round(one.score, 6), -unsaid(one.plan.relation, question.words)))
        return _worded(best, question)
    return _refusal(question, found)


def _worded(reading: Interpretation, question: ParsedQuestion) -> QueryPlan:
    """Return the plan of a reading with what the question calls its names and its relation."""
    spans = {name: sorted(mention.places) for mention in question.mentions for name in mention.names}
    spans[reading.plan.relation] = sorted(reading.relation_places)
    words = {name: " ".join(question.words[place].text for place in places) for name, places in spans.items()}
    return replace(reading.plan, words=words)


def _interpretations(question: ParsedQuestion) -> Iterator[Interpretation]:
    if asks_of_others(question.template):
        return
    for asking, value in successions(question.template):
        yield from _in_order(question, asking, value)
    if (clause := clause_of(question.template)) is not None:
        yield from _with_clause(question, clause)
    for asking in intent_matches(question.template) if clause is None or not clause.opens else ():
        yield from _of_intent(question, asking, question.template.mentions)


def _of_intent(
    question: ParsedQuestion, asking: IntentMatch, mentions: Sequence[NameMention], event: DatingEvent | None = None
) -> Iterator[Interpretation]:
    if event is None and (alone := _without_relation(question, asking, mentions)) is not None:
        yield alone
    for roles in argument_roles(question, asking.intent, mentions) if asking.intent != "path" else ():
        if _can_be_asked(question, asking, roles):
            yield _interpreted(question, asking, roles, event)


def _can_be_asked(question: ParsedQuestion, asking: IntentMatch, roles: ArgumentRoles) -> bool:
    """False for how often somebody was one knows not what, and for "former" beside another noun than the relation's."""
    if asking.intent == "times":
        return bool(roles.value)
    if asking.intent != "former" or _USED_TO.search(question.template.text):
        return True
    return any(place + 1 in roles.choice.places or place + 1 in question.cues.types for place in asking.places)


def _interpreted(
    question: ParsedQuestion, asking: IntentMatch, roles: ArgumentRoles, event: DatingEvent | None = None
) -> Interpretation:
    choice = roles.choice
    plan = QueryPlan(
        "value" if asking.intent == "count" and _leads_to_figures(question, roles) else asking.intent,
        roles.subjects,
        choice.relation,
        choice.side,
        roles.value,
        is_symmetric(choice.relation),
        _ordinal(question, asking) or _rank(question),
        roles.conditions,
        question.when,
        event,
        perfect=_asks_for_all(question, choice),
        tense=tense_of(question.template),
    )
    changed = change_asked(question, choice) if _asks_for_change(plan) else AskedChange()
    plan, denied = _negated(_of_what_began(replace(plan, change=changed.change), question), question)
    explained = (choice.places - _of_others(question, choice)) | asking.places | changed.places | denied
    explained |= _successive(question, choice)
    score = choice.score + roles.bonus + _fit(plan, question) + 0.01 * len(asking.places)
    return Interpretation(plan, score, unexplained(question, explained, choice), choice.places)


def _leads_to_figures(question: ParsedQuestion, roles: ArgumentRoles) -> bool:
    """True where "how many" asks for a figure that the graph has: "240 seats"."""
    pairs = {(name, roles.choice.relation) for name in roles.subjects} if roles.choice.side == "source" else set()
    return is_of_figures(target for pair in pairs for target in question.lexicon.targets.get(pair, ()))


# -- what goes with what


def _fit(plan: QueryPlan, question: ParsedQuestion) -> float:
    """Return how well an intent goes with what it is asked of."""
    score = _RANKING[plan.intent]
    if plan.intent == "history" and plan.value:
        return score - (0.1 if is_yes_no(question.template.text) else 2.0)
    if plan.intent in ("before", "after") and not plan.value and _is_of_succession(question, plan.relation):
        return score - 1.0
    return score - 0.4 if plan.intent == "is" and not plan.value else score


def _negated(plan: QueryPlan, question: ParsedQuestion) -> tuple[QueryPlan, frozenset[int]]:
    """ "Not private": what has another value; and the places of what denies."""
    match = _NOT.search(question.template.text)
    if match is None or plan.intent != "value" or plan.when.way not in ("none", "at") or plan.event or plan.perfect:
        return plan, frozenset()
    tokens = question.template.matched(match)
    names, places = set(tokens[-1].mention.names if tokens[-1].mention else ()), frozenset(tokens[0].places)
    if names & set(plan.subjects) and len(plan.subjects) == 1:
        return replace(plan, negated=True), places
    conditions = tuple(replace(one, negated=one.name in names) for one in plan.conditions)
    return replace(plan, conditions=conditions), places if conditions != plan.conditions else frozenset()


def _asks_for_change(plan: QueryPlan) -> bool:
    """True for what can be asked of changes: what, how many, whether; "after 2010" is then a time, not an order."""
    is_time = plan.intent in ("before", "after") and plan.when.way == plan.intent and not plan.value
    return plan.event is None and plan.when.way != "pair" and (plan.intent in ("value", "count", "is") or is_time)


def _of_what_began(plan: QueryPlan, question: ParsedQuestion) -> QueryPlan:
    """ "Became Final in 2010": what began is what is listed, and what else is said of it is a condition."""
    verb = TURNED_INTO.search(question.template.text) if plan.change == "begins" else None
    begun = _named_behind(question.template, verb) if verb is not None else ()
    listed_by = next((one for one in plan.conditions if one.name in begun), None)
    if listed_by is None or len(plan.subjects) != 1:
        return plan
    own = Condition(plan.relation, plan.side, plan.subjects[0])
    return replace(
        plan,
        subjects=(listed_by.name,),
        relation=listed_by.relation,
        side=listed_by.side,
        symmetric=is_symmetric(listed_by.relation),
        conditions=(own, *(one for one in plan.conditions if one is not listed_by)),
    )


def _named_behind(template: QuestionTemplate, verb: re.Match[str]) -> tuple[str, ...]:
    """What the first name from a verb on may stand for."""
    first = template.matched(verb)[0]
    behind = template.tokens[template.tokens.index(first) :]
    return next((tuple(token.mention.names) for token in behind if token.mention is not None), ())


def _is_of_succession(question: ParsedQuestion, relation: str) -> bool:
    return ("predecessor",) in question.lexicon.relations[relation].hints


def _of_others(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return a relation's words that are another one's own name, where others tell it: "chaired" beside "CEO"."""
    cues = [cue for cue in question.cues.relations if cue.hint.weight >= OWN]
    own = places_of(cue for cue in cues if cue.relation == choice.relation)
    return (places_of(cues) & choice.places) - own if own else frozenset()


def _successive(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """ "Earlier" and "newer" say nothing of time beside a relation that is itself one of succession."""
    words = question.words if _is_of_succession(question, choice.relation) else ()
    return frozenset(place for place, word in enumerate(words) if word.low in _SUCCESSIVE)


def _asks_for_all(question: ParsedQuestion, choice: RelationChoice) -> bool:
    """ "Where has she lived?", "all its statuses": past ones too."""
    if is_perfect(question.template):
        return True
    words = question.words
    return choice.side == "source" and any(
        words[place].low.endswith("s") and _ALL & {word.low for word in words[max(0, place - 3) : place]}
        for place in choice.places
    )


def _ordinal(question: ParsedQuestion, asking: IntentMatch) -> str:
    """Return which one is asked for as a number: "2" of "the second mayor" and "the 2nd mayor"."""
    named = (question.words[place].low for place in sorted(asking.places) if asking.intent == "nth")
    return next((str(number) for word in named if (number := ordinal(word)) is not None), "")


def _rank(question: ParsedQuestion) -> str:
    return next((rank for rank, words in _RANKS.items() if words.search(question.template.text)), "")


# -- before and after something


def _in_order(question: ParsedQuestion, asking: IntentMatch, value: NameMention) -> Iterator[Interpretation]:
    """Another name is the subject, and the one that something came before or after is its value."""
    if _is_own_relation(question, asking, value):
        return
    if question.mentions == (value,):
        yield from _in_place_of(question, asking, value)
    for subject in question.mentions:
        rest = [m for m in question.mentions if m is not subject]
        for name in subject.names if rest == [value] else ():
            for roles in with_value(question, subject, name, rest, 0.4):
                if question.lexicon.joined(name, roles.choice.relation, roles.value) or roles.choice.side == "target":
                    yield _interpreted(question, asking, roles)


def _in_place_of(question: ParsedQuestion, asking: IntentMatch, value: NameMention) -> Iterator[Interpretation]:
    """ "Whose place did she take?": the subject is the one thing of hers that others of her kind had too."""
    lexicon, kind = question.lexicon, question.lexicon.type_of(value.name)
    own = {pair[1]: targets for pair, targets in lexicon.targets.items() if pair[0] == value.name and len(targets) == 1}
    shared = {
        relation
        for (name, relation), targets in lexicon.targets.items()
        if name != value.name and own.get(relation, frozenset()) & targets and lexicon.type_of(name) == kind
    }
    if len(shared) == 1:
        (relation,), (place,) = shared, own[next(iter(shared))]
        choice = RelationChoice(relation, "target", LINKED, frozenset(), 0.0, sure=True)
        yield _interpreted(question, asking, ArgumentRoles((place,), choice, value.name))


def _is_own_relation(question: ParsedQuestion, asking: IntentMatch, value: NameMention) -> bool:
    """True where "replaced" is the name of a relation between such as the value is, and no order of anything else."""
    relations, kind = question.lexicon.relations, question.lexicon.type_of(value.name)
    return any(
        cue.first in asking.places and cue.hint.weight >= OWN and relations[cue.relation].source_types[kind]
        for cue in question.cues.relations
    )


def _with_clause(question: ParsedQuestion, clause: TimeClause) -> Iterator[Interpretation]:
    outside = clause.rest.mentions
    if clause.joint in ("before", "after") or clause.ends:
        yield from _beside_value(question, clause)
    dated = replace(question, when=replace(question.when, way=_WAYS[clause.joint]))
    for event in _events(question, clause):
        for asking in intent_matches(clause.rest):
            with_clause = IntentMatch(asking.intent, asking.places | clause.places)
            for subjects in [outside] if outside else [[mention] for mention in _about(question, clause)]:
                yield from _of_intent(dated, with_clause, subjects, event)


def _beside_value(question: ParsedQuestion, clause: TimeClause) -> Iterator[Interpretation]:
    """ "Before it became V", "after V": the value is in the clause, the subject before it or beside it."""
    asking = IntentMatch("before" if clause.joint == "before" else "after", clause.places)
    kind = question.lexicon.type_of
    outside = clause.rest.mentions
    for subject in (*outside, *(clause.inside.mentions if outside else _about(question, clause))):
        named = set(subject.names)
        others = [m for m in (*outside, *clause.inside.mentions) if not named & set(m.names)]
        if len(others) == 1 and others[0] in clause.inside.mentions:
            for name in subject.names:
                bonus = 0.2 if subject in outside else 0.0
                bonus -= 0.1 if _WHO_IS.search(question.template.text) and is_of_people(kind(name)) else 0.0
                for roles in with_value(question, subject, name, others, bonus):
                    yield _interpreted(question, asking, roles)


def _about(question: ParsedQuestion, clause: TimeClause) -> list[NameMention]:
    """Return whom a question can be about that names nobody outside of a clause that tells an end: who left, where it
    says "he", or "it" of what is nobody; else what they left.
    """
    inside, words = clause.inside.mentions, {token.text for token in clause.rest.tokens}
    if not clause.ends or len(inside) != 2:
        return inside
    is_person = is_of_people(question.lexicon.type_of(inside[0].name))
    return inside[:1] if words & (_OF_PEOPLE if is_person else _OF_THINGS) else inside[1:]


def _events(question: ParsedQuestion, clause: TimeClause) -> list[DatingEvent]:
    """What a clause tells of: a fact between two names in it, or one in it and one that the question is about."""
    inside, outside = clause.inside.mentions, clause.rest.mentions
    pairs = list(product(inside, inside)) if len(inside) > 1 else [*product(outside, inside), *product(inside, outside)]
    found: list[tuple[float, DatingEvent]] = []
    for one, two in pairs:
        for name in one.names if not set(one.names) & set(two.names) else ():
            for choice in choices(question.cues, one, name, two, asked=False):
                linked = value_of(question.lexicon, choice.relation, choice.side, name, two)
                if linked is not None and linked[1] == LINKED:
                    event = DatingEvent(name, choice.relation, choice.side, linked[0], clause.ends)
                    found.append((choice.score, event))
    return [event for _, event in sorted(found, key=lambda pair: -pair[0])[:2]]


# -- what needs no relation


def _without_relation(
    question: ParsedQuestion, asking: IntentMatch, mentions: Sequence[NameMention]
) -> Interpretation | None:
    """Paths, documents, and what concerns an entity as a whole."""
    names = tuple(dict.fromkeys(mention.name for mention in mentions))
    common: dict[str, Any] = {"subjects": names[:1], "when": question.when}
    score, left = _RANKING[asking.intent], unexplained(question, asking.places, None)
    if asking.intent == "path" and len(names) == 2 and not question.cues.has_word(*_OF_TIME):
        return Interpretation(QueryPlan("path", other=names[1], **common), score + _PATH_BY_WORDS, left)
    if asking.intent == "document":
        return Interpretation(QueryPlan("document", **common), score)
    if len(names) != 1:
        return None
    changes = asking.intent in ("history", "compare") and not question.cues.relations
    whole = asking.intent == "overview" or (changes and not question.lexicon.is_value(names[0]))
    return Interpretation(QueryPlan(asking.intent, **common), 0.1, left) if whole else None


def _ranked(question: ParsedQuestion) -> Iterator[Interpretation]:
    """Who has the most of something in the whole graph, or more than some number, now or at an instant."""
    for plan, choice, places in rankings(question):
        left = unexplained(question, choice.places | places, choice)
        yield Interpretation(plan, choice.score, left, choice.places)


# -- refusals


def _refusal(question: ParsedQuestion, found: Sequence[Interpretation]) -> Refusal:
    """Say what the best reading leaves unexplained."""
    best = min(found, key=lambda reading: (len(reading.left), -reading.score), default=None)
    if best is None:
        return refusals.refusal(question, None, refusals.strange(question))
    return refusals.refusal(question, _worded(best, question), best.left)
