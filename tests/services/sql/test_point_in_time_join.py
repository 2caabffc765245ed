"""A table joined with the graph on each row's own date, as the services do it."""

import io
from dataclasses import replace
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from services.context import OpenWorkspace
from services.core.errors import BadInput
from services.core.models import Entity
from services.sql.ask_sql import SqlQuestion, ask_sql
from services.sql.point_in_time_join import PointInTimeJoin, export_join, join_sql, keep_join, preview_join
from services.sql.warehouse import warehouse
from services.tables.tables import read_facts
from services.writing import corrections
from services.writing.importer import import_rows

pytestmark = pytest.mark.slow

FACTS = b"""source,relation,target,valid_at,invalid_at,created_at
Acme,LED_BY,Ann,2010-01-01,,2010-02-01
Acme,LED_BY,Ann,2010-01-01,2015-01-01,2015-02-01
Acme,LED_BY,Bo,2015-01-01,,2015-02-01
Acme,OWNS,Cart,2011-01-01,,2011-01-01
Acme,OWNS,Anvil,2012-01-01,,2012-01-01
Bolt,LED_BY,Cy,2012-01-01,,2012-01-01
"""
PRICES = b"""company,day,price,led_by
Acme,2014-05-01,3.5,a
acme ,2015-01-15,4,b
Bolt,2011-12-31,7,c
Nobody,2014-05-01,1,d
Nobody,2014-05-02,1,e
Acme,,2,f
,2014-05-01,2,g
"""
JOIN = PointInTimeJoin("shop", "prices", "company", "day", ("LED_BY", "OWNS"))


@pytest.fixture
def shop(workspace: OpenWorkspace) -> OpenWorkspace:
    """A workspace with the facts and prices above."""
    import_rows(workspace, read_facts("facts.csv", FACTS).rows, title="facts")
    warehouse(workspace).add_files("shop", workspace.name, [("prices.csv", PRICES)])
    return workspace


def named(workspace: OpenWorkspace, name: str) -> Entity:
    workspace.sync()
    return workspace.mirror.entities_named(name)[0]


def test_each_row_comes_once_with_what_held_on_its_date(shop: OpenWorkspace) -> None:
    preview = preview_join(shop, JOIN)
    assert preview.result.columns == ("company", "day", "price", "led_by", "LED_BY_2", "OWNS")
    assert [(row[3], *row[4:]) for row in preview.result.rows] == [
        ("a", "Ann", "Anvil; Cart"),
        ("b", "Bo", "Anvil; Cart"),
        ("c", None, None),
        ("d", None, None),
        ("e", None, None),
        ("f", None, None),
        ("g", None, None),
    ]
    assert (preview.rows, dict(preview.filled)) == (7, {"LED_BY": 2, "OWNS": 2})


def test_rows_see_nothing_that_was_learned_after_their_date(shop: OpenWorkspace) -> None:
    then = replace(JOIN, is_as_known_then=True, relations=("LED_BY",))
    assert [row[4] for row in preview_join(shop, then).result.rows][:3] == ["Ann", "Ann", None]
    early = replace(then, known_at=datetime(2009, 1, 1, tzinfo=UTC))
    assert preview_join(shop, early).filled == {"LED_BY": 0}, "the graph's own clock still holds"


def test_rows_without_facts_are_listed_by_reason(shop: OpenWorkspace) -> None:
    preview = preview_join(shop, JOIN)
    assert (preview.unmatched.rows, preview.unmatched.examples) == (3, (("Nobody", 2), (None, 1)))
    assert (preview.undated.rows, preview.undated.examples) == (1, ((None, 1),))
    assert preview.ambiguous.rows == 0


def test_a_name_of_two_entities_is_listed_and_multiplies_no_row(shop: OpenWorkspace) -> None:
    for kind in (b"Firm", b"Band"):
        row = b"source,source_type,relation,target\nAcme,%s,PLAYS,Polka\n" % kind
        import_rows(shop, read_facts("more.csv", row).rows, title="more")
    preview = preview_join(shop, JOIN)
    assert (preview.ambiguous.rows, preview.ambiguous.examples) == (3, (("Acme", 2), ("acme ", 1)))
    assert len(preview.result.rows) == preview.rows == 7
    assert [row[4] for row in preview.result.rows] == [None] * 7


def test_former_names_find_the_entity_that_has_another_by_now(shop: OpenWorkspace) -> None:
    acme = named(shop, "Acme")
    corrections.edit_entity(shop, acme, corrections.EntityChanges("Acme Group", acme.types, acme.summary))
    preview = preview_join(shop, JOIN)
    assert [row[4] for row in preview.result.rows][:2] == ["Ann", "Bo"]


def test_all_rows_become_a_file_or_a_table(shop: OpenWorkspace) -> None:
    many = b"company,day\n" + b"Acme,2014-05-01\n" * 12_000 + b"=1+1,2014-05-01\n"
    warehouse(shop).add_files("shop", shop.name, [("many.csv", many)])
    join = replace(JOIN, table="many", relations=("LED_BY",))
    lines = export_join(shop, join, "csv").decode().splitlines()
    assert (len(lines), *lines[:2], lines[-1]) == (
        12_002,
        "company,day,LED_BY",
        "Acme,2014-05-01,Ann",
        "'=1+1,2014-05-01,",
    )
    table = pq.read_table(io.BytesIO(export_join(shop, join, "parquet")))
    assert table.column("LED_BY").to_pylist() == ["Ann"] * 12_000 + [None]
    for _ in range(2):
        kept = keep_join(shop, join, "joined", "Many with leaders")
        assert (kept.database.name, kept.table) == ("joined", "many_with_leaders")
    sql = "SELECT count(*), count(LED_BY) FROM joined.many_with_leaders"
    assert ask_sql(shop, SqlQuestion(sql)).result.rows == ((12_001, 12_000),)


def test_a_column_named_like_the_order_of_rows_stays(shop: OpenWorkspace) -> None:
    content = b"company,day,given_row,Given_Row_2\nBolt,2014-05-01,z,1\nAcme,2014-05-01,a,2\n"
    warehouse(shop).add_files("shop", shop.name, [("own.csv", content)])
    result = preview_join(shop, replace(JOIN, table="own", relations=("LED_BY",))).result
    assert result.columns == ("company", "day", "given_row", "Given_Row_2", "LED_BY")
    assert [row[2:] for row in result.rows] == [("z", 1, "Cy"), ("a", 2, "Ann")]


def test_a_table_that_was_added_is_not_replaced_by_a_kept_join(shop: OpenWorkspace) -> None:
    sales = io.BytesIO()
    pq.write_table(pa.table({"secret": [1, 2]}), sales)
    warehouse(shop).add_files("shop", shop.name, [("sales.parquet", sales.getvalue())])
    for name in ("prices", "sales", "Sales"):
        with pytest.raises(BadInput, match="already has a table"):
            keep_join(shop, JOIN, "shop", name)
    assert ask_sql(shop, SqlQuestion("SELECT secret FROM shop.sales")).result.rows == ((1,), (2,))
    assert keep_join(shop, JOIN, "shop", "led").table == "led"
    added = warehouse(shop).add_files("shop", shop.name, [("led.parquet", sales.getvalue())])
    assert [table.name for table in added.tables][-2:] == ["led", "led_2"]


def test_its_sql_can_be_run_by_itself(shop: OpenWorkspace) -> None:
    sql = join_sql(shop, JOIN)
    assert ask_sql(shop, SqlQuestion(sql)).result.rows == preview_join(shop, JOIN).result.rows


def test_what_is_not_there_is_said(shop: OpenWorkspace) -> None:
    for wrong in (
        replace(JOIN, table="costs"),
        replace(JOIN, entity_column="firm"),
        replace(JOIN, date_column="Day"),
        replace(JOIN, relations=()),
        replace(JOIN, relations=("LED BY'; --",)),
    ):
        with pytest.raises(BadInput):
            preview_join(shop, wrong)
