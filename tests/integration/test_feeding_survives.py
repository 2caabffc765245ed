"""Many queued items, and an app that is killed again and again: everything is in at the end, and nothing twice.

Facts are read from fewer texts than are only taken in, for that takes longer.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
import redis

from services.accounts.store import Accounts
from services.core.config import Settings
from services.graph.embedded import socket_path
from services.jobs.texts import text_item
from tests.browser.server import ROOT, free_port
from tests.conftest import FULL, few
from tests.fakes.reading_model import ReadingModel

ITEMS, READ_ITEMS, LATEST_KILL, KILLS = (300, 40, 2.0, 2) if FULL else (150, 25, 1.0, 1)
W = "killed"
MODEL = "claude-test"
FIRST = ("Ada", "Boris", "Clara", "Dmitri", "Elena", "Felix", "Greta", "Hugo", "Irene", "Jonas")
LAST = ("Almond", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Gorse", "Hazel", "Iris", "Juniper")
FIRM = ("Acorn", "Basalt", "Cobalt", "Dynamo", "Ember", "Flint", "Garnet", "Helium", "Indigo", "Jasper")
TWICE = {
    "documents": "MATCH (n:Document) RETURN n.id, count(*) AS c",
    "episodes": "MATCH (n:Episodic) RETURN n.uuid, count(*) AS c",
    "texts": "MATCH (n:Episodic) RETURN n.content, count(*) AS c",
    "chunks": "MATCH (n:Chunk) RETURN n.id, count(*) AS c",
    "entities": "MATCH (n:Entity) RETURN n.name, count(*) AS c",
    "facts": "MATCH (a)-[r:RELATES_TO]->(b) RETURN a.name + r.name + b.name, count(*) AS c",
    "mentions": "MATCH (a:Episodic)-[r:MENTIONS]->(b) RETURN a.uuid + b.uuid, count(*) AS c",
}


def sentence(number: int) -> str:
    """A text that no other item has, with one fact in it."""
    person = f"{FIRST[number % 10]} {LAST[number // 10 % 10]} {LAST[number // 100]}son"
    return f"{person} works for {FIRM[number % 10]} Labs since {1990 + number % 30}."


@pytest.fixture
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="asof-"))
    yield folder
    _stop_graph(folder)
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def app(home: Path, settings: Mapping[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    """The real app, which works the queue off from its start on; killed at the end, if it still lives."""
    environment = {**os.environ, "ASOF_HOME": str(home), "ASOF_GRAPH_URL": "embedded", "ASOF_AUTH": "none", **settings}
    command = [sys.executable, "-m", "uvicorn", "app:app", "--host", "127.0.0.1", "--port", str(free_port())]
    with (home / "app.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def counts(accounts: Accounts, job_id: str) -> Mapping[Any, int]:
    job = accounts.jobs.get(job_id)
    assert job is not None
    return job.counts


def until_it_works(process: "subprocess.Popen[bytes]", accounts: Accounts, job_id: str, ended: int) -> None:
    """Wait until an item is under way, and more have ended than before, or none is left."""
    while process.poll() is None:
        assert accounts.jobs.state(job_id) != "paused", accounts.jobs.items(job_id, ["failed"])
        found = counts(accounts, job_id)
        if found.get("running", 0) or found.get("done", 0) > ended or not found.get("queued", 0):
            return
        threading.Event().wait(0.02)
    raise AssertionError("the app ended by itself")


@pytest.mark.parametrize(("extract", "number"), few([("", ITEMS), (MODEL, READ_ITEMS), ("rules", READ_ITEMS)], 2))
def test_all_items_are_in_once_however_often_the_app_is_killed(home: Path, extract: str, number: int) -> None:
    chance = random.Random(f"killed {extract}")
    own = Settings(home=home, _env_file=None)
    accounts = Accounts(own.accounts_url, own.graph_key)
    job_id = str(uuid.uuid4())
    items = [text_item(sentence(place), id=f"text {place}") for place in range(number)]
    options = {"extract": extract, "write_at_once": bool(extract)}
    accounts.jobs.add(W, "documents", "Very many texts", items, options=options, job_id=job_id)
    with ReadingModel() if extract == MODEL else nullcontext() as model:
        settings = (
            {"ASOF_MODEL": MODEL, "ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": model.url} if model else {}
        )
        for _ in range(KILLS):
            with app(home, settings) as process:
                until_it_works(process, accounts, job_id, counts(accounts, job_id).get("done", 0))
                threading.Event().wait(chance.uniform(0.0, LATEST_KILL))
                assert process.poll() is None, (home / "app.log").read_text()
                os.killpg(process.pid, signal.SIGKILL)
        with app(home, settings) as process:
            while (job := accounts.jobs.get(job_id)) is not None and job.state == "running":
                assert process.poll() is None, (home / "app.log").read_text()
                threading.Event().wait(0.1)
            assert counts(accounts, job_id) == {"done": number}
            added = sum((item.result or {}).get("added", 0) for item in accounts.jobs.items(job_id))
            check(home, extract, number, added)
    accounts.close()


def check(home: Path, extract: str, number: int, added: int) -> None:
    """Everything is in the graph, and nothing is there twice; `added` facts are what the items say they wrote."""
    graph = redis.Redis(unix_socket_path=str(socket_path(home / "graph")), decode_responses=True)
    found = {name: graph.execute_command("GRAPH.RO_QUERY", W, query)[1] for name, query in TWICE.items()}
    graph.close()
    assert {name: [row for row in rows if row[1] != 1] for name, rows in found.items()} == {name: [] for name in TWICE}
    numbers = {name: len(rows) for name, rows in found.items()}
    assert [numbers[name] for name in ("documents", "episodes", "texts", "chunks")] == [number] * 4
    if extract:
        assert numbers["facts"] == added
        assert numbers["mentions"] == 2 * added
        assert added > number / 2


def _stop_graph(home: Path) -> None:
    """The database outlives an app that was killed."""
    try:
        with redis.Redis(unix_socket_path=str(socket_path(home / "graph"))) as graph:
            graph.shutdown(nosave=True)
    except redis.RedisError:
        return
