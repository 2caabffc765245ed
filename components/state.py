"""What the analyst is looking at: the view, in the address and in the session.

The only module that touches `st.session_state` and `st.query_params`. The address wins, so a link opens the same view;
the session carries the view over a change of page, which drops the address's parameters.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import streamlit as st

from components.search import asked
from components.search.asked import Asked
from services.core import clock
from services.core.errors import BadInput
from services.core.models import Instants


@dataclass(frozen=True, slots=True)
class View:
    """One view. None of an instant is "now"; `to` and `to_known` are the second side of a comparison.

    `roots` are the entities that Explore's picture has grown from, in their order, and `hidden` those taken out of it.
    `since` is where the Timeline begins, `lanes` how many lines it shows at most. `search` is what is looked for.
    `chat` is a conversation, `message` the answer in it that is looked at; of that, `cited` is the number of the source
    that is open, `call` the id of the open call, and `beside` another answer to compare it with.
    """

    workspace: str | None = None
    entity: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    to: datetime | None = None
    to_known: datetime | None = None
    fact: str | None = None
    hops: int = 1
    roots: tuple[str, ...] = ()
    hidden_types: tuple[str, ...] = ()
    hidden_relations: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    since: datetime | None = None
    lanes: int = 12
    chat: str | None = None
    message: str | None = None
    cited: int | None = None
    call: str | None = None
    beside: str | None = None
    source: str | None = None
    search: Asked = field(default_factory=Asked)

    @property
    def comparing(self) -> bool:
        """True when the view compares two instants."""
        return self.to is not None or self.to_known is not None

    @property
    def at(self) -> Instants:
        """The two clocks of the view, or of its first side."""
        return Instants(self.as_of or _now(), self.known_at or _now())

    @property
    def then(self) -> Instants:
        """The two clocks of a comparison's second side; what was not given there is as on the first."""
        return Instants(self.to or self.at.as_of, self.to_known or self.at.known_at)


def _now() -> datetime:
    """The end of this minute.

    Reruns within it ask the same question, which caches then answer; what was recorded a moment ago is known.
    """
    return clock.now().replace(second=0, microsecond=0) + timedelta(minutes=1)


_VIEW = "view"
_INSTANTS = ("as_of", "known_at", "to", "to_known", "since")
_LISTS = ("hidden_types", "hidden_relations", "hidden")
MOST_LANES = 600
_NUMBERS = {"hops": range(1, 4), "lanes": range(1, MOST_LANES + 1), "cited": range(1, 10_000)}
_TALK = ("chat", "message", "call", "beside")
_FIELDS = ("workspace", "entity", "fact", "source", "roots", *_TALK, *_NUMBERS, *_INSTANTS, *_LISTS)
_NAMES = {name: name for name in _FIELDS}
_NAMES |= {"workspace": "w", "entity": "e", "fact": "f", "roots": "r", "hidden": "h", "chat": "c", "message": "m"}
_NAMES["source"] = "s"
_OURS = asked.NAMES | set(_NAMES.values())


def view() -> View:
    """The view of this run, read from the address, else from the session."""
    address = st.query_params.to_dict()
    current = read(address) if _OURS & address.keys() else st.session_state.get(_VIEW, View())
    _keep(current)
    return current


def held() -> View:
    """The view as the last deed left it, which is what a callback goes on from.

    The browser sends the address that it has: of two quick deeds, the second comes with the one from before the first.
    """
    return st.session_state.get(_VIEW) or view()


def update(**changes: Any) -> View:
    """Change parts of the view; for callbacks, before the script runs again."""
    current = replace(held(), **changes)
    _keep(current)
    return current


def go(**changes: Any) -> None:
    """`update` as a widget's callback."""
    update(**changes)


def ask(**changes: Any) -> None:
    """Change parts of the search, from its first hits again and with no document open; as a widget's callback."""
    afresh: dict[str, Any] = {"shown": asked.PAGE, "open": "", "lines": None}
    update(search=replace(held().search, **(afresh | changes)))


def look_at(message: str | None, **changes: Any) -> None:
    """Look at an answer of the conversation, with nothing of another one open; for callbacks."""
    update(**{"message": message, "cited": None, "call": None, "beside": None} | changes)


def follow(address: Mapping[str, str]) -> None:
    """Take over the view that an address asks for."""
    _keep(read(address))


def open_workspace(name: str | None) -> None:
    """Go to another workspace at the same instants, with nothing selected or left out; for callbacks."""
    now = held()
    _keep(View(name, as_of=now.as_of, known_at=now.known_at, to=now.to, to_known=now.to_known))


def _keep(current: View) -> None:
    st.session_state[_VIEW] = current
    params = written(current)
    others = {k: v for k, v in st.query_params.to_dict().items() if k not in _OURS}
    if st.query_params.to_dict() != {**others, **params}:
        st.query_params.from_dict({**others, **params})


def read(params: Mapping[str, str]) -> View:
    """The view that an address asks for; what cannot be read is left at its default."""
    found: dict[str, Any] = {}
    for name in _FIELDS:
        text = params.get(_NAMES[name])
        if text is None:
            continue
        if name in _INSTANTS:
            found[name] = _instant(text)
        elif name in _LISTS:
            found[name] = tuple(sorted(filter(None, text.split("|"))))
        elif name == "roots":
            found[name] = tuple(filter(None, text.split("|")))
        elif name in _NUMBERS:
            found |= {name: int(text)} if text.isdecimal() and int(text) in _NUMBERS[name] else {}
        else:
            found[name] = text
    return View(**found, search=asked.read(params))


def _instant(text: str) -> datetime | None:
    try:
        return clock.parse_instant(text)
    except BadInput:
        return None


def written(current: View) -> dict[str, str]:
    """The view as parameters of an address; defaults are left out."""
    params: dict[str, str] = {}
    for name in _FIELDS:
        value = getattr(current, name)
        if value == getattr(View(), name):
            continue
        if isinstance(value, datetime):
            value = short(value)
        elif isinstance(value, tuple):
            value = "|".join(value)
        params[_NAMES[name]] = str(value)
    return params | asked.written(current.search)


def short(value: datetime) -> str:
    """An instant as people write it: the date alone when it is the start of its day in UTC."""
    value = value.astimezone(UTC)
    return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat().replace("+00:00", "Z")


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


def address() -> dict[str, str]:
    """The parameters of the address as they stand, ours and others."""
    return st.query_params.to_dict()


def theme() -> Literal["light", "dark"]:
    """The theme that the viewer sees."""
    return "dark" if st.context.theme.type == "dark" else "light"
