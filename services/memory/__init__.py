"""An agent's own records: their types, the eight queries over them, and what these found."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.memory.confidence import Confidence
    from services.memory.query_catalog import MEMORY_QUERIES, MemoryAnswer, MemoryInput, MemoryQuery, ask_memory
    from services.memory.record_entities import entities_of_records, names_in
    from services.memory.record_fields import SEVERITIES, in_field_order, title_of
    from services.memory.record_lines import RecordLines, read_record_lines, record_line
    from services.memory.record_search import RecordHit, search_records
    from services.memory.related_code import MARK
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "MARK",
    "MEMORY_QUERIES",
    "SEVERITIES",
    "Confidence",
    "MemoryAnswer",
    "MemoryInput",
    "MemoryQuery",
    "RecordHit",
    "RecordLines",
    "ask_memory",
    "entities_of_records",
    "in_field_order",
    "names_in",
    "read_record_lines",
    "record_line",
    "search_records",
    "title_of",
]
