"""The page of an agent's own records: the eight queries, search, and import."""
