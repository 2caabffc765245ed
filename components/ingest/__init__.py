"""The Ingest page's parts: ways in on the left, what will change on the right, what was changed below."""
