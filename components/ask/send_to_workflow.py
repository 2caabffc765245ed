"""A question or the whole conversation for a workflow, whose report is the next answer; its run, also run again."""

from collections.abc import Sequence

import streamlit as st

from components import state
from components.address import View, parameters_of
from components.ask import actions
from components.ask.conversation_state import ConversationState, Exchange
from components.lazy_containers import draw_when_open
from components.markup import link
from components.workflows.run_words import AGAIN_TODAY
from components.workflows.workflows_view import look_at, there
from services.agent import get_services
from services.core.answer_records import Asked, ToolCall
from services.core.errors import AsofError
from services.workflows import (
    DEFAULT_NAME,
    WORKFLOW_CALL,
    conversation_goal,
    list_workflows,
    workflow_answer,
    workflow_runs,
)

_QUESTION, _CONVERSATION, _RUNS_AGAIN = "This question", "Whole conversation", "workflow_runs_again"


def send_to_workflow(chat: ConversationState, one: Exchange) -> None:
    """Draw the menu."""
    key = f"to_workflow_{one.asked.id}"
    box = st.popover(
        "Report", icon=":material/account_tree:", key=key, on_change="rerun", help="Write a report with a workflow"
    )
    draw_when_open(box, _menu, chat, one)


def way_to_run(chat: ConversationState, calls: Sequence[ToolCall], view: View) -> None:
    """Draw a link to the run of a workflow that an answer came of, and the button that runs it again."""
    runs = [call.output.get("run") for call in calls if call.tool == WORKFLOW_CALL and isinstance(call.output, dict)]
    run = str(next((run for run in runs if run), ""))
    if not run:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"way_to_{run}"):
        way = link("Workflows", "Open the workflow run", there(view, run=run))
        st.html(f'<div class="a-sm a-path">{way}</div>', width="content")
        if chat.is_own:
            st.button(
                "Run again today",
                icon=":material/event_repeat:",
                key=f"again_today_{run}",
                help=AGAIN_TODAY,
                on_click=_run_again,
                args=(run,),
            )
    if state.pop(_RUNS_AGAIN):
        st.switch_page("Workflows.py", query_params=parameters_of(state.held()))


def _run_again(run: str) -> None:
    """Run again what made a report, and have the page show both runs beside each other."""
    try:
        look_at(run=workflow_runs(get_services()).rerun(run).id, before=run)
        state.remember(_RUNS_AGAIN, True)
    except AsofError as error:
        state.remember(actions.PROBLEM, error)


def _menu(chat: ConversationState, one: Exchange) -> None:
    id = one.asked.id
    names = [entry.name for entry in list_workflows(get_services().workspace(chat.workspace))]
    scope = _scope(id) if len(chat.exchanges) > 1 else _QUESTION
    about = chat.exchanges if scope == _CONVERSATION else [one]
    goal = conversation_goal([each.asked.content for each in about])
    goal_key = f"workflow_goal_{id}_{len(about)}"
    with st.form(f"form_workflow_{id}", border=False):
        st.selectbox("Workflow", names, key=f"workflow_name_{id}")
        st.text_area("Goal", goal, key=goal_key)
        st.caption("The report becomes the next answer in this conversation.")
        st.form_submit_button("Run", type="primary", on_click=_send, args=(chat, id, goal_key))


def _scope(id: str) -> str | None:
    return st.segmented_control(
        "About",
        [_QUESTION, _CONVERSATION],
        default=_QUESTION,
        required=True,
        key=f"workflow_scope_{id}",
        label_visibility="collapsed",
    )


def _send(chat: ConversationState, id: str, goal_key: str) -> None:
    name = str(state.remembered(f"workflow_name_{id}") or DEFAULT_NAME)
    view = state.held()
    asked = Asked(str(state.remembered(goal_key) or ""), view.as_of, view.known_at)
    try:
        maker = workflow_answer(get_services().workspace(chat.workspace), name, chat.user.id)
    except AsofError as error:
        state.remember(actions.PROBLEM, error)
        return
    actions.ask(chat, asked, chat.last_id, maker=maker)
