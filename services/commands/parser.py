"""What the terminal takes: values that are checked, and how a command is added."""

import argparse
from collections.abc import Callable

from services.core import clock
from services.core.errors import BadInput, FetchRefused
from services.web.urls import read_url

MOST_HITS, MOST_PAGES = 200, 500
MODES = ("single", "sitemap", "recursive")

Start = Callable[[argparse.Namespace], int]
Command = Callable[[str, Start, str], argparse.ArgumentParser]
"""Adds a command by its name, what runs it, and what it does."""


def instant(text: str) -> str:
    """An instant in any spelling that can be read."""
    try:
        clock.parse_instant(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def address(text: str) -> str:
    """The address of a page."""
    try:
        read_url(text)
    except FetchRefused as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def name(text: str) -> str:
    """What something is called."""
    if not text.strip():
        raise argparse.ArgumentTypeError("A name cannot be empty.")
    return text


def whole_number(text: str) -> int:
    """A count."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"“{text}” is no whole number.")
    return int(text)


def hit_count(text: str) -> int:
    """How many hits are wanted."""
    if not 1 <= whole_number(text) <= MOST_HITS:
        raise argparse.ArgumentTypeError(f"Ask for 1 to {MOST_HITS} hits.")
    return int(text)


def page_count(text: str) -> int:
    """How many pages may be fetched."""
    if not 1 <= whole_number(text) <= MOST_PAGES:
        raise argparse.ArgumentTypeError(f"Ask for 1 to {MOST_PAGES} pages.")
    return int(text)
