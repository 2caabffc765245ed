"""What a model wants to change, on cards below its answer: exactly what would be done, and a button for yes and for no.

Nothing that is said in the chat presses a button, neither the reader's words nor those of a text that was read.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from components.address import View
from components.ask import actions
from components.ask.conversation_state import ConversationState
from components.markup import chip, counted, dotted, link, note, text
from components.refreshing import follow_job
from services.accounts import PendingCall
from services.agent import allow, get_services, refuse
from services.core.answer_records import ToolCall
from services.core.job_records import Job

WANTS = {
    "knowledge_ingest": "add this to the graph",
    "knowledge_crawl": "fetch this from the web and add it to the graph",
}
_NAMES = {
    "path": "File",
    "text": "Text",
    "url": "Address",
    "mode": "Pages",
    "maxPages": "Maximum pages",
    "tags": "Tags",
}
_MODES = {"single": "this page only", "sitemap": "pages in the sitemap", "recursive": "links on this host"}
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Unicode's ignorable signs that count as letters and marks there, and the empty one of Braille's."""
_ENDS = {"refused": ("a-off", "declined"), "failed": ("a-bad", "✕ failed"), "done": ("a-good", "✓ approved")}


def cards(chat: ConversationState, message_id: str, calls: Sequence[ToolCall], *, busy: bool) -> None:
    """Draw the calls of an answer that need a button; `busy` tells that an answer is being made."""
    if any(isinstance(call.output, Mapping) and "pendingId" in call.output for call in calls):
        for call in get_services().accounts.pending_calls.of_message(message_id):
            with st.container(border=True, key=f"consent_{call.id}", gap="small"):
                _card(chat, call, busy=busy)


def _card(chat: ConversationState, call: PendingCall, *, busy: bool) -> None:
    stands = _ENDS.get(call.state, ("a-warn", "? needs your approval" if chat.is_own else "? needs approval"))
    wants = WANTS.get(call.tool, f"run {text(call.tool)}")
    st.html(f'<div class="a-title"><b>The model wants to {wants}.</b>{chip(*stands)}</div>{exact_inputs(call.input)}')
    if call.state in ("waiting", "allowed"):
        _buttons(chat, call, busy=busy)
    elif call.state == "failed":
        note(f"<b>{text(call.problem)}</b> Nothing was ingested.", "")
    elif call.state == "refused":
        st.html('<div class="a-muted a-sm">Nothing was ingested.</div>')
    else:
        follow_job(_job_of(call), partial(_job_summary, chat), every="1s")


def exact_inputs(inputs: Mapping[str, Any]) -> str:
    """The inputs of a call as they would be used, in full, for HTML."""
    return f'<dl class="a-exact">{"".join(_exact(name, value) for name, value in inputs.items())}</dl>'


def _exact(name: str, value: Any) -> str:
    """One input as it would be used, in full."""
    if value is None or value == []:
        return ""
    if name == "text":
        shown = (
            f'{counted(len(value), "character")}<pre tabindex="0" aria-label="The text">{text(visible(value))}</pre>'
        )
    elif isinstance(value, list):
        shown = " ".join(chip("a-off", text(visible(str(one)))) for one in value)
    elif name == "mode":
        shown = text(_MODES.get(value, str(value)))
    elif name == "maxPages":
        shown = counted(value, "page")
    else:
        shown = f'<span class="a-code">{text(visible(str(value)))}</span>'
    return f"<dt>{text(_NAMES.get(name, name))}</dt><dd>{shown}</dd>"


def visible(value: str) -> str:
    """A text in which nothing hides: signs that are not seen, or turn others around, are written as their numbers."""
    return "".join(f"⟨U+{ord(letter):04X}⟩" if _hides(letter) else letter for letter in value)


def _hides(letter: str) -> bool:
    return letter not in " \n\t" and (unicodedata.category(letter)[0] in "CZ" or bool(_UNSEEN.match(letter)))


def _buttons(chat: ConversationState, call: PendingCall, *, busy: bool) -> None:
    if not chat.is_own:
        st.html('<div class="a-muted a-sm">Only the person who asked can approve this call.</div>')
        return
    if call.state == "allowed":
        note("<b>Asof stopped before this approved call finished.</b> Press “Approve” to run it again.", "a-warn")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Approve",
            key=f"allow_{call.id}",
            type="primary",
            disabled=busy,
            on_click=_decide,
            args=(allow, chat, call.id),
        )
        st.button(
            "Decline",
            key=f"refuse_{call.id}",
            disabled=busy or call.state == "allowed",
            on_click=_decide,
            args=(refuse, chat, call.id),
        )
        if busy:
            st.html('<span class="a-muted a-sm">available when the answer is complete</span>', width="content")


def _decide(decision: Callable[..., PendingCall], chat: ConversationState, call_id: str) -> None:
    services = get_services()
    if chat.conversation is not None and services.turns.running(chat.conversation.id) is None:
        actions.attempt(decision, services, chat.user, call_id)


def _job_summary(chat: ConversationState, job: Job | None) -> None:
    """Draw how far the job is that was begun, with a link to it."""
    if job is None:
        gone = "The job for this call is no longer listed. Any changes it made are under “Changes” on Ingest."
        st.html(f'<div class="a-muted a-sm">{gone}</div>')
        return
    failed, waiting, cancelled = (job.counts.get(state, 0) for state in ("failed", "review", "cancelled"))
    how_far = dotted(
        f"{job.done:,} of {counted(job.total, 'item')} done",
        job.step,
        f"{failed:,} failed" if failed else "",
        f"{waiting:,} to review" if waiting else "",
        f"{cancelled:,} discarded" if cancelled else "",
    )
    link_to = link("Ingest", "Jobs on Ingest", View(workspace=chat.workspace), css="a-jobs")
    st.html(f'<div class="a-sm" role="status"><b>{job.state}</b> · {text(how_far)} · {link_to}</div>')


def _job_of(call: PendingCall) -> str:
    output = call.output if isinstance(call.output, Mapping) else {}
    return str(output.get("jobId") or output.get("crawlId") or "")
