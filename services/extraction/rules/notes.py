"""What notes and headers tell without a sentence: "Status: Draft", "- Added: Parquet export", "Ada Brandt — CEO"."""

import re
from dataclasses import replace
from datetime import datetime

from services.extraction.rules.dates import find
from services.extraction.rules.discourse import Discourse
from services.extraction.rules.findings import NO_TIMES, Finding
from services.extraction.rules.mentions import USER, Referent, could_be_person
from services.extraction.rules.times import Times
from services.extraction.rules.words import known

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
_CHANGES = {
    "added": "INTRODUCES",
    "new": "INTRODUCES",
    "removed": "REMOVES",
    "dropped": "REMOVES",
    "deprecated": "REMOVES",
}
_VERSION = re.compile(r"^\W*(?:version |release )?(?:([A-Z][\w-]*(?: [A-Z][\w-]*)?) )?\[?(v?\d+(?:\.\d+)+[\w.-]*)\]?")
_LIFE = re.compile(
    r"([A-ZÀ-Þ][\w'’.-]+(?: [A-ZÀ-Þ][\w'’.-]+){1,4}) "
    r"\(([A-ZÀ-Þ][\w' ]+), ([^()–—]+?) ?[–—-] ?([A-ZÀ-Þ][\w' ]+), ([^()]+)\)"
)
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
_PERSON_THEN_ROLE = re.compile(
    r"^\W*([A-ZÀ-Þ][\w'’.-]+(?: (?:[A-ZÀ-Þ][\w'’.-]*|de|van|von|da|del|al)){1,4})\s*(?:—|–| - |:)\s+"
    r"([A-Za-z][\w &/-]+?)(?: (?:at|of|for) ([A-Z][^,.;()]+?))?(?=[,.;(]|$)"
)


def is_field(sentence: str) -> bool:
    """True for a sentence that is a header field that was read as one."""
    match = re.match(r"\W*([A-Z][A-Za-z]*(?:[ -][A-Za-z]+){0,2}):\s", sentence)
    if match is None:
        return False
    name = match[1].lower()
    known_fields = _TO_TITLE.keys() | _TO_PERSON.keys() | _CHANGES.keys() | {"created", "resolution", "type", "contact"}
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
    numbered = re.search(r"\b[A-Z]{2,}[ -]\d+\b", text)
    if numbered:
        return numbered[0]
    return title_name(title)


_OF = re.compile(
    r"\b(Owner|Lead|Maintainer|Author|Head|Chair|Manager|Founder) of ([A-Z][\w &/-]*?): ([A-Z][\w .&'’-]*?)(?=[.;,(]|$)"
)
_BRACKETED = re.compile(
    r"([A-ZÀ-Þ][\w'’/-]*(?: [\w'’/-]+){0,3}) "
    r"\((?:its |the )?(owner|lead|maintainer|author|head|chair|manager|founder|director)(?: is|:) "
    r"([A-ZÀ-Þ][\w.'’-]*(?: [\w.'’-]+){0,3})\)"
)
_HOLDS = {"owner": "OWNS", "maintainer": "WORKS_ON", "author": "AUTHORED", "founder": "FOUNDED"}


def held(text: str) -> list[Finding]:
    """ "Owner of Otis: Team Quay", "Gateway team (lead: Pim de Groot)"."""
    found = []
    for role, thing, holder in _OF.findall(text) + [(r, t, h) for t, r, h in _BRACKETED.findall(text)]:
        relation = _HOLDS.get(role.lower(), "LEADS")
        found.append(Finding(Referent(holder.strip(), ""), relation, Referent(thing.strip(), ""), NO_TIMES, 0.82))
    return found


def fields(text: str, about: str, discourse: Discourse, reference: datetime) -> list[Finding]:
    """The facts of the header fields in a line: "Status: Draft. Author: Ada Brandt"."""
    found: list[Finding] = []
    for label, value in _FIELD.findall(text):
        name, whens = label.lower(), find(value, reference)
        if name in ("created", "resolution", "accepted", "rejected") and whens:
            discourse.field_dates[name] = whens[0].first
        elif (name.removesuffix("s") in _TO_TITLE or name in _TO_TITLE) and about:
            found += _of_title(label, value, about)
        elif (name in _TO_PERSON or re.match(r"favou?rite\b", name)) and (person := _person(about, discourse)):
            relation = _TO_PERSON.get(name, "PREFERS")
            found += [Finding(person, relation, Referent(part, "", 0.95)) for part in _parts(value, relation)]
        elif name in _CHANGES and discourse.version:
            version, times = Referent(discourse.version, "Version"), Times(discourse.version_date)
            found.append(Finding(version, _CHANGES[name], Referent(value.strip(" ."), "Topic", 0.9), times, 0.85))
        elif name in known("status"):
            found += _in_state(label, value, next((when.first for when in whens), None))
        elif name == "contact" or name in known("role", "leads"):
            found += _contact(label, value)
    return found


def _of_title(label: str, value: str, about: str) -> list[Finding]:
    """ "Status: Draft", "Authors: Ada Brandt, Bo Lind", "PM: Ada Brandt": about what the text is about."""
    name = label.lower()
    relation, turned = _TO_TITLE[name if name in _TO_TITLE else name.removesuffix("s")]
    is_role = name in known("role", "leads") and name not in known("bare")
    found = _contact(label, value) if is_role and relation == "LEADS" else []
    for part in _parts(value, relation):
        one, other = Referent(about, ""), Referent(part, "Status" if relation == "HAS_STATUS" else "", 0.97)
        found.append(Finding(other, relation, one) if turned else Finding(one, relation, other))
    return found


def _in_state(label: str, value: str, day: datetime | None) -> list[Finding]:
    """ "Done: INV-10, INV-11", "Deprecated: the /v1 endpoints, effective 2026-10-15"."""
    state = Referent(label, "Status")
    if label.lower() == "deprecated":
        target = re.split(r",|\s\(", value)[0].removeprefix("the ")
        return [Finding(Referent(target, "Product"), "HAS_STATUS", state, Times(day), 0.8)]
    names = [re.sub(r"\s*\([^)]*\)", "", part) for part in _parts(value, "LIST")]
    return [Finding(Referent(name), "HAS_STATUS", state, NO_TIMES, 0.8) for name in names if _NAMED.fullmatch(name)]


def profile(text: str) -> list[Finding]:
    """ "name: Sunniva; role: nurse; employer: Haukeland Clinic": facts about whom the first field names."""
    pairs = re.findall(r"(?:^|[;\n.])\s*([A-Za-z][\w ]{1,20}):\s*([^;\n]+?)(?=\s*(?:;|\n|\.\s|\.?$))", text)
    labels = {label.lower().strip(): value.strip(" .") for label, value in pairs}
    name = labels.get("name", "")
    if not name or len(labels) < 2:
        return []
    person = Referent(name, "Person")
    relations = [(label, _TO_PERSON[label]) for label in labels if label in _TO_PERSON]
    return [
        Finding(person, relation, Referent(part, "", 0.95), NO_TIMES, 0.85)
        for label, relation in relations
        for part in _parts(labels[label], relation)
    ]


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


def _contact(label: str, value: str) -> list[Finding]:
    """ "Contact: Lorcan Daly, release manager"; "Chair: Ada Brandt" is a role as well."""
    parts = [part.strip(" .") for part in value.split(",")]
    if not could_be_person(parts[0]) or " " not in parts[0]:
        return []
    if label.lower() != "contact":
        role = label if label.isupper() else label.lower()
        return [Finding(Referent(parts[0], "Person"), "HAS_ROLE", Referent(role, "Role"), NO_TIMES, 0.8)]
    if len(parts) > 1 and parts[1].split()[-1].lower() in known("role"):
        return [Finding(Referent(parts[0], "Person"), "HAS_ROLE", Referent(parts[1], "Role"), NO_TIMES, 0.85)]
    return []


def _parts(value: str, relation: str) -> list[str]:
    value = re.sub(r"\s*<[^>]*>|\s*\([^)]*\)", "", value)
    if relation == "HAS_STATUS":
        return [re.split(r",|;| since | \u2013 ", value)[0].strip(" .")]
    return [part.strip(' ."“”') for part in re.split(r",|\band\b|;", value) if part.strip(" .")]


def _person(about: str, discourse: Discourse) -> Referent | None:
    if discourse.about_user:
        return Referent(USER, "Person", 0.95)
    return Referent(about, "Person", 0.9) if about and could_be_person(about) and " " in about else None


def heading(text: str, discourse: Discourse, reference: datetime) -> None:
    """Notes the version that a heading of a changelog is about, with its date."""
    match = _VERSION.match(text)
    if match:
        discourse.version = f"{match[1]} {match[2]}" if match[1] else match[2]
        discourse.version_date = next((when.first for when in find(text, reference)), None)


def speaker(label: str) -> str | None:
    """Who speaks after "Ilse:"; "" for an assistant; nothing when the label is none of a speaker."""
    lowered = label.lower()
    if lowered in ("user", "human", "me", "customer"):
        return USER
    if lowered in ("assistant", "ai", "bot", "system", "agent"):
        return ""
    words = known("role") | frozenset(_NO_SPEAKERS) | frozenset(_TO_TITLE) | frozenset(_TO_PERSON) | frozenset(_CHANGES)
    if lowered in words or lowered.removesuffix("s") in words or " " in label or not could_be_person(label):
        return None
    return label


def person_lines(text: str) -> list[Finding]:
    """ "Rosalba Conti — Managing Partner, Milan" at the start of a line."""
    match = _PERSON_THEN_ROLE.match(text)
    if not match or not could_be_person(match[1]):
        return []
    role = match[2].strip()
    last = role.split()[-1].lower()
    if last not in known("role") | {"partner", "counsel"} or len(role.split()) > 5:
        return []
    person = Referent(match[1], "Person")
    found = [Finding(person, "HAS_ROLE", Referent(role, "Role"), NO_TIMES, 0.85)]
    if match[3]:
        found.append(Finding(person, "WORKS_FOR", Referent(match[3].strip(), "Organization"), NO_TIMES, 0.8))
    return found


def life_dates(text: str, reference: datetime) -> list[Finding]:
    """ "Ada Brandt (Palma, 1938 – Barcelona, 2011)": born and died, where and when."""
    found = []
    for match in _LIFE.finditer(text):
        if re.search(r"\d", match[2] + match[4]):
            continue
        for relation, place, told in (("BORN_IN", match[2], match[3]), ("DIED_IN", match[4], match[5])):
            whens = find(told, reference)
            if whens:
                found.append(
                    Finding(Referent(match[1], "Person"), relation, Referent(place, "Place"), Times(whens[0].first))
                )
    return found
