"""Parameters and replies of FalkorDB, against the real one."""

from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.core.bridge import AsyncBridge
from services.core.config import Settings
from services.core.models import Entity, GraphWrite
from services.graph.connect import open_graph

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
scalars = st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.sampled_from([0.5, -1.25, 1e30]) | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4), max_leaves=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=values)
def test_a_parameter_comes_back_as_it_was_sent(embedded_settings: Settings, bridge: AsyncBridge, value: object) -> None:
    async def echo() -> object:
        store = open_graph(embedded_settings)
        try:
            return (await store._db.write("wire", "RETURN $value", value=value))[0][0]  # type: ignore[attr-defined]
        finally:
            await store.close()

    assert bridge.run(echo()) == value


def test_nul_and_half_characters_do_not_break_a_write(embedded_settings: Settings, bridge: AsyncBridge) -> None:
    store, workspace = open_graph(embedded_settings), f"wire-{uuid4().hex[:8]}"
    bridge.run(store.write(workspace, GraphWrite((Entity("u-1", "a\0b\ud800c"),))))
    assert bridge.run(store.entities(workspace, ["u-1"]))[0].name == "ab?c"
    bridge.run(store.clear(workspace))
    bridge.run(store.close())
