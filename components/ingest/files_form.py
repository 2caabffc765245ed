"""Files of text: several at once, each with its state, read as a job."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components import state
from components.ingest import extraction_options, followed_job
from components.markup import chip, clipped, counted, say_if_cut, table, text
from components.shell import Opened
from services.core.errors import AsofError, BadInput
from services.documents import FILE_ENDINGS, MOST_FILES, ReadLimits, read_file
from services.jobs import file_items

_FILES, _SIZES = "text_files", "text_files_sizes"
_LISTED = 12


def form(opened: Opened) -> None:
    """The form of files."""
    limit = opened.services.settings.max_file_mb
    with st.container(border=True, key="files_form"):
        chosen_files = st.file_uploader(
            "Files",
            [ending.removeprefix(".") for ending in FILE_ENDINGS],
            key=_FILES,
            accept_multiple_files=True,
            max_upload_size=limit,
            help="PDF, Word, PowerPoint, Excel, HTML, Markdown, reST, text and e-mail with attachments",
        )
        st.caption(f"Up to {MOST_FILES} files of up to {limit} MB each. For tables of facts, use “Table”.")
        chosen = extraction_options.choose(opened)
        if chosen.by_model and chosen_files:
            known = _characters(chosen_files, limit)
            _listed(chosen_files, known)
            extraction_options.will_take(chosen, [size for size in known.values() if isinstance(size, int)])
        number = len(chosen_files)
        words = f"{'Read' if chosen.extract else 'Ingest'} {counted(number, 'file')}"
        is_possible = 0 < number <= MOST_FILES
        followed_job.start_button(words, "files_read", _read, opened, chosen, disabled=not is_possible)


def _characters(files: Sequence[Any], limit: int) -> Mapping[str, int | AsofError]:
    """Return how long each file's text is, or why it cannot be read; each file is read once."""
    kept: dict[str, int | AsofError] = dict(state.remembered(_SIZES, {}))
    if missing := [file for file in files if file.file_id not in kept]:
        with st.spinner(f"Reading {counted(len(missing), 'file')} to estimate the time…"):
            for file in missing:
                try:
                    kept[file.file_id] = len(
                        read_file.read_file(file.name, file.getvalue(), limits=ReadLimits.up_to(limit)).text
                    )
                except BadInput as problem:
                    kept[file.file_id] = problem
        state.remember(_SIZES, kept)
    return {file.file_id: kept[file.file_id] for file in files}


def _listed(files: Sequence[Any], known: Mapping[str, int | AsofError]) -> None:
    """The files with how long each is, or why it cannot be read."""
    table(
        [[(text(clipped(file.name, 32)), "a-nw"), (_state(known[file.file_id]), "a-w")] for file in files[:_LISTED]],
        [("File", ""), ("State", "a-w")],
        label="Files",
    )
    say_if_cut(_LISTED, len(files), "file", words="Showing the first")


def _state(found: int | AsofError) -> str:
    if isinstance(found, AsofError):
        return f"{chip('a-bad', '✕ cannot be read')} {text(found.message)}"
    return counted(found, "character")


def _read(opened: Opened, chosen: extraction_options.ExtractionOptions) -> str:
    services, files = opened.services, state.remembered(_FILES) or []
    items = file_items(services, [(file.name, file.getvalue()) for file in files])
    title = files[0].name if len(files) == 1 else f"{counted(len(files), 'file')}, starting with {files[0].name}"
    options, user = chosen.options(), opened.user.id or None
    return services.accounts.jobs.add(opened.name, "documents", title, items, options=options, user_id=user)
