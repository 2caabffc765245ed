"""A fact names the change of ours that recorded it; one that came another way names none."""

from datetime import UTC, datetime

from services.agent.app import App
from services.core.change_records import Origin
from services.core.models import Fact
from services.graph.raw import packed
from services.writing.fact_origins import origin_of

AT = datetime(2026, 11, 26, 9, 30, 0, 123456, tzinfo=UTC)
FACT = Fact("f", "ada", "boat", "Ada", "OWNS", "Boat", created_at=AT)


def recorded(services: App, origin: Origin, *, finished: bool = True) -> str:
    """Next the origin of a fact that a change of this origin recorded."""
    sets = services.accounts.change_sets
    id = sets.begin("w", "crew.csv", origin, packed({}), AT)
    if finished:
        sets.finish(id, digests=b"", counts={}, changes=[])
    return origin_of(services.workspace("w"), FACT)


def test_a_fact_of_a_table_names_the_file(services: App) -> None:
    assert recorded(services, Origin("import")) == "Recorded by the import “crew.csv” on 2026-11-26"


def test_a_fact_by_hand_names_who_recorded_it(services: App) -> None:
    user = services.accounts.users.add("ada", display_name="Ada Lovelace")
    assert recorded(services, Origin("form", user.id)) == "Recorded manually by Ada Lovelace on 2026-11-26"


def test_a_fact_by_hand_of_nobody_known_names_the_day_alone(services: App) -> None:
    assert recorded(services, Origin("form")) == "Recorded manually on 2026-11-26"


def test_a_corrected_fact_says_that_it_was_corrected(services: App) -> None:
    assert recorded(services, Origin("correction")) == "Corrected manually on 2026-11-26"


def test_a_fact_that_no_change_is_known_of_names_none(services: App) -> None:
    assert origin_of(services.workspace("w"), FACT) == ""
    assert recorded(services, Origin("import"), finished=False) == ""
