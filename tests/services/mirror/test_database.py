"""A mirror's database lets go of what it read without standing in anybody's way."""

from pathlib import Path

import pytest

from services.core.errors import MirrorUnavailable
from services.mirror import database
from services.mirror.database import MirrorDatabase


def limit(mirror: MirrorDatabase) -> str:
    with mirror.read() as cursor:
        return str(cursor.execute("SELECT current_setting('memory_limit')").fetchall())


def test_memory_that_cannot_be_let_go_is_no_fault_and_limits_nobody_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PAGES", "1KB")
    mirror = MirrorDatabase(tmp_path / "a.duckdb")
    before = limit(mirror)
    with mirror.write() as cursor:
        cursor.execute("INSERT INTO vectors SELECT n::VARCHAR, [n::FLOAT] FROM range(50_000) AS t(n)")
    mirror.forget_pages()
    assert limit(mirror) == before
    with mirror.read() as cursor:
        assert cursor.execute("SELECT vector FROM vectors WHERE key = '49999'").fetchall() == [([49999.0],)]
    mirror.close()


def test_memory_is_let_go_only_while_nobody_reads_or_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.0)
    monkeypatch.setattr(database, "_PAGES", "so much that the database refuses")
    mirror = MirrorDatabase(tmp_path / "a.duckdb")
    with mirror.read():
        mirror.forget_pages()
    with mirror.write():
        mirror.forget_pages()
    with pytest.raises(MirrorUnavailable):
        mirror.forget_pages()
    mirror.close()


def test_a_file_that_cannot_be_copied_is_let_go_of(tmp_path: Path) -> None:
    sound, other = (MirrorDatabase(tmp_path / f"{name}.duckdb") for name in ("sound", "other"))
    with sound.write() as cursor:
        cursor.execute("INSERT INTO vectors VALUES ('a', [1.0])")
    with other.write() as cursor:
        cursor.execute("ALTER TABLE similar_chunks ADD COLUMN more INTEGER")
    for one in (sound, other):
        one.close()
    copy = MirrorDatabase(None)
    with pytest.raises(MirrorUnavailable):
        copy.copy_from(tmp_path / "other.duckdb")
    copy.copy_from(tmp_path / "sound.duckdb")
    with copy.read() as cursor:
        assert cursor.execute("SELECT key FROM vectors").fetchall() == [("a",)]
    copy.close()
