"""The driver of trials counts what a person does, and writes it down."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.server import ROOT, chromium

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<title>Shop</title>
<label>Name <input></label><button>Open</button><button>Open</button><button aria-label="Close">x</button>
<a download="list.txt" href="data:text/plain,eggs">Save the list</a><input type="file" aria-label="Bill">
<p role="status"></p>
<script>
document.querySelectorAll("button").forEach((button, number) => button.onclick = () => {
  document.querySelector("p").textContent = `button ${number} for ${document.querySelector("input").value}`; });
document.querySelector("[type=file]").onchange = (event) => {
  document.querySelector("p").textContent = event.target.files[0].name; };
</script>"""


class Person:
    """Somebody at a terminal; `said` is what the last command printed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said = ""

    def does(self, *words: str) -> int:
        command = [sys.executable, "-m", "tests.trials.drive", *words]
        environment = {**os.environ, "TRIAL": str(self.folder / "trial.json")}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        self.said = done.stdout + done.stderr
        return done.returncode

    def kept(self, name: str) -> str:
        return (self.folder / "kept" / name).read_text()


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Person]:
    """A person who has begun task 1."""
    if chromium() is None:
        pytest.skip("A trial needs a Chromium on PATH: apt install chromium.")
    (tmp_path / "page.html").write_text(PAGE)
    ann = Person(tmp_path)
    assert ann.does("start", str(tmp_path / "kept"), (tmp_path / "page.html").as_uri()) == 0, ann.said
    assert ann.does("task", "1") == 0, ann.said
    yield ann
    assert ann.does("stop") == 0, ann.said


def test_actions_are_counted_and_written_down(ann: Person) -> None:
    for words in (["click", "Name"], ["type", "Ann"], ["click", "Open", "2"], ["press", "Tab"]):
        assert ann.does(*words) == 0, ann.said
    assert "4 of 15 actions." in ann.said
    assert ann.does("look") == 0
    assert "button 1 for Ann" in ann.said
    assert ann.kept("task-1-01.txt") in ann.said
    assert ann.does("done", "eggs") == 0
    for line in ("1. clicks “Name”", "3. clicks “Open” 2", "**Answer after 4 actions:** eggs"):
        assert line in ann.kept("task-1.md")


def test_what_is_missing_or_there_twice_is_no_action(ann: Person) -> None:
    assert ann.does("click", "Sell") == 1
    assert "“Sell” is not on the page." in ann.said
    assert ann.does("click", "Open") == 1
    assert "“Open” is there 2 times." in ann.said
    assert ann.does("press", "Tab") == 0
    assert "1 of 15 actions." in ann.said


def test_files_are_chosen_and_saved(ann: Person, tmp_path: Path) -> None:
    (tmp_path / "bill.csv").write_text("a,b")
    assert ann.does("upload", str(tmp_path / "bill.csv")) == 0
    assert ann.does("click", "Save the list") == 0
    assert ann.does("look") == 0
    assert "bill.csv" in ann.said
    assert "saved files: list.txt" in ann.said
    assert ann.kept("saved/list.txt") == "eggs"
