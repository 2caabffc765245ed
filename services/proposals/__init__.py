"""From drafts to a proposal, from a proposal to a write."""
