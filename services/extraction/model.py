"""Facts from texts by a language model: each text goes through Graphiti, which writes nothing, and becomes drafts."""

import math
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from services.core.cost import Usage
from services.core.draft_records import Draft, Ending, Extraction, Schema, SourceText, Watch
from services.core.errors import BadInput, EmbedderUnavailable, ExtractorUnavailable, GraphUnavailable
from services.core.models import Entity, Fact
from services.extraction.text_positions import Sentences, Span, passages
from services.llm.endpoint import Endpoint
from services.llm.faults import INSTEAD, ModelFault
from services.llm.patience import Patience
from services.llm.structured import StructuredClient, UnusableAnswer
from services.mirror.mirror import Mirror
from services.retrieval.tokens import folded_words

if TYPE_CHECKING:
    from services.context import OpenWorkspace
    from services.graph.graphiti_extraction import FoundFact

CONFIDENCE = 0.95
"""What a draft of a model counts as: models say nothing of use about how sure they are, and nobody could measure one
here. It is above the threshold at which drafts are ticked, for a model has read the whole text."""

_SILENCE = 90.0
"""Seconds without a byte after which an endpoint is taken for dead; a local model can need long for its first."""
_BEFORE = 1_200
"""So many characters before a passage of a long text are shown with it, for whoever "she" is."""
_SPEAKER = re.compile(r"\s*[^\W\d][\w .'’-]{0,40}: ")
_LIKE = 10
_ALIKE = 0.6
"""How alike the meanings of two names must be for them to be taken for one; as in Graphiti."""
_OTHERWISE = "Or choose “rule-based”, which needs no model."
_LATER = "Try this text again later."


class ModelExtractor:
    """Reads facts from texts by one of the configured models. `silence` are the seconds it is waited for a word."""

    def __init__(self, workspace: "OpenWorkspace", model: str, silence: float = _SILENCE) -> None:
        self._workspace, self._model, self._silence = workspace, model, silence

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model

    def extract(self, sources: Sequence[SourceText], schema: Schema, watch: Watch) -> Iterator[Extraction]:
        """One extraction for each text, in order, each compared with the graph as it is by then.

        A text that fails has a `problem`. Raises `Cancelled` once `watch.cancel` is set, `ExtractorUnavailable` where
        no text would fare better, `GraphUnavailable`, and what the mirror raises.
        """
        patience = Patience(watch.cancel, math.inf, time.monotonic())
        patience.check()
        stored = StoredRecords(self._workspace)
        try:
            endpoint = Endpoint(self._workspace.settings, self._silence)
        except ModelFault as fault:
            raise _unavailable(fault) from fault
        with endpoint:
            for source in sources:
                watch.went(source, 0.0)
                stored.refresh()
                yield self._extraction(endpoint, patience, stored, source, schema)

    def _extraction(
        self, endpoint: Endpoint, patience: Patience, stored: "StoredRecords", source: SourceText, schema: Schema
    ) -> Extraction:
        asking = StructuredClient(endpoint, self._workspace.settings, self._model, patience)
        try:
            reading = _read(asking, stored, source, schema, patience)
        except ModelFault as fault:
            if fault.unusable:
                raise _unavailable(fault) from fault
            return _failed(asking.usage, fault.message, _hint(fault))
        except BadInput as error:
            return _failed(asking.usage, error.message, error.hint)
        return Extraction(tuple(reading.drafts), tuple(reading.endings), asking.usage.read, asking.usage.output)


@dataclass(slots=True)
class _Reading:
    """What the passages of a text gave so far."""

    drafts: list[Draft] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)

    def take(self, draft: Draft, found: "FoundFact") -> None:
        """Add a draft, unless an earlier passage said the same, and what it ends."""
        place = next((i for i, other in enumerate(self.drafts) if _statement(other) == _statement(draft)), None)
        if place is None:
            place = len(self.drafts)
            self.drafts.append(draft)
        ended = {ending.fact_uuid for ending in self.endings}
        self.endings += [Ending(uuid, at, place, precision) for uuid, at, precision in found.ends if uuid not in ended]


def _read(
    asking: StructuredClient, stored: "StoredRecords", source: SourceText, schema: Schema, patience: Patience
) -> _Reading:
    """The drafts of a text, passage by passage."""
    from services.graph.graphiti_extraction import read_facts  # Graphiti takes more than a second to import

    reading = _Reading()
    for start, end in passages(source.text):
        patience.check()
        before = (*source.before, source.text[max(0, start - _BEFORE) : start]) if start else source.before
        passage = replace(source, text=source.text[start:end], before=before)
        kind: Literal["message", "text"] = "message" if not start and _is_message(source) else "text"
        sentences = Sentences(source.text, (start, end))
        for found in read_facts(asking.ask, stored, passage, schema, kind):
            reading.take(_draft(found, sentences.saying(found.text, found.source, found.target)), found)
    return reading


def _is_message(source: SourceText) -> bool:
    """True for a text of a thread that begins with its speaker's name; "Summary: " begins other texts as well."""
    return bool(source.before and _SPEAKER.match(source.text))


def _draft(found: "FoundFact", place: Span) -> Draft:
    return Draft(
        found.source,
        found.relation,
        found.target,
        found.source_type,
        found.target_type,
        found.text,
        found.valid_at,
        found.invalid_at,
        confidence=CONFIDENCE,
        start=place[0],
        end=place[1],
        same_source=found.same_source,
        same_target=found.same_target,
        valid_at_precision=found.valid_at_precision,
        invalid_at_precision=found.invalid_at_precision,
    )


def _statement(draft: Draft) -> tuple[object, ...]:
    """What a draft says, whatever its words."""
    return draft.source, draft.relation, draft.target, draft.valid_at, draft.invalid_at


def _failed(usage: Usage, problem: str, hint: str) -> Extraction:
    return Extraction((), (), usage.read, usage.output, problem, hint)


def _hint(fault: ModelFault) -> str:
    """What to do about a text that was not read; hints about the answer to a question are no help."""
    if isinstance(fault, UnusableAnswer) or INSTEAD in fault.hint:
        return fault.hint.replace(INSTEAD, _OTHERWISE)
    return _LATER


def _unavailable(fault: ModelFault) -> ExtractorUnavailable:
    return ExtractorUnavailable(fault.message, fault.hint.replace(INSTEAD, _OTHERWISE))


class StoredRecords:
    """What a workspace holds to compare a text with, read from its mirror, which our own writes keep in step."""

    def __init__(self, workspace: "OpenWorkspace") -> None:
        self._workspace = workspace

    def refresh(self) -> None:
        """Take in what was written since. Raises `GraphUnavailable` where the graph cannot be read."""
        if down := self._workspace.sync().down:
            raise GraphUnavailable(down)

    def entities_like(self, name: str) -> Sequence[Entity]:
        """Entities that a name may stand for: of that name, of a longer one, or of one that means the same."""
        named, words = self._mirror.entities_named(name), set(folded_words(name))
        inside = [
            entity for entity in self._mirror.find_entities(name, _LIKE) if words <= set(folded_words(entity.name))
        ]
        return tuple({entity.uuid: entity for entity in (*named, *inside, *self._meaning(name))}.values())[:_LIKE]

    def facts_of(self, entity_uuid: str) -> Sequence[Fact]:
        """Every fact with the entity on either side."""
        return self._mirror.history(entity_uuid)

    @property
    def _mirror(self) -> Mirror:
        return self._workspace.mirror

    def _meaning(self, name: str) -> list[Entity]:
        """Entities whose names mean the same, as far as the index knows; without it, names have to be alike."""
        indexes = self._workspace.services.indexes
        ready = indexes.lately(self._workspace.name)
        if ready.stale_model is not None:
            return []
        try:
            vector = indexes.embedder.embed_question(name)
        except EmbedderUnavailable:
            return []
        found = ready.index.nearest("entity", vector, ready.alive["entity"], _LIKE, _ALIKE)
        return list(self._mirror.entities(found))
