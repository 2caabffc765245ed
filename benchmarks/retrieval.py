"""How well questions find their passages, on public sets: `cli.py bench retrieval --data FOLDER [--set NAME …]`.

FOLDER holds `2wiki101` and `musique100`. Each set is run as it comes and with its titles removed: neither indexed nor
used. recall@5 is the share of a question's gold passages among the first 5, the mean over the questions; all@8 the
share of questions with every gold passage among the first 8. The recipes: `words`, BM25 alone; `similarity`, words and
vectors; `tuned`, and the walk over mentions. A set's two halves are printed apart, since its constants must not be
fitted to it. Vectors are kept, so that a second run is quick.
"""

import argparse
import hashlib
import json
import statistics
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from services.retrieval.embedder import LocalEmbedder
from services.retrieval.passages import SIMILARITY, TUNED, WORDS, Passage, PassageIndex, Recipe, Vectors

RECIPES: dict[str, Recipe] = {"words": WORDS, "similarity": SIMILARITY, "tuned": TUNED}


@dataclass(frozen=True)
class Question:
    """A question and what names its gold passages."""

    text: str
    gold: frozenset[Hashable]


@dataclass(frozen=True)
class Set:
    """A public set: passages, questions, and what names a passage in the gold."""

    passages: Sequence[Passage]
    questions: Sequence[Question]
    name_of: Callable[[Passage], Hashable]


def two_wiki(data: Path) -> Set:
    """2WikiMultiHopQA, 101 questions; a title that occurs twice counts when either is found."""
    found = json.loads((data / "2wiki101/fastgraphrag_vdb_101.json").read_text())
    corpus = json.loads((data / "2wiki101/2wiki_corpus.json").read_text())
    return Set(
        [Passage(p["text"], p["title"]) for p in corpus],
        [Question(q["question"], frozenset(q["ground_truth"])) for q in found],
        lambda passage: passage.title,
    )


def musique(data: Path) -> Set:
    """MuSiQue, 100 questions; gold passages by title and text."""
    found = json.loads((data / "musique100/musique_train.json").read_text())
    corpus = json.loads((data / "musique100/musique_train_corpus.json").read_text())
    golds = [[p for p in q["paragraphs"] if p["is_supporting"]] for q in found]
    return Set(
        [Passage(p["text"], p["title"]) for p in corpus],
        [Question(q["question"], frozenset((p["title"], p["paragraph_text"]) for p in gold))
         for q, gold in zip(found, golds, strict=True)],
        lambda passage: (passage.title, passage.text),
    )  # fmt: skip


SETS = {"2wiki": two_wiki, "musique": musique}


def main() -> None:
    options = argparse.ArgumentParser(prog="bench retrieval", description="how well questions find their passages")
    options.add_argument("--data", type=Path, required=True, help="the folder of the public sets")
    options.add_argument("--set", nargs="+", choices=SETS, default=list(SETS))
    options.add_argument("--vectors", type=Path, default=Path(".asof/bench-vectors"), help="where vectors are kept")
    chosen = options.parse_args()
    print("| set | titles | recipe | recall@5 | all@8 | recall@5 of the halves | median ms | p95 ms |")
    print("|---|---|---|---:|---:|---|---:|---:|")
    for name in chosen.set:
        read = SETS[name](chosen.data)
        for titles in (True, False):
            for row in measured(read, titles, chosen.vectors):
                print(f"| {name} | {'kept' if titles else 'removed'} | {row} |", flush=True)


def measured(read: Set, titles: bool, kept: Path) -> list[str]:
    """A row of the table for each recipe."""
    shown = [passage if titles else Passage(passage.text) for passage in read.passages]
    texts = [f"{passage.title}. {passage.text}" if passage.title else passage.text for passage in shown]
    index = PassageIndex(shown, vectors_of(texts, kept))
    rows = []
    for label, recipe in RECIPES.items():
        embedder, found, milliseconds = LocalEmbedder(), [], []
        embedder.embed_question("The first question waits for the model to be loaded.")
        for question in read.questions:
            started = time.perf_counter()
            hits = index.search(question.text, embedder.embed_question(question.text), recipe)
            milliseconds.append((time.perf_counter() - started) * 1000)
            found.append([read.name_of(read.passages[hit.position]) for hit in hits])
        rows.append(" | ".join([label, *figures(read.questions, found), *timings(milliseconds)]))
    return rows


def figures(questions: Sequence[Question], found: Sequence[Sequence[Hashable]]) -> list[str]:
    """recall@5, all@8 and recall@5 of the first and the second half, in percent."""
    recalls = [len(q.gold & set(hits[:5])) / len(q.gold) for q, hits in zip(questions, found, strict=True)]
    every = [q.gold <= set(hits[:8]) for q, hits in zip(questions, found, strict=True)]
    half = len(questions) // 2
    halves = " / ".join(f"{100 * statistics.mean(part):.1f}" for part in (recalls[:half], recalls[half:]))
    return [f"{100 * statistics.mean(recalls):.1f}", f"{100 * statistics.mean(every):.1f}", halves]


def timings(milliseconds: Sequence[float]) -> list[str]:
    """Median and p95 of whole searches, the question's embedding included."""
    ordered = sorted(milliseconds)
    return [f"{statistics.median(ordered):.1f}", f"{ordered[int(len(ordered) * 0.95)]:.1f}"]


def vectors_of(texts: Sequence[str], folder: Path) -> Vectors:
    """The texts' vectors, from the folder where they were made before."""
    embedder = LocalEmbedder()
    digest = hashlib.blake2b("\0".join([embedder.name, *texts]).encode(), digest_size=12).hexdigest()
    path = folder / f"{digest}.npy"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        np.save(path, embedder.embed(texts))
    kept: Vectors = np.load(path)
    return kept


if __name__ == "__main__":
    main()
