"""The Overview's chart: how many facts were true over time, by relation or by the values of one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import streamlit as st

from components import dates
from components.address import View
from components.markup import heading, relation
from components.overview.stacked_chart import Series, largest, stacked_chart
from services import cached
from services.core.models import Instants, SeriesPoint
from services.mirror import Mirror, one_valued_relations

_GRID_POINTS, _MOST_VALUES = 240, 30
BY_RELATION = "All facts, by relation"


@dataclass(frozen=True, slots=True)
class _Counted:
    """The counts of each series at each instant, and what is counted."""

    title: str
    instants: tuple[datetime, ...]
    series: Series


def true_over_time(workspace: str, view: View) -> None:
    """Draw the chart with its choice, its table, and its reading at the as-of date."""
    bounds = cached.ask(Mirror.bounds, workspace)
    if bounds is None:
        st.caption("No fact has a date yet.")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="chart_head"):
        title = st.container(width="stretch")
        counted = _counted(workspace, view, bounds, _choice(workspace, view.at, bounds))
        box = st.popover("Table", help="The chart as a table", key="chart_table", on_change="rerun")
    if box.open:
        with box:
            st.dataframe(_rows(counted), hide_index=True, height=300, key="true_over_time_table")
    with title:
        heading(counted.title, _at_a_glance(counted, view.at.as_of))
    first, last = dates.day(counted.instants[0]), dates.day(counted.instants[-1])
    stacked_chart(
        counted.instants,
        counted.series,
        view,
        alt=f"{counted.title}, {first} to {last}, with a line at the selected date",
        key="true_over_time",
    )


def _choice(workspace: str, at: Instants, bounds: tuple[datetime, datetime]) -> str:
    options = [BY_RELATION, *(r.name for r in cached.ask(Mirror.relations, workspace))]
    return st.selectbox(
        "Chart by",
        options,
        index=options.index(_telling_relation(workspace, at, bounds)),
        format_func=lambda name: name if name == BY_RELATION else f"{relation(name)}, by value",
        label_visibility="collapsed",
        width=220,
        key="chart_relation",
        persist_state="session",
    )


def _telling_relation(workspace: str, at: Instants, bounds: tuple[datetime, datetime]) -> str:
    """The relation to open with: the biggest one that has one value at a time, and few values in all."""
    last = Instants(bounds[1], at.known_at)
    one_valued = cached.ask(one_valued_relations, workspace, last)
    for found in cached.ask(Mirror.relations, workspace):
        if found.name in one_valued:
            points = cached.ask(
                Mirror.true_over_time, workspace, (bounds[1],), at.known_at, relation=found.name, by="target"
            )
            if 2 <= len({p.group for p in points}) <= _MOST_VALUES:
                return found.name
    return BY_RELATION


def _counted(workspace: str, view: View, bounds: tuple[datetime, datetime], chosen: str) -> _Counted:
    grid, known_at = _grid(bounds, view.at.as_of), view.at.known_at
    if chosen == BY_RELATION:
        points = cached.ask(Mirror.true_over_time, workspace, grid, known_at, by="relation")
        return _Counted("All facts over time", grid, _series(grid, points, relations=True))
    points = cached.ask(Mirror.true_over_time, workspace, grid, known_at, relation=chosen, by="target")
    return _Counted(f"“{relation(chosen)}” over time", grid, _series(grid, points, relations=False))


def _series(grid: Sequence[datetime], points: Sequence[SeriesPoint], *, relations: bool) -> Series:
    """The counts by name; groups that nothing is ever true of are left out."""
    counts: dict[str, list[int]] = defaultdict(list)
    for point in points:
        counts[relation(point.group) if relations else point.group].append(point.count)
    return {name: values for name, values in counts.items() if any(values)} or {"none": [0] * len(grid)}


def _grid(bounds: tuple[datetime, datetime], as_of: datetime) -> tuple[datetime, ...]:
    """Instants over the whole span, and the as-of date so that the chart turns pale exactly there."""
    start, stop = bounds[0], max(bounds[1], bounds[0] + timedelta(days=1))
    step = (stop - start) / _GRID_POINTS
    points = {start + step * n for n in range(_GRID_POINTS + 1)}
    return tuple(sorted(points | {min(max(as_of, start), stop)}))


def _at_a_glance(counted: _Counted, as_of: datetime) -> str:
    """The largest series on the date, in words."""
    place = max(0, sum(i <= as_of for i in counted.instants) - 1)
    held = sorted(((values[place], name) for name, values in largest(counted.series).items()), reverse=True)
    words = " · ".join(f"{count:,} {name}" for count, name in held[:5] if count)
    return f"on {dates.day(as_of)}: {words}" if words else f"no facts on {dates.day(as_of)}"


def _rows(counted: _Counted) -> list[Mapping[str, object]]:
    """The chart as a table, with a row for each year."""
    firsts = {instant.year: place for place, instant in reversed(list(enumerate(counted.instants)))}
    return [
        {"Date": dates.day(counted.instants[place]), **{name: v[place] for name, v in counted.series.items()}}
        for place in sorted(firsts.values())
    ]
