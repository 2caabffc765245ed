"""How well questions find what they are about, on public sets: `cli.py bench retrieval --data FOLDER [--set NAME …]`.

FOLDER holds `2wiki101`, `musique100` and `peps`. The first two are run as they come and with their titles removed:
neither indexed nor used; the sections of PEPs as their questions are written and without the numbers of the PEPs in
them. recall@5 is the share of a question's gold among the first 5 hits, the mean over the questions; all@8 the share of
questions with all gold among the first 8. The recipes: `words`, BM25 alone; `similarity`, words, vectors and what
surrounds a chunk; `tuned`, and the walk over mentions. A set's two halves are printed apart, and the least and the most
of 20 random halves, since constants must not be fitted to a set. Vectors are kept, so that a second run is quick.
"""

import argparse
import gzip
import json
import random
import re
import statistics
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from services.documents.chunking import Lines, chunk_spans
from services.documents.outline import Heading, Outline
from services.mirror.vectors import Vectors
from services.retrieval.embedder import LocalEmbedder
from services.retrieval.index import Allowed, SearchIndex
from services.retrieval.items import SearchItem, chunk_item, text_key
from services.retrieval.recipes import SIMILARITY, TUNED, WORDS, Recipe

RECIPES: tuple[Recipe, ...] = (WORDS, SIMILARITY, TUNED)
_NUMBER = re.compile(r":pep:`[^`]*`|\bPEPs?[- ]?\d+\b(?:'s)?")


@dataclass(frozen=True)
class LabelledQuestion:
    """A question, what names its gold, and what may not be found: where the question was taken from."""

    text: str
    gold: frozenset[Hashable]
    left_out: Hashable = None


@dataclass(frozen=True)
class Set:
    """A public set: items, what names each of them in the gold, and questions."""

    items: Sequence[SearchItem]
    names: Sequence[Hashable]
    questions: Sequence[LabelledQuestion]
    variant: str


def two_wiki(data: Path, *, titles: bool) -> Set:
    """2WikiMultiHopQA, 101 questions; a title that occurs twice counts when either is found."""
    found = json.loads((data / "2wiki101/fastgraphrag_vdb_101.json").read_text())
    corpus = json.loads((data / "2wiki101/2wiki_corpus.json").read_text())
    questions = [LabelledQuestion(q["question"], frozenset(q["ground_truth"])) for q in found]
    return _passages(corpus, titles, [p["title"] for p in corpus], questions)


def musique(data: Path, *, titles: bool) -> Set:
    """MuSiQue, 100 questions; gold passages by title and text."""
    found = json.loads((data / "musique100/musique_train.json").read_text())
    corpus = json.loads((data / "musique100/musique_train_corpus.json").read_text())
    golds = [[p for p in q["paragraphs"] if p["is_supporting"]] for q in found]
    questions = [
        LabelledQuestion(q["question"], frozenset((p["title"], p["paragraph_text"]) for p in gold))
        for q, gold in zip(found, golds, strict=True)
    ]
    return _passages(corpus, titles, [(p["title"], p["text"]) for p in corpus], questions)


def _passages(
    corpus: Sequence[dict[str, str]], titles: bool, names: Sequence[Hashable], questions: list[LabelledQuestion]
) -> Set:
    items = [chunk_item(str(number), p["text"], title=p["title"] if titles else "") for number, p in enumerate(corpus)]
    return Set(items, names, questions, "titles kept" if titles else "titles removed")


def pep_sections(data: Path, *, numbers: bool) -> Set:
    """The sections that sentences of PEPs refer to: 95 sentences; the section that a sentence stands in is left out."""
    with gzip.open(data / "peps/peps_sections.json.gz") as file:
        peps = json.load(file)
    items, names = list[SearchItem](), list[Hashable]()
    places = dict[tuple[int, str], Hashable]()
    for pep in peps:
        title = f"PEP {pep['pep']} – {pep['header']['Title']}"
        for section in pep["sections"]:
            name = (pep["pep"], section["anchor"])
            places[pep["pep"], section["title"]] = name
            for text in _chunked(section["text"]):
                items.append(chunk_item(str(len(items)), text, title=title, path=section["path"]))
                names.append(name)
    asked = json.loads((data / "peps/peps_section_queries.json").read_text())
    unique = {(q["query"], q["gold_pep"], q["gold_anchor"]): q for q in asked}.values()
    questions = [
        LabelledQuestion(
            q["query"] if numbers else " ".join(_NUMBER.sub(" ", q["query"]).split()),
            frozenset([(q["gold_pep"], q["gold_anchor"])]),
            places.get((q["citing_pep"], q["citing_section"])),
        )
        for q in unique
    ]
    return Set(items, names, questions, "as written" if numbers else "no numbers")


def _chunked(text: str) -> list[str]:
    """The chunks of what stands under a heading, as a document with headings has them."""
    lines = Lines(text)
    under = Outline(headings=(Heading(0, 0, 1, "heading"),))
    return [text[start:end] for start, end in chunk_spans(lines, under, 0, lines.count)] or [""]


SETS: dict[str, tuple[Callable[[Path], Set], ...]] = {
    "2wiki": (partial(two_wiki, titles=True), partial(two_wiki, titles=False)),
    "musique": (partial(musique, titles=True), partial(musique, titles=False)),
    "peps": (partial(pep_sections, numbers=True), partial(pep_sections, numbers=False)),
}


def main() -> None:
    options = argparse.ArgumentParser(prog="bench retrieval", description="how well questions find what they are about")
    options.add_argument("--data", type=Path, required=True, help="the folder of the public sets")
    options.add_argument("--set", nargs="+", choices=SETS, default=list(SETS))
    options.add_argument("--vectors", type=Path, default=Path(".asof/bench-vectors"), help="where vectors are kept")
    chosen = options.parse_args()
    print("| set | variant | recipe | recall@5 | all@8 | recall@5, halves | 20 random halves | median ms | p95 ms |")
    print("|---|---|---|---:|---:|---|---|---:|---:|")
    for name in chosen.set:
        kept = KeptVectors(chosen.vectors / f"{name}.npz")
        for read in SETS[name]:
            for row in measured(read(chosen.data), kept):
                print(f"| {name} | {row} |", flush=True)


def measured(read: Set, kept: "KeptVectors") -> list[str]:
    """A row of the table for each recipe."""
    none = np.empty((0, LocalEmbedder.dimension), np.float32)
    index = SearchIndex.of(
        {"chunk": read.items, "entity": [], "fact": []}, {"chunk": kept.of(read.items), "entity": none, "fact": none}
    )
    rows = []
    for recipe in RECIPES:
        embedder = LocalEmbedder()
        embedder.embed_question("The first question waits for the model to be loaded.")
        found, milliseconds = [], []
        for question in read.questions:
            allowed: Allowed = {"chunk": np.array([name != question.left_out for name in read.names], bool)}
            started = time.perf_counter()
            hits = index.search(
                question.text,
                embedder.embed_question,
                recipe,
                kinds=["chunk"],
                k=60,
                allowed=None if question.left_out is None else allowed,
            )["chunk"]
            milliseconds.append((time.perf_counter() - started) * 1000)
            found.append(hits_of(read, [hit.position for hit in hits]))
        rows.append(" | ".join([read.variant, recipe.name, *figures(read.questions, found), *timings(milliseconds)]))
    return rows


def hits_of(read: Set, positions: Sequence[int]) -> list[Hashable]:
    """Names of hits: a section counts once, however many chunks it has; a passage by itself."""
    if not read.items[0].heading:
        return [read.names[position] for position in positions]
    return list(dict.fromkeys(read.names[position] for position in positions))


def figures(questions: Sequence[LabelledQuestion], found: Sequence[Sequence[Hashable]]) -> list[str]:
    """recall@5, all@8, recall@5 of both halves, and the least and the most of random halves, in percent."""
    recalls = [len(q.gold & set(hits[:5])) / len(q.gold) for q, hits in zip(questions, found, strict=True)]
    every = [q.gold <= set(hits[:8]) for q, hits in zip(questions, found, strict=True)]
    half = len(questions) // 2
    chance = random.Random(1)
    random_halves = [100 * statistics.mean(chance.sample(recalls, half)) for _ in range(20)]
    return [
        f"{100 * statistics.mean(recalls):.1f}",
        f"{100 * statistics.mean(every):.1f}",
        " / ".join(f"{100 * statistics.mean(part):.1f}" for part in (recalls[:half], recalls[half:])),
        f"{min(random_halves):.1f} to {max(random_halves):.1f}",
    ]


def timings(milliseconds: Sequence[float]) -> list[str]:
    """Median and p95 of whole searches, the question's embedding included."""
    ordered = sorted(milliseconds)
    return [f"{statistics.median(ordered):.1f}", f"{ordered[int(len(ordered) * 0.95)]:.1f}"]


class KeptVectors:
    """Vectors of texts, in a file: made once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Vectors] = {}
        if path.exists():
            with np.load(path) as file:
                self._known = dict(zip(file["keys"].tolist(), file["vectors"], strict=True))

    def of(self, items: Sequence[SearchItem]) -> Vectors:
        """A row for each item: the mean of its texts' vectors."""
        texts = {text_key(text): text for item in items for text in item.embedded}
        missing = [key for key in texts if key not in self._known]
        if missing:
            embedder = LocalEmbedder()
            with ThreadPoolExecutor(2) as pool:
                made = pool.map(lambda key: embedder.embed([texts[key]])[0], missing)
                self._known |= dict(zip(missing, made, strict=True))
            self._path.parent.mkdir(parents=True, exist_ok=True)
            np.savez(self._path, keys=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))
        return np.stack([np.mean([self._known[text_key(t)] for t in item.embedded], axis=0) for item in items])


if __name__ == "__main__":
    main()
