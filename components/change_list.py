"""Changes as a list: what, when, why, and how long after it began the graph recorded it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from components import dates
from components.address import View
from components.fact_actions import correct_link
from components.markup import Cell, cells, clipped, relation, sign, table, text, timeline_link
from services.core.models import Change, Fact

_WHEN: Cell = ("When", "a-d")
HEAD: tuple[Cell, ...] = (_WHEN, ("", ""), ("Change", ""), ("Cause", ""), ("Recording delay", "a-n"))


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A line of the list: one change, or one fact that ended and the one that took its place."""

    change: Change
    replaced: Fact | None = None

    @property
    def kind(self) -> str:
        """The sign to show."""
        return "changed" if self.replaced else self.change.kind


def paired(changes: Sequence[Change]) -> Iterator[ChangeRow]:
    """The changes in their order, with an end and a beginning of the same relation at one instant as one row."""
    ended = {_place(c): c.fact for c in changes if c.kind == "ended"}
    added = {_place(c): c.fact for c in changes if c.kind == "added"}
    for change in changes:
        place = _place(change)
        both = place in ended and place in added
        if both and change.fact is ended[place]:
            continue
        yield ChangeRow(change, ended[place] if both and change.fact is added[place] else None)


def _place(change: Change) -> tuple[str, str, datetime | None]:
    return change.fact.source_uuid, change.fact.relation, change.at


def short_change_list(changes: Sequence[Change], view: View, *, limit: int, page: str) -> None:
    """Sign, entity with what changed, and date: for a narrow column; at most `limit` rows.

    `page` is the one that draws the list; it opens the form of a fact for the link of its row.
    """
    table(
        [
            [
                (sign(row.kind), ""),
                (
                    f"{timeline_link(view, row.change.fact.source_uuid, row.change.fact.source)} {_words(row)}"
                    f' <span class="a-sm">{correct_link(page, view, row.change.fact.uuid)}</span>'
                    f"{_why(row.change)}",
                    "a-w a-cut",
                ),
                (dates.fact_date(row.change.dated_by, row.change.at), "a-d"),
            ]
            for row in islice(paired(changes), limit)
        ],
        label="Latest changes",
    )


def change_list(changes: Sequence[Change], view: View, *, about: str, marked: bool = True) -> None:
    """The changes of the entity with uuid `about`, newest first; `marked` draws the as-of date between them."""
    mark = view.at.as_of
    named = dates.named(view.as_of, mark)
    lines: list[str] = []
    drawn = not marked
    for row in paired(changes):
        later = marked and row.change.at is not None and row.change.at > mark
        if not later and not drawn:
            lines.append(_mark_line(named))
            drawn = True
        lines.append(f'<tr class="{"a-future" if later else ""}">{cells(_long(row, view, about))}</tr>')
    if not drawn:
        lines.append(_mark_line(named))
    table(lines, HEAD, label="What changed, newest first")


def every_change(changes: Sequence[Change], view: View, *, page: str) -> None:
    """Each change as a row of its own with links to both entities; `page` draws it, as for `short_change_list`."""
    head = (_WHEN, ("Change", "a-nw"), ("Fact", "a-w"), ("Holds", "a-d"), ("Cause", "a-w"))
    table(
        [
            [
                (dates.fact_date(change.dated_by, change.at), "a-d"),
                (f"{sign(change.kind)} {change.kind}", "a-nw"),
                (
                    f'{_linked(change, view)} <span class="a-sm">{correct_link(page, view, change.fact.uuid)}</span>',
                    "a-c",
                ),
                (dates.fact_span(change.dated_by), "a-d"),
                (_cause(change), "a-w a-muted"),
            ]
            for change in changes
        ],
        head,
        label="All changes",
    )


def _linked(change: Change, view: View) -> str:
    fact = change.fact
    subject = timeline_link(view, fact.source_uuid, fact.source)
    if change.kind in {"corrected", "re-dated"}:
        return f"{subject} {_words(ChangeRow(change))}"
    return f"{subject} {text(relation(fact.relation))} {timeline_link(view, fact.target_uuid, clipped(fact.target))}"


def _mark_line(mark: str) -> str:
    return f'<tr class="a-mark"><td colspan="5">● as of {mark}</td></tr>'


def _long(row: ChangeRow, view: View, about: str) -> list[Cell]:
    change, fact = row.change, row.change.fact
    subject = "" if fact.source_uuid == about else f"{timeline_link(view, fact.source_uuid, fact.source)} "
    dates_of = {"added": (fact.valid_at, fact.created_at), "ended": (fact.invalid_at, fact.expired_at)}
    recorded = dates.lag(*dates_of.get(change.kind, (None, None)))
    return [
        (dates.fact_date(change.dated_by, change.at), "a-d"),
        (sign(row.kind), ""),
        (f'{subject}{_words(row)} <span class="a-sm">{_pencils(row, view)}</span>', "a-c"),
        (_cause(change), "a-w a-muted"),
        (recorded or "—", "a-n"),
    ]


def _pencils(row: ChangeRow, view: View) -> str:
    """Return the links that edit the facts of a row on the Timeline, also the one that ended."""
    ended = correct_link("Timeline", view, row.replaced.uuid, label="Edit ended fact") if row.replaced else ""
    return ended + correct_link("Timeline", view, row.change.fact.uuid)


def _words(row: ChangeRow) -> str:
    change, fact = row.change, row.change.fact
    name, value = text(relation(fact.relation)), text(clipped(fact.target))
    if row.replaced:
        return f'{name} <span class="a-old">{text(clipped(row.replaced.target))}</span> → <b>{value}</b>'
    if change.kind == "ended":
        return f'{name} <span class="a-old">{value}</span>'
    if change.kind in {"corrected", "re-dated"} and change.before and change.after:
        return f"{name} {_corrected(change.before, change.after)}"
    if change.kind == "corrected":
        return f'{name} <span class="a-old">{value}</span> was withdrawn'
    return f"{name} <b>{value}</b>"


def _corrected(before: Fact, after: Fact) -> str:
    if before.target != after.target:
        return f'<span class="a-old">{text(clipped(before.target))}</span> → <b>{text(clipped(after.target))}</b>'
    value = f"<b>{text(clipped(after.target))}</b>"
    old, new = dates.fact_span(before), dates.fact_span(after)
    return f'{value} <span class="a-old">{old}</span> {new}' if old != new else value


def _cause(change: Change) -> str:
    words = text(clipped(change.cause.text, 90))
    return f"{words} (inferred from the facts)" if change.cause.inferred and words else words


def _why(change: Change) -> str:
    cause = _cause(change)
    return f'<span class="a-why a-muted a-sm" title="{cause}">{cause}</span>' if cause else ""
