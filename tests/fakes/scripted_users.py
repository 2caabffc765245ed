"""Users who write facts through the running app until they are stopped, and remember what the app acknowledged."""

import random
import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from services.commands.import_facts import ImportArguments
from services.core.announcement import running_app
from services.core.client import AppGone, ask
from services.core.errors import AsofError

WORKSPACE = "busy"
USERS = 10
START, END = "2020-01-01T00:00:00+00:00", "2021-01-01T00:00:00+00:00"
_HEADER = "source,relation,target,valid_at,invalid_at"
_NEW_FACTS = 3


@dataclass
class ScriptedUsers:
    """Each import writes three new facts and ends one that was acknowledged before.

    `ends` has the end of each acknowledged fact by its source and target, None while it is open. `unsure` has what was
    asked for without an answer: each import as the facts that it would have written, all of them or none.
    """

    home: Path
    ends: dict[tuple[str, str], str | None] = field(default_factory=dict)
    unsure: list[dict[tuple[str, str], str | None]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)
    _answered: threading.Condition = field(default_factory=threading.Condition)
    imports: int = 0

    def start(self) -> None:
        """Let all of them work."""
        self._stopped.clear()
        self._threads = [threading.Thread(target=self._work, args=(number,)) for number in range(USERS)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Wait until each has the answer to what it asked, or none will come."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def wait_for(self, imports: int, seconds: float = 60) -> None:
        """Wait until so many more imports are acknowledged."""
        with self._answered:
            goal = self.imports + imports
            assert self._answered.wait_for(lambda: self.imports >= goal, seconds), self.refusals[-3:]

    def wait_for_refusals(self, words: str, seconds: float = 60) -> None:
        """Wait until so many more imports as there are users are refused with such words."""
        with self._answered:
            before = len(self.refusals)

            def refused() -> bool:
                return sum(words in one for one in self.refusals[before:]) >= USERS

            assert self._answered.wait_for(refused, seconds), self.refusals[-3:]

    def write(self, imports: int) -> None:
        """Let them work until so many imports are acknowledged."""
        self.start()
        self.wait_for(imports)
        self.stop()

    def _work(self, number: int) -> None:
        chance = random.Random(number)
        while not self._stopped.is_set():
            with self._answered:
                facts = self._next_import(f"Author {number}", chance)
            app = running_app(self.home)
            try:
                if app is None:
                    raise AppGone("nobody is there")
                ask(app, "import", _arguments(facts))
            except (AppGone, AsofError, OSError) as error:
                with self._answered:
                    self.unsure.append(facts)
                    self.refusals.append(str(error))
                    self._answered.notify_all()
                self._stopped.wait(0.1)
                continue
            with self._answered:
                self.ends.update(facts)
                self.imports += 1
                self._answered.notify_all()

    def _next_import(self, author: str, chance: random.Random) -> dict[tuple[str, str], str | None]:
        touched = {key for facts in self.unsure for key in facts}
        mine = [key for key, end in self.ends.items() if key[0] == author and end is None and key not in touched]
        names = [f"Paper {uuid.uuid4()}" for _ in range(_NEW_FACTS)]
        facts: dict[tuple[str, str], str | None] = {(author, name): None for name in names}
        if mine:
            facts[chance.choice(mine)] = END
        return facts

    def missing(self, stored: Mapping[tuple[str, str], Any]) -> list[tuple[str, str]]:
        """Return the acknowledged facts that are not stored with their end; what is unsure may have either."""
        either = {key for facts in self.unsure for key in facts}
        return [
            key
            for key, end in self.ends.items()
            if key not in stored or (stored[key].get("invalid_at") != end and key not in either)
        ]

    def halves(self, stored: Mapping[tuple[str, str], Any]) -> list[list[tuple[str, str]]]:
        """Return what is stored of unacknowledged imports that went in without their other facts."""
        new = [[key for key, end in facts.items() if end is None] for facts in self.unsure]
        found = [[key for key in keys if key in stored] for keys in new]
        return [part for keys, part in zip(new, found, strict=True) if 0 < len(part) < len(keys)]


def _arguments(facts: Mapping[tuple[str, str], str | None]) -> bytes:
    rows = [f"{source},filed,{target},{START},{end or ''}" for (source, target), end in facts.items()]
    content = "\n".join([_HEADER, *rows]).encode()
    return ImportArguments(workspace=WORKSPACE, name="papers.csv", content=content).body()
