"""Correcting a fact wherever it is shown: one button, and a form that says what will change before it does."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import streamlit as st

from components import change_preview, confirm, dates, link_clicks, markup, problems, state, undo_banner
from components.address import View, parameters_of
from components.buttons import pencil
from services import cached
from services.agent import get_services
from services.core import clock
from services.core.errors import BadInput
from services.core.models import Fact, Precision
from services.mirror import Mirror
from services.proposals import offered_relations
from services.writing import Scope, corrections

_MEANS = {
    "Edit": "The record is wrong. The corrected fact replaces it.",
    "End": "The fact is no longer valid. The graph records its end.",
    "Withdraw": "The fact was never true. It will no longer count as valid.",
    "Reinstate": "The fact was ended or withdrawn by mistake. It will count as valid again.",
    "Delete": "Removes it completely, from history too.",
}


def fact_menu(workspace: str, fact: Fact, *, key: str = "correct_fact") -> None:
    """The pencil that opens the form; `fact` as it is recorded, with what was learned later."""
    if pencil("Edit fact", key):
        correct(workspace, fact)


def correct_link(page: str, view: View, uuid: str, *, label: str = "Edit fact") -> str:
    """A pencil that asks for the form, for lists that are one piece of HTML; its page calls `asked_for`."""
    address = markup.address_of(page, {**parameters_of(view), link_clicks.CORRECT: uuid})
    where = f'href="{markup.text(address)}" target="_self" data-page="{page}"'
    return f'<a class="a-edit" {where} title="{label}"><span>{label}</span></a>'


def asked_for(workspace: str) -> None:
    """Open the form for the fact that a link asked for, once."""
    if found := cached.fact(workspace, state.pop(link_clicks.CORRECT)):
        correct(workspace, found)


def possible(fact: Fact) -> list[str]:
    """Return what can be done about a fact as it stands, the likeliest first."""
    if fact.withdrawn_at is not None:
        return ["Reinstate", "Delete"]
    if fact.expired_at is not None:
        return ["Reinstate", "Edit", "Withdraw", "Delete"]
    return ["Edit", *(["End"] if fact.invalid_at is None else []), "Withdraw", "Delete"]


@confirm.dialog("Edit fact", width="medium")
def correct(workspace: str, fact: Fact) -> None:
    """The form: what to do, with what, and why."""
    _statement(fact)
    actions = possible(fact)
    action = st.segmented_control(
        "Action",
        actions,
        default=actions[0],
        required=True,
        key=f"action_{fact.uuid}",
        label_visibility="collapsed",
        on_change=confirm.fresh,
    )
    st.caption(_MEANS[action])
    forms = {"Edit": _edit, "End": _end, "Withdraw": _withdraw, "Reinstate": _reinstate, "Delete": _delete}
    forms[action](workspace, fact)


@confirm.dialog("End the earlier fact", width="medium")
def end_earlier(workspace: str, earlier: Fact, later: Fact) -> None:
    """The form to end a fact where the one that took its place begins."""
    _statement(earlier)
    _end(workspace, earlier, later)


def _statement(fact: Fact) -> None:
    source, name, target = change_preview.words_of(fact)
    st.html(
        f"<div><b>{markup.text(source)}</b> {markup.text(name)} <b>{markup.text(target)}</b> "
        f'<span class="a-muted">{dates.fact_span(fact)}</span></div>'
    )


def why(uuid: str) -> None:
    """The field for the reason."""
    st.text_input("Why", key=f"why_{uuid}", placeholder="Reason (kept with the change)")


def reason(uuid: str) -> str:
    """Return the reason that was typed."""
    return str(state.remembered(f"why_{uuid}", "") or "")


@problems.guarded()
def _preview(make: Callable[[], Any]) -> None:
    """Draw what a correction would do, or why it cannot be done."""
    try:
        change_preview.lines(make().lines)
    except BadInput as problem:
        st.caption(markup.plain(str(problem)))


def _moment(workspace: str) -> corrections.Moment:
    return corrections.Moment(workspace, clock.now())


def _edit(workspace: str, fact: Fact) -> None:
    held = corrections.changes_of_fact(fact, clock.now())
    left, middle, right = st.columns([4, 3, 4], gap="small")
    left.text_input("Entity", held.source, key=f"source_{fact.uuid}")
    names = list(dict.fromkeys([fact.relation, *offered_relations(get_services().workspace(workspace))]))
    middle.selectbox("Relation", names, key=f"relation_{fact.uuid}", accept_new_options=True)
    right.text_input("Value", held.target, key=f"target_{fact.uuid}")
    st.text_input("As a sentence", held.text, key=f"text_{fact.uuid}")
    left, right = st.columns(2, gap="small")
    start = dates.shown(held.valid_at, held.valid_at_precision)
    stop = None if held.ended_unknown else dates.shown(held.invalid_at, held.invalid_at_precision)
    dates.field("Valid from", start, key=f"start_{fact.uuid}", place=left, help="Leave empty if undated")
    dates.field(
        "Valid until (exclusive)",
        stop,
        key=f"stop_{fact.uuid}",
        place=right,
        help="Leave empty if the fact is still valid",
    )
    _precision(fact, "start", held.valid_at_precision, left)
    _precision(fact, "stop", held.invalid_at_precision, right)
    _unknown(fact, is_over=held.ended_unknown)
    why(fact.uuid)
    changes = _typed(fact, held)
    if changes != held:
        _preview(lambda: corrections.preview_edit(get_services().workspace(workspace), fact, changes))
    confirm.change(
        "Save",
        workspace,
        f"{corrections.title_of(fact)} corrected",
        lambda opened, user: corrections.edit_fact(
            opened, fact, _typed(fact, held), note=reason(fact.uuid), user_id=user
        ),
    )


def _precision(fact: Fact, name: str, precision: Precision, place: Any = st) -> None:
    label = "Start precision" if name == "start" else "End precision"
    dates.precision_field(label, precision, key=f"{name}_precision_{fact.uuid}", place=place)


def _unknown(fact: Fact, *, is_over: bool = False) -> None:
    help_ = "No longer valid, but the end date is unknown."
    st.checkbox("Ended, date unknown", is_over, key=f"over_{fact.uuid}", help=help_)


def _dated(
    fact: Fact, name: str, before: datetime | None = None, was: Precision = "instant"
) -> tuple[datetime | None, Precision]:
    """The instant and precision of the fields of a date."""
    day, chosen = state.remembered(f"{name}_{fact.uuid}"), state.remembered(f"{name}_precision_{fact.uuid}")
    return dates.given(day, chosen, before, was)


def _typed(fact: Fact, held: corrections.FactChanges) -> corrections.FactChanges:
    """Return what the form says; spaces at the ends of a field are no change of it."""
    words: dict[str, Any] = {}
    for name in ("source", "relation", "target", "text"):
        was: str = getattr(held, name)
        given = str(state.remembered(f"{name}_{fact.uuid}", was) or "").strip()
        words[name] = was if given == was.strip() else given
    start, start_precision = _dated(fact, "start", held.valid_at, held.valid_at_precision)
    known = None if held.ended_unknown else held.invalid_at
    stop, stop_precision = _dated(fact, "stop", known, held.invalid_at_precision)
    over = stop is None and bool(state.remembered(f"over_{fact.uuid}", held.ended_unknown))
    return replace(
        held,
        **words,
        valid_at=start,
        invalid_at=held.invalid_at if over and held.ended_unknown else stop,
        valid_at_precision=start_precision,
        invalid_at_precision=stop_precision,
        ended_unknown=over,
    )


def _end(workspace: str, fact: Fact, later: Fact | None = None) -> None:
    key, start = f"at_{fact.uuid}", later.valid_at if later else clock.now()
    was = later.valid_at_precision if later else "day"
    help_ = "The first day the fact is no longer valid"
    dates.field("Valid until (exclusive)", dates.shown(start, was), key=key, help=help_)
    _precision(fact, "at", was)
    if later is None:
        _unknown(fact)
    why(fact.uuid)
    at, precision = _chosen_end(fact, later)
    if at or _is_over(fact):
        by = later.uuid if later else None
        _preview(lambda: corrections.ended(fact, at, _moment(workspace), by, precision))
    confirm.answers("End", _ended, workspace, fact, later)


def _is_over(fact: Fact) -> bool:
    return bool(state.remembered(f"over_{fact.uuid}"))


def _chosen_end(fact: Fact, later: Fact | None) -> tuple[datetime | None, Precision]:
    """The end that the form says; none where it is unknown."""
    if _is_over(fact):
        return None, "instant"
    return _dated(fact, "at", later.valid_at, later.valid_at_precision) if later else _dated(fact, "at")


def _ended(workspace: str, fact: Fact, later: Fact | None) -> None:
    at, precision = _chosen_end(fact, later)
    if at is None and not _is_over(fact):
        raise BadInput("The fact has no end date.", "Choose the first day it was no longer valid.")
    by = later.uuid if later else None
    undo_banner.do(
        workspace,
        f"{corrections.title_of(fact)} ended",
        lambda opened, user: corrections.end_fact(
            opened, fact, at, precision=precision, by=by, note=reason(fact.uuid), user_id=user
        ),
    )


def _withdraw(workspace: str, fact: Fact) -> None:
    why(fact.uuid)
    _preview(lambda: corrections.taken_back(fact, _moment(workspace)))
    confirm.change(
        "Withdraw",
        workspace,
        f"{corrections.title_of(fact)} withdrawn",
        lambda opened, user: corrections.withdraw_fact(opened, fact, note=reason(fact.uuid), user_id=user),
    )


def _reinstate(workspace: str, fact: Fact) -> None:
    why(fact.uuid)
    others = cached.ask(Mirror.history, workspace, fact.source_uuid)
    _preview(lambda: corrections.reinstated(fact, others, _moment(workspace)))
    confirm.change(
        "Reinstate",
        workspace,
        f"{corrections.title_of(fact)} reinstated",
        lambda opened, user: corrections.reinstate_fact(opened, fact, note=reason(fact.uuid), user_id=user),
    )


def _delete(workspace: str, fact: Fact) -> None:
    asked = Scope(facts=frozenset({fact.uuid}))
    with change_preview.being_made():
        found = corrections.preview_delete(get_services().workspace(workspace), asked)
    change_preview.going(found)
    why(fact.uuid)
    confirm.answers("Delete", deleted, workspace, corrections.title_of(fact), asked, found, fact.uuid)


def deleted(workspace: str, name: str, asked: Scope, found: corrections.DeletionScope, why_key: str = "") -> None:
    """Delete what was previewed, for the reason typed under that key; for callbacks."""
    if found == corrections.DeletionScope():
        raise BadInput("Someone else has already deleted this record.", "Reload the page.")
    undo_banner.do(
        workspace,
        f"{name} deleted",
        lambda opened, user: corrections.delete(
            opened,
            asked,
            found,
            reinstate=change_preview.reinstates(found),
            note=reason(why_key),
            user_id=user,
        ),
    )
