"""Facts from texts by patterns over parsed English."""
