"""Whether the day or the month comes first in dates such as 02.05.2016, as other cells show or as is said."""

import re
from collections.abc import Iterable
from typing import Any, Literal

type DayOrder = Literal["", "day first", "month first"]
"""What is known of it; "" leaves dates that could be either unread."""
_NUMERIC = re.compile(r"\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)(.*)", re.DOTALL)


def open_date(cells: Iterable[Any]) -> str:
    """Return the first cell whose day and month could be either way round; "" where none is."""
    for cell, first, second in _parts(cells):
        if first != second and first <= 12 and second <= 12:
            return cell
    return ""


def shown_order(cells: Iterable[Any]) -> DayOrder:
    """Return the order that all dates with a day above 12 have; "" where there are none, or of both orders."""
    orders: set[DayOrder] = {
        "day first" if first > 12 else "month first" for _, first, second in _parts(cells) if max(first, second) > 12
    }
    return orders.pop() if len(orders) == 1 else ""


def in_order(cell: Any, order: DayOrder) -> Any:
    """Return a cell with its date as year, month and day; what is no such date stays as it is."""
    found = _NUMERIC.fullmatch(cell) if order and isinstance(cell, str) else None
    if found is None:
        return cell
    first, second = int(found[1]), int(found[3])
    month, day = (second, first) if order == "day first" else (first, second)
    return f"{found[4]}-{month:02}-{day:02}{found[5]}" if month <= 12 else cell


def _parts(cells: Iterable[Any]) -> Iterable[tuple[str, int, int]]:
    found = (_NUMERIC.fullmatch(cell) for cell in cells if isinstance(cell, str))
    return ((one[0].strip(), int(one[1]), int(one[3])) for one in found if one)
