"""Adding data: files that become tables, and databases that stay where they are."""

from urllib.parse import quote

import streamlit as st

from components import problems
from components.shell import Opened
from components.sql.catalog import saving, warehouse_of
from services.sql import add_source, read_folder_file, warehouse

_UPLOAD, _FOLDER, _POSTGRES, _SQLITE = "Upload", "From a folder", "PostgreSQL", "SQLite"
_NAME_HELP = "Use letters, digits and underscores. A file with the same name replaces the previous one."


@st.dialog("Add data", width="medium")
def add_data(opened: Opened) -> None:
    """Ask what to add, add it, and run the page again."""
    how = st.segmented_control(
        "Source",
        [_UPLOAD, _FOLDER, _POSTGRES, _SQLITE],
        default=_UPLOAD,
        required=True,
        key="sql_add_how",
        label_visibility="collapsed",
    )
    forms = {_UPLOAD: _upload, _FOLDER: _from_folder, _POSTGRES: _postgres, _SQLITE: _sqlite}
    with problems.guarded():
        if forms[how or _UPLOAD](opened):
            st.rerun()


def _name(default: str) -> str:
    return st.text_input("Database name", default, key=f"sql_new_name_{default}", help=_NAME_HELP)


def _for_all(opened: Opened) -> bool:
    return opened.user.is_admin and st.checkbox("Visible in all workspaces", key="sql_new_for_all")


def _upload(opened: Opened) -> bool:
    files = st.file_uploader(
        "CSV, TSV, Parquet, JSON, JSONL or Excel",
        [ending.removeprefix(".") for ending in warehouse.TABLE_ENDINGS],
        accept_multiple_files=True,
        key="sql_upload",
    )
    name, for_all = _name("files"), _for_all(opened)
    if not st.button("Add as tables", type="primary", disabled=not files):
        return False
    return _added(opened, name, for_all, [(file.name, file.getvalue()) for file in files])


def _from_folder(opened: Opened) -> bool:
    path = st.text_input(
        "File path",
        key="sql_path",
        help="Enter a path inside a folder listed in ASOF_FOLDERS.",
        placeholder="sales/orders.csv",
    )
    name, for_all = _name("files"), _for_all(opened)
    if not st.button("Add file", type="primary", disabled=not path.strip()):
        return False
    file = read_folder_file(opened.services.settings, path.strip())
    return _added(opened, name, for_all, [file])


def _added(opened: Opened, name: str, for_all: bool, files: list[tuple[str, bytes]]) -> bool:
    with saving(), st.spinner("Reading the files…" if len(files) > 1 else f"Reading {files[0][0]}…"):
        warehouse_of(opened).add_files(name, None if for_all else opened.name, files)
    st.toast("You can now query the tables.", icon=":material/check:")
    return True


def _postgres(opened: Opened) -> bool:
    left, right = st.columns([3, 1])
    host = left.text_input("Host", key="sql_pg_host", help="To use a private host, list it in ASOF_INTRANET first.")
    port = right.text_input("Port", "5432", key="sql_pg_port")
    database = st.text_input("Database", key="sql_pg_database")
    left, right = st.columns(2)
    user = left.text_input(
        "User", key="sql_pg_user", help="Use a read-only user if you can. Asof never writes to the database."
    )
    password = right.text_input(
        "Password",
        type="password",
        key="sql_pg_password",
        help="Asof stores the password in its data folder and never shows it again.",
    )
    name, for_all = _name("tracker"), _for_all(opened)
    if not st.button("Connect", type="primary", disabled=not (host.strip() and database.strip())):
        return False
    login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user else ""
    return _connected(
        opened, name, for_all, f"postgresql://{login}{host.strip()}:{port.strip()}/{quote(database.strip(), safe='')}"
    )


def _sqlite(opened: Opened) -> bool:
    path = st.text_input(
        "SQLite file path",
        key="sql_sqlite_path",
        help="Enter a path inside a folder listed in ASOF_FOLDERS. Asof does not copy the file.",
    )
    name, for_all = _name("archive"), _for_all(opened)
    return st.button("Connect", type="primary", disabled=not path.strip()) and _connected(
        opened, name, for_all, path.strip()
    )


def _connected(opened: Opened, name: str, for_all: bool, place: str) -> bool:
    with saving(), st.spinner("Reading the tables…"):
        add_source(opened.workspace, name, place, for_all=for_all)
    st.toast("You can now query the database.", icon=":material/check:")
    return True
