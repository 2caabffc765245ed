"""Answers: the facts of a story as sentences with their citations, or what the graph does not have."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.analyst import phrasing
from services.analyst.groups import groups
from services.analyst.lexicon import Lexicon
from services.analyst.plan import Plan
from services.analyst.stories import Story
from services.analyst.vocabulary import other
from services.analyst.words import listed
from services.core import clock
from services.core.answer_records import Answer, Mark, Sentence, Topic
from services.core.models import Fact, Instants
from services.tools.toolbox import Toolbox

_MOST_FOLLOW_UPS = 3
_MOST_IN_A_ROW = 3
"""More facts than these are told as a list."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence before it has its place, with the facts, or the result, that bear it out; or what leads in to some."""

    text: str
    facts: tuple[Fact, ...] = ()
    result: bool = False
    undated: bool = False
    leads: bool = False


def answer(plan: Plan, story: Story, toolbox: Toolbox, lexicon: Lexicon) -> Answer:
    """What is said to a plan whose facts were found."""
    topic = _topic(plan, story)
    if not story.facts and not story.undated:
        message, hint = _nothing(plan, story)
        return replace(declined(message, hint, story.at, topic), as_of_2=story.until, dated_by=plan.when.phrase)
    text, sentences = _laid_out(list(_said(plan, story, lexicon)), story, toolbox)
    return Answer(
        text,
        sentences,
        (),
        story.at,
        as_of_2=story.until,
        dated_by=plan.when.phrase,
        topic=topic,
        follow_ups=_follow_ups(plan, story, lexicon),
    )


def declined(message: str, hint: str, at: Instants, topic: Topic | None) -> Answer:
    """An answer that claims nothing."""
    return Answer(
        message, (Sentence(message, end=len(message)),), (), at, declined=True, hint=hint, topic=topic or Topic()
    )


def _topic(plan: Plan, story: Story) -> Topic:
    dated = plan.when.first is not None
    return Topic(
        plan.subjects, plan.relation, story.at.as_of if dated else None, story.until, plan.when.known_at, plan.intent
    )


# -- sentences


def _said(plan: Plan, story: Story, lexicon: Lexicon) -> Iterator[_Said]:
    if plan.intent == "is" and story.kind in ("at", "period", "compare"):
        yield _Said("Yes." if _proves(plan, story) else "No.")
    if plan.intent == "history" and story.kind == "ever":
        yield _Said("Yes." if any(_has(plan, fact) for fact in story.facts) else "No.")
    if story.kind == "count":
        counted = story.facts + story.undated if story.undated else ()  # the result does not count undated ones
        yield _Said(_count(plan, story, lexicon), counted, result=True)
    if story.kind == "path" and story.call is not None:
        number = len(story.facts)
        yield _Said(
            f"{plan.subjects[0]} and {plan.other} are joined by {number} fact{'' if number == 1 else 's'}.", result=True
        )
    if story.kind == "begun" and plan.intent == "count":
        yield _Said(_count(plan, story, lexicon), story.facts)
    for lead, facts in groups(plan, story):
        if lead:
            yield _Said(lead, leads=True)
        yield from (_told(plan, story, fact) for fact in facts)


def _told(plan: Plan, story: Story, fact: Fact) -> _Said:
    text = phrasing.sentence(fact, _spelling(plan, story))
    if plan.intent == "how_long" and fact.valid_at is not None:
        text = f"{text[:-1]}: {phrasing.length(fact, clock.now())}{'' if fact.invalid_at else ' so far'}."
    return _Said(text, (fact,), undated=fact in story.undated)


def _spelling(plan: Plan, story: Story) -> Callable[[datetime], str]:
    """Instants as days; with the time where the question gave one, or where two of the answer fall on one day."""
    instants = {at for fact in story.facts for at in (fact.valid_at, fact.invalid_at) if at is not None}
    days = Counter(clock.instant(at).date() for at in instants)

    def spelled(at: datetime) -> str:
        alone = ":" not in plan.when.phrase and days[clock.instant(at).date()] < 2
        return phrasing.date_of(at) if alone else phrasing.day(at)

    return spelled


def _proves(plan: Plan, story: Story) -> bool:
    told = (*story.facts, *story.undated)
    if plan.begins and story.until is not None:
        told = tuple(f for f in told if f.valid_at is not None and story.at.as_of <= f.valid_at < story.until)
    return any(_has(plan, fact) for fact in told)


def _has(plan: Plan, fact: Fact) -> bool:
    if plan.symmetric:
        return plan.value in (fact.source, fact.target)
    return plan.value == _listed(plan, fact)


def _listed(plan: Plan, fact: Fact) -> str:
    """The name on the other side than the subject's."""
    return fact.target if plan.side == "source" else fact.source


def _count(plan: Plan, story: Story, lexicon: Lexicon) -> str:
    number = len(story.facts) + len(story.undated)
    if story.kind == "begun":
        number = len({_listed(plan, fact) for fact in story.facts if fact.relation == plan.relation})
    kinds = lexicon.relations[plan.relation].types(other(plan.side)).most_common(1)
    past = story.asked_at and story.at.as_of < clock.now()
    when = _on(plan, story)
    noun = phrasing.counted(number, kinds[0][0] if kinds else "fact")
    if plan.conditions or len(plan.subjects) > 1:
        return f"{noun}{when}."
    return f"{phrasing.count_sentence(plan.relation, plan.side, plan.subjects[0], number, noun, past=past)}{when}."


def _laid_out(said: Sequence[_Said], story: Story, toolbox: Toolbox) -> tuple[str, tuple[Sentence, ...]]:
    """The text of an answer with its numbers, and where in it each sentence stands; many facts are a list."""
    bullets = sum(len(one.facts) == 1 for one in said) > _MOST_IN_A_ROW or any(one.leads for one in said)
    text, sentences = "", []
    for one in said:
        numbers = [toolbox.number("fact", fact.uuid) for fact in one.facts]
        if one.result and story.call is not None:
            numbers.append(toolbox.number("result", story.call.call.id))
        gap = "\n\n" if one.leads else "\n- " if bullets and len(one.facts) == 1 else " "
        text += gap if text else gap.lstrip()
        start = len(text)
        text += one.text + "".join(f" [{n}]" for n in numbers)
        mark: Mark | None = "supported" if numbers else None
        sentences.append(Sentence(one.text, tuple(numbers), mark, undated=one.undated, start=start, end=len(text)))
    return text, tuple(sentences)


# -- nothing


def _nothing(plan: Plan, story: Story) -> tuple[str, str]:
    """What the graph does not have, and what is the nearest that it has."""
    if story.kind == "event" and plan.event is not None:
        return f"The graph does not tell when {plan.event.entity} became {plan.event.value}.", ""
    if story.kind == "path":
        return (
            f"The graph has no path of at most 3 facts between {plan.subjects[0]} and {plan.other}{_on(plan, story)}.",
            "",
        )
    subject = listed(plan.subjects)
    noun = phrasing.noun_of(plan.relation)
    if plan.side == "source" and noun:
        what = f"no {noun} for {subject}"
    elif plan.side == "source":
        what = (
            f"no fact that {subject} {phrasing.relation_words(plan.relation)} anything"
            if plan.relation
            else f"nothing about {subject}"
        )
    else:
        what = f"nothing that {phrasing.relation_words(plan.relation)} {subject}"
    if plan.value and plan.intent in ("when", "ended", "how_long", "before", "after"):
        what += (
            f" with {plan.value}" if plan.intent in ("when", "ended", "how_long") else f" {plan.intent} {plan.value}"
        )
    if plan.conditions:
        what += f" together with {listed([one.name for one in plan.conditions])}"
    return f"The graph has {what}{_on(plan, story)}.", "" if plan.conditions else _nearest(plan, story)


def _on(plan: Plan, story: Story) -> str:
    if story.kind == "begun":
        return f", beginning {plan.when.phrase}"
    return f" on {_spelling(plan, story)(story.at.as_of)}" if story.asked_at else ""


def _nearest(plan: Plan, story: Story) -> str:
    known = [fact for fact in story.known if fact.valid_at is not None]
    if not known:
        return ""
    first = min(known, key=lambda fact: fact.valid_at or clock.LATEST)
    value = _listed(plan, first)
    assert first.valid_at is not None
    return f"Its first is {value}, from {phrasing.date_of(first.valid_at)}."


# -- what to ask next


def _follow_ups(plan: Plan, story: Story, lexicon: Lexicon) -> tuple[str, ...]:
    """Questions about the same that this analyst answers too."""
    if not plan.relation or plan.side == "target" or story.kind == "path":
        return ()
    subject, noun = plan.subjects[0], phrasing.noun_of(plan.relation)
    found = []
    several = len(lexicon.targets.get((subject, plan.relation), ())) > 1
    if noun and several and story.kind not in ("history", "ever"):
        found.append(f"How did the {noun} of {subject} change over time?")
    if noun and story.kind == "at" and len(story.facts) == 1:
        value = story.facts[0].target
        found.append(f"Since when has {subject} had the {noun} {value}?")
    if noun and several and story.kind not in ("first", "history", "ever"):
        found.append(f"What was the first {noun} of {subject}?")
    if plan.when.first is not None and story.kind == "at":
        found.append("And now?")
    return (*found, f"What is the history of {subject}?")[:_MOST_FOLLOW_UPS]
