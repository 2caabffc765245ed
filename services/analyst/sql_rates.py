"""Rates of what is said of rows with yes or no: the "cancellation rate" of a column `cancelled`."""

import re
from collections.abc import Sequence

from services.analyst.question_words import stem
from services.analyst.table_words import NamedTable
from services.analyst.word_likeness import share_root

_RATE = re.compile(r"\b(\w{5,}) rates?(?: (?:in|as a) (?:percent|percentage|%))?(?!\w)", re.IGNORECASE)


def without_rates(text: str, tables: Sequence[NamedTable]) -> str:
    """Put "percentage of bookings that were cancelled" for "cancellation rate", where one table alone can mean it."""
    columns = [(table, column) for table in tables for column in table.columns]

    def plain(found: re.Match[str]) -> str:
        done = stem(found[1].lower())
        if any("rate" in column.words and column.has_words([done]) for _, column in columns):
            return found[0]
        meant = [
            (table, column)
            for table, column in columns
            if column.kind == "flag" and any(share_root(done, word) for word in column.words)
        ]
        if len(meant) != 1:
            return found[0]
        table, column = meant[0]
        return f"percentage of {table.table.table.name} that were {column.column.name}"

    return _RATE.sub(plain, text)
