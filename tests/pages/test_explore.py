"""What the Explore page saves as files; the picture itself is looked at in a browser."""

import csv
import io

import pytest

from components.explore import table_and_downloads
from components.explore.shown_graph import ShownGraph, shown_graph
from components.state import View
from services.agent.app import App
from services.mirror.lookups import LookupReads
from tests.pages.conftest import WORKSPACE

VIEW = View(entity="ada")


def sources(scope: ShownGraph) -> set[str]:
    """What states the facts, as the CSV file of a picture tells it."""
    content = table_and_downloads.as_csv(WORKSPACE, VIEW, scope, scope.facts)
    return {row["asof_sources"] for row in csv.DictReader(io.StringIO(content, newline=""))}


@pytest.mark.usefixtures("filled")
def test_the_csv_file_names_the_sources_without_reading_their_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(LookupReads, "episodes")
    assert sources(shown_graph(WORKSPACE, VIEW)) == {"Ada joined Labs"}


def test_the_csv_file_tells_the_sources_by_uuid_when_the_mirror_refuses(filled: App) -> None:
    scope = shown_graph(WORKSPACE, VIEW)
    filled.mirrors.of(WORKSPACE).close()
    assert sources(scope) == {"note"}
