-- A copy of what a mirror holds, for questions in SQL: `graph` is the file that it goes into. `facts` shows the records
-- without what the rule keeps beside them; the rule's macros are made there of rule.sql.

CREATE TABLE graph.entities AS SELECT {entities} FROM entities;
CREATE TABLE graph.episodes AS SELECT {episodes} FROM episodes;
CREATE TABLE graph.documents AS SELECT {documents} FROM documents;
CREATE TABLE graph.chunks AS SELECT {chunks} FROM chunks;
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
