"""A proposal as JSON and back, so that a review outlives a restart."""

import functools
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
    return {field.name: _plain(getattr(proposal, field.name)) for field in fields(proposal)}


def proposal_of(document: Mapping[str, Any]) -> Proposal:
    """The proposal that `document_of` was given. Raises `BadInput` for anything else."""
    try:
        return _adapter().validate_python(document)
    except ValidationError as error:
        raise BadInput("This review cannot be read any more.", "Read the text again.") from error


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return clock.spell(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple | set | frozenset) else value


@functools.cache
def _adapter() -> TypeAdapter[Proposal]:
    return TypeAdapter(Proposal)
