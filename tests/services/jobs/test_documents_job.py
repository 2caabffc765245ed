"""Texts become documents, and the facts in them are written at once."""

import threading
from dataclasses import replace

from services.core import clock
from services.core.draft_records import Ending
from services.documents.pasted_conversations import messages_of
from services.jobs.documents_job import DocumentsProcessor, confirm, discard, file_item, reviewed, text_item
from services.proposals.graph_snapshot import snapshot_for
from services.proposals.revising import with_ticks
from services.writing.change_sets import change_sets
from services.writing.undoing import undo
from tests.services.jobs.feeding import LONG, episodes, extractor, facts, fed, jobs, note
from tests.services.retrieval.conftest import W, graph, services

__all__ = ["extractor", "graph", "jobs", "services"]


def test_texts_go_in_together_by_one_change_set(services, jobs):
    job, items = fed(jobs, note("One.", "a"), note("Two.", "b", title="Second"))
    assert (job.state, [item.state for item in items]) == ("done", ["done", "done"])
    assert [item.result["document"] for item in items] == ["new", "new"]
    (change,) = change_sets(services.workspace(W))
    assert {item.change_set_id for item in items} == {change.id}
    assert (set(change.origin.document_ids), change.origin.job_id) == ({"a", "b"}, job.id)
    assert {d.id for d in services.mirrors.of(W).documents()} == {"a", "b"}


def test_a_text_that_is_in_already_is_done_at_once(services, jobs):
    fed(jobs, note("One.", "a"))
    _, (item,) = fed(jobs, note("One.", "a"))
    assert (item.state, item.result["document"], item.change_set_id) == ("done", "unchanged", None)
    _, (item,) = fed(jobs, note("One, changed.", "a"))
    assert item.result["document"] == "changed"


def test_two_versions_in_one_job_are_both_kept(services, jobs):
    job, _ = fed(jobs, note("One.", "a"), replace(note("Two.", "a"), key="again"))
    assert job.counts == {"done": 2}
    assert {e.content for e in episodes(services)} == {"One.", "Two."}
    assert services.mirrors.of(W).document("a").chunks[0].text == "Two."


def test_what_cannot_be_read_says_why_and_the_others_go_in(services, jobs):
    _, (good, empty, gone) = fed(jobs, note("One.", "a"), note("  \n ", "b"), file_item("x.md", "no such digest"))
    assert [item.state for item in (good, empty, gone)] == ["done", "failed", "failed"]
    assert empty.problem == "This document contains no text."
    assert gone.hint == "Upload the file again."


def test_a_file_is_read_with_its_name_as_its_path(services, jobs):
    digest = services.accounts.uploads.put(b"# Ann Lee\n\nA cook.\n")
    _, (item,) = fed(jobs, file_item("notes/ann.md", digest))
    assert item.state == "done"
    document = services.mirrors.of(W).document("notes/ann.md").document
    assert (document.format, document.path, document.directory) == ("markdown", "notes/ann.md", "notes")


def test_attachments_of_a_message_become_items_of_their_own(services, jobs):
    mail = (
        b"From: a@x.example\r\nTo: b@x.example\r\nSubject: Trip\r\nDate: Sun, 1 Mar 2026 10:22:00 +0000\r\n"
        b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\nWe go to Rome.\r\n"
        b"--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=plan.txt\r\n\r\n"
        b"Day one.\r\n--b--\r\n"
    )
    job, items = fed(jobs, file_item("trip.eml", services.accounts.uploads.put(mail)))
    assert [item.state for item in items] == ["done", "done"]
    assert {d.title for d in services.mirrors.of(W).documents()} >= {"Trip"}
    assert any("Day one." in e.content for e in episodes(services))
    assert job.counts == {"done": 2}


def test_tags_of_a_text_and_of_its_job_are_kept_with_the_document(services, jobs):
    fed(jobs, note("One.", "a", tags=["mail"]), note("Two.", "b"), tags=["2026", "mail"])
    assert services.mirrors.of(W).document("a").document.tags == ("mail", "2026")
    assert services.mirrors.of(W).document("b").document.tags == ("2026", "mail")
    held = services.bridge.run(services.graph.documents.all_documents(W))
    assert [document.tags for document in held] == [("mail", "2026"), ("2026", "mail")]


def test_written_at_once_is_what_is_pre_ticked_and_the_rest_waits(services, jobs, extractor):
    text = "Ann | KNOWS | Bob | 2020\nAnn | KNOWS | Eve | 2020 || 0.6\nAnn | KNOWS | Sue | 2020 || 0.3"
    _, (item,) = fed(jobs, note(text, "a"), extract="rules", write_at_once=True)
    assert [f.target for f in facts(services).values()] == ["Bob"]
    assert (item.state, item.result["added"], item.result["held"], item.result["drafts"]) == ("review", 1, 1, 3)
    _, _, left = reviewed(services, item.id)
    assert [f.draft.target for f in left.facts] == ["Eve"]
    confirm(services, item.id, with_ticks(left, snapshot_for(services.workspace(W), left), {"1": True}))
    assert {f.target for f in facts(services).values()} == {"Bob", "Eve"}
    assert jobs.store.item(item.id).result["added"] == 2
    assert len({f.episodes for f in facts(services).values()}) == 1


def test_what_was_written_stays_when_the_rest_is_discarded(services, jobs, extractor):
    text = "Ann | KNOWS | Bob | 2020\nAnn | KNOWS | Eve | 2020 || 0.6"
    _, (item,) = fed(jobs, note(text, "a"), extract="rules", write_at_once=True)
    discard(services, item.id)
    assert (jobs.store.item(item.id).state, len(facts(services))) == ("done", 1)


def test_a_move_ends_the_home_before_and_the_episode_is_the_reason(services, jobs, extractor):
    fed(jobs, note("Ann | LIVES_IN | Rome | 2010", "a"), extract="rules", write_at_once=True)
    _, (item,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "b"), extract="rules", write_at_once=True)
    found = {fact.target: fact for fact in facts(services).values()}
    rome = found["Rome"]
    assert (item.result["added"], item.result["ended"]) == (1, 1)
    assert (rome.invalid_at, rome.believed_invalid_at) == (clock.parse_instant("2020"), None)
    assert rome.expired_at is not None
    assert rome.ended_by == found["Paris"].episodes[0]
    assert len(rome.episodes) == 1


def test_wild_endings_of_an_extractor_change_nothing(services, jobs, extractor):
    text = "\n".join(f"Ann | KNOWS | Friend {n} | 20{n:02}" for n in range(10, 20))
    fed(jobs, note(text, "a"), extract="rules", write_at_once=True)
    before = facts(services)
    extractor.endings = tuple(Ending(f.uuid, clock.parse_instant("2029"), 0) for f in before.values())
    _, (item,) = fed(jobs, note("Bob | KNOWS | Eve | 2020", "b"), extract="rules", write_at_once=True)
    after = facts(services)
    assert {text: after[text] for text in before} == before
    _, _, left = reviewed(services, item.id)
    assert [ending.ticked for ending in left.endings] == [False] * 10
    confirm(
        services,
        item.id,
        with_ticks(left, snapshot_for(services.workspace(W), left), {left.endings[0].fact.uuid: True}),
    )
    assert [f.invalid_at is not None for f in facts(services).values()].count(True) == 1


def test_what_a_text_did_can_be_undone(services, jobs, extractor):
    fed(jobs, note("Ann | LIVES_IN | Rome | 2010", "a"), extract="rules", write_at_once=True)
    before = facts(services), episodes(services)
    _, (item,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "b"), extract="rules", write_at_once=True)
    assert undo(services.workspace(W), item.change_set_id).left == ()
    assert (facts(services), episodes(services)) == before
    assert {d.id for d in services.mirrors.of(W).documents()} == {"a"}


def test_a_text_that_was_read_before_is_not_read_again_unless_asked(services, jobs, extractor):
    text = note("Ann | KNOWS | Bob | 2020", "a")
    fed(jobs, text, extract="rules", write_at_once=True)
    _, (item,) = fed(jobs, text, extract="rules", write_at_once=True)
    assert (item.state, item.result["document"], len(extractor.asked)) == ("done", "unchanged", 1)
    _, (item,) = fed(jobs, text, extract="rules", write_at_once=True, again=True)
    assert (item.state, len(extractor.asked), len(facts(services))) == ("done", 2, 1)


def test_a_text_without_facts_is_read_once_by_each_reader(services, jobs, extractor):
    text = note("Nothing is stated here.", "a")
    for times, options in ((1, {}), (1, {}), (2, {"schema": {"types": [], "relations": []}}), (3, {"again": True})):
        _, (item,) = fed(jobs, text, extract="rules", write_at_once=True, **options)
        assert (item.state, len(extractor.asked)) == ("done", times)
    fed(jobs, text, extract="big", write_at_once=True)
    assert len(extractor.asked) == 4
    fed(jobs, note("Nothing is stated here, either.", "a"), extract="rules", write_at_once=True)
    assert len(extractor.asked) == 5


def test_further_tags_of_a_text_that_is_in_are_added_and_no_tag_is_lost(services, jobs, extractor):
    text = note("Ann | KNOWS | Bob | 2020", "a", tags=["mail"])
    fed(jobs, text, extract="rules", write_at_once=True)
    _, (item,) = fed(jobs, text, extract="rules", write_at_once=True, tags=["2026"])
    assert (item.result["document"], len(extractor.asked)) == ("unchanged", 1)
    assert services.mirrors.of(W).document("a").document.tags == ("mail", "2026")
    assert undo(services.workspace(W), item.change_set_id).left == ()
    assert services.mirrors.of(W).document("a").document.tags == ("mail",)
    fed(jobs, note("Another version.", "a", tags=["new"]))
    assert services.mirrors.of(W).document("a").document.tags == ("mail", "new")


def test_a_text_that_went_in_without_its_facts_is_read_when_they_are_asked_for(services, jobs, extractor):
    text = note("Ann | KNOWS | Bob | 2020", "a")
    fed(jobs, text)
    _, (item,) = fed(jobs, text, extract="rules", write_at_once=True)
    (fact,) = facts(services).values()
    (episode,) = episodes(services)
    assert (item.result["document"], fact.episodes) == ("unchanged", (episode.uuid,))
    assert set(episode.entity_uuids) == {fact.source_uuid, fact.target_uuid}


def test_one_failing_text_is_listed_and_its_retry_brings_it_in(services, jobs, extractor):
    extractor.name, extractor.tokens, extractor.failing = "big", (100, 10), {"Bob"}
    items = [note(f"{name} | KNOWS | Eve | 2020", name) for name in ("Ann", "Bob", "Sue")]
    job, found = fed(jobs, *items, extract="big", write_at_once=True)
    assert [item.state for item in found] == ["done", "failed", "done"]
    assert (found[1].problem, found[1].hint) == ("The model gave no answer.", "Try again.")
    assert (job.input_tokens, job.output_tokens) == (300, 30)
    extractor.failing = set()
    jobs.retry(found[1].id)
    assert jobs.wait(job.id, LONG).counts == {"done": 3}
    assert len(facts(services)) == 3


def test_messages_know_what_was_said_before(services, jobs, extractor):
    extractor.name = "big"
    chat = messages_of("\n".join(f"Ann: line {n}" for n in range(9)), thread="t")
    items = [text_item(m.text, id=m.id, thread=m.thread, title=m.title) for m in chat]
    fed(jobs, *items[:4], extract="big", write_at_once=True)
    fed(jobs, *items[4:], extract="big")
    assert [len(source.before) for source in extractor.asked] == [0, 1, 2, 3, 4, 5, 6, 6, 6]
    assert extractor.asked[-1].before == tuple(f"Ann: line {n}" for n in range(2, 8))


def test_a_message_that_is_tried_again_knows_only_what_was_said_before_it(services, jobs, extractor):
    extractor.failing = {"line 1"}
    chat = messages_of("\n".join(f"Ann: line {n}" for n in range(4)), thread="t")
    _, items = fed(jobs, *(text_item(m.text, id=m.id, thread="t") for m in chat), extract="rules", write_at_once=True)
    extractor.failing = set()
    jobs.retry(items[1].id)
    jobs.wait(items[1].job_id, LONG)
    assert extractor.asked[-1].before == ("Ann: line 0",)


def test_what_was_read_between_two_messages_keeps_neither_from_being_read(services, jobs, extractor, caplog):
    lines = ("Ann: one", "Ann | KNOWS | Bob", "Bob | KNOWS | Eve", "Ann: four")
    items = [text_item(line, id=str(n), thread="t") for n, line in enumerate(lines)]
    fed(jobs, *items[1:3], extract="rules", write_at_once=True)
    fed(jobs, *items, extract="rules", write_at_once=True)
    assert caplog.records == []
    assert [(source.id, source.before) for source in extractor.asked[2:]] == [("0", ()), ("3", lines[:3])]


def test_rules_know_the_messages_of_their_own_batch(services, jobs, extractor):
    chat = messages_of("Ann: one\nBob: two\nAnn: three", thread="t")
    fed(jobs, *(text_item(m.text, id=m.id, thread="t") for m in chat), extract="rules")
    assert [source.before for source in extractor.asked] == [(), ("Ann: one",), ("Ann: one", "Bob: two")]


def test_a_stopped_job_leaves_its_items_queued(services, jobs, extractor):
    reached, go_on = threading.Event(), threading.Event()

    def meanwhile(source):
        reached.set()
        assert go_on.wait(LONG)

    extractor.name, extractor.meanwhile = "big", meanwhile
    id = jobs.store.add(
        W,
        "documents",
        "texts",
        [note("Ann | KNOWS | Bob | 2020", "a"), note("Sue | KNOWS | Bob", "b")],
        options={"extract": "big", "write_at_once": True},
    )
    assert reached.wait(LONG)
    jobs.pause(id)
    go_on.set()
    extractor.meanwhile = lambda source: None
    jobs.resume(id)
    assert jobs.wait(id, LONG).counts["done"] == 2
    assert len(facts(services)) == 2


def test_a_job_tells_how_much_of_a_text_is_read(services, jobs, extractor):
    seen = []
    extractor.meanwhile = lambda source: seen.append(jobs.of(W)[0])
    fed(jobs, note("One.", "a", title="First"), note("Two.", "b", title="Second"), extract="rules")
    assert [job.step for job in seen] == ["looking for facts in First", "looking for facts in Second"]
    assert [job.share for job in seen] == [0.25, 0.75]


def test_smaller_steps_where_more_is_at_stake():
    steps = [DocumentsProcessor(options).at_once for options in (None, {"extract": "rules"}, {"extract": "some-model"})]
    assert steps == [256, 16, 1]


def test_the_workspaces_own_schema_is_looked_for(services):
    services.accounts.schemas.set(W, {"types": [], "relations": []})
    assert services.accounts.schemas.get(W) == {"types": [], "relations": []}
    services.accounts.schemas.remove(W)
    assert services.accounts.schemas.get(W) is None


def test_a_text_without_a_time_is_read_without_one(services, jobs, extractor):
    fed(jobs, note("Ann | LIVES_IN | Paris", "a"), extract="rules")
    assert extractor.asked[0].reference_time is None
