"""A proposal as JSON and back, so that a review outlives a restart."""

import functools
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError

from services.core import clock
from services.core.errors import BadInput
from services.proposals.proposal_records import Proposal


def document_of(proposal: Proposal) -> dict[str, Any]:
    """The proposal for JSON."""
    document: dict[str, Any] = json.loads(json.dumps(proposal, default=_plain))
    return document


def proposal_of(document: Mapping[str, Any]) -> Proposal:
    """The proposal that `document_of` was given. Raises `BadInput` for anything else."""
    try:
        return _adapter().validate_python(document)
    except ValidationError as error:
        raise BadInput("This review cannot be read any more.", "Read the text again.") from error


def _plain(value: Any) -> Any:
    """What JSON does not know: instants, records, mappings of any kind."""
    if isinstance(value, datetime):
        return clock.spell(value)
    return {part.name: getattr(value, part.name) for part in fields(value)} if is_dataclass(value) else dict(value)


@functools.cache
def _adapter() -> TypeAdapter[Proposal]:
    return TypeAdapter(Proposal)
