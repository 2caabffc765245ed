"""The right side of the Ingest page: what will change, to be ticked, changed and saved, or let go."""

from collections.abc import Sequence

import streamlit as st

from components import problems, sign_in, state, undo_banner
from components.ingest import before_after, drafts, endings, open_review
from components.markup import clipped, counted, heading, note, plain, sign, text
from components.shell import Opened
from services.agent import get_services
from services.context import OpenWorkspace
from services.core.change_records import UNDO_DAYS
from services.core.errors import AsofError, BadInput
from services.core.models import Fact
from services.jobs import confirm as confirm_item
from services.jobs import count_unfinished, unfinished_items
from services.jobs import discard as discard_item
from services.proposals import ProposedEnding, rows_of, save_fact, written_facts
from services.writing import plan_import

NOTE, EPISODE = "fact_note", "fact_episode"
FIELDS = (
    "fact_source",
    "fact_relation",
    "fact_target",
    "fact_start",
    "fact_stop",
    "fact_source_type",
    "fact_target_type",
)
"""The fields of the form of one fact that are empty again after a save, as its note and its source are."""
CHOICES = {"fact_start_precision": "day", "fact_stop_precision": "day", "fact_is_over": False}
"""What the choices of that form are again after a save."""
_PROBLEM, _PLACE = "review_save_problem", "review"


def pane(opened: Opened) -> bool:
    """Draw what is under review; false where nothing is."""
    try:
        under = open_review.opened(opened.workspace)
    except AsofError as problem:
        _gone(opened, problem)
        return True
    if under is None:
        return False
    _summary(under)
    with st.container(border=True, key="review"):
        _contents(opened, under)
    return True


def way_there(opened: Opened) -> None:
    """A link to the review where it stands below the form, in a narrow window."""
    if open_review.is_open(opened.workspace):
        st.html(f'<a class="a-to-review" href="#{_PLACE}" target="_self">Go to review</a>')


def _gone(opened: Opened, problem: AsofError) -> None:
    """Say that what was to be reviewed is gone, or cannot be compared with the graph now."""
    heading("What will change")
    problems.show(problem)
    st.button("Close", key="review_close", on_click=open_review.close_any)
    to_review(opened)


def _contents(opened: Opened, under: open_review.UnderReview) -> None:
    if under.is_item:
        hidden = drafts.count_hidden(under)
        aside = f", {hidden:,} doubtful hidden" if hidden else ""
        st.html(
            f'<div class="a-h" role="heading" aria-level="3">{text(clipped(under.title, 80))}'
            f"<small>{counted(len(under.proposal.facts), 'proposed fact')}{aside}</small></div>"
        )
    if not under.proposal.facts and not under.proposal.endings:
        st.caption("Asof proposed no facts. You can still save the text and search it.")
    problems.show_kept(open_review.PROBLEM)
    drafts.rows(under)
    endings.endings(under)
    endings.names(under)
    _bars(under)
    endings.source(under)
    if _changes(under):
        note(_past(under))
    _buttons(opened, under)


# -- what will change, in numbers and as bars


def _summary(under: open_review.UnderReview) -> None:
    """The heading with the counts of what is ticked."""
    facts = written_facts(under.proposal)
    numbers = {
        "added": sum(fact.verdict == "new" for fact in facts),
        "ended": len(_ended(under)),
        "corrected": sum(fact.verdict == "correction" for fact in facts),
    }
    parts = " ".join(f"{sign(kind)} {number:,} {kind}" for kind, number in numbers.items())
    with st.container(horizontal=True, vertical_alignment="center", key="review_head"):
        heading("What will change", "nothing is saved yet")
        st.space("stretch")
        st.html(f'<div class="a-sum" role="status" id="{_PLACE}">{parts}</div>', width="content")


def _changes(under: open_review.UnderReview) -> int:
    """Return how many lines would be written."""
    facts = written_facts(under.proposal)
    words = {fact.repeats.uuid for fact in facts if fact.repeats is not None}
    return len(facts) + sum(ending.fact.uuid not in words for ending in _ended(under))


def _ended(under: open_review.UnderReview) -> Sequence[ProposedEnding]:
    written = {fact.key for fact in written_facts(under.proposal)}
    found = [e for e in under.proposal.endings if e.ticked and e.is_known and (e.by is None or e.by in written)]
    return list({ending.fact.uuid: ending for ending in found}.values())


def _bars(under: open_review.UnderReview) -> None:
    """The time line of the first fact that ends or is corrected, before and after."""
    about = next((ending.fact for ending in _ended(under)), None)
    if about is None:
        return
    before = [fact for fact in under.snapshot.stored.facts if _alike(fact, about)]
    rows = rows_of(under.proposal, under.proposal.episode_uuid or "preview")
    written = plan_import(under.workspace, rows, under.snapshot.stored, under.snapshot.now).write.facts
    after = {fact.uuid: fact for fact in (*before, *(fact for fact in written if _alike(fact, about)))}
    before_after.before_after(before, list(after.values()))


def _alike(fact: Fact, about: Fact) -> bool:
    return (fact.source_uuid, fact.relation) == (about.source_uuid, about.relation) and fact.withdrawn_at is None


def _past(under: open_review.UnderReview) -> str:
    ending = next(iter(_ended(under)), None)
    if ending is None:
        return "<b>History is kept.</b> Set “as known on” to an earlier date to see the graph before this change."
    until = ending.invalid_at or under.snapshot.now
    words = f"Before this change, the value from {until:%Y-%m-%d} on was “{text(ending.fact.target)}”."
    return f"<b>History is kept.</b> {words} Set “as known on” to an earlier date to see it."


# -- saving and letting go


def _buttons(opened: Opened, under: open_review.UnderReview) -> None:
    number = _changes(under)
    label = f"Save {counted(number, 'change')}" if number else "Save only the text" if under.is_item else "Save"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            label,
            type="primary",
            icon=":material/check:",
            key="review_save",
            shortcut="Mod+Enter",
            on_click=_save,
            args=(under.key, number),
            disabled=not number and not under.is_item,
        )
        st.button("Discard", type="tertiary", key="review_discard", on_click=_discard, args=(under.key,))
        st.caption(f"You can undo this for {UNDO_DAYS} days.")
    of, problem = state.remembered(_PROBLEM, ("", None))
    if of == under.key:
        problems.show(problem)
    if under.is_item:
        to_review(opened, after=under.key)


def _save(key: str, number: int) -> None:
    """Write it; on failure everything stays as it was typed and ticked."""
    under = open_review.kept(key)
    state.forget(_PROBLEM)
    if under is None:
        return
    words = f"Saved {counted(number, 'change') if number else 'the text alone'}: {under.title}"

    def action(opened: OpenWorkspace, user_id: str | None) -> str | None:
        if under.is_item:
            return confirm_item(opened.services, under.key, under.proposal, user_id)
        return save_fact(opened, under.proposal, note=state.remembered(NOTE, ""), user_id=user_id)

    if problem := problems.problem_of(lambda: undo_banner.do(under.workspace, words, action)):
        state.remember(_PROBLEM, (key, problem))
        problems.problem_of(lambda: open_review.look_again(key))
        return
    open_review.close(key)
    if not under.is_item:
        for field in FIELDS:
            state.remember(field, None)
        for choice, usual in CHOICES.items():
            state.remember(choice, usual)
        for words_of in (NOTE, EPISODE):
            state.remember(words_of, "")


def _discard(key: str) -> None:
    """Discard it, here also where somebody else decided it meanwhile."""
    if sign_in.current_user() is None:
        return
    state.forget(_PROBLEM)
    problem = None if key == open_review.FORM else problems.problem_of(lambda: discard_item(get_services(), key))
    if problem is None:
        open_review.close(key)
    elif isinstance(problem, BadInput):
        open_review.close(key)
        st.toast(plain(str(problem)), icon=":material/info:")
    else:
        state.remember(_PROBLEM, (key, problem))


# -- what else waits


def to_review(opened: Opened, after: str = "") -> None:
    """The button to the next item that waits for review, where there is one."""
    found = unfinished_items(opened.workspace, "in review")
    others = [item for item in found if item.item_id != after]
    if not others:
        return
    here = next((number for number, item in enumerate(found) if item.item_id == after), -1)
    following = next((item for item in found[here + 1 :] if item.item_id != after), others[0])
    total = count_unfinished(opened.workspace, "in review")
    left = total - 1 - here
    label = "Review" if not after else "Next item to review" if left else "Back to the first item"
    left = left or total - 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            f"{label} ({left:,} left)",
            key="review_next",
            icon=":material/arrow_forward:",
            on_click=open_review.open_item,
            args=(following.item_id,),
            help=plain(clipped(following.title, 60)),
        )
