"""What can be typed as an argument, checked while the terminal reads it."""

import argparse
from collections.abc import Callable
from datetime import datetime

from services.core import clock
from services.core.errors import AsofError
from services.web.urls import read_url


def instant(text: str) -> str:
    """Return an instant in any spelling that can be read."""
    return _checked(clock.parse_instant, text)


def parsed(text: str | None) -> datetime | None:
    """Return the instant that was given, if one was. Raises `BadInput` where it cannot be read."""
    return clock.parse_instant(text) if text else None


def address(text: str) -> str:
    """Return the address of a page."""
    return _checked(read_url, text)


def _checked(read: Callable[[str], object], text: str) -> str:
    try:
        read(text)
    except AsofError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def not_blank(text: str) -> str:
    """Return what something is called."""
    if not text.strip():
        raise argparse.ArgumentTypeError("A name cannot be empty.")
    return text


def whole_number(text: str) -> int:
    """Return a count."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"“{text}” is not a whole number.")
    return int(text)


def at_most(most: int, things: str) -> Callable[[str], int]:
    """Return what reads a number from 1 to `most`, of `things`."""

    def read(text: str) -> int:
        if not 1 <= whole_number(text) <= most:
            raise argparse.ArgumentTypeError(f"Choose 1 to {most} {things}.")
        return int(text)

    return read
