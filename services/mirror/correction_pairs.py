"""Which record took the place of which: nobody writes it down, so it is read off the records."""

import duckdb

from services.mirror.reads import Parameters, one

_COLUMNS = "rowid AS id, uuid, source_key, relation, target_key, valid_at"

_SAME = ("source_key", "relation", "instant")
"""What a withdrawn record and the one in its place share; the instant is when one was withdrawn, the other recorded."""

_IN_COMMON = (("target_key", "valid_at"), ("target_key",), ("valid_at",), ())
"""Where several records could have taken the place, those that have more in common are paired first."""

_REPLACING = """
    CREATE TEMP TABLE replacing AS
    SELECT * FROM ({candidates}) AS candidate SEMI JOIN withdrawn ON {matches}"""

_PAIR = """
    INSERT INTO pairs
    SELECT candidate.id, withdrawn.id FROM ({replacing}) AS candidate JOIN ({withdrawn}) AS withdrawn
    ON {matches} AND candidate.nth = withdrawn.nth"""

_LEFT = """
    SELECT *, row_number() OVER (PARTITION BY {keys} ORDER BY valid_at, uuid) AS nth FROM {table}
    WHERE id NOT IN (SELECT {side} FROM pairs)"""


def pair_corrections(
    cursor: duckdb.DuckDBPyConnection, withdrawn: str, candidates: str, parameters: Parameters
) -> bool:
    """Leave the tables `withdrawn`, `replacing` and `pairs (newer, older)` in the session; rows are named by id.

    `withdrawn` and `candidates` are questions for `{columns}`, `shown` and `instant`; a record is in one pair at most.
    False when nothing was withdrawn: `replacing` is then left out.
    """
    cursor.execute("CREATE TEMP TABLE pairs (newer BIGINT, older BIGINT)")
    cursor.execute("CREATE TEMP TABLE withdrawn AS " + withdrawn.format(columns=_COLUMNS), dict(parameters))
    if not one(cursor, "SELECT count(*) FROM withdrawn")[0]:
        return False
    replacing = _REPLACING.format(candidates=candidates.format(columns=_COLUMNS), matches=_matches(_SAME))
    cursor.execute(replacing, dict(parameters))
    if not one(cursor, "SELECT count(*) FROM replacing")[0]:
        return True
    for common in _IN_COMMON:
        keys = (*_SAME, *common)
        left = {
            side: _LEFT.format(keys=", ".join(keys), table=table, side=side)
            for side, table in (("newer", "replacing"), ("older", "withdrawn"))
        }
        cursor.execute(_PAIR.format(replacing=left["newer"], withdrawn=left["older"], matches=_matches(keys)))
    return True


def _matches(keys: tuple[str, ...]) -> str:
    return " AND ".join(f"candidate.{key} IS NOT DISTINCT FROM withdrawn.{key}" for key in keys)
