"""SQL as a tool: rows at the two clocks of the answer, in the words of an error where it does not run."""

import pytest

from services.agent.app import App
from services.core.errors import BadInput, QueryRejected
from services.sql.warehouse import warehouse
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import MOST_CHARACTERS, Toolbox
from tests.services.retrieval.conftest import W
from tests.services.sql import attacks
from tests.services.tools.conftest import Ask

pytestmark = pytest.mark.slow

SHIPS = b"ship,owner,built\nAdalina,Labs,1990\nBeagle,Labs,1820\nCutty,Bob,1869\n"
HELD = "SELECT source, target FROM facts_as_of(:as_of) WHERE relation = 'WORKS_FOR' ORDER BY source, target"


@pytest.fixture
def fleet(filled: App) -> App:
    """A life with a table of ships beside it."""
    warehouse(filled.workspace(W)).add_files("fleet", W, [("ships.csv", SHIPS)])
    return filled


def test_rows_come_with_their_columns_and_the_sql_that_ran(fleet: App, ask_own: Ask) -> None:
    sql = "SELECT owner, count(*) AS ships FROM ships GROUP BY owner ORDER BY ships DESC"
    result = ask_own("query_database", sql=sql)
    expected = {"success": True, "columns": ["owner", "ships"], "rows": [["Labs", 2], ["Bob", 1]], "row_count": 2}
    assert expected.items() <= result.document.items()
    assert (result.document["sql"], result.document["truncated"]) == (sql, False)
    assert result.rows == ({"owner": "Labs", "ships": 2}, {"owner": "Bob", "ships": 1})
    assert [item.text for item in result.items] == ["- owner: Labs, ships: 2", "- owner: Bob, ships: 1"]


def test_sql_reads_the_facts_at_both_clocks_of_the_answer(fleet: App, ask_own: Ask) -> None:
    def rows(**clocks: str) -> list[list[str]]:
        return ask_own("query_database", sql=HELD, **clocks).document["rows"]

    assert rows() == [["Ada", "Labs"], ["Cy", "Labs"]]
    assert rows(as_of="2020-01-01") == [["Ada", "Engines"]]
    early = rows(as_of="2020-01-01", known_at="2020-01-01")
    assert early == [["Ada", "Bob"], ["Ada", "Engines"]], "that she worked for Bob was withdrawn later"


def test_a_table_is_read_with_the_facts_in_one_query(fleet: App, ask_own: Ask) -> None:
    sql = "SELECT source, ship FROM facts_as_of(:as_of) JOIN ships ON owner = target WHERE relation = 'WORKS_FOR'"
    assert ask_own("query_database", sql=f"{sql} ORDER BY ALL", as_of="2021-06-01").document["rows"] == [
        ["Cy", "Adalina"],
        ["Cy", "Beagle"],
    ]


@pytest.mark.parametrize("sql", ["SELECT count(*) FROM entities", "SELECT * FROM graph.entities WHERE name = 'Nobody'"])
def test_tables_of_every_record_are_named_beside_an_earlier_known_at(filled: App, ask_own: Ask, sql: str) -> None:
    then = ask_own("query_database", sql=sql, known_at="2009-01-01")
    assert then.document["not_bounded_by_known_at"] == ["entities"]
    assert "known_at does not limit entities:" in then.heading
    assert "not_bounded_by_known_at" not in ask_own("query_database", sql=sql).document
    assert "not_bounded_by_known_at" not in ask_own("query_database", sql=HELD, known_at="2009-01-01").document


def test_no_rows_are_an_answer(fleet: App, ask_own: Ask) -> None:
    result = ask_own("query_database", sql="SELECT ship FROM ships WHERE owner = 'Ada'")
    assert (result.document["success"], result.document["row_count"], result.total) == (True, 0, 0)
    assert result.message.startswith("The query returns no rows.")


def test_a_model_gets_whole_rows_as_far_as_they_fit_and_the_trace_all(fleet: App) -> None:
    box = Toolbox(Context(fleet.workspace(W)), TOOLS.values())
    called = box.call(
        "query_database", {"sql": f"SELECT range AS n, repeat('x', 90) AS x, '{'y' * 4000}' AS y FROM range(500)"}
    )
    text = box.for_model(called)
    assert len(text) <= MOST_CHARACTERS
    assert "... truncated. 500 rows in all. Ask for fewer rows, or let SQL count or sum them." in text
    assert text.startswith("SQL: SELECT range AS n")
    assert called.call.output["row_count"] == 500


def test_more_rows_than_a_query_may_give_are_not_told_as_a_total(fleet: App, ask_own: Ask) -> None:
    result = ask_own("query_database", sql="FROM range(20000)")
    assert (result.document["truncated"], result.total, result.is_whole) == (True, 10_000, False)
    assert result.summary == "the first 10,000 rows"


def test_columns_of_one_name_are_told_apart_in_what_is_cited(fleet: App, ask_own: Ask) -> None:
    assert ask_own("query_database", sql="SELECT 1 AS a, 2 AS a").rows == ({"a": 1, "a (2)": 2},)


def test_attacks_are_refused_in_words_and_the_next_query_is_answered(fleet: App, ask_own: Ask) -> None:
    warehouse(fleet.workspace(W)).add_files("shop", W, [("prices.csv", b"company,price\nLabs,3\n")])
    box = Toolbox(Context(fleet.workspace(W)), TOOLS.values())
    for sql in attacks.DUCKDB:
        with pytest.raises(QueryRejected):
            box.call("query_database", {"sql": sql})
    assert len(attacks.DUCKDB) >= 80
    assert all(call.error for call in box.calls)
    assert ask_own("query_database", sql="SELECT count(*) AS n FROM facts").document["rows"] == [[6]]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT nothing FROM ships", "nothing"),
        ("SELECT * FROM boats", "There is no table “boats” that this SQL can read. Available: .*fleet.ships"),
        ("SELECT repeat('x', 10000000000)", "Cannot create a string|needs more than"),
        ("SELECT list(range) FROM range(1000000000)", "needs more than"),
        ("SELECT repeat('x', 100000) FROM range(150)", "too large"),
    ],
)
def test_an_error_says_what_is_wrong(fleet: App, ask_own: Ask, sql: str, said: str) -> None:
    with pytest.raises(QueryRejected, match=said):
        ask_own("query_database", sql=sql)
    assert ask_own("query_database", sql="SELECT 1 AS n").document["rows"] == [[1]]


def test_a_database_of_another_workspace_cannot_be_read(fleet: App) -> None:
    other = Context(fleet.workspace("other"))
    with pytest.raises(QueryRejected, match="no table"):
        TOOLS["query_database"](other, {"sql": "SELECT * FROM fleet.ships"})
    with pytest.raises(BadInput, match="no database “fleet”"):
        TOOLS["query_database"](other, {"sql": "SELECT 1", "database": "fleet"})
    assert TOOLS["query_database"](other, {"sql": "SELECT count(*) AS n FROM facts"}).document["rows"] == [[0]]


@pytest.mark.parametrize("given", [{}, {"sql": "SELECT 1", "question": "How many?"}])
def test_either_sql_or_a_question_is_given(ask_own: Ask, given: dict[str, str]) -> None:
    with pytest.raises(BadInput, match="sql: give either sql or question, not both"):
        ask_own("query_database", **given)


def test_of_a_question_without_sql_the_tables_and_a_query_to_begin_with_are_told(fleet: App, ask_own: Ask) -> None:
    result = ask_own("query_database", question="What does the sea think of it?", database="fleet")
    assert (result.document["success"], result.total) == (False, 0)
    (table,) = result.document["schema_slice"]["tables"]
    assert table["name"] == "ships"
    assert ask_own("query_database", sql=result.document["starting_query"]).total == 3
    assert "- ships: " in result.message
    assert result.document["tries"] == [
        {"from": "database fleet", "sql": None, "error": "Asof wrote no SQL for this question."},
        {"from": "files", "sql": None, "error": "Asof wrote no SQL for this question."},
    ]


def test_a_question_that_is_surely_read_is_answered_with_the_sql_that_ran(fleet: App, ask_own: Ask) -> None:
    result = ask_own("query_database", question="How many ships are there by owner?")
    assert (result.document["success"], result.document["rows"]) == (True, [["Labs", 2], ["Bob", 1]])
    assert result.document["sql"].startswith("SELECT owner, count(*) AS count\nFROM ships")
    assert [one["from"] for one in result.document["tries"]] == ["files"]
    assert result.summary == "2 rows from files"
    facts = ask_own("query_database", question="How many facts are there per relation?", as_of="2020-02-01")
    assert facts.document["rows"] == [["KNOWS", 1], ["WORKS_FOR", 1]]
    assert ":as_of" in facts.document["sql"]
