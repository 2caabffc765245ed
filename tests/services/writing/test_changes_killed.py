"""A change whose process is killed in the middle is taken back, or gone on with."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from services.core.change_records import Origin
from services.core.models import Entity, GraphWrite
from services.graph import raw
from services.writing import change_sets as sets
from services.writing.change_sets import change_sets
from services.writing.edits import Line
from services.writing.importer import import_rows
from services.writing.unfinished_writes import recover
from tests.contract.graph_dump import dump
from tests.services.writing.imports import row
from tests.services.writing.test_change_sets import W, facts, named
from tests.services.writing.test_importer import content

VICTIM = """
import os, signal, sys
from pathlib import Path
from services.bootstrap import build_services
from services.core.config import Settings
from services.writing import change_sets as sets, undoing
from services.core.change_records import Origin
from services.writing.edits import Edit, Scope

home, step, id, gone = sys.argv[1:]
services = build_services(Settings(home=Path(home), graph_url="embedded"))
put = services.graph.raw.put

async def half(workspace, wanted):
    await put(workspace, dict(list(wanted.items())[: len(wanted) // 2]))
    os.kill(os.getpid(), signal.SIGKILL)

services.graph.raw.put = half
if step == "apply":
    with sets.writing(services.workspace("w")) as writer:
        writer.apply(Edit(gone=Scope(entities=frozenset({gone}))), title="killed", origin=Origin("delete"))
else:
    getattr(undoing, step)(services.workspace("w"), id)
"""


def killed(home: Path, step: str, id: str, gone: str) -> None:
    arguments = [sys.executable, "-c", VICTIM, str(home), step, id, gone]
    assert subprocess.run(arguments, check=False).returncode == -9


def test_a_kill_in_the_middle_is_taken_back_or_gone_on_with(real):
    empty = dump(real, W)
    rows = [row(2010, source=f"Person {i}", episode=f"Letter {i}") for i in range(20)]
    import_rows(real.workspace(W), rows, title="first")
    (record,), whole = change_sets(real.workspace(W)), dump(real, W)
    acme = named(real, "Acme").uuid
    killed(real.settings.home, "apply", record.id, acme)
    assert dump(real, W) != whole
    assert recover(real) == 1
    assert dump(real, W) == whole
    killed(real.settings.home, "undo", record.id, acme)
    assert recover(real) == 1
    assert dump(real, W) == empty
    killed(real.settings.home, "redo", record.id, acme)
    assert recover(real) == 1
    assert dump(real, W) == whole
    assert [one.state for one in change_sets(real.workspace(W))] == ["done"]


def test_what_a_crash_left_of_an_earlier_version_is_taken_back(services):
    import_rows(services.workspace(W), [row(2010)], title="first")
    (fact,), before = facts(services), content(services)
    told = sets.line_document(Line("other", "", replace(fact, source="Ann", target="Acme")))["before"]
    services.bridge.run(services.graph.write(W, GraphWrite((Entity("new", "New"),), (replace(fact, text="Changed"),))))
    payload = {
        "new": {"entities": ["new"], "facts": [], "episodes": []},
        "before": {"entities": [], "facts": [told], "episodes": []},
    }
    services.accounts.change_sets.begin(W, "killed", Origin("import"), raw.packed(payload))
    assert recover(services) == 1
    assert content(services) == before
