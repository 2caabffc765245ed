"""What a link knows of the files that its query reads, and which files can be read by their path."""

from collections.abc import Callable
from pathlib import Path

import pytest

from services.context import OpenWorkspace
from services.core.errors import BadInput
from services.sql.data_files import file_states, read_folder_file
from services.sql.warehouse import warehouse


@pytest.mark.slow
def test_a_state_is_of_the_tables_that_the_sql_names_and_changes_with_them(workspace: OpenWorkspace) -> None:
    kept = warehouse(workspace)
    kept.add_files("trips", workspace.name, [("a.csv", b"n\n1\n"), ("ab.csv", b"n\n1\n")])
    before = file_states(workspace, 'SELECT * FROM trips."A" x JOIN facts f ON true')
    assert list(before) == ["trips.a"]
    kept.add_files("trips", workspace.name, [("a.csv", b"n\n2\n")])
    assert file_states(workspace, "FROM a") != before
    assert file_states(workspace, "FROM facts") == {}


def test_only_files_below_the_folders_are_read(open_to: Callable[..., OpenWorkspace], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "cities.csv").write_bytes(b"city\nOslo\n")
    (tmp_path / "secret.csv").write_bytes(b"x\n1\n")
    settings = open_to(folders=str(tmp_path / "data")).settings
    assert read_folder_file(settings, "cities.csv") == ("cities.csv", b"city\nOslo\n")
    for path in ("../secret.csv", str(tmp_path / "secret.csv")):
        with pytest.raises(BadInput):
            read_folder_file(settings, path)
