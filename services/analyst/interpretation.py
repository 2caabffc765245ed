"""Reads a question: what is wanted of which entity, by which relation, and when; or why that is not clear."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import product
from typing import Any, Literal

from services.analyst import refusals
from services.analyst.argument_roles import ArgumentRoles, argument_roles, with_value
from services.analyst.graph_lexicon import Lexicon
from services.analyst.intents import IntentMatch, intent_matches
from services.analyst.joint_questions import OF_THOSE_NOW, asks_of_others
from services.analyst.listings import listings
from services.analyst.mentions import NameMention
from services.analyst.parsed_question import ParsedQuestion, parse_question, ways_to_name
from services.analyst.query_plan import DatingEvent, QueryPlan, Refusal
from services.analyst.question_cues import OF_ONE_PERSON
from services.analyst.question_readings import RANKING, Interpretation, counts_events, interpreted, named_by_others
from services.analyst.question_words import listed, places_of, stem
from services.analyst.ranking_questions import rankings
from services.analyst.relation_choice import LINKED, RelationChoice, choices, unsaid, value_of
from services.analyst.tense_and_change import in_the_past
from services.analyst.time_clauses import TimeClause, clause_of, successions, words_of_succession
from services.analyst.time_frame import Way
from services.analyst.unexplained_words import STRONG, unexplained
from services.analyst.vocabulary import OWN, is_of_people

_USED_TO = re.compile(r" (?:used? to|no longer|any ?(?:more|longer)) ")
_UNTIL_DONE = re.compile(r" (?:take|takes|took|taken) (?:\S+ )*?to ")
"""How long it took until something was so is no time for which it was."""
_WAYS: dict[str, Way] = {"when": "at", "while": "period", "since": "since", "before": "before", "after": "after"}
_OF_TIME = ("when", "long", "many", "since", "until", "first", "last")
"""What is asked of one fact and of no path."""
_PATH_BY_WORDS = 0.6
_PLACE_NAMED = 0.7
"""What it adds to who came after somebody that the question says in which place."""
_OF_EVENT = 0.3
"""What it takes from what is asked that the clause which dates it says the same."""
_OF_PEOPLE = OF_ONE_PERSON | {"they", "their"}
_OF_THINGS = frozenset(("it", "its", "they", "their"))
_WHO_IS = re.compile(r"^ who (?:is|was|were|became|held|led|ran|served) ")


def read(text: str, lexicon: Lexicon, now: datetime) -> QueryPlan | Refusal:
    """Return what a question asks for, or why that was not understood."""
    question = parse_question(text, lexicon, now)
    if question.when.problem:
        return Refusal("I couldn't read the date.", question.when.problem)
    lacking = [mention.name for mention in question.mentions if mention.how == "unknown"]
    if lacking:
        message = f"The graph has no {listed(lacking, 'or')}."
        return Refusal(message, "Check the number in your question.", "unknown_name", tuple(lacking))
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
    orders = list(successions(question.template))
    for asking, value in orders:
        yield from _in_order(question, asking, value)
    if (clause := clause_of(question.template)) is not None:
        yield from _with_clause(question, clause)
    for asking in intent_matches(question.template) if clause is None or not clause.tells_when else ():
        is_clear = len(question.mentions) > 1 and any(asking.places & order.places for order, _ in orders)
        if asking.intent not in ("before", "after") or not is_clear:  # who took over from whom is no matter of choice
            yield from _of_intent(question, asking, question.template.mentions)


def _of_intent(
    question: ParsedQuestion, asking: IntentMatch, mentions: Sequence[NameMention], event: DatingEvent | None = None
) -> Iterator[Interpretation]:
    if event is None and (alone := _without_relation(question, asking, mentions)) is not None:
        yield alone
    for roles in argument_roles(question, asking.intent, mentions) if asking.intent != "path" else ():
        if _can_be_asked(question, asking, roles):
            yield interpreted(question, asking, roles, event)


def _can_be_asked(question: ParsedQuestion, asking: IntentMatch, roles: ArgumentRoles) -> bool:
    """False for how often somebody was one knows not what, and for "former" beside another noun than the relation's."""
    if asking.intent == "times":
        return bool(roles.value) or counts_events(asking, roles)
    if asking.intent == "how_long" and _UNTIL_DONE.search(question.template.text):
        return False
    if asking.intent in ("before", "after") and _ends_phrase(question, roles.choice, asking.places):
        return False
    if asking.intent in ("before", "former") and asking.places & in_the_past(question.template):
        return False
    if asking.intent != "former" or _USED_TO.search(question.template.text):
        return True
    return any(place + 1 in roles.choice.places or place + 1 in question.cues.types for place in asking.places)


def _ends_phrase(question: ParsedQuestion, choice: RelationChoice, places: frozenset[int]) -> bool:
    """True where "after" is part of a verb that tells the relation: "looks after"."""
    verbs = (cue for cue in question.cues.relations if cue.relation == choice.relation and cue.hint.form == "verb")
    return any(places & set(cue.places[1:]) and question.words[cue.last - 1].low == "after" for cue in verbs)


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
                if _is_of_members(question, roles.choice):
                    continue
                if question.lexicon.joined(name, roles.choice.relation, roles.value) or roles.choice.side == "target":
                    yield interpreted(question, asking, roles)


def _is_of_members(question: ParsedQuestion, choice: RelationChoice) -> bool:
    """True for a relation of many members, in whose place nobody comes unless the question has a word for it."""
    is_named = any(cue.relation == choice.relation for cue in question.cues.relations)
    return not is_named and (stem("member"),) in question.lexicon.relations[choice.relation].hints


def _in_place_of(question: ParsedQuestion, asking: IntentMatch, value: NameMention) -> Iterator[Interpretation]:
    """ "Whose place did she take?": the subject is the one thing of hers that others of her kind had too."""
    lexicon, kind = question.lexicon, question.lexicon.type_of(value.name)
    own = {pair[1]: targets for pair, targets in lexicon.targets.items() if pair[0] == value.name and len(targets) == 1}
    shared = {
        relation
        for (name, relation), targets in lexicon.targets.items()
        if name != value.name and own.get(relation, frozenset()) & targets and lexicon.type_of(name) == kind
    }
    named = {cue.relation for cue in question.cues.relations if cue.hint.weight >= OWN} & shared
    if len(named or shared) == 1:
        (relation,) = named or shared
        (place,) = own[relation]
        places = places_of(cue for cue in question.cues.relations if cue.relation == relation) - asking.places
        choice = RelationChoice(relation, "target", LINKED, places, 0.0, sure=True)
        bonus = _PLACE_NAMED if named else 0.0
        yield interpreted(question, asking, ArgumentRoles((place,), choice, value.name, bonus=bonus))


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
                for reading in _of_intent(dated, with_clause, subjects, event):
                    is_event = clause.joint in ("when", "while") and reading.plan.relation == event.relation
                    yield replace(reading, score=reading.score - (_OF_EVENT if is_event else 0.0))


def _beside_value(question: ParsedQuestion, clause: TimeClause) -> Iterator[Interpretation]:
    """ "Before it became V", "after V": the value is in the clause, the subject before it or beside it."""
    asking = _order_of(clause)
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
                    yield interpreted(question, asking, roles)


def _order_of(clause: TimeClause) -> IntentMatch:
    """Return whether what was before or after a clause is asked for, with the words of the question that say so too."""
    intent: Literal["before", "after"] = "before" if clause.joint == "before" else "after"
    repeated = (one.places for one in intent_matches(clause.rest) if one.intent == intent and clause.ends)
    return IntentMatch(intent, clause.places.union(words_of_succession(clause.rest), *repeated))


def _about(question: ParsedQuestion, clause: TimeClause) -> list[NameMention]:
    """Return whom a question can be about that names nobody outside of a clause that tells an end: who left, where it
    says "he", or "it" of what is nobody; else what they left, as where it says "who succeeded him".
    """
    inside, words = clause.inside.mentions, {token.text for token in clause.rest.tokens}
    if not clause.ends or len(inside) != 2:
        return inside
    if words_of_succession(clause.rest):
        return inside[1:]
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
    if not found and len(inside) == 1 and (clause.joint == "while" or (clause.ends and not outside)):
        found = list(_of_one_name(question, clause, inside[0]))
    return [event for _, event in sorted(found, key=lambda pair: -pair[0])[:2]]


def _of_one_name(
    question: ParsedQuestion, clause: TimeClause, mention: NameMention
) -> Iterator[tuple[float, DatingEvent]]:
    """ "After she stopped being secretary": what a clause tells of whoever it names, by its own words."""
    for choice in choices(question.cues, mention, mention.name, asked=False):
        own = {place for place in choice.places if place in clause.places}
        if choice.word_score >= STRONG and own:
            yield choice.score, DatingEvent(mention.name, choice.relation, choice.side, "", clause.ends)


# -- what needs no relation


def _without_relation(
    question: ParsedQuestion, asking: IntentMatch, mentions: Sequence[NameMention]
) -> Interpretation | None:
    """Paths, documents, and what concerns an entity as a whole."""
    names = tuple(dict.fromkeys(mention.name for mention in mentions))
    common: dict[str, Any] = {"subjects": names[:1], "when": question.when}
    score, left = RANKING[asking.intent], unexplained(question, asking.places, None)
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
    """Who has the most of something in the whole graph, more than some number, or any of it."""
    if OF_THOSE_NOW.match(question.template.text):
        return
    for plan, choice, places in (*rankings(question), *listings(question)):
        own = choice.places - named_by_others(question, choice)
        left = unexplained(question, own | places, choice)
        yield Interpretation(plan, choice.score, left, choice.places)


# -- refusals


def _refusal(question: ParsedQuestion, found: Sequence[Interpretation]) -> Refusal:
    """Say what the best reading leaves unexplained."""
    best = min(found, key=lambda reading: (len(reading.left), -reading.score), default=None)
    if best is None:
        return refusals.refusal(question, None, refusals.strange(question))
    return refusals.refusal(question, _worded(best, question), best.left)
