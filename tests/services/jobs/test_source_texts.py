"""What a graph was fed from: documents with their versions, episodes of others, and items that are not in."""

from dataclasses import replace

import pytest

from services.agent.app import App
from services.core import clock
from services.core.errors import BadInput
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.core.source_records import Source, SourcesAsked
from services.documents.versions import NewDocument
from services.jobs import documents_job as feed
from services.jobs.documents_job import text_item
from services.jobs.source_texts import SourceTexts, earlier_texts, read_again, source_texts, unfinished_items
from services.mirror.source_queries import has_sources, sources
from tests.fakes.line_extractor import LineExtractor
from tests.services.retrieval.conftest import W, graph, ingest, services

__all__ = ["graph", "services"]

LONG = 30.0
BOOK = "# Handbook\n\nTravel by train is paid.\n\n# Holidays\n\nThirty days."


@pytest.fixture
def extractor(monkeypatch: pytest.MonkeyPatch) -> LineExtractor:
    found = LineExtractor()
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: found)
    return found


@pytest.fixture
def running(services: App) -> App:
    services.jobs.start()
    return services


def listed(services: App, *words: str, **asked: object) -> dict[str, Source]:
    """The sources asked for, by key."""
    mirror = services.mirrors.of(W)
    found = sources(
        mirror, SourcesAsked(words, **asked), earlier_texts(mirror, W), unfinished_items(services.workspace(W))
    )  # type: ignore[arg-type]
    return {one.key: one for one in found.sources}


def one(services: App, key: str) -> SourceTexts:
    mirror = services.mirrors.of(W)
    found = source_texts(mirror, key, earlier_texts(mirror, W))
    assert found is not None
    return found


def fed(services: App, *items: object, **options: object) -> str:
    """The id of a job of these items, which is over."""
    job = services.accounts.jobs.add(W, "documents", "texts", items, options=options)  # type: ignore[arg-type]
    services.jobs.wait(job, LONG)
    return job


def episode(uuid: str, content: str, **more: object) -> Episode:
    return Episode(uuid, uuid.title(), content, created_at=clock.now(), **more)  # type: ignore[arg-type]


def put(services: App, *episodes: Episode, facts: tuple[Fact, ...] = ()) -> None:
    """Into graph and mirror, as another program's writes are once the mirror has followed."""
    ends = {uuid for fact in facts for uuid in (fact.source_uuid, fact.target_uuid)}
    batch = GraphWrite(tuple(Entity(uuid, uuid) for uuid in ends), facts, episodes)
    services.bridge.run(services.graph.write(W, batch))
    services.mirrors.sync(W)


def test_a_document_is_one_source_whatever_its_versions(services: App) -> None:
    ingest(services, NewDocument("book", BOOK, "Handbook", tags=("rules",)))
    ingest(services, NewDocument("book", BOOK + " And a half.", "Handbook", tags=("rules",)))
    ingest(services, NewDocument("book", BOOK + " And more.", "New handbook", "markdown", tags=("rules",)))
    (found,) = listed(services).values()
    assert (found.key, found.kind, found.versions, found.tags) == ("book", "document", 3, ("rules",))
    assert found.chunks == len(services.mirrors.of(W).document("book").chunks)  # type: ignore[union-attr]
    whole = one(services, "book")
    assert whole.episode.content.endswith("And more.")
    assert [e.content[-11:] for e in whole.earlier] == ["And a half.", "hirty days."]
    assert [section.name for section in whole.sections] == ["Handbook", "Holidays"]


def test_an_episode_of_another_program_is_a_source_though_it_calls_itself_a_document(services: App) -> None:
    ingest(services, NewDocument("book", BOOK, "Handbook"))
    put(services, episode("note", "A PDF.", source_description="pdf document"), episode("chat", "Hi", source="message"))
    ingest(services, NewDocument("book", BOOK + " More.", "Handbook"))
    assert {key: one.kind for key, one in listed(services).items()} == {
        "book": "document",
        "note": "episode",
        "chat": "message",
    }


def test_facts_of_every_version_and_mentions_are_counted(services: App) -> None:
    ingest(services, NewDocument("book", BOOK, "Handbook"))
    first = one(services, "book").episode.uuid
    ingest(services, NewDocument("book", BOOK + " More.", "Handbook"))
    now = one(services, "book").episode.uuid
    facts = (
        Fact("f1", "a", "b", "a", "R", "b", episodes=(first, now)),
        Fact("f2", "a", "b", "a", "R", "b", episodes=(first,)),
    )
    put(services, episode("note", "Other.", entity_uuids=("a", "b")), facts=facts)
    found = listed(services)
    assert (found["book"].facts, found["book"].state) == (2, "facts read")
    assert (found["note"].facts, found["note"].entities, found["note"].state) == (0, 2, "read")
    assert {fact.uuid for fact in one(services, "book").facts} == {"f1", "f2"}


def test_the_text_of_a_document_leads_to_the_document(services: App) -> None:
    ingest(services, NewDocument("book", BOOK, "Handbook"))
    first = one(services, "book").episode.uuid
    ingest(services, NewDocument("book", BOOK + " More.", "Handbook"))
    assert one(services, first).key == "book"
    assert one(services, one(services, "book").episode.uuid).key == "book"


def test_sources_are_found_by_title_tag_and_text_and_filtered(services: App) -> None:
    ingest(
        services, NewDocument("book", BOOK, "Handbook", tags=("Café",)), NewDocument("m", "By bus.", "Bus", thread="t")
    )
    put(services, episode("note", "On foot."))
    assert set(listed(services, "HAND")) == {"book"}
    assert set(listed(services, "cafe")) == {"book"}
    assert set(listed(services, "train", "thirty")) == {"book"}
    assert set(listed(services, "train", "foot")) == set()
    assert set(listed(services, kind="message")) == {"m"}
    assert set(listed(services, state="facts read")) == set()
    assert set(listed(services, "100%")) == set()


def test_pages_follow_each_other_in_the_order_asked(services: App) -> None:
    ingest(services, *(NewDocument(f"d{n}", f"Text {n}.", f"Title {n}") for n in range(5)))
    mirror = services.mirrors.of(W)
    pages = [sources(mirror, SourcesAsked(order="title", offset=n, limit=2), {}, ()) for n in (0, 2, 4, 6)]
    assert [[one.title for one in page.sources] for page in pages] == [
        ["Title 0", "Title 1"],
        ["Title 2", "Title 3"],
        ["Title 4"],
        [],
    ]
    assert [page.total for page in pages[:3]] == [5, 5, 5]


def test_an_empty_graph_has_no_sources(services: App) -> None:
    mirror = services.mirrors.of(W)
    assert not has_sources(mirror)
    put(services, episode("note", "On foot."))
    assert has_sources(mirror)


def test_what_failed_or_waits_is_listed_with_its_reason(running: App, extractor: LineExtractor) -> None:
    extractor.failing.add("bad")
    fed(
        running,
        text_item("", id="empty", title="Nothing"),
        text_item("Ann | LIVES_IN | Paris", id="ann"),
        extract="rules",
    )
    fed(running, text_item("bad words", id="bad"), extract="rules")
    found = {(one.unfinished.document_id if one.unfinished else ""): one for one in listed(running).values()}
    assert (found["empty"].state, found["empty"].title, found["empty"].holds) == ("failed", "Nothing", "item")
    assert found["empty"].unfinished is not None
    assert found["empty"].unfinished.problem == "This document contains no text."
    assert found["ann"].state == "in review"
    assert found["bad"].unfinished is not None
    assert found["bad"].unfinished.problem == "The model gave no answer."


def test_what_a_later_job_took_in_has_failed_no_more(running: App, extractor: LineExtractor) -> None:
    extractor.failing.add("bad")
    fed(running, text_item("bad words", id="note"), extract="rules")
    assert next(iter(listed(running).values())).state == "failed"
    fed(running, text_item("bad words", id="note"))
    assert {key: one.state for key, one in listed(running).items()} == {"note": "read"}
    fed(running, text_item("bad words", id="note"), extract="rules", again=True)
    (found,) = listed(running).values()
    assert (found.key, found.state) == ("note", "failed")  # the text is in, its facts were not found
    assert listed(running, state="failed") == {"note": found}


def test_a_document_is_read_again_as_it_stands(running: App, extractor: LineExtractor) -> None:
    text = "<p>Ann | LIVES_IN | Paris</p>"
    fed(running, text_item(text, id="ann", title="Ann", format="html", tags=["x"]))
    before = one(running, "ann")
    job = read_again(running.workspace(W), before, "rules", write_at_once=True)
    assert running.jobs.wait(job, LONG).counts == {"done": 1}
    after = one(running, "ann")
    assert (after.document, after.earlier) == (before.document, ())
    assert [fact.text for fact in after.facts] == ["Ann LIVES_IN Paris"]
    assert after.episode.content[slice(*after.places[after.facts[0].uuid])] == "Ann | LIVES_IN | Paris"


def test_an_episode_of_another_program_is_not_read_again(services: App) -> None:
    put(services, episode("note", "On foot."))
    with pytest.raises(BadInput, match="only from documents"):
        read_again(services.workspace(W), one(services, "note"), "rules")


def test_an_unknown_source_is_none(services: App) -> None:
    mirror = services.mirrors.of(W)
    assert source_texts(mirror, "nothing", {}) is None


def test_a_document_whose_text_is_gone_still_opens(services: App) -> None:
    ingest(services, NewDocument("book", BOOK, "Handbook"))
    mirror = services.mirrors.of(W)
    mirror.apply(GraphWrite(), gone_episodes=[one(services, "book").episode.uuid])
    found = one(services, "book")
    assert (found.title, found.episode.content) == ("Handbook", "")
    assert replace(found, facts=()) == found
