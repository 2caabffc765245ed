"""Makes the bundled documents of the demo: the texts of some sixty well-known PEPs, and vectors for the whole demo.

    python -m demo.build_documents --peps FOLDER

FOLDER is a checkout of python/peps. Only PEPs whose Copyright section puts the whole document in the public domain or
under CC0-1.0 are taken; NOTICE says more. The vectors are those that the local embedder makes of everything that the
demo lets one find, each as 8-bit numbers with a scale, so that the demo loads without waiting for a model.
"""

import argparse
import gzip
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.jobs.demo import WORKSPACE, load_demo
from services.retrieval.catalog import read_items
from services.retrieval.items import KINDS, text_key

HERE = Path(__file__).parent
NUMBERS = (
    1,
    7,
    8,
    20,
    234,
    238,
    249,
    255,
    257,
    274,
    289,
    308,
    318,
    328,
    333,
    342,
    343,
    352,
    362,
    371,
    380,
    393,
    405,
    420,
    435,
    440,
    443,
    448,
    450,
    465,
    479,
    484,
    492,
    498,
    518,
    525,
    526,
    530,
    544,
    557,
    563,
    567,
    570,
    572,
    585,
    589,
    594,
    604,
    612,
    615,
    617,
    621,
    634,
    646,
    654,
    695,
    703,
    3107,
    3119,
    3333,
)
_FREE = re.compile(r"this\s.{0,60}\b(public\s+domain|CC0)", re.IGNORECASE | re.DOTALL)
_MAIL = re.compile(r"\s*<[^>\n]*@[^>\n]*>")
_HEADER = re.compile(r"^(Title|Created):\s*(.+)$", re.MULTILINE)


def main() -> None:
    """Read the PEPs, write the two bundled files beside this one."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peps", type=Path, required=True, help="a checkout of python/peps")
    folder = parser.parse_args().peps
    records = list(documents(folder))
    text = "".join(json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n" for record in records)
    (HERE / "peps-vectors.npz").unlink(missing_ok=True)  # all are made anew
    (HERE / "peps-documents.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    with tempfile.TemporaryDirectory(prefix="asof-demo-") as home:
        services = build_services(Settings(home=Path(home), _env_file=None))
        try:
            load_demo(services)
            keys, vectors = demo_vectors(services)
        finally:
            services.close()
    scales = np.abs(vectors).max(axis=1)
    rounded = np.round(vectors / scales[:, None] * 127).astype(np.int8)
    np.savez_compressed(HERE / "peps-vectors.npz", keys=np.array(keys), scales=scales / 127, vectors=rounded)
    print(f"{len(records)} documents, {len(keys)} vectors")


def documents(folder: Path) -> Iterator[dict[str, str]]:
    """The PEPs of the list, as lines for `cli.py ingest --documents`. Raises `ValueError` for one that is not free."""
    for number in NUMBERS:
        path = folder / "peps" / f"pep-{number:04}.rst"
        text = path.read_text(encoding="utf-8")
        if not is_free(text):
            raise ValueError(f"PEP {number} is neither in the public domain nor under CC0-1.0.")
        header = dict(_HEADER.findall(text))
        head, blank, body = text.partition("\n\n")
        yield {
            "id": path.name,
            "path": f"peps/{path.name}",
            "format": "rst",
            "text": _MAIL.sub("", head) + blank + body,
            "title": f"PEP {number} – {' '.join(header['Title'].split())}",
            "reference_time": header["Created"].split("(")[0].strip(),
        }


def is_free(text: str) -> bool:
    """True where the Copyright section gives the whole document away."""
    _, found, copyright = text.rpartition("\nCopyright\n")
    return bool(found) and bool(_FREE.search(copyright))


def demo_vectors(services: App) -> tuple[list[str], np.ndarray]:
    """The vectors of everything in the demo, by the keys of their texts."""
    services.indexes.prepare(WORKSPACE)
    mirror = services.mirrors.of(WORKSPACE)
    texts = [text for kind in KINDS for item in read_items(mirror, kind) for text in item.embedded]
    texts += [section.name for section in mirror.section_rows()]
    texts += [chunk.text for chunk in mirror.chunk_rows()]
    keys = sorted({text_key(text) for text in texts})
    vectors, there = mirror.vectors.of(keys, services.indexes.embedder.dimension)
    return [key for key, known in zip(keys, there, strict=True) if known], vectors[there]


if __name__ == "__main__":
    main()
