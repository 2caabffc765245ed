"""Small tables of everyday data, one with odd names of columns, for questions of many shapes."""

import random
from pathlib import Path
from typing import Any

from tests.services.analyst.sql_tables import MadeTable

QUESTIONS = Path(__file__).parent / "data" / "plain_questions.tsv"


def plain_databases() -> dict[str, list[MadeTable]]:
    """Return the tables of each domain, the same each time."""
    chance = random.Random(18)

    def day(first: int, last: int) -> str:
        return f"{chance.randint(first, last)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"

    def people(n: int) -> tuple[Any, ...]:
        city, job = chance.choice(("Ghent", "Bruges", "Antwerp", "Leuven")), chance.choice(("nurse", "clerk", "baker"))
        return (n, f"Person {n}", city, chance.randint(18, 80), job, chance.randint(20, 90) * 1000, day(2015, 2024))

    def orders(n: int) -> tuple[Any, ...]:
        category, status = chance.choice(("books", "toys", "garden")), chance.choice(("paid", "open", "cancelled"))
        amount, shipped = round(chance.uniform(5, 400), 2), chance.choice((None, day(2024, 2024)))
        return (n, chance.randint(1, 40), category, chance.randint(1, 9), amount, status, day(2021, 2023), shipped)

    def readings(n: int) -> tuple[Any, ...]:
        sensor, room = f"S{chance.randint(1, 8)}", chance.choice(("attic", "cellar", "kitchen"))
        figures = round(chance.uniform(5, 30), 1), round(chance.uniform(20, 90), 1), chance.choice((None, 40, 80, 100))
        return (n, sensor, room, *figures, f"{day(2022, 2023)} {chance.randint(0, 23):02}:00:00")

    def staff(n: int) -> tuple[Any, ...]:
        return (
            n,
            f"Name {n}",
            chance.choice(("HR", "IT", "OPS")),
            day(2010, 2022),
            chance.randint(25, 95) * 1000,
            chance.choice(("Berlin", "Rome")),
            chance.choice(("Y", "N")),
        )

    return {
        "market": [
            (
                "people",
                ["id", "name", "city", "age", "job", "salary", "joined_on"],
                [people(n) for n in range(1, 41)],
            ),
            (
                "orders",
                ["order_id", "person_id", "category", "quantity", "amount", "status", "ordered_on", "shipped_on"],
                [orders(n) for n in range(1, 201)],
            ),
        ],
        "house": [
            (
                "readings",
                ["reading_id", "sensor", "room", "temperature", "humidity", "battery_pct", "measured_at"],
                [readings(n) for n in range(1, 151)],
            )
        ],
        "payroll": [
            (
                "tbl_Emp_Mst",
                ["EmpNo", "EmpNm", "Dept Cd", "HireDt", "Ann_Sal_USD", "Loc.", "isMgr"],
                [staff(n) for n in range(1, 61)],
            )
        ],
    }


def plain_questions() -> list[tuple[str, ...]]:
    """Return each question with its class, its domain and the SQL that answers it."""
    return [tuple(line.split("\t")) for line in QUESTIONS.read_text().splitlines()]
