"""The Ask page's parts."""
