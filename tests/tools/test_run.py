"""`make run`: the demo is loaded at the first start, and at the next one when that was interrupted."""

import subprocess
import sys
from pathlib import Path

import pytest

import cli
from services.bootstrap import build_services
from services.commands.command import DONE, FAILED
from services.core import config
from services.core.config import Settings
from services.core.models import Entity, GraphWrite
from tests.browser.server import ROOT, environment_of, free_port, started_by_make_run
from tools.run import load_demo_on_first_start


class Loading:
    """Stands for the demo command: it makes the graph's folder, and ends as told."""

    def __init__(self, folder: Path) -> None:
        self.status, self.times, self._folder = DONE, 0, folder

    def __call__(self, words: list[str]) -> int:
        assert words == ["demo"]
        (self._folder / "graph").mkdir(parents=True, exist_ok=True)
        self.times += 1
        return self.status


@pytest.fixture
def loading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Loading:
    loading = Loading(tmp_path / "home")
    monkeypatch.setattr(config, "settings", lambda: Settings(home=tmp_path / "home", graph_url="embedded"))
    monkeypatch.setattr(cli, "main", loading)
    return loading


def test_the_demo_is_loaded_once(loading: Loading) -> None:
    load_demo_on_first_start()
    load_demo_on_first_start()
    assert loading.times == 1


def test_a_load_that_was_interrupted_ends_the_start_and_is_done_at_the_next(loading: Loading) -> None:
    loading.status = cli.STOPPED
    with pytest.raises(SystemExit) as end:
        load_demo_on_first_start()
    assert end.value.code == cli.STOPPED
    loading.status = DONE
    load_demo_on_first_start()
    load_demo_on_first_start()
    assert loading.times == 2


def test_a_load_that_failed_is_tried_again_at_the_next_start(loading: Loading) -> None:
    loading.status = FAILED
    load_demo_on_first_start()
    load_demo_on_first_start()
    assert loading.times == 2


def test_nobodys_own_graph_gets_a_demo_unasked(
    loading: Loading, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = build_services(Settings(home=tmp_path / "home", graph_url="embedded"))
    services.bridge.run(services.graph.write("mine", GraphWrite((Entity("a", "Ada"),))))
    services.close()
    load_demo_on_first_start()
    monkeypatch.setattr(config, "settings", lambda: Settings(home=tmp_path / "other", graph_url="bolt://graph:7687"))
    load_demo_on_first_start()
    assert loading.times == 0


def test_a_graph_that_was_only_looked_at_gets_the_demo(loading: Loading, tmp_path: Path) -> None:
    services = build_services(Settings(home=tmp_path / "home", graph_url="embedded"))
    services.bridge.run(services.graph.watermark("mine"))
    services.close()
    load_demo_on_first_start()
    assert loading.times == 1


@pytest.mark.slow
def test_make_run_serves_the_dashboard_and_refuses_a_second_on_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / "demo.offered").touch()
    with started_by_make_run(tmp_path, free_port()):
        second = subprocess.run(
            [sys.executable, "tools/run.py"],
            cwd=ROOT,
            env=environment_of(tmp_path, {}),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert "Asof is already running with the data folder" in second.stderr
        assert "In a moment" not in second.stdout
        assert second.returncode == 1


@pytest.mark.slow
def test_make_run_names_a_port_that_cannot_be_used_before_it_loads_anything(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("ASOF_PORT=abc\n")
    refused = subprocess.run(
        [sys.executable, str(ROOT / "tools/run.py")],
        cwd=tmp_path,
        env=environment_of(tmp_path / "home", {}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "ASOF_PORT is not valid" in refused.stderr
    assert "demo" not in refused.stdout
    assert refused.returncode == 1
