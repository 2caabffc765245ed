-- The time rule of services/core/time_rule.py, said once for every question that the mirror answers.
-- t is the world's clock (as_of), k the graph's (known_at).

-- A fact's times without nulls, stored beside it: at a million facts the questions below are then twice as fast.
-- So are the keys of its entities, 64 bits in place of 36 letters.
--   recorded      from recorded_from, until recorded_until
--   end           end_learned for whoever knows what was learned at learned_at, end_believed for others
CREATE OR REPLACE MACRO stored_beside(
    source_uuid, target_uuid, created_at, withdrawn_at, invalid_at, expired_at, believed_invalid_at) AS {
    'source_key': hash(source_uuid),
    'target_key': hash(target_uuid),
    'recorded_from': coalesce(created_at, '-infinity'::TIMESTAMPTZ),
    'recorded_until': coalesce(withdrawn_at, 'infinity'::TIMESTAMPTZ),
    'learned_at': coalesce(expired_at, '-infinity'::TIMESTAMPTZ),
    'end_learned': coalesce(invalid_at, expired_at, 'infinity'::TIMESTAMPTZ),
    'end_believed': coalesce(believed_invalid_at, 'infinity'::TIMESTAMPTZ)};

CREATE OR REPLACE MACRO recorded(recorded_from, recorded_until, k) AS recorded_from <= k AND recorded_until > k;

CREATE OR REPLACE MACRO end_at(learned_at, end_learned, end_believed, k) AS
    CASE WHEN learned_at <= k THEN end_learned ELSE end_believed END;

-- Every record as the graph showed it at k, whether it was recorded then or not: time_rule.as_known. `ends` is its end as
-- believed then, 'infinity' while none was known; invalid_at says the same with a null. Another end than the stored
-- one is an instant, however that was given.
CREATE OR REPLACE MACRO facts_as_known(k) AS TABLE
    SELECT rowid AS id, * REPLACE (
        nullif(end_at(learned_at, end_learned, end_believed, k), 'infinity'::TIMESTAMPTZ) AS invalid_at,
        CASE WHEN end_at(learned_at, end_learned, end_believed, k) = coalesce(invalid_at, 'infinity'::TIMESTAMPTZ)
            THEN invalid_at_precision ELSE 'instant' END AS invalid_at_precision,
        coalesce(ended_unknown AND (expired_at <= k OR end_at(learned_at, end_learned, end_believed, k) = invalid_at),
            false) AS ended_unknown,
        CASE WHEN expired_at <= k THEN expired_at END AS expired_at,
        CASE WHEN expired_at <= k THEN believed_invalid_at END AS believed_invalid_at,
        CASE WHEN learned_at <= k THEN ended_by END AS ended_by,
        CASE WHEN withdrawn_at <= k THEN withdrawn_at END AS withdrawn_at),
        end_at(learned_at, end_learned, end_believed, k) AS ends
    FROM facts;

-- Of those, the ones that were recorded: what the graph held at k.
CREATE OR REPLACE MACRO facts_known(k) AS TABLE
    SELECT * FROM facts_as_known(k) WHERE recorded(recorded_from, recorded_until, k);

-- The facts with one of the entities on either side; a null stands for any entity.
CREATE OR REPLACE MACRO touches(source_key, target_key, entities) AS
    entities IS NULL
    OR list_contains(list_transform(entities::VARCHAR[], lambda uuid: hash(uuid)), source_key)
    OR list_contains(list_transform(entities::VARCHAR[], lambda uuid: hash(uuid)), target_key);

CREATE OR REPLACE MACRO facts_true(t, k) AS TABLE
    SELECT * FROM facts_known(k) WHERE valid_at <= t AND ends > t;
