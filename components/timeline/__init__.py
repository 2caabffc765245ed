"""The parts of the Timeline page."""
