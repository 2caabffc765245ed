"""Feeds texts: each item of a job is read, its facts are looked for and proposed, then reviewed or written.

A document and its facts go in by one change-set. What is in already as it stands is done at once.
"""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.core.change_records import Origin
from services.core.cost import Prices, Usage
from services.core.draft_records import Extraction, Extractor, SourceText, Watch
from services.core.errors import BadInput
from services.core.job_records import ItemEnd, JobItem
from services.extraction.extractors import RULES, extractor_of, schema_of
from services.jobs.processor import JobContext
from services.jobs.texts import Text, file_item, messages_before, read_item, text_item
from services.proposals.graph_diff import bare_proposal, diff_against_graph
from services.proposals.preselection import SHOWN
from services.proposals.proposal_records import Proposal, document_of, proposal_of
from services.proposals.saving import confirm, discard, document_summary, keep, review_of, reviewed, write
from services.writing.change_sets import writing
from services.writing.documents import BATCH, prepare_documents, title_for, version_of

__all__ = ["DocumentsProcessor", "confirm", "discard", "file_item", "keep", "reviewed", "text_item"]

_BY_RULES = 16


class DocumentsProcessor:
    """Does items that hold a text or a file.

    `options` of a job: `extract` ("" for none, "rules", or a model's name), `schema` (a document; else the
    workspace's), `write_at_once` (what is pre-ticked, without review), `again` (look for facts also where a text was
    read before).
    """

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self._extract = str((options or {}).get("extract") or "")

    @property
    def at_once(self) -> int:
        """As many as one write takes; what is reviewed, or costs money, is done in smaller steps."""
        return {"": BATCH, RULES: _BY_RULES}.get(self._extract, 1)

    def process(self, items: Sequence[JobItem], context: JobContext) -> None:
        """Read the items, and take them in with their facts. Raises `ExtractorUnavailable` where none can be found."""
        for wave in _waves(list(_read(items, context))):
            if self._extract:
                _Reader(context).look_for_facts(wave)
            else:
                _take_in(wave, context)


def _read(items: Sequence[JobItem], context: JobContext) -> Iterator[Text]:
    """The texts of items, each with its own tags and the job's; one that cannot be read has failed."""
    tags = tuple(map(str, context.job.options.get("tags") or ()))
    for number, item in enumerate(items):
        if context.cancel.is_set():
            return
        context.report(f"reading {item.title}", number / len(items))
        try:
            text, attached = read_item(context.workspace, item)
        except BadInput as problem:
            context.end(ItemEnd(item.id, "failed", problem=problem.message, hint=problem.hint))
            continue
        if attached:
            context.add(attached)
        yield replace(text, document=replace(text.document, tags=(*text.document.tags, *tags)))


def _waves(texts: Sequence[Text]) -> Iterator[list[Text]]:
    """The texts, each document at most once in a wave: of two versions the later one goes in after the other."""
    left = list(texts)
    while left:
        first = {text.document.id: text for text in reversed(left)}
        wave = [text for text in left if first[text.document.id] is text]
        yield wave
        left = [text for text in left if first[text.document.id] is not text]


def _take_in(texts: Sequence[Text], context: JobContext) -> None:
    """Take in documents without looking for facts: all of them by one change-set."""
    context.report(f"ingesting {_counted(texts)}")
    started, job = time.monotonic(), context.job
    with writing(context.workspace, context.cancel) as writer:
        ready = prepare_documents(context.workspace, [text.document for text in texts], context.cancel)
        items = {text.document.id: text for text in texts}
        problems = dict(ready.problems)
        ms = (time.monotonic() - started) * 1000 / max(1, len(texts))
        ends = {
            id: ItemEnd(
                text.item.id, "done", {**document_summary(text.document, ready), "notes": list(text.notes)}, ms=ms
            )
            for id, text in items.items()
            if id not in problems
        }
        fresh = [*(one.document.id for one in ready.documents), *ready.tags]
        if fresh:
            item_id = items[fresh[0]].item.id if len(fresh) == 1 else None
            origin = Origin("text", job.user_id, job.id, item_id, tuple(fresh))
            title = title_for(ready.documents) if ready.documents else _counted([items[id] for id in fresh])
            writer.apply(ready.edit, title=title, origin=origin, ends=[ends.pop(id) for id in fresh])
    for id, problem in problems.items():
        context.end(ItemEnd(items[id].item.id, "failed", problem=problem, ms=ms))
    for end in ends.values():
        context.end(end)


def _counted(texts: Sequence[Text]) -> str:
    return texts[0].item.title if len(texts) == 1 else f"{len(texts):,} texts"


class _Reader:
    """Looks for the facts of a job's texts, one proposal each."""

    def __init__(self, context: JobContext) -> None:
        self._context, self._workspace, self._job = context, context.workspace, context.job
        self._options = context.job.options
        self._prices = Prices(context.workspace.settings.prices)

    def look_for_facts(self, texts: Sequence[Text]) -> None:
        """Extract, propose, and write at once or leave for review. Raises `ExtractorUnavailable`."""
        context, workspace = self._context, self._workspace
        schema = schema_of(workspace, self._options.get("schema"))
        digest = hashlib.blake2b(repr(schema).encode(), digest_size=8).hexdigest()
        reader = f"{self._options['extract']} {digest}"  # who reads, and what is looked for
        texts = [text for text in texts if not self._settle_what_was_kept(text, reader)]
        known = {text.document.id for text in texts if self._is_read(text, reader)}
        new = [text for text in texts if text.document.id not in known]
        if known:
            _take_in([text for text in texts if text.document.id in known], context)
        if not new:
            return
        extractor = extractor_of(workspace, str(self._options["extract"]))
        before = messages_before(workspace, new)
        sources = [
            SourceText(one.id, one.text, one.title, one.reference_time, tuple(before.get(one.id, ())))
            for one in (text.document for text in new)
        ]
        started = time.monotonic()
        titles = {text.document.id: text.item.title for text in new}
        watch = Watch(context.cancel, lambda id, share: context.report(f"looking for facts in {titles[id]}", share))
        found = extractor.extract(sources, schema, watch)
        for text, source, extraction in zip(new, sources, found, strict=True):
            end = self._measured(ItemEnd(text.item.id, "failed"), extractor, extraction, started)
            if extraction.problem:
                context.end(replace(end, problem=extraction.problem, hint=extraction.hint))
            else:
                uuid = version_of(workspace.name, text.document).episode_uuid
                proposal = bare_proposal(source, extraction, schema, extractor.name, episode_uuid=uuid)
                if end.input_tokens or end.output_tokens:
                    kept = {"reading": {"reader": reader, "proposal": document_of(proposal)}}
                    context.end(replace(end, state="running", result=kept))
                    end = ItemEnd(text.item.id, "failed")
                self._settle(text, proposal, reader, end)
            started = time.monotonic()

    def _settle_what_was_kept(self, text: Text, reader: str) -> bool:
        """Go on with a text that this reader was paid for before something came between; False where it was not."""
        proposal = _kept_of(text.item, reader)
        if proposal is None or proposal.episode_uuid != version_of(self._workspace.name, text.document).episode_uuid:
            return False
        self._settle(text, proposal, reader, ItemEnd(text.item.id, "failed"))
        return True

    def _is_read(self, text: Text, reader: str) -> bool:
        """True for a version that is in, and that facts came of, or in which the reader found none before."""
        if self._options.get("again"):
            return False
        version, mirror = version_of(self._workspace.name, text.document), self._workspace.mirror
        held = mirror.documents_by_id([version.id]).get(version.id)
        if held is None or held.episode_uuid != version.episode_uuid:
            return False
        found_nothing = self._workspace.accounts.readings.found_nothing
        return mirror.is_source([version.episode_uuid]) or found_nothing(
            self._workspace.name, version.episode_uuid, reader
        )

    def _measured(self, end: ItemEnd, extractor: Extractor, extraction: Extraction, started: float) -> ItemEnd:
        tokens = Usage(extraction.input_tokens, extraction.output_tokens)
        cost = self._prices.cost(extractor.name, tokens) if tokens.total else None
        return replace(
            end,
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cost=cost,
            ms=(time.monotonic() - started) * 1000,
        )

    def _settle(self, text: Text, proposal: Proposal, reader: str, end: ItemEnd) -> None:
        """Write what is pre-ticked, where that is asked for; else everything waits for review, if there is anything."""
        result = {"drafts": len(proposal.facts), "notes": list(text.notes)}
        if self._options.get("write_at_once") or not (proposal.facts or proposal.offered):
            write(
                self._workspace, self._job, text.document, proposal, replace(end, result=result), self._context.cancel
            )
        else:
            found = diff_against_graph(self._workspace, proposal)
            kept = review_of(text.document, found, {**result, "document": "held", "chunks": 0, "added": 0, "ended": 0})
            self._context.end(replace(end, state="review", result=kept))
        if not proposal.offered and not any(fact.draft.confidence >= SHOWN for fact in proposal.facts):
            self._workspace.accounts.readings.add(self._workspace.name, proposal.episode_uuid, reader)


def _kept_of(item: JobItem, reader: str) -> Proposal | None:
    """What this reader gave for an item that it read before; None where it did not, or it cannot be read any more."""
    kept = (item.result or {}).get("reading") or {}
    if kept.get("reader") != reader:
        return None
    try:
        return proposal_of(kept["proposal"])
    except BadInput:
        return None
