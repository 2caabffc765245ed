"""Answers: facts as sentences with their citations, or what the graph does not have."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.analyst import phrasing
from services.analyst.fact_order import name_on
from services.analyst.fact_selection import FactSelection
from services.analyst.graph_lexicon import Lexicon
from services.analyst.query_plan import QueryPlan, Refusal
from services.analyst.question_parts import parts_of
from services.analyst.question_words import listed
from services.analyst.vocabulary import other
from services.core import clock, fact_dates, time_rule
from services.core.answer_records import Answer, DeclineKind, Mark, Sentence, Topic
from services.core.models import Fact, Instants
from services.tools.toolbox import Toolbox

_MOST_FOLLOW_UPS = 3
_MOST_IN_A_ROW = 3
"""More facts than these are told as a list."""
_FEW = 12
"""So few facts of an entity need no groups."""
_ORDER = ("At the start of the period:", "Began in the period:", "Began:", "Ended:", "Unchanged:")


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence before it has its place, with the facts, or the result, that bear it out; or what leads in to some."""

    text: str
    facts: tuple[Fact, ...] = ()
    result: bool = False
    undated: bool = False
    leads: bool = False


def answer(plan: QueryPlan, selection: FactSelection, toolbox: Toolbox, lexicon: Lexicon) -> Answer:
    """Build the answer to a plan from the facts that were selected for it."""
    dated = plan.when.first is not None
    as_of = selection.at.as_of if dated else None
    subjects = plan.subjects or tuple(_by_subject(plan, selection))
    topic = Topic(subjects, plan.relation, as_of, selection.until, plan.when.known_at, plan.intent)
    if selection.facts or selection.undated:
        text, sentences = _laid_out(list(_lines(plan, selection, lexicon)), selection, toolbox)
        found = Answer(text, sentences, (), selection.at, topic=topic, follow_ups=_follow_ups(plan, selection, lexicon))
    else:
        hint = "" if plan.conditions else _nearest(plan, selection)
        found = declined(_nothing(plan, selection), hint, selection.at, topic)
    return replace(found, as_of_2=selection.until, dated_by=plan.when.phrase, understood=parts_of(plan))


def declined(message: str, hint: str, at: Instants, topic: Topic | None, kind: DeclineKind = "nothing_found") -> Answer:
    """Build an answer that claims nothing."""
    sentence = Sentence(message, end=len(message))
    return Answer(message, (sentence,), (), at, True, hint=hint, topic=topic or Topic(), declined_for=kind)


def refused(refusal: Refusal, at: Instants, topic: Topic | None) -> Answer:
    """Build the answer to a question that was not understood, with what was and what can be asked instead."""
    answer = declined(refusal.message, refusal.hint, at, topic, refusal.kind)
    understood = parts_of(refusal.plan) if refusal.plan else ()
    return replace(answer, understood=understood, not_understood=refusal.words, offers=refusal.offers)


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


def _lines(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon) -> Iterator[_Line]:
    kind, facts = selection.kind, selection.facts
    if plan.intent == "is" and plan.value and kind in ("at", "period", "compare"):
        yield _Line("Yes." if _proves(plan, selection) else "No.")
    if plan.intent == "history" and kind == "ever":
        yield _Line("Yes." if any(_has(plan, fact) for fact in facts) else "No.")
    if kind == "count":  # the result does not count undated ones
        yield _Line(
            _count(plan, selection, lexicon), facts + selection.undated if selection.undated else (), result=True
        )
    if kind == "path" and selection.call is not None:
        joined = phrasing.counted(len(facts), "fact")
        yield _Line(f"{plan.subjects[0]} and {plan.other} are joined by {joined}.", result=True)
    if kind == "begun" and plan.intent == "count":
        yield _Line(_count(plan, selection, lexicon), facts)
    if kind == "most":
        for subject, own in _by_subject(plan, selection).items():
            yield _Line(_counted(plan, selection, lexicon, subject, len({_listed(plan, f) for f in own})), tuple(own))
    spelled = _spelling(plan, selection)
    for lead, own in _groups(plan, selection):
        if lead:
            yield _Line(lead, leads=True)
        yield from (_line(plan, selection, fact, spelled) for fact in own)


def _line(plan: QueryPlan, selection: FactSelection, fact: Fact, spelled: Callable[[datetime], str]) -> _Line:
    text = phrasing.sentence(fact, spelled)
    if plan.intent in ("how_long", "longest") and fact.valid_at is not None:
        text = f"{text[:-1]}: {phrasing.length(fact, clock.now())}{'' if fact.invalid_at else ' so far'}."
    return _Line(text, (fact,), undated=fact in selection.undated)


def _spelling(plan: QueryPlan, selection: FactSelection) -> Callable[[datetime], str]:
    """Instants as days; with the time where the question gave one, or where two of the answer fall on one day."""
    instants = {at for fact in selection.facts for at in (fact.valid_at, fact.invalid_at) if at is not None}
    days = Counter(clock.instant(at).date() for at in instants)

    def spelled(at: datetime) -> str:
        alone = ":" not in plan.when.phrase and days[clock.instant(at).date()] < 2
        return phrasing.date_of(at) if alone else phrasing.day(at)

    return spelled


def _proves(plan: QueryPlan, selection: FactSelection) -> bool:
    facts, until = (*selection.facts, *selection.undated), selection.until
    if plan.begins and until is not None:
        facts = tuple(f for f in facts if f.valid_at is not None and selection.at.as_of <= f.valid_at < until)
    having = {name_on(fact, plan.side) for fact in facts if _has(plan, fact)}
    return bool(having) and (plan.symmetric or having >= set(plan.subjects))


def _has(plan: QueryPlan, fact: Fact) -> bool:
    return plan.value in ((fact.source, fact.target) if plan.symmetric else (_listed(plan, fact),))


def _listed(plan: QueryPlan, fact: Fact) -> str:
    """The name on the other side than the subject's."""
    return fact.target if plan.side == "source" else fact.source


def _count(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon) -> str:
    number = len(selection.facts) + len(selection.undated)
    if selection.kind == "begun" or plan.conditions:
        number = len({_listed(plan, fact) for fact in (*selection.facts, *selection.undated) if _is_of(plan, fact)})
    if not plan.conditions and len(plan.subjects) == 1:
        return _counted(plan, selection, lexicon, plan.subjects[0], number)
    return f"{_counted_kind(plan, lexicon, number)}{_on(plan, selection)}."


def _is_of(plan: QueryPlan, fact: Fact) -> bool:
    """True for a fact of the plan's subject; others show that a condition is met."""
    return fact.relation == plan.relation and name_on(fact, plan.side) in plan.subjects


def _counted_kind(plan: QueryPlan, lexicon: Lexicon, number: int) -> str:
    kinds = lexicon.relations[plan.relation].types(other(plan.side)).most_common(1)
    return phrasing.counted(number, kinds[0][0] if kinds else "fact")


def _counted(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon, subject: str, number: int) -> str:
    """How many things a subject has: "14 PEPs have sponsor Jelle Zijlstra."."""
    past, noun = selection.asked_at and selection.at.as_of < clock.now(), _counted_kind(plan, lexicon, number)
    counted = phrasing.count_sentence(plan.relation, plan.side, subject, number, noun, past=past)
    return f"{counted}{_on(plan, selection)}."


def _by_subject(plan: QueryPlan, selection: FactSelection) -> dict[str, list[Fact]]:
    """The facts of a selection by the name on the side that is asked about."""
    found: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in (*selection.facts, *selection.undated):
        found[fact.source if plan.side == "source" else fact.target].append(fact)
    return found


def _laid_out(lines: Sequence[_Line], selection: FactSelection, toolbox: Toolbox) -> tuple[str, tuple[Sentence, ...]]:
    """Return the text of an answer with its numbers, and where in it each sentence stands; many facts are a list."""
    bullets = sum(len(line.facts) == 1 for line in lines) > _MOST_IN_A_ROW or any(line.leads for line in lines)
    text, sentences = "", []
    for line in lines:
        numbers = [toolbox.number("fact", fact.uuid) for fact in line.facts]
        if line.result and selection.call is not None:
            numbers.append(toolbox.number("result", selection.call.call.id))
        gap = "\n\n" if line.leads else "\n- " if bullets and len(line.facts) == 1 else " "
        text += gap if text else gap.lstrip()
        start = len(text)
        text += line.text + "".join(f" [{n}]" for n in numbers)
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
    if plan.intent == "most":
        return "No answer: many have equally many."
    when, subject, noun = _on(plan, selection), listed(plan.subjects), phrasing.noun_of(plan.relation)
    if selection.kind == "path":
        return f"The graph has no path of at most 3 facts between {subject} and {plan.other}{when}."
    verb = phrasing.relation_words(plan.relation)
    if plan.side == "target":
        what = f"nothing that {verb} {subject}"
    elif noun:
        what = f"no {noun} for {subject}"
    else:
        what = f"no fact that {subject} {verb} anything" if plan.relation else f"nothing about {subject}"
    if plan.value and plan.intent in ("when", "ended", "how_long", "before", "after"):
        what += f" {plan.intent if plan.intent in ('before', 'after') else 'with'} {plan.value}"
    if plan.conditions:
        what += f" together with {listed([one.name for one in plan.conditions])}"
    return f"The graph has {what}{when}."


def _on(plan: QueryPlan, selection: FactSelection) -> str:
    if selection.kind == "begun":
        return f", beginning {plan.when.phrase}"
    return f" on {_spelling(plan, selection)(selection.at.as_of)}" if selection.asked_at else ""


def _nearest(plan: QueryPlan, selection: FactSelection) -> str:
    """Say what may have ended by then, or what the graph has first, where what was asked for is not in it."""
    over = next((f for f in selection.known if fact_dates.may_have_ended(f, selection.at)), None)
    if over is not None and selection.kind == "at":
        return f"It may have ended by then: {phrasing.sentence(over, phrasing.date_of)}"
    first = min((f for f in selection.known if f.valid_at), key=lambda f: f.valid_at or clock.LATEST, default=None)
    if first is None or first.valid_at is None:
        return ""
    return f"Its first is {_listed(plan, first)}, from {fact_dates.start(first, phrasing.date_of)}."


# -- what to ask next


def _follow_ups(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon) -> tuple[str, ...]:
    """Questions about the same that this analyst answers too."""
    if not plan.relation or plan.side == "target" or selection.kind == "path" or not plan.subjects:
        return ()
    subject, noun, kind = plan.subjects[0], phrasing.noun_of(plan.relation), selection.kind
    several = len(lexicon.targets.get((subject, plan.relation), ())) > 1 and kind not in ("history", "ever")
    only = selection.facts[0].target if len(selection.facts) == 1 else ""
    offered = {
        f"How did the {noun} of {subject} change over time?": noun and several,
        f"Since when has {subject} had the {noun} {only}?": noun and only and kind == "at",
        f"What was the first {noun} of {subject}?": noun and several and kind != "first",
        "And now?": plan.when.first is not None and kind == "at",
        f"What is the history of {subject}?": True,
    }
    return tuple(question for question, fits in offered.items() if fits)[:_MOST_FOLLOW_UPS]
