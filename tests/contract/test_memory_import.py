"""An import of an agent's records is one change on every database: undone, redone, exported, deleted with the rest."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.context import OpenWorkspace
from services.core.config import Settings
from services.memory.record_lines import read_record_lines, record_line
from services.writing import workspaces
from services.writing.change_sets import change_set_lines, change_sets
from services.writing.memory_import import import_records, preview_records
from services.writing.undoing import preview_undo, redo, undo
from tests.contract.conftest import DATABASES
from tests.contract.graph_dump import dump
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.word_embedder import WordEmbedder
from tests.services.memory.seeds import SEEDS, lines

ANN = {"type": "Partnership", "id": "ann", "partner_name": "Ann", "trust_level": 0.5, "shared_history": ["tea"]}


@pytest.fixture(scope="module", params=["memory", *DATABASES])
def services(request: pytest.FixtureRequest, short_folder: Any) -> Iterator[App]:
    name = request.param
    local = name in ("memory", "embedded")
    chosen = Settings(graph_url="embedded") if local else request.getfixturevalue(f"{name}_settings")
    home, graph = short_folder / f"records-{name}", MemoryGraphStore() if name == "memory" else None
    services = build_services(chosen.model_copy(update={"home": home}), graph=graph, embedder=WordEmbedder())
    yield services
    services.close()


@pytest.fixture
def workspace(services: App) -> Iterator[OpenWorkspace]:
    workspace = services.workspace(f"records-{uuid4().hex[:10]}")
    yield workspace
    services.bridge.run(services.graph.clear(workspace.name))


def put(workspace: OpenWorkspace, *records: dict[str, Any]) -> Any:
    return import_records(workspace, read_record_lines(lines(*records)).records, title="Memory")


def held(workspace: OpenWorkspace) -> dict[str, dict[str, Any]]:
    found = workspace.run(workspace.graph.memory.all_records(workspace.name))
    return {one.id: record_line(one) for one in found}


def test_what_was_imported_is_exported_as_it_was(workspace: OpenWorkspace) -> None:
    odd = {"type": "Constraint", "id": " \x01ö" * 9, "weight": 1.5, "open": True, "sizes": [1, 2], "who": "“a`b”\n"}
    plan = put(workspace, *SEEDS, odd)
    assert (len(plan.new), len(plan.changed), plan.unchanged) == (len(SEEDS) + 1, 0, 0)
    assert held(workspace) == {record["id"]: record for record in (*SEEDS, odd)}
    assert workspace.run(workspace.graph.memory.counts(workspace.name)) == plan.document()["types"]
    again = preview_records(workspace, read_record_lines(lines(*SEEDS, odd)).records)
    assert (again.new, again.changed, again.unchanged) == ((), (), len(SEEDS) + 1)


def test_an_upsert_keeps_what_it_does_not_give_and_null_takes_away(workspace: OpenWorkspace) -> None:
    put(workspace, ANN)
    plan = put(
        workspace,
        {"type": "Partnership", "id": "ann", "trust_level": 0.9, "shared_history": None},
        {"type": "Partnership", "id": "ann", "partner_role": "cook"},
        {"type": "Constraint", "id": "ann"},
    )
    assert (len(plan.new), len(plan.changed)) == (1, 1)
    found = workspace.run(workspace.graph.memory.all_records(workspace.name))
    assert [record_line(one) for one in found] == [
        {"type": "Constraint", "id": "ann"},
        {"type": "Partnership", "id": "ann", "partner_name": "Ann", "trust_level": 0.9, "partner_role": "cook"},
    ]


def test_an_import_is_one_change_that_is_undone_and_redone(services: App, workspace: OpenWorkspace) -> None:
    put(workspace, ANN)
    before = dump(services, workspace.name)
    put(workspace, {**ANN, "trust_level": 0.9}, *SEEDS)
    after = dump(services, workspace.name)
    latest, _ = change_sets(workspace)
    assert latest.counts["records"] == len(SEEDS) + 1
    texts = [line.text for line in change_set_lines(services, latest.id)]
    assert texts[0] == "Partnership partnership_felix_nicolas: Nicolas"
    assert texts[-1] == "Partnership ann: Ann: record changed"
    assert undo(workspace, latest.id).restored == len(SEEDS) + 1
    assert dump(services, workspace.name) == before
    assert redo(workspace, latest.id).works
    assert dump(services, workspace.name) == after
    assert put(workspace, ANN, *SEEDS[:1]).unchanged == 1
    assert len(change_sets(workspace)) == 3
    left = preview_undo(workspace, latest.id).left
    assert [(one.kind, one.name) for one in left] == [("record", "Partnership ann")]


def test_a_workspace_takes_its_records_along_when_it_is_emptied(services: App, workspace: OpenWorkspace) -> None:
    put(workspace, ANN)
    other = replace(workspace, name=f"{workspace.name}-other")
    put(other, ANN)
    assert {workspace.name, other.name} <= set(workspace.run(workspace.graph.workspaces()))
    workspaces.empty(workspace)
    assert held(workspace) == {}
    assert set(held(other)) == {"ann"}
    workspaces.delete(other)
    assert held(other) == {}
    assert other.name not in workspace.run(workspace.graph.workspaces())
