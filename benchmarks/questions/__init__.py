"""Questions about a graph, with answers that follow from its facts alone."""
