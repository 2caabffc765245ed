"""The proposed facts of a review as rows: a tick, what it does, what it says, and the fields to change it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

import streamlit as st

from components import dates, state
from components.buttons import show_more
from components.ingest import open_review
from components.markup import clipped, counted, dotted, plain, relation, sign, text
from services.agent import get_services
from services.core import date_wording
from services.core.draft_records import SURE_DATE
from services.core.models import Fact, Precision
from services.proposals import (
    PRE_TICKED,
    SHOWN,
    ProposedFact,
    Resolved,
    end_of,
    end_precision_of,
    is_over_unknown,
    name_of,
    offered_relations,
    start_of,
    start_precision_of,
)

_SIGNS = {"new": "added", "source": "same", "change": "ended", "correction": "corrected", "unchanged": "same"}
_SURE = ((1.0, "written by you"), (PRE_TICKED, "very likely"), (0.6, "likely ({:.0%})"), (SHOWN, "uncertain ({:.0%})"))
"""What a confidence says, which is the measured share of right ones among those that have it."""
_STEP = 0.05
"""What a share is rounded to: it was measured on too few texts to say more."""
_QUOTE, _PAGE = 220, 30
_DOUBTFUL, _MORE = "review_doubtful", "review_more"


def count_hidden(under: open_review.UnderReview) -> int:
    """Return how many facts are shown only when asked for."""
    doubtful = sum(fact.draft.confidence < SHOWN for fact in under.proposal.facts)
    return 0 if state.remembered(_DOUBTFUL) else doubtful


def rows(under: open_review.UnderReview) -> None:
    """Every proposed fact; those that are mostly wrong only when asked for, and of very many the first."""
    facts = sorted(under.proposal.facts, key=lambda fact: (fact.verdict == "unchanged", fact.draft.start))
    shown = [fact for fact in facts if fact.draft.confidence >= SHOWN]
    hidden = [fact for fact in facts if fact.draft.confidence < SHOWN]
    if hidden and state.remembered(_DOUBTFUL):
        shown += hidden
    room = state.remembered(_MORE, _PAGE)
    for fact in shown[:room]:
        _row(under, fact)
    with st.container(horizontal=True, gap="small"):
        if len(shown) > room:
            show_more("review_show_more", _MORE, room + _PAGE, label=f"Show more · {len(shown) - room:,} left")
        if hidden:
            label = "Hide" if state.remembered(_DOUBTFUL) else "Show"
            st.button(
                f"{label} {counted(len(hidden), 'doubtful one')}",
                key="review_show_doubtful",
                type="tertiary",
                on_click=state.toggle,
                args=(_DOUBTFUL,),
            )


def _row(under: open_review.UnderReview, fact: ProposedFact) -> None:
    box = f"tick_{under.key}_{fact.key}"
    state.remember(box, fact.ticked)  # what follows from other edits shows, too
    words = f"{fact.draft.source} {relation(fact.draft.relation)} {fact.draft.target}"
    with st.container(gap="xxsmall", key=f"draft_{under.key}_{fact.key}"):
        with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"drafted_{box}"):
            st.checkbox(
                plain(words),
                key=box,
                label_visibility="collapsed",
                disabled=fact.verdict == "unchanged",
                on_change=open_review.tick,
                args=(under.key, fact.key, box),
            )
            st.html(_words(under, fact), width="stretch")
            st.button(
                "Edit",
                key=f"icon_edit_{under.key}_{fact.key}",
                icon=":material/edit:",
                type="tertiary",
                help="Edit or remove this fact",
                on_click=open_review.toggle_row,
                args=(fact.key,),
            )
        _offers(under, fact)
    if open_review.row_open(fact.key):
        _fields(under, fact)


def _words(under: open_review.UnderReview, fact: ProposedFact) -> str:
    """A row: sign, the fact with its sentence below, and when it holds."""
    statement = f"{_name(fact.source)} {text(relation(fact.draft.relation))} {_name(fact.target, 'b')}"
    stop = dates.written(end_of(fact), end_precision_of(fact), "date unknown" if is_over_unknown(fact) else "now")
    span = f"{dates.written(start_of(fact), start_precision_of(fact), 'undated')} → {stop}"
    sentence = text(clipped(fact.draft.fact, _QUOTE))
    below = dotted(f"“{sentence}”" if sentence else "", text(_sure(fact)) if under.is_item else "")
    why = dotted(text(fact.reason), *(_has(stored) for stored in _few(fact)))
    about = "".join(f'<div class="a-muted a-sm">{line}</div>' for line in (below, why) if line)
    return (
        f'<div class="a-draft {"" if fact.ticked else "a-let"}">{sign(_SIGNS[fact.verdict])}'
        f'<div><div>{statement}</div>{about}</div><div class="a-when">{span}</div></div>'
    )


def _name(one: Resolved, tag: str = "span") -> str:
    """The name that is written; where the text has another one, that, too; and whether the entity is new."""
    name = name_of(one)
    also = f' <span class="a-muted">for “{text(one.name)}”</span>' if name != one.name else ""
    new = ' <span class="a-chip a-off" title="Not in the graph yet">new</span>' if one.uuid is None else ""
    return f'<{tag} title="{text(one.type)}">{text(name)}</{tag}>{also}{new}'


def _has(stored: Fact) -> str:
    """A stored fact that says nearly the same."""
    words = f"{stored.source} {relation(stored.relation)} {stored.target}"
    return f"{text(words)}, {dates.fact_span(stored)}"


def _sure(fact: ProposedFact) -> str:
    share = fact.draft.confidence
    words = next((words for least, words in _SURE if share >= least), "doubtful")
    of_dates = min(fact.draft.valid_at_confidence, fact.draft.invalid_at_confidence)
    return dotted(words.format(round(share / _STEP) * _STEP), "dates uncertain" if of_dates < SURE_DATE else "")


def _offers(under: open_review.UnderReview, fact: ProposedFact) -> None:
    """Dates that are not sure, each with the way to use it; and a question for the start of what has only an end."""
    draft, key = fact.draft, f"{under.key}_{fact.key}"
    start = ("valid_at", "from", draft.unsure_valid_at, draft.valid_at_precision)
    stop = ("invalid_at", "until", draft.unsure_invalid_at, draft.invalid_at_precision)
    for name, bound, at, precision in (start, stop):
        if at is not None:
            use = partial(open_review.use_date, under.key, fact.key, name)
            day = date_wording.dated(at, precision, dates.day)
            _offer(f"Perhaps {bound} {day}", "Use this date", f"use_{name}_{key}", use)
    if end_of(fact) is not None and start_of(fact) is None and draft.unsure_valid_at is None:
        opened = partial(open_review.toggle_row, fact.key)
        _offer("The text gives no start date.", "Add a start date", f"add_start_{key}", opened)


def _offer(words: str, label: str, key: str, act: Callable[[], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"offer_{key}"):
        st.html(f'<div class="a-muted a-sm">{text(words)}</div>', width="content")
        st.button(label, key=key, type="tertiary", on_click=act)


# -- the fields of one row


def _fields(under: open_review.UnderReview, fact: ProposedFact) -> None:
    draft, key = fact.draft, f"{under.key}_{fact.key}"
    known = offered_relations(get_services().workspace(under.workspace))
    with st.container(border=True, key=f"fields_{key}"):
        _similar(under, fact)
        with st.form(f"redraft_{key}", border=False, enter_to_submit=False):
            left, middle, right = st.columns(3, gap="small")
            left.text_input("Entity", draft.source, key=f"c_source_{key}")
            options = list(dict.fromkeys([draft.relation, *known, *under.proposal.one_at_a_time]))
            middle.selectbox("Relation", options, key=f"c_relation_{key}", accept_new_options=True)
            right.text_input("Value", draft.target, key=f"c_target_{key}")
            left.text_input("Entity type", draft.source_type, key=f"c_source_type_{key}")
            right.text_input("Value type", draft.target_type, key=f"c_target_type_{key}")
            one, two = st.columns(2, gap="small")
            start, stop = draft.valid_at_precision, draft.invalid_at_precision
            first, last = dates.shown(draft.valid_at, start), dates.shown(draft.invalid_at, stop)
            dates.field("Valid from", first, key=f"c_start_{key}", place=one)
            dates.field("Valid until (exclusive)", last, key=f"c_stop_{key}", place=two)
            dates.precision_field("Start precision", start, key=f"c_start_precision_{key}", place=one)
            dates.precision_field("End precision", stop, key=f"c_stop_precision_{key}", place=two)
            st.checkbox("Ended, date unknown", draft.is_over and draft.invalid_at is None, key=f"c_is_over_{key}")
            with st.container(horizontal=True, gap="small"):
                st.form_submit_button(
                    "Apply", type="primary", key=f"c_save_{key}", on_click=_change, args=(under.key, fact)
                )
                st.form_submit_button(
                    "Remove", key=f"c_drop_{key}", on_click=open_review.drop, args=(under.key, fact.key)
                )
                st.form_submit_button("Cancel", key=f"c_leave_{key}", on_click=open_review.toggle_row, args=(fact.key,))


def _change(key: str, fact: ProposedFact) -> None:
    draft, at = fact.draft, f"{key}_{fact.key}"
    names = {
        name: str(state.remembered(f"c_{name}_{at}") or "")
        for name in ("source", "relation", "target", "source_type", "target_type")
    }
    start, start_precision = _dated("start", at, draft.valid_at, draft.valid_at_precision)
    stop, stop_precision = _dated("stop", at, draft.invalid_at, draft.invalid_at_precision)
    spans = {
        "valid_at": start,
        "invalid_at": stop,
        "valid_at_precision": start_precision,
        "invalid_at_precision": stop_precision,
        "is_over": bool(state.remembered(f"c_is_over_{at}")) and stop is None,
    }
    open_review.change(key, fact.key, {**names, **spans})


def _dated(name: str, at: str, before: datetime | None, was: Precision) -> tuple[datetime | None, Precision]:
    """The instant and precision of the fields of a row."""
    day, chosen = state.remembered(f"c_{name}_{at}"), state.remembered(f"c_{name}_precision_{at}")
    return dates.given(day, chosen, before, was)


def _similar(under: open_review.UnderReview, fact: ProposedFact) -> None:
    """Stored facts that say nearly the same, each with the way to make this text a further source of it."""
    for number, stored in enumerate(_few(fact)):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(
                f'<div class="a-draft">{sign("same")}<div>The graph has: {_has(stored)}</div></div>',
                width="stretch",
            )
            st.button(
                "Add as another source",
                key=f"same_{under.key}_{fact.key}_{number}",
                type="tertiary",
                on_click=open_review.take_as_source,
                args=(under.key, fact.key, stored),
            )


def _few(fact: ProposedFact) -> Sequence[Fact]:
    return fact.similar[:3]
