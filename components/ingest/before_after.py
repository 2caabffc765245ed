"""Two bars on one time line: what the graph says of an entity and a relation, and what it will say."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import streamlit as st

from components import dates
from components.markup import heading, relation, text
from components.timeline.window import Window
from services.core import clock
from services.core.models import Fact

_ROOM = 0.08
_LABELLED = 7.0
"""From this share of the line on, in percent, a bar has room for its value."""
_TICKS, _THINNEST = 6, 0.4


def before_after(before: Sequence[Fact], after: Sequence[Fact]) -> None:
    """Draw the dated facts of one entity and relation as they are, and as they will be; nothing where none is dated."""
    heading(f"{before[0].source} · {relation(before[0].relation)}" if before else "", level=3)
    dated = [fact for fact in (*before, *after) if fact.valid_at is not None]
    if not dated:
        return
    now = clock.now()
    first = min(fact.valid_at for fact in dated if fact.valid_at)
    ends = [moment for fact in dated for moment in (fact.valid_at, fact.invalid_at) if moment]
    last = max(now, *ends)
    line = Window(first, last + max((last - first) * _ROOM, timedelta(days=30)))
    old = {fact.uuid: fact for fact in before}
    st.html(
        f'<div class="a-spans">{_row("before", [_bar(line, f) for f in _dated(before)])}'
        f"{_row('after', [_bar(line, f, old.get(f.uuid), changed=True) for f in _dated(after)])}"
        f'<span></span><div class="a-axis" aria-hidden="true">{_years(line)}</div></div>'
    )


def _dated(facts: Sequence[Fact]) -> list[Fact]:
    found = [fact for fact in facts if fact.valid_at is not None and fact.withdrawn_at is None]
    return sorted(found, key=lambda fact: (fact.valid_at or clock.EARLIEST, fact.uuid))


def _row(label: str, bars: Sequence[str]) -> str:
    return f'<span class="a-muted a-sm">{label}</span><div class="a-track">{"".join(bars)}</div>'


def _percent(line: Window, moment: datetime) -> float:
    return 100 * ((moment - line.start) / (line.stop - line.start))


def _bar(line: Window, fact: Fact, old: Fact | None = None, *, changed: bool = False) -> str:
    """A fact as a bar; with `changed`, one that was not there is marked, and an end that it did not have."""
    start, stop = _percent(line, fact.valid_at or line.start), _percent(line, fact.invalid_at or line.stop)
    new, ends = changed and old is None, changed and old is not None and old.invalid_at != fact.invalid_at
    label = f"{fact.target} {dates.fact_span(fact)}"
    words = ("+ " if new else "") + text(fact.target) if stop - start >= _LABELLED else ("+" if new else "")
    mark = f'<b class="a-cutoff" style="left:{stop:.2f}%" aria-hidden="true"><i>−</i></b>' if ends else ""
    change = ", new" if new else ", ends" if ends else ""
    place = f"left:{start:.2f}%;width:{max(stop - start, _THINNEST):.2f}%"
    return (
        f'<span class="a-span {"a-added" if new else ""}" style="{place}" '
        f'role="img" aria-label="{text(label)}{change}" title="{text(label)}">'
        f"{words}</span>{mark}"
    )


def _years(line: Window) -> str:
    """The years below the bars, a few of them."""
    years = range(line.start.year + 1, line.stop.year + 1)
    shown = years[:: max(1, -(-len(years) // _TICKS))]
    starts = [(year, _percent(line, line.start.replace(year, 1, 1, 0, 0, 0, 0))) for year in shown]
    return "".join(f'<i style="left:{at:.2f}%">{year}</i>' for year, at in starts if at < 100 - _ROOM * 100)
