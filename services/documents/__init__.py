"""Readers: a text becomes sections and chunks that know their lines."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.documents import read_file
    from services.documents.file_types import FILE_ENDINGS
    from services.documents.marked_places import LONGEST_DIFF, DiffLine, Span, by_line, differences, pieces
    from services.documents.pasted_conversations import messages_of
    from services.documents.read_text import MOST_FILES, ReadLimits
    from services.documents.versions import NewDocument
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "FILE_ENDINGS",
    "LONGEST_DIFF",
    "MOST_FILES",
    "DiffLine",
    "NewDocument",
    "ReadLimits",
    "Span",
    "by_line",
    "differences",
    "messages_of",
    "pieces",
    "read_file",
]
