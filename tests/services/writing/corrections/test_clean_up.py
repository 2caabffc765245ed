"""Cleaning up: each kind is mended as `RESIDUES` says, leaves the rest alone, and can be undone."""

from dataclasses import replace

import pytest

from services.agent.app import App
from services.core.errors import BadInput
from services.core.health_records import Residue, ResidueKind, SameFact
from services.core.models import Fact, GraphWrite
from services.mirror import health_queries
from services.writing.change_sets import change_sets
from services.writing.corrections import clean_up
from services.writing.undoing import undo
from tests.services.writing.corrections.conftest import WORKSPACE, day, fact, note
from tests.services.writing.corrections.test_apply import dump

BROKEN = (
    fact("source", "bob", "lost", "second"),
    fact("cause", "dan", "second", invalid_at=day(5), expired_at=day(6), ended_by="lost"),
    fact("backwards", "cy", "second", relation="MET", invalid_at=day(1)),
)


@pytest.fixture
def broken(team: App) -> App:
    """The graph with one of each: facts that refer to nothing, and sources that nothing refers to."""
    write = GraphWrite(facts=BROKEN, episodes=(note("lone"), note("second", "ada")))
    team.bridge.run(team.graph.write(WORKSPACE, write))
    team.mirrors.sync(WORKSPACE, deep=True)
    return team


def residues(services: App, kind: ResidueKind) -> tuple[Residue, ...]:
    return health_queries.residues(services.mirrors.of(WORKSPACE), kind, 50).items


@pytest.mark.parametrize("kind", ["source", "cause", "episode", "mention", "backwards"])
def test_what_is_cleaned_up_is_found_no_more_and_comes_back_by_undo(broken: App, kind: ResidueKind) -> None:
    before = dump(broken)
    found = residues(broken, kind)
    assert found
    id = clean_up.mend_residues(broken.workspace(WORKSPACE), found, user_id="me")
    assert residues(broken, kind) == ()
    assert change_sets(broken.workspace(WORKSPACE))[0].origin.kind == "clean-up"
    dump(broken)
    undo(broken.workspace(WORKSPACE), id)
    assert dump(broken) == before


def test_a_reference_goes_and_the_others_stay(broken: App) -> None:
    clean_up.mend_residues(broken.workspace(WORKSPACE), residues(broken, "source"))
    (mended,) = broken.mirrors.of(WORKSPACE).facts(("source",))
    assert mended.episodes == ("second",)


def test_what_was_mended_meanwhile_is_said(broken: App) -> None:
    found = residues(broken, "cause")
    clean_up.mend_residues(broken.workspace(WORKSPACE), found)
    with pytest.raises(BadInput, match="There is nothing left to do"):
        clean_up.mend_residues(broken.workspace(WORKSPACE), found)


def test_a_passage_without_its_heading_cannot_be_mended_here(broken: App) -> None:
    with pytest.raises(BadInput, match="Asof cannot clean up this record"):
        clean_up.mend_residues(broken.workspace(WORKSPACE), [Residue("section", "report", "Report")])


def test_the_oldest_of_the_same_facts_is_kept_with_all_sources(team: App) -> None:
    twin = fact("twin", "bob", "second", created_at=day(4))
    team.bridge.run(team.graph.write(WORKSPACE, GraphWrite(facts=(twin,))))
    team.mirrors.sync(WORKSPACE, deep=True)
    (same,) = health_queries.same_facts(team.mirrors.of(WORKSPACE), 5).items
    before = dump(team)
    id = clean_up.unite(team.workspace(WORKSPACE), same)
    kept, gone = team.mirrors.of(WORKSPACE).facts(("one", "twin"))
    assert (kept.episodes, gone.withdrawn_at is not None) == (("first", "second"), True)
    assert health_queries.same_facts(team.mirrors.of(WORKSPACE), 5).total == 0
    undo(team.workspace(WORKSPACE), id)
    assert dump(team) == before


def test_facts_that_were_changed_meanwhile_are_not_united(team: App) -> None:
    def changed(one: Fact) -> Fact:
        return replace(one, text="something else")

    facts = team.mirrors.of(WORKSPACE).facts(("one", "both"))
    with pytest.raises(BadInput, match="changed this record in the meantime"):
        clean_up.unite(team.workspace(WORKSPACE), SameFact((facts[0], changed(facts[1]))))
