"""The loop over an endpoint that speaks the Messages API."""
