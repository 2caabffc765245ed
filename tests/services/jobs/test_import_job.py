"""Fact tables by the queue: imported whole or not at all, with what came of them."""

from services.agent.app import App
from services.core.job_records import Job, JobItem
from services.jobs.import_job import import_item
from services.tables.mapping import TableMapping
from services.writing.change_sets import change_sets

LONG = 20.0
GOOD = b"source,relation,target,valid_at\nAda,WORKS_FOR,Labs,2019-03-01\nAda,KNOWS,Bob,\n"
BAD = b"source,relation,target,valid_at\nAda,WORKS_FOR,Labs,yesterday\nAda,KNOWS,Bob,\n"


def imported(services: App, content: bytes, **how: bool) -> tuple[Job, JobItem]:
    services.jobs.start()
    digest = services.accounts.uploads.put(content)
    job_id = services.accounts.jobs.add("team", "import", "facts.csv", [import_item("facts.csv", digest, **how)])
    job = services.jobs.wait(job_id, LONG)
    (item,) = services.accounts.jobs.items(job_id)
    return job, item


def facts(services: App) -> int:
    return services.bridge.run(services.graph.watermark("team")).counts.facts


def test_a_table_is_imported_and_the_item_says_what_it_did(services: App) -> None:
    job, item = imported(services, GOOD)
    assert (job.state, item.state, facts(services)) == ("done", "done", 2)
    assert item.result is not None
    assert item.result["created"] == {"entities": 3, "facts": 2, "episodes": 0}
    assert item.result["rows"]["new"] == 2


def test_a_table_with_a_bad_row_is_not_imported_and_the_item_says_which(services: App) -> None:
    job, item = imported(services, BAD)
    assert (job.state, item.state, facts(services)) == ("done", "failed", 0)
    assert "yesterday" in item.problem


def test_the_good_rows_alone_can_be_imported(services: App) -> None:
    _, item = imported(services, BAD, good_only=True)
    assert (item.state, facts(services)) == ("done", 1)
    assert item.result is not None
    assert [problem["row"] for problem in item.result["problems"]] == [1]


def test_a_write_and_its_items_end_are_one_change_set(services: App) -> None:
    job, item = imported(services, GOOD)
    (change,) = change_sets(services.workspace("team"))
    assert (change.id, change.origin.job_id, change.origin.item_id) == (item.change_set_id, job.id, item.id)
    assert services.accounts.jobs.changes([job.id])[job.id]["added"] == 2


def test_columns_that_are_named_otherwise_are_read_by_their_mapping(services: App) -> None:
    other = b"who,does,what\nAda,KNOWS,Bob\n"
    services.jobs.start()
    mapping = TableMapping({"who": "source", "does": "relation", "what": "target"})
    item = import_item("facts.csv", services.accounts.uploads.put(other), mapping=mapping)
    job_id = services.accounts.jobs.add("team", "import", "facts.csv", [item])
    assert services.jobs.wait(job_id, LONG).counts == {"done": 1}
    assert facts(services) == 1


def test_the_same_table_again_changes_nothing(services: App) -> None:
    imported(services, GOOD)
    _, item = imported(services, GOOD)
    assert item.result is not None
    assert (item.result["rows"]["unchanged"], facts(services)) == (2, 2)
