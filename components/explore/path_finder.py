"""The shortest chain of facts between the selected entity and another, of those that hold or have no date."""

import streamlit as st

from components import dates, state
from components.address import View
from components.explore.entity_box import entity_box
from components.explore.explore_view import ExploreView
from components.explore.shown_graph import roots_of
from components.lazy_containers import draw_when_open
from components.markup import counted, heading, plain, relation, text
from services import cached
from services.core.models import Entity, Path
from services.mirror import Mirror

_BOX = "explore_path"


def path_of(workspace: str, view: View) -> Path | None:
    """The path that the view asks for, if there is one at its instants."""
    target = view.of(ExploreView).path_to
    if not target or not view.entity or target == view.entity:
        return None
    return cached.ask(Mirror.shortest_path, workspace, view.entity, target, view.at)


def path_box(workspace: str) -> None:
    """A button that opens a box, to ask for the path to another entity."""
    # its list of names is long, and seldom asked for
    draw_when_open(st.popover("Path", icon=":material/route:", key=_BOX, on_change="rerun"), _box, workspace)


def find(start: str, end: str | None) -> None:
    """Select where a path starts, and where it leads; without an end, open the box that asks for it. For callbacks."""
    state.update(ExploreView, entity=start, fact=None, group=None, roots=roots_of(state.held()), path_to=end)
    state.remember(_BOX, end is None)


def _box(workspace: str) -> None:
    st.caption("Finds the shortest chain of facts to another entity and avoids values that most entities share.")
    entity_box(workspace, "To which entity?", _seek, key="explore_path_find")


def path_panel(workspace: str, view: View, entity: Entity, path: Path | None) -> None:
    """Say what the path is, which the picture highlights."""
    target = view.of(ExploreView).path_to
    if not target or target == entity.uuid:
        return
    if path is None:
        found = cached.entity(workspace, target)
        st.caption(
            f"No path to {plain(found.name)} on {dates.day(view.at.as_of)} within 5 facts. Try another date or entity."
            if found
            else f"No path: “{plain(target)}” is not in this workspace. Choose another entity."
        )
    else:
        undated = f"{path.undated:,} undated" if path.undated else ""
        heading("Path", ", ".join(filter(None, (counted(len(path.facts), "fact"), undated))), level=3)
        st.html(f'<div class="a-path">{_steps(path)}</div>')
        if path.as_short:
            st.caption(plain(_others(path)))
    st.button("Clear path", key="explore_path_clear", type="tertiary", on_click=_clear)


def _others(path: Path) -> str:
    """Say that other paths are as short, and how to see them."""
    others = counted(path.as_short, "other path is", "other paths are")
    start, end = path.entities[0].name, path.entities[-1].name
    return f"{others} as short. To list them, ask “How is {start} connected to {end}?”"


def _steps(path: Path) -> str:
    steps = [f"<b>{text(path.entities[0].name)}</b>"]
    for number, (fact, near, far) in enumerate(zip(path.facts, path.entities, path.entities[1:], strict=False), 1):
        arrow = "→" if fact.source_uuid == near.uuid else "←"
        css = "a-undated" if fact.valid_at is None else ""
        steps.append(
            f'<div class="a-step {css}"><i>{number}</i> {arrow} {text(relation(fact.relation))}'
            f"<span>{dates.fact_span(fact)}</span></div><b>{text(far.name)}</b>"
        )
    return "".join(steps)


def _clear() -> None:
    state.update(ExploreView, path_to=None)


def _seek(entity_uuid: str) -> None:
    state.update(ExploreView, path_to=entity_uuid)
    state.remember(_BOX, False)  # or it would lie over the answer
