"""The Overview page: figures, the chart's choice, what changed and what to look at."""

import csv
import io
import re
from datetime import timedelta
from pathlib import Path

import pytest

from components.address import View
from components.change_files import as_csv
from components.overview.all_changes import changes_of_kind
from components.still_reading import still_reading
from services.agent.app import App
from services.context import OpenWorkspace
from services.core.config import Settings
from services.core.health_records import pair_key
from services.core.import_rows import Row
from services.core.models import Entity, Fact, GraphWrite
from services.writing.importer import import_rows
from tests.fakes.held_graph import HeldGraphStore
from tests.pages.conftest import day, displayed, opened, popovers, serving, small_graph, words


def test_the_figures_are_those_of_the_date(filled: App) -> None:
    page = words(opened("Overview", w="team", as_of="2021-06-01"))
    assert "Facts that hold 3" in page
    assert "Undated facts 1" in page


def test_the_chart_opens_on_the_relation_that_has_one_value_at_a_time(filled: App) -> None:
    app = opened("Overview", w="team")
    assert app.selectbox(key="chart_relation").value == "WORKS_FOR"
    app.selectbox(key="chart_relation").select("KNOWS").run()
    assert "“knows” over time" in words(app)
    assert not app.exception


def test_the_latest_changes_come_with_their_causes(filled: App) -> None:
    app = opened("Overview", w="team", as_of="2023-01-01")
    page = words(app)
    latest = page[page.index("Latest changes") :]
    assert "Engines → Labs" in latest
    assert "Ada joined Labs" in latest
    assert any("correct=f2" in link for link in displayed(app).links("Edit fact"))


def test_all_changes_between_two_dates_are_listed_found_and_saved(filled: App) -> None:
    app = opened("Overview", w="team", as_of="2019-01-01", to="2023-01-01")
    assert "All changes" not in words(app)
    app.button(key="changes_all").click().run()
    page = words(app)
    assert "2019-01-01 → 2023-01-01" in page
    everything = page[page.index("All changes") :]
    assert "3 changes" in everything
    assert {"Ada", "Labs", "Bob", "Cy"} <= set(displayed(app).text.split())
    app.text_input(key="changes_text").set_value("bob").run()
    assert "1 change " in words(app)
    app.text_input(key="changes_text").set_value("nobody at all").run()
    assert "No changes match." in words(app)
    assert not app.exception


def test_a_count_of_changes_lists_those_of_its_kind_when_it_is_clicked(filled: App) -> None:
    app = opened("Overview", w="team", as_of="2020-06-01", to="2023-01-01")
    counts = app.button_group(key="changes_kind")
    assert counts.options == ["+ 2 added", "− 1 ended"]
    counts.set_value("ended").run()
    app.button(key="changes_all").click().run()
    page = words(app)
    assert "1 change " in page[page.index("All changes") :]
    app.query_params["to"] = "2021-06-01"
    app.run()
    page = words(app)
    assert not app.exception
    assert "1 change " in page[page.index("All changes") :], "of a kind that there is no more, all are listed"


def test_the_file_of_changes_has_a_row_for_each(filled: App) -> None:
    changes = changes_of_kind("team", View(as_of=day("2020-06-01"), to=day("2023-01-01")), None)
    saved = list(csv.DictReader(io.StringIO(as_csv(changes), newline="")))
    assert [(row["change"], row["target"], row["changed_at"][:10]) for row in saved] == [
        ("added", "Cy", "2021-01-01"),
        ("ended", "Engines", "2022-07-01"),
        ("added", "Labs", "2022-07-01"),
    ]
    assert saved[0]["source"] == "Ada"


def test_before_the_first_fact_the_page_says_when_it_begins(filled: App) -> None:
    page = words(opened("Overview", w="team", as_of="1850-01-01"))
    assert "The first fact in this graph starts on 2019-03-01" in page


def test_contradicting_facts_and_late_ones_are_there_to_review(filled: App) -> None:
    people = tuple(Entity(f"p{n}", f"Person {n}", ("Person",)) for n in range(30))
    jobs = [
        Fact(
            f"j{n}-{year}",
            f"p{n}",
            target,
            f"Person {n}",
            "WORKS_FOR",
            target.title(),
            valid_at=day(f"{year}-01-01"),
            invalid_at=day("2015-01-01") if year == 2010 and n else None,
            created_at=day(f"{year}-01-01"),
        )
        for n in range(30)
        for year, target in ((2010, "engines"), (2015, "labs"))
    ]
    jobs.append(
        Fact(
            "late",
            "p1",
            "fly",
            "Person 1",
            "LIKES",
            "Fly",
            valid_at=day("2011-01-01"),
            created_at=day("2011-01-01") + timedelta(days=400),
        )
    )
    filled.bridge.run(filled.graph.write("team", GraphWrite(people, tuple(jobs))))
    filled.mirrors.sync("team")
    page = words(opened("Overview", w="team", as_of="2020-06-01"))
    assert "1 contradictory · 1 late · 1 undated" in page
    assert "Person 0 works for “Engines” and “Labs” at once" in page
    assert "400 days late" in page
    filled.accounts.dismissals.add("team", "contradiction", [pair_key("j0-2010", "j0-2015")])
    filled.accounts.dismissals.add("team", "undated", ["f5"])
    assert "1 late" in words(opened("Overview", w="team", as_of="2020-06-01"))


def test_what_was_recorded_a_moment_ago_is_on_the_page(filled: App) -> None:
    rows = [Row(1, "Ada", "KNOWS", "Zoe", valid_at=day("2020-01-01"))]
    before = words(opened("Overview", w="team"))
    import_rows(filled.workspace("team"), rows, title="one more")
    after = words(opened("Overview", w="team"))
    held = re.compile(r"Facts that hold (\d+)")
    assert [int(held.findall(page)[0]) for page in (before, after)] == [3, 4]


def test_while_the_graph_is_read_the_page_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.shell._PATIENCE", 0.0)
    graph = HeldGraphStore()
    with serving(Settings(home=tmp_path, _env_file=None), graph) as services:
        services.bridge.run(graph.write("team", small_graph()))
        services.accounts.add("team", "Team memory")
        try:
            app = opened("Overview", w="team")
            page = words(app)
            assert "Still reading" in page
            assert "No facts yet" not in page
            assert any("% read" in label for label in popovers(app))
            assert "Still reading" in words(opened("Search", w="team"))
        finally:
            graph.go_on.set()
        services.mirrors.sync("team")
        assert "Facts that hold" in words(opened("Overview", w="team"))


def test_a_page_that_was_drawn_while_the_last_facts_were_read_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("components.shell._PATIENCE", 0.0)
    graph = HeldGraphStore()
    with serving(Settings(home=tmp_path, _env_file=None), graph) as services:

        def read_meanwhile(workspace: OpenWorkspace) -> None:
            graph.go_on.set()
            services.mirrors.sync(workspace.name)
            still_reading(workspace)

        services.bridge.run(graph.write("team", small_graph()))
        services.accounts.add("team", "Team memory")
        monkeypatch.setattr("components.still_reading.still_reading", read_meanwhile)
        assert "Facts that hold" in words(opened("Overview", w="team"))


def test_the_two_clocks_are_explained_until_the_user_has_closed_that(filled: App) -> None:
    app = opened("Overview", w="team")
    assert "Two clocks" in words(app)
    app.button(key="two_clocks_seen").click().run()
    assert "shown once" not in words(app)
    assert "shown once" not in words(opened("Overview", w="team"))


def test_what_was_recorded_since_the_last_visit_is_counted_until_it_is_seen(filled: App) -> None:
    assert "Recorded since your last visit" not in words(opened("Overview", w="team"))
    user, marks = filled.accounts.users.local().id, filled.accounts.marks
    marks.put(user, "seen", day("2020-06-01"), "team")
    app = opened("Overview", w="team")
    page = words(app)
    assert "Recorded since your last visit 2020-06-01 00:00Z + 2 added − 1 ended" in page
    assert "known_at=2020-06-01" in displayed(app).links("Compare in Explore")[0]
    app.button(key="mark_seen").click().run()
    assert "Recorded since your last visit" not in words(app)
    marks.put(user, "opened", day("2021-06-01"), "team")
    marks.put(user, "seen", day("2020-06-01"), "team")
    assert "Recorded since your last visit 2021-06-01 00:00Z + 1 added − 1 ended" in words(opened("Overview", w="team"))
