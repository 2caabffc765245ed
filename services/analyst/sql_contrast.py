"""What a question sets against each other: "email vs phone", "settled and not settled", "smart ones and the rest"."""

import re
from collections.abc import Iterator

from services.analyst import sql_cues
from services.analyst.sql_conditions import ConditionReader
from services.analyst.sql_plan import Group, RowCondition
from services.analyst.sql_tags import TableReading

_OF_EACH = re.compile(r"\beach\W*$")


def take_contrast(reading: TableReading, chosen: ConditionReader) -> list[Group]:
    """Return the columns by which rows are set against each other, and take their conditions where all rows remain."""
    cues, rest = sql_cues.spans("contrast", reading.low), sql_cues.spans("rest", reading.low)
    groups: list[Group] = []
    for one in _both_ways(chosen.conditions):
        chosen.conditions = [kept for kept in chosen.conditions if kept.column != one.column]
        groups.append(Group(one.column))
    flags = [one for one in chosen.conditions if one.operator in ("true", "false")]
    if not groups and cues and rest and len(flags) == 1:
        chosen.conditions.remove(flags[0])
        chosen.used |= {place for span in rest for place in reading.places(*span)}
        groups.append(Group(flags[0].column))
    several = [one for one in chosen.conditions if one.operator == "in" and len(one.values) > 1]
    if not groups and len(several) == 1 and (cues or _OF_EACH.search(reading.low)):
        groups.append(Group(several[0].column))
    chosen.failed |= bool(cues) and not groups
    return groups


def _both_ways(conditions: list[RowCondition]) -> Iterator[RowCondition]:
    """Yield one of two conditions that no row can meet together."""
    opposite = {"false": "true", "not in": "in", "present": "missing"}
    for one in conditions:
        if any((one.column, opposite.get(one.operator)) == (other.column, other.operator) for other in conditions):
            yield one
