"""The data folder is its owner's alone, and one app at a time serves it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import cli
from services.bootstrap import build_services
from services.core import data_folder
from services.core.config import Settings
from services.core.data_folder import claim, save_problem, write_problem
from services.core.errors import BadInput
from tests.fakes.memory_graph import MemoryGraphStore

SERVE = """
import sys, pathlib
from services.core.data_folder import claim
claim(pathlib.Path(sys.argv[1]))
print("serving", flush=True)
sys.stdin.read()
"""


def started(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", SERVE, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def serves(process: "subprocess.Popen[str]") -> bool:
    assert process.stdout is not None
    return process.stdout.readline() == "serving\n"


@contextmanager
def served(folder: Path) -> Iterator[int]:
    """The id of another process that serves the folder."""
    process = started(folder)
    try:
        assert serves(process)
        yield process.pid
    finally:
        process.communicate()


def test_a_folder_is_made_for_its_owner_alone_and_an_open_one_is_closed(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    opened.mkdir()
    opened.chmod(0o755)
    for folder in (tmp_path / "new/deep", opened):
        build_services(Settings(home=folder), graph=MemoryGraphStore()).close()
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_second_app_is_refused_until_the_first_one_ends(tmp_path: Path) -> None:
    with served(tmp_path), pytest.raises(BadInput, match="already running"):
        claim(tmp_path)
    claim(tmp_path)
    claim(tmp_path)


def test_the_refusal_names_the_address_of_the_app_that_runs(tmp_path: Path) -> None:
    (tmp_path / "app.json").write_text(f'{{"pid": {os.getppid()}, "port": 8765, "token": "x"}}')
    with served(tmp_path), pytest.raises(BadInput, match="http://localhost:8765"):
        claim(tmp_path)


@pytest.mark.slow
def test_of_many_that_start_at_once_one_serves_the_folder(tmp_path: Path) -> None:
    processes = [started(tmp_path) for _ in range(4)]
    serving = [process for process in processes if serves(process)]
    for process in processes:
        process.communicate()
    assert len(serving) == 1


@pytest.mark.slow  # a command that opens the accounts
def test_what_our_processes_make_is_nobody_elses_to_read(tmp_path: Path) -> None:
    home = tmp_path / "home"
    environment = {**os.environ, "ASOF_HOME": str(home), "ASOF_GRAPH_URL": "falkordb://127.0.0.1:1"}
    subprocess.run([sys.executable, cli.__file__, "user", "list"], env=environment, umask=0o022, check=True)
    made = [home, *home.rglob("*")]
    assert home / "accounts.db" in made
    assert [path.name for path in made if path.stat().st_mode & 0o077] == []


@pytest.fixture
def probes(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders to which a little is written, each time."""
    made: list[Path] = []
    real = data_folder.tempfile.TemporaryFile

    def probed(*, dir: Path) -> object:
        made.append(dir)
        return real(dir=dir)

    monkeypatch.setattr(data_folder.tempfile, "TemporaryFile", probed)
    return made


def test_a_folder_that_could_just_be_written_is_not_tried_again(
    tmp_path: Path, probes: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = Settings(home=tmp_path)
    assert [save_problem(chosen) for _ in range(3)] == ["", "", ""]
    assert probes == [tmp_path]
    assert write_problem(tmp_path) == ""
    assert len(probes) == 2, "who was refused by the disk has it tried"
    monkeypatch.setattr(data_folder, "_PROBE_EVERY", 0.0)
    assert save_problem(chosen) == ""
    assert len(probes) == 3


def test_a_disk_that_fills_up_is_seen_at_once_and_so_is_that_it_has_room_again(
    tmp_path: Path, probes: list[Path]
) -> None:
    chosen = Settings(home=tmp_path)
    assert save_problem(chosen) == ""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data_folder, "free_bytes", lambda _: 0)
        assert "is full" in save_problem(chosen)
    assert save_problem(chosen) == ""
    assert len(probes) == 2
