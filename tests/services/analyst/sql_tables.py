"""Tables of several domains, made up, with questions about them and the SQL that answers each."""

import csv
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from services.sql.catalog import DatabaseColumn, DatabaseTable
from services.sql.query_tables import QueryTable, sql_name

QUESTIONS = Path(__file__).parent / "data" / "sql_questions.tsv"
R = random.Random(5)
MadeTable = tuple[str, list[str], list[tuple[Any, ...]]]


def d(first: int, last: int) -> str:
    """Return a day between two years."""
    return f"{R.randint(first, last)}-{R.randint(1, 12):02}-{R.randint(1, 28):02}"


def T(name: str, columns: list[str], rows: list[tuple[Any, ...]]) -> MadeTable:
    """Return a table."""
    return name, columns, rows


def databases() -> dict[str, list[MadeTable]]:
    """Return the tables of each domain, the same each time."""
    R.seed(5)
    out: dict[str, list[MadeTable]] = {}
    names = [
        f"{a} {b}" for a in ("Ann", "Bob", "Cleo", "Dan", "Eva", "Finn", "Gina") for b in ("Moss", "Reed", "Stone")
    ]
    out["library"] = [
        T(
            "books",
            ["book_id", "title", "author", "genre", "published_year", "pages", "language"],
            [
                (
                    i,
                    f"Book {chr(65 + i % 26)}{i}",
                    R.choice(names),
                    R.choice(["Fantasy", "Crime", "Science Fiction", "Biography", "Poetry"]),
                    R.randint(1950, 2023),
                    R.randint(80, 900),
                    R.choice(["English", "German", "French"]),
                )
                for i in range(1, 81)
            ],
        ),
        T(
            "loans",
            ["loan_id", "book_id", "member_id", "loan_date", "return_date", "overdue_days"],
            [
                (i, R.randint(1, 80), R.randint(1, 21), d(2019, 2023), d(2019, 2024), R.choice([0, 0, 0, 3, 12]))
                for i in range(1, 301)
            ],
        ),
        T(
            "members",
            ["member_id", "name", "city", "joined_on", "membership_type"],
            [
                (
                    i + 1,
                    n,
                    R.choice(["Leeds", "York", "Hull"]),
                    d(2012, 2020),
                    R.choice(["standard", "student", "senior"]),
                )
                for i, n in enumerate(names)
            ],
        ),
    ]
    out["hospital"] = [
        T(
            "admissions",
            [
                "admission_no",
                "patient_name",
                "gender",
                "age",
                "ward",
                "diagnosis",
                "admitted_on",
                "discharged_on",
                "cost_eur",
                "emergency",
            ],
            [
                (
                    f"A{i:04}",
                    R.choice(names) + f" {i % 50}",
                    R.choice(["F", "M"]),
                    R.randint(1, 95),
                    R.choice(["Cardiology", "Surgery", "Paediatrics", "Oncology"]),
                    R.choice(["asthma", "fracture", "pneumonia", "stroke", "migraine"]),
                    d(2018, 2022),
                    d(2018, 2022),
                    round(R.random() * 9000, 2),
                    R.choice([True, False]),
                )
                for i in range(250)
            ],
        )
    ]
    out["shop"] = [
        T(
            "orders",
            ["order_id", "customer_id", "order_date", "shipped_date", "status", "channel", "total_amount"],
            [
                (
                    i,
                    R.randint(1, 40),
                    d(2020, 2024),
                    d(2020, 2024),
                    R.choice(["delivered", "delivered", "cancelled", "pending", "returned"]),
                    R.choice(["web", "store", "phone"]),
                    round(R.random() * 500, 2),
                )
                for i in range(1, 401)
            ],
        ),
        T(
            "customers",
            ["customer_id", "customer_name", "country", "segment", "signup_date"],
            [
                (
                    i,
                    f"{R.choice(names)} {i}",
                    R.choice(["Germany", "France", "Spain", "Italy", "Poland"]),
                    R.choice(["Consumer", "Corporate"]),
                    d(2015, 2021),
                )
                for i in range(1, 41)
            ],
        ),
        T(
            "products",
            ["product_id", "product_name", "category", "unit_price", "stock"],
            [
                (
                    i,
                    f"Gadget {i}",
                    R.choice(["Toys", "Garden", "Kitchen", "Office"]),
                    round(R.random() * 200, 2),
                    R.randint(0, 300),
                )
                for i in range(1, 61)
            ],
        ),
        T(
            "order_items",
            ["item_id", "order_id", "product_id", "quantity", "price"],
            [
                (i, R.randint(1, 400), R.randint(1, 60), R.randint(1, 9), round(R.random() * 200, 2))
                for i in range(1, 900)
            ],
        ),
    ]
    out["films"] = [
        T(
            "movies_2024_export",
            [
                "Title",
                "Director",
                "Release Year",
                "Genre",
                "IMDb Rating",
                "Box Office (USD)",
                "Runtime (min)",
                "Studio",
                "Country",
            ],
            [
                (
                    f"Film {i}",
                    R.choice(names),
                    R.randint(1990, 2023),
                    R.choice(["Drama", "Comedy", "Thriller", "Animation", "Horror"]),
                    round(R.uniform(3, 9.5), 1),
                    R.randint(10**5, 10**9),
                    R.randint(70, 210),
                    R.choice(["Orion", "Lionsgate", "A24", "Gaumont"]),
                    R.choice(["USA", "UK", "France", "Japan"]),
                )
                for i in range(200)
            ],
        )
    ]
    out["hr"] = [
        T(
            "staff",
            [
                "emp_id",
                "first_name",
                "last_name",
                "dept",
                "job_title",
                "salary",
                "hire_date",
                "office",
                "is_remote",
                "manager_id",
            ],
            [
                (
                    i,
                    R.choice(["Ann", "Bob", "Cleo", "Dan"]),
                    f"Surname{i}",
                    R.choice(["Sales", "Engineering", "Finance", "Support"]),
                    R.choice(["Analyst", "Engineer", "Manager", "Clerk"]),
                    R.randint(30000, 140000),
                    d(2010, 2023),
                    R.choice(["Berlin", "Paris", "Madrid"]),
                    R.choice([True, False]),
                    R.randint(1, 20),
                )
                for i in range(1, 151)
            ],
        )
    ]
    out["flights"] = [
        T(
            "flights",
            [
                "flight_no",
                "airline",
                "origin",
                "destination",
                "departure_time",
                "delay_minutes",
                "distance_km",
                "cancelled",
                "aircraft_type",
            ],
            [
                (
                    f"F{i}",
                    R.choice(["Condor", "Iberia", "Finnair", "KLM"]),
                    R.choice(["BER", "MAD", "HEL", "AMS"]),
                    R.choice(["JFK", "LAX", "BER", "CDG"]),
                    d(2021, 2023) + f" {R.randint(0, 23):02}:00:00",
                    R.randint(0, 180),
                    R.randint(200, 9000),
                    R.choice([0, 0, 0, 1]),
                    R.choice(["A320", "B737", "E190"]),
                )
                for i in range(500)
            ],
        )
    ]
    out["tickets"] = [
        T(
            "support_tickets",
            [
                "ticket_id",
                "created_at",
                "closed_at",
                "priority",
                "product",
                "agent",
                "status",
                "satisfaction_score",
                "country",
            ],
            [
                (
                    i,
                    d(2021, 2024),
                    d(2021, 2024),
                    R.choice(["low", "medium", "high", "urgent"]),
                    R.choice(["Router X", "Modem Y", "Cloud Z"]),
                    R.choice(names),
                    R.choice(["open", "closed", "on hold"]),
                    R.randint(1, 5),
                    R.choice(["Germany", "Austria"]),
                )
                for i in range(300)
            ],
        )
    ]
    out["energy"] = [
        T(
            "power_plants",
            ["plant", "fuel", "capacity_mw", "commissioned", "operator", "state", "co2_tonnes"],
            [
                (
                    f"Plant {i}",
                    R.choice(["coal", "gas", "wind", "solar", "nuclear"]),
                    R.randint(10, 2000),
                    R.randint(1965, 2022),
                    R.choice(["RWE", "EnBW", "Uniper"]),
                    R.choice(["Bavaria", "Hesse", "Saxony"]),
                    R.randint(0, 10**6),
                )
                for i in range(120)
            ],
        )
    ]
    out["football"] = [
        T(
            "players",
            [
                "player_id",
                "player_name",
                "position",
                "club",
                "nationality",
                "date_of_birth",
                "market_value_eur",
                "goals",
                "appearances",
            ],
            [
                (
                    i,
                    f"Player {i}",
                    R.choice(["Goalkeeper", "Defender", "Midfielder", "Forward"]),
                    R.choice(["Ajax", "Porto", "Celtic", "Lyon"]),
                    R.choice(["Dutch", "French", "Scottish", "Brazilian"]),
                    d(1988, 2004),
                    R.randint(10**5, 9 * 10**7),
                    R.randint(0, 30),
                    R.randint(1, 38),
                )
                for i in range(150)
            ],
        ),
        T(
            "matches",
            [
                "match_id",
                "season",
                "match_date",
                "home_team",
                "away_team",
                "home_goals",
                "away_goals",
                "attendance",
                "stadium",
            ],
            [
                (
                    i,
                    R.choice(["2020/21", "2021/22", "2022/23"]),
                    d(2020, 2023),
                    R.choice(["Ajax", "Porto", "Celtic", "Lyon"]),
                    R.choice(["Ajax", "Porto", "Celtic", "Lyon"]),
                    R.randint(0, 5),
                    R.randint(0, 5),
                    R.randint(5000, 60000),
                    R.choice(["Arena", "Dragao", "Park"]),
                )
                for i in range(200)
            ],
        ),
    ]
    out["estate"] = [
        T(
            "listings",
            [
                "listing_id",
                "city",
                "neighbourhood",
                "property_type",
                "bedrooms",
                "price",
                "area_sqm",
                "listed_on",
                "sold_on",
                "agent",
                "has_garden",
            ],
            [
                (
                    i,
                    R.choice(["Oslo", "Bergen", "Trondheim"]),
                    f"N{R.randint(1, 12)}",
                    R.choice(["apartment", "house", "studio"]),
                    R.randint(1, 6),
                    R.randint(10**5, 10**6),
                    R.randint(20, 300),
                    d(2018, 2023),
                    d(2019, 2024),
                    R.choice(["Hansen", "Olsen", "Berg"]),
                    R.choice([True, False]),
                )
                for i in range(220)
            ],
        )
    ]
    out["roads"] = [
        T(
            "accidents",
            [
                "accident_ref",
                "occurred_at",
                "road_type",
                "weather",
                "severity",
                "vehicles_involved",
                "casualties",
                "speed_limit",
                "district",
            ],
            [
                (
                    f"R{i}",
                    d(2015, 2021) + " 10:00:00",
                    R.choice(["motorway", "rural", "urban"]),
                    R.choice(["rain", "snow", "clear", "fog"]),
                    R.choice(["slight", "serious", "fatal"]),
                    R.randint(1, 5),
                    R.randint(0, 6),
                    R.choice([30, 50, 70, 100]),
                    R.choice(["North", "South", "East", "West"]),
                )
                for i in range(300)
            ],
        )
    ]
    out["billing"] = [
        T(
            "clients",
            ["client_id", "company_name", "industry", "country", "account_manager"],
            [
                (
                    i,
                    f"Firm {i}",
                    R.choice(["Retail", "Banking", "Energy"]),
                    R.choice(["Norway", "Sweden", "Denmark"]),
                    R.choice(["Ida", "Nils"]),
                )
                for i in range(1, 31)
            ],
        ),
        T(
            "invoices",
            ["invoice_id", "client_id", "issue_date", "due_date", "paid", "amount_due", "currency"],
            [
                (
                    i,
                    R.randint(1, 30),
                    d(2019, 2023),
                    d(2019, 2024),
                    R.choice([True, False]),
                    round(R.random() * 5000, 2),
                    R.choice(["NOK", "SEK", "EUR"]),
                )
                for i in range(1, 300)
            ],
        ),
    ]
    out["crops"] = [
        T(
            "harvests",
            ["farm", "region", "crop", "harvest_year", "yield_tonnes", "hectares", "organic"],
            [
                (
                    f"Farm {i % 40}",
                    R.choice(["Tuscany", "Lazio", "Puglia"]),
                    R.choice(["wheat", "olives", "tomatoes", "barley"]),
                    R.randint(2010, 2022),
                    round(R.random() * 300, 1),
                    R.randint(5, 200),
                    R.choice(["yes", "no"]),
                )
                for i in range(260)
            ],
        )
    ]
    out["courses"] = [
        T(
            "enrollments",
            ["enrollment_id", "student", "course", "department", "semester", "enrolled_on", "grade", "completed"],
            [
                (
                    i,
                    f"Student {i % 70}",
                    R.choice(["Algebra", "Genetics", "Ethics", "Databases"]),
                    R.choice(["Maths", "Biology", "Philosophy", "Computing"]),
                    R.choice(["spring", "autumn"]),
                    d(2018, 2023),
                    round(R.uniform(1, 6), 1),
                    R.choice([0, 1]),
                )
                for i in range(350)
            ],
        )
    ]
    return out


def questions() -> list[tuple[str, str, str]]:
    """Return questions with their domain and SQL; "NONE" where no SQL is to be written."""
    return [tuple(line.split("\t")) for line in QUESTIONS.read_text().splitlines()]  # type: ignore[misc]


def open_tables(tables: Sequence[MadeTable], folder: Path) -> tuple[duckdb.DuckDBPyConnection, list[QueryTable]]:
    """Load tables into a database of DuckDB, and return it with what is known of them."""
    connection, known = duckdb.connect(), []
    for name, columns, rows in tables:
        with (folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([columns, *rows])
        connection.execute(f"CREATE TABLE {name} AS FROM read_csv('{folder / name}.csv')")
        described = connection.execute(f"DESCRIBE {name}").fetchall()
        found = tuple(
            DatabaseColumn(name=column, type=kind, samples=samples(connection, name, column))
            for column, kind, *_ in described
        )
        known.append(
            QueryTable(sql_name(name), "db", "duckdb", DatabaseTable(name=name, columns=found, rows=len(rows)))
        )
    return connection, known


def samples(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> tuple[str, ...]:
    """Return the most frequent values of a column."""
    sql = f'SELECT "{column}" FROM {table} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 5'
    return tuple(str(value) for (value,) in connection.execute(sql).fetchall())
