"""The analyst that needs no model: rules, names and dates."""
