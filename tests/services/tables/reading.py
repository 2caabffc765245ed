"""Tables written short, and what is wrong with them."""

import io

import pyarrow as pa
import pyarrow.parquet as pq

from services.tables.tables import FactTable, read_facts


def parquet(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def facts(header: str, *lines: str, **options: bool) -> FactTable:
    return read_facts("facts.csv", "\n".join((header, *lines)).encode(), **options)


def problems(table: FactTable) -> list[tuple[int, str]]:
    return [(problem.number, problem.column) for problem in table.problems]
