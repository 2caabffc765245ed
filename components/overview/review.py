"""What the Overview points at: facts to review, the entities that changed most, and the other pages."""

import streamlit as st

from components import dates
from components.address import View
from components.fact_actions import correct_link
from components.health.findings import dismissals, keys_of
from components.markup import (
    clipped,
    counted,
    first_line,
    glyph,
    heading,
    relation,
    sign,
    table,
    text,
    timeline_link,
)
from components.palette import looks_of
from services import cached
from services.agent import get_services
from services.core.contradictions import Attention
from services.core.models import Fact, Instants
from services.mirror import Mirror, review_list, undated_facts

_PAIRS, _LISTED = 3, 5
_PAGES = (
    ("Explore.py", "Explore the graph on this date", ":material/hub:"),
    ("Timeline.py", "Follow one entity through time", ":material/view_timeline:"),
    ("Search.py", "Search facts, passages and entities", ":material/search:"),
    ("Ingest.py", "Add facts from a file, or one by one", ":material/input:"),
    ("Settings.py", "Workspaces and connection", ":material/settings:"),
)


def to_review(workspace: str, view: View) -> None:
    """Facts that contradict each other, that were recorded late, or that have no start."""
    found, undated = attention(workspace, view.at)
    heading("To review", f"{found.contradictions_total + found.late_total + undated:,}")
    rows = [*_contradictions(found, view), *_late(found, view)]
    if undated:
        rows.append((f"<b>{counted(undated, 'fact')}</b> with no start date", ""))
    if rows:
        table([[(sign("review"), ""), (words, "a-w"), (when, "a-d")] for words, when in rows], label="To review")
    else:
        st.caption("No contradictions, undated facts or late records.")


def attention(workspace: str, at: Instants) -> tuple[Attention, int]:
    """Return what to look at, and how many facts have no start, without what was seen as right on Health."""
    dismissed = dismissals(get_services().workspace(workspace))
    found = cached.ask(review_list, workspace, at, _LISTED, keys_of(dismissed, "contradiction"))
    return found, cached.ask(undated_facts, workspace, at, 1, keys_of(dismissed, "undated")).total


def _contradictions(found: Attention, view: View) -> list[tuple[str, str]]:
    rows = [(_both(o.first, o.second, view), dates.day(o.start)) for o in found.contradictions[:_PAIRS]]
    more = found.contradictions_total - _PAIRS
    return [*rows, (f"and {counted(more, 'more contradiction')}", "")] if more > 0 else rows


def _both(first: Fact, second: Fact, view: View) -> str:
    values = f"“{text(first.target)}” and “{text(second.target)}”"
    words = f"{timeline_link(view, first.source_uuid, first.source)} {text(relation(first.relation))} {values} at once"
    return f"{words} {correct_link('Overview', view, first.uuid)}"


def _late(found: Attention, view: View) -> list[tuple[str, str]]:
    room = max(1, _PAIRS - found.contradictions_total)
    return [
        (
            f"{timeline_link(view, f.source_uuid, f.source)} {text(relation(f.relation))} {text(f.target)} "
            f"{correct_link('Overview', view, f.uuid)}",
            f"{dates.lag(f.valid_at, f.created_at)} late",
        )
        for f in found.late[:room]
    ]


def busiest(workspace: str, view: View) -> None:
    """The entities whose facts began and ended most often."""
    heading("Most changed", f"up to {dates.day(view.at.as_of)}")
    looks = looks_of(workspace)
    table(
        [
            [
                (
                    f'<span class="a-ty">{glyph(looks.get(e.entity.type), e.entity.type)}'
                    f"{timeline_link(view, e.entity.uuid, e.entity.name)}</span>",
                    "a-nw",
                ),
                (
                    '<span class="a-muted a-why">'
                    f"{text(clipped(first_line(e.entity.summary) or e.entity.type, 60))}</span>",
                    "a-w a-cut",
                ),
                (f"{e.count:,}", "a-n"),
            ]
            for e in cached.ask(Mirror.busiest, workspace, view.at, 5)
        ],
        label="Most changed entities",
    )


def navigation_links() -> None:
    """Draw links to the pages to go on with."""
    heading("Next")
    with st.container(gap="xxsmall"):
        for page, label, icon in _PAGES:
            st.page_link(page, label=label, icon=icon)
