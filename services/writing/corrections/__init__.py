"""Changes by hand: facts, entities and sources corrected on the graph's clock, merged, or deleted."""
