"""What the columns of a table mean: guessed, and said by the analyst where the guess is wrong."""

from collections.abc import Mapping

import streamlit as st

from components import markup, state
from services.core.import_rows import NAMES
from services.tables import (
    ATTRIBUTE,
    LEFT_OUT,
    TableMapping,
    check_mapping,
    columns_of,
    date_columns,
    guess_mapping,
    records,
)

_RELATION = "a relation of its own"
_WORDS = {
    "source": "source: the entity",
    "relation": "relation",
    "target": "target: the value",
    _RELATION: _RELATION,
    "fact": "the fact as a sentence",
    "source_type": "type of the source",
    "target_type": "type of the target",
    "episode": "where it is known from",
    "valid_at": "true from",
    "invalid_at": "true until",
    "created_at": "recorded at",
    "expired_at": "end recorded at",
    "withdrawn_at": "withdrawn at",
    "believed_invalid_at": "end that was believed",
    "valid_at_precision": "how the start is given: year, month, day or instant",
    "invalid_at_precision": "how the end is given: year, month, day or instant",
    "ended_unknown": "whether it has ended on an unknown date",
    ATTRIBUTE: "an attribute of the fact",
    LEFT_OUT: "nothing, leave it out",
}
_SAMPLE = 200
_GUESSED = "columns_guessed"


def mapping_of_columns(name: str, content: bytes, file_id: str) -> TableMapping | None:
    """Draw the columns with what they mean; None where their names say it and nobody said otherwise.

    Raises `BadInput` for a file that cannot be read, and for columns that give no facts.
    """
    columns, guess, dated = _guessed(name, content, file_id)
    plain = set(NAMES) <= {column.strip().lower() for column in columns}
    with st.expander("What the columns mean", expanded=not plain, key="columns"):
        say = not plain or st.toggle("Say it myself", key="columns_mine", help="Their names say it already.")
        if not say:
            st.caption("Their names are Asof's own. Other columns become attributes of the facts.")
            return None
        mapping = _chosen(file_id, columns, guess)
        for column in dated:
            if (taken_for := _not_as_date(mapping, column)) is not None:
                st.warning(
                    f"“{markup.plain(column)}” holds dates, and is {taken_for}.", icon=":material/calendar_today:"
                )
    check_mapping(mapping, columns)
    return mapping


def _not_as_date(mapping: TableMapping, column: str) -> str | None:
    """Say what a column of dates is taken for; None where that may be meant."""
    if column in mapping.relations:
        return "to be a relation"
    meaning = mapping.columns.get(column, LEFT_OUT)
    return "left out" if meaning == LEFT_OUT else f"to be the {meaning}" if meaning in NAMES else None


def _guessed(name: str, content: bytes, file_id: str) -> tuple[tuple[str, ...], TableMapping, tuple[str, ...]]:
    """The columns, what they probably mean, and which hold dates, worked out once for each file."""
    known, *found = state.remembered(_GUESSED, ("",))
    if known != file_id:
        rows = records(name, content)
        columns = columns_of(rows)
        found = [columns, guess_mapping(columns, rows[:_SAMPLE]), date_columns(columns, rows[:_SAMPLE])]
        state.remember(_GUESSED, (file_id, *found))
    columns, guess, dated = found
    return columns, guess, dated


def _chosen(file: str, columns: tuple[str, ...], guess: TableMapping) -> TableMapping:
    meanings: dict[str, str] = {}
    relations: dict[str, str] = {}
    for number, column in enumerate(columns):
        key = f"column_{file}_{number}"
        guessed = _RELATION if column in guess.relations else guess.columns.get(column, LEFT_OUT)
        left, right = st.columns([1, 1], gap="small", vertical_alignment="bottom")
        label = markup.plain(column) or "A column without a name"
        meaning = left.selectbox(
            label, list(_WORDS), list(_WORDS).index(guessed), key=key, format_func=_WORDS.__getitem__
        )
        if meaning == _RELATION:
            usual = guess.relations.get(column) or column.strip().upper().replace(" ", "_")
            relations[column] = right.text_input("Relation", usual, key=f"{key}_name").strip()
        else:
            meanings[column] = meaning
    constant = ""
    if not relations and "relation" not in meanings.values():
        constant = st.text_input("Relation of every row", guess.relation, key=f"column_{file}_all").strip()
    return TableMapping(meanings, constant, relations)


def mapping_key(mapping: TableMapping | None) -> Mapping[str, str]:
    """The mapping as a key for what was read by it."""
    return {} if mapping is None else {**mapping.columns, **mapping.relations, "": mapping.relation}
