"""The queue: everything is done once and in order, whatever fails, stops, or goes away meanwhile."""

from datetime import timedelta

import pytest

from services.agent.app import App
from services.core import clock
from services.core.errors import BadInput, ExtractorUnavailable, GraphUnavailable, WriteFailed
from services.core.job_records import ItemEnd, JobItem
from services.jobs.processor import JobContext
from services.jobs.queue import Jobs
from tests.fakes.jobs import Action, Gate, ScriptedProcessor, texts, working

LONG = 20.0
W = "team"


def states(jobs: Jobs, job_id: str) -> str:
    """The first letters of the items' states: q(ueued), r(unning), d(one), f(ailed), c(ancelled)."""
    return "".join(item.state[0] for item in jobs.store.items(job_id))


def failing(problem: Exception) -> Action:
    def action(item: JobItem, context: JobContext) -> None:
        raise problem

    return action


def in_review(item: JobItem, context: JobContext) -> None:
    context.end(ItemEnd(item.id, "review"))


def test_jobs_are_done_in_the_order_of_their_creation_and_items_in_batches(services: App) -> None:
    processor = ScriptedProcessor(at_once=2)
    with working(services, processor) as jobs:
        first = jobs.store.add(W, "documents", "First", texts("abc"))
        second = jobs.store.add(W, "documents", "Second", texts("xy"))
        jobs.start()
        done = jobs.wait(second, LONG)
        assert processor.batches == ["ab", "c", "xy"]
        assert (done.state, done.counts, jobs.wait(first, LONG).state) == ("done", {"done": 2}, "done")
        assert done.finished_at is not None
        assert [item.result for item in jobs.store.items(second)] == [{"key": "x"}, {"key": "y"}]


def test_an_item_that_fails_says_why_and_the_others_of_its_batch_are_done(services: App) -> None:
    processor = ScriptedProcessor(at_once=4)
    processor.actions["b"] = failing(BadInput("It is encrypted.", "Give it without a password."))
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("abcd"))
        assert jobs.wait(job_id, LONG).counts == {"done": 3, "failed": 1}
        failed = jobs.store.items(job_id, ["failed"])[0]
        assert (failed.key, failed.problem, failed.hint) == ("b", "It is encrypted.", "Give it without a password.")
        assert processor.batches == ["abcd", "b", "c", "d"]


def test_a_fault_nobody_foresaw_fails_its_item_without_its_details(services: App) -> None:
    processor = ScriptedProcessor(at_once=1)
    processor.actions["a"] = failing(ZeroDivisionError("secret"))
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("ab"))
        assert jobs.wait(job_id, LONG).counts == {"done": 1, "failed": 1}
        assert "secret" not in jobs.store.items(job_id)[0].problem


def test_an_item_that_a_processor_passes_over_fails_instead_of_being_tried_for_ever(services: App) -> None:
    processor = ScriptedProcessor(at_once=3)
    processor.actions["b"] = lambda item, context: None
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("abc"))
        assert jobs.wait(job_id, LONG).counts == {"done": 2, "failed": 1}
        assert processor.batches == ["abc", "b"]


def test_a_failed_item_is_done_when_it_is_retried(services: App) -> None:
    processor = ScriptedProcessor()
    processor.actions["b"] = failing(BadInput("No.", ""))
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("ab"))
        jobs.wait(job_id, LONG)
        (failed,) = jobs.store.items(job_id, ["failed"])
        del processor.actions["b"]
        jobs.retry(failed.id)
        assert jobs.wait(job_id, LONG).counts == {"done": 2}
        kept = jobs.store.item(failed.id)
        assert kept is not None
        assert (kept.attempts, kept.problem) == (2, "")
        with pytest.raises(BadInput, match="failed or cancelled"):
            jobs.retry(failed.id)


@pytest.mark.parametrize("outage", [GraphUnavailable("It is not responding."), WriteFailed("The import failed.")])
def test_while_the_graph_is_away_the_job_waits_and_nothing_fails(services: App, outage: Exception) -> None:
    processor, times = ScriptedProcessor(at_once=2), []
    outage.__cause__ = None if isinstance(outage, GraphUnavailable) else GraphUnavailable("It is not responding.")

    def away(item: JobItem, context: JobContext) -> None:
        times.append(item.key)
        if len(times) == 1:
            raise outage
        context.end(ItemEnd(item.id, "done"))

    processor.actions["a"] = away
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("ab"))
        seen = set()
        while (job := jobs.wait(job_id, 0.05)).state == "running":
            seen.add(job.step)
        assert job.counts == {"done": 2}
        assert processor.batches == ["ab", "ab"]
        assert any("is not responding" in step for step in seen)


def test_where_no_text_can_be_read_the_job_pauses_after_the_first_item(services: App) -> None:
    processor = ScriptedProcessor(at_once=2)
    processor.actions["a"] = failing(ExtractorUnavailable("The key is wrong.", "Look at ANTHROPIC_API_KEY."))
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("abcd"))
        assert jobs.wait(job_id, LONG).state == "paused"
        assert states(jobs, job_id) == "fqqq"
        jobs.resume(job_id)
        assert jobs.wait(job_id, LONG).counts == {"failed": 1, "done": 3}


def test_a_job_that_nobody_can_do_says_so_and_keeps_no_other_one_waiting(services: App) -> None:
    good = ScriptedProcessor()

    def processors(job: object) -> ScriptedProcessor:
        if job.title == "Bad":  # type: ignore[attr-defined]
            raise BadInput("There is no model “x”.", "Choose another.")
        return good

    jobs = Jobs(services, processors)
    bad, fine = jobs.store.add(W, "documents", "Bad", texts("ab")), jobs.store.add(W, "documents", "Fine", texts("x"))
    jobs.start()
    assert jobs.wait(fine, LONG).state == "done"
    assert jobs.wait(bad, LONG).state == "paused"
    assert jobs.store.items(bad)[0].problem == "There is no model “x”."
    jobs.close()


def test_pausing_puts_down_what_is_under_way_and_resuming_does_it_again(services: App) -> None:
    processor, gate = ScriptedProcessor(at_once=2), Gate()
    processor.actions["b"] = gate
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("abc"))
        assert gate.reached.wait(LONG)
        job = jobs.get(job_id)
        assert job is not None
        assert job.step == "reading text b"
        jobs.pause(job_id)
        other = jobs.store.add(W, "documents", "Other", texts("x"))
        jobs.wait(other, LONG)
        assert states(jobs, job_id) == "dqq"
        gate.open.set()
        jobs.resume(job_id)
        assert jobs.wait(job_id, LONG).counts == {"done": 3}


def test_cancelling_leaves_what_is_done_and_cancels_the_rest(services: App) -> None:
    processor, gate = ScriptedProcessor(at_once=2), Gate()
    processor.actions["b"] = gate
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("abc"))
        assert gate.reached.wait(LONG)
        jobs.cancel(job_id)
        jobs.wait(jobs.store.add(W, "documents", "Other", texts("x")), LONG)
        assert states(jobs, job_id) == "dcc"
        gate.open.set()
        jobs.retry(jobs.store.items(job_id)[1].id)
        assert jobs.wait(job_id, LONG).counts == {"done": 2, "cancelled": 1}


def test_a_process_that_closes_leaves_its_items_to_the_next_one(services: App) -> None:
    processor, gate = ScriptedProcessor(at_once=3), Gate()
    processor.actions["b"] = gate
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("abc"))
        assert gate.reached.wait(LONG)
    assert states(jobs, job_id) == "dqq"
    gate.open.set()
    with working(services, processor) as again:
        again.start()
        assert again.wait(job_id, LONG).counts == {"done": 3}


def test_two_processes_never_work_on_one_workspace_at_once(services: App) -> None:
    processor = ScriptedProcessor()
    with working(services, processor) as one, working(services, processor) as other:
        one.start()
        other.start()
        ids = [jobs.store.add(W, "documents", "Texts", texts("abcdefgh")) for jobs in (one, other, one, other)]
        assert all(other.wait(job_id, LONG).counts == {"done": 8} for job_id in ids)
        assert len(processor.batches) == 32
        assert processor.most_at_work == 1


def test_another_process_hears_of_a_pause(services: App) -> None:
    processor, gate = ScriptedProcessor(), Gate()
    processor.actions["a"] = gate
    with working(services, processor) as worker, working(services, processor) as page:
        worker.start()
        job_id = page.store.add(W, "documents", "Texts", texts("ab"))
        assert gate.reached.wait(LONG)
        page.pause(job_id)
        while states(page, job_id) != "qq":
            page.wait(job_id, 0.05)
        gate.open.set()
        page.resume(job_id)
        assert page.wait(job_id, LONG).counts == {"done": 2}


def test_a_processor_can_add_items_while_it_works_and_the_same_key_counts_once(services: App) -> None:
    processor = ScriptedProcessor()

    def more(item: JobItem, context: JobContext) -> None:
        context.add(texts("abx"))
        context.end(ItemEnd(item.id, "done"))

    processor.actions["b"] = more
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "crawl", "A site", texts("ab"))
        assert jobs.wait(job_id, LONG).counts == {"done": 3}
        assert processor.batches == ["a", "b", "x"]


def test_what_cannot_name_a_workspace_gets_no_job(services: App) -> None:
    with working(services, ScriptedProcessor()) as jobs, pytest.raises(BadInput):
        jobs.store.add("a\0b", "documents", "Texts", texts("a"))


def test_the_only_item_of_a_job_that_could_not_be_read_is_done_when_it_is_retried(services: App) -> None:
    processor = ScriptedProcessor()
    processor.actions["a"] = failing(ExtractorUnavailable("The key is wrong.", "Look at ANTHROPIC_API_KEY."))
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("a"))
        ended = jobs.wait(job_id, LONG)
        assert (ended.state, ended.counts) == ("done", {"failed": 1})
        del processor.actions["a"]
        jobs.retry(jobs.store.items(job_id)[0].id)
        assert jobs.wait(job_id, LONG).counts == {"done": 1}


def test_the_time_left_is_guessed_from_the_pace_since_the_job_was_last_taken_up(services: App) -> None:
    processor, first, second = ScriptedProcessor(at_once=1), Gate(), Gate()
    processor.actions |= {"b": first, "d": second}
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("abcd"))
        assert first.reached.wait(LONG)
        jobs.pause(job_id)
        paused = jobs.wait(job_id, LONG)
        assert paused.seconds_left(clock.now()) is None
        del processor.actions["b"]
        jobs.resume(job_id)
        assert second.reached.wait(LONG)
        job = jobs.get(job_id)
        assert job is not None
        assert job.begun is not None
        assert job.begun[1] == 1
        assert job.seconds_left(job.begun[0] + timedelta(seconds=10)) == pytest.approx(5.0)
        second.open.set()
        assert jobs.wait(job_id, LONG).counts == {"done": 4}


def test_what_is_discarded_while_a_job_runs_still_counts_for_its_pace(services: App) -> None:
    processor, gate = ScriptedProcessor(at_once=1), Gate()
    processor.actions |= {"a": in_review, "b": gate}
    with working(services, processor) as jobs:
        jobs.start()
        job_id = jobs.store.add(W, "documents", "Texts", texts("abcd"))
        assert gate.reached.wait(LONG)
        services.accounts.jobs.end([ItemEnd(jobs.store.items(job_id, ["review"])[0].id, "cancelled")])
        job = jobs.get(job_id)
        assert job is not None
        assert job.begun is not None
        assert job.seconds_left(job.begun[0] + timedelta(seconds=10)) == pytest.approx(30.0)
        gate.open.set()
        assert jobs.wait(job_id, LONG).counts == {"done": 3, "cancelled": 1}
