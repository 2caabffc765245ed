"""Reads a question: what is wanted of which entity, by which relation, and when; or why that is not clear."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from typing import Any

from services.analyst.clauses import Clause, clause_of
from services.analyst.coverage import unexplained
from services.analyst.drafts import Draft, drafts, with_value
from services.analyst.intents import Intent, Wish, is_yes_no, wishes
from services.analyst.lexicon import Lexicon
from services.analyst.meanings import Alike, with_meanings
from services.analyst.mentions import Mention
from services.analyst.plan import Condition, Event, Plan, Refusal
from services.analyst.question import Question, take_apart, ways_to_name
from services.analyst.relations import LINKED, Choice, choices, is_symmetric, value_of
from services.analyst.skeleton import Skeleton
from services.analyst.succession import Succession, successions
from services.analyst.time_frame import Way
from services.analyst.vocabulary import OWN
from services.analyst.words import listed
from services.language.relation_names import relation_words

_RANKING: dict[Intent, float] = {
    "document": 0.9,
    "path": 0.9,
    "how_long": 0.8,
    "ended": 0.75,
    "count": 0.7,
    "compare": 0.65,
    "history": 0.6,
    "when": 0.5,
    "before": 0.45,
    "after": 0.45,
    "first": 0.4,
    "last": 0.4,
    "is": 0.3,
    "overview": 0.1,
    "value": 0.0,
}
"""How much an intent is preferred where its words are there: the rarer its words are elsewhere, the more."""

_WAYS: dict[str, Way] = {"when": "at", "since": "since", "before": "before", "after": "after"}
_PERFECT = re.compile(
    r" (?:has|have|had) (?:the |its |his |her |their )?(?:\S+ ){0,4}?"
    r"(?:been|had|held|led|made|taken|gone|\w+ed|\w{3,}en|\w+wn) "
)
_BEGINS = re.compile(
    r" (?:(?:became|becomes?|becoming)(?! of )|"
    r"(?:turn(?:s|ed)?|got|gets?|gotten|(?:was|were) made|went|go|goes|(?:mov|chang)(?:e|es|ed) (?:in)?to|"
    r"switch(?:es|ed)? to)(?: (?:to|into|the|a|an))* M) "
)
"""Verbs of what happens, with what it led to; "became of" asks how something went on."""
_ALL = frozenset(("all", "every", "each", "full", "complete", "entire", "whole"))
_ADJACENT = (
    "previous",
    "previously",
    "next",
    "former",
    "formerly",
    "earlier",
    "prior",
    "predecessor",
    "successor",
    "subsequent",
)
_OF_TIME = ("when", "long", "many", "since", "until", "first", "last")
"""What is asked of one fact and of no path."""
_PATH_BY_WORDS = 0.6
_SUCCESSIVE = frozenset(("older", "newer", "later", "preceding", "new", "old", *_ADJACENT))
_IN_A_TEXT = re.compile(r" (?:what|how|where) (?:does|do|did) M | in M ")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a question: its plan, how likely it is, and the words that nothing explains."""

    plan: Plan
    score: float
    left: tuple[str, ...] = ()


def read(text: str, lexicon: Lexicon, now: datetime, alike: Alike | None = None) -> Plan | Refusal:
    """What a question asks for, or why that was not understood.

    `alike` is asked for the meaning of words that the lexicon does not explain.
    """
    question = take_apart(text, lexicon, now)
    if question.when.problem:
        return Refusal("I did not understand the date.", question.when.problem)
    lacking = [mention.name for mention in question.mentions if mention.how == "unknown"]
    if lacking:
        return Refusal(f"The graph does not know {listed(lacking, 'or')}.", "Check the number.")
    found = [reading for way in ways_to_name(question) for reading in _readings(way)]
    whole = [reading for reading in found if not reading.left]
    if whole:
        return max(whole, key=lambda reading: reading.score).plan
    if alike is not None and (wider := with_meanings(question, alike)) is not None:
        return read(text, wider, now)
    return _refusal(question, found)


def _readings(question: Question) -> Iterator[Reading]:
    for order in successions(question.skeleton):
        yield from _in_order(question, order)
    clause = clause_of(question.skeleton)
    if clause is not None:
        yield from _with_clause(question, clause)
    for wish in wishes(question.skeleton):
        yield from _of_wish(question, wish, question.skeleton.mentions)


def _of_wish(
    question: Question, wish: Wish, mentions: Sequence[Mention], event: Event | None = None
) -> Iterator[Reading]:
    if event is None and (alone := _without_relation(question, wish, mentions)) is not None:
        yield alone
    for draft in drafts(question, wish.intent, mentions) if wish.intent != "path" else ():
        yield _reading(question, wish, draft, event)


def _reading(question: Question, wish: Wish, draft: Draft, event: Event | None = None) -> Reading:
    choice = draft.choice
    plan = Plan(
        wish.intent,
        draft.subjects,
        choice.relation,
        choice.side,
        draft.value,
        is_symmetric(choice.relation),
        _rank(question),
        draft.conditions,
        question.when,
        event,
        perfect=_asks_for_all(question, choice),
    )
    plan = _of_what_began(plan, question)
    score = choice.score + draft.bonus + _fit(plan, question) + 0.01 * len(wish.places)
    return Reading(
        plan, score, unexplained(question, choice.places | wish.places | _successive(question, choice), choice)
    )


# -- what goes with what


def _fit(plan: Plan, question: Question) -> float:
    """How well an intent goes with what it was told of."""
    score = _RANKING[plan.intent]
    if plan.intent == "history" and plan.value:
        score -= 0.1 if is_yes_no(question.skeleton.text) else 2.0
    if plan.intent == "compare" and plan.when.way != "pair":
        score -= 2.0
    if plan.intent in ("before", "after") and not plan.value:
        undated = plan.event is None and plan.when.way in ("none", "at")
        score -= 0.5 if undated and not question.evidence.said(*_ADJACENT) else 0.0
        score -= 1.0 if _is_of_succession(question, plan.relation) else 0.0
    return score - 0.4 if plan.intent == "is" and not plan.value else score


def _of_what_began(plan: Plan, question: Question) -> Plan:
    """ "Became Final in 2010": what began is what is listed, and what else is said of it is a condition."""
    verb = _BEGINS.search(question.skeleton.text)
    if verb is None or plan.event is not None or plan.when.way not in ("period", "pair", "since"):
        return plan
    begun = _named_behind(question.skeleton, verb)
    listed_by = next((one for one in plan.conditions if one.name in begun), None)
    if listed_by is None or len(plan.subjects) != 1:
        return replace(plan, begins=True)
    own = Condition(plan.relation, plan.side, plan.subjects[0])
    return replace(
        plan,
        subjects=(listed_by.name,),
        relation=listed_by.relation,
        side=listed_by.side,
        symmetric=is_symmetric(listed_by.relation),
        begins=True,
        conditions=(own, *(one for one in plan.conditions if one is not listed_by)),
    )


def _named_behind(skeleton: Skeleton, verb: re.Match[str]) -> tuple[str, ...]:
    """What the first name from a verb on may stand for."""
    first = next(skeleton.matched(verb))
    behind = skeleton.tokens[skeleton.tokens.index(first) :]
    return next((tuple(token.mention.names) for token in behind if token.mention is not None), ())


def _is_of_succession(question: Question, relation: str) -> bool:
    return ("predecessor",) in question.lexicon.relations[relation].hints


def _successive(question: Question, choice: Choice) -> frozenset[int]:
    """ "Earlier" and "newer" say nothing of time beside a relation that is itself one of succession."""
    if not _is_of_succession(question, choice.relation):
        return frozenset()
    return frozenset(place for place, word in enumerate(question.words) if word.low in _SUCCESSIVE)


def _asks_for_all(question: Question, choice: Choice) -> bool:
    """ "Where has she lived?", "all its statuses": past ones too."""
    if _PERFECT.search(question.skeleton.text):
        return True
    words = question.words
    return choice.side == "source" and any(
        words[place].low.endswith("s") and _ALL & {word.low for word in words[max(0, place - 3) : place]}
        for place in choice.places
    )


def _rank(question: Question) -> str:
    text = question.skeleton.text
    if re.search(r" (?:first|earliest|initial|initially|original|originally|oldest) ", text):
        return "first"
    return "last" if re.search(r" (?:last|latest|most recent|most recently|newest) ", text) else ""


# -- before and after something


def _in_order(question: Question, order: Succession) -> Iterator[Reading]:
    """Another name is the subject, and the one that something came before or after is its value."""
    if _is_own_relation(question, order):
        return
    wish = Wish(order.intent, order.places)
    for subject in question.mentions:
        rest = [m for m in question.mentions if m is not subject]
        for name in subject.names if rest == [order.value] else ():
            for draft in with_value(question, subject, name, rest, 0.4):
                if question.lexicon.joined(name, draft.choice.relation, draft.value) or draft.choice.side == "target":
                    yield _reading(question, wish, draft)


def _is_own_relation(question: Question, order: Succession) -> bool:
    """True where "replaced" is the name of a relation between such as the value is, and no order of anything else."""
    relations, kind = question.lexicon.relations, question.lexicon.type_of(order.value.name)
    return any(
        t.first in order.places and t.hint.weight >= OWN and relations[t.relation].source_types[kind]
        for t in question.evidence.told
    )


def _with_clause(question: Question, clause: Clause) -> Iterator[Reading]:
    inside, outside = clause.mentions, clause.rest.mentions
    if clause.joint in ("before", "after") or clause.ends:
        yield from _beside_value(question, clause)
    dated = replace(question, when=replace(question.when, way=_WAYS[clause.joint]))
    for event in _events(question, clause):
        for wish in wishes(clause.rest):
            told = Wish(wish.intent, wish.places | clause.places)
            for subjects in [outside] if outside else [[mention] for mention in inside]:
                yield from _of_wish(dated, told, subjects, event)


def _beside_value(question: Question, clause: Clause) -> Iterator[Reading]:
    """ "Before it became V", "after V": the value is in the clause, the subject before it or beside it."""
    wish = Wish("before" if clause.joint == "before" else "after", clause.places)
    outside = clause.rest.mentions
    for subject in (*outside, *clause.mentions):
        named = set(subject.names)
        others = [m for m in (*outside, *clause.mentions) if not named & set(m.names)]
        if len(others) == 1 and others[0] in clause.mentions:
            for name in subject.names:
                for draft in with_value(question, subject, name, others, 0.2 if subject in outside else 0.0):
                    yield _reading(question, wish, draft)


def _events(question: Question, clause: Clause) -> list[Event]:
    """What a clause tells of: a fact between two names in it, or one in it and one that the question is about."""
    inside, outside = clause.mentions, clause.rest.mentions
    pairs = list(product(inside, inside)) if len(inside) > 1 else [*product(outside, inside), *product(inside, outside)]
    found: list[tuple[float, Event]] = []
    for one, two in pairs:
        for name in one.names if not set(one.names) & set(two.names) else ():
            for choice in choices(question.evidence, one, name, two, asked=False):
                linked = value_of(question.lexicon, choice.relation, choice.side, name, two)
                if linked is not None and linked[1] == LINKED:
                    event = Event(name, choice.relation, choice.side, linked[0], clause.ends)
                    found.append((choice.score, event))
    return [event for _, event in sorted(found, key=lambda pair: -pair[0])[:2]]


# -- what needs no relation


def _without_relation(question: Question, wish: Wish, mentions: Sequence[Mention]) -> Reading | None:
    """Paths, documents, and what concerns an entity as a whole."""
    names = tuple(dict.fromkeys(mention.name for mention in mentions))
    common: dict[str, Any] = {"subjects": names[:1], "when": question.when}
    score, left = _RANKING[wish.intent], unexplained(question, wish.places, None)
    if wish.intent == "path" and len(names) == 2 and not question.evidence.said(*_OF_TIME):
        return Reading(Plan("path", other=names[1], **common), score + _PATH_BY_WORDS, left)
    if wish.intent == "document":
        query = " ".join(word.text for place, word in enumerate(question.words) if place not in wish.places)
        document = names[0] if names and _IN_A_TEXT.search(question.skeleton.text) else ""
        return Reading(Plan("document", query=query, document=document, **common), score)
    whole = wish.intent == "overview" or (
        wish.intent in ("history", "compare") and not question.evidence.told and _is_subject(question.lexicon, names[0])
        if len(names) == 1
        else False
    )
    return Reading(Plan(wish.intent, **common), 0.1, left) if len(names) == 1 and whole else None


def _is_subject(lexicon: Lexicon, name: str) -> bool:
    """True for a name that something is said of, and that is not a mere value."""
    return not lexicon.is_value(name) or any("source" in on for on in lexicon.sides.get(name, {}).values())


# -- refusals


def _refusal(question: Question, found: Sequence[Reading]) -> Refusal:
    """Says what was not understood; where nothing came near, what the graph could be asked about."""
    best = min(found, key=lambda reading: (len(reading.left), -reading.score), default=None)
    names = [mention.name for mention in question.mentions]
    if question.evidence.said("why"):
        return Refusal("The graph does not tell why.", _hint(question, names))
    if best is not None:
        strange = listed([f"“{word}”" for word in best.left[:4]])
        return Refusal(f"I did not understand {strange}.", _hint(question, names))
    if not names:
        hint = "Name something that the graph knows, as it is written there."
        return Refusal("I did not understand the question.", hint)
    return Refusal("I did not understand what is asked.", _hint(question, names))


def _hint(question: Question, names: Sequence[str]) -> str:
    known = [
        " ".join(relation_words(relation)) for name in names[:1] for relation in question.lexicon.sides.get(name, {})
    ]
    return f"Of {names[0]} the graph knows: {', '.join(known[:6])}." if known else ""
