"""Facts from tables: CSV, JSON and Parquet files, and which column means what."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.tables.bad_rows import rejects_file
    from services.tables.column_guesses import date_columns, guess_mapping
    from services.tables.day_order import DayOrder, in_order, open_date
    from services.tables.files import Record, TableFile, open_table, records
    from services.tables.known_tables import known_table
    from services.tables.mapping import (
        ATTRIBUTE,
        LEFT_OUT,
        RowOf,
        TableMapping,
        check_mapping,
        mapping_of,
        row_of,
    )
    from services.tables.table_formats import FACT_ENDINGS
    from services.tables.tables import SOURCES, FactTable, columns_of, facts_of, read_facts
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "ATTRIBUTE",
    "FACT_ENDINGS",
    "LEFT_OUT",
    "SOURCES",
    "DayOrder",
    "FactTable",
    "Record",
    "RowOf",
    "TableFile",
    "TableMapping",
    "check_mapping",
    "columns_of",
    "date_columns",
    "facts_of",
    "guess_mapping",
    "in_order",
    "known_table",
    "mapping_of",
    "open_date",
    "open_table",
    "read_facts",
    "records",
    "rejects_file",
    "row_of",
]
