"""Texts read by the rules: cut into blocks, parsed together, and read sentence by sentence."""

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import TYPE_CHECKING

from services.errors import Cancelled
from services.ingestion.extraction.records import Schema, SourceText
from services.ingestion.extraction.rules.markup import Block
from services.ingestion.extraction.rules.parser import BATCH, parse
from services.ingestion.extraction.rules.rewriting import prepared
from services.ingestion.extraction.rules.texts import TextReading

if TYPE_CHECKING:
    from spacy.tokens import Doc

EARLIER = 5
"""How many texts of a thread are read before the one that facts are wanted of."""
LONGEST = 100_000
"""A paragraph of more characters than this is not read."""
_RULE = re.compile(r"[^\w\s]{200,}")
"""A line of signs: cutting it into words would take the parser a time that grows with its square."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block to parse: which text it is of, and whether that is only its thread."""

    source: int
    block: Block
    is_earlier: bool = False


def read_texts(
    sources: Sequence[SourceText], schema: Schema, cancel: threading.Event
) -> Iterator[tuple[SourceText, TextReading]]:
    """Each text, read. Blocks are parsed 64 at a time, which is how often `cancel` is looked at."""
    for some in batched(sources, BATCH):
        pieces = [piece for number, source in enumerate(some) for piece in _pieces(number, source)]
        parsed: list[tuple[_Piece, Doc]] = []
        for batch in batched(pieces, BATCH):
            if cancel.is_set():
                raise Cancelled("The extraction was cancelled.")
            parsed += zip(batch, parse([_parsable(piece.block) for piece in batch]), strict=True)
        for number, source in enumerate(some):
            if cancel.is_set():
                raise Cancelled("The extraction was cancelled.")
            reading = TextReading(source, schema)
            reading.is_too_long = any(len(piece.block.told) > LONGEST for piece, _ in parsed if piece.source == number)
            for piece, doc in parsed:
                if piece.source == number and not reading.is_too_long:
                    reading.read(piece.block, doc, is_earlier=piece.is_earlier)
            yield source, reading


def _pieces(number: int, source: SourceText) -> Iterator[_Piece]:
    for earlier in source.before[-EARLIER:]:
        yield from (_Piece(number, block, True) for block in prepared(earlier))
    yield from (_Piece(number, block) for block in prepared(source.text, source.title))


def _parsable(block: Block) -> str:
    """What is parsed of a block, letter for letter in its place."""
    return _RULE.sub(lambda signs: " " * len(signs[0]), block.prose.text[:LONGEST])
