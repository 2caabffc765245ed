"""Texts of jobs on their way into the graph."""
