"""Draws an answer that is a list: how many there are and which come first, a chart by year, and the table.

Only answers without a model are read so: what they cite is what they list.
"""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from components import dates, state
from components.ask.copy_button import copy_button
from components.ask.retrieved import Retrieved
from components.ask.understood import in_questions
from components.lazy_containers import draw_when_open
from components.markup import counted, relation, table, text
from services import cached
from services.core.answer_records import Answer
from services.core.formulas import harmless
from services.core.models import Fact
from services.language import plural
from services.mirror import Mirror

_LEAST = 4
"""So few things need no list."""
_NAMED = 40
_ROWS = 5
_INTENTS = ("value", "count")
_PERIODS = range(3, 41)
"""So many years make a chart."""
_WIDE = 8
"""Up to so many years have wide bars, with a year below each."""


@dataclass(frozen=True, slots=True)
class AnswerList:
    """The things that an answer lists by their uuids, each with its facts and the numbers that cite them."""

    noun: str
    facts: Mapping[str, Sequence[tuple[int, Fact]]]
    names: Mapping[str, str]

    @property
    def counted(self) -> str:
        """Return how many things there are: "12 PEPs"."""
        return counted(len(self.facts), self.noun, plural(self.noun))

    @property
    def relations(self) -> list[str]:
        """Return the relations that things are listed for, the one that was asked about first."""
        return list(dict.fromkeys(fact.relation for own in self.facts.values() for _, fact in own))

    def rows(self) -> list[list[str]]:
        """Return a row for each thing: its name, its dates by relation, and the numbers of its facts."""
        return [
            [self.names[uuid], *(_span(own, one) for one in self.relations), ", ".join(str(n) for n, _ in own)]
            for uuid, own in self.facts.items()
        ]

    def head(self) -> list[str]:
        """Return the names of the columns."""
        return [self.noun[:1].upper() + self.noun[1:], *map(relation, self.relations), "Sources"]

    def by_year(self) -> Mapping[int, int]:
        """Count those that began in each year, from the first to the last; empty where that makes no chart."""
        starts = [own[0][1].valid_at for own in self.facts.values()]
        years = Counter(at.year for at in starts if at is not None)
        span = range(min(years, default=0), max(years, default=0) + 1)
        fits = len(self.relations) == 1 and len(years) >= _PERIODS.start and len(span) in _PERIODS
        return {year: years[year] for year in span} if fits else {}

    @property
    def undated(self) -> int:
        """Return how many have no start, and so no bar in the chart."""
        return sum(own[0][1].valid_at is None for own in self.facts.values())


def list_of(workspace: str, answer: Answer, read: Sequence[Retrieved]) -> AnswerList | None:
    """Return the list that an answer is; None where it lists nothing, or not all that it cites was kept."""
    cited = {one.n: one.fact for one in read if one.cited and one.fact is not None}
    every = sum(one.kind == "fact" for one in answer.citations)
    is_list = answer.topic.intent in _INTENTS and len(in_questions(answer.understood)) == 1
    if answer.declined or not is_list or len(cited) < max(every, _LEAST):
        return None
    known = {part.name for part in answer.understood}
    found: dict[str, list[tuple[int, Fact]]] = {}
    names: dict[str, str] = {}
    for n, fact in cited.items():
        ends = ((fact.source, fact.source_uuid), (fact.target, fact.target_uuid))
        things = [(name, uuid) for name, uuid in ends if name not in known]
        if len(things) != 1:
            return None
        name, uuid = things[0]
        names[uuid] = name
        found.setdefault(uuid, []).append((n, fact))
    return AnswerList(_noun(workspace, tuple(names)), found, names) if len(found) >= _LEAST else None


def lead(listed: AnswerList) -> None:
    """Draw the number and the names, and beside them how many began in each year."""
    names = list(listed.names.values())
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    words = f"<b>{text(listed.counted)}</b><div>{text(', '.join(names[:_NAMED]))}{more}</div>"
    st.html(f'<div class="a-list" role="group" aria-label="The list"><div>{words}</div>{_chart(listed)}</div>')


def list_table(listed: AnswerList, key: str) -> None:
    """Draw the table, folded away, with ways to take it along."""
    box = st.expander(
        f"Table · {counted(len(listed.facts), 'row')}", type="compact", key=f"table_{key}", on_change="rerun"
    )
    draw_when_open(box, _table, listed, key)


def _table(listed: AnswerList, key: str) -> None:
    rows, kept = listed.rows(), f"all_rows_{key}"
    shown = rows if state.remembered(kept) else rows[:_ROWS]
    css = ["", *["a-nw"] * len(listed.relations), "a-n"]
    table(
        [[(text(cell), css) for cell, css in zip(row, css, strict=True)] for row in shown],
        list(zip(map(text, listed.head()), css, strict=True)),
        label=listed.counted,
    )
    with st.container(horizontal=True, gap="xsmall", key=f"take_{key}"):
        if len(shown) < len(rows):
            st.button(f"Show all {len(rows):,} rows", key=f"show_{kept}", on_click=state.remember, args=(kept, True))
        copy_button("Copy", written(listed, "excel-tab"), key=f"copy_table_{key}")
        st.download_button(
            "CSV",
            written(listed, "excel"),
            f"{'-'.join(listed.counted.split())}.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
            key=f"csv_{key}",
        )


def written(listed: AnswerList, dialect: str) -> str:
    """Write the table as text: with commas for a file, with tabs for a spreadsheet to paste into."""
    into = io.StringIO()
    rows = [listed.head(), *listed.rows()]
    csv.writer(into, dialect).writerows([[harmless(cell) for cell in row] for row in rows])
    return into.getvalue()


def _span(own: Sequence[tuple[int, Fact]], of: str) -> str:
    return "; ".join(dates.fact_span(fact) for _, fact in own if fact.relation == of)


def _noun(workspace: str, uuids: tuple[str, ...]) -> str:
    """Return what the things are called: the type that most of them have."""
    types = Counter(entity.type for entity in cached.ask(Mirror.entities, workspace, uuids) if entity.type)
    most = types.most_common(1)[0][0] if types else "thing"
    return most if most.isupper() else most.lower()


def _chart(listed: AnswerList) -> str:
    counts = listed.by_year()
    if not counts:
        return ""
    top = max(counts.values())
    bars = "".join(
        f'<span><small>{n or ""}</small><i style="height:{round(3.2 * n / top, 2)}rem"></i>'
        f"<small>{_year(year, counts)}</small></span>"
        for year, n in counts.items()
    )
    by_year = ", ".join(f"{year}: {n}" for year, n in counts.items())
    undated = f"; {listed.undated:,} without a date" if listed.undated else ""
    title = f"{plural(listed.noun)} by year{undated}"
    label = text(f"{title}. {by_year}")
    title = text(title[:1].upper() + title[1:])
    css = "a-wide-bars" if len(counts) <= _WIDE else ""
    figure = f'<figcaption>{title}</figcaption><div role="img" aria-label="{label}">{bars}</div>'
    return f'<figure class="{css}">{figure}</figure>'


def _year(year: int, counts: Mapping[int, int]) -> str:
    """Write a year below its bar; of many every second or fifth, so that they do not touch."""
    every = 1 if len(counts) <= _WIDE else 2 if len(counts) <= 2 * _WIDE else 5
    return f"’{year % 100:02}" if year % every == 0 else ""
