"""Makes the bundled demo graph from the headers of the Python Enhancement Proposals.

    python -m demo.build_peps --data FOLDER

FOLDER holds `pep_facts.json` (each header field's values with the commits that brought and took them) and
`peps_sections.json.gz` (each PEP's header and sections). The same input gives the same bytes. NOTICE says what the data
is and what is left out.
"""

import argparse
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TRACKED = ("Status", "Type", "Python-Version", "Replaces", "Superseded-By", "Resolution")
DELEGATES = ("BDFL-Delegate", "PEP-Delegate")

_VERSION = re.compile(r"\d+\.\d+(\.\d+)?")
_LIST = re.compile(r"\s*,\s*|\s+and\s+|\s*/\s*")
_URL = re.compile(r"https?://[^\s>`]+")
_MAIL = re.compile(r"\s*<[^>]*>")
_FREE = re.compile(r"this\b.{0,60}\b(public domain|CC0)", re.IGNORECASE | re.DOTALL)

Record = dict[str, Any]


def main() -> None:
    """Read the folder, write the two bundled files beside this one."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with pep_facts.json and peps_sections.json.gz")
    folder = parser.parse_args().data
    header_facts = json.loads((folder / "pep_facts.json").read_text())
    with gzip.open(folder / "peps_sections.json.gz", "rt") as file:
        peps = json.load(file)
    rows = [*header_rows(header_facts), *people_rows(header_facts, peps)]
    write("peps.jsonl.gz", rows)
    write("peps-entities.jsonl.gz", entities(peps))
    print(f"{len(rows)} facts, {len(peps)} summaries")


def write(name: str, records: Iterable[Record]) -> None:
    """Write JSON lines, compressed, without a time stamp."""
    text = "".join(json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n" for record in records)
    (HERE / name).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


# -- what the header fields say


def header_rows(facts: Sequence[Record]) -> Iterator[Record]:
    """A fact for each value of a tracked header field, true and known from its commit until the one that ended it."""
    blocks = Blocks(facts)
    for fact in sorted(facts, key=lambda f: (f["from"], f["pep"], f["field"], f["value"])):
        if not fact["value"].strip() or (fact["to"] and instant(fact["to"]) <= instant(fact["from"])):
            continue
        for relation, target_type, target in meanings(fact["field"], fact["value"].strip()):
            yield {
                "source": f"PEP {fact['pep']}",
                "source_type": "PEP",
                "relation": relation,
                "target": target,
                "target_type": target_type,
                "valid_at": fact["from"],
                "created_at": fact["from"],
                "episode": blocks.at(fact["pep"], fact["from"]),
                **ended(fact, blocks),
            }


def ended(fact: Record, blocks: "Blocks") -> Record:
    """When the value went, and the header of the commit that took it."""
    if not fact["to"]:
        return {}
    return {"invalid_at": fact["to"], "expired_at": fact["to"], "ending": blocks.at(fact["pep"], fact["to"])}


def meanings(field: str, value: str) -> list[tuple[str, str, str]]:
    """Relation, target type and target for each thing that a header field names."""
    if field == "Status":
        return [("HAS_STATUS", "Status", value)]
    if field == "Type":
        return [("HAS_TYPE", "Type", value)]
    if field == "Python-Version":
        return [("TARGETS_VERSION", "Version", f"Python {version}") for version in versions(value)]
    if field == "Resolution":
        url = _URL.search(value)
        return [("HAS_RESOLUTION", "Source", url[0] if url else value)]
    relation = "REPLACES" if field == "Replaces" else "SUPERSEDED_BY"
    return [(relation, "PEP", f"PEP {number.removeprefix('PEP').strip()}") for number in _LIST.split(value) if number]


def versions(value: str) -> list[str]:
    """The versions of a list; one that is not clean throughout stays as it was written."""
    parts = _LIST.split(value)
    return parts if all(map(_VERSION.fullmatch, parts)) else [value]


class Blocks:
    """The tracked header lines of each PEP as they stood after each commit."""

    def __init__(self, facts: Sequence[Record]) -> None:
        self._facts: dict[int, list[Record]] = defaultdict(list)
        for fact in facts:
            self._facts[fact["pep"]].append(fact)

    def at(self, pep: int, commit: str) -> str:
        """The header block at that commit; empty when no tracked line was left."""
        moment = instant(commit)
        standing = {f["field"]: f["value"].strip() for f in self._facts[pep] if f["value"].strip() and holds(f, moment)}
        if not standing:
            return ""
        lines = [f"{field}: {standing[field]}" for field in TRACKED if field in standing]
        return "\n".join([f"Header of PEP {pep}, committed {moment:%Y-%m-%d %H:%M:%S} UTC", "", *lines])


def holds(fact: Record, moment: datetime) -> bool:
    """True when the value stood in the header at `moment`."""
    return instant(fact["from"]) <= moment and (not fact["to"] or moment < instant(fact["to"]))


def instant(text: str) -> datetime:
    """A commit's time in UTC."""
    return datetime.fromisoformat(text).astimezone(UTC)


# -- who wrote them


def people_rows(facts: Sequence[Record], peps: Sequence[Record]) -> Iterator[Record]:
    """Authors from the Created header on; delegates and sponsors without a date, known since the snapshot."""
    first: dict[int, datetime] = {}
    for fact in facts:
        first[fact["pep"]] = min(instant(fact["from"]), first.get(fact["pep"], datetime.max.replace(tzinfo=UTC)))
    snapshot = max(instant(fact["to"] or fact["from"]) for fact in facts)
    for pep in peps:
        header, number = pep["header"], pep["pep"]
        created = datetime.strptime(header["Created"], "%d-%b-%Y").replace(tzinfo=UTC)
        block = header_block(header, snapshot)
        for name in people(header["Author"]):
            known = max(created, first.get(number, created))
            yield person(number, "AUTHORED_BY", name, block, known) | {"valid_at": created.isoformat()}
        for name in people(", ".join(header.get(field, "") for field in DELEGATES)):
            yield person(number, "HAS_DELEGATE", name, block, snapshot)
        for name in people(header.get("Sponsor", "")):
            yield person(number, "HAS_SPONSOR", name, block, snapshot)


def person(number: int, relation: str, name: str, block: str, known: datetime) -> Record:
    """A fact that joins a PEP and a person."""
    return {
        "source": f"PEP {number}",
        "source_type": "PEP",
        "relation": relation,
        "target": name,
        "target_type": "Person",
        "created_at": known.isoformat(),
        "episode": block,
    }


def people(line: str) -> list[str]:
    """The names of a header line, without addresses; "Jr." belongs to the name before it."""
    names: list[str] = []
    for part in (p.strip() for p in _MAIL.sub("", line).split(",")):
        if part in {"Jr.", "Sr."} and names:
            names[-1] += f", {part}"
        elif part and part != "TODO":
            names.append(part)
    return list(dict.fromkeys(names))


def header_block(header: Record, snapshot: datetime) -> str:
    """The whole header as the snapshot has it, without addresses."""
    lines = [f"{field}: {_MAIL.sub('', value).strip()}" for field, value in header.items() if value.strip()]
    return "\n".join([f"Header of PEP {header['PEP']}, as of {snapshot:%Y-%m-%d}", "", *lines])


# -- what they are about


def entities(peps: Sequence[Record]) -> Iterator[Record]:
    """Each PEP with its title, and its abstract where its text is free."""
    for pep in peps:
        parts = [pep["header"]["Title"], abstract(pep) if is_free(pep) else ""]
        yield {"name": f"PEP {pep['pep']}", "type": "PEP", "summary": "\n\n".join(filter(None, parts))}


def is_free(pep: Record) -> bool:
    """True when the PEP's Copyright section puts the whole of it in the public domain, or under CC0."""
    return any(_FREE.match(section["text"].strip()) for section in sections(pep, "copyright"))


def abstract(pep: Record) -> str:
    """The text of the section called Abstract."""
    return "\n\n".join(section["text"].strip() for section in sections(pep, "abstract"))


def sections(pep: Record, title: str) -> list[Record]:
    """The PEP's sections of that title."""
    return [section for section in pep["sections"] if section["title"].strip().lower() == title]


if __name__ == "__main__":
    main()
