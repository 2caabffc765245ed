"""Who reads facts from texts, and what to look for."""

from collections.abc import Mapping
from typing import Any

from services.context import OpenWorkspace
from services.core.draft_records import Extractor, Schema
from services.extraction.schemas import default_schema, schema_from_json

RULES = "rules"


def extractor_of(workspace: OpenWorkspace, name: str) -> Extractor:
    """The extractor of that name: "rules", or a model. Imported when it is needed: both take long to import."""
    if name == RULES:
        from services.extraction.offline import OfflineExtractor

        return OfflineExtractor()
    from services.extraction.model import ModelExtractor

    return ModelExtractor(workspace, name)


def schema_of(workspace: OpenWorkspace, given: Mapping[str, Any] | None = None) -> Schema:
    """The schema that was given; else the workspace's own; else the one for everybody.

    Raises `BadInput` for one that cannot be read.
    """
    document = given or workspace.accounts.schemas.get(workspace.name)
    return schema_from_json(document) if document else default_schema()
