"""One fact by hand: a form, and what it would change on the right."""

import streamlit as st

from components import dates, markup, problems, state
from components.ingest import open_review, review
from components.shell import Opened
from services import cached
from services.agent import get_services
from services.core.draft_records import Draft
from services.language import same_name
from services.mirror import Mirror
from services.proposals import known_relation, offered_relations, propose_fact, relations_of, title_of

_PROBLEM = "fact_problem"
_OFFERED, _NEAR = 400, 3


def form(opened: Opened) -> None:
    """The fields of a fact; what was typed stays until it is saved."""
    entities = cached.ask(Mirror.find_entities, opened.name, "", _OFFERED)
    names = dict.fromkeys(entity.name for entity in entities)
    titles = {entity.name: markup.titled(entity.name, entity.summary) for entity in reversed(entities)}
    types = [kind.name for kind in cached.ask(Mirror.types, opened.name)]
    with st.container(border=True, key="one_fact"):  # no st.form: what is typed is answered before all is filled in
        left, right = st.columns(2, gap="small")
        with left:
            _offered("Entity", list(names), "fact_source", "Pick or type a new name", titles)
            _offer_similar_names(opened.name, "fact_source")
        with right:
            _spell_relation(opened)
            _offered("Relation", list(offered_relations(opened.workspace)), "fact_relation", "Pick or type a new name")
        with st.container():
            _offered("Value", list(names), "fact_target", "Pick or type a new name", titles)
            _offer_similar_names(opened.name, "fact_target")
        left, right = st.columns(2, gap="small")
        dates.field(
            "Valid from", None, key="fact_start", place=left, help="Leave empty if undated", persist_state="session"
        )
        dates.field(
            "Valid until (exclusive)",
            None,
            key="fact_stop",
            place=right,
            help="Leave empty if the fact is still valid",
            persist_state="session",
        )
        dates.precision_field("Start precision", key="fact_start_precision", place=left, persist_state="session")
        dates.precision_field("End precision", key="fact_stop_precision", place=right, persist_state="session")
        st.checkbox(
            "Ended, date unknown",
            key="fact_is_over",
            help="No longer valid, but the end date is unknown.",
            persist_state="session",
        )
        with st.expander("Types", expanded=False):
            left, right = st.columns(2, gap="small")
            with left:
                _offered("Entity type", types, "fact_source_type", "Leave empty to match any")
            with right:
                _offered("Value type", types, "fact_target_type", "Leave empty to match any")
        st.text_input(
            "Source",
            key=review.EPISODE,
            persist_state="session",
            placeholder="Quote or describe the source",
        )
        st.text_input(
            "Note", key=review.NOTE, persist_state="session", placeholder="Optional. Shown next to the change."
        )
        st.button(
            "Preview changes",
            icon=":material/visibility:",
            key="preview_fact",
            on_click=problems.attempt,
            args=(_PROBLEM, _preview, opened.name),
        )
    problems.show_kept(_PROBLEM)


def _offered(label: str, options: list[str], key: str, placeholder: str, titles: dict[str, str] | None = None) -> None:
    """A name among those that there are, or a new one."""
    typed = state.remembered(key)
    options = options if typed is None or typed in options else [typed, *options]
    st.selectbox(
        label,
        options,
        index=None,
        key=key,
        accept_new_options=True,
        placeholder=placeholder,
        format_func=lambda name: (titles or {}).get(name, name),
        persist_state="session",
    )


def _offer_similar_names(workspace: str, key: str) -> None:
    """Say that a name is new where no entity has it, and offer those that are called nearly so."""
    name = _typed(key)
    near = cached.ask(Mirror.find_entities, workspace, name, _NEAR) if name else ()
    if not name or any(same_name(one.name, name) for one in near):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_new"):
        close = " Similar:" if near else ""
        st.html(f'<div class="a-sm">New: <b>{markup.text(markup.clipped(name, 80))}</b>.{close}</div>', width="content")
        for one in near:
            st.button(
                markup.plain(markup.titled(one.name, one.summary)),
                key=f"{key}_take_{one.uuid}",
                type="tertiary",
                help="Use this name",
                on_click=state.remember,
                args=(key, one.name),
            )


def _spell_relation(opened: Opened) -> None:
    """Give the relation that was typed the spelling of the graph or the schema, before its field is drawn."""
    if typed := _typed("fact_relation"):
        state.remember("fact_relation", known_relation(typed, *relations_of(opened.workspace)))


def _preview(workspace: str) -> None:
    """Work out what the fact would change."""
    open_review.close(open_review.FORM)
    opened = get_services().workspace(workspace)
    start, start_precision = dates.given(state.remembered("fact_start"), state.remembered("fact_start_precision"))
    stop, stop_precision = dates.given(state.remembered("fact_stop"), state.remembered("fact_stop_precision"))
    draft = Draft(
        _typed("fact_source"),
        _typed("fact_relation"),
        _typed("fact_target"),
        _typed("fact_source_type"),
        _typed("fact_target_type"),
        valid_at=start,
        invalid_at=stop,
        is_over=bool(state.remembered("fact_is_over")),
        valid_at_precision=start_precision,
        invalid_at_precision=stop_precision,
    )
    proposal = propose_fact(opened, draft, _typed(review.EPISODE))
    open_review.put(opened, open_review.FORM, proposal, title_of(proposal))


def _typed(key: str) -> str:
    return str(state.remembered(key) or "").strip()
