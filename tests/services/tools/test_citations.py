"""What the numbers of an answer stand for, and where the source says it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.answer_records import Evidence, Sentence
from services.core.config import Settings
from services.core.models import Chunk, Episode, Fact, GraphWrite, Instants
from services.tools.citations import citations, span_of
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

W = "_"
NOW = datetime(2024, 1, 1, tzinfo=UTC)
AT = (Instants(NOW, NOW),)
HEADER = "Header of PEP 1, committed 2000-07-13\n\nStatus: Active\nType: Process\nAuthor: Barry Warsaw, Jeremy Hylton"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[App]:
    services = build_services(Settings(home=with_tables(tmp_path), _env_file=None), graph=MemoryGraphStore())
    yield services
    services.close()


def fact(relation: str, target: str, text: str = "", episodes: tuple[str, ...] = ("e",)) -> Fact:
    return Fact("f", "s", "t", "PEP 1", relation, target, text, valid_at=NOW, episodes=episodes)


@pytest.mark.parametrize(
    ("relation", "target", "said"),
    [
        ("HAS_STATUS", "Active", "Status: Active"),
        ("HAS_TYPE", "Process", "Type: Process"),
        ("AUTHORED_BY", "Jeremy Hylton", "Author: Barry Warsaw, Jeremy Hylton"),
    ],
)
def test_the_line_that_says_a_fact_is_quoted(relation: str, target: str, said: str) -> None:
    start, end = span_of(fact(relation, target), HEADER)
    assert HEADER[start:end] == said


def test_a_facts_own_words_are_quoted_where_they_stand_in_the_source() -> None:
    content = "Monday. Ada left Engines in July, she said. Then lunch."
    start, end = span_of(fact("LEFT", "Engines", "Ada left Engines in July"), content)
    assert content[start:end] == "Ada left Engines in July"


def test_of_a_long_line_the_sentence_is_quoted() -> None:
    content = "It rained. " * 30 + "PEP 1 was made Active by Guido. " + "It rained. " * 30
    start, end = span_of(fact("HAS_STATUS", "Active"), content)
    assert content[start:end].strip() == "PEP 1 was made Active by Guido."


def test_a_cited_fact_comes_with_its_episode_and_what_is_not_cited_is_left_out(services: App) -> None:
    services.mirrors.of(W)
    services.mirrors.written(W, GraphWrite(episodes=(Episode("e", "Header", HEADER),)))
    known = [
        Evidence(1, "fact", "f", AT, "PEP 1 is Active", fact=fact("HAS_STATUS", "Active")),
        Evidence(2, "fact", "g", AT, "another", fact=fact("HAS_TYPE", "Process")),
    ]
    (found,) = citations(services.mirrors.of(W), known, [Sentence("PEP 1 is Active.", (1, 9))])
    assert (found.n, found.id, found.episode_id, found.quote) == (1, "f", "e", "Status: Active")
    assert HEADER[found.start : found.end] == "Status: Active"


def test_a_fact_without_a_source_is_quoted_by_its_own_words(services: App) -> None:
    known = Evidence(1, "fact", "f", AT, "PEP 1 is Active", fact=fact("HAS_STATUS", "Active", episodes=()))
    (found,) = citations(services.mirrors.of(W), [known], [Sentence("PEP 1 is Active.", (1,))])
    assert (found.episode_id, found.quote, found.start) == (None, "PEP 1 is Active", None)


def test_of_a_passage_the_sentence_is_quoted_that_the_answer_speaks_of(services: App) -> None:
    text = "Readability counts.\nBeautiful code is\nbetter than ugly code. Flat is better than nested."
    chunk = Chunk("c", "pep-20", "", 0, text, 1, 3)
    known = Evidence(1, "chunk", "c", AT, text, chunk=chunk)
    (found,) = citations(services.mirrors.of(W), [known], [Sentence("Ugly code is worse than beautiful code.", (1,))])
    assert found.quote == "Beautiful code is\nbetter than ugly code."
    assert found.document_id == "pep-20"
    assert text[found.start : found.end] == found.quote
