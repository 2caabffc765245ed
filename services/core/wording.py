"""Sentences that pages, commands and tools all say."""

NOTHING_FITS = "No passage or fact matches; closest in meaning:"
