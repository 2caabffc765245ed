"""Making the vectors that a workspace lacks."""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import batched, chain

import numpy as np

from services.core.errors import Cancelled
from services.mirror.mirror import Mirror
from services.retrieval.catalog import read_items
from services.retrieval.embedder import Embedder, model_of
from services.retrieval.items import KINDS, text_key

Progress = Callable[[int, int], None]
"""Called with how many texts are embedded, and how many there are to embed."""

_BATCH = 256
_AT_ONCE = 2


def embed_missing(
    mirror: Mirror, embedder: Embedder, progress: Progress | None = None, cancel: threading.Event | None = None
) -> int:
    """Give each text of the workspace a vector that has none; returns how many there were."""
    texts = (text for kind in KINDS for item in read_items(mirror, kind) for text in item.embedded)
    headings = (section.name for section in mirror.section_rows())
    return embed_texts(mirror, embedder, chain(texts, headings), progress, cancel)


def embed_texts(
    mirror: Mirror,
    embedder: Embedder,
    texts: Iterable[str],
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> int:
    """Give each of these texts a vector that has none; returns how many there were.

    Raises `Cancelled` between batches once `cancel` is set; the vectors made by then are kept.
    """
    by_key = {text_key(text): text for text in texts}
    missing = mirror.vectors.missing(by_key)
    model = model_of(embedder)
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="asof-embed") as pool:
        done = 0
        for keys in batched(missing, _BATCH):
            if cancel is not None and cancel.is_set():
                raise Cancelled("It was stopped.", "What was embedded by then is kept.")
            parts = np.array_split(np.arange(len(keys)), _AT_ONCE)
            rows = pool.map(lambda part, keys=keys: embedder.embed([by_key[keys[i]] for i in part]), parts)
            mirror.vectors.add(model, keys, np.concatenate(list(rows)))
            done += len(keys)
            if progress is not None:
                progress(done, len(missing))
    return len(missing)
