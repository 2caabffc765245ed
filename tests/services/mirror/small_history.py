"""One small history of two proposals, in a mirror."""

from datetime import UTC, datetime

import pytest

from services.core.models import (
    Entity,
    Episode,
    Fact,
    Instants,
)
from services.mirror.mirror import Mirror


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


NOW = Instants(year(2020), year(2020))


ENTITIES = [
    Entity("p1", "PEP 1", ("Proposal",), created_at=year(2000)),
    Entity("p2", "PEP 12", ("Proposal",), created_at=year(2001)),
    Entity("draft", "Draft", ("Status",)),
    Entity("final", "Final", ("Status",)),
    Entity("ann", "Ánn Réal", ("Person", "Author")),
    Entity("bob", "Bob Final", ()),
    Entity("alone", "Alone", ()),
]


NAMES = {entity.uuid: entity.name for entity in ENTITIES}


def fact(uuid: str, source: str, relation: str, target: str, **times: object) -> Fact:
    text = f"{NAMES[source]} {relation} {NAMES[target]}"
    return Fact(uuid, source, target, NAMES[source], relation, NAMES[target], text, **times)  # type: ignore[arg-type]


WAS_DRAFT = fact(
    "was draft",
    "p1",
    "STATUS",
    "draft",
    valid_at=year(2001),
    created_at=year(2001),
    invalid_at=year(2005),
    expired_at=year(2005),
    episodes=("gone", "mail"),
)


IS_FINAL = fact("is final", "p1", "STATUS", "final", valid_at=year(2005), created_at=year(2005), episodes=("header",))


WRONG = fact(
    "wrong",
    "p1",
    "AUTHOR",
    "bob",
    valid_at=year(2001),
    created_at=year(2001),
    withdrawn_at=year(2010),
    expired_at=year(2010),
)


RIGHT = fact("right", "p1", "AUTHOR", "ann", valid_at=year(2001), created_at=year(2010), episodes=("mail",))


OTHER = fact("other", "p2", "AUTHOR", "ann", valid_at=year(2003), created_at=year(2003))


UNDATED = fact("undated", "p2", "DELEGATE", "bob", created_at=year(2003))


EPISODES = (
    Episode("mail", "", "Subject: a mail\nbody", "text", "", year(2001), year(2001), ("p1",)),
    Episode("header", "Status header", "Status: Final", "text", "", year(2005), year(2005), ("p1", "final")),
)


FACTS = (WAS_DRAFT, IS_FINAL, WRONG, RIGHT, OTHER, UNDATED)


@pytest.fixture
def history(mirror: Mirror) -> Mirror:
    mirror.replace_all([ENTITIES], [FACTS], [EPISODES])
    return mirror
