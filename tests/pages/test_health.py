"""The Health page: what it finds, and each button on it, with its way back."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from services import cached
from services.agent.app import App
from services.core import clock
from services.core.job_records import NewItem
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.documents.versions import NewDocument
from services.jobs import dates_job
from services.jobs import documents_job as feed
from services.jobs.texts import text_item
from services.writing import corrections
from services.writing.change_sets import change_sets
from services.writing.corrections import apply
from services.writing.documents import ingest_documents
from tests.fakes.line_extractor import LineExtractor
from tests.fakes.second_reader import SecondReader
from tests.pages.conftest import WORKSPACE, day, opened, words


def person(uuid: str, name: str, *types: str) -> Entity:
    return Entity(uuid, name, types or ("Person",), created_at=day("2019-01-01"))


ENTITIES = (
    person("eve", "Eve Smith"),
    person("eve2", "E. Smith"),
    person("acme", "Acme, Inc.", "Company"),
    person("acme2", "ACME Inc", "Company"),
    person("labs", "Labs", "Company"),
    person("zoe", "Zoe"),
)
NAMES = {entity.uuid: entity.name for entity in ENTITIES}


def fact(uuid: str, source: str, relation: str, target: str, start: str | None, **more: object) -> Fact:
    begun: datetime | None = day(start) if start else None
    made = Fact(
        uuid,
        source,
        target,
        NAMES.get(source, source),
        relation,
        NAMES.get(target, target),
        valid_at=begun,
        created_at=(begun or day("2020-01-01")) + timedelta(hours=1),
        episodes=("file",),
    )
    return replace(made, **more)  # type: ignore[arg-type]


MAIL = Episode("mail", "A mail", "It is about cake.", created_at=day("2024-05-01"), entity_uuids=("zoe",))
FILE = Episode(
    "file",
    "The file",
    "Eve Smith and others.",
    created_at=day("2019-01-01"),
    entity_uuids=("eve", "eve2", "acme", "acme2", "labs"),
)
RETIRED = fact(
    "gone",
    "eve",
    "WORKS_FOR",
    "acme",
    "2020-01-01",
    invalid_at=day("2024-05-01"),
    expired_at=day("2024-05-01") + timedelta(minutes=1),
    ended_by="mail",
)


def fill(services: App, *facts: Fact, episodes: tuple[Episode, ...] = (FILE,)) -> App:
    held = GraphWrite(ENTITIES[:5], facts, episodes)
    services.bridge.run(services.graph.write(WORKSPACE, held))
    services.accounts.add(WORKSPACE, "Team memory")
    return services


def click(app: AppTest, key: str) -> AppTest:
    app = app.button(key=key).click().run()
    assert not app.exception
    return app


def facts_of(services: App, entity: str) -> list[Fact]:
    return list(services.mirrors.of(WORKSPACE).history(entity))


KNOWN = fact("k", "eve", "KNOWS", "labs", "2020-01-01"), fact("k2", "acme", "OWNS", "labs", "2020-01-01")


def test_where_nothing_wants_mending_the_page_says_so(services: App) -> None:
    filled = GraphWrite((ENTITIES[0], ENTITIES[4]), (KNOWN[0],), (replace(FILE, entity_uuids=("eve", "labs")),))
    services.bridge.run(services.graph.write(WORKSPACE, filled))
    services.accounts.add(WORKSPACE, "Team memory")
    app = opened("Health", w=WORKSPACE)
    assert not app.exception
    assert "Nothing to review" in words(app)


def test_a_suspicious_retirement_is_listed_reinstated_and_undone(services: App) -> None:
    app = opened("Health", w=fill(services, RETIRED, episodes=(FILE, MAIL)) and WORKSPACE)
    page = words(app)
    assert "retired because of a source that does not mention it" in page
    assert "by “A mail”" in page
    app = click(app, "reinstate_suspicious_gone")
    assert {f.invalid_at for f in facts_of(services, "eve") if f.withdrawn_at is None} == {None}
    assert "retired because of a source" not in words(app)
    assert "Eve Smith works for Acme, Inc. reinstated" in words(app)
    app = click(app, "undo_last")
    assert [f.uuid for f in facts_of(services, "eve")] == ["gone"]
    assert "undone Eve Smith works for" in words(app)
    click(app, "redo_last")
    assert len(facts_of(services, "eve")) == 2


def test_what_an_analyst_retired_is_listed_so_and_not_as_suspicious(services: App) -> None:
    fill(services, *KNOWN)
    services.mirrors.sync(WORKSPACE, deep=True)
    ingest_documents(services.workspace(WORKSPACE), [NewDocument("rain", "It rained all week.", title="Weather")])
    (held,) = (f for f in facts_of(services, "eve") if f.uuid == "k")
    apply.withdraw_fact(services.workspace(WORKSPACE), held)
    page = words(click(opened("Health", w=WORKSPACE), "show_together"))
    assert "Suspicious retirements" not in page
    assert "by “Eve Smith knows Labs: withdrawn”" in page


def test_a_fact_is_corrected_by_form_and_with_its_reason_where_it_is_listed(services: App) -> None:
    fill(services, RETIRED, episodes=(FILE, MAIL))
    app = opened("Health", w=WORKSPACE)
    assert "correct_alone_0_gone" not in [button.key for button in app.button], "ordinary changes are folded"
    app = click(app, "show_together")
    assert "correct_alone_0_gone" in [button.key for button in app.button]
    app = click(app, "correct_suspicious_gone")
    app.text_input(key="why_gone").set_value("She is there still.")
    click(app, "confirmed")
    (again,) = (f for f in facts_of(services, "eve") if f.withdrawn_at is None)
    assert services.mirrors.of(WORKSPACE).episodes(again.episodes)[0].content == "She is there still."


def test_a_fact_that_is_there_twice_and_the_entities_listed_are_corrected_by_form(services: App) -> None:
    twin = replace(KNOWN[0], uuid="twin", created_at=day("2023-01-01"))
    fill(services, *KNOWN, twin, fact("a", "acme2", "OWNS", "eve", "2021-01-01"))
    services.bridge.run(services.graph.write(WORKSPACE, GraphWrite((ENTITIES[5],))))
    app = click(opened("Health", w=WORKSPACE), "correct_k twin")
    assert "action_k" in [control.key for control in app.segmented_control]
    app = click(opened("Health", w=WORKSPACE), "correct_zoe")
    assert "action_zoe" in [control.key for control in app.segmented_control]
    app = click(opened("Health", w=WORKSPACE), "correct_acme acme2_acme2")
    app.text_input(key="name_acme2").set_value("Acme of Rome")
    click(app, "confirmed")
    assert services.mirrors.of(WORKSPACE).entities(("acme2",))[0].name == "Acme of Rome"


def test_what_is_right_stays_out_until_it_is_looked_at_again(services: App) -> None:
    fill(services, RETIRED, episodes=(FILE, MAIL))
    app = click(opened("Health", w=WORKSPACE), "right_retirement_gone")
    assert "Suspicious retirements" not in words(app)
    app = click(app, "again_retirement")
    assert "Suspicious retirements" in words(app)


def test_two_entities_are_merged_and_the_chosen_one_is_kept(services: App) -> None:
    fill(services, *KNOWN, fact("a", "acme2", "OWNS", "eve", "2021-01-01"))
    app = opened("Health", w=WORKSPACE)
    assert "the same name except for case or punctuation" in words(app)
    app = click(app, "merge_acme acme2")
    app.radio(key="keep_acme_acme2").set_value("acme2")
    app = click(app, "confirmed")
    assert {f.uuid for f in facts_of(services, "acme2")} == {"k2", "a"}
    assert change_sets(services.workspace(WORKSPACE))[0].origin.user_id == services.accounts.users.local().id


def test_of_two_contradicting_facts_the_earlier_ends_where_the_later_begins(services: App) -> None:
    steps = [
        fact(f"s{n}", "eve", "LIVES_IN", to, f"20{n:02}-01-01", invalid_at=day(f"20{n + 1:02}-01-01"))
        for n, to in enumerate(["acme", "labs"] * 10)
    ]
    fill(
        services,
        *steps[:-1],
        replace(steps[-1], invalid_at=None),
        fact("late", "eve", "LIVES_IN", "acme", "2022-01-01"),
    )
    app = opened("Health", w=WORKSPACE)
    assert "Contradictions" in words(app)
    key = " ".join(sorted((steps[-1].uuid, "late")))
    app = click(app, f"end_{key}")
    app = click(app, "confirmed")
    ended = next(f for f in facts_of(services, "eve") if f.uuid == steps[-1].uuid)
    assert (ended.invalid_at, ended.ended_by) == (day("2022-01-01"), "late")


def test_a_fact_that_is_there_twice_is_kept_once_with_both_sources(services: App) -> None:
    twin = fact("twin", "eve", "KNOWS", "labs", "2020-01-01", episodes=("mail",), created_at=day("2023-01-01"))
    fill(services, *KNOWN, twin, episodes=(replace(FILE), replace(MAIL, entity_uuids=("eve", "labs"))))
    app = click(opened("Health", w=WORKSPACE), "unite_k twin")
    click(app, "confirmed")
    kept, gone = (next(f for f in facts_of(services, "eve") if f.uuid == uuid) for uuid in ("k", "twin"))
    assert kept.episodes == ("file", "mail")
    assert gone.withdrawn_at is not None


@pytest.mark.parametrize(
    ("button", "check"),
    [
        ("clean_source_k", lambda fact: fact.episodes == ("file",)),
        ("clean_cause_k", lambda fact: fact.ended_by is None),
    ],
)
def test_references_to_nothing_are_cleaned_up(services: App, button: str, check: object) -> None:
    fill(services, replace(KNOWN[0], episodes=("file", "lost"), ended_by="lost"), KNOWN[1])
    app = click(opened("Health", w=WORKSPACE), button)
    click(app, "confirmed")
    assert check(next(f for f in facts_of(services, "eve") if f.uuid == "k"))  # type: ignore[operator]


def test_what_was_seen_as_right_is_not_cleaned_up_with_the_others(services: App) -> None:
    years = (2020, 2021, 2022)
    lost = [replace(fact(f"l{y}", "eve", "KNOWS", "labs", f"{y}-01-01"), episodes=("file", "lost")) for y in years]
    fill(services, *lost)
    services.accounts.dismissals.add(WORKSPACE, "residue", ["source l2021"])
    app = click(click(opened("Health", w=WORKSPACE), "all_source"), "confirmed")
    named = {f.uuid for f in facts_of(services, "eve") if "lost" in f.episodes}
    assert named == {"l2021"}
    assert not app.exception


def test_what_was_taken_in_since_is_no_failure_any_more(services: App) -> None:
    fill(services, *KNOWN)
    item = NewItem("note", "A note", {"upload": "0" * 64, "name": "note.txt", "id": "note"})
    services.jobs.wait(services.accounts.jobs.add(WORKSPACE, "documents", "notes", [item]), 20)
    assert "A note" in words(opened("Health", w=WORKSPACE))
    services.jobs.wait(services.accounts.jobs.add(WORKSPACE, "documents", "notes", [text_item("Soup", id="note")]), 20)
    assert "A note" not in words(opened("Health", w=WORKSPACE))


def test_an_entity_in_nothing_is_deleted_and_comes_back_by_undo(services: App) -> None:
    fill(services, *KNOWN, episodes=(replace(FILE, entity_uuids=("eve", "acme", "labs")),))
    services.bridge.run(services.graph.write(WORKSPACE, GraphWrite((ENTITIES[5],))))
    services.mirrors.sync(WORKSPACE, deep=True)
    app = click(opened("Health", w=WORKSPACE), "orphan_zoe")
    app = click(app, "confirmed")
    assert services.mirrors.of(WORKSPACE).entities(("zoe",)) == ()
    click(app, "undo_last")
    assert services.mirrors.of(WORKSPACE).entities(("zoe",)) != ()


def test_a_source_of_nothing_is_deleted(services: App) -> None:
    note = Episode("note", "A note", "nothing much", created_at=day("2024-01-01"))
    fill(services, *KNOWN, episodes=(FILE, note))
    app = click(opened("Health", w=WORKSPACE), "clean_episode_note")
    assert "1 source" in words(app)
    click(app, "confirmed")
    assert services.mirrors.of(WORKSPACE).episodes(("note",)) == ()


def test_an_undated_fact_is_corrected_by_the_form(services: App) -> None:
    fill(services, *KNOWN, fact("u", "eve", "OWNS", "acme", None))
    app = click(opened("Health", w=WORKSPACE), "date_u")
    app.date_input(key="start_u").set_value(day("2021-05-01").date())
    app = click(app, "confirmed")
    made = next(f for f in facts_of(services, "eve") if f.relation == "OWNS" and f.withdrawn_at is None)
    assert made.valid_at == day("2021-05-01")
    assert "Undated ·" not in words(app)


def test_what_failed_says_why_and_can_be_tried_again(services: App) -> None:
    fill(services, *KNOWN)
    item = NewItem("bad.csv", "bad.csv", {"upload": "0" * 64, "name": "bad.csv"})
    job = services.accounts.jobs.add(WORKSPACE, "import", "facts", [item])
    services.jobs.wait(job, 20)
    app = opened("Health", w=WORKSPACE)
    assert "This file no longer exists in Asof." in words(app)
    (failed,) = services.accounts.jobs.items(job)
    click(app, f"retry_{failed.id}")
    services.jobs.wait(job, 20)
    assert services.accounts.jobs.item(failed.id).attempts == failed.attempts + 1  # type: ignore[union-attr]


def test_what_failed_can_be_let_go(services: App) -> None:
    fill(services, *KNOWN)
    item = NewItem("bad.csv", "bad.csv", {"upload": "0" * 64, "name": "bad.csv"})
    job = services.accounts.jobs.add(WORKSPACE, "import", "facts", [item])
    services.jobs.wait(job, 20)
    app = click(opened("Health", w=WORKSPACE), f"let_go_{services.accounts.jobs.items(job)[0].id}")
    assert "This file no longer exists in Asof." not in words(app)
    assert services.accounts.jobs.items(job)[0].state == "cancelled"


def test_what_failed_and_what_waits_for_review_stand_apart(services: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    fill(services, *KNOWN)
    bad = services.accounts.jobs.add(
        WORKSPACE, "import", "facts", [NewItem("b", "bad.csv", {"upload": "0" * 64, "name": "b"})]
    )
    notes = [text_item(f"Ada | OWNS | {thing}", id=thing, title=f"Note {thing}") for thing in ("Boat", "Car")]
    read = services.accounts.jobs.add(WORKSPACE, "documents", "Notes", notes, options={"extract": "rules"})
    for job in (bad, read):
        services.jobs.wait(job, 20)
    page_text = words(opened("Health", w=WORKSPACE))
    failed, waiting = page_text.index("Failed · 1"), page_text.index("To review · 2")
    assert failed < page_text.index("This file no longer exists in Asof.") < waiting
    assert "1 failed, 2 to review" in page_text
    assert all(page_text.index(f"Note {thing}") > waiting for thing in ("Boat", "Car"))


def test_a_problem_keeps_the_form_open_with_its_reason(services: App) -> None:
    fill(services, *KNOWN, fact("u", "eve", "OWNS", "acme", None))
    app = click(opened("Health", w=WORKSPACE), "date_u")
    app = click(app, "confirmed")
    assert app.session_state["confirm_problem"].message == "You have not changed anything."
    assert len(facts_of(services, "eve")) == 2


def test_records_from_the_future_are_stamped_anew_after_a_look_and_back_by_undo(services: App) -> None:
    later = clock.now() + timedelta(days=400)
    fill(services, *KNOWN, fact("later", "eve", "LIKES", "acme", "2021-01-01", created_at=later))
    app = opened("Health", w=WORKSPACE)
    assert "Recorded in the future · 1" in words(app)
    app = click(app, "restamp")
    assert f"Eve Smith likes Acme, Inc.: {later:%Y-%m-%d %H:%M} → " in words(app)
    app = click(app, "confirmed")
    assert "Recorded in the future" not in words(app)
    (stamped,) = (one for one in facts_of(services, "eve") if one.uuid == "later")
    assert stamped.created_at is not None
    assert stamped.created_at < clock.now()
    assert "Recorded in the future · 1" in words(click(app, "undo_last"))


def test_dates_are_read_again_on_a_button_and_corrected_after_a_look(
    services: App, reader: LineExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dates_job, "extractor_of", lambda workspace, name: SecondReader())
    item = text_item("Ann | LEFT | Labs | 2017-06-01\nBob | OWNS | Labs | 2001-01-01", id="a", title="A note")
    options = {"extract": "rules", "write_at_once": True}
    services.jobs.wait(services.accounts.jobs.add(WORKSPACE, "documents", "notes", [item], options=options), 20)
    app = click(opened("Health", w=WORKSPACE), "read_dates_again")
    job = services.accounts.jobs.latest(WORKSPACE, "dates")
    assert job is not None
    services.jobs.wait(job.id, 20)
    app = app.run()
    assert "Dates to correct · 2" in words(app)
    assert "2017-06-01 → now undated → June 2017" in words(app)
    assert "2001-01-01 → now 2001 → now" in words(app)
    app.checkbox(key=f"redate_{_uuid_of(services, 'Bob')}").uncheck().run()
    app = click(app, "redate")
    assert "undated → June 2017" in words(app)
    app = click(app, "confirmed")
    assert "Dates to correct · 1" in words(app)
    assert "Dates to correct · 2" in words(click(app, "undo_last"))


def test_what_a_reading_of_dates_found_is_kept_until_the_graph_changes(
    services: App, reader: LineExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dates_job, "extractor_of", lambda workspace, name: SecondReader())
    item = text_item("Bob | OWNS | Labs | 2001-01-01", id="a", title="A note")
    options = {"extract": "rules", "write_at_once": True}
    services.jobs.wait(services.accounts.jobs.add(WORKSPACE, "documents", "notes", [item], options=options), 20)
    opened_one = services.workspace(WORKSPACE)
    job = services.jobs.wait(dates_job.read_dates_again(opened_one), 20)
    found = cached.dates_found(WORKSPACE, job)
    assert [one.fact_uuid for one in found] == [_uuid_of(services, "Bob")]
    assert cached.dates_found(WORKSPACE, job) is found
    corrections.redate(opened_one, found)
    assert cached.dates_found(WORKSPACE, job) == ()


def _uuid_of(services: App, name: str) -> str:
    (entity,) = services.mirrors.of(WORKSPACE).entities_named(name)
    (held,) = services.mirrors.of(WORKSPACE).history(entity.uuid)
    return held.uuid
