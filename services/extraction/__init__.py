"""Facts from texts: by rules, by a small network, or by a model."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.extraction.estimate import RULES, estimate_reading
    from services.extraction.extractors import schema_of
    from services.extraction.schema_suggestion import suggest_schema
    from services.extraction.schemas import default_schema, schema_from_json, schema_to_json
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "RULES",
    "default_schema",
    "estimate_reading",
    "schema_from_json",
    "schema_of",
    "schema_to_json",
    "suggest_schema",
]
