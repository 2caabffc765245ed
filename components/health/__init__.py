"""The Health page's parts."""
