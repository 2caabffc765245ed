"""Files that people name on a terminal."""

import os
from pathlib import Path

from services.commands.files import files_of
from services.commands.ingest import FileGiven


def test_a_name_that_is_not_utf_8_is_escaped_and_other_files_are_read(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_bytes(b"One.")
    (tmp_path / "plain.txt").write_bytes(b"Two.")
    given = [FileGiven(**file) for file in files_of(tmp_path)]
    assert {Path(file.path).name: file.content for file in given} == {"caf\\xe9.txt": b"One.", "plain.txt": b"Two."}
