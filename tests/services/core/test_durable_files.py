"""A file is replaced whole or not at all, and only what is on the disk takes a file's place."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from services.core.durable_files import replace_file
from tests.integration.embedded_files import files_of_at_most


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the system is asked to do, in order: which files are flushed, and which take the place of another."""
    asked: list[str] = []

    def watched(name: str, path_of: Callable[..., str]) -> None:
        real = getattr(os, name)

        def call(*args: object) -> object:
            asked.append(f"{name} {Path(path_of(*args)).suffix or 'folder'}")
            return real(*args)

        monkeypatch.setattr(os, name, call)

    watched("fsync", lambda handle: str(Path(f"/proc/self/fd/{handle}").readlink()))
    watched("replace", lambda fresh, _: str(fresh))
    return asked


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_another(tmp_path: Path, calls: list[str]) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    replace_file(path, b"new")
    assert calls == ["fsync .new", "replace .new", "fsync folder"]
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_for_which_there_is_no_room_leaves_the_old_one_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with files_of_at_most(3), pytest.raises(OSError, match="too large"):
        replace_file(path, b"new and longer")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
