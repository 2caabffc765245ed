"""One fact by hand: a form, what it would change, and a button that saves it."""

from datetime import date, datetime

import streamlit as st

from components import dates, markup, shell, state
from components.markup import Cell, heading, relation, sign, table, text
from services import cached, clock
from services.bootstrap import get_services
from services.errors import AsofError, BadInput
from services.ingestion.importer import import_rows, preview_import
from services.ingestion.plan import Plan
from services.ingestion.rows import Row
from services.models import Fact, Instants

_FIRST, _LAST = date(1, 1, 1), date(9999, 12, 31)
_ROWS, _SAVED = "one_fact_rows", "one_fact_saved"


def form(workspace: str) -> None:
    """The fields of a fact; what was typed stays until it is saved."""
    with st.form("one_fact", border=True):
        left, right = st.columns(2, gap="small")
        source = left.text_input("Entity", key="fact_source", placeholder="PEP 703")
        source_type = right.text_input("Its type", key="fact_source_type", help="Empty matches any type")
        name = st.selectbox(
            "Relation",
            [r.name for r in cached.relations(workspace)],
            index=None,
            key="fact_relation",
            accept_new_options=True,
            placeholder="HAS_STATUS, or a new one",
        )
        left, right = st.columns(2, gap="small")
        target = left.text_input("Value", key="fact_target", placeholder="Final")
        target_type = right.text_input("Its type", key="fact_target_type", help="Empty matches any type")
        left, right = st.columns(2, gap="small")
        with left:
            start = _date("True from", "fact_start", "Empty: undated")
        with right:
            stop = _date("True until, not including", "fact_stop", "Empty: it still holds")
        episode = st.text_input("Source", key="fact_episode", placeholder="Where you know it from, in its own words")
        if st.form_submit_button("Preview changes", icon=":material/visibility:"):
            state.forget(_ROWS, _SAVED)
            try:
                row = _row(source, name or "", target, source_type, target_type, start, stop, episode)
                state.remember(_ROWS, (row,))
            except BadInput as problem:
                shell.show_problem(problem)


def _date(label: str, key: str, help_text: str) -> date | None:
    return st.date_input(label, None, key=key, help=help_text, format="YYYY-MM-DD", min_value=_FIRST, max_value=_LAST)


def _row(
    source: str,
    name: str,
    target: str,
    source_type: str,
    target_type: str,
    start: date | None,
    stop: date | None,
    episode: str,
) -> Row:
    for label, given in (("Entity", source), ("Relation", name), ("Value", target)):
        if not given.strip():
            raise BadInput(f"{label} is empty.", "A fact needs an entity, a relation and a value. Nothing was lost.")
    if start and stop and stop <= start:
        raise BadInput("It ends before it begins.", "The end is the first day on which the fact no longer holds.")
    return Row(
        1,
        source.strip(),
        name.strip(),
        target.strip(),
        source_type=source_type.strip(),
        target_type=target_type.strip(),
        episode=episode.strip(),
        valid_at=dates.join(start, None) if start else None,
        invalid_at=dates.join(stop, None) if stop else None,
    )


def preview(workspace: str) -> None:
    """What the fact would change, and the button that saves it."""
    heading("What will change", "nothing is saved yet")
    if state.remembered(_SAVED):
        st.success(state.remembered(_SAVED), icon=":material/check:")
    rows: tuple[Row, ...] = state.remembered(_ROWS, ())
    if not rows:
        st.caption("Fill in the form and press Preview changes.")
        return
    ended = _replaced(workspace, rows[0])
    if ended and st.checkbox(
        f"End “{ended.target}” on that day", value=True, key="end_the_other", help="Only one value holds at a time here"
    ):
        rows = (*rows, _ending(ended, rows[0]))
    plan = preview_import(get_services(), workspace, rows)
    _changes(plan)
    markup.note("<b>The past stays readable.</b> What the graph said until now is still there under an earlier ○ date.")
    with st.container(horizontal=True):
        st.button(
            "Save",
            type="primary",
            icon=":material/check:",
            key="save_fact",
            on_click=_save,
            args=(workspace, rows),
            disabled=not plan.write.facts,
        )
        st.button("Discard", type="tertiary", key="discard_fact", on_click=state.forget, args=(_ROWS,))


def _replaced(workspace: str, row: Row) -> Fact | None:
    """The open fact with another value, where this relation has one value at a time."""
    now = Instants(row.valid_at or clock.now(), clock.now())
    if row.valid_at is None or row.relation not in cached.one_valued_relations(
        workspace, Instants(clock.LATEST, now.known_at)
    ):
        return None
    for entity in cached.entities_named(workspace, row.source):
        for fact in cached.facts_true(workspace, now, entity_uuid=entity.uuid, relation=row.relation).facts:
            if fact.source_uuid == entity.uuid and fact.target != row.target and fact.invalid_at is None:
                return fact
    return None


def _ending(fact: Fact, row: Row) -> Row:
    """The row that ends `fact` where the new one begins."""
    return Row(
        2,
        fact.source,
        fact.relation,
        fact.target,
        valid_at=fact.valid_at,
        invalid_at=row.valid_at,
        source_type=row.source_type,
        episode=row.episode,
    )


def _changes(plan: Plan) -> None:
    before = {fact.uuid: fact for fact in plan.before.facts}
    rows: list[list[Cell]] = [_line(fact, before.get(fact.uuid)) for fact in plan.write.facts]
    for entity in plan.created.entities:
        what = f"new {text(entity.type or 'entity')}"
        rows.append([(sign("added"), ""), (text(entity.name), "a-nw"), ("", ""), (what, "a-w"), ("", "a-d")])
    if not plan.write.facts:
        rows.append([(sign("same"), ""), ("", ""), ("", ""), ("The graph says this already.", "a-w"), ("", "a-d")])
    head: list[Cell] = [("", ""), ("Entity", ""), ("Relation", ""), ("Change", ""), ("True", "a-d")]
    table(rows, head, label="What will change")


def _line(fact: Fact, before: Fact | None) -> list[Cell]:
    kind, change = "added", f"<b>{text(fact.target)}</b>"
    span = dates.span(fact.valid_at, fact.invalid_at)
    if before is not None:
        kind = "corrected" if fact.withdrawn_at else "ended" if fact.invalid_at != before.invalid_at else "same"
        change += {"corrected": " is withdrawn", "ended": " ends", "same": " gets a further source"}[kind]
        if kind == "ended":
            old, new = dates.day(before.invalid_at, "now"), dates.day(fact.invalid_at, "now")
            span = f'{dates.day(fact.valid_at, "undated")} → <span class="a-old">{old}</span> {new}'
    return [
        (sign(kind), ""),
        (text(fact.source), "a-nw"),
        (text(relation(fact.relation)), "a-nw a-muted"),
        (change, "a-w"),
        (span, "a-d"),
    ]


def _save(workspace: str, rows: tuple[Row, ...]) -> None:
    """Write it; on failure the form keeps what was typed."""
    now: datetime = clock.now()
    try:
        first = rows[0]
        import_rows(
            get_services(),
            workspace,
            [row._replace(created_at=now) for row in rows],
            title=f"{first.source} {relation(first.relation)} {first.target}",
        )
    except AsofError as problem:
        st.toast(str(problem), icon=":material/error:")
        return
    state.forget(_ROWS)
    state.remember(_SAVED, f"Saved: {first.source} {relation(first.relation)} {first.target}.")
