"""Texts read by the rules: cut into blocks, parsed together, and read sentence by sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import batched

from services.core.draft_records import READ_BY_RULES, Schema, SourceText, Watch
from services.extraction.rules.markup import Block
from services.extraction.rules.parser import BATCH, parse
from services.extraction.rules.rewriting import prepared
from services.extraction.rules.texts import TextReading

EARLIER = 5
"""How many texts of a thread are read before the one that facts are wanted of."""
LONGEST = 100_000
"""A paragraph of more characters than this is not read."""
_TOGETHER = 20_000
"""Characters of texts that are parsed together; a longer text is parsed alone."""
_RULE = re.compile(r"[^\w\s]{200,}")
"""A line of signs: cutting it into words would take the parser a time that grows with its square."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block to parse, for one of the readings: of its text, or only of the thread before it."""

    reading: TextReading
    block: Block
    is_earlier: bool = False


def read_texts(sources: Sequence[SourceText], schema: Schema, watch: Watch) -> Iterator[tuple[SourceText, TextReading]]:
    """Each text, read, in order. Blocks are parsed 64 at a time, which is how often `watch` is told.

    Raises `Cancelled` and `ExtractorUnavailable`.
    """
    for some in _parsed_together(sources):
        readings = [TextReading(source, schema) for source in some]
        pieces = [piece for reading in readings for piece in _pieces(reading)]
        for piece in pieces:
            piece.reading.is_too_long |= len(piece.block.as_read) > LONGEST
        for number, batch in enumerate(batched(pieces, BATCH)):
            watch.went(batch[0].reading.source, READ_BY_RULES * number * BATCH / len(pieces))
            parsed = parse([_parsable(piece.block) for piece in batch])
            for piece, doc in zip(batch, parsed, strict=True):
                if not piece.reading.is_too_long:
                    piece.reading.read(piece.block, doc, is_earlier=piece.is_earlier)
        yield from zip(some, readings, strict=True)


def _parsed_together(sources: Sequence[SourceText]) -> Iterator[list[SourceText]]:
    """The texts in order, as many short ones at a time as are parsed faster together than one by one."""
    some: list[SourceText] = []
    for source in sources:
        if some and (len(some) == BATCH or sum(len(one.text) for one in (*some, source)) > _TOGETHER):
            yield some
            some = []
        some.append(source)
    if some:
        yield some


def _pieces(reading: TextReading) -> Iterator[_Piece]:
    source = reading.source
    for earlier in source.before[-EARLIER:]:
        yield from (_Piece(reading, block, True) for block in prepared(earlier))
    yield from (_Piece(reading, block) for block in prepared(source.text, source.title))


def _parsable(block: Block) -> str:
    """What is parsed of a block, letter for letter in its place."""
    return _RULE.sub(lambda signs: " " * len(signs[0]), block.prose.text[:LONGEST])
