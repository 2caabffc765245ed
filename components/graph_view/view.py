"""The graph view as Python sees it: a picture goes in, the viewer's actions come out.

Two components share the work. The view gets the picture, which is large and seldom changes; an invisible control gets
selection, instants and filters, which are small and change with every click. So a click does not send the picture
again.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import pyvis
import streamlit as st

from components import state
from components.graph_view.network import milliseconds
from components.palette import OTHER, Look
from components.served_assets import named_by_content, serve

_ASSETS = Path(__file__).parent / "assets"
_VIS = Path(pyvis.__file__).parent / "templates/lib/vis-9.1.2"


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected entity or fact, by uuid."""

    kind: Literal["entity", "fact"]
    uuid: str


@dataclass(frozen=True, slots=True)
class PictureCommunity:
    """A community with those of its members that are in a picture, and its colour in each theme."""

    id: str
    name: str
    members: tuple[str, ...]
    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture to draw. `network` is of `network_of`, as JSON; while `layout` stays, entities keep their places.

    `first` and `last` bound the slider, `total` counts the entities that the picture was cut from, and `caption`
    stands under a saved picture. Of `communities` the largest in the picture come first. `parameters` are those of the
    address that a copied link has, and `copied` says that it was. `panel` selects the element that says what a path is,
    for the page to bring into sight.
    """

    network: str
    looks: Mapping[str, Look]
    layout: str
    first: datetime
    last: datetime
    total: int
    caption: str
    communities: tuple[PictureCommunity, ...] = ()
    parameters: tuple[str, ...] = ()
    copied: str = "Copied"
    panel: str = ""


@dataclass(frozen=True, slots=True)
class Control:
    """The part of a picture to show. `marks` are uuids of facts with what a settled comparison found them to be."""

    as_of: datetime
    to: datetime | None = None
    selected: Selection | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    lit: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    hidden_types: tuple[str, ...] = ()
    hidden_relations: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    unfolded: bool = False
    grouped: bool = False


def graph_view(picture: Picture, control: Control, *, key: str, on_event: Callable[[str, Any], None]) -> None:
    """Draw a picture. Before the next run, `on_event(kind, value)` is called for each action of the viewer, in order:

    - "select": {"kind", "uuid"} or None; "expand", "only", "timeline": a uuid
    - "pin", "hide": all pinned, all hidden uuids
    - "path": {"from": a uuid, "to": a uuid, or None to ask for it}
    - "time": {"as_of": milliseconds or None for now, "to": milliseconds or None}
    - "filters": {"types": hidden ones, "relations": hidden ones}
    - "fold": whether common values are letters; "group": whether colours tell communities apart
    - "community": the id of one to show
    - "step": the picture as it was or is to be again: {"roots", "hidden", "pinned", "types", "relations"}
    """
    with st.container(gap=None):
        _control(key=f"{key}_control", data=_controls(control, key))
        _view()(key=key, data=_picture(picture, key), on_events_change=functools.partial(_drain, key, on_event))


def _picture(picture: Picture, key: str) -> dict[str, Any]:
    return {
        "view": key,
        "network": picture.network,
        "looks": {
            name: {"shape": look.shape, "light": look.light, "dark": look.dark, "hollow": look == OTHER}
            for name, look in picture.looks.items()
        },
        "layout": picture.layout,
        "bounds": {"first": milliseconds(picture.first), "last": milliseconds(picture.last)},
        "total": picture.total,
        "caption": picture.caption,
        "parameters": picture.parameters,
        "copied": picture.copied,
        "panel": picture.panel,
        "communities": [asdict(community) for community in picture.communities],
    }


def _controls(control: Control, key: str) -> dict[str, Any]:
    return asdict(control) | {
        "view": key,
        "seq": state.remembered(f"{key}_seq", 0),
        "as_of": milliseconds(control.as_of),
        "to": milliseconds(control.to),
    }


def _drain(key: str, on_event: Callable[[str, Any], None]) -> None:
    """Hand on the events that no run has seen yet. They wait in a queue, so a slow run loses none."""
    seen = state.remembered(f"{key}_seq", 0)
    for event in state.remembered(key, {}).get("events") or []:
        if event["seq"] > seen:
            seen = event["seq"]
            on_event(event["kind"], event["value"])
    state.remember(f"{key}_seq", seen)


# -- the components' files

_CONTROL_JS = """export default function ({ data }) {
  const views = (globalThis[Symbol.for("asof.graph_views")] ??= new Map());
  const entry = views.get(data.view) ?? {};
  views.set(data.view, Object.assign(entry, { control: data }));
  entry.obey?.();
}
"""


def _view() -> Any:
    serve("vis-network-9.1.2", _VIS)
    return _registered_view(serve(named_by_content("graph_view", _ASSETS), _ASSETS))


@functools.cache
def _registered_view(name: str) -> Any:
    html, css = ((_ASSETS / f"frame.{kind}").read_text() for kind in ("html", "css"))
    return st.components.v2.component(name, html=html, css=css, js="main.js")


_control = st.components.v2.component("asof_graph_control", html="<i></i>", js=_CONTROL_JS)
