"""The Traces page's parts."""
