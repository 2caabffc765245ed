"""What is known of the data that can be queried, for the tree and for the editor."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from components.markup import counted, relation
from components.shell import Opened
from components.sql.editor import Completions
from services import cached
from services.core.data_folder import HINT
from services.core.errors import WriteFailed
from services.mirror import Mirror
from services.sql import DatabaseTable, SqlDatabase, graph_database, warehouse

MACROS = (
    ("facts_as_of", "facts_as_of(:as_of, :known_at)", "facts that held at t", "facts_as_of(t, known_at)"),
    ("facts_between", "facts_between(, )", "facts that held between a and b", "facts_between(a, b)"),
    ("fact_changes", "fact_changes(, )", "facts that held at t1 or t2, but not both", "fact_changes(t1, t2)"),
    (
        "targets_as_of",
        "targets_as_of(, , :as_of, :known_at)",
        "an entity's targets for a relation at t, as text",
        "targets_as_of(entity, relation, t, known_at)",
    ),
    ("entities_named", "entities_named()", "ids of the entities with this name", "entities_named(name)"),
    ("instant_of", "instant_of()", "the date in a table cell", "instant_of(cell)"),
)
_DIALECTS = {"files": "duckdb", "sqlite": "sqlite", "postgres": "postgres"}
_MOST_TABLES = 300


def databases_of(opened: Opened) -> tuple[SqlDatabase, ...]:
    """Return the databases that a workspace sees."""
    return warehouse_of(opened).databases(opened.name)


def warehouse_of(opened: Opened) -> warehouse.Warehouse:
    """Return what keeps the databases."""
    return warehouse.warehouse(opened.workspace)


@contextmanager
def saving() -> Iterator[None]:
    """Say in words where the block cannot write to the data folder. Raises `WriteFailed`."""
    try:
        yield
    except OSError as fault:
        raise WriteFailed("Nothing was saved: the data folder is not writable.", HINT) from fault


def graph_tables(opened: Opened) -> tuple[DatabaseTable, ...]:
    """Return the tables of the graph with the number of their rows."""
    counts = opened.status.counts
    rows = {name: getattr(counts, name, 0) for name in ("entities", "facts", "episodes")}
    documents = cached.ask(Mirror.documents, opened.name)
    rows |= {"documents": len(documents), "chunks": sum(one.chunk_count for one in documents)}
    return tuple(one.model_copy(update={"rows": rows.get(one.name, 0)}) for one in graph_database().tables)


def completions(opened: Opened, databases: Sequence[SqlDatabase], chosen: str) -> Completions:
    """Return what the editor offers: of a database that stays elsewhere its own tables alone."""
    own = next((one for one in databases if one.name == chosen), None)
    if own is not None and own.kind != "files":
        return Completions(
            _DIALECTS[own.kind], tuple(_offered(table, table.name) for table in own.tables[:_MOST_TABLES])
        )
    beside = [(f"{one.name}.{table.name}", table) for one in databases if one.kind == "files" for table in one.tables]
    tables = [*((table.name, table) for table in graph_tables(opened)), *beside]
    return Completions(
        _DIALECTS["files"],
        tuple(_offered(table, name) for name, table in tables[:_MOST_TABLES]),
        tuple((name, call, about) for name, call, about, _ in MACROS),
        tuple((one.name, relation(one.name), one.count) for one in cached.ask(Mirror.relations, opened.name)),
    )


def _offered(table: DatabaseTable, name: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return name, counted(table.rows, "row"), tuple((column.name, column.type.lower()) for column in table.columns)
