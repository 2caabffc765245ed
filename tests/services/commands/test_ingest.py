"""The command that feeds: files of any kind, texts and pages by the queue, and the facts in them where it is asked."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.commands.arguments import Run
from services.commands.ingest import ingested_text
from services.commands.registry import run_request
from services.core.config import Settings
from services.core.errors import BadInput, Cancelled
from services.core.json_documents import Json
from services.documents import text_formats
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.reading_model import ReadingModel
from tests.fakes.site import Site, article, page
from tests.fakes.word_embedder import WordEmbedder

MODEL = "claude-test"
W = "team"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site({"/": article("Soup", "/leek"), "/leek": article("Leek"), "/gone": article("Gone")}) as site:
        yield site


@pytest.fixture
def services(tmp_path: Path, site: Site, model: ReadingModel) -> Iterator[App]:
    settings = Settings(
        home=with_tables(tmp_path),
        _env_file=None,
        intranet=f"{site.host}:{site.port}",
        model=MODEL,
        anthropic_api_key="sk-test",
        anthropic_base_url=model.url,
    )
    services = build_services(settings, graph=MemoryGraphStore(), embedder=WordEmbedder())
    yield services
    services.close()


def ingest(services: App, run: Run | None = None, **given: object) -> Json:
    return run_request(services, "ingest", {"workspace": W, **given}, run or Run())


def test_a_file_that_is_no_text_fails_alone_and_says_why(services: App) -> None:
    files = [
        {"path": "a.md", "content": b"# Soup\n\nLeek."},
        {"path": "b.pdf", "content": b"no PDF at all \0\1\2"},
        {"path": "c.txt", "content": "Café".encode("cp1252")},
    ]
    told = ingest(services, files=files)
    assert told["documents"] == {"new": 2, "changed": 0, "unchanged": 0}
    assert [problem["id"] for problem in told["problems"]] == ["b.pdf"]
    texts = services.mirrors.of(W).chunk_rows()
    assert {(row.document_id, row.text) for row in texts} == {("a.md", "Leek."), ("c.txt", "Café")}


def test_what_is_in_already_is_told_so_and_what_changed_too(services: App) -> None:
    text = {"path": "a.md", "content": b"# Soup\n\nLeek."}
    assert ingest(services, files=[text])["documents"]["new"] == 1
    assert ingest(services, files=[text])["documents"] == {"new": 0, "changed": 0, "unchanged": 1}
    changed = {**text, "content": b"# Soup\n\nOnion."}
    assert ingest(services, files=[changed])["documents"] == {"new": 0, "changed": 1, "unchanged": 0}


def test_a_day_that_is_given_is_that_of_texts_and_files_without_their_own(services: App) -> None:
    mail = b"From: Ann <ann@x.org>\nDate: Tue, 3 Mar 2020 10:00:00 +0000\nSubject: Soup\n\nLeek."
    files = [{"path": "a.md", "content": b"Leek."}, {"path": "b.eml", "content": mail}]
    ingest(services, files=files, documents=[{"text": "Onion."}], written_on="2024-02-03")
    dates = {d.title or d.id: d.reference_time for d in services.mirrors.of(W).documents()}
    assert sorted(at.date().isoformat() for at in dates.values() if at) == ["2020-03-03", "2024-02-03", "2024-02-03"]


def test_what_the_command_did_is_a_job_in_the_list(services: App) -> None:
    steps: list[tuple[int, int]] = []
    ingest(services, Run(lambda done, total: steps.append((done, total))), documents=[{"text": "Soup", "title": "T"}])
    (job,) = services.jobs.of(W)
    assert (job.kind, job.title, job.state, job.counts) == ("documents", "T", "done", {"done": 1})
    assert (1, 1) in steps


def test_a_site_is_crawled_in_its_bounds(services: App, site: Site) -> None:
    told = ingest(services, url=site.url("/"), mode="recursive", max_pages=5)
    assert told["documents"]["new"] == 2
    assert {document.id for document in services.mirrors.of(W).documents()} == {site.url("/"), site.url("/leek")}
    assert "/gone" not in site.asked
    assert told["left_out"] == 0
    assert "robots.txt" not in ingested_text(told)


def test_pages_that_robots_txt_forbids_are_listed(services: App, site: Site) -> None:
    site.pages["/robots.txt"] = page("User-agent: *\nDisallow: /leek\n", "text/plain")
    told = ingest(services, url=site.url("/"), mode="recursive", max_pages=5)
    assert (told["documents"]["new"], told["left_out"], told["problems"]) == (1, 1, [])
    assert "blocked by robots.txt: 1 page" in ingested_text(told).splitlines()
    assert "blocked by robots.txt: 999 pages" in ingested_text({**told, "left_out": 999}).splitlines()
    assert "blocked by robots.txt: 1,000 or more pages" in ingested_text({**told, "left_out": 1000}).splitlines()


def test_an_address_that_may_not_be_fetched_is_a_problem(services: App) -> None:
    told = ingest(services, url="http://127.0.0.1:9/")
    assert told["documents"]["new"] == 0
    assert len(told["problems"]) == 1


def test_facts_are_written_by_a_model_and_what_it_costs_stands_with_the_job(services: App, model: ReadingModel) -> None:
    told = ingest(services, documents=[{"text": "Ada Lovelace works for Acme since 2015."}], extract=MODEL)
    assert told["facts"] == {"added": 1, "ended": 0, "held": 0}
    assert "facts: 1 added, 0 ended, 0 to review" in ingested_text(told)
    (job,) = services.jobs.of(W)
    assert (job.input_tokens, job.output_tokens) == tuple(model.spent)
    assert services.bridge.run(services.graph.watermark(W)).counts.facts == 1


def test_a_model_that_there_is_not_is_refused_before_anything_is_queued(services: App) -> None:
    with pytest.raises(BadInput, match="no model “gpt”"):
        ingest(services, documents=[{"text": "Soup"}], extract="gpt")
    assert services.jobs.of(W) == ()


def test_when_nobody_waits_any_more_the_job_is_cancelled(services: App) -> None:
    run = Run()
    run.cancel.set()
    with pytest.raises(Cancelled):
        ingest(services, run, documents=[{"text": f"Soup {n}"} for n in range(600)])
    (job,) = services.jobs.of(W)
    assert job.state == "cancelled"


def test_html_is_converted_in_a_process_of_its_own(services: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("HTML was converted in the app's process")

    monkeypatch.setattr(text_formats, "convert", refuse)
    html = "<html><head><title>Menu</title></head><body><h1>Soups</h1><p>Leek & café.</p></body></html>"
    line = json.dumps({"id": "c", "text": html, "format": "html"}).encode()
    told = ingest(
        services, files=[{"path": "a.html", "content": html.encode()}], documents=[{"text": html}], lines=[line]
    )
    assert (told["documents"]["new"], told["problems"]) == (3, [])
    assert {(row.title, row.format) for row in services.mirrors.of(W).documents()} == {("Menu", "markdown")}
    assert {row.text for row in services.mirrors.of(W).chunk_rows()} == {"Leek & café."}
