"""What a change does, in words: facts before and after, and what a deletion takes with it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

import streamlit as st

from components import dates, state
from components.markup import Cell, clipped, counted, dotted, note, relation, sign, table, text
from services.core.models import Fact
from services.writing import Line, LineKind, corrections

_SIGNS: dict[LineKind, str] = {
    "added": "added",
    "ended": "ended",
    "corrected": "corrected",
    "withdrawn": "ended",
    "reinstated": "added",
    "deleted": "ended",
    "merged": "changed",
    "source": "same",
    "other": "corrected",
}
_ROWS, _MOST, _WIDE = 12, 500, 90


def being_made() -> AbstractContextManager[None]:
    """Show that a preview is being made, which takes a moment where much would change."""
    return st.spinner("Preparing the preview…")


def lines(changes: Sequence[Line], label: str = "What will change") -> None:
    """Draw what a change did or would do, line by line, in a table of that name; of very many the first."""
    _table([_row(line) for line in changes], label)


def _table(rows: Sequence[Sequence[Cell]], label: str) -> None:
    """Draw the first rows, and the others to be unfolded; of thousands the first of them."""
    table(rows[:_ROWS], label=label)
    if more := rows[_ROWS:]:
        with st.expander(f"And {len(more):,} more"):
            table(more[:_MOST], label=f"{label}, continued")
            if len(more) > _MOST:
                st.caption(f"Showing the first {_MOST:,} rows.")


def _row(line: Line) -> list[Cell]:
    fact = line.after or line.before
    if fact is None:
        return [(sign(_SIGNS[line.kind]), ""), (text(clipped(line.text, _WIDE)), "a-w"), ("", "a-d")]
    return [(sign(_SIGNS[line.kind]), ""), (_words(line, fact), "a-w"), (_dates(line, fact), "a-d")]


def _words(line: Line, fact: Fact) -> str:
    """The fact, with what was there before crossed out."""
    parts = zip(words_of(line.before or fact), words_of(fact), strict=True)
    words = " ".join(f'<span class="a-old">{text(a)}</span> <b>{text(b)}</b>' if a != b else text(b) for a, b in parts)
    return words + (" (withdrawn)" if line.kind == "withdrawn" else " (deleted)" if line.kind == "deleted" else "")


def words_of(fact: Fact) -> tuple[str, str, str]:
    """The parts of a fact as people read them."""
    return fact.source, relation(fact.relation), fact.target


def _dates(line: Line, fact: Fact) -> str:
    now = dates.fact_span(fact)
    old = dates.fact_span(line.before) if line.before else now
    return now if old == now else f'<span class="a-old">{old}</span> {now}'


def going(found: corrections.DeletionScope) -> None:
    """Draw what a deletion takes with it, and what stays."""
    counts = (
        (len(found.documents), "document", "documents"),
        (len(found.episodes), "source", "sources"),
        (len(found.facts), "fact", "facts"),
        (len(found.entities), "entity", "entities"),
    )
    named = dotted(*(counted(*count) for count in counts if count[0]))
    stays = f" {counted(len(found.facts_kept), 'fact')} with another source will stay." if found.facts_kept else ""
    note(f"This deletes <b>{named or 'nothing'}</b>.{stays}", "a-warn")
    rows: list[list[Cell]] = [
        [(sign("ended"), ""), (text(clipped(name, _WIDE)), "a-w"), (kind, "a-muted a-nw")]
        for kind, name in _named(found)
    ]
    rows += [
        [(sign("ended"), ""), (text(" ".join(words_of(f))), "a-w"), (dates.fact_span(f), "a-d")] for f in found.facts
    ]
    _table(rows, "Records to delete")
    if found.facts_ended:
        _offer_to_reinstate(found)


def _offer_to_reinstate(found: corrections.DeletionScope) -> None:
    """The facts that hold again without what goes, and the box that says whether they shall."""
    label = f"Reinstate {counted(len(found.facts_ended), 'fact')} that only these records ended"
    st.checkbox(label, value=True, key=_reinstate_key(found))
    rows: list[list[Cell]] = [
        [(sign("added"), ""), (text(" ".join(words_of(f))), "a-w"), (dates.fact_span(f), "a-d")]
        for f in map(corrections.before_retired, found.facts_ended)
    ]
    _table(rows, "Facts to reinstate")


def reinstates(found: corrections.DeletionScope) -> bool:
    """True when a deletion is to reinstate what the deleted records had ended; for its callback."""
    return bool(found.facts_ended) and bool(state.remembered(_reinstate_key(found), True))


def _reinstate_key(found: corrections.DeletionScope) -> str:
    return f"reinstate_with_{found.facts_ended[0].uuid}"


def _named(found: corrections.DeletionScope) -> list[tuple[str, str]]:
    return [
        *(("document", id) for id in found.documents),
        *(("source", episode.name) for episode in found.episodes),
        *(("entity", entity.name) for entity in found.entities),
    ]
