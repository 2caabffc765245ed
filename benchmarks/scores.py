"""Is a hit that scores 0.5 as likely right as not? `cli.py bench scores [--home FOLDER] [--fit]`

Questions are made from the demo's own facts, names, headings and sentences, so that what is right follows from them;
for others nothing there is right: `scores/elsewhere.txt`, and names joined of two people's. Half of the questions, by a
digest of each, are there to fit the curves of `services/retrieval/calibration.py` on (`--fit` prints them), the other
half to test them. A table says how many of the hits of each range of scores are right.
"""

import argparse
import hashlib
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from services.bootstrap import build_services
from services.context import OpenWorkspace
from services.core.config import Settings
from services.jobs.demo import WORKSPACE, load_demo
from services.language.names import fold
from services.language.relation_names import relation_words
from services.retrieval.calibration import FLOOR, features
from services.retrieval.hits import Hit
from services.retrieval.items import KINDS
from services.retrieval.query import MODES, Mode, Query
from services.retrieval.tokens import STOP_WORDS, tokens

ELSEWHERE = Path(__file__).parent / "scores" / "elsewhere.txt"
PARAPHRASED = Path(__file__).parent / "scores" / "paraphrased.tsv"
OF_EACH = 70
K = 8
RANGES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.01)
PENALTY = 1.0
LACKING = 2
"""The feature that counts against a hit."""
FLOORS = (0.1, 0.2, 0.3, 0.4)

IsRight = Callable[[Hit], bool]


@dataclass(frozen=True)
class ScoreQuestion:
    """A question, and which hits answer it; none where it is on nothing that is there."""

    text: str
    is_right: IsRight
    is_on_nothing: bool = False

    @property
    def is_for_fitting(self) -> bool:
        """Which half it is of."""
        return hashlib.blake2b(self.text.encode(), digest_size=1).digest()[0] % 2 == 0


def questions(workspace: OpenWorkspace) -> list[ScoreQuestion]:
    """Make the questions, the same each time."""
    chance = random.Random(20)
    made = (_on_facts, _on_names, _on_headings, _on_sentences, _in_other_words, _on_nothing)
    return [question for make in made for question in make(workspace, chance)]


def _on_facts(workspace: OpenWorkspace, chance: random.Random) -> Iterator[ScoreQuestion]:
    """What stands at the other end of a relation."""
    rows = sorted(workspace.mirror.fact_rows(), key=lambda row: row.uuid)
    for row in chance.sample(rows, OF_EACH):
        words = " ".join(relation_words(row.relation))
        text = chance.choice((f"{row.source} {words}", f"What is the {words.removeprefix('has ')} of {row.source}?"))
        ends = {row.source_uuid, row.target_uuid}
        yield ScoreQuestion(text, lambda hit, row=row, ends=ends: _states(hit, row.source, row.relation, ends))  # type: ignore[misc]


def _states(hit: Hit, source: str, relation: str, ends: set[str]) -> bool:
    if hit.fact is not None:
        return (hit.fact.source, hit.fact.relation) == (source, relation)
    return hit.entity is not None and hit.entity.uuid in ends


def _on_names(workspace: OpenWorkspace, chance: random.Random) -> Iterator[ScoreQuestion]:
    """Names, some of them in lower case or by their last word."""
    rows = [row for row in sorted(workspace.mirror.entity_rows(), key=lambda row: row.uuid) if "://" not in row.name]
    for row in chance.sample(rows, 2 * OF_EACH):
        name = chance.choice(
            (row.name, row.name, row.name.lower(), row.name.split()[-1], f"Who or what is {row.name}?")
        )
        asked = row.name if row.name in name else name
        yield ScoreQuestion(name, lambda hit, asked=asked: _is_on(hit, asked))  # type: ignore[misc]


def _is_on(hit: Hit, name: str) -> bool:
    """True where a hit is of that name, or says something of it."""
    title = hit.document.title if hit.document else hit.entity.name if hit.entity else ""
    held, asked = tokens(fold(f"{title} {hit.text}")), tokens(fold(name))
    return any(held[start : start + len(asked)] == asked for start in range(len(held)))


def _on_headings(workspace: OpenWorkspace, chance: random.Random) -> Iterator[ScoreQuestion]:
    """A heading of a document that is named, or described."""
    rows = [row for row in workspace.mirror.section_rows() if len(row.name.split()) > 1]
    for row in chance.sample(rows, OF_EACH):
        number, _, subject = row.title.partition(" – ")
        text = chance.choice((f"{row.name} in {number}", f"{subject}: {row.name}", f"{row.name}?"))
        yield ScoreQuestion(text, lambda hit, name=row.name: hit.section is not None and hit.section.name == name)  # type: ignore[misc]


def _on_sentences(workspace: OpenWorkspace, chance: random.Random) -> Iterator[ScoreQuestion]:
    """Some of the words of a sentence, in another order."""
    rows = [row for row in sorted(workspace.mirror.chunk_rows(), key=lambda row: row.id) if len(row.text) > 300]
    for row in chance.sample(rows, 2 * OF_EACH):
        words = [word for word in dict.fromkeys(tokens(row.text.lower())) if word not in STOP_WORDS and word.isalpha()]
        start = chance.randrange(max(len(words) - 8, 1))
        near = words[start : start + 8]
        text = " ".join(chance.sample(near, min(len(near), chance.randint(3, 6))))
        yield ScoreQuestion(text, lambda hit, row=row: hit.chunk is not None and hit.id == row.id)  # type: ignore[misc]


def _in_other_words(workspace: OpenWorkspace, _chance: random.Random) -> Iterator[ScoreQuestion]:
    """What a document is on, in words that are not its own; written by hand."""
    titles = {document.id: document.title for document in workspace.mirror.documents()}
    for line in PARAPHRASED.read_text(encoding="utf-8").splitlines():
        text, _, document = line.partition("\t")
        number = titles[document].partition(" – ")[0]
        yield ScoreQuestion(text, lambda hit, document=document, number=number: _belongs(hit, document, number))  # type: ignore[misc]


def _belongs(hit: Hit, document: str, number: str) -> bool:
    if hit.chunk is not None:
        return hit.chunk.document_id == document
    return hit.entity is not None and hit.entity.name == number


def _on_nothing(workspace: OpenWorkspace, chance: random.Random) -> Iterator[ScoreQuestion]:
    """What is not there: other matters, and first and last names of two people."""
    for line in ELSEWHERE.read_text(encoding="utf-8").splitlines():
        yield ScoreQuestion(line, lambda _: False, True)
    people = sorted(row.name for row in workspace.mirror.entity_rows() if "Person" in row.types and " " in row.name)
    for _ in range(OF_EACH):
        first, last = (chance.choice(people).split() for _ in range(2))
        name = f"{first[0]} {last[-1]}"
        if name not in people:
            yield ScoreQuestion(name, lambda hit, name=name: _is_on(hit, name), True)  # type: ignore[misc]


@dataclass(frozen=True)
class Judged:
    """Hits of questions as numbers: by kind, what tells how likely they are, what they scored, whether they are right.

    `nothing` has the best scores of questions on nothing that is there, `answered` those of questions with a right hit.
    """

    kinds: Sequence[str]
    found: NDArray[np.float64]
    scores: NDArray[np.float64]
    right: NDArray[np.bool_]
    nothing: Sequence[float]
    answered: Sequence[float]

    @classmethod
    def of(cls, workspace: OpenWorkspace, asked: Sequence[ScoreQuestion], mode: Mode) -> "Judged":
        """Ask every question, and judge what each finds."""
        judged, nothing, answered = [], [], []
        for question in asked:
            result = workspace.search(Query(question.text, k=K, mode=mode))
            soft = [hit for hit in result.hits if hit.routing == "soft"]
            judged += [(h.kind, features(h, result.route.names), h.score, question.is_right(h)) for h in soft]
            best = max((hit.score for hit in result.hits), default=0.0)
            if any(map(question.is_right, result.hits)):
                answered.append(best)
            elif question.is_on_nothing:
                nothing.append(best)
        kinds, found, scores, right = zip(*judged, strict=True)
        return cls(kinds, np.array(found), np.array(scores), np.array(right, bool), nothing, answered)


def fitted(judged: Judged) -> dict[str, tuple[float, ...]]:
    """For each kind the constant and the weights of a logistic regression."""
    curves: dict[str, tuple[float, ...]] = {}
    for kind in KINDS:
        places = np.array([one == kind for one in judged.kinds])
        curves[kind] = _rising(judged.found[places], judged.right[places])
    return curves


def _rising(found: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[float, ...]:
    """The regression in which no likeness counts against a hit; what would is left out."""
    kept = list(range(found.shape[1]))
    while True:
        constant, *weights = _logistic(found[:, kept], right)
        falling = [place for place, weight in zip(kept, weights, strict=True) if weight < 0 and place != LACKING]
        if not falling:
            return (constant, *(dict(zip(kept, weights, strict=True)).get(p, 0.0) for p in range(found.shape[1])))
        kept = [place for place in kept if place not in falling]


def _logistic(found: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[float, ...]:
    """Newton's method, with a small penalty on the weights."""
    columns = np.hstack([np.ones((len(found), 1)), found])
    weights = np.zeros(columns.shape[1])
    penalty = np.diag([0.0] + [PENALTY] * found.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (likely - right) + penalty @ weights
        curvature = columns.T @ (columns * (likely * (1 - likely))[:, None]) + penalty + 1e-9 * np.eye(len(weights))
        weights = weights - np.linalg.solve(curvature, slope)
    return tuple(round(float(weight), 2) for weight in weights)


def report(judged: Judged, mode: str) -> None:
    """Print how many of the hits of each range are right."""
    for low, high in pairwise(RANGES):
        inside = (judged.scores >= low) & (judged.scores < high)
        if inside.any():
            mean, right = judged.scores[inside].mean(), judged.right[inside].mean()
            print(f"| {mode} | {low:.1f} to {min(high, 1):.1f} | {inside.sum()} | {mean:.2f} | {right:.2f} |")
    for name, scores in (("on nothing", judged.nothing), ("answered", judged.answered)):
        below = [sum(score < floor for score in scores) for floor in (FLOOR, *FLOORS)]
        print(f"| {mode} | {name} | {len(scores)} | below {FLOOR}: {below[0]} | below {FLOORS}: {below[1:]} |")


def main() -> None:
    """Ask, and fit or test."""
    options = argparse.ArgumentParser(prog="bench scores", description="how likely hits are right, by their scores")
    options.add_argument("--home", type=Path, help="where the graph is kept; a new folder where none is given")
    options.add_argument("--fit", action="store_true", help="print the curves of the fitting half")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        services = build_services(Settings(home=chosen.home or Path(folder)))
        try:
            load_demo(services)
            services.indexes.prepare(WORKSPACE)
            workspace = services.workspace(WORKSPACE)
            asked = [one for one in questions(workspace) if one.is_for_fitting is chosen.fit]
            print("| mode | scores | hits | mean score | right |\n|---|---|---:|---:|---:|")
            for mode in MODES:
                judged = Judged.of(workspace, asked, mode)
                report(judged, mode)
                if chosen.fit:
                    print(mode, fitted(judged))
        finally:
            services.close()


if __name__ == "__main__":
    main()
