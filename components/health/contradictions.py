"""Facts that cannot all be so, facts that are there twice, and facts without a start."""

import streamlit as st

from components import change_preview, confirm, dates, undo_banner
from components.fact_actions import end_earlier, fact_menu
from components.health.findings import Findings, limit_of
from components.health.rows import about, fact_words, it_is_right, more_of, row, section, source_words, when
from components.markup import counted, text
from services import cached
from services.core import clock
from services.core.health import SameFact, pair_key
from services.core.review import Overlap
from services.writing import corrections


def contradictions(workspace: str, found: Findings) -> None:
    """Facts of a relation with one value at a time that hold at once."""
    if not found.contradictions.total:
        return
    section("contradictions", "At odds", found.contradictions.total, "one value holds at a time here")
    for overlap in found.contradictions.items:
        first, second = overlap.first, overlap.second
        key = pair_key(first.uuid, second.uuid)
        words = f"{fact_words(workspace, first)} and <b>{text(second.target)}</b> at once"
        with row(f"odds_{key}", "review", words, _about(workspace, overlap)):
            if st.button(
                "End the earlier…",
                key=f"end_{key}",
                disabled=first.invalid_at is not None,
                help="It has an end; correct it instead." if first.invalid_at else None,
            ):
                end_earlier(workspace, first, second)
            for recorded in cached.facts(workspace, (first.uuid,)):
                fact_menu(workspace, recorded, key=f"correct_{key}", label="Correct…")
            it_is_right(workspace, "contradiction", key)
    more_of("contradictions", limit_of("contradictions"), found.contradictions.total)


def _about(workspace: str, overlap: Overlap) -> str:
    spans = [f"{text(f.target)} {dates.span(f.valid_at, f.invalid_at)}" for f in (overlap.first, overlap.second)]
    return about(*spans, source_words(workspace, overlap.second.episodes))


def same_facts(workspace: str, found: Findings) -> None:
    """Facts that say the same of the same entities."""
    if not found.same_facts.total:
        return
    section("same_facts", "Facts twice", found.same_facts.total, "the same ends, relation and dates")
    for same in found.same_facts.items:
        fact = same.facts[0]
        details = about(
            f"{len(same.facts):,} times",
            dates.span(fact.valid_at, fact.invalid_at),
            source_words(workspace, fact.episodes),
        )
        with row(f"same_{same.key}", "review", fact_words(workspace, fact), details):
            if st.button("Keep one…", key=f"unite_{same.key}"):
                _unite(workspace, same)
            fact_menu(workspace, fact, key=f"correct_{same.key}", label="Correct…")
            it_is_right(workspace, "same fact", same.key)
    more_of("same_facts", limit_of("same_facts"), found.same_facts.total)


@confirm.dialog("Keep one of them", width="medium")
def _unite(workspace: str, same: SameFact) -> None:
    kept, *others = same.facts
    st.caption(f"The oldest is kept, with the sources of all; {counted(len(others), 'other')} withdrawn now.")
    change_preview.lines(corrections.united(kept, others, corrections.Moment(workspace, clock.now())).lines)
    confirm.answers("Keep one", _united, workspace, same)


def _united(workspace: str, same: SameFact) -> None:
    undo_banner.do(
        workspace,
        f"{corrections.said(same.facts[0])} kept once",
        lambda services, user: corrections.unite(services.workspace(workspace), same, user_id=user),
    )


def undated(workspace: str, found: Findings) -> None:
    """Facts without a start."""
    if not found.undated.total:
        return
    section("undated", "Undated", found.undated.total, "nobody knows when they began, so they hold on no date")
    for fact in found.undated.items:
        details = about(when("recorded", fact.created_at), source_words(workspace, fact.episodes))
        with row(f"undated_{fact.uuid}", "review", fact_words(workspace, fact), details):
            fact_menu(workspace, fact, key=f"date_{fact.uuid}", label="Correct…")
            it_is_right(workspace, "undated", fact.uuid)
    more_of("undated", limit_of("undated"), found.undated.total)
