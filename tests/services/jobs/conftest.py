"""Crawls ask no host but this machine, and pages are parsed in this process."""

from tests.services.web.conftest import loopback_only, quick_reading

__all__ = ["loopback_only", "quick_reading"]
