"""The rest of a review: stored facts that would end, whom names stand for, and the text with what is ticked marked."""

from collections.abc import Sequence

import streamlit as st

from components import dates, state
from components.ingest import open_review
from components.markup import counted, heading, plain, relation, sign, spoken, text, titled
from components.search.excerpt import marked
from services.proposals import SAME, ProposedEnding, Resolved, written_facts

_NEW = ""
_LONGEST = 60_000


def endings(under: open_review.UnderReview) -> None:
    """Stored facts that would end, each with its tick and why."""
    found = under.proposal.endings
    if not found:
        return
    heading("Facts that would end", "currently valid in the graph", level=3)
    written = {fact.key for fact in written_facts(under.proposal)}
    for ending in found:
        _ending(under, ending, possible=ending.is_known and (ending.by is None or ending.by in written))


def _ending(under: open_review.UnderReview, ending: ProposedEnding, *, possible: bool) -> None:
    fact = ending.fact
    box = f"ending_{under.key}_{fact.uuid}_{ending.by}"
    state.remember(box, ending.ticked and possible)
    missing = "date unknown" if ending.ended_unknown else "no date"
    until = dates.written(ending.invalid_at, ending.invalid_at_precision, missing)
    before = f'<span class="a-old">{dates.fact_stop(fact)}</span>'
    span = f"{dates.fact_start(fact)} → {before} {until}"
    statement = f"{text(fact.source)} {text(relation(fact.relation))} <b>{text(fact.target)}</b> ends"
    todo = "select the new fact as well" if ending.is_known else "give the new fact a start date"
    why = text(ending.reason) if possible else f"{text(ending.reason)} To end it, {todo}."
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"row_{box}"):
        st.checkbox(
            plain(f"End {fact.source} {relation(fact.relation)} {fact.target}"),
            key=box,
            label_visibility="collapsed",
            disabled=not possible,
            on_change=open_review.tick,
            args=(under.key, fact.uuid, box),
        )
        words = (
            f'<div><div>{statement}</div><div class="a-muted a-sm">{why}</div></div><div class="a-when">{span}</div>'
        )
        st.html(f'<div class="a-draft">{sign("ended")}{words}</div>', width="stretch")


def names(under: open_review.UnderReview) -> None:
    """Names that may stand for somebody else than they were taken for, each with the choices and their reasons."""
    unsure = [one for one in _all_names(under) if one.others or (one.uuid and one.reason != SAME)]
    if unsure:
        heading("Which entity?", "applies to every fact with this name", level=3)
        for number, one in enumerate(unsure):
            _choice(under, one, f"who_{under.key}_{number}")


def _all_names(under: open_review.UnderReview) -> Sequence[Resolved]:
    every = (one for fact in under.proposal.facts for one in (fact.source, fact.target))
    return list({(one.name, one.type): one for one in every}.values())


def _choice(under: open_review.UnderReview, one: Resolved, key: str) -> None:
    reasons = {other.entity.uuid: (other.entity, other.reason) for other in one.others}
    if one.entity is not None:
        reasons = {one.entity.uuid: (one.entity, one.reason)} | reasons
    options = [*reasons, _NEW]
    state.remember(key, one.uuid or _NEW)

    def words(uuid: str) -> str:
        if uuid == _NEW:
            return "a new entity"
        entity, reason = reasons[uuid]
        kind = f" ({entity.type})" if entity.type else ""
        return f"{titled(entity.name, entity.summary)}{kind} · {reason}"

    kind = f" ({one.type})" if one.type else ""
    guesses = f" · {counted(len(one.others), 'guess', 'guesses')}" if one.others else ""
    st.selectbox(
        spoken(f"“{one.name}”{kind} is{guesses}"),
        options,
        key=key,
        format_func=words,
        on_change=_choose,
        args=(under.key, one.name, _type_in_drafts(under, one), key),
    )


def _type_in_drafts(under: open_review.UnderReview, one: Resolved) -> str:
    """The type that drafts give the name, by which a choice is kept."""
    for fact in under.proposal.facts:
        for resolved, given in ((fact.source, fact.draft.source_type), (fact.target, fact.draft.target_type)):
            if (resolved.name, resolved.type) == (one.name, one.type):
                return given
    return one.type


def _choose(key: str, name: str, type_: str, box: str) -> None:
    open_review.choose(key, name, type_, state.remembered(box) or None)


def source(under: open_review.UnderReview) -> None:
    """The text, with the sentences of what is ticked marked."""
    words = under.proposal.source.text
    if not words.strip() or not under.is_item:
        return
    spans = sorted({(fact.draft.start, fact.draft.end) for fact in under.proposal.facts if fact.ticked})
    with st.expander("Source text with selected facts highlighted"):
        more = f'<p class="a-muted">Showing the first {_LONGEST:,} characters.</p>' if len(words) > _LONGEST else ""
        st.html(f'<div class="a-source a-read" tabindex="0">{marked(words[:_LONGEST], spans)}{more}</div>')
