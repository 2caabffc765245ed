"""Tables of things, made up: energy, football, houses, roads, bills, crops and courses."""

from tests.services.analyst.made_tables import MadeTable, R, T, d


def tables_of_things() -> dict[str, list[MadeTable]]:
    """Return the tables by domain, as `R` makes them from where it stands."""
    out: dict[str, list[MadeTable]] = {}
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
