"""Facts from texts by a small network that was trained on labelled texts (docs/decisions/0012-a-learned-reader.md)."""
