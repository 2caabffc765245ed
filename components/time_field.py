"""The field of the time bar that takes a date in words, and what it was read as."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import streamlit as st

from components import dates, state
from components.markup import plain, text
from services import cached
from services.core import clock
from services.queries import TypedDate, typed_date

type Presets = Mapping[str, datetime | None]
"""Instants to choose by a word; None is now."""


@dataclass(frozen=True, slots=True)
class _Typed:
    """A text that was typed, what it was read as, and the instant that was set before or by it."""

    words: str
    read: TypedDate
    set_to: datetime | None


@dataclass(frozen=True, slots=True)
class _Shown:
    """The number of a field, the instant that it shows, and whether that was typed in it."""

    number: int
    asked: datetime | None
    by_typing: bool


def time_field(workspace: str, slot: str, label: str, asked: datetime | None, presets: Presets) -> None:
    """Draw the field and the presets that set the instant `slot` of the view, which was `asked` for."""
    typed = _typed(slot, asked)
    field = _field_key(slot, asked, by_typing=typed is not None)
    state.remember(field, typed.words if typed else dates.moment(asked) if asked else "")
    with st.container(key=_key(slot)):
        st.text_input(
            label,
            key=field,
            placeholder="now, or type a date",
            on_change=_take,
            args=(workspace, slot, field),
            help="2018-06-15, June 2018, Q2 2018, a year ago, when PEP 484 became Accepted",
        )
    if typed:
        _reading(typed, asked)
        _offers(workspace, slot, typed)
    preset = widget_key(f"{_key(slot)}_preset", asked)
    state.forget(preset)
    st.pills(
        f"{label}: suggested dates",
        list(presets),
        key=preset,
        label_visibility="collapsed",
        on_change=_choose,
        args=(slot, preset, presets),
    )


def widget_key(name: str, asked: datetime | None) -> str:
    """Return the key of a widget that shows the instant that was asked for: another one for another instant.

    While a popover is closed the browser keeps the old values of its widgets, and would send them as chosen anew.
    """
    return f"{name}_{asked.timestamp() if asked else 'now'}"


def _field_key(slot: str, asked: datetime | None, *, by_typing: bool) -> str:
    """Return the key of the field: another one whenever the instant was set by something else than typing.

    It is for the reason of `widget_key`; what is typed keeps its field, which may have the focus.
    """
    name = f"{_key(slot)}_shown"
    last: _Shown = state.remembered(name) or _Shown(0, asked, by_typing)
    is_other = not by_typing and (last.by_typing or last.asked != asked)
    shown = _Shown(last.number + is_other, asked, by_typing)
    state.remember(name, shown)
    return f"{_key(slot)}_{shown.number}"


def unread(slot: str, asked: datetime | None) -> str:
    """Return the text that was typed for an instant and could not be read; "" where there is none."""
    typed = _typed(slot, asked)
    return typed.words if typed and typed.read.problem else ""


def _typed(slot: str, asked: datetime | None) -> _Typed | None:
    """Return what was typed last, unless the instant was set in another way since."""
    typed: _Typed | None = state.remembered(f"{_key(slot)}_read")
    return typed if typed and typed.set_to == asked else None


def _reading(typed: _Typed, asked: datetime | None) -> None:
    if typed.read.problem:
        st.html(f'<div class="a-unread" role="status">{text(typed.read.problem)} The date did not change.</div>')
        return
    read_as = f"<b>{dates.named(asked, clock.now())}</b>"
    words = typed.read.meaning if typed.read.meaning not in ("", "now") else ""
    st.html(f'<div class="a-read-as" role="status">read as {read_as} <span class="a-muted">{text(words)}</span></div>')


def _offers(workspace: str, slot: str, typed: _Typed) -> None:
    if typed.read.offers:
        with st.container(horizontal=True, gap="small", key=f"{_key(slot)}_offers"):
            for words in typed.read.offers:
                key = f"{_key(slot)}_offer_{words}"
                st.button(plain(words), key=key, on_click=_set, args=(workspace, slot, words))


def _take(workspace: str, slot: str, field: str) -> None:
    _set(workspace, slot, state.remembered(field) or "")


def _set(workspace: str, slot: str, words: str) -> None:
    """Set an instant of the view to what a text says; one that cannot be read changes nothing and is kept."""
    view, now = state.held(), clock.now()
    minute = now.replace(second=0, microsecond=0)
    read = _in_viewers_zone(words) or cached.ask(typed_date, workspace, words, minute, view.at.known_at)
    if read.problem:
        state.remember(f"{_key(slot)}_read", _Typed(words, read, getattr(view, slot)))
        return
    state.remember(f"{_key(slot)}_read", _Typed(words, read, read.at))
    state.update(**{slot: read.at})


def _in_viewers_zone(words: str) -> TypedDate | None:
    """Return a date with a time and no zone, which is the viewer's as the bar shows it."""
    try:
        at = datetime.fromisoformat(words.strip())
    except ValueError:
        return None
    if at.tzinfo is None and at.time() != datetime.min.time():
        return TypedDate(dates.join(at.date(), at.time()))
    return None


def _choose(slot: str, key: str, presets: Presets) -> None:
    chosen: Any = state.remembered(key)
    if chosen in presets:
        state.forget(f"{_key(slot)}_read")
        state.update(**{slot: presets[chosen]})


def _key(slot: str) -> str:
    return f"{slot}_text"
