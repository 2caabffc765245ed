"""Files that are given together become items of one job, within limits."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.core.errors import BadInput
from services.documents.read_text import MEGABYTE, MOST_FILES
from services.jobs.texts import file_items
from tests.services.jobs.crawls import opened


@pytest.fixture
def services(tmp_path: Path) -> Iterator[App]:
    """Services that take files of one megabyte."""
    with opened(tmp_path) as services:
        yield services


def test_files_of_one_name_are_each_a_document_unless_they_are_the_same(services: App) -> None:
    items = file_items(services, [("a.txt", b"one"), ("a.txt", b"two"), ("b.txt", b"one"), ("a.txt", b"one")])
    assert [(item.key, item.title, item.payload["name"]) for item in items] == [
        ("a.txt", "a.txt", "a.txt"),
        ("a.txt (2)", "a.txt (2)", "a.txt"),
        ("b.txt", "b.txt", "b.txt"),
    ]
    assert [services.accounts.uploads.get(item.payload["upload"]) for item in items] == [b"one", b"two", b"one"]


def test_more_files_than_may_be_given_at_a_time_are_refused(services: App) -> None:
    assert len(file_items(services, [(f"{number}.txt", b"") for number in range(MOST_FILES)])) == MOST_FILES
    with pytest.raises(BadInput, match="You chose 201 files; the limit is 200 at a time"):
        file_items(services, [("a.txt", b"one")] * (MOST_FILES + 1))


def test_one_that_is_too_large_is_refused_before_any_is_kept(services: App) -> None:
    with pytest.raises(BadInput, match=r"b\.txt is larger than 1 MB"):
        file_items(services, [("a.txt", b"one"), ("b.txt", bytes(MEGABYTE + 1))])
    with pytest.raises(BadInput, match="This file no longer exists in Asof"):
        services.accounts.uploads.get(hashlib.sha256(b"one").hexdigest())
