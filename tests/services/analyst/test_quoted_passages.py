"""What documents say where the facts do not answer."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from services.agent.answerer import Answerer, AskRequest
from services.core import clock
from services.core.answer_documents import answer_document, read_answer
from services.core.answer_records import Answer, Asked
from services.documents.versions import NewDocument
from tests.services.analyst.conftest import HARBOUR, HARBOUR_TYPES, Graph, opened
from tests.services.retrieval.conftest import W, ingest

LOG = """The keeper wrote the log by hand.

Fog shut the lighthouse of Skarholm for nine days in the winter. The lamp burned colza oil until the
lens cracked [1] and a diver found the splinters. Nobody was hurt.
"""
MANUAL = "Ropes are spliced before each voyage.\n\nThe anchor weighs two tonnes."


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("quotes"), HARBOUR_TYPES, HARBOUR)
    ingest(
        graph.services,
        NewDocument("log", LOG, title="Log of Skarholm", reference_time=datetime(2015, 5, 1, tzinfo=UTC)),
        NewDocument("manual", MANUAL, title="Manual"),
        NewDocument("chronik", "Der Leuchtturm von Tormund wurde im Jahr 1911 aus Granit gebaut.", title="Chronik"),
    )
    yield graph
    graph.services.close()


def asked(graph: Graph, question: str, as_of: datetime | None = None, known_at: datetime | None = None) -> Answer:
    """The whole answer, checked, as every surface has it."""
    answerer = Answerer(graph.services.workspace(W))
    return answerer.answer(AskRequest(Asked(question, as_of, known_at))).answer


def quoted(answer: Answer) -> list[str]:
    return [one.text for one in answer.sentences if one.mark == "quoted"]


def test_a_declined_answer_quotes_what_documents_say_with_title_and_lines(graph: Graph) -> None:
    answer = asked(graph, "Why did the lens of Skarholm crack?")
    assert answer.declined
    assert "The lamp burned colza oil" in quoted(answer)[0]
    assert quoted(answer)[0].endswith("(Log of Skarholm, lines 1–4)")
    assert {one.kind for one in answer.citations} == {"chunk"}


def test_a_quote_stands_word_for_word_where_its_citation_says(graph: Graph) -> None:
    answer = asked(graph, "How long did fog shut the lighthouse?")
    cited = answer.citations[0]
    assert cited.quote == LOG.strip()[cited.start : cited.end]
    assert "for nine days" in cited.quote


def test_two_quotes_of_one_passage_have_citations_of_their_own(tmp_path: Path) -> None:
    graph = opened(tmp_path, HARBOUR_TYPES, HARBOUR)
    filler = " ".join(["Gulls nested on the breakwater, and nobody minded them at all."] * 12)
    text = f"The dredger Marlin cleared the basin of silt in spring.\n\n{filler}\n\nThe dredger Marlin sank in autumn."
    ingest(graph.services, NewDocument("dredger", text, title="Dredger"))
    try:
        answer = asked(graph, "Why was the dredger Marlin in the basin?")
        assert len(quoted(answer)) > 1
        assert len({one.id for one in answer.citations}) == 1
        lines = {one.n: " ".join(one.quote.split()) for one in answer.citations}
        for sentence in answer.sentences:
            assert all(f"“{lines[n]}”" in sentence.text for n in sentence.citations)
    finally:
        graph.services.close()


def test_a_number_in_brackets_of_a_document_is_no_citation(graph: Graph) -> None:
    answer = asked(graph, "What did a diver find?")
    assert "splinters" in quoted(answer)[0]
    assert "cracked [1]" not in answer.text


def test_what_a_named_document_says_is_its_text(graph: Graph) -> None:
    assert quoted(asked(graph, "What does the Manual say?")) == [
        "“Ropes are spliced before each voyage. The anchor weighs two tonnes.” (Manual, lines 1–3)"
    ]


@pytest.mark.parametrize("question", ["Why did Captain Nemo dive?", "How is bread baked?", "hello"])
def test_what_no_document_names_is_not_quoted(graph: Graph, question: str) -> None:
    answer = asked(graph, question)
    assert answer.declined
    assert quoted(answer) == []
    assert answer.citations == ()


def test_what_the_facts_answer_quotes_nothing(graph: Graph) -> None:
    answer = asked(graph, "Who owns Aurora?")
    assert not answer.declined
    assert quoted(answer) == []


def test_documents_that_were_recorded_later_are_not_quoted(graph: Graph) -> None:
    question, before = "Why did the lens of Skarholm crack?", clock.now() - timedelta(days=1)
    assert quoted(asked(graph, question, known_at=before)) == []
    assert quoted(asked(graph, f"{question[:-1]}, as known on {before:%Y-%m-%d}?")) == []


def test_documents_of_a_time_after_the_time_bar_are_not_quoted(graph: Graph) -> None:
    question = "Why did the lens of Skarholm crack?"
    assert quoted(asked(graph, question, as_of=datetime(2014, 1, 1, tzinfo=UTC))) == []
    assert quoted(asked(graph, question, as_of=datetime(2016, 1, 1, tzinfo=UTC)))


def test_an_answer_with_quotes_is_kept_and_read_again(graph: Graph) -> None:
    answer = asked(graph, "What did a diver find?")
    kept = read_answer(answer_document(answer))
    assert (kept.text, kept.sentences, kept.citations) == (answer.text, answer.sentences, answer.citations)
    assert [answer.text[one.start : one.end].startswith(one.text) for one in answer.sentences] == [
        True for _ in answer.sentences
    ]


def test_a_workspace_without_documents_quotes_nothing(tmp_path: Path) -> None:
    graph = opened(tmp_path, HARBOUR_TYPES, HARBOUR)
    try:
        assert quoted(graph.ask("What do the documents say about ropes?")) == []
    finally:
        graph.services.close()


def test_a_question_in_another_language_is_offered_passages_too(graph: Graph) -> None:
    answer = asked(graph, "Wann wurde der Leuchtturm von Tormund gebaut?")
    assert answer.text.startswith("This looks like German.")
    assert "Leuchtturm von Tormund" in quoted(answer)[0]
