"""The Sources page: what the graph was fed from, what came of each, and what can be done about it."""
