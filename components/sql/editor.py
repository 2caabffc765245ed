"""The editor: CodeMirror over a plain text area, which does the same where the script does not load."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from components import state
from components.served_assets import named_by_content, serve

_ASSETS = Path(__file__).parent / "assets"
_KEY, _SEEN, _READ = "sql_editor", "sql_editor_seen", "sql_editor_read"
Act = Literal["run", "save", "cancel"]


@dataclass(frozen=True, slots=True)
class Completions:
    """What the editor offers while one writes.

    `tables` are names with a detail and pairs of column and type, `macros` names with the call to write and what it
    gives, `relations` names with their everyday words and how many facts have them.
    """

    dialect: str
    tables: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = ()
    macros: tuple[tuple[str, str, str], ...] = ()
    relations: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class WrongPlace:
    """The line that a problem is about, and the word in it, where one is named."""

    line: int
    word: str = ""


@dataclass(frozen=True, slots=True)
class EditorContent:
    """What the editor shows: `text` in its `version`, a line that is wrong, and the line to go to, with a number."""

    text: str
    version: int
    is_running: bool
    wrong: WrongPlace | None = None
    go: tuple[int, int] | None = None


def editor(
    shown: EditorContent, offered: Completions, on_change: Callable[[str], None], on_act: Callable[[Act], None]
) -> None:
    """Draw the editor. Before the next run `on_change` gets the text, then `on_act` each thing that was asked for."""
    data = {
        **asdict(shown),
        "seq": max(state.remembered(_SEEN, 0), state.remembered(_READ, 0)),
        "running": shown.is_running,
        "go": shown.go and {"seq": shown.go[0], "line": shown.go[1]},
        "schema": _schema(offered),
        "placeholder": "SELECT … FROM facts_as_of(:as_of)",
    }
    _component(serve(named_by_content("sql_editor", _ASSETS), _ASSETS))(
        key=_KEY, data=data, on_sent_change=functools.partial(_take, on_change, on_act)
    )


def _schema(offered: Completions) -> dict[str, Any]:
    return {
        "dialect": offered.dialect,
        "tables": _named(("name", "detail", "columns"), offered.tables),
        "macros": _named(("name", "call", "detail"), offered.macros),
        "relations": offered.relations,
    }


def _named(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[Mapping[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]


def typed_text() -> str | None:
    """Return what the viewer wrote since the last call, None where that is nothing.

    A click on a button may come before the editor's own callback.
    """
    sent = state.remembered(_KEY, {}).get("sent") or {}
    if sent.get("seq", 0) <= state.remembered(_READ, 0):
        return None
    state.remember(_READ, sent["seq"])
    return str(sent["sql"])


def _take(on_change: Callable[[str], None], on_act: Callable[[Act], None]) -> None:
    """Hand on what the viewer wrote and asked for. It waits in a queue, so a slow run loses none."""
    if (text := typed_text()) is not None:
        on_change(text)
    sent = state.remembered(_KEY, {}).get("sent") or {}
    seen = state.remembered(_SEEN, 0)
    for act in sent.get("acts", ()):
        if act["seq"] > seen:
            state.remember(_SEEN, act["seq"])
            on_act(act["kind"])


@functools.cache
def _component(name: str) -> Any:
    html, css = ((_ASSETS / f"frame.{kind}").read_text() for kind in ("html", "css"))
    return st.components.v2.component(name, html=html, css=css, js="main.js")
