"""`token`: what programs may ask of this app."""

import argparse
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from services.commands.arguments import Arguments, Request, Run, group_of
from services.commands.command import Command, Terminal, action_parsers
from services.commands.text import aligned
from services.commands.values import instant, parsed
from services.core import clock
from services.core.config import listed
from services.core.errors import BadInput
from services.core.json_documents import Json, spelled
from services.core.models import DEFAULT_WORKSPACE

if TYPE_CHECKING:
    from services.accounts.account_records import User
    from services.accounts.client_tokens import ClientToken
    from services.context import Services

Action = Literal["create", "list", "revoke"]
_DAYS = 365


class TokenArguments(Arguments):
    """What to do with which token. `workspaces` and `toolsets` are granted, and the two instants pinned."""

    action: Action
    name: str = ""
    user: str | None = None
    workspaces: tuple[str, ...] = (DEFAULT_WORKSPACE,)
    toolsets: str = "analyst"
    write: bool = False
    as_of: str | None = None
    known_at: str | None = None
    days: int = Field(_DAYS, ge=0, le=36_500)


def token(services: "Services", arguments: TokenArguments, _: Run) -> Json:
    """Do it. Returns the token made or revoked, or all of them; of one that is made what to send, this once."""
    kept = services.accounts.tokens
    match arguments.action:
        case "create":
            granted, secret = kept.add(
                _user(services, arguments.user),
                arguments.name,
                workspaces=[group_of(services, name) for name in arguments.workspaces],
                toolsets=listed(arguments.toolsets),
                may_write=arguments.write,
                as_of=parsed(arguments.as_of),
                known_at=parsed(arguments.known_at),
                expires_at=clock.now() + timedelta(days=arguments.days) if arguments.days else None,
            )
            return {"tokens": [_document(granted) | {"token": secret}]}
        case "revoke":
            return {"tokens": [_document(kept.revoke(arguments.name))]}
        case "list":
            uses = kept.last_uses()
            return {"tokens": [_document(one, uses.get(one.id)) for one in kept.listed()]}


def _user(services: "Services", name: str | None) -> "User":
    """The user whose rights bound the token: the only one where nobody signs in."""
    users = services.accounts.users
    if name is None and services.settings.auth == "none":
        return users.local()
    found = None if name is None else users.named(name)
    if found is None:
        raise BadInput(
            "--user: name the user whose rights limit the token.", "Run `cli.py user list` to see all users."
        )
    return found


def _document(granted: "ClientToken", used: datetime | None = None) -> Json:
    return {
        "id": granted.id,
        "name": granted.name,
        "workspaces": list(granted.workspaces),
        "toolsets": list(granted.toolsets),
        "write": granted.may_write,
        **{
            name: spelled(getattr(granted, name))
            for name in ("as_of", "known_at", "created_at", "expires_at", "revoked_at")
        },
        "last_used_at": spelled(used),
    }


_ACTIONS = {
    "create": "create a token for a program and show it once",
    "list": "list the tokens",
    "revoke": "revoke a token immediately",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add an action for each thing that can be done."""
    parser.description = "list the tokens"
    for action, added in action_parsers(parser, _ACTIONS):
        if action != "list":
            added.add_argument("name", metavar="NAME", help="the program's name")
        if action == "create":
            _add_grants(added)


def _add_grants(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workspace", dest="workspaces", nargs="+", default=[DEFAULT_WORKSPACE], metavar="NAME")
    parser.add_argument(
        "--toolsets", default="analyst", metavar="NAMES", help="toolsets separated by commas: analyst,knowledge"
    )
    parser.add_argument("--write", action="store_true", help="let the program propose changes")
    parser.add_argument("--as-of", type=instant, metavar="DATE", help="limit the program to facts valid on this date")
    parser.add_argument(
        "--known-at",
        type=instant,
        metavar="DATE",
        help="limit the program to what the graph had recorded by this date",
    )
    parser.add_argument(
        "--days",
        type=int,
        default=_DAYS,
        metavar="N",
        help=f"days until the token expires; default: {_DAYS}, 0: never",
    )
    parser.add_argument(
        "--user", metavar="NAME", help="the user whose rights limit the token; required if users sign in"
    )


def start(terminal: Terminal) -> int:
    """Make a token, end one, or list them."""
    return terminal.show(terminal.ask("token"), tokens_text)


def tokens_text(document: Json) -> str:
    """Return the tokens as a table, and of a new one what to send."""
    rows = [
        [
            one["name"],
            ", ".join(one["workspaces"]),
            ", ".join(one["toolsets"]),
            "write" if one["write"] else "read",
            "revoked" if one["revoked_at"] else f"until {one['expires_at'][:10]}" if one["expires_at"] else "",
            one.get("token", ""),
        ]
        for one in document["tokens"]
    ]
    return "\n".join(aligned(rows)) if rows else "No tokens."


COMMAND = Command(
    "token",
    "manage tokens for programs that use MCP or REST",
    start,
    {"token": Request(TokenArguments, token)},
    add_arguments=add_arguments,
)
