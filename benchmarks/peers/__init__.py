"""Other programs that Asof is measured beside."""
