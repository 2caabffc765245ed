"""Results as people read them on a terminal."""

from collections.abc import Iterable, Sequence
from typing import Any

from services.web.crawl import left_out_in_words

Document = dict[str, Any]

_WIDTH = 100


def imported_text(document: Document) -> str:
    """What an import did or would do."""
    rows = ", ".join(f"{count:,} {meaning}" for meaning, count in document["rows"].items() if count) or "none"
    created = ", ".join(f"{count:,} {kind}" for kind, count in document["created"].items())
    problems = [
        f"row {p['row']}{', column ' + p['column'] if p['column'] else ''}: {p['problem']}"
        for p in document.get("problems", ())
    ]
    would = "would be new" if document.get("dry_run") else "new"
    return "\n".join([f"rows: {rows}", f"{would}: {created}", *problems])


def bad_rows(document: Document) -> str:
    """How many rows could not be taken."""
    count = len({problem["row"] for problem in document["problems"]})
    return f"{count} bad row{'s' if count > 1 else ''}"


def facts_text(document: Document) -> str:
    """The facts that hold, as a table."""
    undated = [f"({document['undated']} more without a date)"] if document["undated"] else []
    listed = fact_table(document["facts"]) if document["facts"] else ["No dated fact holds."]
    return "\n".join([f"As of {short(document['as_of'])}, known at {short(document['known_at'])}", *listed, *undated])


def history_text(document: Document) -> str:
    """Every record, as a table."""
    return "\n".join(fact_table(document["facts"], "created_at", "expired_at", "withdrawn_at")) or "No facts."


def diff_text(document: Document) -> str:
    """The changes by kind, each with its cause."""
    lines = [", ".join(f"{count:,} {kind.replace('_', '-')}" for kind, count in document["totals"].items())]
    for kind in document["totals"]:
        for change in document[kind]:
            fact = change["after"] or change["before"]
            lines.append(f"{kind.replace('_', '-'):<10} {short(change['at']):<20} {fact['fact']}")
            lines += [f"{'':<31} {change['cause']['text']}"] if change["cause"]["text"] else []
    return "\n".join(lines)


def answer_text(document: Document) -> str:
    """An answer sentence by sentence with its marks, then what it cites, then what was called."""
    clocks = f"As of {short(document['as_of'])}, known at {short(document['known_at'])}"
    clocks += f", date taken from “{document['dated_by']}”" if document["dated_by"] else ""
    said = [_said(sentence) for sentence in document["sentences"]] or [document["answer"]]
    parts = ["\n".join([clocks, *said, *filter(None, [document["hint"]])])]
    parts += ["\n".join(_source(one) for one in document["citations"])] if document["citations"] else []
    parts.append("\n".join([f"({document['model'] or 'no model'})", *map(_call, document["trace"])]))
    return "\n\n".join(parts)


def _said(sentence: Document) -> str:
    numbers = "".join(f"[{n}]" for n in sentence["citations"])
    by = f" by [{sentence['by']}]" if sentence["by"] else ""
    why = f": {sentence['reason']}" if sentence["reason"] else ""
    marks = {"supported": "✓", "uncited": "∅ no source", "contradicted": f"✕ contradicted{by}{why}", None: ""}
    return " ".join(filter(None, [sentence["text"], numbers, marks[sentence["mark"]]]))


def _source(one: Document) -> str:
    quote = " ".join(one["quote"].split())[:_WIDTH]
    where = f"{one['title']}: " if one["title"] else ""
    return f"[{one['n']}] {where}“{quote}” ({one['kind']} {one['id']})"


def _call(call: Document) -> str:
    indent = "  " if call["parent_id"] else ""
    asked = f"{call['input']['messages']} messages" if call["kind"] == "model" else _inputs(call["input"])
    return f"{indent}{call['tool']} {asked} → {call['error'] or call['summary']}  {call['ms']:.0f} ms"


def _inputs(given: Document) -> str:
    return ", ".join(f"{name}={value}" for name, value in given.items())


def fact_table(facts: Sequence[Document], *more: str) -> list[str]:
    """Facts in aligned columns, under a head."""
    columns = ("valid_at", "invalid_at", *more, "source", "relation", "target")
    rows = [[short(fact[c]) if c.endswith("_at") else fact[c] for c in columns] for fact in facts]
    return aligned([list(columns), *rows]) if rows else []


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines; each column is as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(pad(row, widths)).rstrip() for row in rows]


def pad(row: Iterable[str], widths: Iterable[int]) -> Iterable[str]:
    """Cells filled up to their columns' widths."""
    return (cell.ljust(width) for cell, width in zip(row, widths, strict=True))


def short(text: str | None) -> str:
    """An instant without what says nothing."""
    return (text or "").replace("T00:00:00+00:00", "").replace("+00:00", "Z")


def ingested_text(document: Document) -> str:
    """What was taken in."""
    told = ", ".join(f"{count:,} {what}" for what, count in document["documents"].items())
    problems = [f"{_where(problem)}: {problem['problem']}" for problem in document["problems"]]
    lines = [f"documents: {told}", f"chunks: {document['chunks']:,}"]
    if (facts := document.get("facts")) is not None:
        where = " on the page Ingest of this workspace" if facts["held"] else ""
        held = f"{facts['held']:,} held for review{where}"
        lines.append(f"facts: {facts['added']:,} added, {facts['ended']:,} ended, {held}")
    if left_out := document.get("left_out"):
        lines.append(f"left out by robots.txt: {left_out_in_words(left_out)} page{'s' if left_out > 1 else ''}")
    return "\n".join([*lines, *problems])


def _where(problem: Document) -> str:
    return f"line {problem['line']}" if "line" in problem else f"document {problem['id']}"


def indexed_text(document: Document) -> str:
    """What can be found."""
    items = document["items"]
    told = f"{items['fact']:,} facts, {items['chunk']:,} chunks and {items['entity']:,} entities"
    return f"{told}, by {document['model']}; {document['links']:,} links, {document['section_types']:,} section types"


def found_text(document: Document) -> str:
    """The hits, each with where it stands and the beginning of its text."""
    lines = [document["note"]] if document["note"] else []
    for number, hit in enumerate(document["results"], 1):
        lines.append(f"{number}. {hit['score']:.2f} {hit['kind']} {_place(hit)}".rstrip())
        text = " ".join(hit["text"].split())
        lines.append(f"   {text[:_WIDTH]}{'…' if len(text) > _WIDTH else ''}")
    return "\n".join(lines) or "Nothing was found."


def _place(hit: Document) -> str:
    """Where a hit stands: its document, section and lines, or its fact's times."""
    if fact := hit.get("fact"):
        return f"{hit['label']}, {short(fact['valid_at']) or 'undated'} → {short(fact['invalid_at']) or 'now'}"
    if hit["kind"] == "entity":
        return str(hit["title"])
    lines = f"lines {hit['start_line']}-{hit['end_line']}"
    return " · ".join(part for part in (hit["title"] or hit["document_id"], hit["section_path"], lines) if part)
