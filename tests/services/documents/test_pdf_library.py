"""The library that reads PDF is found also on a machine that never read one, and nowhere else than where we put it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.documents import pdf_library
from services.documents.read_file import read_file
from tests.files import builders as made

pytestmark = pytest.mark.slow


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of caches."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    pdf_library.temporary.cache_clear()
    yield tmp_path
    pdf_library.temporary.cache_clear()


def test_a_machine_that_never_read_a_pdf_reads_one_with_its_headings(caches: Path) -> None:
    assert "# Appointments" in read_file("a.pdf", made.pdf()).text
    (library,) = caches.rglob("libpdfium*")
    assert library.parent.parent.stat().st_mode & 0o077 == 0


def test_where_it_cannot_be_kept_the_text_is_read_all_the_same(caches: Path) -> None:
    (caches / "asof").write_text("a file where the folder would be")
    assert "Appointments" in read_file("a.pdf", made.pdf()).text
