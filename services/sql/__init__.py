"""SQL over a workspace's graph, tables from files, and databases: checked, and run where it can only read."""
