"""What notes and headers tell without a sentence: "Status: Draft", "- Added: Parquet export", "Ada Brandt — CEO"."""

import re
from dataclasses import replace
from datetime import datetime

from services.extraction.rules.clause_dates import Times
from services.extraction.rules.date_expressions import date_expressions
from services.extraction.rules.discourse import Discourse
from services.extraction.rules.findings import NO_TIMES, Finding
from services.extraction.rules.mentions import USER, Referent, could_be_person
from services.extraction.rules.word_categories import known

_FIELD = re.compile(
    r"(?:^|(?<=[.;] )|(?<=[.;])|(?<=\| ))\s*([A-Z][A-Za-z]*(?:[ -][A-Za-z]+){0,2}):\s+"
    r"([^;|\n]+?)(?=\.?\s*$|\s*\||(?<![A-Z])[.;]\s+[A-Z])"
)
_TO_TITLE = {
    "status": ("HAS_STATUS", False),
    "state": ("HAS_STATUS", False),
    "author": ("AUTHORED", True),
    "written by": ("AUTHORED", True),
    "requires": ("DEPENDS_ON", False),
    "depends on": ("DEPENDS_ON", False),
    "replaces": ("REPLACES", False),
    "supersedes": ("REPLACES", False),
    "obsoletes": ("REPLACES", False),
    "superseded by": ("REPLACES", True),
    "superseded-by": ("REPLACES", True),
    "replaced by": ("REPLACES", True),
    "project lead": ("LEADS", True),
    "lead": ("LEADS", True),
    "owner": ("OWNS", True),
    "maintainer": ("WORKS_ON", True),
    "assignee": ("WORKS_ON", True),
    "director": ("DIRECTED", True),
    "directed by": ("DIRECTED", True),
    "language": ("WRITTEN_IN", False),
    "written in": ("WRITTEN_IN", False),
    "assigned to": ("WORKS_ON", True),
    "founded by": ("FOUNDED", True),
    "founder": ("FOUNDED", True),
    "headquarters": ("BASED_IN", False),
    "engineers": ("WORKS_ON", True),
    "engineer": ("WORKS_ON", True),
    "developer": ("WORKS_ON", True),
    "dev": ("WORKS_ON", True),
    "member": ("MEMBER_OF", True),
    "captain": ("LEADS", True),
    "conductor": ("LEADS", True),
    "pm": ("LEADS", True),
    "team lead": ("LEADS", True),
    "tech lead": ("LEADS", True),
    "project manager": ("LEADS", True),
    "chair": ("LEADS", True),
    "based in": ("BASED_IN", False),
    "part of": ("PART_OF", False),
}
_TO_PERSON = {
    "employer": "WORKS_FOR",
    "lives in": "LIVES_IN",
    "home": "LIVES_IN",
    "role": "HAS_ROLE",
    "job": "HAS_ROLE",
    "born in": "BORN_IN",
    "languages": "SPEAKS",
    "speaks": "SPEAKS",
    "allergies": "ALLERGIC_TO",
    "likes": "PREFERS",
    "dislikes": "DISLIKES",
    "job title": "HAS_ROLE",
    "position": "HAS_ROLE",
    "occupation": "HAS_ROLE",
    "allergic to": "ALLERGIC_TO",
    "preference": "PREFERS",
    "prefers": "PREFERS",
    "manager": "REPORTS_TO",
    "boss": "REPORTS_TO",
    "works at": "WORKS_FOR",
    "works for": "WORKS_FOR",
    "uses": "USES",
}
_LISTED = re.compile(
    r"\W*((?:Project |Team |The )?[A-Z][\w&’'-]+(?: [A-Z][\w&’'-]+){0,3})(?:[.:]|\s*[–—-]|\n)\s+"
    r"([A-Z][A-Za-z]*(?: [A-Za-z]+)?): "
)
"""What a list of people is of, and the first of its labels: "Project Falcon. Lead: Ada Brandt. Devs: Bo Lind."."""
_NAMED = re.compile(r"[A-Z]+-\d+|#\d+|[A-Z][\w-]*(?: [A-Z0-9][\w-]*)*")
_NO_SPEAKERS = (
    "note",
    "notes",
    "summary",
    "todo",
    "remember",
    "update",
    "contact",
    "fact",
    "facts",
    "example",
    "warning",
    "present",
    "agenda",
    "context",
    "result",
    "subject",
    "date",
    "time",
    "type",
    "title",
    "tip",
    "ps",
    "re",
    "fyi",
    "reminder",
    "action",
    "actions",
    "decision",
    "topic",
    "background",
    "problem",
    "solution",
    "fix",
    "rationale",
    "abstract",
    "copyright",
    "created",
    "resolution",
    "content",
    "format",
    "discussions",
)


def is_field(sentence: str) -> bool:
    """True for a sentence that is a header field that was read as one."""
    match = re.match(r"\W*([A-Z][A-Za-z]*(?:[ -][A-Za-z]+){0,2}):\s", sentence)
    if match is None:
        return False
    name = match[1].lower()
    known_fields = _TO_TITLE.keys() | _TO_PERSON.keys() | {"created", "resolution", "type", "contact"}
    named = name in known_fields | known("status") or name.removesuffix("s") in known_fields
    return named or bool(re.match(r"favou?rite\b", name))


def title_name(title: str) -> str:
    """A document's name in its title: "PEP 484" of "PEP 484 – Type Hints"; else the title up to a dash or a colon."""
    title = re.sub(r"\s*\([^)]*\)$", "", title)
    match = re.match(r"([A-Z][A-Za-z]*[ -]#?\d+)\b\s*(?:[–—:-]|\(|$)", title)
    if match:
        return match[1]
    return re.sub(r"\s*[–—|:].*$", "", title).strip()


def subject_of_fields(title: str, text: str) -> str:
    """Whom the header fields of a text are about: the title, or the first numbered document that it names."""
    if re.search(r"\d", title) and not re.match(r"\d", title):
        return title_name(title)
    project = re.search(r"^(?:\W*)((?:Project )?[A-Z][\w-]+(?: [A-Z][\w-]+)?)(?: project)? status:", text) or re.search(
        r"[:–-] (?:Project )?([A-Z][\w-]+)$", title
    )
    if project:
        return project[1]
    listed = _LISTED.match(text)
    if listed and _TO_TITLE.get(listed[2].lower().removesuffix("s"), ("", False))[1]:
        return listed[1]
    numbered = re.search(r"\b[A-Z]{2,}[ -]\d+\b", text)
    if numbered:
        return numbered[0]
    return title_name(title)


def fields(text: str, about: str, discourse: Discourse, reference: datetime | None) -> list[Finding]:
    """The facts of the header fields in a line: "Status: Draft. Author: Ada Brandt"."""
    found: list[Finding] = []
    for label, value in _FIELD.findall(text):
        name, whens = label.lower(), date_expressions(value, reference)
        if name in ("created", "resolution", "accepted", "rejected") and whens:
            discourse.field_dates[name] = whens[0].first
        elif (name.removesuffix("s") in _TO_TITLE or name in _TO_TITLE) and about:
            found += _of_title(label, value, about)
        elif (name in _TO_PERSON or re.match(r"favou?rite\b", name)) and (person := _person(about, discourse)):
            relation = _TO_PERSON.get(name, "PREFERS")
            found += [Finding(person, relation, Referent(part, "", 0.95)) for part in _parts(value, relation)]
    return found


def _of_title(label: str, value: str, about: str) -> list[Finding]:
    """ "Status: Draft", "Authors: Ada Brandt, Bo Lind", "PM: Ada Brandt": about what the text is about."""
    name = label.lower()
    relation, turned = _TO_TITLE[name if name in _TO_TITLE else name.removesuffix("s")]
    found = []
    for part in _parts(value, relation):
        one, other = Referent(about, ""), Referent(part, "Status" if relation == "HAS_STATUS" else "", 0.97)
        found.append(Finding(other, relation, one) if turned else Finding(one, relation, other))
    return found


def dated_fields(found: list[Finding], discourse: Discourse) -> list[Finding]:
    """The same with the dates of "Created" and "Resolution": when it was written, and since when it has its status."""
    created = discourse.field_dates.get("created")
    resolved = discourse.field_dates.get("resolution")
    dated = []
    for one in found:
        if one.relation == "AUTHORED" and created and one.times == NO_TIMES:
            one = replace(one, times=Times(created))
        if one.relation == "HAS_STATUS" and resolved and one.times == NO_TIMES:
            one = replace(one, times=Times(resolved))
        dated.append(one)
    return dated


def _parts(value: str, relation: str) -> list[str]:
    value = re.sub(r"\s*<[^>]*>|\s*\([^)]*\)", "", value)
    if relation == "HAS_STATUS":
        return [re.split(r",|;| since | \u2013 ", value)[0].strip(" .")]
    return [part.strip(' ."“”') for part in re.split(r",|\band\b|;", value) if part.strip(" .")]


def _person(about: str, discourse: Discourse) -> Referent | None:
    if discourse.about_user:
        return Referent(USER, "Person", 0.95)
    return Referent(about, "Person", 0.9) if about and could_be_person(about) and " " in about else None


def speaker(label: str) -> str | None:
    """Who speaks after "Ilse:"; "" for an assistant; nothing when the label is none of a speaker."""
    lowered = label.lower()
    if lowered in ("user", "human", "me", "customer"):
        return USER
    if lowered in ("assistant", "ai", "bot", "system", "agent"):
        return ""
    words = known("role") | frozenset(_NO_SPEAKERS) | frozenset(_TO_TITLE) | frozenset(_TO_PERSON)
    if lowered in words or lowered.removesuffix("s") in words or " " in label or not could_be_person(label):
        return None
    return label
