"""The tools of the one registry, by toolset."""
