"""What an analyst ends or withdraws is told as the analyst's change, and not laid to what came in just before."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from services.agent.app import App
from services.core import clock
from services.core.health_records import Retirement
from services.core.import_rows import Row
from services.core.models import Cause, GraphWrite
from services.documents.versions import NewDocument
from services.mirror import health_queries, retirements
from services.writing.corrections import apply, clean_up
from services.writing.corrections.fact_corrections import changes_of_fact
from services.writing.documents import ingest_documents
from services.writing.importer import import_rows
from tests.services.writing.corrections.conftest import WORKSPACE, day, fact
from tests.services.writing.corrections.test_apply import seen


@pytest.fixture
def fed(team: App) -> App:
    """The team's services just after a text came in that has nothing to do with it."""
    ingest_documents(
        team.workspace(WORKSPACE), [NewDocument("weather", "It rained in Lisbon all week.", title="Weather")]
    )
    return team


def suspicious(services: App) -> tuple[Retirement, ...]:
    """What looks wrong, but for what the team's graph holds from the start."""
    changes = services.accounts.change_sets.by_hand(WORKSPACE)
    return retirements.suspicious_retirements(services.mirrors.of(WORKSPACE), 20, ("ended",), changes).items


def cause_of(services: App, uuid: str) -> Cause:
    changes = services.accounts.change_sets.by_hand(WORKSPACE)
    groups, _ = retirements.retired_together(services.mirrors.of(WORKSPACE), 20, (), changes)
    (found,) = (group.source for group in groups.items if uuid in {one.uuid for one in group.facts})
    return found


def withdraw(services: App) -> str:
    return apply.withdraw_fact(services.workspace(WORKSPACE), seen(services, "both"))


def end(services: App) -> str:
    return apply.end_fact(services.workspace(WORKSPACE), seen(services, "both"), day(50))


def end_by_import(services: App) -> str:
    names = {"source": "Ada", "relation": "KNOWS", "target": "Cy"}
    ended = Row(number=1, **names, valid_at=seen(services, "both").valid_at, invalid_at=day(60))
    import_rows(services.workspace(WORKSPACE), [ended], title="changes.csv")
    return services.accounts.change_sets.by_hand(WORKSPACE)[-1].id


def change_the_relation(services: App) -> str:
    held = seen(services, "both")
    return apply.edit_fact(
        services.workspace(WORKSPACE), held, replace(changes_of_fact(held, clock.now()), relation="MET")
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (withdraw, "Ada knows Cy: withdrawn"),
        (end, "Ada knows Cy: ended on 2020-02-20"),
        (end_by_import, "changes.csv"),
        (change_the_relation, "Ada knows Cy: corrected"),
    ],
)
def test_a_change_by_hand_is_the_cause_of_what_it_retired(fed: App, change: Callable[[App], str], words: str) -> None:
    id = change(fed)
    assert suspicious(fed) == ()
    assert cause_of(fed, "both") == Cause("change", words, id)


def test_the_reason_of_a_withdrawal_is_its_cause_and_no_suspicion(fed: App) -> None:
    apply.withdraw_fact(fed.workspace(WORKSPACE), seen(fed, "both"), note="It was about somebody else.")
    assert suspicious(fed) == ()
    cause = cause_of(fed, "both")
    assert (cause.kind, cause.text, cause.inferred) == ("episode", "It was about somebody else.", False)
    assert seen(fed, "both").ended_by == cause.uuid


def test_many_that_are_kept_once_by_hand_are_no_suspicion(fed: App) -> None:
    twins = tuple(fact(f"twin {n}", "bob", "first") for n in range(retirements.MANY + 1))
    fed.bridge.run(fed.graph.write(WORKSPACE, GraphWrite(facts=twins)))
    fed.mirrors.sync(WORKSPACE, deep=True)
    (same,) = health_queries.same_facts(fed.mirrors.of(WORKSPACE), 5).items
    clean_up.unite(fed.workspace(WORKSPACE), same)
    assert suspicious(fed) == ()


def test_what_another_program_retires_between_two_changes_is_looked_at_still(fed: App) -> None:
    withdraw(fed)
    now = clock.now()
    by_graphiti = replace(seen(fed, "one"), invalid_at=now, expired_at=now)
    fed.bridge.run(fed.graph.write(WORKSPACE, GraphWrite(facts=(by_graphiti,))))
    fed.mirrors.sync(WORKSPACE, deep=True)
    assert [(one.fact.uuid, one.reasons) for one in suspicious(fed)] == [("one", ("silent",))]
