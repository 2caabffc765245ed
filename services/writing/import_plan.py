"""From rows and what is stored to one write: a pure function, so that a preview and the import are the same thing."""

import functools
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha1
from types import MappingProxyType

from services.core import clock
from services.core.import_rows import Row
from services.core.models import Entity, Episode, Fact, GraphWrite, Precision
from services.core.precision import finer
from services.writing import single_row
from services.writing.fact_revisions import FactRevisions, Verdict
from services.writing.statements import RowStatement, words

_SPACE = uuid.UUID("5f0c4bb6-3f0e-5d5e-9d4f-0a50f0a50f00").bytes
_TITLE = 80

Key = tuple[str, str, str, datetime | None]
Summaries = Mapping[tuple[str, str], str]
"""What entities are, in words, by name and type."""
NO_SUMMARIES: Summaries = MappingProxyType({})


@dataclass(frozen=True)
class ImportPlan:
    """What an import would do: the write, the stored records that it replaces, and what each row did, in row order."""

    write: GraphWrite
    before: GraphWrite
    recorded_at: datetime
    """The instant that records carry which say no other."""
    verdicts: tuple[Verdict, ...]
    mentions: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The entities that sources mention which rows give by uuid and which are not stored yet."""

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many rows did what."""
        counted = Counter(self.verdicts)
        kinds: tuple[Verdict, ...] = ("new", "source", "change", "correction", "unchanged")
        return {verdict: counted[verdict] for verdict in kinds}

    @property
    def is_empty(self) -> bool:
        """True when there is nothing to write."""
        return not (self.write.entities or self.write.facts or self.write.episodes)

    @functools.cached_property
    def created(self) -> GraphWrite:
        """The part of the write that is not stored yet."""
        return self._part(replaced=False)

    @functools.cached_property
    def replaced(self) -> GraphWrite:
        """The part of the write that takes the place of `before`."""
        return self._part(replaced=True)

    def _part(self, *, replaced: bool) -> GraphWrite:
        old = {r.uuid for part in (self.before.entities, self.before.facts, self.before.episodes) for r in part}
        if not old:
            return GraphWrite() if replaced else self.write
        return GraphWrite(
            tuple(e for e in self.write.entities if (e.uuid in old) is replaced),
            tuple(f for f in self.write.facts if (f.uuid in old) is replaced),
            tuple(e for e in self.write.episodes if (e.uuid in old) is replaced),
        )


def identity(workspace: str, *parts: object) -> str:
    """The uuid of what `parts` describe, the same in every import: `uuid.uuid5` (RFC 9562) in half the time."""
    spelled = [clock.spell(part) if type(part) is datetime else str(part) for part in parts]
    digest = sha1(_SPACE + "\x1f".join((workspace, *spelled)).encode(), usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digest[16], 16) & 3]
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"


def episode_uuid(workspace: str, text: str) -> str:
    """The uuid of the source with that text."""
    return identity(workspace, "episode", text)


def plan_import(
    workspace: str,
    rows: Sequence[Row],
    stored: GraphWrite,
    now: datetime,
    summaries: Summaries = NO_SUMMARIES,
    taken: frozenset[str] = frozenset(),
) -> ImportPlan:
    """What `rows` mean against what is `stored`: all entities, facts and episodes that they may touch.

    A row without `created_at` counts as said at `now`. `summaries` are for entities that the rows bring. `taken` are
    uuids that other records have already: of an entity that was renamed since, of a fact that was re-dated.
    """
    order = sorted(range(len(rows)), key=lambda i: rows[i].created_at or now)
    entities = _Entities(workspace, stored.entities, now, summaries, taken)
    ends = entities.resolve([rows[i] for i in order])
    episodes = _Episodes(workspace, stored.episodes, now)
    facts = _Facts(workspace, stored.facts, now, taken)
    by_fact: dict[Key, list[int]] = defaultdict(list)
    for i, (source, target) in zip(order, ends, strict=True):
        row = rows[i]
        if row.episode or row.ending or row.episode_uuid:
            episodes.add(row, (source.uuid, target.uuid))
        by_fact[source.uuid, row.relation, target.uuid, row.valid_at].append(i)
    verdicts: list[Verdict] = ["unchanged"] * len(rows)
    for key, indices in by_fact.items():
        for i, verdict in zip(indices, facts.take(key, [rows[i] for i in indices]), strict=True):
            verdicts[i] = verdict
    write = GraphWrite(entities.touched(), facts.touched(), episodes.touched())
    before = GraphWrite(
        _also_in(write.entities, stored.entities),
        _also_in(write.facts, stored.facts),
        _also_in(write.episodes, stored.episodes),
    )
    return ImportPlan(write, before, now, tuple(verdicts), episodes.mentions_elsewhere())


def _also_in[R: (Entity, Fact, Episode)](written: Iterable[R], stored: tuple[R, ...]) -> tuple[R, ...]:
    uuids = {record.uuid for record in written} if stored else set()
    return tuple(record for record in stored if record.uuid in uuids)


class _Entities:
    """An entity is the same when name and type are; a missing type on either side matches any."""

    def __init__(
        self, workspace: str, stored: Iterable[Entity], now: datetime, summaries: Summaries, taken: frozenset[str]
    ) -> None:
        self._workspace = workspace
        self._taken = taken
        self._now = now
        self._summaries = summaries
        self._named: dict[str, list[Entity]] = defaultdict(list)
        self._by_uuid: dict[str, Entity] = {}
        for entity in sorted(stored, key=lambda e: (e.created_at or clock.EARLIEST, e.uuid)):
            self._named[entity.name].append(entity)
            self._by_uuid[entity.uuid] = entity
        self._touched: dict[str, Entity] = {}

    def resolve(self, rows: Sequence[Row]) -> list[tuple[Entity, Entity]]:
        """Source and target of each row. Types that are given come first: they decide what a bare name may mean."""
        sources = [(row.source, row.source_type, row.source_uuid) for row in rows]
        targets = [(row.target, row.target_type, row.target_uuid) for row in rows]
        backwards = rows[::-1]  # the first row that mentions an entity is the last to say so
        mentions = dict(zip(targets[::-1], backwards, strict=True)) | dict(zip(sources[::-1], backwards, strict=True))
        order = sorted(mentions.items(), key=lambda m: (m[0][1] == "", m[1].created_at or self._now, m[0]))
        found = {mention: self._find(*mention, row) for mention, row in order}
        return [(found[source], found[target]) for source, target in zip(sources, targets, strict=True)]

    def touched(self) -> tuple[Entity, ...]:
        """Entities that are new or were given a type."""
        return tuple(self._touched.values())

    def _find(self, name: str, type_: str, uuid_: str, row: Row) -> Entity:
        if uuid_:
            return self._of_uuid(name, type_, uuid_, row)
        known = self._named[name]
        for i, entity in enumerate(known):
            if type_ in entity.types or not type_:
                return entity
            if not entity.types and not any(type_ in other.types for other in known):
                known[i] = self._touched[entity.uuid] = replace(entity, types=(type_,))
                return known[i]
        used = {entity.uuid for entity in known}
        created = self._new(
            _free(lambda n: identity(self._workspace, "entity", name, type_, *n), used, self._taken), name, type_, row
        )
        known.append(created)
        return created

    def _of_uuid(self, name: str, type_: str, uuid_: str, row: Row) -> Entity:
        """The entity of that uuid, as it is but for a type that it did not have; a new one where there is none."""
        entity = self._by_uuid.get(uuid_)
        if entity is None:
            free = _free(lambda n: identity(self._workspace, "entity", uuid_, *n) if n else uuid_, self._taken)
            entity = self._new(free, name, type_, row)
        elif type_ and not entity.types:
            entity = self._touched[entity.uuid] = replace(entity, types=(type_,))
        self._by_uuid[uuid_] = entity
        return entity

    def _new(self, uuid_: str, name: str, type_: str, row: Row) -> Entity:
        summary = self._summaries.get((name, type_), "")
        created = Entity(uuid_, name, (type_,) if type_ else (), summary, row.created_at or self._now)
        self._touched[uuid_] = created
        return created


class _Episodes:
    """The sources that rows name: the same text is the same episode."""

    def __init__(self, workspace: str, stored: Iterable[Episode], now: datetime) -> None:
        self._workspace = workspace
        self._now = now
        self._stored = {episode.uuid: episode for episode in stored}
        self._mentions: dict[str, set[str]] = {}
        self._texts: dict[str, tuple[str, Row]] = {}
        self._given: dict[str, set[str]] = defaultdict(set)

    def add(self, row: Row, entity_uuids: tuple[str, str]) -> None:
        """Take the sources of one row; they mention both of its ends."""
        if row.episode_uuid:
            self._given[row.episode_uuid].update(entity_uuids)
        texts = "" if row.episode_uuid else row.episode, "" if row.ending_uuid else row.ending
        for text in filter(None, texts):
            if text not in self._texts:
                self._texts[text] = episode_uuid(self._workspace, text), row
            mentioned = self._mentions.setdefault(text, set())
            if text == row.episode:
                mentioned.update(entity_uuids)

    def touched(self) -> tuple[Episode, ...]:
        """Episodes that are new or mention more than before."""
        found = {one: self._episode(text, one, row) for text, (one, row) in self._texts.items()}
        for given, mentioned in self._given.items():
            if episode := found.get(given) or self._stored.get(given):
                found[given] = mentioning(episode, mentioned)
        return tuple(episode for episode in found.values() if episode != self._stored.get(episode.uuid))

    def mentions_elsewhere(self) -> dict[str, tuple[str, ...]]:
        """What episodes mention that rows give by uuid and that are not stored."""
        return {u: tuple(sorted(mentioned)) for u, mentioned in self._given.items() if u not in self._stored}

    def _episode(self, text: str, uuid_: str, row: Row) -> Episode:
        mentioned = self._mentions[text]
        if old := self._stored.get(uuid_):
            return mentioning(old, mentioned)
        stated_at = row.created_at or self._now
        dated = row.valid_at or stated_at
        if text != row.episode:
            dated = stated_at = row.expired_at or stated_at
        return Episode(
            uuid_,
            _title(text),
            text,
            source_description="import",
            valid_at=dated,
            created_at=stated_at,
            entity_uuids=tuple(sorted(mentioned)),
        )


def mentioning(episode: Episode, entity_uuids: Iterable[str]) -> Episode:
    """Return the episode with these among the entities that it mentions."""
    return replace(episode, entity_uuids=tuple(sorted({*episode.entity_uuids, *entity_uuids})))


def _title(text: str) -> str:
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rstrip() + "…"


class _Facts:
    """The stored facts by what makes them the same, and what rows turn them into."""

    def __init__(self, workspace: str, stored: Iterable[Fact], now: datetime, taken: frozenset[str]) -> None:
        self._workspace = workspace
        self._taken = taken
        self._now = now
        self._stored: dict[Key, list[Fact]] = defaultdict(list)
        for fact in stored:
            self._stored[fact.source_uuid, fact.relation, fact.target_uuid, fact.valid_at].append(fact)
        self._touched: list[Fact] = []

    def take(self, key: Key, rows: Sequence[Row]) -> Sequence[Verdict]:
        """Take the rows on one fact, in their order."""
        stored = self._stored.get(key, ())
        if len(rows) == 1 and (verdict := self._take_alone(key, rows[0], stored)):
            return (verdict,)
        by_uuid = {fact.uuid: fact for fact in stored}
        given = [fact.valid_at_precision for fact in stored]
        start = functools.reduce(finer, (*given, *(row.valid_at_precision for row in rows)))
        history = FactRevisions(_blank(key, rows[0], start), by_uuid.values())
        verdicts = history.add_all(
            [
                RowStatement(
                    at=row.created_at or self._now,
                    end=row.invalid_at,
                    attributes=row.attributes,
                    expired=None if _ended_when_recorded(row) else row.expired_at,
                    withdrawn=row.withdrawn_at,
                    believed=row.believed_invalid_at,
                    text=row.fact,
                    episodes=self._sources(row),
                    ended_by=row.ending_uuid or (episode_uuid(self._workspace, row.ending) if row.ending else None),
                    about=row.fact_uuid,
                    lasting=row.created_at is not None,
                    end_precision=row.invalid_at_precision,
                    ended_unknown=row.ended_unknown,
                )
                for row in rows
            ]
        )
        used = set(by_uuid)
        for fact in history.facts():
            if not fact.uuid:
                fact = self._named(fact, used)
            if fact != by_uuid.get(fact.uuid):
                self._touched.append(fact)
        if start in given or not given:
            return verdicts
        exact = [row.valid_at_precision == start for row in rows]
        return ["source" if v == "unchanged" and more else v for v, more in zip(verdicts, exact, strict=True)]

    def _take_alone(self, key: Key, row: Row, stored: Sequence[Fact]) -> Verdict | None:
        """Take a fact's only row, where that needs no history; None where it does."""
        if len(stored) > 1 or single_row.needs_history(row):
            return None
        at, episodes = row.created_at or self._now, self._sources(row)
        if stored:
            return "unchanged" if single_row.repeats(stored[0], row, at, episodes) else None
        uuid_ = identity(self._workspace, "fact", *key, at)
        if uuid_ in self._taken:
            return None
        self._touched.append(single_row.opened(uuid_, (key[0], key[2]), row, at, episodes))
        return "new"

    def _sources(self, row: Row) -> tuple[str, ...]:
        if row.episode_uuid:
            return (row.episode_uuid,)
        return (episode_uuid(self._workspace, row.episode),) if row.episode else ()

    def touched(self) -> tuple[Fact, ...]:
        """Facts that are new or differ from what is stored."""
        return tuple(self._touched)

    def _named(self, fact: Fact, used: set[str]) -> Fact:
        parts = (fact.source_uuid, fact.relation, fact.target_uuid, fact.valid_at, fact.created_at)
        chosen = _free(lambda n: identity(self._workspace, "fact", *parts, *n), used, self._taken)
        used.add(chosen)
        return replace(fact, uuid=chosen)


def _ended_when_recorded(row: Row) -> bool:
    """True where the row says what one without an `expired_at` means that has ended at an unknown time."""
    others = row.invalid_at, row.withdrawn_at, row.believed_invalid_at
    return row.ended_unknown and others == (None, None, None) and row.expired_at == row.created_at


def _blank(key: Key, row: Row, precision: Precision) -> Fact:
    """What the records of one fact share."""
    source, relation, target, valid_at = key
    text = words(row.source, relation, row.target)
    return Fact("", source, target, row.source, relation, row.target, text, valid_at, valid_at_precision=precision)


def _free(make: Callable[[tuple[int, ...]], str], *used: AbstractSet[str]) -> str:
    """The first of the uuids that `make` gives which nobody has: (), then 2, 3, …"""
    chosen, number = make(()), 2
    while any(chosen in uuids for uuids in used):
        chosen, number = make((number,)), number + 1
    return chosen
