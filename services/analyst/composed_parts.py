"""What a part of a question lists, with the facts that show it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.analyst.fact_kinds import FactSelection
from services.analyst.fact_order import dated_and_undated, name_on
from services.analyst.query_plan import QueryPlan
from services.analyst.vocabulary import Side, other
from services.core.models import Fact

LISTING = frozenset(
    ("value", "count", "former", "first", "last", "nth", "longest", "most", "all", "events", "before", "after", "ended")
)
"""Intents whose answer is what stands on the other side of the plan's facts."""
OF_ALL = ("most", "all", "events")
"""Intents that name no subject: who has the relation is what they list."""

UNDECIDED = "The recorded dates do not settle this question."

Piece = tuple[QueryPlan, FactSelection]
"""A plan with what was selected for it."""


@dataclass(frozen=True, slots=True)
class Composed:
    """What a question made of others lists: names, what shows it, and what is said before that."""

    names: tuple[str, ...]
    pieces: tuple[Piece, ...]
    lead: str = ""


def listed_side(plan: QueryPlan) -> Side:
    """Return the side of a plan's relation that it lists."""
    return plan.side if plan.intent in OF_ALL else other(plan.side)


def names_in(plan: QueryPlan, selection: FactSelection) -> tuple[str, ...]:
    """Return what a selection lists: the names on the other side than the subject's."""
    side = listed_side(plan)
    return tuple(dict.fromkeys(name_on(fact, side) for fact in own_facts(plan, selection)))


def as_listed(plan: QueryPlan, selection: FactSelection, shown: Sequence[Fact]) -> Piece:
    """Return what a yes or no was told by, to be listed without it."""
    dated, undated = dated_and_undated(shown)
    return replace(plan, intent="value", value=""), replace(
        selection, kind="history", facts=dated, undated=undated, denied=False
    )


def own_facts(plan: QueryPlan, selection: FactSelection) -> list[Fact]:
    """Return the facts that a plan asks for, without those that show its conditions."""
    facts = (*selection.facts, *selection.undated)
    of_plan = [fact for fact in facts if fact.relation == plan.relation]
    if plan.intent in OF_ALL or plan.symmetric or plan.negated:
        return of_plan
    return [fact for fact in of_plan if name_on(fact, plan.side) in plan.subjects]


def uuids_in(piece: Piece) -> set[str]:
    """Return which facts a piece has."""
    return {fact.uuid for fact in (*piece[1].facts, *piece[1].undated)}


def any_in(piece: Piece) -> bool:
    """True where anything was selected."""
    return bool(piece[1].facts or piece[1].undated)


def lists(part: Composed) -> bool:
    """True for a part that lists names, and does not tell when or whether."""
    return all(plan.intent in LISTING for plan, _ in part.pieces[-1:])


def only_of(piece: Piece, kept: Sequence[str]) -> Piece:
    """Return a piece with those facts alone that speak of what is kept."""
    plan, selection = piece
    if not set(names_in(plan, selection)) & set(kept):
        return piece
    listing = replace(plan, intent="value") if plan.intent == "count" else plan
    return listing, selection.only(lambda fact: not {fact.source, fact.target}.isdisjoint(kept))
