"""The Model Context Protocol: the tools for other people's agents, pinned to two clocks."""
