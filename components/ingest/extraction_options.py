"""How texts are read on the Ingest page: by whom, what for, with which tags, and what that will take."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components import markup
from components.ingest import schema
from components.shell import Opened
from services.agent import get_services
from services.core.errors import AsofError
from services.extraction import RULES, estimate_reading
from services.llm import models

NOBODY = ""
WRITTEN_AT_ONCE = "Asof saves preselected facts without review; you can undo this. The rest wait for your review."
_READER, _TAGS, _AT_ONCE = "ingest_reader", "ingest_tags", "ingest_at_once"
_NAMES = {RULES: "Rule-based (no model)", NOBODY: "No facts, search only"}
_SOON = 90.0


@dataclass(frozen=True, slots=True)
class ExtractionOptions:
    """The way that texts are to be read: `extract` is "rules", a model's name, or "" for nobody."""

    extract: str
    write_at_once: bool = False
    tags: tuple[str, ...] = ()
    schema: dict[str, Any] | None = None

    def options(self) -> dict[str, Any]:
        """As a job takes them."""
        found: dict[str, Any] = {"extract": self.extract, "write_at_once": self.write_at_once, "tags": list(self.tags)}
        return found | ({"schema": self.schema} if self.schema else {})

    @property
    def by_model(self) -> bool:
        """True where a model reads, which takes time and money."""
        return self.extract not in (RULES, NOBODY)


def choose(opened: Opened, sample: str = "") -> ExtractionOptions:
    """The fields of how to read; `sample` is text that a schema may be suggested from."""
    readers = (RULES, *models(opened.services.settings), NOBODY)
    left, right = st.columns(2, gap="small")
    chosen = left.selectbox(
        "Extract with",
        readers,
        key=_READER,
        format_func=lambda one: _NAMES.get(one, markup.plain(one)),
        persist_state="session",
        help="Rule-based extraction reads English on this computer. A model finds more, but costs time and tokens.",
    )
    tags = right.multiselect(
        "Tags", (), key=_TAGS, accept_new_options=True, persist_state="session", placeholder="Optional"
    )
    extract = chosen if chosen in readers else RULES
    at_once = extract not in (RULES, NOBODY) and st.toggle(
        "Save without review", key=_AT_ONCE, persist_state="session", help=WRITTEN_AT_ONCE
    )
    return ExtractionOptions(
        extract, at_once, tuple(tags), schema.choose(opened, sample) if extract != NOBODY else None
    )


def will_take(reading: ExtractionOptions, characters: Sequence[int], *, more: str = "") -> None:
    """Say what reading texts of so many characters takes: time, and of a model tokens and cost."""
    if reading.extract == NOBODY or not any(characters):
        return
    try:
        found = estimate_reading(characters, reading.extract, get_services().settings)
    except AsofError as problem:
        st.caption(markup.plain(str(problem)))
        return
    words = f"about {_time(found.seconds)}"
    if reading.by_model:
        cost = "no price set" if found.cost is None else f"${max(found.cost, 0.01):.2f}"
        words += f" · {_rounded(found.input_tokens + found.output_tokens):,} tokens · {cost}"
    st.caption(markup.plain(words) + more)


def _time(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < _SOON else f"{round(seconds / 60):,} min"


def _rounded(number: int) -> int:
    """A guess has no more than two figures that mean something."""
    digits = max(0, len(str(number)) - 2)
    return round(number, -digits)
