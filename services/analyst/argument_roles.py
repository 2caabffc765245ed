"""Which of a question's names is its subject, which a value, and which a condition on what is listed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from services.analyst.graph_lexicon import Lexicon
from services.analyst.intents import Intent, is_yes_no
from services.analyst.mentions import NameMention
from services.analyst.parsed_question import ParsedQuestion
from services.analyst.query_plan import Condition
from services.analyst.question_words import FUNCTION_WORDS
from services.analyst.relation_choice import LINKED, RelationChoice, choices, value_of
from services.analyst.vocabulary import other

_MOST_CHOICES = 3
_MOST_SUBJECTS = 4
_OF_ANOTHER_KIND = 0.5
"""What it takes from a longer name that the whole name of something else is a part of."""
_OF_ONE: frozenset[Intent] = frozenset(("first", "last", "longest", "before", "after"))
"""What is asked of one of several: "who was first, A or B?"."""
_CROWDED = 1.8
"""So many times more names on one side of a relation than on the other make the other's the crowded one."""

OF_A_VALUE: frozenset[Intent] = frozenset(
    ("is", "when", "ended", "how_long", "times", "before", "after", "history", "compare")
)
"""What can be asked of a subject together with one of its values."""
OF_A_LIST: frozenset[Intent] = frozenset(("value", "count", "former"))
"""What can be asked of all those that meet conditions."""


@dataclass(frozen=True, slots=True)
class ArgumentRoles:
    """One way to understand names and relation; `bonus` adds to how likely the relation is."""

    subjects: tuple[str, ...]
    choice: RelationChoice
    value: str = ""
    conditions: tuple[Condition, ...] = ()
    bonus: float = 0.0


def argument_roles(
    question: ParsedQuestion, intent: Intent, mentions: Sequence[NameMention]
) -> Iterator[ArgumentRoles]:
    """Return each way to make one of the names the subject, or all of them where "and" joins them."""
    # "the Zen of Python, PEP 20" names one thing twice
    mentions = [m for at, m in enumerate(mentions) if m.name not in {before.name for before in mentions[:at]}]
    is_choice = intent in _OF_ONE and question.cues.has_word("or")
    if len(mentions) > 1 and not is_choice and all(_follows(question, one, two) for one, two in pairwise(mentions)):
        yield from _several(question, intent, mentions)
    if intent == "is" and len(mentions) > 2 and all(_follows(question, *two) for two in pairwise(mentions[:-1])):
        yield from _several(question, intent, mentions[:-1], mentions[-1])
    for place, subject in enumerate(mentions[:_MOST_SUBJECTS]):
        others = [m for m in mentions if m is not subject]
        likely = _likely(question.lexicon, subject, place)
        for name in subject.names:
            bonus = likely - (_OF_ANOTHER_KIND if _is_of_another_kind(question.lexicon, subject, name) else 0.0)
            if not others:
                for choice in choices(question.cues, subject, name)[:_MOST_CHOICES]:
                    yield ArgumentRoles((name,), choice, bonus=bonus)
            if others and (intent == "is" or (intent in OF_A_VALUE and len(others) == 1)):
                yield from with_value(question, subject, name, others, bonus)
            elif intent in OF_A_LIST and others:
                yield from _with_conditions(question, subject, name, others, bonus)


def with_value(
    question: ParsedQuestion, subject: NameMention, name: str, others: Sequence[NameMention], bonus: float = 0.0
) -> Iterator[ArgumentRoles]:
    """Take the other name as a value of the subject's; of several, as in "is it A or B", none is asked for alone."""
    or_alike = is_yes_no(question.template.text) and len(others) == 1
    for choice in choices(question.cues, subject, name, others[0], or_alike=or_alike)[:_MOST_CHOICES]:
        linked = [
            value_of(question.lexicon, choice.relation, choice.side, name, one, or_alike=or_alike) for one in others
        ]
        values = [value[0] for value in linked if value]
        is_of_each = len(values) > 1 and _is_both(question, others[0])
        if (
            len(values) == len(others)
            and not is_of_each
            and (len(values) == 1 or _are_alternatives(question, subject, others))
        ):
            value = values[0] if len(values) == 1 else ""
            yield ArgumentRoles((name,), choice, value, bonus=bonus + _crowd(question.lexicon, choice))


def _are_alternatives(question: ParsedQuestion, subject: NameMention, values: Sequence[NameMention]) -> bool:
    """True for "is it A or B", and where "and" joins what stands behind the subject."""
    behind = subject.first < values[0].first and all(_follows(question, *two) for two in pairwise(values))
    return behind or question.cues.has_word("or", "either")


def _likely(lexicon: Lexicon, subject: NameMention, place: int) -> float:
    """Return how likely a name is the subject: the first one is, unless nothing is ever said of it."""
    sides = lexicon.sides.get(subject.name, {}).values()
    return (0.1 if place == 0 else 0.0) - (0.3 if all(on == {"target"} for on in sides) else 0.0)


def _is_both(question: ParsedQuestion, first: NameMention) -> bool:
    """True for "both A and B", which asks for what one answer is to both."""
    before = [word.low for word in question.words[max(0, first.first - 2) : first.first]]
    return before[-1:] == ["both"] or before == ["both", "the"]


def _is_of_another_kind(lexicon: Lexicon, subject: NameMention, name: str) -> bool:
    """True for the club where the question says the name of its town."""
    return subject.how == "whole" and lexicon.type_of(name) != lexicon.type_of(subject.name)


def _crowd(lexicon: Lexicon, choice: RelationChoice) -> float:
    """Of two names that a fact joins, the one with fewer such facts is what the question is about."""
    entry = lexicon.relations[choice.relation]
    own, others = (entry.sources, entry.targets) if choice.side == "source" else (entry.targets, entry.sources)
    return -0.15 if others > _CROWDED * own else 0.0


def _with_conditions(
    question: ParsedQuestion, subject: NameMention, name: str, others: Sequence[NameMention], bonus: float
) -> Iterator[ArgumentRoles]:
    for choice in choices(question.cues, subject, name)[:_MOST_CHOICES] if subject.how != "stem" else ():
        conditions = _conditions(question, choice, others)
        if conditions:
            yield ArgumentRoles((name,), choice, "", conditions, bonus - 0.35)


def _conditions(question: ParsedQuestion, choice: RelationChoice, rest: Sequence[NameMention]) -> tuple[Condition, ...]:
    """What the others say of the entities that are listed; none where they cannot be said of them."""
    lexicon = question.lexicon
    types = lexicon.relations[choice.relation].types(other(choice.side))
    listed = {kind for kind, number in types.items() if number * 5 >= types.total()}
    conditions = []
    for mention in rest:
        if mention.how == "stem":  # "which did she reject" does not ask for what is rejected
            return ()
        if _is_beside(question, mention):
            if not lexicon.has(mention.name, choice.relation, choice.side):
                return ()
            conditions.append(Condition(choice.relation, choice.side, mention.name))
            continue
        fitting = [
            (found.score, Condition(found.relation, found.side, name))
            for name in mention.names
            for found in choices(question.cues, mention, name, asked=False) or _by_itself(lexicon, name)
            if found.relation != choice.relation
            and listed.intersection(lexicon.relations[found.relation].types(other(found.side)))
        ]
        if not fitting:
            return ()
        conditions.append(max(fitting, key=lambda pair: pair[0])[1])
    return tuple(conditions)


def _is_beside(question: ParsedQuestion, mention: NameMention) -> bool:
    """True for "with A" and "together with A": A has done the same."""
    return question.words[mention.first - 1].low in ("with", "alongside") if mention.first else False


def _by_itself(lexicon: Lexicon, name: str) -> list[RelationChoice]:
    """The relations that a value is a value of."""
    return [RelationChoice(relation, "target", LINKED, frozenset(), 0.0) for relation in lexicon.values.get(name, ())]


def _follows(question: ParsedQuestion, one: NameMention, two: NameMention) -> bool:
    """True for names of one type that "and" or a comma joins."""
    lexicon, between = question.lexicon, [word.low for word in question.words[one.last : two.first]]
    small = all(word in FUNCTION_WORDS for word in between) and bool({"and", "or"} & set(between))
    joined = small or (not between and bool(set(",&/+") & set(question.words[two.first].gap)))
    mixed = lexicon.is_value(one.name) and not lexicon.is_value(two.name)
    return joined and not mixed and lexicon.type_of(one.name) == lexicon.type_of(two.name)


def _several(
    question: ParsedQuestion, intent: Intent, subjects: Sequence[NameMention], value: NameMention | None = None
) -> Iterator[ArgumentRoles]:
    """Ask one question of several subjects, with one value of each or none, or for what they have in common."""
    names, both = tuple(m.name for m in subjects), question.cues.has_word("both", "jointly", "together")
    together = question.cues.has_word("together", "jointly") and intent != "path"
    is_of_each = value is not None or intent not in OF_A_LIST | {"is"} or not _is_both(question, subjects[0])
    for choice in choices(question.cues, subjects[0], names[0], value)[:_MOST_CHOICES]:
        if all(question.lexicon.has(name, choice.relation, choice.side) for name in names):
            if together and choice.side == "source" and value is None:
                continue  # what both had at once is not what each had
            shared = both and choice.side == "target" and intent in OF_A_LIST
            others = tuple(Condition(choice.relation, choice.side, name) for name in names[1:]) if shared else ()
            if (value is None or choice.side == "source") and (shared or is_of_each):
                asked = "" if value is None else value.name
                yield ArgumentRoles(names[:1] if shared else names, choice, asked, others, bonus=0.15)
