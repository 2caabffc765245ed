"""Reads the dates of documents again, and keeps which of their facts have others than are read by now.

Nothing is written to the graph: Health lists what was found, and corrects it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.context import OpenWorkspace
from services.core.draft_records import SourceText, Watch
from services.core.errors import BadInput
from services.core.health_records import DatesRead
from services.core.job_records import ItemEnd, Job, JobItem, NewItem
from services.core.json_documents import dates_document, read_dates
from services.core.models import Fact
from services.documents.versions import NewDocument
from services.extraction.extractors import RULES, extractor_of, schema_of
from services.jobs.processor import JobContext
from services.jobs.texts import Text, messages_before
from services.mirror.dependents import documents_with_facts, facts_from
from services.proposals.dates_read_again import dates_read_otherwise, differs
from services.proposals.graph_diff import bare_proposal, diff_against_graph

TITLE = "Check dates"


def read_dates_again(workspace: OpenWorkspace, *, user_id: str | None = None) -> str:
    """Queue the documents that facts come of to have their dates read once more; returns the job's id.

    Raises `BadInput` where there is none.
    """
    documents = documents_with_facts(workspace.mirror)
    if not documents:
        raise BadInput(
            "This workspace has no facts extracted from documents.", "Ingest a document and extract its facts first."
        )
    # By another key than the document's, which would say that it was taken in once more.
    items = [NewItem(one.episode_uuid, one.title or one.id, {"id": one.id}) for one in documents]
    return workspace.accounts.jobs.add(workspace.name, "dates", TITLE, items, user_id=user_id)


def latest_reading(workspace: OpenWorkspace) -> Job | None:
    """The last job that read dates again."""
    return workspace.ask_accounts(lambda kept: kept.jobs.latest(workspace.name, "dates"), None)


def found_by(workspace: OpenWorkspace, job_id: str) -> tuple[DatesRead, ...]:
    """What such a job found so far and is still so, in the order of its documents."""
    nothing: tuple[JobItem, ...] = ()
    items = workspace.ask_accounts(lambda kept: kept.jobs.items(job_id, ("done",)), nothing)
    read = [read_dates(one) for item in items for one in (item.result or {}).get("dates", ())]
    facts = {fact.uuid: fact for fact in workspace.mirror.facts([one.fact_uuid for one in read])}
    return tuple(one for one in read if _is_left(facts, one))


def _is_left(facts: Mapping[str, Fact], read: DatesRead) -> bool:
    fact = facts.get(read.fact_uuid)
    return fact is not None and read.is_of(fact) and differs(fact, read)


@dataclass(frozen=True, slots=True)
class _Held:
    """A document that is in the graph, with the uuid of the episode that holds its text."""

    text: Text
    episode_uuid: str


class DatesProcessor:
    """Reads documents again by the rules, and compares the dates of their facts."""

    at_once = 16

    def process(self, items: Sequence[JobItem], context: JobContext) -> None:
        """Read the documents of the items. Raises `ExtractorUnavailable`."""
        workspace = context.workspace
        workspace.sync()
        held = list(_held(items, context))
        schema, extractor = schema_of(workspace), extractor_of(workspace, RULES)
        titles = {one.text.document.id: one.text.item.title for one in held}
        watch = Watch(context.cancel, lambda id, share: context.report(f"reading {titles[id]}", share))
        sources = _sources(workspace, [one.text for one in held])
        for one, source, found in zip(held, sources, extractor.extract(sources, schema, watch), strict=True):
            if found.problem:
                context.end(ItemEnd(one.text.item.id, "failed", problem=found.problem, hint=found.hint))
                continue
            proposal = bare_proposal(source, found, schema, RULES, episode_uuid=one.episode_uuid)
            compared = diff_against_graph(workspace, proposal)
            dates = dates_read_otherwise(compared, facts_from(workspace.mirror, [one.episode_uuid]))
            context.end(ItemEnd(one.text.item.id, "done", {"dates": [dates_document(read) for read in dates]}))


def _held(items: Sequence[JobItem], context: JobContext) -> Iterator[_Held]:
    """The documents with their present texts; of one that was deleted meanwhile nothing is left to read."""
    mirror = context.workspace.mirror
    documents = mirror.documents_by_id([item.payload["id"] for item in items])
    texts = {episode.uuid: episode.content for episode in mirror.episodes(d.episode_uuid for d in documents.values())}
    for item in items:
        document = documents.get(item.payload["id"])
        if document is None or document.episode_uuid not in texts:
            context.end(ItemEnd(item.id, "done", {"dates": []}))
            continue
        new = NewDocument(
            document.id,
            texts[document.episode_uuid],
            document.title,
            path=document.path,
            reference_time=document.reference_time,
            thread=document.thread,
        )
        yield _Held(Text(item, new), document.episode_uuid)


def _sources(workspace: OpenWorkspace, texts: Sequence[Text]) -> list[SourceText]:
    before = messages_before(workspace, texts) if texts else {}
    documents = [text.document for text in texts]
    return [SourceText(d.id, d.text, d.title, d.reference_time, tuple(before.get(d.id, ()))) for d in documents]
