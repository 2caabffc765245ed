"""Findings are made of returned records alone, and the confidence follows its formula."""

from datetime import UTC, datetime

import pytest

from services.core.memory_records import RECORD_TYPES
from services.memory.confidence import confidence_of
from services.memory.findings import finding_of
from services.memory.query_result import MemoryResult, nothing_found
from tests.services.memory.seeds import SEEDS

NOW = datetime(2024, 11, 20, tzinfo=UTC)
PARTNER, TALK = ({name: value for name, value in SEEDS[n].items() if name != "type"} for n in (0, 1))


def test_a_partnership_is_told_as_the_relational_lens_tells_it() -> None:
    found = finding_of("Partnership", "nicolas", MemoryResult(True, PARTNER, 1.0, 1))
    assert (found.lens, found.data) == ("relational", PARTNER)
    assert found.synthesis == (
        "Partner: Nicolas\nRole: Co-Founder\nTrust: 0.9\nStyle: Direct, technical, values testing\n"
        "History: €35K lesson, 8 months Venice"
    )


def test_what_a_record_lacks_is_not_told() -> None:
    result = MemoryResult(True, [{"id": "a", "topic": "Tea"}, {"id": "b", "topic": "Rye"}], 1.0, 1)
    assert finding_of("Conversation_Memory", "ann", result).synthesis == "Topic: Tea\n\nTopic: Rye"


def test_nothing_found_names_what_was_asked_for_under_each_lens() -> None:
    nouns = ["partnership", "conversation", "technical", "emotional", "strategy", "code", "failure", "constraint"]
    told = [finding_of(type, "nicolas", nothing_found("x")) for type in RECORD_TYPES]
    assert [one.synthesis for one in told] == [f"No {noun} information found for nicolas" for noun in nouns]
    assert len({one.lens for one in told}) == 8
    assert all(one.data is None for one in told)


def test_related_files_are_told_with_their_marks() -> None:
    pair = {"primary": {"file_path": "a.py"}, "related": [{"file_path": "b.py", "related_as": "dependent"}]}
    found = finding_of("Code_Reference", "a", MemoryResult(True, pair, 1.0, 1))
    assert found.synthesis == "File: a.py\nRelated: b.py (dependent)"


@pytest.mark.parametrize(
    ("changes", "keywords", "value"),
    [
        ({}, (), 1.0),
        ({}, ("RACE", "condition"), 1.0),
        ({}, ("race", "budget"), 0.8),
        ({"timestamp": "2024-10-01"}, (), 0.9),
        ({"timestamp": None}, (), 1.0),
        ({"timestamp": "whenever"}, (), 1.0),
        ({"key_points": []}, (), 0.9),
        ({"timestamp": "2024-10-01", "key_points": None}, ("race", "budget"), 0.8 * 0.9 * 0.9),
    ],
)
def test_confidence_follows_its_formula(changes: dict[str, object], keywords: tuple[str, ...], value: float) -> None:
    found = confidence_of("Conversation_Memory", {**TALK, **changes}, NOW, keywords)
    assert found.value == pytest.approx(value)
    assert len(found.reasons) == {1.0: 0, 0.8: 1, 0.9: 1}.get(value, 3)
