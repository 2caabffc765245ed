"""Tables of people's affairs, made up: a library, a hospital, a shop, films, staff, flights and tickets."""

import random
from typing import Any

R = random.Random(5)
NAMES = tuple(
    f"{a} {b}" for a in ("Ann", "Bob", "Cleo", "Dan", "Eva", "Finn", "Gina") for b in ("Moss", "Reed", "Stone")
)
MadeTable = tuple[str, list[str], list[tuple[Any, ...]]]


def d(first: int, last: int) -> str:
    """Return a day between two years."""
    return f"{R.randint(first, last)}-{R.randint(1, 12):02}-{R.randint(1, 28):02}"


def T(name: str, columns: list[str], rows: list[tuple[Any, ...]]) -> MadeTable:
    """Return a table."""
    return name, columns, rows


def tables_of_people() -> dict[str, list[MadeTable]]:
    """Return the tables by domain, as `R` makes them from where it stands."""
    out: dict[str, list[MadeTable]] = {}
    out["library"] = [
        T(
            "books",
            ["book_id", "title", "author", "genre", "published_year", "pages", "language"],
            [
                (
                    i,
                    f"Book {chr(65 + i % 26)}{i}",
                    R.choice(NAMES),
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
                for i, n in enumerate(NAMES)
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
                    R.choice(NAMES) + f" {i % 50}",
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
                    f"{R.choice(NAMES)} {i}",
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
                    R.choice(NAMES),
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
                    R.choice(NAMES),
                    R.choice(["open", "closed", "on hold"]),
                    R.randint(1, 5),
                    R.choice(["Germany", "Austria"]),
                )
                for i in range(300)
            ],
        )
    ]
    return out
