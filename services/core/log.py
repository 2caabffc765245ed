"""The log: one event a line, as JSON with its fields, through the standard library's loggers (never on stdout)."""

import logging
from typing import Any

import structlog


def logger(name: str) -> Any:
    """A structlog logger; whoever runs Asof sets levels and handlers as for any Python program."""
    return structlog.wrap_logger(
        logging.getLogger(name),
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(default=str),
        ],
    )
