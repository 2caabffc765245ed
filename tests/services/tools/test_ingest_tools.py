"""Tools that feed the graph: exact inputs, files only from where they may come, and a job for what they begin."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.errors import BadInput, FetchRefused
from services.jobs.texts import text_item
from services.tools.registry import TOOLS
from services.tools.tool import Context
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

W = "team"
INGEST = TOOLS["knowledge_ingest"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "shared"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "a.md").write_text("# Soup\n\nLeek.\n", encoding="utf-8")
    return folder


@pytest.fixture
def services(tmp_path: Path, folder: Path) -> Iterator[App]:
    settings = Settings(home=with_tables(tmp_path / "home"), _env_file=None, folders=f"{folder}, {tmp_path / 'none'}")
    services = build_services(settings, graph=MemoryGraphStore())
    yield services
    services.close()


@pytest.fixture
def context(services: App) -> Context:
    return Context(services.workspace(W), user_id="ada")


def test_a_text_becomes_a_job_with_its_document(services: App, context: Context) -> None:
    told = INGEST(context, {"text": "Leek soup\nis on Monday.", "tags": ["menu"]}).document
    job = services.jobs.get(told["jobId"])
    assert job is not None
    assert (job.kind, job.workspace, job.user_id, job.title, job.options) == (
        "documents",
        W,
        "ada",
        "Leek soup",
        {"tags": ["menu"]},
    )
    (item,) = services.accounts.jobs.items(job.id)
    assert (told["state"], told["documentId"]) == ("queued", item.payload["id"])
    assert item.payload["text"] == "Leek soup\nis on Monday."
    again = INGEST(context, {"text": "Leek soup\nis on Monday."}).document
    assert again["documentId"] == told["documentId"]


def test_the_same_call_begins_one_job(services: App) -> None:
    context = Context(services.workspace(W), call_id="7d0d9c1e-7c5b-4f0a-9a4b-6f1f6b6d3a10")
    assert INGEST(context, {"text": "Soup"}).document == INGEST(context, {"text": "Soup"}).document
    assert len(services.jobs.of(W)) == 1


def test_what_was_attached_to_a_text_meanwhile_is_not_taken_for_it(services: App) -> None:
    context = Context(services.workspace(W), call_id="7d0d9c1e-7c5b-4f0a-9a4b-6f1f6b6d3a10")
    told = INGEST(context, {"text": "Soup"}).document
    services.accounts.jobs.extend(told["jobId"], [text_item("Leek", id=f"{told['documentId']}#1 leek.txt")])
    assert INGEST(context, {"text": "Soup"}).document == told


@pytest.mark.parametrize("written", ["notes/a.md", "{folder}/notes/a.md"])
def test_a_file_below_a_folder_is_kept_for_its_job(services: App, context: Context, folder: Path, written: str) -> None:
    path = written.format(folder=folder)
    exact = INGEST.exactly(context, {"path": path})
    assert exact == {"path": str(folder / "notes" / "a.md"), "text": None, "tags": None}
    told = INGEST(context, exact).document
    (item,) = services.accounts.jobs.items(told["jobId"])
    assert told["documentId"] == item.payload["path"] == str(folder / "notes" / "a.md")
    assert services.accounts.uploads.get(item.payload["upload"]) == b"# Soup\n\nLeek.\n"


@pytest.mark.parametrize("given", [{}, {"path": "a", "text": "b"}, {"text": "  "}, {"path": ""}, {"path": "a\0b"}])
def test_exactly_one_of_path_and_text_is_taken(services: App, context: Context, given: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=r"path|text"):
        INGEST(context, given)
    assert services.jobs.of(W) == ()


@pytest.mark.parametrize(
    "path", ["/etc/hostname", "notes/../../home", "{folder}/../x", "notes", "{folder}", "notes/b.md", "~/a.md", "."]
)
def test_what_is_no_file_below_the_folders_is_refused(context: Context, folder: Path, path: str) -> None:
    with pytest.raises(BadInput, match="path: "):
        INGEST(context, {"path": path.format(folder=folder)})


def test_a_link_is_refused_wherever_it_stands_on_the_way(context: Context, folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.md").write_text("secret", encoding="utf-8")
    (folder / "file.md").symlink_to(secret / "key.md")
    (folder / "below").symlink_to(secret)
    (folder / "inside.md").symlink_to(folder / "notes" / "a.md")
    for path in ("file.md", "below/key.md", "inside.md"):
        with pytest.raises(BadInput, match="link"):
            INGEST(context, {"path": path})


def test_what_is_no_regular_file_is_refused_at_once(context: Context, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(BadInput, match="is not a file"):
        INGEST(context, {"path": "pipe"})


def test_a_folder_of_the_settings_may_itself_be_a_link(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "alias").symlink_to(folder)
    settings = Settings(home=with_tables(tmp_path / "home2"), _env_file=None, folders=str(tmp_path / "alias"))
    services = build_services(settings, graph=MemoryGraphStore())
    exact = INGEST.exactly(Context(services.workspace(W)), {"path": str(tmp_path / "alias" / "notes" / "a.md")})
    assert exact["path"] == str(folder / "notes" / "a.md")
    services.close()


def test_asofs_own_files_are_refused_even_below_a_folder_of_the_settings(services: App, tmp_path: Path) -> None:
    around = Settings(home=with_tables(tmp_path / "home"), _env_file=None, folders=f"{tmp_path}, {tmp_path / 'home'}")
    (tmp_path / "home" / "app.json").write_text("{}", encoding="utf-8")
    other = build_services(around, graph=MemoryGraphStore())
    for path in (tmp_path / "home" / "app.json", "home/app.json", "app.json"):
        with pytest.raises(BadInput, match="is part of Asof's own data"):
            INGEST(Context(other.workspace(W)), {"path": str(path)})
    other.close()


def test_a_file_that_is_too_large_is_refused(services: App, tmp_path: Path, folder: Path) -> None:
    with (folder / "big.md").open("wb") as big:
        big.truncate(2 * 1024 * 1024)
    small = Settings(home=with_tables(tmp_path / "home3"), _env_file=None, folders=str(folder), max_file_mb=1)
    other = build_services(small, graph=MemoryGraphStore())
    with pytest.raises(BadInput, match="larger than 1 MB"):
        INGEST(Context(other.workspace(W)), {"path": "big.md"})
    other.close()


def test_without_the_setting_no_path_is_read(tmp_path: Path, folder: Path) -> None:
    services = build_services(Settings(home=with_tables(tmp_path / "home4"), _env_file=None), graph=MemoryGraphStore())
    with pytest.raises(BadInput, match="Asof cannot open files by path") as told:
        INGEST(Context(services.workspace(W)), {"path": str(folder / "notes" / "a.md")})
    assert "ASOF_FOLDERS" in told.value.hint
    services.close()


def test_an_address_is_shown_as_it_will_be_asked_for_and_begins_a_crawl(services: App, context: Context) -> None:
    crawl = TOOLS["knowledge_crawl"]
    exact = crawl.exactly(context, {"url": "HTTPS://Docs.Example.org/a/../b#part", "mode": "recursive"})
    assert exact == {"url": "https://docs.example.org/b", "mode": "recursive", "maxPages": 20, "tags": None}
    crawl_id = crawl(context, exact).document["crawlId"]
    job = services.jobs.get(crawl_id)
    assert job is not None
    assert (job.kind, job.user_id) == ("crawl", "ada")
    told = TOOLS["knowledge_crawl_status"](context, {"crawlId": crawl_id}).document
    assert told == {
        "state": "running",
        "pagesDone": 0,
        "pagesFailed": 0,
        "pagesTotal": 1,
        "startedAt": None,
        "errors": [],
    }
    with pytest.raises(FetchRefused):
        crawl.exactly(context, {"url": "file:///etc/passwd"})


def test_what_robots_txt_kept_out_is_said_and_changes_no_shape(services: App, context: Context) -> None:
    crawl = TOOLS["knowledge_crawl"]
    crawl_id = crawl(context, crawl.exactly(context, {"url": "https://example.org/"})).document["crawlId"]
    before = TOOLS["knowledge_crawl_status"](context, {"crawlId": crawl_id})
    services.accounts.jobs.note(crawl_id, {"forbidden": ["https://example.org/a", "https://example.org/b"]})
    told = TOOLS["knowledge_crawl_status"](context, {"crawlId": crawl_id})
    assert set(told.document) == set(before.document)
    assert "robots.txt" not in before.items[0].text
    assert told.items[0].text.endswith(" Skipped because of robots.txt: 2.")
    assert services.jobs.get(crawl_id).options["url"] == "https://example.org/"


def test_the_state_of_what_is_no_crawl_of_this_workspace_is_not_told(services: App, context: Context) -> None:
    job_id = INGEST(context, {"text": "Soup"}).document["jobId"]
    for crawl_id in (job_id, "unknown"):
        with pytest.raises(BadInput, match="no crawl"):
            TOOLS["knowledge_crawl_status"](context, {"crawlId": crawl_id})
