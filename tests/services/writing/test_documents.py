"""Documents go in whole, once, and with their versions."""

import threading
from datetime import UTC, datetime

import pytest

from services.core.errors import BadInput, Cancelled
from services.documents.versions import NewDocument, text_id
from services.writing import documents
from services.writing.documents import ingest_documents
from services.writing.linking import link_chunks, rebuild_section_types
from tests.fakes.deletion import delete
from tests.services.retrieval.conftest import W, graph, ingest, services

__all__ = ["graph", "services"]  # the fixtures of search serve here too

RESUME = "# Ann Lee\n\nA cook.\n\n## Skills\n\nSoups and breads.\n\n### Soups\n\nLeek and bean.\n"
WHEN = datetime(2020, 5, 1, tzinfo=UTC)


def resume(text: str = RESUME, **more) -> NewDocument:
    return NewDocument("ann", text, title="Resume", path="people/cooks/ann.md", reference_time=WHEN, **more)


def episodes(services):
    async def read():
        return [e async for page in services.graph.scan_episodes(W) for e in page]

    return services.bridge.run(read())


def test_a_document_becomes_sections_and_chunks_in_mirror_and_graph(services):
    done = ingest(services, resume())
    assert (done.new, done.changed, done.unchanged) == (1, 0, 0)
    held = services.mirrors.of(W).document("ann")
    assert held is not None
    assert [section.path for section in held.sections] == [
        "Level 1: Ann Lee",
        "Level 1: Ann Lee > Level 2: Skills",
        "Level 1: Ann Lee > Level 2: Skills > Level 3: Soups",
    ]
    assert [(chunk.text, chunk.start_line) for chunk in held.chunks] == [
        ("A cook.", 3),
        ("Soups and breads.", 7),
        ("Leek and bean.", 11),
    ]
    assert (held.document.directory, held.document.format, held.document.chunk_count) == ("cooks", "markdown", 3)
    assert services.bridge.run(services.graph.documents.all_documents(W)) == (held.document,)
    (episode,) = episodes(services)
    assert (episode.uuid, episode.content, episode.valid_at) == (held.document.episode_uuid, RESUME, WHEN)


def test_the_same_document_again_changes_nothing(services):
    ingest(services, resume())
    version = services.mirrors.of(W).version
    done = ingest_documents(services.workspace(W), [resume()])
    assert (done.new, done.changed, done.unchanged) == (0, 0, 1)
    assert services.mirrors.of(W).version == version


def test_a_changed_document_replaces_its_chunks_and_keeps_the_old_versions_episode(services):
    ingest(services, resume())
    first = services.mirrors.of(W).document("ann")
    done = ingest_documents(services.workspace(W), [resume("# Ann Lee\n\nA baker.\n")])
    held = services.mirrors.of(W).document("ann")
    assert (done.changed, [chunk.text for chunk in held.chunks], len(held.sections)) == (1, ["A baker."], 1)
    assert held.document.created_at == first.document.created_at
    assert held.document.updated_at > first.document.updated_at
    assert {episode.content for episode in episodes(services)} == {RESUME, "# Ann Lee\n\nA baker.\n"}


def test_of_several_documents_with_one_id_the_last_counts(services):
    done = ingest(services, resume("one"), resume("two"))
    assert done.new == 1
    assert [chunk.text for chunk in services.mirrors.of(W).document("ann").chunks] == ["two"]


def test_messages_of_a_thread_are_numbered_on(services):
    ingest(services, *(NewDocument(f"m{n}", f"message {n}", thread="t") for n in range(2)))
    ingest(services, *(NewDocument(f"m{n}", f"message {n}!", thread="t") for n in (2, 0)))
    found = services.mirrors.of(W).documents_by_id(["m0", "m1", "m2"])
    assert [found[id].position for id in ("m0", "m1", "m2")] == [0, 1, 2]


def test_html_is_kept_as_the_text_that_people_read(services):
    html = "<html><title>Menu</title><body><script>x()</script><h1>Soups</h1><p>Leek &amp; bean</p></body></html>"
    ingest(services, NewDocument("menu.html", html, path="menu.html"))
    held = services.mirrors.of(W).document("menu.html")
    assert (held.document.title, held.sections[0].name, held.chunks[0].text) == ("Menu", "Soups", "Leek & bean")
    assert "script" not in episodes(services)[0].content


@pytest.mark.parametrize("id", ["", "  ", "a\0b"])
def test_an_id_that_cannot_be_used_is_refused_before_anything_is_in(services, id):
    with pytest.raises(BadInput, match="id: "):
        ingest_documents(services.workspace(W), [NewDocument("fine", "text"), NewDocument(id, "text")])
    assert services.mirrors.of(W).documents() == ()


def test_what_no_database_takes_is_left_out_of_titles_and_texts(services):
    ingest(services, NewDocument("odd", "half \ud800 of a\0 character", title="a\0 title \udfff", thread="t\0"))
    held = services.mirrors.of(W).document("odd")
    assert (held.document.title, held.document.thread) == ("a title ?", "t")
    assert held.chunks[0].text == "half ? of a character"


def test_a_document_that_cannot_be_read_is_told_and_the_others_go_in(services):
    deep = "<html>" + "<div>" * 2_000 + "x" + "</div>" * 2_000 + "</html>"
    done = ingest(services, NewDocument("deep", deep, format="html"), NewDocument("fine", "text"))
    assert done.new == 1
    ((id, problem),) = done.problems
    assert id == "deep"
    assert problem


def test_a_message_that_moves_to_another_thread_comes_last_there(services):
    ingest(services, *(NewDocument(f"m{n}", f"message {n}", thread="t") for n in range(2)))
    ingest(services, NewDocument("m0", "message 0", thread="u"), NewDocument("m5", "message 5", thread="u"))
    found = services.mirrors.of(W).documents_by_id(["m0", "m5"])
    assert [found[id].position for id in ("m0", "m5")] == [0, 1]


def test_a_changed_chunk_is_linked_by_what_it_says_now(services):
    ingest(
        services, NewDocument("a", "The canteen serves leek soup."), NewDocument("b", "The canteen serves leek soups.")
    )
    link_chunks(services.workspace(W))
    ingest_documents(services.workspace(W), [NewDocument("a", "Books are lent by the library.")])
    assert link_chunks(services.workspace(W), {"a:chunk:0"}) == 0
    assert services.mirrors.of(W).similar_chunks() == ()
    assert services.bridge.run(services.graph.documents.similar(W)) == ()


def test_an_empty_text_is_a_document_without_chunks(services):
    done = ingest(services, NewDocument("empty", "\n \n"))
    assert (done.new, services.mirrors.of(W).document("empty").chunks) == (1, ())


def test_stopped_between_batches_what_is_in_is_whole_and_the_rest_goes_in_later(services, monkeypatch):
    monkeypatch.setattr(documents, "BATCH", 2)
    stop, many = threading.Event(), [NewDocument(f"d{n}", f"text {n}") for n in range(5)]
    with pytest.raises(Cancelled):
        ingest_documents(
            services.workspace(W), many, cancel=stop, progress=lambda done, _: stop.set() if done >= 2 else None
        )
    assert len(services.mirrors.of(W).documents()) == 2
    done = ingest_documents(services.workspace(W), many)
    assert (done.new, done.unchanged) == (3, 2)


def test_another_process_sees_the_documents_after_its_next_look(services, tmp_path, graph):
    from tests.services.retrieval.conftest import open_services

    other = open_services(tmp_path / "other", graph)
    assert other.mirrors.of(W).documents() == ()
    ingest(services, resume())
    other.mirrors.sync(W)
    assert other.mirrors.of(W).document("ann") == services.mirrors.of(W).document("ann")
    services.bridge.run(delete(services.graph, W, documents=["ann"]))
    other.mirrors.sync(W)
    assert other.mirrors.of(W).document("ann") is None
    other.close()


def test_chunks_that_mean_the_same_are_linked(services):
    ingest(
        services,
        NewDocument("a", "The canteen serves leek soup."),
        NewDocument("b", "Books are lent."),
        NewDocument("c", "The canteen serves leek soups."),
    )
    assert link_chunks(services.workspace(W), [f"{id}:chunk:0" for id in "abc"]) == 1
    (link,) = services.mirrors.of(W).similar_chunks()
    assert (link.first, link.second, link.similarity > 0.9) == ("a:chunk:0", "c:chunk:0", True)
    assert services.bridge.run(services.graph.documents.similar(W)) == (link,)


def test_sections_of_different_documents_on_the_same_thing_are_of_one_type(services):
    texts = {"a": "# A\n\n## Skills\n\nx\n", "b": "# B\n\n## The skills\n\ny\n", "c": "# C\n\n## Skills\n\nz\n"}
    ingest(services, *(NewDocument(id, text, format="markdown") for id, text in texts.items()))
    (skills,) = rebuild_section_types(services.workspace(W))
    assert (skills.id, skills.canonical_name, skills.member_count) == ("section_type:skills", "Skills", 3)
    assert skills.common_variants == ("Skills", "The skills")
    (again,) = rebuild_section_types(services.workspace(W))
    assert again == skills
    assert services.bridge.run(services.graph.documents.section_types(W))[0].section_ids == skills.section_ids


def test_a_text_that_nobody_named_is_called_by_its_first_words(services):
    text = "Ada Lovelace   moved to Lisbon.\nShe likes it."
    ingest(services, NewDocument(text_id(text), text), NewDocument("note", "A named one."))
    assert {d.id: d.title for d in services.mirrors.of(W).documents()} == {
        text_id(text): "Ada Lovelace moved to Lisbon.",
        "note": "",
    }
    assert {e.name for e in episodes(services)} == {"Ada Lovelace moved to Lisbon.", "note"}


def test_the_first_words_that_name_a_text_are_few_and_no_marks(services):
    text = "## " + "many words " * 20 + "\ud800"
    ingest(services, NewDocument(text_id(text), text))
    (held,) = services.mirrors.of(W).documents()
    assert held.title.startswith("many words many")
    assert len(held.title) == 60
