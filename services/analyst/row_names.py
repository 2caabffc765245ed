"""What the rows of a table are shown by: their names, and what keeps those apart that share one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.analyst.sql_plan import Group, RowCondition, SqlPlan
from services.analyst.table_words import NamedColumn, NamedTable
from services.analyst.value_lookup import RunSql
from services.core.errors import AsofError


def names_of(table: NamedTable) -> tuple[NamedColumn, ...]:
    """Return what a row is called by; beside a mere key the first text that says more."""
    labels = table.labels
    is_named = any(one != table.key and one != table.columns[0] for one in labels)
    texts = [one for one in table.columns if one.kind == "text" and one not in labels]
    return labels if is_named else (*labels, *texts[:1])


def kept_apart(plan: SqlPlan, run: RunSql) -> SqlPlan:
    """Return a plan that shows the keys of rows beside names that several of them share."""
    groups = tuple(
        replace(one, is_hidden=False) if one.is_hidden and _are_shared(one.column, plan.groups, run) else one
        for one in plan.groups
    )
    key = plan.table.key
    is_list = not plan.aggregate and key is not None and key not in {one.column for one in groups}
    if key is not None and is_list and _are_shared(key, groups, run):
        groups = (Group(key), *groups)
    return replace(plan, groups=groups, conditions=(*plan.conditions, *_present(plan, run)))


def _present(plan: SqlPlan, run: RunSql) -> Iterator[RowCondition]:
    """Yield that groups have a value: rows without one are of no group, and no rank is of them."""
    known = {one.column for one in plan.conditions if one.operator != "missing"}
    shown = [one.column for one in plan.groups if not one.is_hidden and one.column.kind not in ("list", "flag")]
    for column in dict.fromkeys(shown) if plan.aggregate and not plan.is_share else ():
        if column not in known and not column.formula and _has_gaps(column, run):
            yield RowCondition(column, "present")


def _has_gaps(column: NamedColumn, run: RunSql) -> bool:
    try:
        return any(run(f"SELECT 1 FROM {column.table.read_from} WHERE {column.sql} IS NULL LIMIT 1"))
    except AsofError:
        return False


def _are_shared(key: NamedColumn, groups: Sequence[Group], run: RunSql) -> bool:
    """True where rows of the table of a key share what is shown of them."""
    shown = [one.column.sql for one in groups if one.column.table == key.table and not one.is_hidden and not one.unit]
    shown = [name for name in shown if name != key.sql]
    if not shown:
        return False
    names = ", ".join(shown)
    try:
        return any(run(f"SELECT 1 FROM {key.table.read_from} GROUP BY {names} HAVING count(*) > 1 LIMIT 1"))
    except AsofError:
        return False
