"""The Sources page: where the graph's facts come from, what came of each, and what can be done about it."""
