"""The one finder: an entity by its name, its title, a former name or its id, and on top of the pages a page too."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import streamlit as st

from components import state
from components.address import parameters_of
from components.entity_picker import open_entity
from components.header.menu import Groups
from components.markup import clipped, dotted, first_line
from components.palette import OTHER, looks_of
from services import cached
from services.accounts import User
from services.mirror import FoundEntity, find_named

_KEY, _TO = "finder", "finder_page"
_ASSETS = Path(__file__).parent / "assets"
_OF_ONE_ENTITY = ("Explore", "Timeline")

_finder = st.components.v2.component(
    "asof_finder",
    html="""<div class="finder" role="search"><button type="button" class="open"><i class="icon">search</i></button>
<div class="field"><i class="icon" aria-hidden="true">search</i><input type="text" role="combobox" autocomplete="off"
aria-autocomplete="list" aria-controls="lines" aria-expanded="false" spellcheck="false"><kbd aria-hidden="true">/</kbd>
</div><ul role="listbox" id="lines" hidden></ul></div>""",
    css=(_ASSETS / "finder.css").read_text(),
    js="".join((_ASSETS / f"{part}.js").read_text() for part in ("elements", "finder")),
)


def page_finder(groups: Groups, current: str, user: User) -> None:
    """Draw the finder on top of the page named `current`, and go to what was chosen in it."""
    with st.container(key=_KEY):
        _page_finder(groups, current, user)


@st.fragment
def _page_finder(groups: Groups, current: str, user: User) -> None:
    workspace = state.view().workspace or cached.home()
    is_granted = any(workspace == one.name for one in cached.workspaces_of(user))
    pages = [{"name": page.title, "icon": page.icon} for listed in groups.values() for page in listed]
    granted = workspace if is_granted else None
    _draw(granted, f"{_KEY}_box", "Go to an entity or a page", lambda chosen: _take(chosen, current), pages)
    chosen = state.pop(_TO)
    if chosen == current:
        st.rerun()
    if chosen in {page["name"] for page in pages}:
        st.switch_page(f"{chosen}.py", query_params=parameters_of(state.held()))


def entity_finder(workspace: str, on_pick: Callable[[str], None], *, key: str, width: int = 240) -> None:
    """Draw a finder of entities; `on_pick` gets the uuid of the one that is chosen, and the page runs again."""
    with st.container(key=key, width=width):
        _entity_finder(workspace, f"{key}_box", on_pick)


@st.fragment
def _entity_finder(workspace: str, key: str, on_pick: Callable[[str], None]) -> None:
    def take(chosen: Mapping[str, str]) -> None:
        on_pick(chosen["entity"])
        state.remember(f"{key}_picked", True)

    _draw(workspace, key, "Find an entity", take)
    if state.pop(f"{key}_picked"):
        st.rerun()


def _draw(
    workspace: str | None,
    key: str,
    label: str,
    take: Callable[[Mapping[str, str]], None],
    pages: Sequence[Mapping[str, str]] | None = None,
) -> None:
    typed = state.remembered(key, {}).get("typed") or ""
    found = cached.ask(find_named, workspace, typed) if workspace and typed else ()
    _finder(
        key=key,
        data={
            "label": label,
            "inline": pages is None,
            "pages": pages or [],
            "typed": typed,
            "hits": [_hit(workspace, one) for one in found] if workspace else [],
        },
        on_typed_change=lambda: None,
        on_chosen_change=lambda: take(state.remembered(key)["chosen"]),
    )


def _hit(workspace: str, found: FoundEntity) -> dict[str, str]:
    entity, look = found.entity, looks_of(workspace).get(found.entity.type, OTHER)
    title = first_line(entity.summary)
    also = f"formerly {found.former_name}" if found.former_name else found.id
    about = dotted(also, clipped(title, 70) if title != entity.name else "")
    marks = {"mark": look.mark, "light": look.light, "dark": look.dark}
    return {"uuid": entity.uuid, "name": entity.name, "type": entity.type, "about": about, **marks}


def _take(chosen: Mapping[str, str], current: str) -> None:
    if uuid := chosen.get("entity"):
        open_entity(uuid)
        state.remember(_TO, current if current in _OF_ONE_ENTITY else "Timeline")
    else:
        state.remember(_TO, chosen["page"])
