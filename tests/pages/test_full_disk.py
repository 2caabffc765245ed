"""A data folder that takes nothing: said on every page, and by the route for monitors."""

import pytest

from services.agent.app import App
from services.core import data_folder
from services.core.errors import WriteFailed
from services.writing.importer import import_rows
from tests.pages.conftest import WORKSPACE, opened, words
from tests.pages.test_every_page import SOME_PAGES
from tests.services.writing.imports import row


@pytest.fixture
def full(filled: App, monkeypatch: pytest.MonkeyPatch) -> App:
    """Services on a full disk."""
    filled.mirrors.of(WORKSPACE)
    monkeypatch.setattr(data_folder, "free_bytes", lambda _: 0)
    return filled


@pytest.mark.parametrize("page", SOME_PAGES)
def test_each_page_says_that_nothing_can_be_saved(full: App, page: str) -> None:
    app = opened(page, w=WORKSPACE, as_of="2021-06-01")
    assert not app.exception
    assert f"The disk of the data folder {full.settings.folder} is full." in words(app)
    assert "You can read, but not save" in words(app)


def test_a_write_is_refused_in_words(full: App) -> None:
    with pytest.raises(WriteFailed, match=r"Nothing was saved\. The disk of the data folder .* is full\."):
        import_rows(full.workspace(WORKSPACE), [row(2010)], title="a file")


def test_settings_show_the_space_that_is_left(filled: App) -> None:
    page = words(opened("Settings", w=WORKSPACE))
    assert f"Data folder {filled.settings.folder} ✓ writable" in page
    assert "GB free" in page
