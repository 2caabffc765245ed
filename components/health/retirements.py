"""Facts that were retired: those that look wrong first, then all of them by what retired them."""

import streamlit as st

from components import dates, problems, state, undo_banner
from components.buttons import show_more
from components.fact_actions import fact_menu
from components.health.findings import Findings
from components.health.rows import fact_words, it_is_right, listed, row, section, source_words, when
from components.lazy_containers import draw_when_open
from components.markup import clipped, counted, dotted, plain, say_if_cut, text
from services.core.health_records import SUSPICIONS, RetiredTogether, Retirement
from services.core.models import Cause, Fact
from services.writing import corrections

_OPEN = "health_together_open"


def suspicious(workspace: str, found: Findings) -> None:
    """Retirements that look wrong, each with the reasons."""
    for one in listed(
        "suspicious", "Suspicious retirements", found.suspicious, "possibly ended or withdrawn by mistake"
    ):
        reasons = "; ".join(SUSPICIONS[reason] for reason in one.reasons)
        words = f"{fact_words(workspace, one.fact)}: {reasons}"
        with row(f"suspicious_{one.fact.uuid}", "review", words, _about(one)):
            _reinstate(workspace, one.fact, "suspicious")
            fact_menu(workspace, one.fact, key=f"correct_suspicious_{one.fact.uuid}")
            it_is_right(workspace, "retirement", one.key)


def together(workspace: str, found: Findings) -> None:
    """All retirements, by the source and the instant that made them, once they are asked for: most are in order."""
    if found.retired and not state.remembered(_OPEN, False):
        section("together", "Retired facts", found.retired, "facts that ended or were withdrawn, by cause")
        show_more("show_together", _OPEN, True, label="Show facts")
        return
    for number, group in enumerate(
        listed("together", "Retired facts", found.together, "by cause, newest first", count=found.retired)
    ):
        _group(workspace, group, number)


def _group(workspace: str, group: RetiredTogether, number: int) -> None:
    if group.total == 1:
        _retired(workspace, group.facts[0], f"alone_{number}", when("on", group.at), _cause(group.source))
        return
    inferred = " (inferred from the facts)" if group.source.inferred else ""
    name = plain(clipped(group.source.text, 90))
    key = f"retired_{number}_{group.at.timestamp():.6f}"
    title = f"{dates.day(group.at)} · {name}{inferred} · {counted(group.total, 'fact')}"
    draw_when_open(st.expander(title, key=key, on_change="rerun"), _facts, workspace, group, key)


def _facts(workspace: str, group: RetiredTogether, key: str) -> None:
    for fact in group.facts:
        _retired(workspace, fact, key, source_words(workspace, fact.episodes))
    say_if_cut(len(group.facts), group.total, "fact")


def _retired(workspace: str, fact: Fact, place: str, *details: str) -> None:
    """A fact with what retired it; it is said to be withdrawn where it was, else it ended."""
    sign, word = ("corrected", "withdrawn") if fact.withdrawn_at else ("ended", "ended")
    words = f"{fact_words(workspace, fact)} {word}"
    with row(f"{place}_{fact.uuid}", sign, words, dotted(_span(fact), *details)):
        _reinstate(workspace, fact, place)
        fact_menu(workspace, fact, key=f"correct_{place}_{fact.uuid}")


def _reinstate(workspace: str, fact: Fact, place: str) -> None:
    st.button(
        "Reinstate",
        key=f"reinstate_{place}_{fact.uuid}",
        icon=":material/restore:",
        on_click=_reinstated,
        args=(workspace, fact),
    )


@problems.in_toast()
def _reinstated(workspace: str, fact: Fact) -> None:
    undo_banner.do(
        workspace,
        f"{corrections.title_of(fact)} reinstated",
        lambda opened, user: corrections.reinstate_fact(opened, fact, user_id=user),
    )


def _about(one: Retirement) -> str:
    word = "withdrawn" if one.fact.withdrawn_at else "ended"
    return dotted(_span(one.fact), when(word, one.at), _cause(one.cause))


def _span(fact: Fact) -> str:
    return dates.fact_span(fact)


def _cause(cause: Cause) -> str:
    words = text(clipped(cause.text, 90))
    if cause.kind == "unknown":
        return words.lower()
    return f"by “{words}”" + (" (inferred from the facts)" if cause.inferred else "")
