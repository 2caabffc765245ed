"""One statement that only reads passes, and nothing else does."""

from dataclasses import replace

import pytest

from services.core.errors import QueryRejected
from services.sql.dialects import DUCKDB, POSTGRES, SQLITE, SqlDialect
from services.sql.guard import Readable, check
from tests.services.sql import attacks

READABLE = Readable.of(["facts", "entities", "prices", ("shop", "orders")], ["facts_as_of"])

HARMLESS = (
    "SELECT 1",
    "SELECT * FROM facts;",
    "FROM facts",
    "FROM facts SELECT source, count(*) GROUP BY ALL ORDER BY ALL LIMIT 3",
    'SELECT "Source" FROM "FACTS" -- the last comment',
    "SELECT * FROM shop.orders o JOIN facts f ON f.source = o.customer AND f.valid_at <= o.day",
    "PIVOT prices ON year USING sum(price) GROUP BY item",
    "UNPIVOT prices ON a, b INTO NAME n VALUE v",
    "SELECT * FROM prices PIVOT (sum(price) FOR year IN (2019, 2020))",
    "DESCRIBE facts",
    "DESCRIBE SELECT * FROM facts",
    "SUMMARIZE facts",
    "SUMMARIZE SELECT source FROM facts",
    "SELECT * FROM (DESCRIBE facts)",
    "SELECT * FROM facts_as_of('2020-01-01')",
    "SELECT * FROM FACTS_AS_OF('2020-01-01', known_at := '2021-01-01') f SEMI JOIN prices USING (source)",
    "WITH a AS (FROM facts), b AS (FROM a) SELECT * FROM b, a",
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT * FROM c",
    "WITH facts AS (SELECT * FROM facts LIMIT 1) SELECT * FROM facts",
    "SELECT * FROM facts WHERE EXISTS (WITH x AS (SELECT 1) FROM x)",
    "SELECT DISTINCT ON (source) * EXCLUDE (text) REPLACE (upper(source) AS source) FROM facts",
    "SELECT row_number() OVER w FROM facts QUALIFY row_number() OVER w = 1 WINDOW w AS (PARTITION BY source)",
    "SELECT count(*) FILTER (WHERE target LIKE 'x%'), list(source ORDER BY valid_at), arg_max(target, text) FROM facts",
    "SELECT date_trunc('month', valid_at), extract(year FROM valid_at), valid_at::DATE, INTERVAL 1 DAY FROM facts",
    "SELECT attributes->>'role', json_extract(attributes, '$.role'), list_filter(episodes, x -> x <> 'p') FROM facts",
    "SELECT [x * 2 FOR x IN episodes], episodes[1:2], {'a': source}, 'abc'.upper() FROM facts",
    "SELECT * FROM range(3) r(i), generate_series(1, 2), unnest([1, 2]) u(v)",
    "SELECT * FROM facts ASOF JOIN prices ON facts.source = prices.item AND facts.valid_at >= prices.day",
    "SELECT 1 UNION BY NAME SELECT 2 EXCEPT SELECT 3",
    "VALUES (1, 'a'), (2, 'b')",
    "SELECT * FROM facts USING SAMPLE 10%",
    "SELECT * FROM facts LIMIT 10%",
    "SELECT * FROM facts LIMIT 7 % 4",
    "SELECT 'DROP TABLE facts; --', 'it''s' AS \"delete\"",
    "SELECT COLUMNS('s.*') FROM facts",
    "SELECT quantile_cont(price, 0.5), mode(price), string_agg(item, ', ') FROM prices GROUP BY ROLLUP (year)",
    "SELECT * FROM facts WHERE (source, target) IN (SELECT source, target FROM facts) AND source ILIKE 'a%' ESCAPE '!'",
    "SELECT coalesce(try_cast(price AS DECIMAL(10, 2)), 0), CASE WHEN price > 1 THEN 'x' END FROM prices",
)


@pytest.mark.parametrize("sql", attacks.DUCKDB)
def test_what_does_more_than_read_the_tables_is_refused(sql: str) -> None:
    refused(sql, DUCKDB)


@pytest.mark.parametrize("sql", attacks.SQLITE)
def test_the_same_holds_in_the_dialect_of_sqlite(sql: str) -> None:
    refused(sql, SQLITE)


@pytest.mark.parametrize("sql", attacks.POSTGRES)
def test_the_same_holds_in_the_dialect_of_postgresql(sql: str) -> None:
    refused(sql, POSTGRES)


def refused(sql: str, dialect: SqlDialect) -> None:
    with pytest.raises(QueryRejected) as refusal:
        check(sql, dialect, READABLE)
    message, hint = refusal.value.message, refusal.value.hint
    assert message.endswith(".")
    assert len(message) < 200
    assert hint.endswith(".")


@pytest.mark.parametrize("sql", HARMLESS)
def test_what_only_reads_the_tables_passes_as_it_stands(sql: str) -> None:
    assert check(sql, DUCKDB, READABLE).sql == sql


def test_the_tables_that_are_read_are_told() -> None:
    sql = "WITH prices AS (FROM shop.orders) SELECT * FROM prices, Facts, facts_as_of('2020')"
    assert check(sql, DUCKDB, READABLE).tables == {("shop", "orders"), ("facts",)}


def test_postgresql_tells_cases_apart_in_quotation_marks_alone() -> None:
    readable = Readable.of(["Orders", "facts"], exactly=True)
    sql = 'WITH "A" AS (SELECT * FROM "Orders"), b AS (SELECT "lower"(x) FROM "A") SELECT * FROM B, Facts, "facts"'
    assert check(sql, POSTGRES, readable).tables == {("Orders",), ("facts",)}
    with pytest.raises(QueryRejected, match="no table “orders”"):
        check("SELECT * FROM Orders", POSTGRES, readable)


COLUMNS = {("t",): frozenset(("a", "b", "u")), ("public", "t"): frozenset(("a", "b", "u")), ("u",): frozenset("ac")}
OF_POSTGRES = replace(Readable.of([*COLUMNS], exactly=True), columns=COLUMNS)
CALLS_BY_A_POINT = (
    "SELECT t.leak FROM t",
    "SELECT (t).leak FROM t",
    "SELECT ((x)).leak FROM t AS x",
    "SELECT x.leak FROM t AS x",
    "SELECT public.t.leak FROM public.t",
    'SELECT t."leak" FROM t',
    'SELECT t.u&"leak" FROM t',
    "SELECT t.a AS leak, t.leak FROM t",
    "SELECT a FROM t ORDER BY t.leak",
    "SELECT count(t.leak) FROM t",
    "SELECT (ARRAY[t])[1].leak FROM t",
    "SELECT (SELECT t FROM t).leak",
    "SELECT (d.row).leak FROM (SELECT t AS row FROM t) d",
    "SELECT d.leak FROM (SELECT t.a FROM t) d",
    "WITH d AS (SELECT a FROM t) SELECT d.leak FROM d",
    "SELECT leak.leak FROM t, unnest(ARRAY[t]) AS leak",
    "SELECT t.c FROM t, u",
    "SELECT j.leak FROM (t JOIN u ON t.a = u.a) AS j",
    "SELECT t.leak FROM (t JOIN u ON t.a = u.a)",
    "SELECT (SELECT d.n FROM (SELECT 1 AS leak) AS x, (SELECT x.leak AS n) AS d) FROM t AS x",
    "SELECT 1 FROM t JOIN LATERAL (SELECT t.leak) AS d ON true",
)
COLUMNS_BEHIND_A_POINT = (
    "SELECT t.a, T.B, t.ctid, t.* FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a)",
    "SELECT x.a FROM t AS x UNION SELECT x.c FROM u AS x",
    "SELECT x.b FROM t AS x WHERE x.a IN (SELECT x.c FROM u AS x)",
    "SELECT (t).a, (x).c FROM t, u AS x",
    "SELECT d.count, d.n, d.date_trunc, d.a FROM (SELECT count(*), 1 AS n, date_trunc('day', b), a::int FROM t) d",
    'SELECT d."N" FROM (SELECT a AS "N" FROM t) AS d',
    "SELECT d.b, e.c FROM (SELECT * FROM t) AS d JOIN (SELECT u.* FROM u) AS e ON d.a = e.a",
    "WITH d AS (SELECT * FROM t), e(z) AS (SELECT d.a FROM d) SELECT e.z, d.b FROM d, e",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT n.i + 1 FROM n) SELECT n.i FROM n",
    "SELECT v.x, w.column1 FROM (VALUES (1)) AS v(x), (VALUES (1)) AS w",
    "SELECT e.key, e.value, g.g, s.d FROM t, jsonb_each(t.a) AS e, generate_series(1, 2) AS g, unnest(t.b) AS s(d)",
    "SELECT t.a, u.c FROM (t JOIN u ON t.a = u.a)",
    "SELECT d.case, d.n FROM t, LATERAL (SELECT CASE WHEN t.a THEN 1 END, t.b AS n) AS d",
)


@pytest.mark.parametrize("sql", CALLS_BY_A_POINT)
def test_no_point_calls_a_function_of_postgresql(sql: str) -> None:
    with pytest.raises(QueryRejected, match=r"no column|U&"):
        check(sql, POSTGRES, OF_POSTGRES)


@pytest.mark.parametrize("sql", COLUMNS_BEHIND_A_POINT)
def test_columns_stand_behind_a_point_in_postgresql(sql: str) -> None:
    assert check(sql, POSTGRES, OF_POSTGRES).sql == sql


def test_sqlite_reads_a_table_behind_in() -> None:
    sql = "WITH a AS (SELECT 1) SELECT 1 IN a, 1 IN (1, source), source NOT IN Prices, 1 IN 'entities' FROM facts"
    checked = check(f"{sql} WHERE 1 IN shop.orders", SQLITE, READABLE)
    assert checked.tables == {("facts",), ("prices",), ("entities",), ("shop", "orders")}


def test_a_missing_table_is_told_with_those_that_there_are() -> None:
    with pytest.raises(QueryRejected, match=r"no table “fact”.*Available: entities, facts, prices, shop\.orders\."):
        check("SELECT * FROM fact", DUCKDB, READABLE)


def test_a_function_of_sqlite_is_left_for_the_database_to_miss() -> None:
    for dialect in DUCKDB, POSTGRES:
        assert check("SELECT julianday(valid_at) FROM facts", dialect, READABLE).sql
    with pytest.raises(QueryRejected, match="glob"):
        check("SELECT glob('/etc/*')", DUCKDB, READABLE)


def test_parameters_are_written_as_each_database_takes_them() -> None:
    sql = "SELECT ':no', a::INT FROM facts WHERE valid_at <= :as_of AND (created_at<:known_at OR :as_of IS NULL)"
    for dialect, first, second in (
        (DUCKDB, "$as_of", "$known_at"),
        (SQLITE, ":as_of", ":known_at"),
        (POSTGRES, "$1", "$2"),
    ):
        checked = check(sql, dialect, READABLE)
        assert checked.parameters == ("as_of", "known_at")
        assert checked.sql == sql.replace(":as_of", first).replace(":known_at", second)


def test_colons_of_lists_and_of_named_values_are_no_parameters() -> None:
    sql = "SELECT episodes[1:n], episodes[:n], {'a':source, b:target}, year: 2020 FROM facts"
    assert check(sql, DUCKDB, READABLE).parameters == ()
