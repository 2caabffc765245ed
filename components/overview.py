"""The parts of the Overview page."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import streamlit as st

from components import dates, stacked
from components.change_list import short_change_list
from components.kpis import Kpi, kpi_strip
from components.markup import Cell, clipped, counted, first_line, glyph, heading, link, relation, sign, table, text
from components.palette import palette
from components.state import View
from services import cached
from services.models import Entity, Fact, Instants, SeriesPoint

_YEAR = timedelta(days=365.25)
_TREND_YEARS, _GRID_POINTS, _MOST_VALUES = 12, 240, 30
BY_RELATION = "All facts, by relation"


def figures(workspace: str, at: Instants) -> None:
    """The strip of figures, with the last years as small bars."""
    years = [Instants(_back(at.as_of, n), at.known_at) for n in range(_TREND_YEARS, 0, -1)]
    past = [cached.totals(workspace, instants) for instants in years]
    now, attention = cached.totals(workspace, at), cached.attention(workspace, at)
    changes = [cached.changes_in(workspace, _back(a.as_of, 1), _YEAR, at.known_at) for a in [*years, at]]
    review = attention.contradictions_total + attention.late_total + now.undated
    kpi_strip(
        [
            Kpi("Facts that hold", now.true, _grown(now.true - past[-1].true), [*(p.true for p in past), now.true]),
            Kpi(
                "Entities",
                now.entities,
                _grown(now.entities - past[-1].entities),
                [*(p.entities for p in past), now.entities],
            ),
            Kpi("Changes in a year", changes[-1], _against(changes[-1] - changes[-2]), changes),
            Kpi("Undated facts", now.undated, "no start date"),
            Kpi("To review", review, _reasons(attention.contradictions_total, attention.late_total, now.undated)),
        ]
    )


def _reasons(contradictions: int, late: int, undated: int) -> str:
    parts = [(contradictions, "at odds"), (late, "late"), (undated, "undated")]
    return " · ".join(f"{n:,} {word}" for n, word in parts if n) or "nothing found"


def _against(by: int) -> str:
    return f"{by:+,} on the year before".replace("-", "−") if by else "as many as the year before"


def _grown(by: int) -> str:
    return f"{by:+,} in a year".replace("-", "−")


def _back(value: datetime, years: int) -> datetime:
    try:
        return value - years * _YEAR
    except OverflowError:
        return value


def true_over_time(workspace: str, view: View) -> None:
    """The stacked chart: all facts by relation, or one relation by its values."""
    bounds = cached.bounds(workspace)
    if bounds is None:
        st.caption("No fact has a date yet.")
        return
    options = [BY_RELATION, *(r.name for r in cached.relations(workspace))]
    first = _telling_relation(workspace, view.at, bounds)
    title, chooser, as_table = st.columns([8, 3, 1.4], gap="small", vertical_alignment="center")
    with chooser:
        chosen = st.selectbox(
            "What the chart counts",
            options,
            index=options.index(first) if first in options else 0,
            format_func=lambda name: name if name == BY_RELATION else f"{relation(name)}, by value",
            label_visibility="collapsed",
            key="chart_relation",
            persist_state="session",
        )
    grid = _grid(bounds, view.at.as_of)
    series = _series(workspace, grid, view, None if chosen == BY_RELATION else chosen)
    with as_table, st.popover("Table", help="The chart as a table"):
        rows = _as_table(grid, series)
        st.dataframe(rows, hide_index=True, height=300, key="true_over_time_table")
    with title:
        name = "All facts over time" if chosen == BY_RELATION else f"“{relation(chosen)}” over time"
        heading(name, _at_a_glance(series, grid, view.at.as_of))
    alt = f"{name}, {dates.day(grid[0])} to {dates.day(grid[-1])}, with a line at the as-of date"
    stacked.stacked_chart(grid, series, view, alt=alt, key="true_over_time")


def _telling_relation(workspace: str, at: Instants, bounds: tuple[datetime, datetime]) -> str:
    """The relation to open with: the biggest one that has one value at a time, and few values in all."""
    last = Instants(bounds[1], at.known_at)
    one_valued = cached.one_valued_relations(workspace, last)
    for found in cached.relations(workspace):
        if found.name in one_valued:
            points = cached.true_over_time(workspace, (bounds[1],), at.known_at, relation=found.name, by="target")
            if 2 <= len({p.group for p in points}) <= _MOST_VALUES:
                return found.name
    return BY_RELATION


def _grid(bounds: tuple[datetime, datetime], as_of: datetime) -> tuple[datetime, ...]:
    """Instants over the whole span, and the as-of date so that the chart turns pale exactly there."""
    start, stop = bounds[0], max(bounds[1], bounds[0] + timedelta(days=1))
    step = (stop - start) / _GRID_POINTS
    points = {start + step * n for n in range(_GRID_POINTS + 1)}
    return tuple(sorted(points | {min(max(as_of, start), stop)}))


def _series(workspace: str, grid: Sequence[datetime], view: View, chosen: str | None) -> Mapping[str, Sequence[int]]:
    known_at = view.at.known_at
    if chosen:
        points = cached.true_over_time(workspace, tuple(grid), known_at, relation=chosen, by="target")
    else:
        points = cached.true_over_time(workspace, tuple(grid), known_at, by="relation")
    counts: dict[str, list[SeriesPoint]] = defaultdict(list)
    for point in points:
        counts[point.group if chosen else relation(point.group)].append(point)
    found = {name: [p.count for p in sorted(group, key=lambda p: p.at)] for name, group in counts.items()}
    return {name: values for name, values in found.items() if any(values)} or {"none": [0] * len(grid)}


def _at_a_glance(series: Mapping[str, Sequence[int]], grid: Sequence[datetime], as_of: datetime) -> str:
    place = max(0, sum(i <= as_of for i in grid) - 1)
    held = sorted(((values[place], name) for name, values in stacked.largest(series).items()), reverse=True)
    words = " · ".join(f"{count:,} {name}" for count, name in held[:5] if count)
    return f"on {dates.day(as_of)}: {words}" if words else f"none on {dates.day(as_of)}"


def _as_table(grid: Sequence[datetime], series: Mapping[str, Sequence[int]]) -> list[Mapping[str, object]]:
    """A row for each year of the chart."""
    firsts = {instant.year: place for place, instant in reversed(list(enumerate(grid)))}
    return [
        {"Date": dates.day(grid[place]), **{name: values[place] for name, values in series.items()}}
        for place in sorted(firsts.values())
    ]


def latest_changes(workspace: str, view: View) -> None:
    """What changed last before the as-of date, or between two dates when comparing, with causes."""
    if view.comparing:
        _compared(workspace, view)
        return
    heading("Last changes", f"up to {dates.named(view.as_of, view.at.as_of)}")
    changes = cached.latest_changes(workspace, view.at, limit=18)
    if changes:
        short_change_list(changes, view, limit=10)
    else:
        _before_everything(workspace, view)


def _compared(workspace: str, view: View) -> None:
    diff = cached.diff(workspace, view.at, view.then, limit=22)
    heading("What changed", f"{dates.moment(view.at.as_of)} → {dates.moment(view.then.as_of)}")
    counts = " ".join(f"{sign(kind)} {number:,} {kind}" for kind, number in diff.totals.items() if number)
    st.html(f'<div class="a-sum">{counts or "Nothing changed."}</div>')
    short_change_list(diff.changes, view, limit=11)


def _before_everything(workspace: str, view: View) -> None:
    first = cached.bounds(workspace)
    start = f" The first fact in this graph begins on {dates.day(first[0])}." if first else ""
    st.markdown(f"Nothing had changed by {dates.day(view.at.as_of)}.{start}")


def busiest(workspace: str, view: View) -> None:
    """The entities whose facts began and ended most often."""
    heading("Most changed", f"up to {dates.day(view.at.as_of)}")
    found = cached.busiest(workspace, view.at, 5)
    looks = palette([t.name for t in cached.types(workspace)])
    rows: list[list[Cell]] = [
        [
            (
                f'<span class="a-ty">{glyph(looks.get(e.entity.type), e.entity.type)}'
                f"{_to(view, e.entity.uuid, text(e.entity.name))}</span>",
                "a-nw",
            ),
            (f'<span class="a-muted">{text(_gist(e.entity))}</span>', "a-w"),
            (f"{e.count:,}", "a-n"),
        ]
        for e in found
    ]
    table(rows, label="Most changed entities")


def _gist(entity: Entity) -> str:
    return clipped(first_line(entity.summary) or entity.type, 60)


def to_review(workspace: str, view: View) -> None:
    """Facts that contradict each other, that were recorded late, or that have no start."""
    found, undated = cached.attention(workspace, view.at), cached.totals(workspace, view.at).undated
    heading("To review", f"{found.contradictions_total + found.late_total + undated:,}")
    rows: list[list[Cell]] = [
        [(sign("review"), ""), (_at_odds(o.first, o.second, view), "a-w"), (dates.day(o.start), "a-d")]
        for o in found.contradictions[:3]
    ]
    if found.contradictions_total > 3:
        more = found.contradictions_total - 3
        rows.append([(sign("review"), ""), (f"and {counted(more, 'more pair')} at odds", "a-w"), ("", "a-d")])
    for fact in found.late[: max(1, 3 - len(rows))]:
        words = f"{_to(view, fact.source_uuid, text(fact.source))} {text(relation(fact.relation))} {text(fact.target)}"
        late = f"{dates.lag(fact.valid_at, fact.created_at)} late"
        rows.append([(sign("review"), ""), (words, "a-w"), (late, "a-d")])
    if undated:
        rows.append(
            [(sign("review"), ""), (f"<b>{counted(undated, 'fact')}</b> with no start date", "a-w"), ("", "a-d")]
        )
    if rows:
        table(rows, label="To review")
    else:
        st.caption("Nothing contradicts, nothing is undated, nothing was recorded late.")


def _at_odds(first: Fact, second: Fact, view: View) -> str:
    values = f"“{text(first.target)}” and “{text(second.target)}”"
    return f"{_to(view, first.source_uuid, text(first.source))} {text(relation(first.relation))} {values} at once"


def _to(view: View, entity: str, label: str) -> str:
    clean = View(workspace=view.workspace, as_of=view.as_of, known_at=view.known_at)
    return f"<b>{link('Timeline', label, replace(clean, entity=entity))}</b>"


def doors() -> None:
    """Where to go from here."""
    heading("Go on")
    with st.container(gap="xxsmall"):
        st.page_link("Explore.py", label="Walk the graph at this date", icon=":material/hub:")
        st.page_link("Timeline.py", label="Follow one entity through time", icon=":material/view_timeline:")
        st.page_link("Ingest.py", label="Add facts from a file, or one by one", icon=":material/input:")
        st.page_link("Settings.py", label="Workspaces and connection", icon=":material/settings:")
