"""The commands: what they answer, as documents."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.commands.arguments import Run
from services.commands.registry import requests, run_request
from services.core.config import Settings
from services.core.errors import BadInput, Cancelled, GraphUnavailable, QueryRejected
from services.retrieval.indexes import Indexes
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.word_embedder import WordEmbedder

FACTS = b"""source,relation,target,valid_at,invalid_at,created_at,role
Ann,WORKS_AT,Acme,2010-01-01,,2010-02-01,cook
Ann,WORKS_AT,Acme,2010-01-01,2015-01-01,2015-02-01,cook
Ann,works_at,Bolt,2015-01-01,,2015-02-01,
Ann,KNOWS,Bo,,,2011-01-01,
ann,KNOWS,Cy,2001-01-01,,2011-01-01,
"""


@pytest.fixture
def services(tmp_path: Path) -> Iterator[App]:
    services = build_services(Settings(home=with_tables(tmp_path)), graph=MemoryGraphStore())
    yield services
    services.close()


def run(services: App, command: str, /, **given):
    return run_request(services, command, given, Run())


def targets(document) -> list[str]:
    return [fact["target"] for fact in document["facts"]]


def test_an_import_is_answered_with_what_its_rows_meant(services):
    document = run(services, "import", name="facts.csv", content=FACTS)
    assert document["rows"] == {"new": 4, "source": 0, "change": 1, "correction": 0, "unchanged": 0}
    assert document["created"] == {"entities": 6, "facts": 4, "episodes": 0}
    assert (document["problems"], document["rejects"]) == ([], None)


def test_a_dry_run_tells_of_rows_and_problems_and_writes_nothing(services):
    document = run(services, "import", name="facts.csv", content=FACTS + b"Ann,,Acme,,,,\n", dry_run=True)
    assert document["rows"]["new"] == 4
    assert document["problems"] == [{"row": 6, "column": "relation", "problem": "the value is missing"}]
    assert targets(run(services, "history", entity="Ann")) == []


def test_bad_rows_fail_the_import_unless_they_are_set_aside(services):
    content = FACTS + b"Ann,,Acme,,,,\n"
    with pytest.raises(BadInput, match="row 6, column relation"):
        run(services, "import", name="facts.csv", content=content)
    assert targets(run(services, "history", entity="Ann")) == []
    document = run(services, "import", name="facts.csv", content=content, rejects="bad.csv")
    assert document["rows"]["new"] == 4
    assert document["rejects"].splitlines()[1].startswith("6,relation: the value is missing,Ann,,Acme")


@pytest.fixture
def filled(services: App) -> App:
    run(services, "import", name="facts.csv", content=FACTS)
    return services


def test_facts_hold_at_the_two_instants(filled):
    def at(as_of, known_at=None):
        return targets(run(filled, "facts", entity="Ann", as_of=as_of, known_at=known_at))

    assert at("2014-12-31") == ["Acme"]
    assert at("2015-01-01") == ["Bolt"]
    assert at("2015-01-01", "2015-01-15") == ["Acme"]
    assert at("2009-12-31T23:59:59Z") == []
    assert at(None) == ["Bolt"]


def test_an_end_is_given_as_it_was_believed_then(filled):
    (now,) = run(filled, "facts", entity="Ann", as_of="2012")["facts"]
    (then,) = run(filled, "facts", entity="Ann", as_of="2012", known_at="2013")["facts"]
    assert (now["invalid_at"], now["expired_at"]) == ("2015-01-01T00:00:00+00:00", "2015-02-01T00:00:00+00:00")
    assert (then["invalid_at"], then["expired_at"]) == (None, None)
    assert now["attributes"] == {"role": "cook"}
    assert (now["source"], now["relation"], now["fact"]) == ("Ann", "WORKS_AT", "Ann works at Acme")


def test_undated_facts_are_counted_apart(filled):
    document = run(filled, "facts", entity="Ann", as_of="2012")
    assert (targets(document), document["undated"]) == (["Acme"], 1)
    assert run(filled, "facts", entity="Ann", as_of="2012", known_at="2010-06-01")["undated"] == 0
    assert run(filled, "facts", entity="Ann", relation="WORKS_AT", as_of="2012")["undated"] == 0


def test_an_entity_is_found_on_either_side(filled):
    assert [f["source"] for f in run(filled, "facts", entity="Acme", as_of="2012")["facts"]] == ["Ann"]


def test_names_match_exactly_and_failing_that_without_regard_to_case(filled):
    assert targets(run(filled, "facts", entity="ann", as_of="2012")) == ["Cy"]
    assert targets(run(filled, "facts", entity="ACME", as_of="2012")) == ["Acme"]
    assert targets(run(filled, "facts", entity="Ann", relation="works_at", as_of="2016")) == ["Bolt"]
    assert targets(run(filled, "facts", entity="Ann", relation="works_at", as_of="2012")) == []
    assert targets(run(filled, "facts", entity="Ann", relation="Works_At", as_of="2012")) == ["Acme"]


def test_an_unknown_entity_is_an_empty_answer(filled):
    assert run(filled, "facts", entity="Nobody")["facts"] == []
    assert run(filled, "history", entity="Nobody")["facts"] == []
    document = run(filled, "diff", **{"from": "2010", "entity": "Nobody"})
    assert (document["totals"]["added"], document["added"]) == (0, [])


def test_a_batch_answers_every_line_in_order_and_bad_lines_with_an_error(filled):
    lines = [
        json.dumps({"id": "b", "entity": "Ann", "relation": "WORKS_AT", "as_of": "2012"}),
        "not json",
        json.dumps({"id": 2}),
        json.dumps({"id": 3, "entity": "Ann", "as_of": "soon"}),
        json.dumps([1]),
        json.dumps({"id": 4, "entity": "Nobody", "as_of": None}),
        json.dumps({"entity": "Acme", "as_of": "2012", "note": "ignored"}),
    ]
    document = run(filled, "facts-batch", lines=[line.encode() for line in lines])
    answers = document["answers"]
    assert [answer["id"] for answer in answers] == ["b", None, 2, 3, None, 4, None]
    assert [index for index, answer in enumerate(answers) if "error" in answer] == [1, 2, 3, 4]
    assert document["failed"] == 4
    assert targets(answers[0]) == ["Acme"]
    assert answers[5] == {"id": 4, "facts": [], "undated": 0}
    assert len(answers[6]["facts"]) == 1


def test_history_has_every_record_and_with_known_at_those_known_then(filled):
    run(
        filled,
        "import",
        name="more.csv",
        content=FACTS.splitlines()[0] + b"\nAnn,works_at,Bolt,2015-01-01,2016-01-01,2017-01-01,boss",
    )
    everything = run(filled, "history", entity="Ann", relation="works_at")["facts"]
    assert [(f["invalid_at"], f["withdrawn_at"]) for f in everything] == [
        (None, "2017-01-01T00:00:00+00:00"),
        ("2016-01-01T00:00:00+00:00", None),
    ]
    (then,) = run(filled, "history", entity="Ann", relation="works_at", known_at="2016")["facts"]
    assert (then["withdrawn_at"], then["invalid_at"]) == (None, None)
    assert [f["attributes"] for f in everything] == [{}, {"role": "boss"}]


def test_a_diff_tells_what_was_added_and_ended(filled):
    document = run(filled, "diff", **{"from": "2014", "to": "2016", "from_known": "2020", "to_known": "2020"})
    assert document["totals"] == {"added": 1, "ended": 1, "corrected": 0, "re_dated": 0}
    assert document["from"] == {"as_of": "2014-01-01T00:00:00+00:00", "known_at": "2020-01-01T00:00:00+00:00"}
    assert document["added"][0]["after"]["target"] == "Bolt"
    assert document["ended"][0]["before"]["target"] == "Acme"
    assert set(document["ended"][0]["cause"]) == {"kind", "text", "uuid", "inferred"}


def test_a_diff_sees_what_was_just_written_by_others(filled):
    assert run(filled, "diff", **{"from": "1990", "to": "1995"})["totals"]["added"] == 0
    run(filled, "import", name="a.csv", content=b"source,relation,target,valid_at\nX,R,Y,1992-01-01")
    assert run(filled, "diff", **{"from": "1990", "to": "1995"})["totals"]["added"] == 1


def test_default_is_the_databases_own_group(filled):
    assert targets(run(filled, "facts", workspace="_", entity="Ann", as_of="2012")) == ["Acme"]
    with pytest.raises(BadInput, match="There is no workspace “other”"):
        run(filled, "facts", workspace="other", entity="Ann", as_of="2012")


@pytest.mark.parametrize("given", [{}, {"entity": ""}, {"entity": "Ann", "colour": "red"}, {"entity": 3}])
def test_arguments_that_do_not_fit_are_named(services, given):
    with pytest.raises(BadInput, match=r"entity|colour"):
        run(services, "facts", **given)


def test_arguments_survive_the_way_to_the_app_and_back():
    given = requests()["import"].read({"name": "a.parquet", "content": b"PAR1\xff\x00"})
    assert requests()["import"].read(given.body()) == given
    asked = requests()["diff"].read({"from": "2014", "limit": 3})
    assert requests()["diff"].read(asked.body()) == asked


def test_a_correction_of_the_end_alone_is_told_as_re_dated(filled):
    more = FACTS.splitlines()[0] + b"\nAnn,WORKS_AT,Acme,2010-01-01,2014-01-01,2018-01-01,\n"
    run(filled, "import", name="more.csv", content=more)
    document = run(filled, "diff", **{"from": "2012", "to": "2012", "from_known": "2016", "to_known": "2019"})
    assert document["totals"] == {"added": 0, "ended": 0, "corrected": 0, "re_dated": 1}
    (change,) = document["re_dated"]
    assert [change[side]["invalid_at"][:4] for side in ("before", "after")] == ["2015", "2014"]
    assert change["after"]["attributes"] == {"role": "cook"}


def test_an_exact_relation_that_is_recorded_later_hides_nothing_known_before(filled):
    more = FACTS.splitlines()[0] + b"\nCy,HEADS,Acme,2010-01-01,,2010-01-01,\nCy,heads,Bolt,2010-01-01,,2020-01-01,"
    run(filled, "import", name="more.csv", content=more)
    asked = {"entity": "Cy", "relation": "heads"}
    assert targets(run(filled, "facts", **asked, as_of="2012", known_at="2015")) == ["Acme"]
    assert targets(run(filled, "history", **asked, known_at="2015")) == ["Acme"]
    assert targets(run(filled, "facts", **asked, as_of="2012")) == ["Bolt"]


def test_a_source_that_the_graph_got_later_is_not_told_of_before(services):
    head = b"source,relation,target,valid_at,created_at,episode\n"
    for year, letter in (b"2010", b"first"), (b"2015", b"second"):
        row = b"Ann,KNOWS,Bo,2010-01-01,%b-01-01,The %b letter\n" % (year, letter)
        run(services, "import", name="a.csv", content=head + row)

    def sources(command, **at):
        (fact,) = run(services, command, entity="Ann", **at)["facts"]
        return len(fact["episodes"])

    assert sources("facts", as_of="2012") == sources("history") == 2
    assert sources("facts", as_of="2012", known_at="2012") == sources("history", known_at="2012") == 1
    assert sources("facts", as_of="2012", known_at="2016") == 2
    line = b'{"id": 1, "entity": "Ann", "known_at": "2012"}'
    (answer,) = run(services, "facts-batch", lines=[line])["answers"]
    assert [len(fact["episodes"]) for fact in answer["facts"]] == [1]


def test_a_change_between_two_entities_of_one_name_is_listed_once_in_order(services):
    content = b"""source,relation,target,source_type,target_type,valid_at
Mercury,ORBITS,Sun,Planet,Star,2013-01-01
Mercury,NAMED_AFTER,Mercury,Planet,God,2012-01-01
Mercury,SON_OF,Jupiter,God,God,2011-01-01
"""
    run(services, "import", name="a.csv", content=content)
    document = run(services, "diff", **{"from": "2010", "entity": "Mercury"})
    assert document["totals"]["added"] == 3
    assert [change["at"][:4] for change in document["added"]] == ["2011", "2012", "2013"]
    assert len(run(services, "diff", **{"from": "2010", "entity": "Mercury", "limit": 2})["added"]) == 2


def test_a_name_that_the_database_refuses_is_one_lines_error(services):
    class Refusing(MemoryGraphStore):
        async def facts_about(self, workspace: str, name: str):
            if name == "odd":
                raise QueryRejected("The database refused the question.")
            return await super().facts_about(workspace, name)

    refusing = build_services(services.settings, graph=Refusing())
    lines = [b'{"id": 1, "entity": "odd"}', b'{"id": 2, "entity": "Ann"}']
    answers = run(refusing, "facts-batch", lines=lines)["answers"]
    assert answers == [{"id": 1, "error": "The database refused the question."}, {"id": 2, "facts": [], "undated": 0}]
    with pytest.raises(QueryRejected):
        run(refusing, "facts", entity="odd")
    refusing.close()


def test_the_demo_stops_when_nobody_waits_for_it_and_has_no_other_workspace(services):
    stopped = Run()
    stopped.cancel.set()
    with pytest.raises(Cancelled):
        run_request(services, "demo", {}, stopped)
    assert services.bridge.run(services.graph.watermark("peps")).counts.facts == 0
    with pytest.raises(BadInput, match="always uses the workspace"):
        run(services, "demo", workspace="mine")


# -- documents and search


def lines(*documents) -> list[bytes]:
    return [json.dumps(document).encode() for document in documents]


@pytest.fixture
def canteen(services) -> App:
    services.__dict__["_indexes"] = Indexes(services.mirrors, WordEmbedder())
    told = run(
        services,
        "ingest",
        lines=lines(
            {"id": "a", "text": "The canteen serves soup."}, {"id": "b", "title": "Hours", "text": "It opens at noon."}
        ),
    )
    assert told == {"documents": {"new": 2, "changed": 0, "unchanged": 0}, "chunks": 2, "problems": []}
    return services


def test_a_bad_line_of_documents_is_told_and_the_others_go_in(canteen):
    bad = lines({"id": " ", "text": "x"}, {"id": "c"}, {"id": "d", "text": "x", "reference_time": "soon"})
    fine = lines({"id": "e", "text": "Half \ud800 a character."})
    document = run(canteen, "ingest", lines=[b"{", *bad, *fine])
    assert document["documents"]["new"] == 1
    assert [problem["line"] for problem in document["problems"]] == [1, 2, 3, 4]


def test_a_search_tells_where_each_hit_stands(canteen):
    document = run(canteen, "search", query="noon")
    hit = document["results"][0]
    assert {"id": hit["id"], "kind": hit["kind"], "document_id": hit["document_id"], "title": hit["title"]} == {
        "id": "b:chunk:0",
        "kind": "chunk",
        "document_id": "b",
        "title": "Hours",
    }
    assert (hit["section_path"], hit["anchor"], hit["start_line"], hit["end_line"]) == (None, None, 1, 1)
    assert hit["text"] == "It opens at noon."
    assert hit["score"] > 0


def test_each_line_of_queries_is_answered_in_order_and_a_bad_one_with_an_error(canteen):
    asked = [
        b"no",
        *lines(
            {"id": 7, "query": "soup", "k": 1},
            {"id": "x", "query": "soup", "k": 0},
            {"id": "y", "query": "half \ud800 soup", "kind": "chunks"},
            {"id": "z", "query": "soup", "as_of": "soon"},
            {"id": "w", "query": "soup", "mode": "magic"},
        ),
    ]
    document = run(canteen, "search-batch", lines=asked)
    assert [answer["id"] for answer in document["answers"]] == [None, 7, "x", "y", "z", "w"]
    assert ["error" in answer for answer in document["answers"]] == [True, False, True, False, True, True]
    assert [hit["document_id"] for hit in document["answers"][1]["results"]] == ["a"]
    assert document["failed"] == 4


def test_with_the_graph_down_and_no_mirror_a_search_says_so(services):
    services.graph.down = True
    with pytest.raises(GraphUnavailable, match="Search is not ready"):
        run(services, "search", query="soup")


def test_with_the_graph_down_its_mirror_is_searched(canteen):
    canteen.graph.down = True
    document = run(canteen, "search", query="soup")
    assert document["results"][0]["document_id"] == "a"
    assert document["mirror_of"] is not None


def test_an_index_is_made_whole(canteen):
    document = run(canteen, "index", anew=True)
    assert document == {"model": "words", "items": {"chunk": 2, "entity": 0, "fact": 0}, "links": 0, "section_types": 0}
