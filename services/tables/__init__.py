"""Facts from tables: CSV, JSON and Parquet files, and which column means what."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.tables.files import records
    from services.tables.mapping import ATTRIBUTE, LEFT_OUT, TableMapping, check_mapping, date_columns, guess_mapping
    from services.tables.rejects import rejects_file
    from services.tables.tables import SOURCES, FactTable, columns_of, read_facts
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "ATTRIBUTE",
    "LEFT_OUT",
    "SOURCES",
    "FactTable",
    "TableMapping",
    "check_mapping",
    "columns_of",
    "date_columns",
    "guess_mapping",
    "read_facts",
    "records",
    "rejects_file",
]
