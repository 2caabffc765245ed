"""What a damaged file lost, of the graph or of the accounts: said on every page, and settled on the Health page."""

from collections.abc import Iterable

import streamlit as st

from components import confirm, dates, markup, problems, sign_in, undo_banner
from components.address import View, parameters_of
from services.agent import get_services
from services.core.models import Workspace
from services.writing import damage_check, lost_changes, restore_missing_records

type Lost = damage_check.Loss | lost_changes.LostChanges


def missing(title: str, opened: str, listed: Iterable[Workspace]) -> None:
    """Say what is missing from the workspaces that the user sees; the Health page of `opened` says it by `settle`."""
    labels = {workspace.name: workspace.label for workspace in listed}
    services = get_services()
    found: list[Lost] = [*damage_check.losses(services), *lost_changes.lost_changes(services)]
    for number, loss in enumerate(found):
        if loss.workspace not in labels or (title == "Health" and loss.workspace == opened):
            continue
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"missing_{number}"):
            markup.note(_notice(loss, labels[loss.workspace]), "")
            if st.button("Open Health", key=f"to_losses_{number}"):
                st.switch_page("Health.py", query_params=parameters_of(View(loss.workspace)))


def has_losses(workspace: str) -> bool:
    """True while records that were saved in a workspace are missing from its graph."""
    return bool(damage_check.losses_of(get_services().workspace(workspace)))


def settle(workspace: str, label: str) -> None:
    """Draw what is missing from a workspace, with the buttons that restore it or dismiss the notice."""
    bound = get_services().workspace(workspace)
    records, changes = damage_check.losses_of(bound), lost_changes.lost_changes_of(bound)
    for loss in records:
        kept = f"<br>A copy of the damaged files is in {markup.text(loss.copy)}." if loss.copy else ""
        markup.note(_notice(loss, label) + kept, "")
    for lost in changes:
        markup.note(f"{_notice(lost, label)}<br>{markup.text(lost.advice)}", "a-warn")
    if not records and not changes:
        return
    with st.container(horizontal=True, key="settle_losses"):
        if records:
            st.button(
                "Restore missing records", type="primary", key="restore_losses", on_click=_restore, args=(workspace,)
            )
        if st.button("Dismiss", key="dismiss_losses", type="tertiary"):
            _dismiss(workspace)


@problems.in_toast()
def _restore(workspace: str) -> None:
    user = sign_in.current_user()
    if user is None:
        return
    done = restore_missing_records.restore(get_services().workspace(workspace), user.id or None)
    if done.change_set_id:
        undo_banner.did(workspace, done.change_set_id, done.text)
    else:
        undo_banner.say(done.text if done.left else "No records are missing anymore.")


def _notice(lost: Lost, label: str) -> str:
    sentence = lost.text(label) if isinstance(lost, lost_changes.LostChanges) else damage_check.loss_text(lost, label)
    return f"<b>{markup.text(sentence)}</b> Noticed on {dates.moment(lost.noticed_at)}."


@confirm.dialog("Dismiss the missing records?")
def _dismiss(workspace: str) -> None:
    st.write(
        "This deletes the copy that still has some of the missing records, so they are lost for good. You "
        "cannot undo this."
    )
    confirm.answers("Dismiss", lambda: damage_check.dismiss(get_services().workspace(workspace)))
