"""One line of counts on top of Health; each leads to its section."""

import streamlit as st

from components.health.findings import Findings
from components.markup import text


def tiles(found: Findings) -> None:
    """Draw the line."""
    counts = [
        ("suspicious", "Suspicious", found.suspicious.total, "retirements"),
        ("together", "Retired facts", found.retired, "by cause"),
        ("contradictions", "Contradictions", found.contradictions.total, "pairs of facts"),
        (
            "doubles" if found.same_entities.total else "same_facts",
            "Duplicates",
            found.same_entities.total + found.same_facts.total,
            "entities and facts",
        ),
        ("loose", "Orphans", found.loose, "unused records"),
        ("undated", "Undated", found.undated.total, "no start date"),
        (
            "failed" if found.failed.total else "waiting",
            "Not ingested",
            found.failed.total + found.waiting.total,
            f"{found.failed.total:,} failed, {found.waiting.total:,} to review",
        ),
    ]
    st.html(
        f'<nav class="a-kpi a-tiles" aria-label="What was found">{"".join(_tile(*count) for count in counts)}</nav>'
    )


def _tile(name: str, label: str, count: int, note: str) -> str:
    words = (
        f'<span class="a-l">{text(label)}</span><span class="a-v">{count:,}</span><span class="a-s">{text(note)}</span>'
    )
    return f'<div><a href="#{name}">{words}</a></div>' if count else f"<div><span>{words}</span></div>"


def nothing_to_look_at(found: Findings) -> None:
    """Say so where nothing wants mending."""
    if not found.to_mend:
        st.html(
            '<div class="a-empty"><div class="a-big">Nothing to review</div><div class="a-muted">There are no '
            "suspicious retirements, contradictions or duplicates.</div></div>"
        )
