"""What the analyst is looking at: the view, in the address and in the session.

The only module that touches `st.session_state` and `st.query_params`. The address wins, so a link opens the same view;
the session carries the view over a change of page, which drops the address's parameters.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import streamlit as st

from components.address import INSTANT, AddressPart, Parameter
from services.core import clock
from services.core.models import Instants


def _now() -> datetime:
    """The end of this minute.

    Reruns within it ask the same question, which caches then answer; what was recorded a moment ago is known.
    """
    return clock.now().replace(second=0, microsecond=0) + timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class View(AddressPart):
    """One view. None of an instant is `now`, the same throughout; `to` and `to_known` are a comparison's second side.

    `pages` is what single pages add to it, each its own record, without those at their defaults.
    """

    workspace: Annotated[str | None, Parameter("w")] = None
    entity: Annotated[str | None, Parameter("e")] = None
    fact: Annotated[str | None, Parameter("f")] = None
    as_of: Annotated[datetime | None, Parameter("as_of", INSTANT)] = None
    known_at: Annotated[datetime | None, Parameter("known_at", INSTANT)] = None
    to: Annotated[datetime | None, Parameter("to", INSTANT)] = None
    to_known: Annotated[datetime | None, Parameter("to_known", INSTANT)] = None
    pages: tuple[AddressPart, ...] = ()
    now: datetime = field(default_factory=_now, compare=False)

    @property
    def comparing(self) -> bool:
        """True when the view compares two instants."""
        return self.to is not None or self.to_known is not None

    @property
    def at(self) -> Instants:
        """The two clocks of the view, or of its first side."""
        return Instants(self.as_of or self.now, self.known_at or self.now)

    @property
    def then(self) -> Instants:
        """The two clocks of a comparison's second side; what was not given there is as on the first."""
        return Instants(self.to or self.at.as_of, self.to_known or self.at.known_at)

    def of[P: AddressPart](self, page: type[P]) -> P:
        """Return what a page adds to the view."""
        return next((part for part in self.pages if isinstance(part, page)), page())

    def changed(self, page: type[AddressPart] | None = None, /, **changes: Any) -> "View":
        """Return the view with some fields changed: its own, and those that `page` adds."""
        if page is not None:
            part = replace(  # type: ignore[type-var]  # each page's record is a dataclass
                self.of(page), **{name: new for name, new in changes.items() if name not in self.__slots__}
            )
            others = (one for one in self.pages if not isinstance(one, page))
            changes = {name: new for name, new in changes.items() if name in self.__slots__}
            changes["pages"] = _sorted(*others, part)
        return replace(self, **changes)


def _sorted(*parts: AddressPart) -> tuple[AddressPart, ...]:
    return tuple(sorted((part for part in parts if part != type(part)()), key=lambda part: type(part).__name__))


_VIEW = "view"
_PAGES: list[type[AddressPart]] = []


def register(*pages: type[AddressPart]) -> None:
    """Say which records pages add to the view, for addresses to be read; done before any page runs."""
    _PAGES[:] = pages


def view() -> View:
    """The view of this run, read from the address, else from the session."""
    address = st.query_params.to_dict()
    current = read(address) if _ours() & address.keys() else _kept() or View()
    _keep(current)
    return current


def held() -> View:
    """The view as the last action left it, which is what a callback goes on from.

    The browser sends the address that it has: of two quick clicks, the second comes with the one from before the first.
    """
    return _kept() or view()


def _kept() -> View | None:
    """The view of the session, looked at now."""
    kept: View | None = st.session_state.get(_VIEW)
    return kept and replace(kept, now=_now())


def update(page: type[AddressPart] | None = None, /, **changes: Any) -> View:
    """Change parts of the view, as `View.changed` does; for callbacks, before the script runs again."""
    current = held().changed(page, **changes)
    _keep(current)
    return current


def go(page: type[AddressPart] | None = None, /, **changes: Any) -> None:
    """`update` as a widget's callback."""
    update(page, **changes)


def follow(address: Mapping[str, str]) -> None:
    """Take over the view that an address asks for."""
    _keep(read(address))


def open_workspace(name: str | None) -> None:
    """Go to another workspace at the same instants, with nothing selected or left out; for callbacks."""
    now = held()
    _keep(View(name, as_of=now.as_of, known_at=now.known_at, to=now.to, to_known=now.to_known))


def _keep(current: View) -> None:
    st.session_state[_VIEW] = current
    ours, address = _ours(), st.query_params.to_dict()
    wanted = {k: v for k, v in address.items() if k not in ours} | written(current)
    if address != wanted:
        st.query_params.from_dict(wanted)


def _ours() -> frozenset[str]:
    """The parameters of an address that are the view's."""
    return View.names().union(*(page.names() for page in _PAGES))


def read(params: Mapping[str, str]) -> View:
    """The view that an address asks for; what cannot be read is left at its default."""
    return replace(View.read(params), pages=_sorted(*(page.read(params) for page in _PAGES)))


def written(current: View) -> dict[str, str]:
    """The view as parameters of an address; defaults are left out."""
    return {name: value for part in (current, *current.pages) for name, value in part.written().items()}


def link(current: View, page: type[AddressPart]) -> str:
    """Return the query of a link to the open page: the workspace, the dates and what `page` adds, nothing of others."""
    return urlencode(written(replace(current, entity=None, fact=None, pages=_sorted(current.of(page)))))


def remembered(key: str, default: Any = None) -> Any:
    """A value of this session that is no part of the view (a pinned entity, an upload under way)."""
    return st.session_state.get(key, default)


def remember(key: str, value: Any) -> None:
    """Keep a value for this session, or preset the widget of that key before it is drawn."""
    st.session_state[key] = value


def forget(*keys: str) -> None:
    """Drop values of this session."""
    for key in keys:
        st.session_state.pop(key, None)


def pop(key: str) -> Any:
    """Return a value of this session, if there is one, and drop it."""
    return st.session_state.pop(key, None)


def toggle(key: str, value: Any = True) -> None:
    """Keep a value for this session, or drop it where it is the one that is kept; for callbacks."""
    if remembered(key) == value:
        forget(key)
    else:
        remember(key, value)


def address() -> dict[str, str]:
    """The parameters of the address as they stand, ours and others."""
    return st.query_params.to_dict()


def take_parameter(name: str) -> str | None:
    """Return a parameter of the address, and shorten the address by it."""
    value = st.query_params.get(name)
    if value is not None:
        del st.query_params[name]
    return value


def theme() -> Literal["light", "dark"]:
    """The theme that the viewer sees."""
    return "dark" if st.context.theme.type == "dark" else "light"
