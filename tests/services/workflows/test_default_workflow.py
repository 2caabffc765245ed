"""The default workflow from a goal to a reviewed report, by rules and by a scripted model."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from services.agent.app import App
from services.documents.versions import NewDocument
from services.workflows import RunTrace
from services.workflows.goal_words import topic_of, wants_text
from tests.fakes.messages_server import MessagesServer, call, reply, say, status
from tests.services.retrieval.conftest import ingest
from tests.services.workflows.conftest import GOAL, MODEL, Run, finished, nodes_of, texts_sent, workflow

Scripted = Callable[..., tuple[App, MessagesServer]]
REPORT = "Ada works for Labs, since 2022-07-01. [1]"
FOUND = (reply(call("get_entity_history", entity_name="Ada")), say("Ada works for Labs, since 2022-07-01. [1]"))


def read(*intents: str, **more: Any) -> dict[str, Any]:
    """What the model reads of the goal."""
    return reply(call("IntentResult", intents=list(intents), **more))


def verdict(**given: str) -> dict[str, Any]:
    return reply(call("ReviewVerdict", **given))


def kinds(trace: RunTrace) -> list[str]:
    return [step.node for step in trace.steps if step.node not in ("report_fanout", "review_loop")]


def test_without_a_model_every_sentence_of_the_report_is_borne_out(run: Run) -> None:
    trace = run()
    assert (trace.run.state, trace.run.problem) == ("done", "")
    report = trace.report
    assert report is not None
    assert (report.title, report.made_by) == ("Ada", "rule-based")
    assert [section.heading for section in report.sections] == ["Ada", "2019", "2020", "2022"]
    assert report.count("supported") == 3
    assert report.count("uncited") == report.count("contradicted") == 0
    assert [citation.n for citation in report.answer.citations] == [1, 2, 3]
    assert nodes_of(trace) == [
        "triage",
        "should_search",
        "select_search",
        "search_neo4j",
        "report_fanout",
        "report_branch",
        "review_loop",
        "review",
        "review_loop",
        "stitch",
    ]
    state = trace.state
    assert state["triage"]["intents"] == ["ai_search", "news_script"]
    assert (state["selected_search"], state["database_id"]) == ("neo4j", None)
    assert state["verdicts"]["news"][0]["decision"] == "accept"
    assert state["final"]["news"] == state["drafts"]["news"] == state["report"]
    assert state["execution_trace"][:2] == ["triage#1", "should_search#1"]


def test_a_question_is_answered_and_reviewed_without_a_reporter(run: Run) -> None:
    trace = run(goal="Who does Ada work for?")
    assert trace.state["drafts"]["news"] == trace.state["latest"] == "- Ada works for Labs, since 2022-07-01. [1]"
    assert "review" in nodes_of(trace)


def test_passages_are_reported_under_their_document(run: Run) -> None:
    report = run(goal="Write an article about the brake test").report
    assert report is not None
    assert [section.heading for section in report.sections] == ["Safety manual"]
    assert report.count("supported") == 3


@pytest.mark.parametrize("topics", [["Cy", "Ada"], ["Ada", "Cy"], ["the brake test", "Ada"]])
def test_a_report_on_what_branches_found_keeps_their_order(run: Run, topics: list[str]) -> None:
    nodes = [
        {"id": "each", "type": "fanout", "inputs": {"topic": json.dumps(topics)}, "body": ["look"]},
        {
            "id": "look",
            "type": "agent",
            "agent": "Neo4jGraphRAGAgent",
            "inputs": {"goal": "topic"},
            "outputs": {"text": "drafts[topic]"},
        },
        {
            "id": "all",
            "type": "merge",
            "strategy": "concat",
            "inputs": {"items": "drafts"},
            "outputs": {"result": "latest"},
        },
        {
            "id": "write",
            "type": "agent",
            "agent": "NewsReporterAgent",
            "inputs": {"goal": "goal", "context": "latest"},
            "outputs": {"script": "report"},
        },
    ]
    report = run(workflow(nodes, "look -> all", "all -> write")).report
    assert report is not None
    headings = [section.heading for section in report.sections if section.level == 2]
    assert headings == ["Safety manual" if topic == "the brake test" else topic for topic in topics]


def test_a_footnote_of_a_document_is_no_citation_of_the_report(services: App, run: Run) -> None:
    text = "The lift alarm rings as its manual says [7]_ once the lift has stopped."
    ingest(services, NewDocument("lifts", text, "Lifts", "text"))
    report = run(goal="Write an article about the lift alarm").report
    assert report is not None
    (sentence,) = (one for one in report.answer.sentences if "lift alarm" in one.text)
    assert (sentence.mark, len(sentence.citations)) == ("supported", 1)
    assert 7 not in {citation.n for citation in report.answer.citations}
    assert sentence.text == "The lift alarm rings as its manual says once the lift has stopped."


def test_several_reporters_are_stitched_in_their_order(run: Run) -> None:
    text = run(goal="Write two reports on Labs").state["report"]
    first, second = text.split("\n\n---\n\n")
    assert first.startswith("### ReporterAgent=news\n## Labs")
    assert second.startswith("### ReporterAgent=brief\n")


def test_what_a_goal_is_about_is_read_from_it() -> None:
    assert topic_of("Please write me a short news report about PEP 484.") == "PEP 484"
    assert topic_of("Write three reports on PEP 649 by all reporters.") == "PEP 649"
    assert topic_of("Write two reports by both reporters on Ada") == "Ada"
    assert topic_of("Write a report on: Who wrote PEP 8? Who knows Ada?") == "Who wrote PEP 8? Who knows Ada?"
    assert topic_of("Report: Ada") == "Ada"
    assert topic_of("Who wrote PEP 8?") == "Who wrote PEP 8?"
    assert topic_of("Summarise the history of Ada") == "the history of Ada"
    assert wants_text("Draft an article on Ada")
    assert not wants_text("Since when does Ada report to Bob?")


# -- by a model


def test_a_script_that_is_accepted_at_once_is_the_report(scripted: Scripted) -> None:
    services, server = scripted(read("ai_search", "news_script"), *FOUND, say(REPORT), verdict(decision="accept"))
    trace = finished(services)
    assert (trace.run.state, trace.run.problem) == ("done", "")
    assert trace.state["report"] == REPORT
    report = trace.report
    assert report is not None
    assert (report.made_by, report.count("supported")) == (MODEL, 1)
    assert len(server.requests) == 5
    assert "[1]" in texts_sent(server.requests[3]), "the reporter is given the numbers of the run"
    assert trace.metrics.input_tokens > 0
    assert trace.metrics.by_node.keys() >= {"triage", "review"}


def test_a_verdict_may_bring_a_revised_script(scripted: Scripted) -> None:
    better = "Ada has worked for Labs since 2022-07-01. [1]"
    accepted = verdict(decision="Accept", revised_script=better)
    services, _ = scripted(read("ai_search", "news_script"), *FOUND, say(REPORT), accepted)
    assert finished(services).state["report"] == better


def test_notes_of_a_review_reach_the_reporter_word_for_word(scripted: Scripted) -> None:
    services, server = scripted(
        read("ai_search", "news_script"),
        *FOUND,
        say("A draft."),
        verdict(decision="revise", suggested_changes="Cite it."),
        say("A second draft."),
        verdict(reason="Still bad."),
        say(REPORT),
        verdict(decision="accept"),
    )
    trace = finished(services)
    assert trace.state["report"] == REPORT
    wanted = "Apply these review notes strictly:\nCite it.\n\nOriginal draft:\nA draft."
    assert wanted in texts_sent(server.requests[5])
    assert "Apply these review notes strictly:\nStill bad.\n\nOriginal draft:\nA second draft." in texts_sent(
        server.requests[7]
    )
    assert [one["decision"] for one in trace.state["verdicts"]["news"]] == ["revise", "revise", "accept"]
    assert kinds(trace).count("reporter_improve") == 2


def test_after_three_reviews_that_never_accept_the_last_script_says_so(scripted: Scripted) -> None:
    again = [step for n in range(3) for step in (verdict(decision="revise", reason="No."), say(f"Draft {n}. {REPORT}"))]
    services, server = scripted(read("ai_search", "news_script"), *FOUND, say("First."), *again)
    trace = finished(services)
    assert (trace.run.state, len(server.requests)) == ("done", 10)
    assert trace.state["report"] == f"[After 3 review passes]\nDraft 2. {REPORT}"
    assert kinds(trace).count("review") == 3
    report = trace.report
    assert report is not None
    assert report.answer.sentences[0].mark is None, "how often it was reviewed claims nothing"


def test_a_review_that_cannot_be_read_asks_for_a_revision(scripted: Scripted) -> None:
    unreadable = [say("I like it.")] * 3
    services, _ = scripted(
        read("ai_search", "news_script"), *FOUND, say("First."), *unreadable, say(REPORT), verdict(decision="accept")
    )
    trace = finished(services)
    assert trace.state["verdicts"]["news"][0]["decision"] == "revise"
    assert trace.state["verdicts"]["news"][0]["reason"] == "Asof could not read the review."
    assert trace.state["report"] == REPORT


def test_a_goal_that_cannot_be_read_is_unknown_and_leads_to_no_search(scripted: Scripted) -> None:
    services, server = scripted(*[say("Hm.")] * 3)
    trace = finished(services)
    assert trace.state["triage"]["intents"] == ["unknown"]
    assert trace.state["latest"] == trace.state["drafts"]["news"] == ""
    assert trace.state["report"] == "No action taken."
    assert len(server.requests) == 3
    assert "review" not in nodes_of(trace)


def test_a_script_without_a_search_is_told_that_there_is_no_content(scripted: Scripted) -> None:
    services, server = scripted(read("news_script"), say("Nothing."), verdict(decision="accept"))
    trace = finished(services)
    assert "No ai-search content" in texts_sent(server.requests[1])
    assert "select_search" not in nodes_of(trace)


def test_a_reporter_that_fails_is_left_out_of_what_the_others_wrote(scripted: Scripted) -> None:
    services, server = scripted(
        read("ai_search", "news_script", "multi"), *FOUND, multi_route_always=True, reporters="news,nobody.md"
    )
    server.add(say(REPORT), verdict(decision="accept"))
    trace = finished(services)
    assert (trace.run.state, trace.state["report"]) == ("done", REPORT)
    assert trace.state["error"]["message"] == "Asof cannot read the prompt of “nobody”."
    assert trace.metrics.failed == 1


def test_a_model_that_refuses_ends_the_run_with_its_reason_and_what_was_found(scripted: Scripted) -> None:
    services, _ = scripted(read("ai_search", "news_script"), *FOUND, status(401))
    trace = finished(services)
    assert trace.run.state == "failed"
    assert "The model's endpoint rejected the key." in trace.run.problem
    assert trace.state["latest"] == REPORT
    assert trace.report is not None
    assert trace.report.count("supported") == 1


def test_each_role_can_have_a_model_of_its_own(scripted: Scripted) -> None:
    services, server = scripted(
        read("ai_search", "news_script"),
        *FOUND,
        say(REPORT),
        verdict(decision="accept"),
        role_models="triage=small,review=large",
    )
    finished(services)
    assert [request["model"] for request in server.requests] == ["small", MODEL, MODEL, MODEL, "large"]


@pytest.mark.parametrize("goal", [GOAL])
def test_sql_is_searched_only_where_a_database_is_registered(scripted: Scripted, goal: str) -> None:
    services, _ = scripted(
        read("ai_search", "sql", preferred_agent="sql", database_id="sales"),
        *FOUND,
        verdict(decision="accept"),
        use_graph_search=False,
    )
    trace = finished(services, goal=goal)
    assert trace.state["selected_search"] == "azure_search"
    assert trace.state["database_id"] is None
    assert "search_aisearch" in nodes_of(trace)
