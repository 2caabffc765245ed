"""The analyst without a model: a question is read by rules, asked of the tools, and answered with the facts."""
