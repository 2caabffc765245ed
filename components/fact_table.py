"""Facts as a table that can be sorted, searched, selected and saved: the equal of every chart, without a chart."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from components import dates
from components.markup import relation, say_if_cut, text
from services.core import date_wording, time_rule
from services.core.models import Fact, Instants

Standing = Literal["holds", "may have ended", "ended", "not yet", "undated", "not recorded", "withdrawn"]
MARKS: dict[Standing, str] = {
    "holds": '<i class="a-b a-b-holds"></i>',
    "ended": '<i class="a-b a-b-ended"></i>',
    "not yet": '<i class="a-b a-b-future"></i>',
    "not recorded": '<i class="a-b a-b-future"></i>',
    "undated": '<i class="a-b a-b-undated"></i>',
    "may have ended": '<i class="a-b a-b-undated"></i>',
    "withdrawn": '<span class="a-sg a-corrected">~</span>',
}
"""How each looks in a list, as HTML."""


def standing(fact: Fact, at: Instants) -> Standing:
    """Say in one word how a fact stands at the two instants."""
    if time_rule.true_at(fact, at):
        return "holds"
    if fact.created_at is not None and fact.created_at > at.known_at:
        return "not recorded"
    if not time_rule.recorded(fact, at.known_at):
        return "withdrawn"
    stop = time_rule.end(fact, at.known_at)
    if stop is not None and stop <= at.as_of:
        return "may have ended" if date_wording.may_have_ended(fact, at) else "ended"
    return "undated" if fact.valid_at is None else "not yet"


def standing_in_words(fact: Fact, at: Instants) -> str:
    """Say how a fact stands, and what its dates leave open: "holds, started sometime in 1974"."""
    doubt, stands = date_wording.doubt_at(fact, at), standing(fact, at)
    if stands == "may have ended":
        return doubt
    return f"holds, started {doubt}" if doubt and stands == "holds" else stands


def fact_in_words(fact: Fact) -> str:
    """A fact in words, as HTML: its relation stands out."""
    return f"{text(fact.source)} <b>{text(relation(fact.relation))}</b> {text(fact.target)}"


def rows(facts: Sequence[Fact], at: Instants) -> list[Mapping[str, Any]]:
    """The facts as rows with the columns that the table shows; their dates sort by time."""
    return [_row(fact, time_rule.as_known(fact, at.known_at), at) for fact in facts]


def _row(fact: Fact, known: Fact, at: Instants) -> Mapping[str, Any]:
    stop = None if known.ended_unknown else known.invalid_at
    return {
        "Entity": fact.source,
        "Relation": relation(fact.relation),
        "Value": fact.target,
        "Valid from": dates.sortable(fact.valid_at, fact.valid_at_precision),
        "Valid until": dates.sortable(stop, known.invalid_at_precision),
        "Status": _stands(fact, known, at),
        "Recorded": dates.day(fact.created_at),
    }


def _stands(fact: Fact, known: Fact, at: Instants) -> str:
    """How a fact stands, and of one whose end nobody knows, that it has ended."""
    words = standing_in_words(fact, at)
    if not known.ended_unknown:
        return words
    over = date_wording.ended_unknown(known)
    return over if words == "ended" else f"{words}; {over}"


def fact_table(facts: Sequence[Fact], at: Instants, *, total: int, key: str) -> Fact | None:
    """Draw the table and return the fact whose row is selected; where `facts` were cut, say how many are shown."""
    say_if_cut(len(facts), total, "fact")
    shown = st.dataframe(
        rows(facts, at),
        hide_index=True,
        height=300,
        key=key,
        alt="Facts with their dates and status",
        on_select="rerun",
        selection_mode="single-row",
    )
    chosen = shown["selection"]["rows"]
    return facts[chosen[0]] if chosen and chosen[0] < len(facts) else None
