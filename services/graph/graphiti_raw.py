"""Elements of a graph database, read and put exactly, over whichever database a dialect speaks to."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import batched
from typing import Any

from services.core.memory_records import RECORD_TYPES
from services.core.models import GraphWrite
from services.graph import cypher, raw
from services.graph.dialect import Dialect, Row
from services.graph.graphiti_documents import NODES, GraphDocuments
from services.graph.raw import Image, Raw, RawEdge, RawNode
from services.graph.store import check_workspace
from services.graph.writer import Writer

ROWS = 2_000

Places = Mapping[str, Sequence[int]]
"""The database's own ids of nodes by their keys."""

_Groups = defaultdict[tuple[tuple[Any, ...], str], list[list[Any]]]
"""Rows by the query that they need: what it does, and the names and kinds of the properties that it sets."""


def _parts_of_key(variable: str) -> str:
    """What a node's key is made of."""
    return (
        f"labels({variable}), {variable}.uuid, {variable}.id,"
        f" {variable}.document_id IS NOT NULL OR {variable}.content_hash IS NOT NULL, id({variable})"
    )


_ENDS = f"{_parts_of_key('s')}, {_parts_of_key('t')}"
_WIDTH = 5
_BETWEEN = "WITH row, row[0] AS x, row[1] AS y MATCH (s) WHERE id(s) = x WITH row, s, y MATCH (t) WHERE id(t) = y"
_ONE_NODE = "WITH row, row[0] AS x MATCH (n) WHERE id(n) = x"


class GraphRaw:
    """A `RawStore` of one database."""

    def __init__(self, dialect: Dialect, documents: GraphDocuments, writer: Writer) -> None:
        self._db = dialect
        self._documents = documents
        self._writer = writer

    # -- reading

    async def read(self, workspace: str, keys: Iterable[str]) -> dict[str, tuple[Raw, ...]]:
        """What each key names, as it is now."""
        asked = list(dict.fromkeys(keys))
        found: dict[str, list[Raw]] = {key: [] for key in asked}
        for key, (_, node) in await self._nodes(workspace, filter(raw.is_node, asked)):
            found[key].append(node)
        for key, (_, _, _, edge) in await self._edges(workspace, asked):
            found[key].append(edge)
        return {key: tuple(bag) for key, bag in found.items()}

    async def around(self, workspace: str, keys: Iterable[str]) -> dict[str, tuple[Raw, ...]]:
        """Every edge that hangs on one of these nodes."""
        places = await self._places(workspace, keys)
        match = "UNWIND $rows AS x MATCH (n) WHERE id(n) = x MATCH (n)-[e]-() WITH DISTINCT e"
        query = f"{match}, startNode(e) AS s, endNode(e) AS t RETURN id(e), type(e), {_ENDS}, properties(e)"
        found: dict[int, RawEdge] = {}
        for part in batched(sorted({own for owns in places.values() for own in owns}), ROWS):
            rows = await self._db.read_exactly(workspace, query, rows=part)
            found.update((row[0], _edge(row[1], row[2:])) for row in rows)
        image: dict[str, list[Raw]] = defaultdict(list)
        for edge in found.values():
            image[raw.edge_key(edge)].append(edge)
        return {key: tuple(bag) for key, bag in image.items()}

    async def naming(self, workspace: str, uuids: Iterable[str]) -> frozenset[str]:
        """The keys of facts that have one of these uuids among their sources, and of episodes that list one of them."""
        asked = list(uuids)
        if not asked:
            return frozenset()
        facts = f"MATCH {cypher.every_fact(self._db, workspace)} WHERE any(u IN e.episodes WHERE u IN $uuids)"
        episodes = f"MATCH {cypher.every_node(self._db, workspace, 'p', 'Episodic')}"
        lists = "any(u IN p.entity_edges WHERE u IN $uuids)"
        by_facts = await self._db.read(workspace, f"{facts} RETURN e.uuid", uuids=asked)
        by_episodes = await self._db.read(workspace, f"{episodes} WHERE {lists} RETURN p.uuid", uuids=asked)
        named = [raw.fact_key(row[0]) for row in by_facts if isinstance(row[0], str)]
        return frozenset(
            [*named, *(raw.node_key("Episodic", row[0]) for row in by_episodes if isinstance(row[0], str))]
        )

    async def merged_into(self, workspace: str, uuids: Iterable[str]) -> frozenset[str]:
        """The keys of what is left of entities that were merged into one of these, by whatever chain."""
        every = cypher.every_node(self._db, workspace, "n", "MergedEntity")
        query = f"MATCH {every} WHERE n.into IN $uuids RETURN n.uuid"
        found, asked = set[str](), list(uuids)
        while asked:
            rows = await self._db.read(workspace, query, uuids=asked)
            asked = [row[0] for row in rows if row[0] not in found]
            found.update(asked)
        return frozenset(raw.node_key("MergedEntity", uuid) for uuid in found)

    async def parts(self, workspace: str, document_ids: Iterable[str]) -> frozenset[str]:
        """The keys of the nodes of documents: of the documents themselves, their sections and their chunks."""
        ids, found = list(document_ids), set[str]()
        for label, key in NODES:
            rows = await self._documents.found(workspace, label, key, ids, "n.id")
            found.update(raw.node_key(label, row[0]) for row in rows)
        return frozenset(found)

    async def _nodes(self, workspace: str, keys: Iterable[str]) -> list[tuple[str, tuple[int, RawNode]]]:
        found = await self._rows_of_nodes(workspace, keys, "labels(n), properties(n)")
        return [(key, (own, RawNode(tuple(sorted(labels)), values))) for key, (own, labels, values) in found]

    async def _places(self, workspace: str, keys: Iterable[str]) -> dict[str, list[int]]:
        places: dict[str, list[int]] = defaultdict(list)
        for key, row in await self._rows_of_nodes(workspace, keys, ""):
            places[key].append(row[0])
        return places

    async def _rows_of_nodes(self, workspace: str, keys: Iterable[str], columns: str) -> list[tuple[str, Row]]:
        """For each node its key, and a row of its own id and `columns`."""
        by_label: dict[str, list[str]] = defaultdict(list)
        for key in dict.fromkeys(keys):
            label, id = raw.node_parts(key)
            by_label[label].append(id)
        found: list[tuple[str, Row]] = []
        for label, ids in by_label.items():
            for match, asked in self._matches(workspace, label, ids):
                returns = f"RETURN {_KEY.get(label, 'n.id')} AS key, id(n) AS own{', ' + columns if columns else ''}"
                rows = await self._db.read_exactly(workspace, f"{match} {returns}", keys=asked)
                found += [(raw.node_key(label, row[0]), row[1:]) for row in rows]
        return found

    def _matches(self, workspace: str, label: str, ids: list[str]) -> Iterator[tuple[str, Sequence[Any]]]:
        if label in raw.ID_LABELS:
            yield from self._documents.matches(workspace, label, "id", ids)
            return
        for part in batched(ids, ROWS):
            if label:
                yield f"UNWIND $keys AS key MATCH {cypher.node(self._db, 'n', label, 'uuid: key')}", part
            else:
                yield "UNWIND $keys AS key MATCH (n) WHERE id(n) = key", [int(id) for id in part]

    async def _edges(self, workspace: str, keys: Iterable[str]) -> list[tuple[str, tuple[int, int, int, RawEdge]]]:
        """For each edge its key, the database's own ids of it and of both ends, and the edge."""
        asked = list(keys)
        facts = await self._facts(workspace, [raw.node_parts(key)[1] for key in asked if raw.is_fact(key)])
        return facts + await self._links(workspace, [key for key in asked if raw.is_link(key)])

    async def _facts(self, workspace: str, uuids: list[str]) -> list[tuple[str, tuple[int, int, int, RawEdge]]]:
        match = f"UNWIND $keys AS key MATCH {cypher.fact(self._db, 'uuid: key')}"
        query = f"{match} RETURN id(e), {_ENDS}, properties(e)"
        found = []
        for part in batched(uuids, ROWS):
            for row in await self._db.read_exactly(workspace, query, keys=part):
                edge = _edge(raw.FACT, row[1:])
                found.append((raw.edge_key(edge), (row[0], row[_WIDTH], row[2 * _WIDTH], edge)))
        return found

    async def _links(self, workspace: str, keys: list[str]) -> list[tuple[str, tuple[int, int, int, RawEdge]]]:
        links = {key: raw.link_parts(key) for key in keys}
        places = await self._places(workspace, {end for _, *ends in links.values() for end in ends})
        rows: dict[str, dict[tuple[int, int], str]] = defaultdict(dict)
        for key, (type, source, target) in links.items():
            rows[type].update(((s, t), key) for s in places.get(source, ()) for t in places.get(target, ()))
        found = []
        for type, pairs in rows.items():
            match = f"UNWIND $rows AS row {_BETWEEN} MATCH (s)-[e:{self._db.quoted(type)}]->(t)"
            query = f"{match} RETURN id(e), id(s), id(t), properties(e)"
            for part in batched(pairs, ROWS):
                for own, s, t, values in await self._db.read_exactly(workspace, query, rows=[list(p) for p in part]):
                    key = pairs[s, t]
                    edge = RawEdge(*links[key], values)
                    if raw.edge_key(edge) == key:
                        found.append((key, (own, s, t, edge)))
        return found

    def instant(self, at: datetime) -> Any:
        """An instant as the value of a property."""
        return self._db.as_read({"at": self._db.date(at)})["at"]

    async def create(self, workspace: str, batch: GraphWrite, listed: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Write records that are new; the digests of what they become, by key."""
        return await self._writer.create(workspace, batch, listed)

    def expected(self, workspace: str, batch: GraphWrite) -> Image:
        """The elements that records become which are created, mentions included."""
        return self._writer.expected(workspace, batch, {})

    # -- putting

    async def put(self, workspace: str, wanted: Image) -> None:
        """Make what each key names exactly this."""
        check_workspace(workspace)
        await self._db.ensure_indexes(workspace)
        if any(raw.node_parts(key)[0] in RECORD_TYPES for key in wanted if raw.is_node(key)):
            await self._db.ensure_record_indexes(workspace)
        bags = wanted.items()
        nodes = {key: [one for one in bag if isinstance(one, RawNode)] for key, bag in bags if raw.is_node(key)}
        await self._put_nodes(workspace, nodes)
        edges = {key: [one for one in bag if isinstance(one, RawEdge)] for key, bag in bags if not raw.is_node(key)}
        await self._put_edges(workspace, edges)

    async def _put_nodes(self, workspace: str, wanted: Mapping[str, Iterable[RawNode]]) -> None:
        there: dict[str, list[tuple[int, RawNode]]] = {key: [] for key in wanted}
        for key, found in await self._nodes(workspace, wanted):
            there[key].append(found)
        gone, changed, made = [], _Groups(list), _Groups(list)
        for key, bag in wanted.items():
            held, missing = _apart(there[key], bag)
            for (own, old), new in zip(held, missing, strict=False):
                self._add(changed, (new.labels, old.labels), [own], new.properties)
            gone += [[own] for own, _ in held[len(missing) :]]
            for new in missing[len(held) :]:
                self._add(made, (new.labels,), [], new.properties)
        await self._documents.send(workspace, f"{_ONE_NODE} DETACH DELETE n", gone)
        for ((new_labels, old_labels), values), rows in changed.items():
            relabel = cypher.relabel(self._db, set(new_labels) - set(old_labels), set(old_labels) - set(new_labels))
            await self._documents.send(workspace, f"{_ONE_NODE} SET n = {values} {relabel}", rows)
        for ((labels,), values), rows in made.items():
            await self._documents.send(workspace, f"CREATE (n{cypher.labels(self._db, labels)} {values})", rows)

    async def _put_edges(self, workspace: str, wanted: Mapping[str, Iterable[RawEdge]]) -> None:
        there: dict[str, list[tuple[tuple[int, int, int], RawEdge]]] = {key: [] for key in wanted}
        for key, (own, source, target, edge) in await self._edges(workspace, wanted):
            there[key].append(((source, target, own), edge))
        gone, changed, made = defaultdict[str, list[list[int]]](list), _Groups(list), list[RawEdge]()
        for key, bag in wanted.items():
            held, missing = _apart(there[key], bag)
            for place, old in held:
                same = next((edge for edge in missing if _joins(edge) == _joins(old)), None)
                if same is None:
                    gone[old.type].append(list(place))
                else:
                    missing.remove(same)
                    self._add(changed, (old.type,), place, same.properties)
            made += missing
        for type, rows in gone.items():
            await self._documents.send(workspace, f"{self._one_edge(type)} DELETE e", rows)
        for ((type,), values), rows in changed.items():
            await self._documents.send(workspace, f"{self._one_edge(type)} SET e = {values}", rows)
        await self._make_edges(workspace, made)

    def _one_edge(self, type: str) -> str:
        return f"{_BETWEEN} WITH row, s, t, row[2] AS z MATCH (s)-[e:{self._db.quoted(type)}]->(t) WHERE id(e) = z"

    async def _make_edges(self, workspace: str, edges: Sequence[RawEdge]) -> None:
        places = await self._places(workspace, {end for edge in edges for end in (edge.source, edge.target)})
        made = _Groups(list)
        for edge in edges:
            if places.get(edge.source) and places.get(edge.target):
                self._add(made, (edge.type,), [places[edge.source][0], places[edge.target][0]], edge.properties)
        for ((type,), values), rows in made.items():
            await self._documents.send(
                workspace, f"{_BETWEEN} CREATE (s)-[e:{self._db.quoted(type)} {values}]->(t)", rows
            )

    def _add(self, to: _Groups, how: tuple[Any, ...], place: Sequence[int], properties: Mapping[str, Any]) -> None:
        """Group an element; `place` is what finds it."""
        names = sorted(properties)
        pairs = ((name, self._db.typed(properties[name], f"row[{i}]")) for i, name in enumerate(names, len(place)))
        text = ", ".join(f"{self._db.quoted(name)}: {value}" for name, value in pairs)
        to[how, f"{{{text}}}"].append([*place, *(self._db.given(properties[name]) for name in names)])


_KEY = {**dict.fromkeys(raw.UUID_LABELS, "n.uuid"), "": "id(n)"}


def _apart[P, R](there: Iterable[tuple[P, R]], wanted: Iterable[R]) -> tuple[list[tuple[P, R]], list[R]]:
    """What is there and not wanted, with its place, and what is wanted and not there."""
    missing, held = list(wanted), []
    for place, one in there:
        if one in missing:
            missing.remove(one)
        else:
            held.append((place, one))
    return held, missing


def _joins(edge: RawEdge) -> tuple[str, str, str]:
    return edge.type, edge.source, edge.target


def _edge(type: str, row: Row) -> RawEdge:
    """An edge from what both its ends' keys are made of, and its properties."""
    return RawEdge(type, _node_key(row[:_WIDTH]), _node_key(row[_WIDTH : 2 * _WIDTH]), row[2 * _WIDTH])


def _node_key(row: Row) -> str:
    labels, uuid, id, ours, own = row
    if isinstance(uuid, str):
        for label in raw.UUID_LABELS:
            if label in labels:
                return raw.node_key(label, uuid)
    if isinstance(id, str):
        for label in raw.ID_LABELS:
            if label in labels and (ours or id.startswith("section_type:") or label in RECORD_TYPES):
                return raw.node_key(label, id)
    return raw.node_key("", own)
