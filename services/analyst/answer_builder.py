"""Answers: facts as sentences with their citations, or what the graph does not have."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from services.analyst import phrasing
from services.analyst.answer_lines import AnswerLine, crossed, is_of_subject, listed_name, listed_uuid, proves
from services.analyst.composed_parts import UNDECIDED
from services.analyst.fact_kinds import FactSelection, is_by_then
from services.analyst.fact_order import name_on
from services.analyst.graph_lexicon import Lexicon
from services.analyst.intents import OF_TIME
from services.analyst.lengths import length
from services.analyst.offers import follow_ups, relations_of
from services.analyst.query_plan import QueryPlan, Refusal
from services.analyst.question_parts import parts_of
from services.analyst.question_words import listed
from services.analyst.time_frame import TimeFrame
from services.analyst.vocabulary import is_momentary, other
from services.core import clock, date_wording, time_rule
from services.core.answer_records import Answer, DeclineKind, Mark, Sentence, Topic, citation_numbers
from services.core.fact_periods import Spell, as_one, spells_of
from services.core.models import Fact, Instants
from services.tools.toolbox import Toolbox

_MOST_IN_A_ROW = 3
"""More facts than these are told as a list."""
_MOST_COUNTED = 40
"""Where so many facts are counted, each is cited."""
_FEW = 12
"""So few facts of an entity need no groups."""
_ORDER = (
    "At the start of the period:",
    "Started in the period:",
    "Ended in the period:",
    "Began:",
    "Ended:",
    "Unchanged:",
)
_RECORDED = "according to the graph; today is"


def answer(plan: QueryPlan, selection: FactSelection, toolbox: Toolbox, lexicon: Lexicon) -> Answer:
    """Build the answer to a plan from the facts that were selected for it."""
    if selection.kind == "open":
        plan = replace(plan, intent="history", value="", conditions=())
    dated = plan.when.first is not None
    as_of = selection.at.as_of if dated else None
    subjects = plan.subjects or tuple(_by_subject(plan, selection))
    topic = Topic(subjects, plan.relation, as_of, selection.until, plan.when.known_at, plan.intent)
    if _is_guess(plan, selection):
        message = f"The graph has no facts about the future (today is {phrasing.date_of(clock.now())})."
        found = declined(message, "", selection.at, topic)
    elif selection.facts or selection.undated:
        text, sentences = laid_out(list(_lines(plan, selection, lexicon)), selection, toolbox)
        found = Answer(text, sentences, (), selection.at, topic=topic, follow_ups=follow_ups(plan, selection, lexicon))
    else:
        hint = "" if plan.conditions else _nearest(plan, selection)
        found = declined(_nothing(plan, selection), hint, selection.at, topic)
        found = replace(found, offers=tuple(relations_of(subjects[0], lexicon)) if subjects else ())
    return replace(found, as_of_2=selection.until, dated_by=plan.when.phrase, understood=parts_of(plan))


def declined(message: str, hint: str, at: Instants, topic: Topic | None, kind: DeclineKind = "nothing_found") -> Answer:
    """Build an answer that claims nothing."""
    sentence = Sentence(message, end=len(message))
    return Answer(message, (sentence,), (), at, True, hint=hint, topic=topic or Topic(), declined_for=kind)


def refused(refusal: Refusal, at: Instants, topic: Topic | None) -> Answer:
    """Build the answer to a question that was not understood, with what was and what can be asked instead."""
    when = refusal.plan.when if refusal.plan else TimeFrame()
    at = Instants(when.first or at.as_of, when.known_at or at.known_at)
    answer = declined(refusal.message, refusal.hint, at, topic, refusal.kind)
    until = {"period": when.last, "pair": when.second}.get(when.way)
    understood = parts_of(refusal.plan) if refusal.plan else ()
    answer = replace(answer, as_of_2=until, dated_by=when.phrase)
    answer = replace(answer, offers=refusal.offers, offers_in_words=refusal.offers_in_words)
    return replace(answer, understood=understood, not_understood=refusal.words)


def joined(answers: Sequence[Answer]) -> Answer:
    """Join the answers to the parts of a question; it holds at the instants of the first part that has a date."""
    whole = next((one for one in answers if one.dated_by), answers[0])
    text, parts = "", list[Sentence]()
    for one in answers:
        text += "\n\n" if text else ""
        parts += [replace(s, start=s.start + len(text), end=s.end + len(text)) for s in one.sentences]
        text += one.text
    return replace(
        whole,
        text=text,
        sentences=tuple(parts),
        declined=all(one.declined for one in answers),
        declined_for=answers[0].declined_for if all(one.declined for one in answers) else "",
        hint=" ".join(one.hint for one in answers if one.hint),
        follow_ups=answers[-1].follow_ups,
        topic=answers[-1].topic,
        understood=tuple(part for one in answers for part in one.understood),
    )


# -- sentences


def _lines(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon) -> Iterator[AnswerLine]:
    kind, facts = selection.kind, selection.facts
    if lead := _opening(plan, selection):
        yield AnswerLine(lead)
    if plan.intent == "count":
        yield _count(plan, selection, lexicon)
    if plan.intent == "times" and facts:
        yield AnswerLine(phrasing.repeated(facts[0], len(spells_of(facts))), facts)
    if kind == "path" and selection.call is not None and not selection.denied:
        joined = phrasing.counted(len(facts), "fact")
        yield AnswerLine(f"{plan.subjects[0]} and {plan.other} are connected by {joined}.", result=True)
    if kind == "most":
        yield from (_ranked_line(plan, selection, lexicon, own) for own in _by_entity(plan, selection))
    if plan.intent in ("when", "how_long", "longest", "ended") and not selection.undated:
        spells = [*((fact,) for fact in facts if fact.valid_at is None), *spells_of(facts)]
        yield from (_spell_line(plan, spell, _spelling(plan, selection)) for spell in spells)
        return
    spelled = _spelling(plan, selection)
    if plan.conditions:
        yield from crossed(plan, selection, spelled)
        return
    for lead, own in _groups(plan, selection):
        if lead:
            yield AnswerLine(lead, leads=True)
        yield from (_line(selection, fact, spelled) for fact in own)


def _opening(plan: QueryPlan, selection: FactSelection) -> str:
    """Say yes or no, with the time of a no, and of what is to come and of what has not ended which day it is."""
    today = phrasing.date_of(clock.now())
    if selection.kind == "open":
        return UNDECIDED
    if plan.intent == "all":
        return f"{len(_by_subject(plan, selection)):,}." if plan.counts else ""
    if (plan.intent == "is" and plan.value) or selection.kind == "ever":
        is_so = not selection.denied and proves(plan, selection)
        return f"{'Yes' if is_so else _no(plan, selection)}{f', {_RECORDED} {today}' if _is_to_come(plan) else ''}."
    if _is_to_come(plan):
        return f"A{_RECORDED[1:]} {today}."
    if selection.kind == "path" and selection.denied:
        return f"{_nothing(plan, selection)[:-1]}; they are connected at another time."
    if selection.kind == "ended" and not any(_is_over(fact, selection.at.as_of) for fact in selection.facts):
        return f"The graph records no end by {phrasing.date_of(selection.at.as_of)}."
    return ""


def _no(plan: QueryPlan, selection: FactSelection) -> str:
    if selection.kind == "ever" or (plan.tense == "past" and not selection.asked_at):
        return "No, never, according to the graph"
    if selection.kind == "period" and plan.when.way in ("before", "after") and not plan.when.phrase:
        return f"No, not {plan.when.way} {_spelling(plan, selection)(selection.at.as_of)}"
    if selection.kind in ("changed", "until_date", "period") and plan.when.phrase:
        return f"No, not {plan.when.phrase[0].lower()}{plan.when.phrase[1:]}"
    return f"No, not{_on(plan, selection) if selection.asked_at else ' now'}"


def _is_to_come(plan: QueryPlan) -> bool:
    first = plan.when.first
    return plan.tense == "future" or (first is not None and phrasing.is_planned(first))


def _is_guess(plan: QueryPlan, selection: FactSelection) -> bool:
    """True of what will be, where nothing that was selected is planned to begin or to end."""
    if plan.tense == "past" or not _is_to_come(plan) or plan.intent in OF_TIME:
        return False
    moments = (at for fact in selection.facts for at in (fact.valid_at, fact.invalid_at))
    return not any(at is not None and phrasing.is_planned(at) for at in moments)


def _is_over(fact: Fact, at: datetime) -> bool:
    return fact.invalid_at is not None and fact.invalid_at <= at


def _spell_line(plan: QueryPlan, spell: Spell, spelled: Callable[[datetime], str]) -> AnswerLine:
    """Tell of terms that follow each other as one."""
    fact = as_one(spell)
    text, now = phrasing.sentence(fact, spelled), clock.now()
    if plan.intent in ("how_long", "longest"):
        text = f"{text[:-1]}: {length(fact, now, plan.unit)}{'' if _is_over(fact, now) else ' so far'}."
    return AnswerLine(text, spell)


def _line(selection: FactSelection, fact: Fact, spelled: Callable[[datetime], str]) -> AnswerLine:
    return AnswerLine(phrasing.sentence(fact, spelled), (fact,), undated=fact in selection.undated)


def _spelling(plan: QueryPlan, selection: FactSelection) -> Callable[[datetime], str]:
    """Instants as days; with the time where the question gave one, or where two of the answer fall on one day."""
    instants = {at for fact in selection.facts for at in (fact.valid_at, fact.invalid_at) if at is not None}
    days = Counter(clock.instant(at).date() for at in instants)

    def spelled(at: datetime) -> str:
        alone = ":" not in plan.when.phrase and days[clock.instant(at).date()] < 2
        return phrasing.date_of(at) if alone else phrasing.day(at)

    return spelled


def _count(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon) -> AnswerLine:
    """Tell how many are listed: each once, whatever terms it had, which the result of the call does not count."""
    every = (*selection.facts, *selection.undated)
    facts = [fact for fact in every if is_of_subject(plan, fact)]
    number = len({listed_name(plan, fact) for fact in facts})
    if selection.kind == "count" and not plan.conditions:
        facts, number = list(every), len(every)
    kinds = lexicon.relations[plan.relation].types(other(plan.side))
    if plan.among or not (kinds or phrasing.noun_of(plan.relation)):  # the call lists others, or nobody said what
        return AnswerLine(f"{number:,}{_on(plan, selection)}.", tuple(facts))
    text = _counted_of(plan, selection, lexicon, number)
    if number < len(facts):
        return AnswerLine(f"{text}.", tuple(facts))
    text = f"{text}{_on(plan, selection)}."
    if plan.conditions and len(facts) <= _MOST_COUNTED:
        return AnswerLine(text, tuple(facts))  # the call lists more than is counted
    return AnswerLine(text, tuple(facts) if selection.undated else (), result=True)


def _ranked_line(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon, own: Sequence[Fact]) -> AnswerLine:
    """Tell how many one entity has, and how many of them have no date."""
    number, name = len({listed_uuid(plan, fact) for fact in own}), name_on(own[0], plan.side)
    if plan.rank == "often":
        return AnswerLine(f"{name}: {phrasing.counted(len(spells_of(own)), 'time')}.", tuple(own))
    text = _counted(plan, selection, lexicon, name, number)
    undated = sum(fact in selection.undated for fact in own)
    return AnswerLine(f"{text}{_on(plan, selection)}{f', {undated} of them undated' if undated else ''}.", tuple(own))


def _by_entity(plan: QueryPlan, selection: FactSelection) -> Sequence[Sequence[Fact]]:
    """The facts of a selection by the entity that they rank: two of one name are two."""
    found: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in (*selection.facts, *selection.undated):
        found[fact.source_uuid if plan.side == "source" else fact.target_uuid].append(fact)
    return tuple(found.values())


def _counted_of(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon, number: int) -> str:
    if plan.conditions or len(plan.subjects) != 1:
        return _counted_kind(plan, lexicon, number)
    return _counted(plan, selection, lexicon, plan.subjects[0], number)


def _counted_kind(plan: QueryPlan, lexicon: Lexicon, number: int) -> str:
    kinds = lexicon.relations[plan.relation].types(other(plan.side)).most_common(1)
    return phrasing.counted(number, kinds[0][0] if kinds else "fact")


def _counted(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon, subject: str, number: int) -> str:
    """How many things a subject has: "14 PEPs have sponsor Jelle Zijlstra"."""
    over = plan.perfect and any(fact.invalid_at for fact in selection.facts)
    past = over or plan.tense == "past" or (selection.asked_at and selection.at.as_of < clock.now())
    noun = _counted_kind(plan, lexicon, number)
    return phrasing.count_sentence(plan.relation, plan.side, subject, number, noun, past=past)


def _by_subject(plan: QueryPlan, selection: FactSelection) -> dict[str, list[Fact]]:
    """The facts of a selection by the name on the side that is asked about."""
    found: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in (*selection.facts, *selection.undated):
        found[fact.source if plan.side == "source" else fact.target].append(fact)
    return found


def laid_out(
    lines: Sequence[AnswerLine], selection: FactSelection, toolbox: Toolbox
) -> tuple[str, tuple[Sentence, ...]]:
    """Return the text of an answer with its numbers, and where in it each sentence stands; many facts are a list."""
    bullets = sum(line.is_item for line in lines) > _MOST_IN_A_ROW or any(line.leads for line in lines)
    text, sentences = "", []
    for line in lines:
        numbers = [toolbox.number("fact", fact.uuid) for fact in line.facts]
        if line.result and selection.call is not None:
            numbers.append(toolbox.number("result", selection.call.call.id))
        gap = "\n\n" if line.leads else "\n- " if bullets and line.is_item else " "
        text += gap if text else gap.lstrip()
        start = len(text)
        text += line.text + citation_numbers(numbers)
        mark: Mark | None = "supported" if numbers else None
        sentences.append(Sentence(line.text, tuple(numbers), mark, undated=line.undated, start=start, end=len(text)))
    return text, tuple(sentences)


# -- groups


def _groups(plan: QueryPlan, selection: FactSelection) -> list[tuple[str, list[Fact]]]:
    """The facts of a selection under what leads in to them; all under an empty line, where that would be one group."""
    facts = [*selection.facts, *selection.undated]
    found: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        found[_lead(plan, selection, fact)].append(fact)
    if len(found) < 2:
        return [("", facts)]
    ordered = [lead for lead in _ORDER if lead in found]
    return [(lead, found[lead]) for lead in ordered or found]


def _lead(plan: QueryPlan, selection: FactSelection, fact: Fact) -> str:
    if selection.kind == "period" and plan.intent == "history" and not plan.relation:
        return _ORDER[1] if fact.valid_at and fact.valid_at >= selection.at.as_of else _ORDER[2]
    if selection.kind == "period" and (plan.when.way in ("before", "after") or is_by_then(plan)):
        return ""
    if selection.kind == "period":
        return _ORDER[0] if time_rule.true_at(fact, selection.at) else _ORDER[1]
    if selection.kind == "compare" and selection.until is not None:
        before = time_rule.true_at(fact, selection.at)
        after = time_rule.true_at(fact, Instants(selection.until, selection.at.known_at))
        return "Unchanged:" if before and after else "Ended:" if before else "Began:"
    if plan.intent == "overview" and selection.kind == "at" and len(selection.facts) + len(selection.undated) > _FEW:
        return _of_relation(plan.subjects[0], fact)
    return ""


def _of_relation(subject: str, fact: Fact) -> str:
    """What joins an entity to others: "Has status:", "Authored by Guido van Rossum:"; figures would claim."""
    words = phrasing.relation_words(fact.relation).removeprefix("is ")
    lead = words if fact.source == subject else f"{words} {'it' if re.search(r'[0-9]', subject) else subject}"
    lead = re.sub(r"[0-9]+", "…", lead)
    return f"{lead[:1].upper()}{lead[1:]}:"


# -- nothing


def _nothing(plan: QueryPlan, selection: FactSelection) -> str:
    """Say what the graph does not have."""
    if selection.kind == "event" and plan.event is not None:
        return f"The graph does not say when {plan.event.entity} became {plan.event.value}."
    if plan.intent == "most" or (plan.intent == "longest" and (selection.known or not plan.subjects)):
        return "There is no single answer: several are tied."
    when, subject, noun = _when_nothing(plan, selection), listed(plan.subjects), phrasing.noun_of(plan.relation)
    if selection.kind == "path":
        return f"The graph has no path of up to 3 facts between {subject} and {plan.other}{when}."
    verb = phrasing.relation_words(plan.relation)
    if plan.value and plan.intent in ("when", "ended", "how_long", "times"):
        one, two = (subject, plan.value) if plan.side == "source" else (plan.value, subject)
        return f"The graph has no dated fact that {one} {verb} {two}{_on(plan, selection)}."
    if plan.side == "target":
        what = f"nothing that {verb} {subject}"
    elif noun:
        what = f"no {noun} for {subject}"
    else:
        what = f"nothing that {subject} {verb}" if plan.relation else f"nothing about {subject}"
    if plan.value and plan.intent in ("before", "after"):
        what += f" {plan.intent} {plan.value}"
    if plan.conditions:
        what += f" together with {listed([one.name for one in plan.conditions])}"
    return f"The graph has {what}{when}."


def _when_nothing(plan: QueryPlan, selection: FactSelection) -> str:
    """The time at which there is nothing: the one asked about, else now, or ever."""
    is_ever = not selection.known or plan.intent == "history"
    return _on(plan, selection) or (", now or at any other time" if is_ever and selection.kind != "path" else " now")


def _on(plan: QueryPlan, selection: FactSelection) -> str:
    """The time that an answer tells of, where question or bar named one."""
    if selection.kind == "changed" and plan.when.phrase:
        verb = "ending" if plan.change == "ends" else "beginning"
        return f" {plan.when.phrase}" if is_momentary(plan.relation) else f", {verb} {plan.when.phrase}"
    if selection.kind == "period" and plan.when.phrase:
        return f" {plan.when.phrase}"
    return f" on {_spelling(plan, selection)(selection.at.as_of)}" if selection.asked_at else ""


def _nearest(plan: QueryPlan, selection: FactSelection) -> str:
    """Say what may have ended by then, what ended last before, or what comes first, where nothing holds then."""
    if selection.kind == "path":
        return (
            " ".join(("They are connected at another time:", *map(_dated, selection.known))) if selection.known else ""
        )
    over = next((f for f in selection.known if date_wording.may_have_ended(f, selection.at)), None)
    if over is not None and selection.kind == "at":
        return f"This may have ended by then: {_dated(over)}"
    dated = sorted((f for f in selection.known if f.valid_at), key=lambda f: f.valid_at or clock.EARLIEST)
    before = [f for f in dated if f.invalid_at and f.invalid_at <= selection.at.as_of]
    if before:
        last = max(before, key=lambda f: f.invalid_at or clock.EARLIEST)
        return f"The last one before that: {_dated(last)}"
    return (
        f"The first is {listed_name(plan, dated[0])}, from {date_wording.start(dated[0], phrasing.date_of)}."
        if dated
        else ""
    )


def _dated(fact: Fact) -> str:
    return phrasing.sentence(fact, phrasing.date_of)
