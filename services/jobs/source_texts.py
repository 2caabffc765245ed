"""The sources of a workspace: the list of them, and one with its texts, its facts and where these stand in the text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from services.context import OpenWorkspace
from services.core import clock
from services.core.errors import BadInput
from services.core.models import Document, Episode, Fact, Section
from services.core.source_records import Unfinished, UnfinishedState
from services.documents.marked_places import Span, places
from services.documents.versions import as_version
from services.jobs.texts import text_item
from services.mirror import source_queries as listed
from services.mirror.dependents import documents_of_episodes, facts_from
from services.mirror.mirror import Mirror

MOST_UNFINISHED = 500
_CANDIDATES, _RENAMED = 20_000, 2_000
"""So many pairs of a document and a text are looked at, to tell whose text it was; fewer that have nothing alike."""


@dataclass(frozen=True, slots=True)
class SourceTexts:
    """A source with all that it said: its present text and, newest first, those before it.

    `facts` cite any of them, in the order of the text; `places` are the spans of the present text that say them.
    """

    document: Document | None
    episode: Episode
    earlier: tuple[Episode, ...] = ()
    sections: tuple[Section, ...] = ()
    facts: tuple[Fact, ...] = ()
    places: Mapping[str, Span] = MappingProxyType({})

    @property
    def key(self) -> str:
        """What names it in the list."""
        return self.document.id if self.document else self.episode.uuid

    @property
    def title(self) -> str:
        """What it is called."""
        named = (self.document.title or self.document.id) if self.document else self.episode.name
        return named or self.episode.content.strip().partition("\n")[0][:80]


def earlier_texts(mirror: Mirror, workspace: str) -> Mapping[str, str]:
    """The uuids of texts that documents had before, each with the document's id."""
    known: dict[str, str] = {}
    ways: tuple[listed.Likeness, ...] = ("title", "path", "id", "any")
    for alike in ways:
        limit = _RENAMED if alike == "any" else _CANDIDATES
        for document, episode in listed.possible_earlier_texts(mirror, alike, list(known), limit):
            if episode.uuid not in known and as_version(workspace, document, episode) is not None:
                known[episode.uuid] = document.id
    return MappingProxyType(known)


def unfinished_items(workspace: OpenWorkspace, state: UnfinishedState | None = None) -> tuple[Unfinished, ...]:
    """The newest that failed or wait; nothing where the accounts database is out of reach: the rest can be listed."""
    return workspace.ask_accounts(lambda kept: kept.unfinished.listed(workspace.name, MOST_UNFINISHED, state), ())


def count_unfinished(workspace: OpenWorkspace, state: UnfinishedState | None = None) -> int:
    """How many failed or wait, beyond those that are listed too; none where the accounts database is out of reach."""
    return workspace.ask_accounts(lambda kept: kept.unfinished.count(workspace.name, state), 0)


def source_texts(mirror: Mirror, key: str, earlier: Mapping[str, str]) -> SourceTexts | None:
    """A document by its id, or an episode by its uuid; of an episode that is a document's text that document."""
    whole = mirror.document(key) or mirror.document(_document_of(mirror, key, earlier))
    if whole is None:
        episodes = mirror.episodes([key])
        return _with_facts(mirror, SourceTexts(None, episodes[0])) if episodes else None
    document = whole.document
    before = [uuid for uuid, id in earlier.items() if id == document.id]
    texts = {e.uuid: e for e in mirror.episodes([document.episode_uuid, *before])}
    present = texts.pop(document.episode_uuid, None) or Episode(document.episode_uuid, document.title, "")
    newest_first = sorted(texts.values(), key=lambda e: e.created_at or clock.EARLIEST, reverse=True)
    return _with_facts(mirror, SourceTexts(document, present, tuple(newest_first), whole.sections))


def _with_facts(mirror: Mirror, found: SourceTexts) -> SourceTexts:
    present = found.episode
    facts = facts_from(mirror, [present.uuid, *(episode.uuid for episode in found.earlier)])
    spans = places((fact for fact in facts if present.uuid in fact.episodes), present.content)
    last = len(present.content)
    in_order = sorted(facts, key=lambda fact: spans.get(fact.uuid, (last, last)))
    return replace(found, facts=tuple(in_order), places=MappingProxyType(spans))


def _document_of(mirror: Mirror, episode_uuid: str, earlier: Mapping[str, str]) -> str:
    documents = documents_of_episodes(mirror, [episode_uuid])
    return documents[0].id if documents else earlier.get(episode_uuid, "")


def read_again(
    workspace: OpenWorkspace,
    found: SourceTexts,
    extract: str,
    *,
    write_at_once: bool = False,
    user_id: str | None = None,
) -> str:
    """Queue a document's present text to have its facts looked for once more; returns the job's id.

    `extract` is "rules" or a model's name. Raises `BadInput` for what is no document, or has no text.
    """
    document = found.document
    if document is None or not found.episode.content.strip():
        raise BadInput("Asof can extract facts again only from documents.", "Ingest the text on the Ingest page.")
    item = text_item(
        found.episode.content,
        id=document.id,
        title=document.title,
        format=document.format,
        path=document.path,
        thread=document.thread,
        reference_time=document.reference_time,
        tags=document.tags,
    )
    options = {"extract": extract, "again": True, "write_at_once": write_at_once}
    add = workspace.accounts.jobs.add
    return add(workspace.name, "documents", found.title, [item], options=options, user_id=user_id)
