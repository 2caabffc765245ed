from datetime import UTC, datetime

import pytest

from services.core.answer_records import Answer, Citation
from services.core.models import Entity, Fact, GraphWrite, Instants
from services.mirror.mirror import Mirror
from services.verification.later_changes import changed_since, fates_of

GIVEN = datetime(2024, 4, 1, tzinfo=UTC)
NOW = datetime(2024, 6, 1, tzinfo=UTC)


def day(month: int) -> datetime:
    return datetime(2024, month, 2, tzinfo=UTC)


def fact(uuid: str, **times: datetime) -> Fact:
    return Fact(uuid, "a", "b", "A", "OWNS", "B", "A owns B", datetime(2020, 1, 1, tzinfo=UTC), **times)  # type: ignore[arg-type]


@pytest.fixture
def mirror() -> Mirror:
    mirror = Mirror()
    mirror.apply(
        GraphWrite(
            entities=(Entity("a", "A"), Entity("b", "B")),
            facts=(
                fact("same"),
                fact("ended", invalid_at=day(5), expired_at=day(5)),
                fact("long_over", invalid_at=day(1)),
                fact("wrong", withdrawn_at=day(5), expired_at=day(5)),
                fact("to_come", invalid_at=day(12)),
                fact("learned", invalid_at=day(2), expired_at=day(5)),
            ),
        )
    )
    return mirror


def test_what_ended_was_withdrawn_or_is_gone_since_is_told_with_its_day(mirror: Mirror) -> None:
    asked = ("same", "ended", "long_over", "wrong", "to_come", "learned", "deleted")
    assert fates_of(mirror, asked, GIVEN, NOW) == {
        "ended": "ended 2024-05-02",
        "wrong": "withdrawn 2024-05-02",
        "learned": "ended 2024-02-02",
        "deleted": "gone",
    }


def test_a_stored_answer_tells_what_changed_by_the_numbers_of_its_citations(mirror: Mirror) -> None:
    cited = (Citation(1, "fact", "same"), Citation(3, "fact", "ended"), Citation(4, "chunk", "ended"))
    answer = Answer("A owns B [1][3].", (), cited, Instants(GIVEN, GIVEN))
    assert changed_since(mirror, answer, NOW) == ("[3] ended 2024-05-02.",)
    assert changed_since(mirror, answer, GIVEN) == ()
