"""Documents are read again for their dates, and what is read otherwise is corrected by one change."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from services.core import clock, time_rule
from services.core.errors import BadInput
from services.core.health_records import DatesRead
from services.core.models import Fact, GraphWrite
from services.jobs import dates_job
from services.jobs.dates_job import found_by, latest_reading, read_dates_again
from services.jobs.source_texts import unfinished_items
from services.writing import corrections
from services.writing.undoing import undo
from tests.fakes.second_reader import SecondReader
from tests.services.jobs.feeding import LONG, extractor, facts, fed, jobs, note
from tests.services.retrieval.conftest import W, graph, services

__all__ = ["extractor", "graph", "jobs", "services"]

TEXT = "Ann | LEFT | Labs | 2017-06-01\nBob | OWNS | Labs | 2001-01-01\nCy | OWNS | Labs | "


@pytest.fixture
def second(monkeypatch):
    monkeypatch.setattr(dates_job, "extractor_of", lambda workspace, name: SecondReader())


def read_again(services, jobs) -> Sequence[dates_job.DatesRead]:
    opened = services.workspace(W)
    job = jobs.wait(read_dates_again(opened), LONG)
    assert (job.state, latest_reading(opened).id) == ("done", job.id)
    return found_by(opened, job.id)


def held(services) -> dict[str, Fact]:
    return {text: f for text, f in facts(services).items() if f.withdrawn_at is None}


@pytest.mark.usefixtures("extractor")
def test_a_reader_that_reads_the_same_finds_nothing(services, jobs, monkeypatch, extractor):
    monkeypatch.setattr(dates_job, "extractor_of", lambda workspace, name: extractor)
    fed(jobs, note(TEXT, "a"), extract="rules", write_at_once=True)
    assert read_again(services, jobs) == ()


@pytest.mark.usefixtures("extractor", "second")
def test_facts_with_other_dates_are_found_and_nothing_is_written(services, jobs):
    fed(jobs, note(TEXT, "a"), extract="rules", write_at_once=True)
    before = facts(services)
    found = {services.mirrors.of(W).facts([one.fact_uuid])[0].source: one for one in read_again(services, jobs)}
    assert found.keys() == {"Ann", "Bob"}
    assert (found["Ann"].valid_at, found["Ann"].invalid_at_precision) == (None, "month")
    assert (found["Bob"].valid_at, found["Bob"].valid_at_precision) == (clock.parse_instant("2001"), "year")
    assert facts(services) == before


@pytest.mark.usefixtures("extractor", "second")
def test_all_or_some_are_corrected_by_one_change_that_can_be_undone(services, jobs):
    fed(jobs, note(TEXT, "a"), extract="rules", write_at_once=True)
    opened, found = services.workspace(W), read_again(services, jobs)
    before = held(services)
    assert {line.kind for line in corrections.preview_redating(opened, found).lines} == {"corrected"}
    change = corrections.redate(opened, found)
    after = held(services)
    ended = after["Ann LEFT Labs"]
    assert (ended.valid_at, time_rule.end(ended, clock.LATEST)) == (None, clock.parse_instant("2017-06"))
    assert after["Bob OWNS Labs"].valid_at_precision == "year"
    assert found_by(opened, latest_reading(opened).id) == ()
    with pytest.raises(BadInput, match="There is nothing left to correct"):
        corrections.preview_redating(opened, found)
    undo(opened, change)
    assert held(services) == before
    corrections.redate(opened, found[:1])
    assert len(found_by(opened, latest_reading(opened).id)) == 1


@pytest.mark.usefixtures("extractor", "second")
def test_what_a_person_corrected_or_another_source_states_is_left_alone(services, jobs):
    fed(jobs, note(TEXT, "a"), note(TEXT.partition("\n")[0], "b"), extract="rules", write_at_once=True)
    opened, stored = services.workspace(W), held(services)["Bob OWNS Labs"]
    changes = corrections.changes_of_fact(stored, clock.now())
    moved = replace(changes, valid_at=clock.parse_instant("2002-02-02"))
    corrections.edit_fact(opened, stored, moved)
    assert read_again(services, jobs) == ()


@pytest.mark.usefixtures("extractor")
def test_what_another_fact_says_already_keeps_its_dates_and_is_named(services, jobs):
    fed(jobs, note("Bob | OWNS | Labs | 2001\nAnn | OWNS | Labs | 2001", "a"), extract="rules", write_at_once=True)
    stored = facts(services)
    again = replace(stored["Bob OWNS Labs"], uuid="again", valid_at=clock.parse_instant("2005"))
    services.bridge.run(services.graph.write(W, GraphWrite(facts=(again,))))
    opened = services.workspace(W)
    ann = DatesRead(stored["Ann OWNS Labs"].uuid, clock.parse_instant("2001-02"), None)
    bob = DatesRead("again", clock.parse_instant("2001"), None)
    made = corrections.preview_redating(opened, [ann, bob])
    assert [(line.kind, line.text) for line in made.lines] == [
        ("corrected", "Ann owns Labs: corrected"),
        ("other", "Bob owns Labs keeps its dates: Another fact already says this."),
    ]
    assert made.title == "Ann owns Labs: corrected; 1 kept as recorded"
    with pytest.raises(BadInput, match=r"There are no dates to correct\. Bob owns Labs keeps its dates"):
        corrections.redate(opened, [bob])


@pytest.mark.usefixtures("extractor", "second")
def test_an_end_given_by_hand_stays_when_dates_are_read_again(services, jobs):
    fed(jobs, note(TEXT, "a"), extract="rules", write_at_once=True)
    corrections.end_fact(services.workspace(W), held(services)["Bob OWNS Labs"], clock.parse_instant("2020-05-05"))
    (bob,) = [one for one in read_again(services, jobs) if one.valid_at]
    assert bob.invalid_at == clock.parse_instant("2020-05-05")


@pytest.mark.usefixtures("extractor", "second")
def test_an_end_that_came_after_a_reading_is_not_corrected_by_it(services, jobs):
    fed(jobs, note(TEXT, "a"), extract="rules", write_at_once=True)
    opened, found = services.workspace(W), read_again(services, jobs)
    (bob,) = [one for one in found if one.valid_at]
    corrections.end_fact(opened, held(services)["Bob OWNS Labs"], clock.parse_instant("2020-05-05"))
    assert bob not in found_by(opened, latest_reading(opened).id)
    with pytest.raises(BadInput, match="There is nothing left to correct"):
        corrections.redate(opened, [bob])


@pytest.mark.usefixtures("extractor", "second")
def test_what_waits_for_review_waits_after_the_dates_were_read_again(services, jobs):
    fed(jobs, note(TEXT, "a"), extract="rules", write_at_once=True)
    fed(jobs, note(TEXT, "a"), extract="rules", again=True)
    waiting = [one.item_id for one in unfinished_items(services.workspace(W))]
    assert len(waiting) == 1
    read_again(services, jobs)
    assert [one.item_id for one in unfinished_items(services.workspace(W))] == waiting


def test_without_a_document_that_states_facts_there_is_nothing_to_read(services, jobs):
    fed(jobs, note("One.", "a"))
    with pytest.raises(BadInput, match="no facts extracted from documents"):
        read_dates_again(services.workspace(W))
