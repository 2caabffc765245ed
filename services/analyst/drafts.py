"""Which of a question's names is its subject, which a value, and which a condition on what is listed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.analyst.intents import Intent
from services.analyst.lexicon import Lexicon
from services.analyst.mentions import Mention
from services.analyst.plan import Condition
from services.analyst.question import Question
from services.analyst.relations import LINKED, Choice, choices, value_of
from services.analyst.vocabulary import other
from services.analyst.words import FUNCTION_WORDS

_MOST_CHOICES = 3
_MOST_SUBJECTS = 4
_CROWDED = 1.8
"""So many times more names on one side of a relation than on the other make the other's the crowded one."""

OF_A_VALUE: frozenset[Intent] = frozenset(("is", "when", "ended", "how_long", "before", "after", "history", "compare"))
"""What can be asked of a subject together with one of its values."""
OF_A_LIST: frozenset[Intent] = frozenset(("value", "count"))
"""What can be asked of all those that meet conditions."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One way to understand names and relation; `bonus` adds to how likely the relation is."""

    subjects: tuple[str, ...]
    choice: Choice
    value: str = ""
    conditions: tuple[Condition, ...] = ()
    bonus: float = 0.0


def drafts(question: Question, intent: Intent, mentions: Sequence[Mention]) -> Iterator[Draft]:
    """Each way to make one of the names the subject."""
    mentions = _once(mentions)
    run, rest = _joined(question, mentions)
    if len(run) > 1:
        yield from _several(question, intent, run, rest)
    for place, subject in enumerate(mentions[:_MOST_SUBJECTS]):
        others = [m for m in mentions if m is not subject]
        bonus = _likely(question.lexicon, subject, place, len(mentions))
        for name in subject.names:
            if not others:
                found = choices(question.evidence, subject, name)[:_MOST_CHOICES]
                yield from (Draft((name,), choice, bonus=bonus) for choice in found)
            if intent in OF_A_VALUE:
                yield from with_value(question, subject, name, others, bonus)
            elif intent in OF_A_LIST and others:
                yield from _with_conditions(question, subject, name, others, bonus)


def with_value(
    question: Question, subject: Mention, name: str, others: Sequence[Mention], bonus: float = 0.0
) -> Iterator[Draft]:
    """The one other name as a value of the subject's."""
    if len(others) != 1:
        return
    for choice in choices(question.evidence, subject, name, others[0])[:_MOST_CHOICES]:
        linked = value_of(question.lexicon, choice.relation, choice.side, name, others[0])
        if linked is not None:
            yield Draft((name,), choice, linked[0], bonus=bonus + _crowd(question.lexicon, choice))


def _once(mentions: Sequence[Mention]) -> list[Mention]:
    """The names without those that name again what was named before: "the Zen of Python, PEP 20"."""
    return [m for at, m in enumerate(mentions) if m.name not in {before.name for before in mentions[:at]}]


def _likely(lexicon: Lexicon, subject: Mention, place: int, many: int) -> float:
    """Who is named first is likely the subject, unless nothing is ever said of it and another is named."""
    bonus = 0.1 if place == 0 else 0.0
    sides = lexicon.sides.get(subject.name, {}).values()
    return bonus - 0.3 if many > 1 and all(on == {"target"} for on in sides) else bonus


def _crowd(lexicon: Lexicon, choice: Choice) -> float:
    """Of two names that a fact joins, the one with fewer such facts is what the question is about."""
    entry = lexicon.relations[choice.relation]
    own, others = (entry.sources, entry.targets) if choice.side == "source" else (entry.targets, entry.sources)
    return -0.15 if others > _CROWDED * own else 0.0


def _with_conditions(
    question: Question, subject: Mention, name: str, others: Sequence[Mention], bonus: float
) -> Iterator[Draft]:
    for choice in choices(question.evidence, subject, name)[:_MOST_CHOICES] if subject.how != "stem" else ():
        conditions = _conditions(question, choice, others)
        if conditions:
            yield Draft((name,), choice, "", conditions, bonus - 0.35)


def _conditions(question: Question, choice: Choice, rest: Sequence[Mention]) -> tuple[Condition, ...]:
    """What the others say of the entities that are listed; none where they cannot be said of them."""
    lexicon = question.lexicon
    listed = set(lexicon.relations[choice.relation].types(other(choice.side)))
    found = []
    for mention in rest:
        if mention.how == "stem":  # "which did she reject" does not ask for what is rejected
            return ()
        fitting = [
            (told.score, Condition(told.relation, told.side, name))
            for name in mention.names
            for told in choices(question.evidence, mention, name, asked=False) or _by_itself(lexicon, name)
            if told.relation != choice.relation
            and listed.intersection(lexicon.relations[told.relation].types(other(told.side)))
        ]
        if not fitting:
            return ()
        found.append(max(fitting, key=lambda pair: pair[0])[1])
    return tuple(found)


def _by_itself(lexicon: Lexicon, name: str) -> list[Choice]:
    """The relations that a value is a value of."""
    return [Choice(relation, "target", LINKED, frozenset(), 0.0) for relation in lexicon.values.get(name, ())]


def _joined(question: Question, mentions: Sequence[Mention]) -> tuple[list[Mention], list[Mention]]:
    """Names of one type that "and" or a comma joins, and the others."""
    run: list[Mention] = []
    for mention in mentions:
        if run and not _follows(question, run[-1], mention):
            if len(run) > 1:
                break
            run = []
        run.append(mention)
    return (run, [m for m in mentions if m not in run]) if len(run) > 1 else ([], list(mentions))


def _follows(question: Question, one: Mention, two: Mention) -> bool:
    lexicon = question.lexicon
    between = [word.low for word in question.words[one.last : two.first]]
    small = all(word in FUNCTION_WORDS for word in between) and bool({"and", "or"} & set(between))
    joined = small or (not between and bool(set(",&/+") & set(question.words[two.first].gap)))
    mixed = lexicon.is_value(one.name) and not lexicon.is_value(two.name)
    return joined and not mixed and lexicon.type_of(one.name) == lexicon.type_of(two.name)


def _several(question: Question, intent: Intent, run: Sequence[Mention], rest: Sequence[Mention]) -> Iterator[Draft]:
    """One question of several subjects; or one of a subject with several values, any of which will do."""
    lexicon, names = question.lexicon, tuple(m.name for m in run)
    if not rest:
        for choice in choices(question.evidence, run[0], names[0])[:_MOST_CHOICES]:
            if not all(lexicon.has(name, choice.relation, choice.side) for name in names):
                continue
            if (
                choice.side == "target"
                and intent in OF_A_LIST
                and question.evidence.said("both", "jointly", "together")
            ):
                others = tuple(Condition(choice.relation, choice.side, name) for name in names[1:])
                yield Draft(names[:1], choice, "", others, bonus=0.15)
            else:
                yield Draft(names, choice, bonus=0.15)
    elif intent == "is" and len(rest) == 1:
        for choice in choices(question.evidence, rest[0], rest[0].name, run[0])[:_MOST_CHOICES]:
            if all(value_of(lexicon, choice.relation, choice.side, rest[0].name, m) for m in run):
                yield Draft((rest[0].name,), choice, names[0], bonus=0.1)
