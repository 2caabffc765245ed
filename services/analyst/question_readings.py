"""One way to understand a question: the plan that an intent and its arguments make, and how well they go together."""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from services.analyst.argument_roles import ArgumentRoles
from services.analyst.figures import is_of_figures
from services.analyst.intents import Intent, IntentMatch, is_yes_no
from services.analyst.lengths import unit_asked
from services.analyst.parsed_question import ParsedQuestion, QuestionTemplate
from services.analyst.query_plan import Condition, DatingEvent, QueryPlan
from services.analyst.question_cues import RelationCue
from services.analyst.question_words import places_of
from services.analyst.relation_choice import RelationChoice, is_symmetric, is_untold
from services.analyst.tense_and_change import TURNED_INTO, AskedChange, change_asked, is_perfect, tense_of
from services.analyst.unexplained_words import unexplained
from services.analyst.vocabulary import OWN, SYNONYM, is_momentary, is_of_people, other, qualities, taken_apart
from services.language.inflection import is_past
from services.language.numbers import ORDINALS, ordinal

RANKING: Mapping[Intent, float] = {
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

_AT_ONCE = 0.5
"""What it takes from an order of what happens once: two founders do not follow each other."""
_KINDS = frozenset(("kind", "sort", "type"))
_NOT = re.compile(r" (?:not|isn't|aren't|wasn't|weren't|don't|doesn't)(?: (?!M )\S+){0,3} M ")
_ALL = frozenset(("all", "every", "each", "full", "complete", "entire", "whole"))
_OF_THE_PAST = frozenset(("former", "formerly", "previous", "previously", "old", "earlier"))
"""Words of relations whose facts are over by what they say."""
_RANKS = {
    "first": re.compile(r" (?:first|earliest|initial|initially|original|originally|oldest) "),
    "last": re.compile(r" (?:last|latest|most recent|most recently|newest) "),
    "shortest": re.compile(r" shortest "),
}
_SUCCESSIVE = str.split(
    "older newer later preceding new old previous previously next former formerly earlier prior predecessor successor "
    "subsequent"
)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One way to understand a question: its plan, how likely it is, and the places of words that nothing explains.

    `relation_places` are those of the words that tell its relation.
    """

    plan: QueryPlan
    score: float
    left: tuple[int, ...] = ()
    relation_places: frozenset[int] = frozenset()


def interpreted(
    question: ParsedQuestion, asking: IntentMatch, roles: ArgumentRoles, event: DatingEvent | None = None
) -> Interpretation:
    """Return what an intent asks of names and a relation, and which words of the question that leaves open."""
    choice = roles.choice
    intent: Intent = "count" if counts_events(asking, roles) else asking.intent
    plan = QueryPlan(
        "value" if intent == "count" and _leads_to_figures(question, roles) else intent,
        roles.subjects,
        choice.relation,
        choice.side,
        roles.value,
        is_symmetric(choice.relation),
        _ordinal(question, asking) or _rank(question),
        roles.conditions,
        question.when,
        event,
        perfect=_asks_for_all(question, choice) and not _counts_standing(question, asking, roles),
        or_past=all(_may_be_over(name, question) for name in roles.subjects),
        tense=tense_of(question.template),
        unit=unit_asked(question.template.text),
        among=choice.among,
    )
    changed = change_asked(question, choice) if _asks_for_change(plan) else AskedChange()
    plan, denied = _negated(_of_what_began(replace(plan, change=changed.change), question), question)
    explained = (choice.places - named_by_others(question, choice)) | asking.places | changed.places | denied
    explained |= _successive(question, choice) | _kind_asked(question, roles)
    score = choice.score + roles.bonus + _fit(plan, question) + 0.01 * len(asking.places)
    score += RANKING["count"] if asking.intent == "count" and plan.intent == "value" else 0.0  # a figure counts
    return Interpretation(plan, score, unexplained(question, explained, choice), choice.places)


def counts_events(asking: IntentMatch, roles: ArgumentRoles) -> bool:
    """True for how many times somebody did what happens at once: as many as there are of it."""
    return asking.intent == "times" and not roles.value and is_momentary(roles.choice.relation)


def _kind_asked(question: ParsedQuestion, roles: ArgumentRoles) -> frozenset[int]:
    """Return the places of a noun for what is asked for, where the graph says of no such thing what it is: "towers" of
    "which towers did A design?"."""
    choice, lexicon = roles.choice, question.lexicon
    nouns = _nouns_asked(question) - choice.places
    beside = (lexicon.names_beside(name, choice.relation, choice.side) for name in roles.subjects)
    answers = frozenset[str]().union(*beside)
    if not nouns or choice.word_score < SYNONYM or not _are_untold(question, choice, answers):
        return frozenset()
    own = {relation for name in roles.subjects for relation in lexicon.sides.get(name, {})} - {choice.relation}
    is_other = any(_is_of_others(question, at, choice) or _tells_relation(question, at, own) for at in nouns)
    return frozenset() if is_other else nouns


def _nouns_asked(question: ParsedQuestion) -> frozenset[int]:
    """Return the places of the noun asked for, where it is no type of the graph."""
    head, words = question.cues.head, question.words
    nouns = [at for at in question.cues.asked_noun if head is None or at < head or words[head].low in _KINDS]
    return frozenset() if any(is_past(words[at].low) for at in nouns) else frozenset(nouns)


def _are_untold(question: ParsedQuestion, choice: RelationChoice, answers: frozenset[str]) -> bool:
    """True where neither types nor facts tell of what kind the answers are, or the most of what could be one."""
    lexicon, entry = question.lexicon, question.lexicon.relations[choice.relation]
    called = (lexicon.targets.get((name, kind), ()) for name in answers for kind in lexicon.telling_kind)
    if any(not re.search(r"\d", kind) for kinds in called for kind in kinds):  # "Type 66K" does not say what it is of
        return False
    counted = question.cues.has_word("many")
    is_guessed = answers <= lexicon.guessed and not counted
    return is_guessed or is_untold(entry, other(choice.side), counted=counted)


def _is_of_others(question: ParsedQuestion, at: int, choice: RelationChoice) -> bool:
    """True for a noun by which things are called of which none stands where the answers do."""
    lexicon = question.lexicon
    named = lexicon.named_after(question.words[at].low)
    return bool(named) and not any(lexicon.has(name, choice.relation, other(choice.side)) for name in named)


def _tells_relation(question: ParsedQuestion, at: int, own: Set[str]) -> bool:
    """True for a noun that is the name of a relation, or a part of the name of one that the subject has, and for what
    some relation may be called by: "price"."""
    if question.words[at].stem in qualities():
        return True
    named = [cue for cue in question.cues.relations if at in cue.places and cue.hint.weight >= OWN]
    return any(cue.relation in own or _is_one_noun(cue) for cue in named)


def _is_one_noun(cue: RelationCue) -> bool:
    return cue.hint.form == "noun" and len(taken_apart(cue.relation).content) == 1


def _may_be_over(name: str, question: ParsedQuestion) -> bool:
    """True for what comes to an end as a whole, such as an exhibition: no person, and no value of others."""
    return not (is_of_people(question.lexicon.type_of(name)) or question.lexicon.is_value(name))


def _counts_standing(question: ParsedQuestion, asking: IntentMatch, roles: ArgumentRoles) -> bool:
    """True for "how many had been rejected by 2010": a participle that is a value tells how things stood then."""
    named = [mention for mention in question.mentions if set(mention.names) & set(roles.subjects)]
    is_participle = all(not question.words[mention.first].is_capitalised for mention in named)
    return asking.intent == "count" and question.when.up_to and is_participle


def _leads_to_figures(question: ParsedQuestion, roles: ArgumentRoles) -> bool:
    """True where "how many" asks for a figure that the graph has: "240 seats"."""
    pairs = {(name, roles.choice.relation) for name in roles.subjects} if roles.choice.side == "source" else set()
    return is_of_figures(target for pair in pairs for target in question.lexicon.targets.get(pair, ()))


def _fit(plan: QueryPlan, question: ParsedQuestion) -> float:
    """Return how well an intent goes with what it is asked of."""
    score = RANKING[plan.intent]
    if plan.intent == "history" and plan.value:
        return score - (0.1 if is_yes_no(question.template.text) else 2.0)
    if plan.intent in ("before", "after") and plan.value and is_momentary(plan.relation):
        score -= _AT_ONCE
    if plan.intent in ("before", "after") and not plan.value and _is_of_succession(question, plan.relation):
        return score - 1.0
    is_of_time = plan.when.way in ("before", "after") and is_yes_no(question.template.text)
    return score - 0.4 if plan.intent == "is" and not plan.value and not is_of_time else score


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


def named_by_others(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """Return a relation's words that are another one's own name, where others tell it: "chaired" beside "CEO"."""
    cues = [cue for cue in question.cues.relations if cue.hint.weight >= OWN]
    named = [cue for cue in cues if cue.relation == choice.relation]
    own = places_of([cue for cue in named if cue.hint.weight > OWN] or named)
    asked = question.cues.asked_noun if choice.among else ()
    return (places_of(cues) & choice.places) - own - question.cues.types.keys() - set(asked) if own else frozenset()


def _successive(question: ParsedQuestion, choice: RelationChoice) -> frozenset[int]:
    """ "Earlier" and "newer" say nothing of time beside a relation that is itself one of succession."""
    words = question.words if _is_of_succession(question, choice.relation) else ()
    return frozenset(place for place, word in enumerate(words) if word.low in _SUCCESSIVE)


def _asks_for_all(question: ParsedQuestion, choice: RelationChoice) -> bool:
    """ "Where has she lived?", "all its statuses": past ones too."""
    if is_perfect(question.template) or _OF_THE_PAST & set(taken_apart(choice.relation).words):
        return True
    if question.cues.has_word("everyone", "everybody", "anyone", "anybody") and tense_of(question.template) == "past":
        return True
    words = question.words
    return choice.side == "source" and any(
        words[place].low.endswith("s") and _ALL & {word.low for word in words[max(0, place - 3) : place]}
        for place in choice.places
    )


def _ordinal(question: ParsedQuestion, asking: IntentMatch) -> str:
    """Return which one is asked for as a number: "2" of "the second mayor" and "the 2nd mayor"."""
    named = (question.words[place].low for place in sorted(asking.places) if asking.intent == "nth")
    return next((str(ordinal(word)) for word in named if word in ORDINALS or word[0].isdigit()), "")


def _rank(question: ParsedQuestion) -> str:
    return next((rank for rank, words in _RANKS.items() if words.search(question.template.text)), "")
