"""Whatever was done to a graph, undoing it all, newest first, leaves it exactly as it was, on every database."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.agent.app import App
from services.bootstrap import build_services
from services.core import clock
from services.core.change_records import ChangeSetRecord, Origin
from services.core.config import Settings
from services.core.import_rows import Row
from services.core.models import Entity, Episode, Fact, GraphWrite, SectionType, SimilarChunks, StructuredDocument
from services.documents.versions import NewDocument
from services.writing.change_sets import change_sets, writing
from services.writing.documents import ingest_documents
from services.writing.edits import Edit, Merge, Scope
from services.writing.importer import import_rows
from services.writing.undoing import redo, undo
from tests.conftest import FULL
from tests.contract.conftest import SLOW_NEO4J
from tests.contract.graph_dump import dump
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.word_embedder import WordEmbedder

NAMES = ("Ann", "Bo", "Cy", "Acme", "Cog")
TEXTS = (
    "# Ann\n\nAnn is a cook.\n\n## Soups\n\nLeek and bean.",
    "# Ann\n\nAnn is a baker.\n\n## Breads\n\nRye.",
    "A line of text.",
)
STEPS = ("import", "import", "import", "document", "fact", "end", "merge", "delete", "delete", "link", "undo", "redo")

FOREIGN = (
    "CREATE (a:Entity:Person {uuid: 'f-ann', name: 'Ann', group_id: $group, labels: ['Entity', 'Person'], age: 41,"
    " height: 1.75, created_at: $now, name_embedding: $vector}),"
    " (b:Entity {uuid: 'f-bo', name: 'Bo', group_id: $group, summary: '', created_at: $now, tags: ['x', 'y']}),"
    " (a)-[:RELATES_TO {uuid: 'f-knows', name: 'KNOWS', fact: 'Ann knows Bo.', group_id: $group, episodes: ['f-page'],"
    " source_node_uuid: 'f-ann', target_node_uuid: 'f-bo', created_at: $now, valid_at: $now, weight: 0.5}]->(b),"
    " (a)-[:RELATES_TO {name: 'MET', fact: 'Ann met Bo.', group_id: $group, created_at: $now}]->(b),"
    " (p:Episodic {uuid: 'f-page', name: 'Page', content: 'Ann knows Bo.', source: 'text', group_id: $group,"
    " entity_edges: ['f-knows'], created_at: $now, valid_at: $now}),"
    " (p)-[:MENTIONS {uuid: 'f-m1', group_id: $group, created_at: $now}]->(a),"
    " (p)-[:MENTIONS {uuid: 'f-m2', group_id: $group, created_at: $now}]->(b),"
    " (c:Community {uuid: 'f-all', name: 'All', group_id: $group, summary: 'Both.', created_at: $now}),"
    " (c)-[:HAS_MEMBER {uuid: 'f-h1', group_id: $group, created_at: $now}]->(a),"
    " (c)-[:HAS_MEMBER {uuid: 'f-h2', group_id: $group, created_at: $now}]->(b),"
    " (s:Saga {uuid: 'f-saga', name: 'Saga', group_id: $group, created_at: $now}),"
    " (s)-[:HAS_EPISODE {uuid: 'f-e', group_id: $group, created_at: $now}]->(p),"
    " (a)-[:OWNS {since: 3}]->(:Thing {name: 'a thing of another program', group_id: $group})"
)


@dataclass
class World:
    """A workspace that is acted on, and what can be undone there."""

    services: App
    workspace: str = field(default_factory=lambda: f"undo-{uuid4().hex[:10]}")
    undone: list[str] = field(default_factory=list)

    def run(self, work: Any) -> Any:
        return self.services.bridge.run(work, timeout=None)

    def all(self, scan: str) -> list[Any]:
        async def gathered() -> list[Any]:
            return [one async for page in getattr(self.services.graph, scan)(self.workspace) for one in page]

        return sorted(self.run(gathered()), key=lambda one: one.uuid)

    def entities(self) -> list[Entity]:
        return self.all("scan_entities")

    def facts(self) -> list[Fact]:
        return [fact for fact in self.all("scan_facts") if not fact.uuid.startswith("edge:")]

    def episodes(self) -> list[Episode]:
        return self.all("scan_episodes")

    def dump(self) -> tuple[list[str], list[str]]:
        return dump(self.services, self.workspace)

    def apply(self, edit: Edit, title: str = "edit") -> None:
        with writing(self.services.workspace(self.workspace)) as writer:
            writer.apply(edit, title=title, origin=Origin("form"))
        self.undone.clear()

    def sets(self) -> list[ChangeSetRecord]:
        return list(change_sets(self.services.workspace(self.workspace), 1_000))

    # -- the steps

    def act(self, step: str, a: int, b: int, c: int) -> None:
        getattr(self, f"do_{step}")(a, b, c)

    def do_import(self, a: int, b: int, c: int) -> None:
        def pick(n: int) -> str:
            return NAMES[n % len(NAMES)]

        rows = [
            Row(
                1,
                pick(a),
                "KNOWS",
                pick(b),
                valid_at=_year(c),
                created_at=_year(c + 1),
                episode=f"Letter {a % 3}",
                invalid_at=_year(c + 5) if a % 2 else None,
                attributes={"x": 0.1 + 0.2} if b % 2 else {},
                valid_at_precision="year" if c % 2 else "instant",
                invalid_at_precision="month" if a % 4 else "instant",
            ),
            Row(
                2,
                pick(b),
                "WORKS_AT",
                pick(c),
                source_type="Person" if a % 3 else "",
                valid_at=_year(c % 4),
                ended_unknown=a % 5 == 0,
            ),
        ]
        before = self.sets()
        import_rows(self.services.workspace(self.workspace), rows, title="rows")
        if self.sets() != before:
            self.undone.clear()

    def do_document(self, a: int, b: int, c: int) -> None:
        document = NewDocument(f"doc {a % 2}", TEXTS[b % len(TEXTS)], title=NAMES[c % 2])
        if ingest_documents(self.services.workspace(self.workspace), [document]).unchanged == 0:
            self.undone.clear()

    def do_fact(self, a: int, b: int, c: int) -> None:
        if facts := self.facts():
            fact, entities = facts[a % len(facts)], self.entities()
            other = entities[b % len(entities)]
            moved = {"target_uuid": other.uuid, "target": other.name} if c % 3 == 0 else {}
            changed = replace(fact, text=f"It says {c}.", attributes={**fact.attributes, "y": c}, **moved)
            self.apply(Edit(replaced=GraphWrite(facts=(changed,))))

    def do_end(self, a: int, b: int, c: int) -> None:
        if facts := self.facts():
            known = {"invalid_at": _year(b), "invalid_at_precision": "year"} if c % 2 else {"ended_unknown": True}
            ended = replace(facts[a % len(facts)], expired_at=clock.now(), **known)
            self.apply(Edit(replaced=GraphWrite(facts=(ended,))))

    def do_merge(self, a: int, b: int, c: int) -> None:
        entities = self.entities()
        if len(entities) > 1:
            gone, kept = entities[a % len(entities)], entities[b % len(entities)]
            if gone != kept:
                self.apply(Edit(merges=(Merge(gone.uuid, kept.uuid),)))

    def do_delete(self, a: int, b: int, c: int) -> None:
        kind = ("entities", "facts", "episodes", "documents")[c % 4]
        if kind == "documents":
            held = [one.id for one in self.run(self.services.graph.documents.all_documents(self.workspace))]
        else:
            held = [one.uuid for one in getattr(self, kind)()]
        if held:
            self.apply(Edit(gone=Scope(**{kind: frozenset({held[a % len(held)], held[b % len(held)]})})))

    def do_link(self, a: int, b: int, c: int) -> None:
        async def held() -> list[StructuredDocument]:
            documents = self.services.graph.documents
            ids = [one.id for one in await documents.all_documents(self.workspace)]
            return [whole async for batch in documents.scan(self.workspace, ids) for whole in batch]

        whole = self.run(held())
        chunks = sorted(chunk.id for one in whole for chunk in one.chunks)
        sections = sorted(section.id for one in whole for section in one.sections)
        if len(chunks) > 1 and chunks[a % len(chunks)] != chunks[b % len(chunks)]:
            pair = SimilarChunks(chunks[a % len(chunks)], chunks[b % len(chunks)], c / 12)
            self.apply(Edit(similar=(pair,), only_similar=c % 2 == 0))
        elif sections:
            ids = tuple(sections[: 1 + b % len(sections)])
            kind = SectionType(f"section_type:{a % 2}", "Soups", "soups", (), ids, (0.5, 0.25), _year(1), _year(c))
            self.apply(Edit(section_types=(kind,)))

    def do_undo(self, a: int, b: int, c: int) -> None:
        done = [one for one in self.sets() if one.can_undo]
        if done:
            result = undo(self.services.workspace(self.workspace), done[0].id)
            assert result.left == ()
            self.undone.append(done[0].id)

    def do_redo(self, a: int, b: int, c: int) -> None:
        if self.undone:
            assert redo(self.services.workspace(self.workspace), self.undone.pop()).left == ()

    def undo_all(self) -> None:
        for one in self.sets():
            if one.state == "done":
                assert undo(self.services.workspace(self.workspace), one.id).left == ()


def _year(number: int) -> datetime:
    return datetime(2000 + number, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def services_of(request: pytest.FixtureRequest, short_folder: Any) -> Iterator[Any]:
    """Services on a database by its name, with an embedder that needs no model."""
    built: dict[str, App] = {}

    def made(name: str) -> App:
        if name not in built:
            home = short_folder / f"undo-{name}"
            given = Settings(graph_url="embedded") if name in ("memory", "embedded") else None
            chosen = given or request.getfixturevalue(f"{name}_settings")
            graph = MemoryGraphStore() if name == "memory" else None
            built[name] = build_services(chosen.model_copy(update={"home": home}), graph=graph, embedder=WordEmbedder())
        return built[name]

    yield made
    for services in built.values():
        services.close()


def foreign(world: World) -> None:
    """Fill a workspace as Graphiti and others do."""
    database = world.services.graph._db  # type: ignore[attr-defined]
    now, vector = database.date(datetime(2020, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)), [0.1, 0.25]
    text = FOREIGN.replace("$vector", database.vector("$vector"))
    world.run(database.write(world.workspace, text.replace("$group", f"'{world.workspace}'"), now=now, vector=vector))


STEP = st.tuples(st.sampled_from(STEPS), *(st.integers(0, 11) for _ in range(3)))
LIFE = st.lists(STEP, min_size=2, max_size=7)
FEW = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
MANY = settings(FEW, max_examples=24 if FULL else 12)


def live(services: App, steps: list[tuple[str, int, int, int]], *, with_others: bool) -> None:
    world = World(services)
    if with_others:
        foreign(world)
    before = world.dump()
    for step in steps:
        world.act(*step)
    world.undo_all()
    assert world.dump() == before
    world.run(services.graph.clear(world.workspace))


@FEW
@given(LIFE)
def test_undoing_all_newest_first_leaves_a_graph_in_memory_as_it_was(services_of: Any, steps: Any) -> None:
    live(services_of("memory"), steps, with_others=False)


@FEW
@given(LIFE, st.booleans())
def test_undoing_all_newest_first_leaves_a_database_as_it_was(services_of: Any, steps: Any, with_others: bool) -> None:
    live(services_of("embedded"), steps, with_others=with_others)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["falkordb", SLOW_NEO4J])
@MANY
@given(steps=LIFE, with_others=st.booleans())
def test_undoing_all_newest_first_leaves_every_database_as_it_was(
    services_of: Any, name: str, steps: Any, with_others: bool
) -> None:
    live(services_of(name), steps, with_others=with_others)
