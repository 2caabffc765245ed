-- The mirror's tables. Columns are in the order of the records' fields in services/core/models.py.

CREATE TABLE IF NOT EXISTS entities (
    uuid VARCHAR, name VARCHAR, types VARCHAR[], summary VARCHAR, created_at TIMESTAMPTZ, attributes VARCHAR);

CREATE TABLE IF NOT EXISTS facts (
    uuid VARCHAR, source_uuid VARCHAR, target_uuid VARCHAR, source VARCHAR, relation VARCHAR, target VARCHAR,
    text VARCHAR, valid_at TIMESTAMPTZ, invalid_at TIMESTAMPTZ, created_at TIMESTAMPTZ, expired_at TIMESTAMPTZ,
    withdrawn_at TIMESTAMPTZ, believed_invalid_at TIMESTAMPTZ, ended_by VARCHAR, episodes VARCHAR[],
    attributes VARCHAR, valid_at_precision VARCHAR, invalid_at_precision VARCHAR, ended_unknown BOOLEAN,
    -- what the macro `stored_beside` of time_rule.sql makes of the columns above
    source_key UBIGINT, target_key UBIGINT,
    recorded_from TIMESTAMPTZ, recorded_until TIMESTAMPTZ, learned_at TIMESTAMPTZ, end_learned TIMESTAMPTZ,
    end_believed TIMESTAMPTZ);

-- Entities that were merged: their uuids and names still find the one that was kept.
CREATE TABLE IF NOT EXISTS merged (uuid VARCHAR, name VARCHAR, types VARCHAR[], "into" VARCHAR);

-- What Graphiti gathered: entities that belong together, and episodes in their order.
CREATE TABLE IF NOT EXISTS communities (
    uuid VARCHAR, name VARCHAR, summary VARCHAR, created_at TIMESTAMPTZ, member_uuids VARCHAR[]);

CREATE TABLE IF NOT EXISTS sagas (
    uuid VARCHAR, name VARCHAR, summary VARCHAR, created_at TIMESTAMPTZ, summarized_until TIMESTAMPTZ,
    episode_uuids VARCHAR[]);

CREATE INDEX IF NOT EXISTS entities_by_uuid ON entities (uuid);
CREATE INDEX IF NOT EXISTS facts_by_uuid ON facts (uuid);
CREATE INDEX IF NOT EXISTS facts_by_source ON facts (source_key);
CREATE INDEX IF NOT EXISTS facts_by_target ON facts (target_key);

CREATE TABLE IF NOT EXISTS episodes (
    uuid VARCHAR, name VARCHAR, content VARCHAR, source VARCHAR, source_description VARCHAR,
    valid_at TIMESTAMPTZ, created_at TIMESTAMPTZ, entity_uuids VARCHAR[]);

-- Changes of facts that came when readers had been told of later ones: 'added', 'ended' or 'withdrawn', and the version
-- of the mirror with which each came.
CREATE TABLE IF NOT EXISTS arrivals (uuid VARCHAR, kind VARCHAR, version BIGINT);

-- The version with which the mirror was built without a former one to compare with: what came late before it is unknown.
CREATE TABLE IF NOT EXISTS origin (version BIGINT);

-- How many facts each entity is part of, whatever their times: worked out again with each change of content.
CREATE TABLE IF NOT EXISTS degrees (key UBIGINT, degree BIGINT);

CREATE TABLE IF NOT EXISTS documents (
    id VARCHAR, title VARCHAR, content_hash VARCHAR, episode_uuid VARCHAR, path VARCHAR, directory VARCHAR,
    format VARCHAR, thread VARCHAR, position BIGINT, chunk_count BIGINT, reference_time TIMESTAMPTZ,
    created_at TIMESTAMPTZ, updated_at TIMESTAMPTZ, tags VARCHAR[]);

CREATE TABLE IF NOT EXISTS sections (
    id VARCHAR, document_id VARCHAR, level BIGINT, name VARCHAR, normalized_name VARCHAR, path VARCHAR,
    parent_path VARCHAR, anchor VARCHAR, chunk_count BIGINT, start_chunk BIGINT, end_chunk BIGINT, start_line BIGINT,
    end_line BIGINT);

CREATE TABLE IF NOT EXISTS chunks (
    id VARCHAR, document_id VARCHAR, section_id VARCHAR, index BIGINT, text VARCHAR, start_line BIGINT,
    end_line BIGINT, keywords VARCHAR[]);

CREATE INDEX IF NOT EXISTS chunks_by_id ON chunks (id);
CREATE INDEX IF NOT EXISTS sections_by_id ON sections (id);

CREATE TABLE IF NOT EXISTS section_types (
    id VARCHAR, canonical_name VARCHAR, normalized_name VARCHAR, common_variants VARCHAR[], section_ids VARCHAR[],
    centroid DOUBLE[], created_at TIMESTAMPTZ, updated_at TIMESTAMPTZ);

CREATE TABLE IF NOT EXISTS similar_chunks (first VARCHAR, second VARCHAR, similarity DOUBLE);

-- Our vectors, by a digest of the text that each was made of: the one thing here that the graph need not have.
-- All are of the model that `meta` names.
CREATE TABLE IF NOT EXISTS vectors (key VARCHAR, vector FLOAT[]);
CREATE INDEX IF NOT EXISTS vectors_by_key ON vectors (key);

CREATE TABLE IF NOT EXISTS meta (
    layout VARCHAR, version BIGINT, synced_at TIMESTAMPTZ, model VARCHAR, dimension BIGINT);
