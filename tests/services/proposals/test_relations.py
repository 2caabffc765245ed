"""Relations that read the same are one."""

import pytest

from services.core.draft_records import Draft
from services.proposals.by_hand import propose_fact, save_fact
from services.proposals.relations import as_known, known_relation, offered_relations
from services.tables.mapping import TableMapping
from services.writing.importer import import_rows
from tests.services.writing.imports import row

W = "_"


@pytest.mark.parametrize(
    ("typed", "known", "meant"),
    [
        ("works for", ["WORKS_FOR"], "WORKS_FOR"),
        ("Works-For", ["KNOWS", "works for"], "works for"),
        ("WORKS_FOR", ["works for", "KNOWS"], "works for"),
        ("works for", ["WORKS_FOR", "works for"], "works for"),
        ("worksFor", ["WORKS_FOR"], "WORKS_FOR"),
        ("sits on", [], "SITS_ON"),
        ("sits on", ["KNOWS", "WORKS_FOR", "works for"], "SITS_ON"),
        ("sits on", ["works for", "knows"], "sits on"),
        ("  sits on ", ["knows"], "sits on"),
        ("--", ["KNOWS"], "--"),
        ("", ["KNOWS"], ""),
    ],
)
def test_a_relation_is_the_known_one_that_reads_the_same(typed: str, known: list[str], meant: str) -> None:
    assert known_relation(typed, known) == meant
    assert known_relation(meant, known) == meant


def test_the_schema_counts_where_the_graph_has_none() -> None:
    assert known_relation("works for", ["knows"], ["worksFor"]) == "worksFor"
    assert known_relation("works for", ["Works for"], ["WORKS_FOR"]) == "Works for"


def test_a_fact_typed_by_form_has_the_relation_of_the_graph_that_reads_the_same(services) -> None:
    import_rows(services.workspace(W), [row(2005, relation="WORKS_FOR")], title="a file")
    proposal = propose_fact(services.workspace(W), Draft("Ann", "works for", "Labs"))
    assert proposal.facts[0].draft.relation == "WORKS_FOR"
    save_fact(services.workspace(W), proposal)
    assert [one.name for one in services.mirrors.of(W).relations()] == ["WORKS_FOR"]


def test_relations_that_a_mapping_names_are_those_of_the_graph(services) -> None:
    import_rows(services.workspace(W), [row(2005, relation="WORKS_FOR")], title="a file")
    found = as_known(
        services.workspace(W), TableMapping({"who": "source"}, relations={"employer": "Works for", "home": "HOME"})
    )
    assert dict(found.relations) == {"employer": "WORKS_FOR", "home": "HOME"}
    assert (
        as_known(services.workspace(W), TableMapping({"who": "source", "what": "target"}, "works for")).relation
        == "WORKS_FOR"
    )
    assert as_known(services.workspace(W), TableMapping({"who": "source", "rel": "relation"})).relation == ""


def test_a_field_offers_the_relations_of_the_graph_and_others_of_the_schema(services) -> None:
    import_rows(services.workspace(W), [row(2005, relation="works for")], title="a file")
    offered = offered_relations(services.workspace(W))
    assert offered[0] == "works for"
    assert "LIVES_IN" in offered
    assert "WORKS_FOR" not in offered
