"""What other programs want to change: exactly what would be done, and a button for yes and for no."""

import streamlit as st

from components import dates, problems, sign_in, undo_banner
from components.ask.approval import WANTS, exact_inputs
from components.markup import chip, heading, text
from components.shell import Opened
from services.accounts import ProposedCall
from services.agent import get_services
from services.mcp import allow_proposal, refuse_proposal


def proposed(opened: Opened) -> None:
    """Draw the proposals of the workspace that wait for an analyst; nothing where there are none."""
    nothing: tuple[ProposedCall, ...] = ()
    waiting = opened.workspace.ask_accounts(lambda accounts: accounts.proposed_calls.waiting(opened.name), nothing)
    if not waiting:
        return
    heading("Proposals", "ingest requests from other programs")
    names = {one.id: one.name for one in get_services().accounts.tokens.listed()}
    for call in waiting:
        with st.container(border=True, key=f"proposed_{call.id}", gap="small"):
            _card(call, names.get(call.client, "A program on this computer"))


def _card(call: ProposedCall, client: str) -> None:
    wants = WANTS.get(call.tool, f"run {text(call.tool)}")
    days = f"proposed {dates.moment(call.created_at)}, expires {dates.moment(call.expires_at)}"
    st.html(
        f'<div class="a-title"><b>{text(client)} wants to {wants}.</b>{chip("a-warn", "? needs your approval")}</div>'
        f"{exact_inputs(call.input)}"
        f'<div class="a-muted a-sm">{days}</div>'
    )
    with st.container(horizontal=True, gap="small"):
        st.button("Approve", key=f"allow_{call.id}", type="primary", on_click=_allow, args=(call.id,))
        st.button("Decline", key=f"refuse_{call.id}", on_click=_refuse, args=(call.id,))


@problems.in_toast()
def _allow(proposal_id: str) -> None:
    user = sign_in.current_user()
    if user is not None:
        done = allow_proposal(get_services(), user, proposal_id)
        undo_banner.say(done.problem or "The job has started. Follow it on Ingest.")


@problems.in_toast()
def _refuse(proposal_id: str) -> None:
    user = sign_in.current_user()
    if user is not None:
        refuse_proposal(get_services(), user, proposal_id)
        undo_banner.say("Declined. Nothing was ingested.")
