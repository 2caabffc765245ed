"""The command `user` on a terminal: its options, and passwords, which never stand among them."""

import argparse
import getpass
import sys
from collections.abc import Callable
from typing import Any

from services.commands.text import aligned
from services.core.errors import BadInput

Document = dict[str, Any]
Commands = Any
"""What `argparse` gives commands to; its class is private."""

_ACTIONS = {
    "add": "add a user",
    "passwd": "give a user another password, and sign him out",
    "disable": "shut a user out; what he asked is kept",
    "enable": "let a user in again",
    "grant": "let a user into workspaces",
    "revoke": "keep a user out of workspaces",
    "list": "list the users",
}


def add_user(commands: Commands, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the command with its actions."""
    top = commands.add_parser("user", help="who may come in, and to which workspaces", description="users")
    actions = top.add_subparsers(required=True, metavar="DEED", dest="action")
    for action, what in _ACTIONS.items():
        added = actions.add_parser(action, help=what, description=what)
        added.add_argument("--json", action="store_true", help="one JSON document on stdout")
        added.set_defaults(run=run, name="", admin=False, workspaces=[], password_stdin=False)
        if action != "list":
            added.add_argument("name", metavar="NAME", help="what he signs in with; an e-mail where a provider asks")
        if action in ("add", "passwd"):
            added.add_argument("--password-stdin", action="store_true", help="the first line of standard input")
        if action == "add":
            added.add_argument(
                "--admin", action="store_true", help="he sees all workspaces, and makes and deletes them"
            )
            added.add_argument("--grant", dest="workspaces", nargs="+", default=[], metavar="WORKSPACE")
        if action in ("grant", "revoke"):
            added.add_argument("workspaces", nargs="+", metavar="WORKSPACE")


def asked_of_users(chosen: argparse.Namespace) -> Document:
    """The arguments of the command. Raises `BadInput` where a password cannot be read."""
    asked = {name: getattr(chosen, name) for name in ("action", "name", "admin", "workspaces")}
    return asked | ({"password": _password(chosen)} if chosen.action in ("add", "passwd") else {})


def _password(chosen: argparse.Namespace) -> str | None:
    """Typed twice without being shown, or read from standard input. None where a provider asks for it."""
    from services.core.config import settings

    if chosen.password_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if settings().auth == "oidc" and chosen.action == "add":
        return None
    if not sys.stdin.isatty():
        raise BadInput("There is nobody to ask for the password.", "Send it to standard input: --password-stdin.")
    first = getpass.getpass("Password: ")
    if getpass.getpass("Once more: ") != first:
        raise BadInput("The two are not the same.", "Nothing was changed: try again.")
    return first


def users_text(document: Document) -> str:
    """The users as a table."""
    rows = [
        [user["name"], "admin" if user["admin"] else "user", "disabled" if user["disabled_at"] else "", _sees(user)]
        for user in document["users"]
    ]
    return "\n".join(aligned([["name", "role", "", "workspaces"], *rows])) if rows else "No users."


def _sees(user: Document) -> str:
    return "all" if user["admin"] else ", ".join(user["workspaces"]) or "none"
