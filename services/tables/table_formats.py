"""The formats of tables, by the ending of a file's name. To add one, write its reader and add a line here."""

from collections.abc import Mapping

TABLE_FORMATS: Mapping[str, str] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "excel",
    ".xlsm": "excel",
}
"""Those of a table with any columns."""

FACT_FORMATS: Mapping[str, str] = {**TABLE_FORMATS, ".md": "changelog"}
"""Those of a table of facts."""

FACT_ENDINGS = tuple(FACT_FORMATS)
"""The endings of files that can hold facts, as a form offers them."""
