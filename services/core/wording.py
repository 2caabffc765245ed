"""Sentences that pages, commands and tools all say."""

NOTHING_FITS = "No passage or fact fits; nearest by meaning:"
