"""The copy of a mirror that SQL reads."""

import threading
from pathlib import Path

import duckdb
import pytest

from services.core.errors import MirrorUnavailable
from services.mirror.mirror import Mirror
from tests.services.mirror.graphs import ENTITIES, EPISODES, FACT


def rows(file: Path) -> int:
    with duckdb.connect(str(file), read_only=True) as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM facts").fetchall()
    return int(count)


def test_a_copy_waits_for_no_writer_and_holds_what_was_committed(tmp_path: Path) -> None:
    mirror = Mirror(tmp_path / "mirror.duckdb")
    mirror.replace_all([ENTITIES], [[FACT]], [EPISODES])
    versions: list[int] = []
    with mirror._database.write() as writing:
        writing.execute("DELETE FROM facts")
        copying = threading.Thread(
            target=lambda: versions.append(mirror.write_snapshot(tmp_path / "1.snapshot")), daemon=True
        )
        copying.start()
        copying.join(30)
        assert not copying.is_alive()
    assert versions == [mirror.version]
    assert rows(tmp_path / "1.snapshot") == 1
    mirror.write_snapshot(tmp_path / "2.snapshot")
    assert rows(tmp_path / "2.snapshot") == 0
    mirror.close()


def test_a_mirror_answers_after_a_copy_that_could_not_be_written(tmp_path: Path) -> None:
    mirror = Mirror(tmp_path / "mirror.duckdb")
    mirror.replace_all([ENTITIES], [[FACT]], [EPISODES])
    (tmp_path / "taken.snapshot").write_bytes(b"no database")
    for _ in range(2):
        with pytest.raises(MirrorUnavailable):
            mirror.write_snapshot(tmp_path / "taken.snapshot")
    mirror.write_snapshot(tmp_path / "good.snapshot")
    assert rows(tmp_path / "good.snapshot") == 1
    mirror.close()
