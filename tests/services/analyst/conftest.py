"""Two small graphs of different domains in memory, and the analyst to ask of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.agent.app import App
from services.analyst.analyst import Analyst
from services.analyst.vocabulary import Synonyms
from services.core import clock, time_rule
from services.core.answer_records import Answer, Asked, Topic
from services.core.models import Entity, Fact
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.retrieval.conftest import W, open_services, write

Row = tuple[str, str, str, str, str]
"""Source, relation, target, start and end; an empty date is none."""

HARBOUR_TYPES = {
    "Vessel": ("Aurora", "Borealis", "Calypso"),
    "Port": ("Gdansk", "Rotterdam", "Piraeus"),
    "Captain": ("Ines Calder", "Tomas Berg", "Yara Okonkwo"),
    "Company": ("Meridian Lines", "Polar Freight"),
    "State": ("laid up", "in service", "scrapped"),
    "Berth": tuple(f"Berth {n}" for n in range(1, 8)),
}
HARBOUR: Sequence[Row] = (
    ("Aurora", "COMMANDED_BY", "Ines Calder", "2005-03-01", "2011-06-15"),
    ("Aurora", "COMMANDED_BY", "Tomas Berg", "2011-06-15", ""),
    ("Borealis", "COMMANDED_BY", "Yara Okonkwo", "2008-01-10", ""),
    ("Aurora", "OWNED_BY", "Meridian Lines", "2001-01-01", "2014-09-30"),
    ("Aurora", "OWNED_BY", "Polar Freight", "2014-09-30", ""),
    ("Borealis", "OWNED_BY", "Polar Freight", "2007-05-05", ""),
    ("Calypso", "OWNED_BY", "Polar Freight", "", ""),
    ("Aurora", "HOME_PORT", "Gdansk", "2001-01-01", "2014-10-01"),
    ("Aurora", "HOME_PORT", "Rotterdam", "2014-10-01", ""),
    ("Borealis", "HOME_PORT", "Piraeus", "2007-05-05", ""),
    ("Aurora", "HAS_STATE", "in service", "2001-01-01", "2012-02-01"),
    ("Aurora", "HAS_STATE", "laid up", "2012-02-01", "2014-10-01"),
    ("Aurora", "HAS_STATE", "in service", "2014-10-01", ""),
    ("Borealis", "HAS_STATE", "in service", "2007-05-05", ""),
    ("Calypso", "HAS_STATE", "scrapped", "2010-10-10", ""),
    *(
        (vessel, "MOORED_AT", f"Berth {n}", f"20{n + 10}-01-01", f"20{n + 10}-06-01")
        for n, vessel in enumerate(("Aurora", "Borealis", "Aurora", "Calypso", "Aurora", "Borealis", "Aurora"), 1)
    ),
    ("Borealis", "REPLACES", "Calypso", "2010-11-01", ""),
)

CLINIC_TYPES = {
    "Person": ("Maria Lindqvist", "Omar Haddad", "Petra Novak", "Samuel Osei"),
    "Ward": ("Cardiology", "Oncology"),
    "Drug": ("amoxicillin", "warfarin"),
    "Post": ("Head Nurse", "Registrar"),
    "Town": ("Uppsala", "Leeds"),
}
CLINIC: Sequence[Row] = (
    ("Maria Lindqvist", "works in", "Cardiology", "2010-02-01", "2015-08-31"),
    ("Maria Lindqvist", "works in", "Oncology", "2015-09-01", ""),
    ("Omar Haddad", "works in", "Cardiology", "2012-04-01", ""),
    ("Maria Lindqvist", "has post", "Registrar", "2010-02-01", "2013-01-01"),
    ("Maria Lindqvist", "has post", "Head Nurse", "2013-01-01", ""),
    ("Omar Haddad", "reports to", "Maria Lindqvist", "2013-01-01", "2016-01-01"),
    ("Omar Haddad", "reports to", "Samuel Osei", "2016-01-01", ""),
    ("Petra Novak", "takes medication", "warfarin", "2014-05-05", "2014-11-05"),
    ("Petra Novak", "takes medication", "amoxicillin", "", ""),
    ("Maria Lindqvist", "lives in", "Uppsala", "2009-01-01", ""),
    ("Samuel Osei", "lives in", "Leeds", "2000-01-01", ""),
    ("Samuel Osei", "heads", "Cardiology", "2011-01-01", "2018-03-01"),
    ("Petra Novak", "treated by", "Samuel Osei", "2014-05-01", ""),
)


def day(text: str) -> datetime:
    """The start of a day."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def facts_of(rows: Sequence[Row]) -> list[Fact]:
    """The rows as facts that were recorded when they began, and whose ends were learned when they ended."""
    found = []
    for number, (source, relation, target, start, stop) in enumerate(rows):
        begun, ended = (day(text) if text else None for text in (start, stop))
        learned = ended if ended and ended < clock.now() else None  # of a planned end nothing is learned yet
        times = {"valid_at": begun, "invalid_at": ended, "created_at": begun, "expired_at": learned}
        found.append(Fact(f"f{number}", source, target, source, relation, target, **times))
    return found


def entities_of(types: Mapping[str, Sequence[str]]) -> list[Entity]:
    """Entities whose uuids are their names."""
    return [Entity(name, name, (kind,)) for kind, names in types.items() for name in names]


@dataclass(frozen=True)
class Graph:
    """A workspace that can be asked."""

    services: App
    facts: Sequence[Fact]
    synonyms: Synonyms | None = None

    def ask(
        self, question: str, topic: Topic | None = None, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Answer:
        """The analyst's answer."""
        toolbox = Toolbox(Context(self.services.workspace(W), as_of, known_at), TOOLS.values())
        return Analyst(self.synonyms).answer(Asked(question, as_of, known_at), toolbox, topic)

    def cited(self, question: str, **bar: datetime) -> list[str]:
        """The facts that the answer cites, as "source relation target", in the order in which it tells them."""
        toolbox = Toolbox(Context(self.services.workspace(W), bar.get("as_of"), bar.get("known_at")), TOOLS.values())
        answer = Analyst(self.synonyms).answer(Asked(question, bar.get("as_of"), bar.get("known_at")), toolbox)
        told = {e.n: e.fact for e in toolbox.evidence if e.fact is not None}
        numbers = dict.fromkeys(n for sentence in answer.sentences for n in sentence.citations if n in told)
        return [in_short(told[n]) for n in numbers]

    def true(self, at: datetime) -> list[Fact]:
        """The facts that the time rule gives."""
        return [fact for fact in self.facts if time_rule.true_at(fact, clock.Instants(at, clock.now()))]


def in_short(fact: Fact) -> str:
    """A fact in short."""
    return f"{fact.source} {fact.relation} {fact.target}"


def untyped(folder: Path, rows: Sequence[Row]) -> Graph:
    """A graph of these rows whose entities have no type, as a table without one makes them."""
    services, facts = open_services(folder, MemoryGraphStore()), facts_of(rows)
    names = dict.fromkeys(name for fact in facts for name in (fact.source, fact.target))
    write(services, *(Entity(name, name) for name in names), *facts)
    return Graph(services, facts)


def opened(folder: Path, types: Mapping[str, Sequence[str]], rows: Sequence[Row]) -> Graph:
    """A graph of these rows."""
    services = open_services(folder, MemoryGraphStore())
    facts = facts_of(rows)
    write(services, *entities_of(types), *facts)
    return Graph(services, facts)


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("harbour"), HARBOUR_TYPES, HARBOUR)
    yield graph
    graph.services.close()


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("clinic"), CLINIC_TYPES, CLINIC)
    yield graph
    graph.services.close()
