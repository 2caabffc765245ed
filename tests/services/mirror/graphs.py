"""Small random graphs on few instants, so that equal ones meet often."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from services.core.bridge import AsyncBridge
from services.core.models import Entity, Episode, Fact, GraphWrite, Instants
from services.mirror.mirror import Mirror
from tests.fakes.memory_graph import MemoryGraphStore

START = datetime(2020, 1, 1, tzinfo=UTC)

instants = st.builds(
    lambda day, micros: START + timedelta(days=day, microseconds=micros), st.integers(0, 6), st.sampled_from([0, 0, 1])
)
maybe = st.none() | instants
precisions = st.sampled_from(["instant", "instant", "year", "month", "day"])
clocks = st.builds(Instants, instants, instants)

ENTITIES = tuple(
    Entity(f"e{n}", name, types, f"summary {n}", START, {"n": n} if n else {})
    for n, (name, types) in enumerate(
        [
            ("PEP 484", ("Proposal",)),
            ("Final", ("Status",)),
            ("Guido “BDFL” 'van' Rossum", ()),
            ("ünïcode\\", ("A", "B")),
        ]
    )
)
EPISODES = tuple(
    Episode(f"p{n}", f"mail {n}", f"first line {n}\nsecond", "text", "a header", START, START, ("e0", f"e{n + 1}"))
    for n in range(2)
)


@st.composite
def facts(draw: st.DrawFn, number: int = 0) -> Fact:
    """One fact, its times in any order: the rule must agree on senseless ones too."""
    source, target = draw(st.sampled_from(ENTITIES[:2])), draw(st.sampled_from(ENTITIES))
    return Fact(
        f"f{number}",
        source.uuid,
        target.uuid,
        source.name,
        draw(st.sampled_from(["STATUS", "AUTHOR"])),
        target.name,
        draw(st.sampled_from(["said", "said otherwise"])),
        *(draw(maybe) for _ in range(6)),
        draw(st.sampled_from([None, None, "f0", "p1", "elsewhere"])),
        tuple(draw(st.lists(st.sampled_from(["p0", "p1", "nowhere"]), max_size=2, unique=True))),
        draw(st.sampled_from([{}, {"note": "quoted \" ' \\", "weight": 2}])),
        draw(precisions),
        draw(precisions),
        draw(st.booleans()),
    )


@st.composite
def several_facts(draw: st.DrawFn) -> tuple[Fact, ...]:
    """Up to ten facts; some take the place of the one before, as a correction does."""
    found: list[Fact] = []
    for number in range(draw(st.integers(0, 10))):
        fact = draw(facts(number))
        if found and found[-1].withdrawn_at is not None and draw(st.booleans()):
            older = found[-1]
            fact = replace(
                fact,
                source_uuid=older.source_uuid,
                source=older.source,
                relation=older.relation,
                created_at=older.withdrawn_at,
            )
        found.append(fact)
    return tuple(found)


def graph(facts: tuple[Fact, ...]) -> GraphWrite:
    """All entities and episodes with these facts."""
    return GraphWrite(ENTITIES, facts, EPISODES)


W = "_"
FACT = Fact("f0", "e0", "e1", "PEP 484", "STATUS", "Final", "said", START, created_at=START, episodes=("p0",))


def content(mirror: Mirror) -> tuple[dict[str, Entity], dict[str, Fact], dict[str, Episode]]:
    """Everything a mirror of the small graphs holds."""
    found = [f for e in ENTITIES for f in mirror.history(e.uuid)]
    entities = mirror.entities([*(e.uuid for e in ENTITIES), "e9"])
    episodes = mirror.episodes([*(e.uuid for e in EPISODES), "p9"])
    return {e.uuid: e for e in entities}, {f.uuid: f for f in found}, {e.uuid: e for e in episodes}


def graph_content(store: MemoryGraphStore, bridge: AsyncBridge):
    """Everything the graph holds, as its scans give it."""

    async def read():
        return [
            {r.uuid: r async for batch in scan(W) for r in batch}
            for scan in (store.scan_entities, store.scan_facts, store.scan_episodes)
        ]

    return tuple(bridge.run(read()))
