"""Readers: a text becomes sections and chunks that know their lines."""
