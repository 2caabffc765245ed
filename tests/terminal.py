"""The terminal in this process, on a graph in memory."""

import json
from pathlib import Path

import pytest

import cli
from services import bootstrap
from services.core import config
from services.core.config import Settings
from tests.fakes.memory_graph import MemoryGraphStore

CSV = "source,relation,target,valid_at,invalid_at\nAnn,WORKS_AT,Acme,2010-01-01,2015-01-01\nAnn,KNOWS,Bo,2011-01-01,\n"


class Terminal:
    """Runs the CLI in this process on one graph in memory."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *words: object) -> int:
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as end:
            status = int(end.code or 0)
        self.out, self.err = self._capsys.readouterr()
        return status

    @property
    def document(self):
        """The one document of stdout."""
        return json.loads(self.out)


@pytest.fixture
def graph() -> MemoryGraphStore:
    return MemoryGraphStore()


@pytest.fixture
def terminal(
    tmp_path: Path, graph: MemoryGraphStore, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Terminal:
    build = bootstrap.build_services
    monkeypatch.setattr(config, "settings", lambda: Settings(home=tmp_path / "home"))
    monkeypatch.setattr(bootstrap, "build_services", lambda chosen: build(chosen, graph=graph))
    return Terminal(capsys)


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    path = tmp_path / "facts.csv"
    path.write_text(CSV)
    return path
