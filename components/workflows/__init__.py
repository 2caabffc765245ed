"""The page of workflows: their graphs, runs as they go on, reports, comparisons, and the editor."""
