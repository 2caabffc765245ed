"""Entities whose names are near a name: candidates for what a text, a form or a duplicate may mean by it.

What is found here is a guess; `services/proposals/name_likeness.py` says which of them are near enough, and why.
"""

from collections.abc import Iterable

from services.core.models import Entity
from services.mirror.reads import Reads
from services.mirror.record_tables import ENTITIES

SMALL_WORDS = ("and", "de", "des", "du", "for", "in", "la", "of", "on", "the", "und")
"""Words that an acronym passes over."""

COMPANY_FORMS = ("ag", "co", "company", "corp", "corporation", "gmbh", "inc", "limited", "llc", "ltd", "plc", "sa")

_MOST = 24
"""So many entities at most for a name: the same one in another spelling first, then the busiest."""

_MOST_LONGER = 6
"""So many more at most, the busiest, whose names have all of its words and others."""

_FOLDED = "trim(regexp_replace(replace(replace(lower({}), '.', ''), ',', ' '), '\\s+', ' ', 'g'))"

_WORDS = f"""
    SELECT *, regexp_extract(folded, '(\\S+)$', 1) AS last, NOT contains(folded, ' ') AS single,
           regexp_replace(folded, ' ({"|".join(COMPANY_FORMS)})$', '') AS core,
           array_to_string(list_transform(
               list_filter(string_split(folded, ' '), lambda w: w NOT IN {SMALL_WORDS}), lambda w: left(w, 1)), '')
               AS acronym,
           left(folded, 1) AS initial, length(folded) AS size"""

_ALIKE = f"""
    WITH asked AS MATERIALIZED ({_WORDS} FROM (
        SELECT name, {_FOLDED.format("name")} AS folded FROM (SELECT unnest($names::VARCHAR[]) AS name))),
    named AS MATERIALIZED ({_WORDS} FROM (SELECT uuid, {_FOLDED.format("name")} AS folded FROM entities)),
    longer AS (
        SELECT name, uuid FROM (SELECT name, string_split(folded, ' ') AS own FROM asked) AS part
        JOIN (SELECT uuid, string_split(folded, ' ') AS words, unnest(words) AS word FROM named) AS whole
          ON word = own[1]
        WHERE len(words) > len(own) AND list_has_all(words, own)),
    found AS (
        SELECT name, uuid, 0 AS rank FROM asked JOIN named USING (folded)
        UNION SELECT name, uuid, 1 FROM asked JOIN named USING (core)
        UNION SELECT name, uuid, 1 FROM asked JOIN named USING (last)
              WHERE asked.single OR named.single OR asked.initial = named.initial
        UNION SELECT name, uuid, 1 FROM asked JOIN named ON asked.folded = named.acronym WHERE asked.size > 1
        UNION SELECT name, uuid, 1 FROM asked JOIN named ON named.folded = asked.acronym WHERE named.size > 1
        UNION SELECT name, uuid, 1 FROM asked JOIN named USING (initial)
              WHERE abs(asked.size - named.size) <= 1 AND damerau_levenshtein(asked.folded, named.folded) <= 1
        UNION SELECT name, uuid, 2 FROM longer),
    ranked AS (SELECT name, uuid, min(rank) AS rank FROM found GROUP BY name, uuid),
    kept AS (
        SELECT uuid FROM ranked LEFT JOIN degrees ON degrees.key = hash(uuid)
        QUALIFY row_number() OVER (PARTITION BY name, rank = 2 ORDER BY rank, coalesce(degree, 0) DESC, uuid)
                <= if(rank = 2, {_MOST_LONGER}, {_MOST}))
    SELECT {ENTITIES.columns()} FROM entities WHERE uuid IN (FROM kept) ORDER BY created_at NULLS FIRST, uuid"""


def entities_alike(mirror: Reads, names: Iterable[str]) -> tuple[Entity, ...]:
    """Entities whose names may be another spelling of one of `names`, a part or an acronym of it, or a longer name.

    Oldest first.
    """
    asked = sorted({name for name in names if name.strip()})
    if not asked:
        return ()
    return mirror._records(ENTITIES, _ALIKE, {"names": asked})
