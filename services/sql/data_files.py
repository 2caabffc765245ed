"""Files behind tables: which of them a query reads, in what state, and those of the folders of the settings."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from services.documents.folders import Folders
from services.sql.warehouse import warehouse

if TYPE_CHECKING:
    from services.context import OpenWorkspace
    from services.core.config import Settings

_LETTERS = 8


def file_states(workspace: "OpenWorkspace", sql: str) -> dict[str, str]:
    """Return the tables from files that some SQL names, each with what tells one state of its file from another."""
    return {
        f"{database.name}.{table.name}": table.digest[:_LETTERS]
        for database in warehouse(workspace).databases(workspace.name)
        for table in database.tables
        if table.digest and _is_named(sql, table.name)
    }


def read_folder_file(settings: "Settings", path: str) -> tuple[str, bytes]:
    """Return the name and the content of a file below one of the folders of the settings. Raises `BadInput`."""
    found, content = Folders.of(settings).read(path)
    return Path(found).name, content


def _is_named(sql: str, table: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(table)}(?!\w)", sql, re.IGNORECASE) is not None
