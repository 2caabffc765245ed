"""How long does each of Health's questions take on a large workspace? The best of three runs each.

    cli.py bench health [--entities N] [--facts N] [--sources N]

The graph is made up: two facts of five are retired, a third of those by what nobody wrote down, a third by sources that
do not name them; names of people, companies and projects repeat words as real ones do.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

from services.core.health_records import ResidueKind
from services.core.models import Entity, Episode, Fact, GraphWrite, Instants
from services.mirror import health_queries, retirements, review_queries
from services.mirror.mirror import Mirror
from services.retrieval.duplicates import same_entities

START = datetime(2015, 1, 1, tzinfo=UTC)
NOW = Instants(datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))
SHOWN, RUNS, SEED = 6, 3, 5
GIVEN = [
    "Ada",
    "Bob",
    "Cy",
    "Dan",
    "Eve",
    "Fay",
    "Gus",
    "Hal",
    "Ida",
    "Jo",
    "Kim",
    "Lee",
    "Mia",
    "Ned",
    "Oz",
    "Pat",
    "Quin",
    "Ray",
    "Sue",
    "Tom",
]
FORMS = ["Group", "Holding", "Labs", "Inc.", "GmbH", "Systems"]


def main() -> int:
    """Make the graph up, ask each question and print its time."""
    asked = _options().parse_args()
    with tempfile.TemporaryDirectory(prefix="asof-bench-") as folder:
        mirror = Mirror(Path(folder) / "bench.duckdb")
        graph = made_up(asked.entities, asked.facts, asked.sources)
        mirror.replace_all([graph.entities], [graph.facts], [graph.episodes])
        for name, ask in questions(mirror).items():
            print(f"{name:28} {_best(ask) * 1000:7.0f} ms")
        mirror.close()
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cli.py bench health", description=__doc__.partition("\n")[0])
    parser.add_argument("--entities", type=int, default=10_000)
    parser.add_argument("--facts", type=int, default=50_000)
    parser.add_argument("--sources", type=int, default=20_000)
    return parser


def questions(mirror: Mirror) -> dict[str, Callable[[], Any]]:
    """What the page asks, each for its first findings and the total."""
    residues = {
        f"residues: {kind}": (lambda kind=kind: health_queries.residues(mirror, kind, SHOWN))
        for kind in get_args(ResidueKind)
    }
    return {
        "suspicious retirements": lambda: retirements.suspicious_retirements(mirror, SHOWN),
        "retirements together": lambda: retirements.retired_together(mirror, SHOWN),
        "contradictions": lambda: review_queries.review_list(mirror, NOW, SHOWN),
        "entities twice": lambda: same_entities(mirror, SHOWN),
        "facts twice": lambda: health_queries.same_facts(mirror, SHOWN),
        "orphans": lambda: health_queries.orphans(mirror, SHOWN),
        "undated": lambda: health_queries.undated_facts(mirror, NOW, SHOWN),
        **residues,
    }


def _best(ask: Callable[[], Any]) -> float:
    times = []
    for _ in range(RUNS):
        started = time.perf_counter()
        ask()
        times.append(time.perf_counter() - started)
    return min(times)


@dataclass
class _Maker:
    """Draws names, sources and facts."""

    rng: random.Random
    last: list[str]

    def name(self, number: int) -> str:
        """Of a person, a company or a project, in turn."""
        word, rng = self.rng.choice(self.last), self.rng
        return (f"{rng.choice(GIVEN)} {word}", f"{word} {rng.choice(FORMS)}", f"Project {word} {rng.randrange(40)}")[
            number % 3
        ]

    def fact(self, number: int, ends: tuple[Entity, Entity], sources: int, facts: int) -> Fact:
        """One between two entities; two of five are retired."""
        rng, (source, target) = self.rng, ends
        start = START + timedelta(hours=rng.randrange(40_000))
        stop = start + timedelta(hours=rng.randrange(1, 9_000)) if rng.random() < 0.4 else None
        by = rng.choice([None, f"p{rng.randrange(sources)}", f"f{rng.randrange(facts)}"]) if stop else None
        return Fact(
            f"f{number}",
            source.uuid,
            target.uuid,
            source.name,
            f"RELATION_{number % 20}",
            target.name,
            valid_at=start if rng.random() > 0.05 else None,
            invalid_at=stop,
            created_at=start + timedelta(hours=1),
            expired_at=stop + timedelta(hours=2) if stop else None,
            ended_by=by,
            episodes=(f"p{rng.randrange(sources)}",),
        )


def made_up(entities: int, facts: int, sources: int) -> GraphWrite:
    """A graph of that size, the same each time."""
    rng = random.Random(SEED)
    syllables = [a + b for a in "bcdfghklmnprstvz" for b in "aeiou"]
    maker = _Maker(rng, ["".join(rng.choices(syllables, k=rng.choice((2, 3)))).title() for _ in range(3_000)])
    kinds = ("Person", "Company", "Project")
    named = [Entity(f"e{n}", maker.name(n), (kinds[n % 3],), created_at=START) for n in range(entities)]
    episodes = tuple(
        Episode(
            f"p{n}",
            f"mail {n}",
            f"About {rng.choice(named).name}. {'More words. ' * 200}",
            valid_at=START,
            created_at=START + timedelta(hours=n),
            entity_uuids=tuple(e.uuid for e in rng.choices(named, k=4)),
        )
        for n in range(sources)
    )
    stated = tuple(maker.fact(n, (rng.choice(named), rng.choice(named)), sources, facts) for n in range(facts))
    return GraphWrite(tuple(named), stated, episodes)


if __name__ == "__main__":
    sys.exit(main())
