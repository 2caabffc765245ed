"""What else the types and relations of a workspace are called in questions."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from components import problems
from components.markup import heading
from components.shell import Opened
from services import cached
from services.context import OpenWorkspace
from services.mirror import Mirror

Declared = Mapping[str, Mapping[str, Sequence[str]]]
_KINDS = {"relation": "relations", "type": "types"}


@problems.guarded()
def words_for(opened: Opened) -> None:
    """A table of the workspace's relations and types, with the words that people ask by."""
    heading("Synonyms", f"of {opened.label}")
    names = _names(opened.name)
    if not names:
        st.caption("No relations or types yet. Once the graph has some, you can add synonyms here.")
        return
    declared = opened.workspace.accounts.synonyms(opened.name)
    st.caption(
        "Synonyms for relations and types, separated by commas: “boss, manager, head”. Ask understands them too."
    )
    rows = pd.DataFrame(
        [
            {"kind": kind, "name": name, "synonyms": ", ".join(declared[_KINDS[kind]].get(name, ()))}
            for kind, name in names
        ]
    )
    edited = st.data_editor(rows, disabled=["kind", "name"], hide_index=True, key=f"synonyms_{opened.name}")
    if st.button("Save synonyms"):
        _save(opened.workspace, edited)


def _names(workspace: str) -> list[tuple[str, str]]:
    relations = [("relation", count.name) for count in cached.ask(Mirror.relations, workspace)]
    return [*relations, *(("type", count.name) for count in cached.ask(Mirror.types, workspace) if count.name)]


def _save(workspace: OpenWorkspace, edited: pd.DataFrame) -> None:
    before = workspace.accounts.synonyms(workspace.name)
    workspace.accounts.set_synonyms(workspace.name, merged(before, edited.to_dict("records")))
    st.toast("Synonyms saved.", icon=":material/check:")


def merged(before: Declared, rows: Sequence[Mapping[Any, Any]]) -> Declared:
    """Return the declarations with the table's rows; names that the table does not list keep their words."""
    declared = {kind: {name: list(words) for name, words in before.get(kind, {}).items()} for kind in _KINDS.values()}
    for row in rows:
        words = [word.strip() for word in (row["synonyms"] or "").split(",") if word.strip()]
        declared[_KINDS[row["kind"]]].pop(row["name"], None)
        if words:
            declared[_KINDS[row["kind"]]][row["name"]] = words
    return declared
