"""The agent: tools, the loop over a model, the analyst without one, and the check of what they say."""
