"""The parts of a question as they were understood, for whoever shows them."""

from collections.abc import Iterator

from services.analyst.phrasing import day
from services.analyst.query_plan import QueryPlan
from services.analyst.time_frame import TimeFrame
from services.core.answer_records import PartKind, QuestionPart

_WAYS = {"at": "at", "before": "before", "after": "after", "since": "since"}


def parts_of(plan: QueryPlan) -> tuple[QuestionPart, ...]:
    """Return what a plan asks for, part by part: of whom, what, with which value, under which conditions, and when."""
    return tuple(
        QuestionPart(kind, name, plan.words.get(name, "") or _words_of(kind, plan), kind in plan.carried)
        for kind, name in _named(plan)
        if name
    )


def _named(plan: QueryPlan) -> Iterator[tuple[PartKind, str]]:
    for subject in (*plan.subjects, plan.other):
        yield "entity", subject
    yield "relation", plan.relation
    yield "value", plan.value
    for condition in plan.conditions:
        yield "condition", condition.name
    yield "order", plan.rank
    yield "period", _period(plan)
    yield "known_at", day(plan.when.known_at) if plan.when.known_at else ""


def _words_of(kind: PartKind, plan: QueryPlan) -> str:
    return plan.when.phrase if kind in ("period", "known_at") else ""


def _period(plan: QueryPlan) -> str:
    """Return when a plan asks about: "before 2018-06-15", "from 2018-06-01 to 2018-07-01"; an event by its names."""
    if plan.event is not None:
        if plan.when.way == "period":
            return f"while {plan.event.entity} had {plan.event.value}"
        return f"{plan.when.way} {plan.event.entity} {'left' if plan.event.ends else 'became'} {plan.event.value}"
    return _dates(plan.when)


def _dates(when: TimeFrame) -> str:
    if when.first is None:
        return ""
    if when.way == "before" and when.up_to and when.last is not None:
        return f"before {day(when.last)}"
    if when.way in _WAYS or when.last is None:
        return f"{_WAYS.get(when.way, 'at')} {day(when.first)}"
    return f"from {day(when.first)} to {day(when.last)}"
