"""What the columns of a table mean: guessed, and said by the analyst where the guess is wrong."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from components import dates, markup, state
from components.ingest.earlier_mapping import earlier_mapping
from services.core import clock
from services.core.import_rows import NAMES
from services.tables import (
    ATTRIBUTE,
    LEFT_OUT,
    DayOrder,
    Record,
    RowOf,
    TableFile,
    TableMapping,
    check_mapping,
    columns_of,
    date_columns,
    guess_mapping,
    in_order,
    known_table,
    open_date,
    records,
    row_of,
)

FIELDS = ("column_", "row_is_", "day_order_", "columns_again_", "columns_mine")
"""What the keys of the fields begin with."""
_RELATION = "separate relation"
_WORDS = {
    "source": "entity",
    "relation": "relation",
    "target": "value",
    _RELATION: _RELATION,
    "fact": "fact as a sentence",
    "source_type": "entity type",
    "target_type": "value type",
    "episode": "fact source",
    "valid_at": "valid from",
    "invalid_at": "valid until",
    "created_at": "recorded at",
    "expired_at": "end recorded at",
    "withdrawn_at": "withdrawn at",
    "believed_invalid_at": "previous end",
    "valid_at_precision": "start precision: year, month, day or instant",
    "invalid_at_precision": "end precision: year, month, day or instant",
    "ended_unknown": "ended on an unknown date (yes or no)",
    ATTRIBUTE: "fact attribute",
    LEFT_OUT: "nothing (skip this column)",
}
_LAST_DAY = re.compile(r"\b(last|through|inclusive)\b", re.IGNORECASE)
_SAMPLE = 200
_SAMPLES, _SAMPLE_ROOM = 3, 28
_GUESSED, _ORDER_OPEN = "columns_guessed", "columns_order_open"


def mapping_of_columns(workspace: str, file: TableFile, file_id: str, sheet: str) -> TableMapping | None:
    """Draw the columns with what they mean; None where their names say it and nobody said otherwise.

    `file_id` is another one for each sheet. Raises `BadInput` for a file that cannot be read, and for columns that give
    no facts.
    """
    rows, columns, guess, dated, unclear = _guessed(file, file_id, sheet)
    earlier = earlier_mapping(workspace, columns)
    plain = set(NAMES) <= {column.strip().lower() for column in columns}
    with st.expander("Column meanings", expanded=not plain or bool(unclear), key="columns"):
        if known := known_table(columns):
            st.caption(f"Recognized as {known.name}. Change any column whose meaning is wrong.")
        again = False
        if earlier and _meanings(earlier.mapping) != _meanings(guess):
            again = st.toggle(f"Use the mapping of {markup.plain(earlier.file)}", key=f"columns_again_{file_id}")
        if earlier and again:
            guess, file_id = earlier.mapping, f"{file_id}_again"
        order = _day_order(unclear, guess, file_id)
        state.remember(_ORDER_OPEN, bool(unclear) and not order)
        say = (
            again
            or not plain
            or st.toggle(
                "Set column meanings manually",
                key="columns_mine",
                help="Overrides the guesses from the column names.",
            )
        )
        if not say:
            st.caption("Asof guesses meanings from the column names. Columns without a meaning become fact attributes.")
            return replace(guess, day_order=order) if unclear else None
        guess = _per_row(columns, rows, guess, file_id)
        mapping = replace(_chosen(f"{file_id}_{row_of(guess)}", columns, guess, rows), day_order=order)
        for column in dated:
            if (taken_for := _not_as_date(mapping, column)) is not None:
                st.warning(
                    f"“{markup.plain(column)}” contains dates but is {taken_for}. Change its meaning to use the dates.",
                    icon=":material/calendar_today:",
                )
    check_mapping(mapping, columns)
    return mapping


def last_day_column(mapping: TableMapping) -> str | None:
    """Return the column of ends whose name says that its dates are the last days, if there is one."""
    ends = (column for column, meaning in mapping.columns.items() if meaning == "invalid_at")
    return next((column for column in ends if _LAST_DAY.search(column.replace("_", " "))), None)


def _meanings(mapping: TableMapping) -> Mapping[str, str]:
    return {column: meaning for column, meaning in mapping_key(mapping).items() if meaning not in ("", LEFT_OUT)}


def order_is_open() -> bool:
    """True while nobody has said which of day and month comes first in a date that leaves it open."""
    return bool(state.remembered(_ORDER_OPEN))


def _day_order(unclear: str, guess: TableMapping, file: str) -> DayOrder:
    """Ask for the order of day and month where a date leaves it open; other dates of the table may answer."""
    if not unclear:
        return guess.day_order
    orders: tuple[DayOrder, ...] = ("day first", "month first")
    chosen: DayOrder | None = st.radio(
        f"What does the date {markup.plain(unclear)} mean?",
        orders,
        index=orders.index(guess.day_order) if guess.day_order else None,
        format_func=lambda order: f"{order.capitalize()} · {dates.day(clock.parse_instant(in_order(unclear, order)))}",
        key=f"day_order_{file}",
        horizontal=True,
    )
    return chosen or ""


def _per_row(columns: tuple[str, ...], rows: Sequence[Record], guess: TableMapping, file: str) -> TableMapping:
    """Ask what each row is, and guess the columns by that."""
    words: dict[RowOf, str] = {"fact": "a fact", "entity": "an entity"}
    guessed = row_of(guess)
    per: RowOf = st.segmented_control(
        "Each row is", list(words), format_func=words.__getitem__, default=guessed, required=True, key=f"row_is_{file}"
    )
    return guess if per == guessed else guess_mapping(columns, rows, per)


def _not_as_date(mapping: TableMapping, column: str) -> str | None:
    """Say what a column of dates is taken for; None where that may be meant."""
    if column in mapping.relations:
        return "used as a relation"
    meaning = mapping.columns.get(column, LEFT_OUT)
    return "left out" if meaning == LEFT_OUT else f"used as the {_WORDS[meaning]}" if meaning in NAMES else None


def _guessed(
    file: TableFile, file_id: str, sheet: str
) -> tuple[Sequence[Record], tuple[str, ...], TableMapping, tuple[str, ...], str]:
    """The first rows, the columns, what they probably mean, which hold dates, and a date that leaves the order of day
    and month open; worked out once for each sheet."""
    known, *found = state.remembered(_GUESSED, ("",))
    if known != file_id:
        rows = records(file, sheet)
        columns, first = columns_of(rows), rows[:_SAMPLE]
        dated = date_columns(columns, first)
        unclear = open_date(row.get(column) for column in dated for row in rows)
        found = [first, columns, guess_mapping(columns, first), dated, unclear]
        state.remember(_GUESSED, (file_id, *found))
    first, columns, guess, dated, unclear = found
    return first, columns, guess, dated, unclear


def _chosen(key: str, columns: tuple[str, ...], guess: TableMapping, rows: Sequence[Record]) -> TableMapping:
    meanings: dict[str, str] = {}
    relations: dict[str, str] = {}
    for number, column in enumerate(columns):
        own = f"column_{key}_{number}"
        guessed = _RELATION if column in guess.relations else guess.columns.get(column, LEFT_OUT)
        left, right = st.columns([1, 1], gap="small")
        label = markup.plain(column) or "Unnamed column"
        meaning = left.selectbox(
            label, list(_WORDS), list(_WORDS).index(guessed), key=own, format_func=_WORDS.__getitem__
        )
        if meaning == _RELATION:
            usual = guess.relations.get(column) or column.strip().upper().replace(" ", "_")
            relations[column] = right.text_input("Relation", usual, key=f"{own}_name").strip()
        else:
            meanings[column] = meaning
        left.caption(_samples(rows, column))
    constant = ""
    if not relations and "relation" not in meanings.values():
        constant = st.text_input("Relation for every row", guess.relation, key=f"column_{key}_all").strip()
    return TableMapping(meanings, constant, relations)


def _samples(rows: Sequence[Record], column: str) -> str:
    """The first values of a column, to see what it holds."""
    filled = (str(row[column]).strip() for row in rows if row.get(column) is not None)
    values = list(dict.fromkeys(value for value in filled if value))[:_SAMPLES]
    return markup.dotted(*(markup.plain(markup.clipped(value, _SAMPLE_ROOM)) for value in values)) or "no values"


def mapping_key(mapping: TableMapping | None) -> Mapping[str, str]:
    """The mapping as a key for what was read by it."""
    if mapping is None:
        return {}
    return {**mapping.columns, **mapping.relations, "": mapping.relation, "\0day": mapping.day_order}
