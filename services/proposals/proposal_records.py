"""What drafts would change in the graph, for an analyst to review: records shared by extraction, pages and jobs."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError

from services.core import clock
from services.core.draft_records import Draft, Ending, SourceText
from services.core.errors import BadInput
from services.core.models import Entity, Fact, Precision
from services.writing.fact_revisions import Verdict


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity of the graph that a name may stand for, and why."""

    entity: Entity
    reason: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a name of a draft stands for: the entity of the graph `uuid`, or a new one. `reason` says why.

    `entity` is that entity as the graph has it; `others` are weaker guesses, for the analyst to choose. A new one has a
    `new_uuid` where the analyst said that it is one, whatever else has its name.
    """

    name: str
    type: str = ""
    uuid: str | None = None
    reason: str = ""
    others: tuple[Candidate, ...] = ()
    entity: Entity | None = None
    new_uuid: str = ""


@dataclass(frozen=True, slots=True)
class EntityChoice:
    """The analyst's word on a name: it is the entity `uuid`, or a new one where that is None."""

    name: str
    type: str
    uuid: str | None


@dataclass(frozen=True, slots=True)
class ProposedFact:
    """A draft against the graph. `key` names it in its proposal; `verdict` is what the import table makes of it.

    `similar` are stored facts that say nearly the same. `ticked` proposes to write it; `reason` says what
    speaks against it, beside the draft's confidence. `repeats` is the stored fact that it says again, or that it ends:
    its start is the draft's where that has none. `ends_at` is an end that the draft itself does not give: what follows
    it began then.
    """

    key: str
    draft: Draft
    source: Resolved
    target: Resolved
    verdict: Verdict
    similar: tuple[Fact, ...] = ()
    ticked: bool = True
    reason: str = ""
    repeats: Fact | None = None
    ends_at: datetime | None = None
    ends_at_precision: Precision = "instant"


@dataclass(frozen=True, slots=True)
class ProposedEnding:
    """A stored fact that would end at `invalid_at`, because of the proposed fact `by` or of what the text says.

    With `ended_unknown` it would end nobody knows when. It is written when it is ticked, and the fact `by` is, too.
    """

    fact: Fact
    invalid_at: datetime | None
    reason: str
    by: str | None = None
    ticked: bool = True
    invalid_at_precision: Precision = "instant"
    ended_unknown: bool = False

    @property
    def is_known(self) -> bool:
        """True where it can be written: with its end, or as ended on an unknown date."""
        return self.invalid_at is not None or self.ended_unknown


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one text would change. `extractor` is "rules" or a model's name.

    `episode_uuid` is the episode of the document's version. The rest is what it was made of, so that it can be made
    again when the analyst changed something: `choices` on names, `ticks` by the key of a fact or the uuid of a stored
    one that would end, `offered` as the extractor gave them (`by` counts the drafts as they came), and the relations
    that hold `one_at_a_time` by the schema.

    `revision` names the state of it that an item keeps, empty where none does; `is_touched` once an analyst changed it.
    """

    source: SourceText
    facts: tuple[ProposedFact, ...]
    endings: tuple[ProposedEnding, ...] = ()
    extractor: str = ""
    episode_uuid: str = ""
    choices: tuple[EntityChoice, ...] = ()
    ticks: Mapping[str, bool] = field(default_factory=dict)
    offered: tuple[Ending, ...] = ()
    one_at_a_time: tuple[str, ...] = ()
    revision: str = ""
    is_touched: bool = False


def document_of(proposal: Proposal) -> dict[str, Any]:
    """The proposal for JSON."""
    document: dict[str, Any] = json.loads(json.dumps(proposal, default=_plain))
    return document


def proposal_of(document: Mapping[str, Any]) -> Proposal:
    """The proposal that `document_of` was given. Raises `BadInput` for anything else."""
    try:
        return _adapter().validate_python(document)
    except ValidationError as error:
        raise BadInput("Asof can no longer read this review.", "Extract the text again.") from error


def _plain(value: Any) -> Any:
    """What JSON does not know: instants, records, mappings of any kind."""
    if isinstance(value, datetime):
        return clock.spell(value)
    return {part.name: getattr(value, part.name) for part in fields(value)} if is_dataclass(value) else dict(value)


@functools.cache
def _adapter() -> TypeAdapter[Proposal]:
    return TypeAdapter(Proposal)
