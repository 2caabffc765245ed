"""The facts behind an answer as a small graph: what it cites in the accent, the rest as it stands at its date."""

import hashlib
import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import streamlit as st

from components import state
from components.graph_view import Control, Picture, Selection, graph_view
from components.graph_view.layout import place
from components.graph_view.network import network_of
from components.palette import looks_of
from services import cached
from services.core import time_rule
from services.core.models import Fact, Instants
from services.mirror import Mirror

_MOST = 40
_CLOSER = 0.5
"""The ground is half as wide as the one that the layout is made for; a few entities need still less of it."""
_SELECTED = "spotlight_selected"


def spotlight(workspace: str, facts: Sequence[Fact], cited: Sequence[str], at: Instants) -> None:
    """Draw the graph; `cited` are the uuids of the facts that the answer cites, which come first where not all fit."""
    first = set(cited)
    shown = tuple(sorted(facts, key=lambda fact: fact.uuid not in first)[:_MOST])
    uuids = tuple(dict.fromkeys(uuid for fact in shown for uuid in (fact.source_uuid, fact.target_uuid)))
    content = hashlib.sha256("|".join(fact.uuid for fact in shown).encode()).hexdigest()[:24]
    begins = [fact.valid_at for fact in shown if fact.valid_at]
    picture = Picture(
        network=_network(workspace, content, at.known_at, uuids, shown),
        looks=looks_of(workspace),
        layout=content,
        first=min(begins, default=at.as_of),
        last=max([*begins, at.as_of]),
        total=len({uuid for fact in facts for uuid in (fact.source_uuid, fact.target_uuid)}),
        caption="The facts behind an answer",
    )
    chosen = state.remembered(_SELECTED)
    selected = Selection(*chosen) if chosen and chosen[1] in {*uuids, *(fact.uuid for fact in shown)} else None
    control = Control(as_of=at.as_of, selected=selected, lit=tuple(fact.uuid for fact in shown if fact.uuid in first))
    with st.container(key="spotlight_box"):
        graph_view(picture, control, key="spotlight", on_event=_take)


@st.cache_resource(ttl=timedelta(hours=1), max_entries=64, show_spinner=False)
def _network(workspace: str, content: str, known_at: Any, _uuids: tuple[str, ...], _facts: tuple[Fact, ...]) -> str:
    """The network as JSON, kept under the digest of what is in it."""
    del content
    known = {entity.uuid: entity for entity in cached.ask(Mirror.entities, workspace, _uuids)}
    entities = tuple(known[uuid] for uuid in _uuids if uuid in known)
    facts = tuple(time_rule.as_known(fact, known_at) for fact in _facts)
    closer = _CLOSER * min(1.0, 0.4 + len(entities) / 12)
    places = {uuid: (x * closer, y * closer) for uuid, (x, y) in place(entities, facts).items()}
    return json.dumps(network_of(entities, facts, places, looks_of(workspace), known_at=known_at, begun={}))


def _take(kind: str, value: Any) -> None:
    if kind == "select":
        state.remember(_SELECTED, (value["kind"], value["uuid"]) if value else None)
