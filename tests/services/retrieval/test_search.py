"""Search: the right thing, at the right time, however it is asked for."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.core import clock, time_rule
from services.core.errors import BadInput
from services.core.models import Entity, Episode, Fact, GraphWrite, Instants, SimilarChunks
from services.documents.versions import NewDocument
from services.retrieval.hits import label
from services.retrieval.query import MODES, Query
from tests.services.mirror.graphs import ENTITIES, several_facts
from tests.services.mirror.graphs import instants as some_instants
from tests.services.retrieval.conftest import W, ingest, write

pytestmark = pytest.mark.slow

ANN, ACME, BOLT = (
    Entity(f"e-{name}", name, (kind,))
    for name, kind in (("Ann Lee", "Person"), ("Acme", "Company"), ("Bolt", "Company"))
)
DAY = timedelta(days=1)


def at(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)


def works(uuid: str, where: Entity, valid, invalid=None, **more) -> Fact:
    more = {"created_at": at(2010)} | more
    return Fact(
        uuid,
        ANN.uuid,
        where.uuid,
        "Ann Lee",
        "WORKS_AT",
        where.name,
        f"Ann Lee works at {where.name}.",
        valid,
        invalid,
        **more,
    )


FACTS = (
    works("f-acme", ACME, at(2010), at(2015)),
    works("f-bolt", BOLT, at(2015), created_at=at(2015)),
    works("f-soon", ACME, at(2100)),
    works("f-some", BOLT, None),
    works("f-wrong", BOLT, at(2011), withdrawn_at=at(2012), expired_at=at(2012)),
)

RESUMES = (
    NewDocument(
        "alexis.md",
        "# Alexis Moreau\n\nFrom Lyon.\n\n## Skills\n\nRust and graphs.\n\n## Jobs\n\nInitech.\n",
        title="Alexis resume",
        reference_time=at(2020),
    ),
    NewDocument(
        "kevin.md",
        "# Kevin Ohara\n\n## Skills\n\nPython and payments.\n\n## Education\n\nBergen.\n",
        title="Kevin resume",
        format="markdown",
        reference_time=at(2024),
    ),
    NewDocument("note.txt", "The canteen opens at noon. It serves soup."),
)


def find(services, text, **asked):
    return services.workspace(W).search(Query(text, **asked))


def ids(services, text, **asked) -> list[str]:
    return [hit.id for hit in find(services, text, **asked).hits]


@pytest.fixture
def people(services):
    write(services, ANN, ACME, BOLT, *FACTS)
    services.indexes.prepare(W)
    return services


@pytest.fixture
def resumes(services):
    ingest(services, *(replace(one, path=one.id) for one in RESUMES))
    return services


# -- facts and time


def test_without_an_instant_every_fact_is_found_and_told_how_it_stands(people):
    found = {hit.id: hit.label for hit in find(people, "Where does Ann Lee work?", kinds=("fact",)).hits}
    assert found == {
        "f-acme": "ended",
        "f-bolt": "holds",
        "f-soon": "not yet",
        "f-some": "undated",
        "f-wrong": "corrected",
    }


@pytest.mark.parametrize(
    ("as_of", "known_at", "held"),
    [
        (at(2012), None, {"f-acme"}),
        (at(2015), None, {"f-bolt"}),
        (at(2015), at(2014), set()),
        (at(2011), at(2011), {"f-acme", "f-wrong"}),
        (at(2101), None, {"f-bolt", "f-soon"}),
    ],
)
def test_with_an_instant_only_what_holds_is_found(people, as_of, known_at, held):
    assert set(ids(people, "Ann Lee works", kinds=("fact",), as_of=as_of, known_at=known_at)) == held


def test_what_was_learned_later_is_not_told(people):
    (hit,) = find(people, "Ann Lee works", kinds=("fact",), as_of=at(2011) + DAY, known_at=at(2010) + DAY).hits[:1]
    assert hit.fact is not None
    assert hit.fact.withdrawn_at is None


def test_sources_that_were_recorded_later_are_not_told(services):
    batch = GraphWrite(
        episodes=tuple(Episode(f"p{year}", "mail", "text", created_at=at(year)) for year in (2010, 2020))
    )
    services.bridge.run(services.graph.write(W, batch))
    write(services, ANN, ACME, works("f", ACME, at(2010), episodes=("p2010", "p2020")))
    services.mirrors.sync(W, deep=True)
    (now,) = find(services, "Ann Lee works", kinds=("fact",)).hits
    (then,) = find(services, "Ann Lee works", kinds=("fact",), known_at=at(2015)).hits
    assert (now.fact.episodes, then.fact.episodes) == (("p2010", "p2020"), ("p2010",))


def test_of_records_that_share_a_uuid_the_one_that_holds_is_found_once(services):
    mirror = services.mirrors.of(W)
    records = [works("f", ACME, at(2010), at(2012)), works("f", BOLT, at(2015))]
    mirror.replace_all([[ANN, ACME, BOLT]], [records], [])
    (then,) = find(services, "Ann Lee works", kinds=("fact",), as_of=at(2011)).hits
    (later,) = find(services, "Ann Lee works", kinds=("fact",), as_of=at(2016)).hits
    assert (then.fact.target, later.fact.target) == ("Acme", "Bolt")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(facts=several_facts(), as_of=some_instants, known_at=some_instants, text=st.sampled_from(["said", "STATUS"]))
def test_a_search_finds_what_the_time_rule_says_and_nothing_else(tmp_path_factory, facts, as_of, known_at, text):
    from tests.fakes.memory_graph import MemoryGraphStore
    from tests.services.retrieval.conftest import open_services

    services = open_services(tmp_path_factory.mktemp("home"), MemoryGraphStore())
    try:
        write(services, *ENTITIES, *facts)
        found = find(services, text, kinds=("fact",), k=50, as_of=as_of, known_at=known_at)
        at = Instants(as_of, known_at)
        true = {fact.uuid for fact in facts if time_rule.true_at(fact, at)}
        assert {hit.id for hit in found.hits} == true
        more = find(services, text, kinds=("fact",), k=50, as_of=as_of, known_at=known_at, undated=True)
        assert {hit.id for hit in more.hits} == true | {fact.uuid for fact in facts if time_rule.undated(fact, at)}
    finally:
        services.close()


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (works("f", ACME, at(2000)), "not yet"),
        (works("f", ACME, at(2000), created_at=None), "holds"),
        (works("f", ACME, None, at(2001), created_at=None), "ended"),
    ],
)
def test_a_fact_that_was_not_recorded_yet_does_not_hold(fact, told):
    assert label(fact, Instants(at(2005), at(2005))) == told


# -- kinds, modes, facets


def test_all_kinds_are_found_together_and_each_alone(people):
    ingest(people, NewDocument("a", "Ann Lee likes soup."))
    kinds = {hit.kind for hit in find(people, "Ann Lee").hits}
    assert kinds == {"fact", "entity", "chunk"}
    for kind in kinds:
        assert {hit.kind for hit in find(people, "Ann Lee", kinds=(kind,)).hits} == {kind}


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_finds_what_has_the_words(resumes, mode):
    assert ids(resumes, "soup in the canteen", mode=mode)[0] == "note.txt:chunk:0"


def test_without_the_graph_similarity_alone_ranks(resumes):
    hits = find(resumes, "soup in the canteen", use_graph=False).hits
    assert {hit.graph_score for hit in hits} == {0.0}


def test_facets_narrow_what_is_found(people, resumes):
    assert ids(people, "Ann Lee", kinds=("fact",), relations=("KNOWS",)) == []
    assert set(ids(people, "Ann Lee", kinds=("entity",), types=("Company",))) == {ACME.uuid, BOLT.uuid}
    assert {
        hit.document.id
        for hit in find(people, "skills", documents=("kevin.md",), kinds=("chunk",)).hits
        if hit.document
    } == {"kevin.md"}
    assert {
        hit.section.name for hit in find(people, "skills", section="skills", kinds=("chunk",)).hits if hit.section
    } == {"Skills"}
    assert {
        hit.document.id for hit in find(people, "skills", since=at(2022), kinds=("chunk",)).hits if hit.document
    } == {"kevin.md"}
    assert {
        hit.document.id for hit in find(people, "skills", until=at(2022), kinds=("chunk",)).hits if hit.document
    } == {"alexis.md"}


def test_a_document_that_was_not_known_yet_is_not_found(resumes):
    assert ids(resumes, "soup", known_at=at(2000)) == []
    assert ids(resumes, "soup", known_at=clock.now() + DAY)[0] == "note.txt:chunk:0"


# -- sections


def test_a_question_for_a_part_of_somebodys_document_finds_that_part_first(resumes):
    found = find(resumes, "Kevin's skills")
    first = found.hits[0]
    assert first.document is not None
    assert first.section is not None
    assert (first.document.id, first.section.name, first.routing) == ("kevin.md", "Skills", "hard")
    assert (found.route.kind, first.section_query) == ("section_based_scoped", "skills")
    assert first.section_similarity == pytest.approx(1.0)
    assert first.score == pytest.approx(0.6 * first.section_similarity + 0.4 * first.vector_score)
    assert {hit.routing for hit in found.hits[1:]} == {"soft"}


def test_a_question_for_a_part_of_all_documents_finds_it_in_each(resumes):
    hits = find(resumes, "All skills").hits
    assert {hit.document.id for hit in hits if hit.routing == "hard" and hit.document} == {"alexis.md", "kevin.md"}


def test_a_sentence_that_says_much_else_is_not_taken_for_a_question_for_a_part(resumes):
    question = "Kevin wrote that soup from the canteen tastes better at noon than any of his skills with payments"
    assert {hit.routing for hit in find(resumes, question).hits} == {"soft"}


def test_a_section_counts_as_one_hit_however_long_it_is(services):
    long = "\n\n".join(f"Soup number {n} " + "is served with bread. " * 30 for n in range(8))
    ingest(services, NewDocument("menu.md", f"# Menu\n\n{long}", path="menu.md"))
    assert len(services.mirrors.of(W).chunk_rows()) > 2
    assert len(find(services, "soup").hits) == 1


def test_the_words_of_the_question_are_marked_whatever_their_endings(resumes):
    hit = find(resumes, "serving soups").hits[0]
    assert [hit.text[start:end] for start, end in hit.spans] == ["serves soup"]


# -- conversations


def test_a_message_is_found_by_what_was_said_around_it(services):
    talk = [
        ("m1", "Ann: where did we put the deployment keys?"),
        ("m2", "Bob: beside the printer."),
        ("m3", "Ann: thank you."),
        ("m4", "Bob: soup for lunch?"),
        ("m5", "Ann: gladly."),
    ]
    ingest(services, *(NewDocument(id, text, thread="t") for id, text in talk))
    assert set(ids(services, "deployment keys", k=3)) == {"m1:chunk:0", "m2:chunk:0", "m3:chunk:0"}
    assert ids(services, "What did Bob say on the deployment keys?")[0] == "m2:chunk:0"


# -- wrong use


@pytest.mark.parametrize("query", [Query("x", k=0), Query("x", k=1000), Query("x", recipe="none")])
def test_what_cannot_be_asked_is_refused(people, query):
    with pytest.raises(BadInput):
        people.workspace(W).search(query)


def test_an_empty_question_finds_nothing(people):
    assert ids(people, "   ") == []


def test_an_empty_workspace_finds_nothing(services):
    assert ids(services, "anything") == []


# -- the recipe of sums


@pytest.fixture
def linked(services):
    """Two chunks that mean the same, one of which shares no word with the question; and one of something else."""
    ingest(
        services,
        NewDocument("a", "The canteen serves leek soup."),
        NewDocument("b", "Noon is when Ann opens."),
        NewDocument("c", "Books are lent by the library."),
    )
    pair = SimilarChunks("a:chunk:0", "b:chunk:0", 0.9)
    services.mirrors.of(W).hold_links((), [pair])
    return services


def test_the_recipe_of_sums_adds_keywords_and_links(linked):
    asked = {"recipe": "graphrag", "kinds": ("chunk",)}
    hits = {hit.id: hit for hit in find(linked, "leek soup", **asked).hits}
    assert hits["a:chunk:0"].score == pytest.approx(hits["a:chunk:0"].vector_score)
    boosted = find(linked, "leek soup", keywords=("canteen", "noon"), **asked).hits[0]
    assert (boosted.id, boosted.keyword_score) == ("a:chunk:0", 0.5)
    assert boosted.score == pytest.approx(boosted.vector_score + 0.5 * 0.3)
    both = find(linked, "leek soup", keywords=("canteen", "noon"), keyword_match="all", **asked).hits[0]
    assert both.keyword_score == 0.0


def test_the_recipe_of_sums_cuts_what_scores_too_little(linked):
    assert "c:chunk:0" not in ids(linked, "leek soup", recipe="graphrag", kinds=("chunk",))


def test_a_scoped_question_boosts_keywords_more(resumes):
    hit = find(resumes, "Kevin's skills", recipe="graphrag", kinds=("chunk",)).hits[0]
    assert (hit.document and hit.document.id, hit.section and hit.section.name) == ("kevin.md", "Skills")
