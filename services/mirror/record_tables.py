"""Records in and out of the mirror: dataclasses to Arrow columns, and rows to dataclasses again."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any

import pyarrow as pa

from services.core.group_records import Community, Saga
from services.core.models import (
    NO_ATTRIBUTES,
    STATEMENTS,
    Attributes,
    Chunk,
    Document,
    Entity,
    Episode,
    Fact,
    GraphWrite,
    MergedEntity,
    Section,
    SectionType,
    SimilarChunks,
)

_TEXT, _TEXTS, _INSTANT = pa.string(), pa.list_(pa.string()), pa.timestamp("us", tz="UTC")
_WHOLE, _NUMBER, _NUMBERS, _FLAG = pa.int64(), pa.float64(), pa.list_(pa.float64()), pa.bool_()
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class RecordTable[R]:
    """One table of records of class `record`: the columns are the record's fields, in their order."""

    name: str
    record: Callable[..., R]
    schema: pa.Schema
    readers: tuple[tuple[int, Callable[[Any], Any]], ...] = field(init=False)
    """By place in a row, how its cells become what a record holds; most stay as they are."""

    def __post_init__(self) -> None:
        readers = enumerate(map(_reader, self.schema))
        object.__setattr__(self, "readers", tuple((place, read) for place, read in readers if read is not None))

    def columns(self, prefix: str = "") -> str:
        """What to select so that `read` makes records of it; `prefix` names the table's alias, with its dot."""
        return ", ".join(
            f"epoch_us({prefix}{column.name})" if column.type == _INSTANT else f'{prefix}"{column.name}"'
            for column in self.schema
        )

    def read(self, row: Sequence[Any]) -> R:
        """The record of a row of `columns()`."""
        values = list(row)
        for place, read in self.readers:
            values[place] = read(values[place])
        return self.record(*values)

    def arrow(self, records: Iterable[R]) -> pa.Table:
        """Records as a table in the columns of this one."""
        records = tuple(records)
        columns = [_column(column, list(map(attrgetter(column.name), records))) for column in self.schema]
        return pa.Table.from_arrays(columns, schema=self.schema)


def read_instant(micros: int | None) -> datetime | None:
    """An instant from microseconds since 1970, which is how instants are selected: no time zone can change them."""
    return None if micros is None else _EPOCH + timedelta(microseconds=micros)


def _reader(column: pa.Field) -> Callable[[Any], Any] | None:
    if column.name == "attributes":
        return _read_attributes
    if column.type == _INSTANT:
        return read_instant
    return tuple if column.type in (_TEXTS, _NUMBERS) else None


def _read_attributes(text: str) -> Attributes:
    return NO_ATTRIBUTES if text == "{}" else json.loads(text)


def _attributes_as_text(attributes: Attributes) -> str:
    shown = {name: value for name, value in attributes.items() if name != STATEMENTS}
    return json.dumps(shown, default=str, sort_keys=True)


def _column(column: pa.Field, values: list[Any]) -> pa.Array:
    if column.name == "attributes":
        values = [_attributes_as_text(value) if value else "{}" for value in values]
    return pa.array(values, type=column.type)


ENTITIES = RecordTable(
    "entities",
    Entity,
    pa.schema(
        {
            "uuid": _TEXT,
            "name": _TEXT,
            "types": _TEXTS,
            "summary": _TEXT,
            "created_at": _INSTANT,
            "attributes": _TEXT,
        }
    ),
)

MERGED = RecordTable("merged", MergedEntity, pa.schema({"uuid": _TEXT, "name": _TEXT, "types": _TEXTS, "into": _TEXT}))

COMMUNITIES = RecordTable(
    "communities",
    Community,
    pa.schema({"uuid": _TEXT, "name": _TEXT, "summary": _TEXT, "created_at": _INSTANT, "member_uuids": _TEXTS}),
)

SAGAS = RecordTable(
    "sagas",
    Saga,
    pa.schema(
        {
            "uuid": _TEXT,
            "name": _TEXT,
            "summary": _TEXT,
            "created_at": _INSTANT,
            "summarized_until": _INSTANT,
            "episode_uuids": _TEXTS,
        }
    ),
)

FACTS = RecordTable(
    "facts",
    Fact,
    pa.schema(
        {
            "uuid": _TEXT,
            "source_uuid": _TEXT,
            "target_uuid": _TEXT,
            "source": _TEXT,
            "relation": _TEXT,
            "target": _TEXT,
            "text": _TEXT,
            "valid_at": _INSTANT,
            "invalid_at": _INSTANT,
            "created_at": _INSTANT,
            "expired_at": _INSTANT,
            "withdrawn_at": _INSTANT,
            "believed_invalid_at": _INSTANT,
            "ended_by": _TEXT,
            "episodes": _TEXTS,
            "attributes": _TEXT,
            "valid_at_precision": _TEXT,
            "invalid_at_precision": _TEXT,
            "ended_unknown": _FLAG,
        }
    ),
)

EPISODES = RecordTable(
    "episodes",
    Episode,
    pa.schema(
        {
            "uuid": _TEXT,
            "name": _TEXT,
            "content": _TEXT,
            "source": _TEXT,
            "source_description": _TEXT,
            "valid_at": _INSTANT,
            "created_at": _INSTANT,
            "entity_uuids": _TEXTS,
        }
    ),
)

DOCUMENTS = RecordTable(
    "documents",
    Document,
    pa.schema(
        {
            "id": _TEXT,
            "title": _TEXT,
            "content_hash": _TEXT,
            "episode_uuid": _TEXT,
            "path": _TEXT,
            "directory": _TEXT,
            "format": _TEXT,
            "thread": _TEXT,
            "position": _WHOLE,
            "chunk_count": _WHOLE,
            "reference_time": _INSTANT,
            "created_at": _INSTANT,
            "updated_at": _INSTANT,
            "tags": _TEXTS,
        }
    ),
)

SECTIONS = RecordTable(
    "sections",
    Section,
    pa.schema(
        {
            "id": _TEXT,
            "document_id": _TEXT,
            "level": _WHOLE,
            "name": _TEXT,
            "normalized_name": _TEXT,
            "path": _TEXT,
            "parent_path": _TEXT,
            "anchor": _TEXT,
            "chunk_count": _WHOLE,
            "start_chunk": _WHOLE,
            "end_chunk": _WHOLE,
            "start_line": _WHOLE,
            "end_line": _WHOLE,
        }
    ),
)

CHUNKS = RecordTable(
    "chunks",
    Chunk,
    pa.schema(
        {
            "id": _TEXT,
            "document_id": _TEXT,
            "section_id": _TEXT,
            "index": _WHOLE,
            "text": _TEXT,
            "start_line": _WHOLE,
            "end_line": _WHOLE,
            "keywords": _TEXTS,
        }
    ),
)

SECTION_TYPES = RecordTable(
    "section_types",
    SectionType,
    pa.schema(
        {
            "id": _TEXT,
            "canonical_name": _TEXT,
            "normalized_name": _TEXT,
            "common_variants": _TEXTS,
            "section_ids": _TEXTS,
            "centroid": _NUMBERS,
            "created_at": _INSTANT,
            "updated_at": _INSTANT,
        }
    ),
)

SIMILAR = RecordTable(
    "similar_chunks", SimilarChunks, pa.schema({"first": _TEXT, "second": _TEXT, "similarity": _NUMBER})
)


@dataclass(frozen=True)
class Columns:
    """A write as the mirror takes it in: each kind of record by column, of several with one uuid the last."""

    entities: pa.Table
    facts: pa.Table
    episodes: pa.Table


def in_columns(batch: GraphWrite) -> Columns:
    """A write in the mirror's columns."""
    return Columns(
        ENTITIES.arrow(_latest(batch.entities)),
        FACTS.arrow(_latest(batch.facts)),
        EPISODES.arrow(_latest(batch.episodes)),
    )


def joined(parts: Sequence[Columns]) -> Columns:
    """The parts of one write, which have no uuid in common, as a whole."""
    return Columns(
        pa.concat_tables([ENTITIES.arrow(()), *(part.entities for part in parts)]),
        pa.concat_tables([FACTS.arrow(()), *(part.facts for part in parts)]),
        pa.concat_tables([EPISODES.arrow(()), *(part.episodes for part in parts)]),
    )


def _latest[R: (Entity, Fact, Episode)](records: Iterable[R]) -> Iterable[R]:
    return {record.uuid: record for record in records}.values()
