"""Which text a document had when: its own, by the sections that it had then, and under the name that it had then."""

from datetime import datetime

import pytest

from services.agent.app import App
from services.core.errors import BadInput
from services.core.models import GraphWrite
from services.documents.versions import NewDocument, as_version
from services.tools.document_tools import versions_of
from services.tools.tool import Context
from tests.services.retrieval.conftest import W, ingest
from tests.services.tools.conftest import Ask

FIRST = "# Plan\n\nBegin here.\n\n## End\n\nStop here.\n"
LATER = "# New plan\n\nBegin elsewhere.\n\n## Middle\n\nGo on.\n"


def put(services: App, *documents: NewDocument) -> str:
    """Take documents in; the instant at which they were, for `known_at`."""
    ingest(services, *documents)
    held = services.mirrors.of(W).document(documents[-1].id)
    assert held is not None
    assert held.document.updated_at is not None
    return held.document.updated_at.isoformat().removesuffix("+00:00")


def test_documents_of_one_title_keep_their_own_texts(ask_own: Ask, filled: App) -> None:
    put(filled, NewDocument("a", "The first of a.", "Doc", "text"), NewDocument("b", "The first of b.", "Doc", "text"))
    then = put(filled, NewDocument("b", "The second of b.", "Doc", "text"))
    put(filled, NewDocument("a", "The second of a.", "Doc", "text"))
    put(filled, NewDocument("b", "The third of b.", "Doc", "text"))
    assert len(ask_own("get_document_context", document="a").document["versions"]) == 2
    assert len(ask_own("get_document_context", document="b").document["versions"]) == 3
    assert ask_own("get_document_context", document="a", known_at=then).document["text"] == "The first of a."
    assert ask_own("get_document_context", document="b", known_at=then).document["text"] == "The second of b."


@pytest.mark.parametrize(
    "older",
    [
        NewDocument("p", FIRST, "Another title", "markdown", "docs/p.md", thread="letters"),
        NewDocument("p", FIRST, "New plan", "markdown", "docs/p.md", datetime(2020, 1, 1)),
        NewDocument("p", "Plan\n====\n\nBegin here.\n", "New plan", "rst", "docs/p.md", thread="letters"),
        NewDocument("p", FIRST, "New plan", "markdown", thread="letters"),
    ],
)
def test_a_version_is_known_by_what_it_said_whatever_was_changed(ask_own: Ask, filled: App, older: NewDocument) -> None:
    then = put(filled, older)
    put(filled, NewDocument("p", LATER, "New plan", "markdown", "docs/p.md", thread="letters"))
    assert [one["shown"] for one in ask_own("get_document_context", document="p").document["versions"]] == [True, False]
    told = ask_own("get_document_context", document="p", known_at=then).document
    assert (told["document"]["title"], told["document"]["format"]) == (older.title, older.format)
    assert "Begin here." in told["text"]


def test_another_texts_episode_is_no_version(filled: App) -> None:
    put(filled, NewDocument("p", FIRST, "Plan", "markdown"), NewDocument("q", FIRST, "Plan", "markdown"))
    p, q = (filled.mirrors.of(W).documents_by_id(["p", "q"])[id] for id in "pq")
    (episode,) = filled.mirrors.of(W).episodes([q.episode_uuid])
    assert as_version(W, q, episode) == q
    assert as_version(W, p, episode) is None
    assert [record.id for record, _ in versions_of(Context(filled.workspace(W)), p)] == ["p"]


def test_an_older_version_is_read_by_its_own_sections(ask_own: Ask, filled: App) -> None:
    then = put(filled, NewDocument("p", FIRST, "The plan", "markdown"))
    put(filled, NewDocument("p", LATER, "The new plan", "markdown"))
    result = ask_own("get_document_context", document="p", known_at=then, section="End")
    assert result.document["text"].strip() == "## End\n\nStop here."
    assert result.heading == "The plan (p): 7 lines, 1 version. Sections: Plan, End."
    assert [one["name"] for one in result.document["sections"]] == ["Plan", "End"]
    assert "New" not in result.items[0].text
    with pytest.raises(BadInput, match="no section “Middle”") as refused:
        ask_own("get_document_context", document="p", known_at=then, section="Middle")
    assert refused.value.hint == "Sections: Plan, End."


def test_a_text_that_is_not_kept_is_not_made_up(ask_own: Ask, filled: App) -> None:
    then = put(filled, NewDocument("p", FIRST, "The plan", "markdown"))
    held = filled.mirrors.of(W).document("p")
    assert held is not None
    put(filled, NewDocument("p", LATER, "The new plan", "markdown"))
    filled.mirrors.of(W).apply(GraphWrite(), gone_episodes=[held.document.episode_uuid])
    result = ask_own("get_document_context", document="p", known_at=then)
    assert result.items == ()
    assert "its text from that time no longer exists" in result.message
    assert "new" not in str(result.document)


def test_a_title_that_came_later_is_not_told(ask_own: Ask, filled: App) -> None:
    then = put(filled, NewDocument("plan-7", FIRST, "The plan", "markdown"))
    put(filled, NewDocument("plan-7", LATER, "The new plan", "markdown"))
    assert ask_own("search_knowledge", query="x", document="plan", known_at=then).message.endswith(
        "Available: The plan."
    )
    changes = ask_own("get_change_history", known_at=then, document="plan-7")
    assert [item.text.endswith("document added: The plan (plan-7)") for item in changes.items] == [True]
