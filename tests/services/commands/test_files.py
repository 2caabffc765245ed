"""Files that people name on a terminal."""

import os
from pathlib import Path

from services.commands.files import files_of
from services.commands.ingest import FileGiven


def test_a_name_that_is_no_utf_8_is_spelled_out_and_keeps_no_other_file_from_being_read(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_bytes(b"One.")
    (tmp_path / "plain.txt").write_bytes(b"Two.")
    given = [FileGiven(**file) for file in files_of(tmp_path)]
    assert {Path(file.path).name: file.content for file in given} == {"caf\\xe9.txt": b"One.", "plain.txt": b"Two."}
