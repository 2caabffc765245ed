-- The tables and functions that SQL has of a graph. They are made in `graph`, the file of a copy of the mirror. `facts`
-- shows the records without what the rule keeps beside them; the rule's own macros are those of time_rule.sql.

CREATE TABLE graph.entities AS SELECT {entities} FROM entities;
CREATE TABLE graph.episodes AS SELECT {episodes} FROM episodes;
CREATE TABLE graph.documents AS SELECT {documents} FROM documents;
CREATE TABLE graph.chunks AS SELECT {chunks} FROM chunks;
CREATE TABLE graph.former_names AS SELECT name, "into" AS uuid FROM merged;
CREATE TABLE graph.fact_records AS FROM facts;
USE graph;
CREATE VIEW facts AS SELECT {facts} FROM graph.fact_records;

{rule}

-- The graph's clock where a question does not give it: whoever opens the copy sets the variable.
CREATE MACRO clock_of_graph() AS getvariable('known_at')::TIMESTAMPTZ;

-- What held at t, each fact with its end as believed then.
CREATE MACRO facts_as_of(t) AS TABLE (SELECT {facts} FROM facts_true(t::TIMESTAMPTZ, clock_of_graph())),
    (t, known_at) AS TABLE (SELECT {facts} FROM facts_true(t::TIMESTAMPTZ, known_at::TIMESTAMPTZ));

-- What held at any instant from a until b.
CREATE MACRO facts_between(a, b) AS TABLE
    SELECT {facts} FROM facts_known(clock_of_graph())
    WHERE valid_at < b::TIMESTAMPTZ AND ends > a::TIMESTAMPTZ AND ends > valid_at AND a::TIMESTAMPTZ < b::TIMESTAMPTZ;

-- What held at one of two instants and not at the other, and since when.
CREATE MACRO fact_changes(t1, t2) AS TABLE
    SELECT CASE WHEN held_second THEN 'added' ELSE 'ended' END AS change,
        CASE WHEN held_second = (t1::TIMESTAMPTZ <= t2::TIMESTAMPTZ) THEN valid_at ELSE ends END AS changed_at, {facts}
    FROM (
        SELECT *, valid_at <= t1::TIMESTAMPTZ AND ends > t1::TIMESTAMPTZ AS held_first,
            valid_at <= t2::TIMESTAMPTZ AND ends > t2::TIMESTAMPTZ AS held_second
        FROM facts_known(clock_of_graph()))
    WHERE held_first <> held_second;

-- A name as services/language/names.py compares it. DuckDB folds no case; the ı has no capital of its own, and is kept apart from i.
CREATE MACRO folded_name(written) AS replace(lower(upper(replace(written, 'ı', chr(1114111)))), 'ß', 'ss');

CREATE VIEW entity_names AS
    SELECT uuid, name, false AS is_former FROM graph.entities
    UNION ALL SELECT uuid, name, true FROM graph.former_names WHERE uuid IN (SELECT uuid FROM graph.entities);

-- The uuids of the entities that a name means, null for none: those of that very name, failing that those whose name
-- differs in case, failing that those that had the name before they were merged or renamed. What a macro is given may
-- name a column of the asker's, so it is read where no column of the graph hides that one.
CREATE MACRO entities_named(entity) AS (
    SELECT list(DISTINCT uuid) FROM (
        SELECT uuid FROM (SELECT trim(entity) AS asked_name) AS asked
        JOIN graph.entity_names AS entity_names ON folded_name(entity_names.name) = folded_name(asked_name)
        QUALIFY rank() OVER (
            PARTITION BY asked_name ORDER BY is_former, entity_names.name <> asked_name) = 1));

-- What a cell of a date says: a date or an instant, a year or a month as its first instant, null for all else.
CREATE MACRO written_instant(written) AS try_cast(CASE
    WHEN regexp_full_match(written, '\d{4}(\.0)?') THEN left(written, 4) || '-01-01'
    WHEN regexp_full_match(written, '\d{4}-\d{1,2}') THEN written || '-01'
    WHEN regexp_full_match(written, '\d{4}-\d{1,2}-\d{1,2}([T ].+)?') THEN written END AS TIMESTAMPTZ);
CREATE MACRO instant_of(cell) AS written_instant(trim(cell::VARCHAR));

-- The targets of an entity's facts of a relation that held at t, in one text; null for none, and for a name that is
-- not that of one entity.
CREATE MACRO targets_as_known(entity, relation, t, known_at) AS (
    SELECT string_agg(DISTINCT held.target, '; ' ORDER BY held.target)
    FROM (SELECT entities_named(entity) AS asked_entities, relation AS asked_relation, t::TIMESTAMPTZ AS asked_t,
        known_at::TIMESTAMPTZ AS asked_known_at) AS asked,
        LATERAL (FROM facts_true(asked_t, asked_known_at)) AS held
    WHERE held.source_uuid = asked_entities[1] AND len(asked_entities) = 1 AND held.relation = asked_relation);
CREATE MACRO targets_as_of(entity, relation, t) AS targets_as_known(entity, relation, t, clock_of_graph()),
    (entity, relation, t, known_at) AS targets_as_known(entity, relation, t, known_at);
