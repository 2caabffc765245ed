"""Does a question for a part of somebody's document find that person's part and nobody else's? `cli.py bench scoped`

The demo and the files of `benchmarks/scoped` stand in one workspace; their people share first names, last names and
initials. Each line of `cases.jsonl`, and of `fresh.jsonl`, which were written after the rules and run once, asks for a
part of a document: of whom (`owner`, a heading; none for the whole document) and which (`part`, a heading). What is
right comes from the document's own headings. A question is answered rightly when the first hit stands below both
headings, and no hit that was found by its section is somebody else's.

    cli.py bench scoped [--home FOLDER]
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.bootstrap import build_services
from services.context import OpenWorkspace
from services.core.config import Settings
from services.documents.versions import NewDocument
from services.jobs.demo import WORKSPACE, load_demo
from services.retrieval.catalog import headings
from services.retrieval.hits import Hit
from services.retrieval.query import Query
from services.writing.documents import ingest_documents

FOLDER = Path(__file__).parent / "scoped"
FILES = sorted(FOLDER.glob("*.md"))
SETS = ("cases", "fresh")


@dataclass(frozen=True)
class ScopedCase:
    """A question, and whose part of which document it asks for; of several owners each may be meant."""

    question: str
    document: str
    owners: tuple[str, ...]
    part: str

    @classmethod
    def read(cls, line: str) -> "ScopedCase":
        """Read a line of JSON."""
        read: dict[str, Any] = json.loads(line)
        owner = read.get("owner", ())
        return cls(
            read["question"], read["document"], (owner,) if isinstance(owner, str) else tuple(owner), read["part"]
        )

    def is_owned(self, hit: Hit) -> bool:
        """True for a hit of the owner."""
        assert hit.section is not None, "a section led to it"
        path = headings(hit.section.path)
        return hit.section.document_id == self.document and (not self.owners or any(o in path for o in self.owners))

    def is_right(self, hits: list[Hit]) -> bool:
        """True where the first hit is of the part, and none is somebody else's; `hits` were found by sections."""
        first = hits[0].section if hits else None
        return first is not None and self.part in headings(first.path) and all(map(self.is_owned, hits))


def cases(name: str) -> list[ScopedCase]:
    """The questions of a set."""
    return [ScopedCase.read(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def made_files() -> list[NewDocument]:
    """The files, as they are ingested."""
    return [NewDocument(path.name, path.read_text(encoding="utf-8"), path=path.name) for path in FILES]


def found_by_section(workspace: OpenWorkspace, question: str) -> list[Hit]:
    """What a question finds by sections, best first."""
    return [hit for hit in workspace.search(Query(question, k=20)).hits if hit.routing == "hard"]


def main() -> None:
    """Ask every question, and say which were answered wrongly."""
    options = argparse.ArgumentParser(prog="bench scoped", description="whose part of a document a question finds")
    options.add_argument("--home", type=Path, help="where the graph is kept; a new folder where none is given")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        services = build_services(Settings(home=chosen.home or Path(folder)))
        try:
            load_demo(services)
            workspace = services.workspace(WORKSPACE)
            ingest_documents(workspace, made_files(), title="People")
            services.indexes.prepare(WORKSPACE)
            print("| set | questions | right |\n|---|---:|---:|")
            for name in SETS:
                _report(workspace, name)
        finally:
            services.close()


def _report(workspace: OpenWorkspace, name: str) -> None:
    asked = cases(name)
    found = {case: found_by_section(workspace, case.question) for case in asked}
    print(f"| {name} | {len(asked)} | {sum(case.is_right(hits) for case, hits in found.items())} |", flush=True)
    for case, hits in found.items():
        if not case.is_right(hits):
            where = [f"{hit.section.document_id}: {hit.section.path}" for hit in hits if hit.section is not None]
            print(f"wrong: {case.question} → {where}", file=sys.stderr)


if __name__ == "__main__":
    main()
