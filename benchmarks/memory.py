"""How long does each memory query take over 50,000 records of several citizens? Every answer is checked.

    cli.py bench memory [--records N] [--repeat N] [--graph bolt://user:password@host:7687] [--citizens N]

Without --graph an embedded FalkorDB is used. A look-up is a partnership by its partner's name, several hops are a file
with what it needs and what needs it, patterns are parts of texts in topics, descriptions and contexts.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from services.bootstrap import build_services
from services.context import OpenWorkspace
from services.core.config import Settings
from services.core.memory_records import RECORD_TYPES, MemoryRecord
from services.memory.memory_queries import MemoryQueries
from services.memory.query_result import MemoryResult
from services.writing.memory_import import import_records

SEED = 19
WORKSPACE = "bench-memory"
GOALS = {"look-up": 50, "several hops": 200, "pattern": 500}
WORDS = (
    *("race", "condition", "deadline", "budget", "memory", "parser", "token", "graph"),
    *("index", "cache", "queue", "retry", "timeout", "release", "schema"),
)
SEVERITIES = ("low", "medium", "high", "critical")


def main() -> int:
    """Import records, ask each query with and without a citizen, and print the times."""
    asked = _options().parse_args()
    with tempfile.TemporaryDirectory(prefix="asof-") as folder:
        chosen = Settings(home=Path(folder) / "home", graph_url=asked.graph)
        services = build_services(chosen)
        workspace = services.workspace(WORKSPACE)
        workspace.run(services.graph.clear(WORKSPACE))
        try:
            started = time.perf_counter()
            import_records(workspace, made_up(asked.records, asked.citizens), title="Memory")
            print(f"{asked.records:,} records imported in {time.perf_counter() - started:.1f} s")
            _measure(workspace, asked.records, asked.citizens, asked.repeat)
        finally:
            workspace.run(services.graph.clear(WORKSPACE))
            services.close()
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cli.py bench memory", description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=50_000)
    parser.add_argument("--citizens", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=60)
    parser.add_argument("--graph", default="embedded")
    return parser


def made_up(count: int, citizens: int) -> list[MemoryRecord]:
    """Records of every type in turn, the same each time."""
    rng = random.Random(SEED)
    return [_record(rng, number, citizens) for number in range(count)]


def _record(rng: random.Random, number: int, citizens: int) -> MemoryRecord:
    type = RECORD_TYPES[number % len(RECORD_TYPES)]
    of_type = number // len(RECORD_TYPES)
    at = f"20{rng.randrange(20, 25)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}T10:00:00Z"
    text = f"{' '.join(rng.choices(WORDS, k=6))} case {of_type % 500}"
    values: Mapping[str, Mapping[str, object]] = {
        "Partnership": {
            "partner_name": f"Partner {of_type}",
            "partner_role": "peer",
            "trust_level": rng.random(),
            "communication_style": text,
            "shared_history": [text],
        },
        "Conversation_Memory": {
            "partner": f"partner {of_type % 50}",
            "topic": text,
            "key_points": [text],
            "timestamp": at,
        },
        "Technical_Context": {
            "component": f"module_{of_type}.py",
            "issue_type": "bug",
            "description": text,
            "updated_at": at,
        },
        "Emotional_State": {"emotion": "resolve", "intensity": rng.random(), "context": text},
        "Strategy_Pattern": {
            "approach": text,
            "success_rate": rng.random(),
            "steps": [text, text],
            "applicability": text,
        },
        "Code_Reference": {
            "file_path": f"src/part_{of_type % 40}/module_{of_type}.py",
            "description": text,
            "complexity": "high",
            "dependencies": [f"module_{rng.randrange(of_type + 1)}.py" for _ in range(4)],
        },
        "Failed_Attempt": {"context": text, "approach": text, "why_failed": text, "timestamp": at},
        "Constraint": {
            "constraint_type": "deadline",
            "description": text,
            "severity": rng.choice(SEVERITIES),
            "status": rng.choice(("active", "done")),
            "deadline": at,
        },
    }
    citizen = f"citizen {of_type % citizens}"
    return MemoryRecord(type, {"id": f"{type}-{of_type}", "citizen": citizen, "created_at": at, **values[type]})


def _measure(workspace: OpenWorkspace, records: int, citizens: int, repeat: int) -> None:
    each, rng = records // len(RECORD_TYPES), random.Random(SEED)
    ask = MemoryQueries(workspace)
    only = None if citizens == 1 else "citizen 3"

    def some() -> int:
        """A record's number among those of its type; of the citizen that is asked."""
        return rng.randrange(each // citizens) * citizens + (3 if only else 0)

    questions: dict[str, tuple[str, Callable[[], MemoryResult]]] = {
        "partnerships": ("look-up", lambda: ask.query_partnerships(f"PARTNER {some()}", only)),
        "related_code": ("several hops", lambda: ask.query_related_code(f"module_{some()}.py", citizen=only)),
        "conversations": (
            "pattern",
            lambda: ask.query_conversations(f"partner {some() % 50}", ["Race", "token"], only),
        ),
        "technical_context": ("pattern", lambda: ask.query_technical_context("Retry", "BUG", only)),
        "emotional_state": ("pattern", lambda: ask.query_emotional_state("schema case", citizen=only)),
        "strategy_patterns": ("pattern", lambda: ask.query_strategy_patterns("Queue", 0.8, only)),
        "failed_attempts": ("pattern", lambda: ask.query_failed_attempts("Deadline Budget", only)),
        "active_constraints": ("pattern", lambda: ask.query_active_constraints("deadline", "high", only)),
    }
    for name, (kind, question) in questions.items():
        question()
        times = []
        for _ in range(repeat):
            started = time.perf_counter()
            result = question()
            times.append((time.perf_counter() - started) * 1000)
            assert result.found, (name, result.message)
        times.sort()
        median, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
        verdict = "within" if p95 <= GOALS[kind] else "OVER"
        print(f"{name:20} {kind:13} median {median:6.1f} ms  p95 {p95:6.1f} ms  {verdict} {GOALS[kind]} ms", flush=True)


if __name__ == "__main__":
    sys.exit(main())
