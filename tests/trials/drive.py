"""A person at a terminal drives a page in Chromium, one action at a time; the actions are counted and written down.

    python -m tests.trials.drive start FOLDER http://127.0.0.1:8501
    python -m tests.trials.drive task 1        begin a task: the page opens anew, and the count is 0
    python -m tests.trials.drive look          what the page says, and a picture of it; free, and so are the next two
    python -m tests.trials.drive scroll 600    turn the wheel so many pixels down, or up if it is less than 0
    python -m tests.trials.drive hover "Ada"   rest the pointer there
    python -m tests.trials.drive click "Open"  click what is called or says so; of several, "Open" 2 is the second
    python -m tests.trials.drive at 400 300    click at a place of the picture
    python -m tests.trials.drive type "June"   type into the field that has the focus
    python -m tests.trials.drive press Enter   press a key, or several at once: Control+a
    python -m tests.trials.drive upload FILE   choose a file, where the page asks for one
    python -m tests.trials.drive open ADDRESS  open an address
    python -m tests.trials.drive done "Guido"  end the task with its answer; `give-up "why"` ends it without one
    python -m tests.trials.drive stop          close the browser

Everything goes to FOLDER: a transcript for each task, the texts, the pictures, and what the page had saved.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from playwright.sync_api import Download, Error, Locator, Page, sync_playwright

from tests.browser.server import QUIET, chromium, free_port
from tests.conftest import answers

MOST = 15
"""Actions that a task may take."""
SESSION = Path(os.environ.get("TRIAL", "trial.json"))
"""Where the browser of the trial is written down between two commands."""
_ROLES = str.split("button link tab option menuitem menuitemradio checkbox switch radio combobox textbox spinbutton")
_AT_REST = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  return !app || app.dataset.testScriptState === "notRunning" ? {} : null;
}"""


@dataclass(frozen=True)
class Trial:
    """A browser in use, and how far the person is in which task."""

    folder: Path
    url: str
    port: int
    pid: int
    task: str = ""
    actions: int = 0
    looks: int = 0

    def save(self) -> None:
        SESSION.write_text(json.dumps(asdict(self), default=str))

    def write(self, line: str) -> None:
        """Add a line to the transcript of the task."""
        with (self.folder / f"task-{self.task}.md").open("a", encoding="utf-8") as transcript:
            transcript.write(f"{time.strftime('%H:%M:%S')} {line}\n")


class NotFound(Exception):
    """What is to be clicked is not on the page, or more than once."""


def start(folder: str, url: str) -> None:
    """Start a browser, whose window is 1280 by 900."""
    own = Path(folder).resolve()
    own.mkdir(parents=True)
    port = free_port()
    switches = [*QUIET, "--headless=new", "--window-size=1280,900", f"--remote-debugging-port={port}"]
    switches += [f"--user-data-dir={own / 'profile'}", "about:blank"]
    with (own / "chromium.log").open("w") as log:
        browser = subprocess.Popen([str(chromium()), *switches], stdout=log, stderr=log, start_new_session=True)
    Trial(own, url, port, browser.pid).save()
    while not answers(port):
        assert browser.poll() is None, (own / "chromium.log").read_text()
        time.sleep(0.1)


def stop() -> None:
    """Close the browser."""
    os.killpg(saved().pid, signal.SIGTERM)
    SESSION.unlink()


def saved() -> Trial:
    """The trial under way."""
    kept = json.loads(SESSION.read_text())
    return Trial(**{**kept, "folder": Path(kept["folder"])})


@contextmanager
def page_of(trial: Trial) -> Iterator[Page]:
    """The page in front; it rests before it is left, and what it had saved is kept."""
    with sync_playwright() as running:
        browser = running.chromium.connect_over_cdp(f"http://127.0.0.1:{trial.port}")
        page = browser.contexts[0].pages[-1]
        page.set_default_timeout(60_000)
        downloads: list[Download] = []
        page.on("download", lambda download: downloads.append(download))
        yield page
        rest(page)
        for download in downloads:
            download.save_as(trial.folder / "saved" / download.suggested_filename)


def rest(page: Page) -> None:
    """Wait until the page has nothing more to do."""
    page.wait_for_timeout(400)  # a person would not be faster, and what was done has reached the app
    page.wait_for_function(_AT_REST, polling=100)
    page.wait_for_timeout(300)


def act(words: str, do: Callable[[Page], object]) -> None:
    """Do one action, count it, and write it down; what cannot be done is not counted."""
    trial = saved()
    with page_of(trial) as page:
        do(page)
    address = page.url
    trial = replace(trial, actions=trial.actions + 1)
    trial.save()
    trial.write(f"{trial.actions}. {words} → {address}")
    print(f"{trial.actions} of {MOST} actions. {address}")


def task(number: str) -> None:
    trial = replace(saved(), task=number, actions=0, looks=0)
    trial.write(f"# Task {number}")
    with page_of(trial) as page:
        page.goto(trial.url)
    trial.save()
    print(f"Task {number} begins at {trial.url}")


def look() -> None:
    trial = saved()
    trial = replace(trial, looks=trial.looks + 1)
    place = trial.folder / f"task-{trial.task}-{trial.looks:02}"
    with page_of(trial) as page:
        rest(page)
        text = f"{page.url}\n{page.locator('body').aria_snapshot()}\n"
        page.screenshot(path=place.with_suffix(".png"))
    place.with_suffix(".txt").write_text(text, encoding="utf-8")
    trial.save()
    trial.write(f"   (looks: {place.name}.png, {place.name}.txt)")
    files = sorted(path.name for path in (trial.folder / "saved").glob("*"))
    print(text, f"picture: {place.with_suffix('.png')}", f"saved files: {', '.join(files) or 'none'}", sep="\n")


def free(words: str, do: Callable[[Page], object]) -> None:
    """Do what is no action, and write it down."""
    trial = saved()
    with page_of(trial) as page:
        do(page)
    trial.write(f"   ({words})")


def found(page: Page, words: str, number: int) -> Locator:
    """What is called so or says so, the whole of it before a part. Raises `NotFound`."""
    for exact in (True, False):
        controls = [page.get_by_role(role, name=words, exact=exact) for role in _ROLES]  # type: ignore[arg-type]
        fields = [page.get_by_placeholder(words, exact=exact), page.get_by_label(words, exact=exact)]
        for way in (*controls, *fields, page.get_by_text(words, exact=exact)):
            seen = [one for one in way.all() if one.is_visible()]
            if len(seen) >= number > 0:
                return seen[number - 1]
            if len(seen) == 1:
                return seen[0]
            if seen:
                raise NotFound(f"“{words}” is there {len(seen)} times. Say which, 1 being the first.\n{_places(seen)}")
    raise NotFound(f"“{words}” is not on the page.")


def _places(seen: list[Locator]) -> str:
    boxes = [(one.bounding_box() or {"x": 0, "y": 0}, _called(one)) for one in seen]
    return "\n".join(f"{n}. at {box['x']:.0f}, {box['y']:.0f}: {text!r}" for n, (box, text) in enumerate(boxes, 1))


def _called(control: Locator) -> str:
    return (control.inner_text() or control.get_attribute("aria-label") or "")[:60]


def click(words: str, number: str = "0") -> None:
    act(f"clicks “{words}” {number.strip('0')}".strip(), lambda page: found(page, words, int(number)).click())


def at(x: str, y: str) -> None:
    act(f"clicks at {x}, {y}", lambda page: page.mouse.click(float(x), float(y)))


def hover(words: str, number: str = "0") -> None:
    free(f"rests on “{words}”", lambda page: found(page, words, int(number)).hover())


def scroll(pixels: str) -> None:
    def turn(page: Page) -> None:
        page.mouse.move(640, 500)
        page.mouse.wheel(0, float(pixels))

    free(f"scrolls {pixels}", turn)


def type_(words: str) -> None:
    act(f"types “{words}”", lambda page: page.keyboard.type(words, delay=20))


def press(key: str) -> None:
    act(f"presses {key}", lambda page: page.keyboard.press(key))


def upload(file: str) -> None:
    act(f"chooses {file}", lambda page: page.locator("input[type=file]").first.set_input_files(file))


def open_(address: str) -> None:
    act(f"opens {address}", lambda page: page.goto(address))


def done(answer: str) -> None:
    trial = saved()
    trial.write(f"**Answer after {trial.actions} actions:** {answer}")


def give_up(why: str) -> None:
    trial = saved()
    trial.write(f"**Given up after {trial.actions} actions:** {why}")


COMMANDS: Mapping[str, Callable[..., None]] = {
    one.__name__.strip("_").replace("_", "-"): one
    for one in (start, task, look, scroll, hover, click, at, type_, press, upload, open_, done, give_up, stop)
}


def main(words: list[str]) -> int:
    if not words or words[0] not in COMMANDS:
        print(__doc__)
        return 2
    try:
        COMMANDS[words[0]](*words[1:])
    except (NotFound, Error) as error:
        print(f"Nothing was done. {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
