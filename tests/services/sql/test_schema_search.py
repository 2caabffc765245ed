"""Searching what databases hold: by words, by meaning, along foreign keys; which database a question is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.context import OpenWorkspace
from services.core.errors import BadInput
from services.sql.catalog import DatabaseColumn, DatabaseTable, ForeignKey, Metric, SqlDatabase
from services.sql.schema_search import SchemaQuery, SchemaSearch, find_best_database, search_schema
from services.sql.schema_texts import ElementType
from services.sql.spider_schema import read_schemas
from services.sql.warehouse import warehouse
from tests.fakes.word_embedder import WordEmbedder


def column(name: str, description: str = "", *samples: str) -> DatabaseColumn:
    return DatabaseColumn(name=name, type="VARCHAR", description=description, samples=samples)


def database(name: str, tables: dict[str, list[DatabaseColumn]], **known) -> SqlDatabase:
    made = tuple(DatabaseTable(name=table, columns=tuple(columns), rows=1) for table, columns in tables.items())
    return SqlDatabase(name=name, workspace=None, kind="files", place="", tables=made, **known)


SHOP = database(
    "shop",
    {
        "customers": [column("id"), column("fullName"), column("town", "", "Leeds", "York")],
        "orders": [
            column("order_no"),
            column("buyer"),
            column("placed_on"),
            column("amt", "how much was paid, in euros"),
        ],
        "staff": [column("badge"), column("salary")],
    },
    foreign_keys=(ForeignKey(table="orders", column="buyer", other_table="customers", other_column="id"),),
    metrics=(Metric(name="net_revenue", sql="SELECT sum(amt) FROM orders", description="what customers paid"),),
)
ZOO = database("zoo", {"animals": [column("species"), column("cage")], "keepers": [column("keeper_name")]})


def names(query: SchemaQuery, embedder: WordEmbedder | None = None) -> list[str]:
    return [hit.full_name for hit in SchemaSearch([SHOP, ZOO], embedder).find("shop", query).hits]


@pytest.fixture(params=["words", "vectors"])
def embedder(request: pytest.FixtureRequest) -> WordEmbedder | None:
    return WordEmbedder(dimension=1024) if request.param == "vectors" else None


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("salary", "staff.salary"),
        ("the full name of each customer", "customers.fullName"),
        ("how much was paid?", "orders.amt"),
        ("who lives in York?", "customers.town"),
        ("net revenue", "net_revenue"),
    ],
)
def test_an_element_is_found_by_its_name_description_and_values(question, wanted, embedder):
    assert wanted in names(SchemaQuery(question, top_k=3), embedder)


def test_foreign_keys_lead_from_one_table_to_another():
    question = "which town placed orders"
    assert {"orders.buyer", "customers.id"} <= set(names(SchemaQuery(question, element_types=("column",))))
    unexpanded = SchemaQuery(question, element_types=("column",), use_graph_expansion=False)
    assert "customers.id" not in names(SchemaQuery(question, 4, element_types=("column",), use_graph_expansion=False))
    assert names(unexpanded) != names(SchemaQuery(question, element_types=("column",)))


def test_columns_of_one_key_name_join_tables_without_foreign_keys():
    alike = database("d", {"a": [column("ship_id"), column("flag")], "b": [column("ship_id"), column("captain")]})
    found = SchemaSearch([alike]).find("d", SchemaQuery("captain and flag", element_types=("column",)))
    assert {"a.ship_id", "b.ship_id"} <= {hit.full_name for hit in found.hits}


@pytest.mark.parametrize("kind", ["table", "column", "metric"])
def test_only_elements_of_the_wanted_type_are_found(kind, embedder):
    found = SchemaSearch([SHOP], embedder).find("shop", SchemaQuery("net orders of customers", element_types=(kind,)))
    assert {hit.element.element_type for hit in found.hits} == {kind}


def test_a_result_is_a_document_of_elements_and_a_slice():
    document = SchemaSearch([SHOP]).find("shop", SchemaQuery("town of the buyer of orders")).document()
    assert document["result_count"] == len(document["results"])
    assert {"element_type", "name", "description", "similarity", "metadata"} == set(document["results"][0])
    tables = {table["name"]: table["columns"] for table in document["schema_slice"]["tables"]}
    assert set(tables) == {"orders", "customers"}
    assert {"name", "type"} <= set(tables["orders"][0])
    assert {"id", "town"} <= {one["name"] for one in tables["customers"]}, "the key that joins is in the slice"


def test_a_slice_of_a_table_alone_has_all_its_columns():
    found = SchemaSearch([SHOP]).find("shop", SchemaQuery("staff", element_types=("table",)))
    assert [column.name for column in found.tables[0].columns] == ["badge", "salary"]


@pytest.mark.parametrize(
    "query",
    [SchemaQuery(" "), SchemaQuery("x", 0), SchemaQuery("x" * 5000), SchemaQuery("x", element_types=("view",))],  # type: ignore[arg-type]
)
def test_what_cannot_be_asked_is_refused(query):
    with pytest.raises(BadInput):
        names(query)


def test_an_embedder_that_fails_leaves_words(embedder):
    failing = WordEmbedder("fails")
    failing.fails = True
    assert names(SchemaQuery("salary"), failing) == names(SchemaQuery("salary"))


def test_a_question_finds_its_database_and_a_named_one_is_never_overruled(embedder):
    search = SchemaSearch([SHOP, ZOO], embedder)
    assert search.best_database("which species is in which cage?") == "zoo"
    assert search.best_database("which customers have orders?") == "shop"
    assert search.best_database("which customers have orders?", named="zoo") == "zoo"
    assert search.best_database("which customers have orders?", candidates=["zoo"]) in ("zoo", None)
    assert search.best_database("In the Zoo database, which customers have orders?") == "zoo"
    with pytest.raises(BadInput, match="There is no database"):
        search.best_database("which customers have orders?", named="bank")


def test_in_a_database_without_tables_nothing_is_found(embedder):
    search = SchemaSearch([database("empty", {})], embedder)
    assert search.find("empty", SchemaQuery("salary")).document()["result_count"] == 0
    assert search.best_database("salary") is None


def test_what_scores_less_than_the_threshold_is_left_out(embedder):
    likest = names(SchemaQuery("salary of staff", similarity_threshold=0.9), embedder)
    assert set(likest) < set(names(SchemaQuery("salary of staff", similarity_threshold=0.0), embedder))
    assert "staff.salary" in likest


@pytest.mark.slow
@given(st.text(max_size=60).filter(str.strip), st.integers(1, 20))
def test_any_question_gives_at_most_k_elements_best_first(question, k):
    found = SchemaSearch([SHOP]).find("shop", SchemaQuery(question, k)).hits
    assert len(found) <= k
    assert [one.similarity for one in found] == sorted((one.similarity for one in found), reverse=True)
    assert all(0 < one.similarity <= 1 for one in found)
    assert len({one.full_name for one in found}) == len(found)


def test_the_databases_of_a_workspace_are_searched_with_what_was_said_of_them(workspace: OpenWorkspace):
    kept = warehouse(workspace)
    kept.add_files("crm", "_", [("people.csv", b"who,qx\nAnn,3\n")])
    assert _first(workspace, "number of children") != "people.qx"
    kept.describe("_", "crm", "number of children", table="people", column="qx")
    assert _first(workspace, "number of children") == "people.qx"
    kept.save_metric("_", "crm", Metric(name="dependants", sql="SELECT sum(qx) FROM people", description="all minors"))
    assert _first(workspace, "all minors", "metric") == "dependants"
    kept.delete_metric("_", "crm", "dependants")
    assert _first(workspace, "all minors", "metric") is None
    assert find_best_database(workspace, "number of children of people") == "crm"
    assert find_best_database(workspace, "which facts had relations withdrawn?") == "graph"


def _first(workspace: OpenWorkspace, question: str, kind: ElementType = "column") -> str | None:
    hits = search_schema(workspace, "crm", SchemaQuery(question, element_types=(kind,))).hits
    return hits[0].full_name if hits else None


@pytest.mark.parametrize("metric", [Metric(name="", sql="SELECT 1"), Metric(name="m", sql=" ")])
def test_a_metric_needs_a_name_and_its_sql(workspace, metric):
    warehouse(workspace).add_files("crm", "_", [("people.csv", b"who\nAnn\n")])
    with pytest.raises(BadInput):
        warehouse(workspace).save_metric("_", "crm", metric)


def test_descriptions_and_metrics_stay_when_a_file_is_read_again(workspace):
    kept = warehouse(workspace)
    kept.add_files("crm", "_", [("people.csv", b"who\nAnn\n")])
    kept.describe("_", "crm", "everybody", table="people")
    kept.save_metric("_", "crm", Metric(name="heads", sql="SELECT count(*) FROM people"))
    again = kept.add_files("crm", "_", [("people.csv", b"who\nAnn\nBo\n")])
    assert (again.tables[0].description, [one.name for one in again.metrics]) == ("everybody", ["heads"])


CLUBS = ("clubs.csv", b"id,city\n1,York\n2,Leeds\n3,Bath\n")


@pytest.mark.parametrize(
    ("members", "guessed"),
    [
        (b"name,club_id\nAnn,1\nBo,2\nCy,2\n", True),
        (b"name,club_id\nAnn,1\nBo,9\n", False),
        (b"name,club_id\nAnn,1\nBo,1\n", False),
        (b"name,club\nAnn,1\nBo,2\n", False),
        (b"name,club_id\nAnn,one\nBo,two\n", False),
    ],
    ids=["all values are keys", "a value is no key", "one value only", "another name", "another type"],
)
def test_a_foreign_key_is_guessed_where_name_and_values_agree(workspace, members, guessed):
    database = warehouse(workspace).add_files("crm", "_", [("members.csv", members), CLUBS])
    key = ForeignKey(table="members", column="club_id", other_table="clubs", other_column="id", is_declared=False)
    assert database.foreign_keys == ((key,) if guessed else ())


@pytest.mark.parametrize(
    ("parcels", "guessed"),
    [
        (b"nr,origin,target\n1,YRK,LDS\n2,LDS,BTH\n3,BTH,YRK\n4,YRK,BTH\n", ["origin", "target"]),
        (b"nr,origin,target\n1,YRK,LDS\n2,LDS,BTH\n3,BTH,XXX\n4,YRK,BTH\n", ["origin"]),
        (b"nr,origin,target\n1,YRK,LDS\n2,LDS,LDS\n3,LDS,YRK\n4,YRK,LDS\n", []),
        (b"nr,origin,target\n1,YRK,LDS\n2,BTH,LDS\n", []),
    ],
    ids=["all values are keys", "a value is no key", "two values only", "fewer rows than there are keys"],
)
def test_columns_of_any_name_lead_to_the_table_that_has_their_values(workspace, parcels, guessed):
    towns = ("towns.csv", b"code,population\nYRK,10\nLDS,20\nBTH,30\n")
    keys = warehouse(workspace).add_files("post", "_", [("parcels.csv", parcels), towns]).foreign_keys
    assert [(key.column, key.other_table, key.other_column) for key in keys] == [
        (column, "towns", "code") for column in guessed
    ]


def test_vectors_are_made_once_and_only_of_what_is_new(tmp_path):
    def searched(database: SqlDatabase, embedder: WordEmbedder) -> int:
        SchemaSearch([database], embedder, lambda _: tmp_path / "vectors.npz").find("shop", SchemaQuery("salary"))
        return embedder.embedded

    def named(description: str) -> SqlDatabase:
        tables = (*SHOP.tables[:2], SHOP.tables[2].model_copy(update={"description": description}))
        return SHOP.model_copy(update={"tables": tables})

    assert searched(named("people at work"), WordEmbedder("kept")) > 20
    assert searched(named("people who work for the shop all day long"), WordEmbedder("kept")) < 10
    assert searched(named("people at work"), WordEmbedder("another")) > 20
    (tmp_path / "vectors.npz").write_bytes(b"damaged")
    assert searched(named("those at work"), WordEmbedder("kept")) > 20


SPIDER = b"""[{"db_id": "pets", "table_names_original": ["Stu", "Pet"], "table_names": ["student", "pet"],
 "column_names_original": [[-1, "*"], [0, "StuID"], [0, "LName"], [1, "StuID"], [1, "Kind"]],
 "column_names": [[-1, "*"], [0, "student id"], [0, "last name"], [1, "student id"], [1, "kind"]],
 "column_types": ["text", "number", "text", "number", "text"], "foreign_keys": [[3, 1]], "primary_keys": [1]}]"""


def test_schemas_in_spiders_format_are_read_with_their_names_in_words():
    (pets,) = read_schemas("tables.json", SPIDER)
    found = SchemaSearch([pets]).find("pets", SchemaQuery("last names of students", element_types=("column",)))
    assert found.hits[0].full_name == "Stu.LName"
    assert pets.foreign_keys == (ForeignKey(table="Pet", column="StuID", other_table="Stu", other_column="StuID"),)


@pytest.mark.parametrize("content", [b"{}", b"[{}]", b"no", SPIDER.replace(b"[[3, 1]]", b"[[3, 99]]")])
def test_a_file_that_is_no_list_of_schemas_is_refused(content):
    with pytest.raises(BadInput):
        read_schemas("tables.json", content)
