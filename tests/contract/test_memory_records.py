"""The eight queries over an agent's records, on every database: what they find, in which order, what they refuse."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.context import OpenWorkspace, Services
from services.core.bridge import AsyncBridge
from services.core.config import Settings
from services.core.memory_records import RECORD_TYPES
from services.graph import raw
from services.graph.raw import RawNode
from services.memory.memory_queries import MemoryQueries
from services.memory.query_result import MemoryResult
from services.memory.record_lines import read_record_lines
from services.memory.related_code import MARK
from tests.contract.conftest import Graph
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.memory.seeds import SEEDS, lines

NOW = datetime(2024, 11, 20, tzinfo=UTC)
QUERIES = {
    "query_partnerships": {"partner_id": "nicolas"},
    "query_conversations": {"partner_id": "nicolas", "keywords": ["race condition", "bug"]},
    "query_technical_context": {"term": "stimulus_integrator", "issue_type": "race condition"},
    "query_emotional_state": {"context_similar_to": "bug recurrence"},
    "query_strategy_patterns": {"situation_type": "concurrency", "min_success_rate": 0.8},
    "query_related_code": {"filename": "stimulus_integrator.py"},
    "query_failed_attempts": {"context": "race condition"},
    "query_active_constraints": {"constraint_type": "deadline", "min_severity": "high"},
}


@dataclass(frozen=True)
class Memory:
    """A graph with an agent's records, asked by name."""

    graph: Graph

    def put(self, *records: dict[str, Any]) -> None:
        read = read_record_lines(lines(*records))
        assert not read.problems
        nodes = {
            raw.node_key(one.type, one.id): (
                RawNode((one.type,), {"group_id": self.graph.workspace, **one.properties}),
            )
            for one in read.records
        }
        self.graph.run(self.graph.store.raw.put(self.graph.workspace, nodes))

    def ask(self, name: str, known_at: datetime | None = NOW, **inputs: Any) -> MemoryResult:
        services = Services(Settings(), self.graph.bridge, self.graph.store, None, None)  # type: ignore[arg-type]
        return getattr(MemoryQueries(OpenWorkspace(services, self.graph.workspace), known_at), name)(**inputs)


@pytest.fixture
def empty(graph: Graph) -> Memory:
    return Memory(graph)


@pytest.fixture
def memory(empty: Memory) -> Memory:
    empty.put(*SEEDS)
    return empty


def ids(result: MemoryResult) -> list[Any]:
    return [record["id"] for record in result.records]


def test_each_query_finds_the_stored_record(memory: Memory) -> None:
    stored = {record["id"]: {n: v for n, v in record.items() if n != "type"} for record in SEEDS}
    for name, inputs in QUERIES.items():
        result = memory.ask(name, citizen="felix", **inputs)
        assert result, name
        assert result.query_time_ms >= 1
        assert 0 < result.confidence <= 1
        for record in result.records:
            assert record == stored[record["id"]]


def test_a_partnership_is_found_whatever_its_case(memory: Memory) -> None:
    result = memory.ask("query_partnerships", None, partner_id="NICOLAS", citizen="Felix")
    assert result.data["partner_name"] == "Nicolas"
    assert result.data["trust_level"] == 0.9
    assert result.confidence == 1.0
    assert result.message == "Partnership found"


def test_nothing_found_says_so_and_gives_no_data(memory: Memory) -> None:
    first = {
        "query_partnerships": ("partner_id", "No partnership found for nonexistent"),
        "query_conversations": ("partner_id", "No conversations found for nonexistent"),
        "query_technical_context": ("term", "No technical context found for nonexistent"),
        "query_emotional_state": ("context_similar_to", "No emotional state found for nonexistent"),
        "query_strategy_patterns": ("situation_type", "No strategy patterns found for nonexistent"),
        "query_related_code": ("filename", "No related code found for nonexistent"),
        "query_failed_attempts": ("context", "No failed attempts found for nonexistent"),
        "query_active_constraints": ("constraint_type", "No constraints found for nonexistent"),
    }
    for name, (field, message) in first.items():
        result = memory.ask(name, **{field: "nonexistent"})
        assert not result
        assert (result.found, result.data, result.confidence, result.message) == (False, None, 0.0, message)
        assert result.query_time_ms >= 1


@pytest.mark.parametrize(
    ("name", "inputs", "message"),
    [
        ("query_partnerships", {"partner_id": " "}, "Invalid partner_id: the text is empty"),
        ("query_partnerships", {"partner_id": "a\0"}, "Invalid partner_id: the text contains the character NUL"),
        ("query_partnerships", {"partner_id": "a", "citizen": ""}, "Invalid citizen: the text is empty"),
        ("query_conversations", {"partner_id": "a", "limit": 0}, "Invalid limit: 0 (must be at least 1)"),
        ("query_conversations", {"partner_id": "a", "keywords": [""]}, "Invalid keywords: the text is empty"),
        (
            "query_emotional_state",
            {"context_similar_to": "a", "emotion_type": ""},
            "Invalid emotion_type: the text is empty",
        ),
        ("query_failed_attempts", {"context": "a", "limit": -1}, "Invalid limit: -1 (must be at least 1)"),
        (
            "query_active_constraints",
            {"min_severity": "urgent"},
            "Invalid min_severity: urgent (must be low, medium, high or critical)",
        ),
        *(
            (
                "query_strategy_patterns",
                {"situation_type": "a", "min_success_rate": rate},
                f"Invalid success_rate: {rate} (must be 0.0-1.0)",
            )
            for rate in (-0.1, 1.5, float("nan"), float("inf"))
        ),
    ],
)
def test_invalid_inputs_are_named_without_asking_the_graph(name: str, inputs: dict[str, Any], message: str) -> None:
    services = Services(Settings(), None, None, None, None)  # type: ignore[arg-type]
    result = getattr(MemoryQueries(OpenWorkspace(services, "w")), name)(**inputs)
    assert (result.found, result.data, result.query_time_ms, result.message) == (False, None, 0, message)


def test_orders_put_nulls_last_and_break_ties_by_id(empty: Memory) -> None:
    talk = {"type": "Conversation_Memory", "partner": "Ann", "topic": "Tea"}
    empty.put(
        {**talk, "id": "b", "timestamp": "2024-11-15T14:30:00Z"},
        {**talk, "id": "none"},
        {**talk, "id": "a", "timestamp": "2024-11-15T16:30:00+02:00"},
        {**talk, "id": "newest", "timestamp": "2024-11-15T10:00:00-05:00"},
        {**talk, "id": "old", "timestamp": "2023"},
    )
    assert ids(empty.ask("query_conversations", partner_id="ann")) == ["newest", "a", "b", "old", "none"]
    assert ids(empty.ask("query_conversations", partner_id="ann", limit=2)) == ["newest", "a"]
    empty.put(
        {"type": "Emotional_State", "id": "y", "context": "Talk", "intensity": 0.5},
        {"type": "Emotional_State", "id": "z", "context": "talk", "intensity": 1},
        {"type": "Emotional_State", "id": "x", "context": "TALK", "intensity": 0.5},
        {"type": "Emotional_State", "id": "w", "context": "talks"},
    )
    assert ids(empty.ask("query_emotional_state", context_similar_to="talk", limit=9)) == ["z", "x", "y", "w"]
    due = {"type": "Constraint", "status": "Active", "constraint_type": "budget"}
    empty.put(
        {**due, "id": "later", "severity": "HIGH", "deadline": "2025-02-01"},
        {**due, "id": "sooner", "severity": "high", "deadline": "2025-01-01"},
        {**due, "id": "whenever", "severity": "high"},
        {**due, "id": "worst", "severity": "critical"},
        {**due, "id": "least", "severity": "low"},
        {**due, "id": "over", "severity": "critical", "status": "done"},
    )
    assert ids(empty.ask("query_active_constraints")) == ["worst", "sooner", "later", "whenever", "least"]
    assert ids(empty.ask("query_active_constraints", min_severity="Critical")) == ["worst"]
    assert (
        empty.ask("query_active_constraints", constraint_type="deadline").message == "No constraints found for deadline"
    )
    assert empty.ask("query_active_constraints", citizen="bo").message == "No constraints found for any type"


def test_defaults_limit_what_is_returned_but_for_constraints(empty: Memory) -> None:
    bodies = {
        "query_conversations": ({"type": "Conversation_Memory", "partner": "a"}, {"partner_id": "a"}, 5),
        "query_technical_context": ({"type": "Technical_Context", "component": "a"}, {"term": "a"}, 3),
        "query_emotional_state": ({"type": "Emotional_State", "context": "a"}, {"context_similar_to": "a"}, 3),
        "query_strategy_patterns": (
            {"type": "Strategy_Pattern", "applicability": "a", "success_rate": 0.7},
            {"situation_type": "a"},
            3,
        ),
        "query_related_code": ({"type": "Code_Reference", "file_path": "a"}, {"filename": "a"}, 5),
        "query_failed_attempts": ({"type": "Failed_Attempt", "context": "a"}, {"context": "a"}, 5),
        "query_active_constraints": ({"type": "Constraint", "status": "active", "severity": "low"}, {}, 8),
    }
    for name, (body, inputs, most) in bodies.items():
        empty.put(*({**body, "id": f"{n}"} for n in range(8)))
        assert ids(empty.ask(name, **inputs)) == [str(n) for n in range(most)], name


def test_keywords_match_a_topic_with_any_of_them_and_none_match_all(memory: Memory) -> None:
    asked = {"partner_id": "Nicolas"}
    both = memory.ask("query_conversations", keywords=["RACE", "integrator"], **asked)
    some = memory.ask("query_conversations", keywords=["race", "budget"], **asked)
    assert (both.confidence, some.confidence) == (1.0, 0.8)
    assert not memory.ask("query_conversations", keywords=["budget"], **asked)
    assert ids(memory.ask("query_conversations", keywords=[], **asked)) == ids(both)


def test_confidence_is_the_least_of_a_list(memory: Memory) -> None:
    talk = {"type": "Conversation_Memory", "citizen": "felix", "partner": "nicolas", "topic": "race"}
    memory.put({**talk, "id": "old", "timestamp": "2024-10-01", "emotional_tone": "calm"})
    result = memory.ask("query_conversations", partner_id="nicolas", keywords=["race", "integrator"])
    assert len(result.records) == 2
    assert result.confidence == pytest.approx(0.8 * 0.9 * 0.9)


def test_related_code_gives_dependencies_and_dependents_marked(memory: Memory) -> None:
    result = memory.ask("query_related_code", filename="Stimulus_Integrator.py")
    assert result.data["primary"]["id"] == "code_stimulus_integrator"
    assert {one["id"]: one[MARK] for one in result.data["related"]} == {
        "code_engine": "dependency",
        "code_tests": "dependent",
    }
    alone = memory.ask("query_related_code", filename="stimulus_integrator.py", include_dependencies=False)
    assert alone.data["related"] == []
    many = memory.ask("query_related_code", filename=".py", limit=2)
    assert [pair["primary"]["id"] for pair in many.data] == ["code_engine", "code_stimulus_integrator"]


def test_known_at_leaves_out_what_was_recorded_later(memory: Memory) -> None:
    early = datetime(2024, 11, 10, tzinfo=UTC)
    assert not memory.ask("query_conversations", early, partner_id="nicolas")
    assert memory.ask("query_failed_attempts", early, context="race")
    timeless = memory.ask("query_partnerships", early, partner_id="nicolas")
    assert timeless.message == "Partnership found; 1 of 1 has no recorded time, so known_at does not exclude them"
    assert memory.ask("query_partnerships", None, partner_id="nicolas").message == "Partnership found"


def test_the_only_citizen_need_not_be_named_and_of_several_one_must(memory: Memory) -> None:
    assert memory.ask("query_partnerships", partner_id="nicolas")
    memory.put({"type": "Failed_Attempt", "id": "adas", "citizen": "Ada", "context": "tea"})
    result = memory.ask("query_partnerships", partner_id="nicolas")
    assert result.message == "Invalid citizen: name one; the workspace has 2 (Ada, felix)"
    assert not result.was_asked
    assert memory.ask("query_partnerships", partner_id="nicolas", citizen="felix")
    assert not memory.ask("query_partnerships", partner_id="nicolas", citizen="ada")


def test_text_is_matched_without_regard_to_case_beyond_ascii(empty: Memory) -> None:
    empty.put({"type": "Partnership", "id": "p", "partner_name": "Łukasz Ørn"})
    empty.put({"type": "Failed_Attempt", "id": "f", "context": "École “Ünï”\\ 'x'"})
    assert empty.ask("query_partnerships", partner_id="łUKASZ øRN")
    for part in ("éCOLE", "ÜNÏ", "”\\ '", "'X'"):
        assert empty.ask("query_failed_attempts", context=part), part


def test_records_of_other_programs_are_read_and_entities_are_not(database: Graph) -> None:
    memory = Memory(database)
    database.cypher(
        "CREATE (:Partnership {group_id: $g, id: 'p', citizen: 'felix', partner_name: 'Nicolas', trust_level: 0.9}),"
        " (:Entity:Constraint {group_id: $g, uuid: 'e', id: 'c', status: 'active', severity: 'high'}),"
        " (:Emotional_State {group_id: $g, id: 'n', context: 5, intensity: 'much'}),"
        " (:Emotional_State {group_id: $g, id: 't', context: 'five', intensity: 'much'}),"
        " (:Code_Reference {group_id: $g, id: 'x', file_path: 'x.py', dependencies: 'y.py'}),"
        " (:Strategy_Pattern {group_id: $g, id: 's', applicability: 'all', success_rate: 'high'})",
        g=database.workspace,
    )
    assert memory.ask("query_partnerships", partner_id="nicolas").data["trust_level"] == 0.9
    assert not memory.ask("query_active_constraints")
    assert ids(memory.ask("query_emotional_state", context_similar_to="five")) == ["t"]
    number = memory.ask("query_emotional_state", context_similar_to="5")
    assert (number.found, number.message) == (
        False,
        "Failed to parse graph data: Result doesn't match query context: n",
    )
    assert memory.ask("query_related_code", filename="x.py").data["related"] == []
    assert not memory.ask("query_strategy_patterns", situation_type="all")
    assert database.workspace in database.run(database.store.workspaces())


_TEXT = st.sampled_from(
    ["a", "A", "b", "ab", "é", "É", "", "active", "high", "x.py", "d/x.py", "ß", "2024", "2024-11-15T10:00:00Z"]
)
_VALUE = st.one_of(
    _TEXT, st.integers(-5, 5), st.sampled_from([0.5, 0.25, 1.0]), st.booleans(), st.lists(_TEXT, max_size=2)
)
_FIELDS = [
    *("citizen", "partner_name", "partner", "topic", "timestamp", "component", "description", "issue_type"),
    *("updated_at", "context", "emotion", "intensity", "applicability", "success_rate", "file_path", "dependencies"),
    *("status", "constraint_type", "severity", "deadline"),
]
_RECORD = st.tuples(
    st.sampled_from(RECORD_TYPES),
    st.sampled_from("12345"),
    st.dictionaries(st.sampled_from(_FIELDS), _VALUE, max_size=8),
)
_ASKED = st.tuples(st.sampled_from(sorted(QUERIES)), st.sampled_from(["a", "é", "x.py", "B"]), st.booleans())


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(records=st.lists(_RECORD, max_size=12), asked=st.lists(_ASKED, min_size=3, max_size=6))
def test_whatever_the_graph_holds_every_property_is_a_stored_one(
    database: Graph, records: list[Any], asked: list[Any]
) -> None:
    stored = {(type, id): {"id": id, **values} for type, id, values in records}
    database.ask("clear")
    nodes = {
        raw.node_key(type, id): (RawNode((type,), {"group_id": database.workspace, **values}),)
        for (type, id), values in stored.items()
    }
    database.run(database.store.raw.put(database.workspace, nodes))
    memory = Memory(database)
    for name, text, is_dated in asked:
        first = next(iter(QUERIES[name]))
        result = memory.ask(name, NOW if is_dated else None, citizen="a", **{first: text})
        if not result.found:
            assert (result.data, result.confidence) == (None, 0.0)
            continue
        assert 0 < result.confidence <= 1
        for record in _all_records(result):
            assert {n: v for n, v in record.items() if n != MARK} in stored.values()


def _all_records(result: MemoryResult) -> Iterator[Any]:
    yield from result.records
    for row in result.rows:
        yield from row.get("related", ())


def test_a_database_that_is_down_is_named(bridge: AsyncBridge) -> None:
    store = MemoryGraphStore()
    store.down = True
    result = Memory(Graph(store, "w", bridge)).ask("query_partnerships", partner_id="nicolas")
    assert result.message == "Database connection failed: The graph database at memory is not responding."
    assert (result.found, result.query_time_ms) == (False, 0)


def test_age_counts_from_known_at(memory: Memory) -> None:
    at = datetime(2024, 11, 15, 14, 30, tzinfo=UTC)
    for days, confidence in ((0, 1.0), (30, 1.0), (31, 0.9)):
        asked = at + timedelta(days=days)
        assert memory.ask("query_conversations", asked, partner_id="nicolas").confidence == confidence
