"""How fast are as-of questions on the mirror, against the same question in Cypher on the same database?

    cli.py bench asof [--facts 50000] [--mirror-facts 1000000] [--neo4j URL] [--repeat 15] [--no-import | --only-import]

Generated facts go into the embedded database in a folder of the benchmark's own, and with `--neo4j` into the workspace
`bench-asof` there, which is emptied afterwards; user and password are in the URL or in ASOF_GRAPH_USER and _PASSWORD.
Both sides must give the same answers, or nothing is printed. Import is measured from a CSV file in memory to an open
mirror, in turns with Graphiti's bulk writer, which gets the facts as objects, on the same database; there are no
embeddings on either side. One table in Markdown is printed.
"""

import argparse
import csv
import io
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from falkordb.asyncio import FalkorDB as FalkorClient
from graphiti_core.driver.driver import GraphDriver
from graphiti_core.driver.falkordb_driver import FalkorDriver
from graphiti_core.edges import EntityEdge
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.nodes import EntityNode
from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk

from benchmarks.peers.graphiti_driver import graphiti_driver
from services.agent.app import App
from services.bootstrap import build_services
from services.core import clock, time_rule
from services.core.config import EMBEDDED, Settings
from services.core.models import Entity, Fact, GraphWrite, Instants
from services.graph.connect import target
from services.graph.cypher import every_fact
from services.graph.graphiti_store import GraphitiStore
from services.mirror.mirror import Mirror
from services.tables.tables import read_facts
from services.writing.importer import import_rows

WORKSPACE, PEER_WORKSPACE = "bench-asof", "bench-graphiti"
START, DAYS = datetime(2000, 1, 1, tzinfo=UTC), 9000
FACTS_PER_ENTITY = 20
BATCH = 10_000
GRAPHITI_BATCH = 1_000
IMPORTS = 5
LOOKUPS = 300
YEARS = tuple(datetime(year, 1, 1, tzinfo=UTC) for year in range(2000, 2027))
AT = Instants(datetime(2015, 6, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC))
BEFORE = Instants(datetime(2014, 6, 1, tzinfo=UTC), datetime(2014, 6, 1, tzinfo=UTC))


@dataclass(frozen=True)
class Timed:
    """One question's times in milliseconds."""

    question: str
    where: str
    facts: int
    milliseconds: Sequence[float]
    peer: Sequence[float] = ()

    def row(self) -> str:
        """The line of the table."""
        cells = [self.question, self.where, f"{self.facts:,}", *_figures(self.milliseconds)]
        cells += (
            [*_figures(self.peer), f"{_median(self.peer) / _median(self.milliseconds):.1f}"] if self.peer else [""] * 3
        )
        return f"| {' | '.join(cells)} |"


def main() -> None:
    arguments = _options().parse_args()
    timed: list[Timed] = []
    databases = [("embedded", EMBEDDED), *([("Neo4j", arguments.neo4j)] if arguments.neo4j else [])]
    for name, url in databases:
        with tempfile.TemporaryDirectory(prefix="asof-bench-") as home:
            services = build_services(Settings(home=Path(home), graph_url=url, _env_file=None))
            try:
                timed += measure_database(services, name, arguments)
            finally:
                for workspace in (WORKSPACE, PEER_WORKSPACE):
                    services.bridge.run(services.graph.clear(workspace), timeout=None)
                services.close()
    if arguments.mirror_facts and not arguments.only_import:
        timed += measure_mirror(arguments.mirror_facts, arguments.repeat)
    print("| question | on | facts | median ms | p95 ms | peer: median ms | p95 ms | times faster |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    print("\n".join(one.row() for one in timed))


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="bench asof", description="speed of as-of questions")
    options.add_argument("--facts", type=int, default=50_000, help="facts in the database")
    options.add_argument(
        "--mirror-facts", type=int, default=1_000_000, help="facts in the mirror alone; 0 leaves it out"
    )
    options.add_argument("--neo4j", metavar="URL", help="a Neo4j to measure too, as bolt://user:password@host:7687")
    options.add_argument("--repeat", type=int, default=15, help="how often each question is asked")
    part = options.add_mutually_exclusive_group()
    part.add_argument("--no-import", action="store_true", help="leave out the import and its peer")
    part.add_argument("--only-import", action="store_true", help="leave out everything else")
    return options


def measure_database(services: App, name: str, arguments: argparse.Namespace) -> Iterator[Timed]:
    """Import, and the questions on the mirror against Cypher."""
    facts = [fact for batch in fact_batches(arguments.facts) for fact in batch]
    if not arguments.no_import:
        yield from measure_import(services, name, facts)
    if arguments.only_import:
        return
    batch = GraphWrite(tuple(entities(arguments.facts)), tuple(facts))
    services.bridge.run(services.graph.write(WORKSPACE, batch), timeout=None)
    yield from measure_questions(services, name, facts, arguments.repeat)


def measure_questions(services: App, name: str, facts: Sequence[Fact], repeat: int) -> Iterator[Timed]:
    """The same questions to the mirror and to the database."""
    graph, run, mirror = services.graph, services.bridge.run, services.mirrors.of(WORKSPACE)
    assert isinstance(graph, GraphitiStore)
    asked = [fact.source_uuid for fact in facts[:LOOKUPS]]

    def from_graph(entity: str) -> int:
        return sum(time_rule.true_at(fact, AT) for fact in run(graph.history(WORKSPACE, entity)))

    def from_mirror(entity: str) -> int:
        return mirror.facts_true(AT, entity_uuid=entity).total

    yield compare(
        "true at T, known at K: count",
        name,
        len(facts),
        repeat,
        lambda: mirror.count_true(AT),
        lambda: run(graph.count_true(WORKSPACE, AT)),
    )
    yield compare(
        "true on each 1 January",
        name,
        len(facts),
        repeat,
        lambda: [point.count for point in mirror.true_over_time(YEARS, AT.known_at)],
        lambda: run(true_each_year(graph)),
    )
    if (found := list(map(from_graph, asked))) != list(map(from_mirror, asked)):
        raise SystemExit(f"one entity: the graph says {found}, the mirror does not")
    for origin, ask in (("graph", from_graph), ("mirror", from_mirror)):
        each = [times(partial(ask, entity), 1, warm=False)[0] for entity in asked]
        yield Timed(f"one entity as of T from the {origin}, {LOOKUPS} of them", name, len(facts), each)
    yield Timed("sync, nothing changed", name, len(facts), times(lambda: services.mirrors.sync(WORKSPACE), repeat))


async def true_each_year(graph: GraphitiStore) -> list[int]:
    """The counts of all years in one question of Cypher."""
    database = graph._db
    holds = database.holds("e").replace("$as_of", "as_of")
    match = f"MATCH {every_fact(database, WORKSPACE)} WHERE {holds}"
    cypher = f"UNWIND $years AS as_of {match} RETURN as_of, count(e) ORDER BY as_of"
    years = {database.date(year): 0 for year in YEARS}
    rows = await database.read(WORKSPACE, cypher, years=list(years), known_at=database.date(AT.known_at))
    counted = [(clock.instant(clock.parse_instant(at) if isinstance(at, str) else at), count) for at, count in rows]
    found = dict(counted)
    return [found.get(year, 0) for year in YEARS]


def measure_mirror(size: int, repeat: int) -> Iterator[Timed]:
    """The mirror alone: loading, and the questions that no database is asked."""
    with tempfile.TemporaryDirectory(prefix="asof-bench-") as folder:
        mirror = Mirror(Path(folder) / "mirror.duckdb")
        started = time.perf_counter()
        mirror.replace_all([entities(size)], fact_batches(size), [])
        yield Timed("load from records", "mirror alone", size, [(time.perf_counter() - started) * 1000])
        questions: dict[str, Callable[[], Any]] = {
            "true at T, known at K: count": lambda: mirror.count_true(AT),
            "true on each 1 January": lambda: mirror.true_over_time(YEARS, AT.known_at),
            "diff of two instants: totals and 100 changes": lambda: mirror.diff(
                Instants(BEFORE.as_of, AT.known_at), AT, limit=100
            ),
            "diff of two instants on both clocks": lambda: mirror.diff(BEFORE, AT, limit=100),
            "one entity as of T": lambda: mirror.facts_true(AT, entity_uuid="entity-0"),
        }
        for question, ask in questions.items():
            yield Timed(question, "mirror alone", size, times(ask, repeat))
        mirror.close()


def measure_import(services: App, name: str, facts: Sequence[Fact]) -> Iterator[Timed]:
    """Our import of a file of all facts against Graphiti's bulk writer, as it comes and on our indexes."""
    file = csv_file(facts)
    run, clear = services.bridge.run, services.graph.clear
    whole, written, again = list[float](), list[float](), list[float]()
    stock, cured = list[float](), list[float]()
    for _ in range(IMPORTS):
        services.mirrors.of(WORKSPACE)
        read, new = import_file(services, file)
        whole.append(read + new)
        written.append(new)
        again.append(sum(import_file(services, file)))
        services.mirrors.drop(WORKSPACE)
        run(clear(WORKSPACE), timeout=None)
        for taken, as_it_comes in ((stock, True), (cured, False)):
            theirs = graphiti_import(services.settings, facts, stock=as_it_comes)
            taken += times(lambda theirs=theirs: run(theirs, timeout=None), 1, warm=False)  # type: ignore[misc]
            run(clear(PEER_WORKSPACE), timeout=None)
    peer = "against Graphiti's bulk writer"
    yield Timed(f"import of a CSV file, {peer}", name, len(facts), whole, stock)
    yield Timed(f"import of a CSV file, {peer} on our indexes", name, len(facts), whole, cured)
    yield Timed(f"import of rows that are read, {peer} on our indexes", name, len(facts), written, cured)
    yield Timed("import of the same file again", name, len(facts), again)


def csv_file(facts: Sequence[Fact]) -> bytes:
    """Facts as a file to import."""
    text = io.StringIO()
    dates = ("valid_at", "invalid_at", "created_at", "expired_at")
    writer = csv.writer(text)
    writer.writerow(["source", "relation", "target", "fact", "source_type", "target_type", *dates])
    for fact in facts:
        spelled = (clock.spell(at) if (at := getattr(fact, name)) else "" for name in dates)
        writer.writerow([fact.source, fact.relation, fact.target, fact.text, "Thing", "Thing", *spelled])
    return text.getvalue().encode()


def import_file(services: App, content: bytes) -> tuple[float, float]:
    """Milliseconds of reading a file and of importing its rows."""
    started = time.perf_counter()
    table = read_facts("facts.csv", content)
    read = time.perf_counter()
    import_rows(services.workspace(WORKSPACE), table.rows, title="benchmark")
    return (read - started) * 1000, (time.perf_counter() - read) * 1000


async def graphiti_import(settings: Settings, facts: Sequence[Fact], *, stock: bool) -> None:
    """Write the same with Graphiti; each embedding is a single number, so that they cost next to nothing."""
    driver = await (stock_driver if stock else graphiti_driver)(settings, PEER_WORKSPACE)
    try:
        group, now = PEER_WORKSPACE, clock.now()
        nodes = [
            EntityNode(
                uuid=e.uuid, name=e.name, group_id=group, labels=["Entity"], created_at=now, name_embedding=[0.0]
            )
            for e in entities(len(facts))
        ]
        edges = [
            EntityEdge(
                uuid=f.uuid,
                name=f.relation,
                fact=f.text,
                group_id=group,
                source_node_uuid=f.source_uuid,
                target_node_uuid=f.target_uuid,
                created_at=f.created_at or now,
                valid_at=f.valid_at,
                invalid_at=f.invalid_at,
                expired_at=f.expired_at,
                episodes=[],
                fact_embedding=[0.0],
            )
            for f in facts
        ]
        for first in range(0, len(nodes), GRAPHITI_BATCH):
            await add_nodes_and_edges_bulk(driver, [], [], nodes[first : first + GRAPHITI_BATCH], [], NoEmbedder())
        for first in range(0, len(edges), GRAPHITI_BATCH):
            await add_nodes_and_edges_bulk(driver, [], [], [], edges[first : first + GRAPHITI_BATCH], NoEmbedder())
    finally:
        await driver.close()


async def stock_driver(settings: Settings, workspace: str) -> GraphDriver:
    """Graphiti's own driver with its own indexes, on an embedded server that runs."""
    where = target(settings)
    if where.kind != "falkordb":
        return await graphiti_driver(settings, workspace)
    driver = FalkorDriver(falkor_db=FalkorClient(**where.redis, protocol=2), database=workspace)
    await driver.build_indices_and_constraints()
    return driver


class NoEmbedder(EmbedderClient):
    """Never asked: everything that is written has its embedding."""

    async def create(self, input_data: Any) -> list[float]:
        """Graphiti's one method of an embedder."""
        raise AssertionError(f"an embedding was asked for: {input_data}")


def entities(facts: int) -> Iterator[Entity]:
    """As many entities as that many facts get."""
    for number in range(max(2, facts // FACTS_PER_ENTITY)):
        yield Entity(f"entity-{number}", f"Entity {number}", ("Thing",), created_at=START)


def fact_batches(size: int) -> Iterator[list[Fact]]:
    """Facts with starts over 25 years; half of them end, most of those known since then, one in a hundred corrected."""
    chance = random.Random(2026)
    others = max(2, size // FACTS_PER_ENTITY)
    for first in range(0, size, BATCH):
        yield [_fact(number, others, chance) for number in range(first, min(first + BATCH, size))]


def _fact(number: int, others: int, chance: random.Random) -> Fact:
    source, target = number % others, chance.randrange(others)
    start = START + timedelta(days=chance.randrange(DAYS), seconds=chance.randrange(86_400))
    end = start + timedelta(days=1 + chance.randrange(3000)) if chance.random() < 0.5 else None
    return Fact(
        f"fact-{number}",
        f"entity-{source}",
        f"entity-{target}",
        f"Entity {source}",
        f"RELATION_{number % 20}",
        f"Entity {target}",
        f"Statement {number} about entity {source}.",
        start,
        end,
        start,
        end if end and chance.random() < 0.8 else None,
        start + timedelta(days=500) if end is None and chance.random() < 0.02 else None,
    )


def compare(
    question: str, where: str, facts: int, repeat: int, ours: Callable[[], Any], theirs: Callable[[], Any]
) -> Timed:
    """Ask both sides in turn. Raises `SystemExit` when they do not agree."""
    if (mirror := ours()) != (database := theirs()):
        raise SystemExit(f"{question}: the mirror says {mirror}, the database {database}")
    return Timed(question, where, facts, times(ours, repeat), times(theirs, repeat))


def times(ask: Callable[[], Any], repeat: int, *, warm: bool = True) -> list[float]:
    """Milliseconds of each of `repeat` calls, after one that does not count."""
    if warm:
        ask()
    found = []
    for _ in range(repeat):
        started = time.perf_counter()
        ask()
        found.append((time.perf_counter() - started) * 1000)
    return found


def _median(milliseconds: Sequence[float]) -> float:
    return statistics.median(milliseconds)


def _figures(milliseconds: Sequence[float]) -> tuple[str, str]:
    ordered = sorted(milliseconds)
    return f"{_median(ordered):,.1f}", f"{ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]:,.1f}"


if __name__ == "__main__":
    main()
