"""A command is declared once: what can be typed, what is sent to the app, and what the app accepts."""

import argparse
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest

from services.commands.arguments import Arguments, Request, Run, option, positional
from services.commands.command import Command, Terminal
from services.core.errors import BadInput
from services.core.json_documents import Json


class PaintArguments(Arguments):
    what: Annotated[str, positional(nargs="?", default="wall")] = "wall"
    colour: Annotated[str, option(help="any of them")]
    coats: Annotated[int, option(type=int)] = 2
    finish: Annotated[Literal["matt", "gloss"], option()] = "matt"
    dry_run: Annotated[bool, option()] = False
    picture: bytes = b""


def paint(_: object, arguments: PaintArguments, _run: Run) -> Json:
    return {"painted": arguments.what}


def start(terminal: Terminal) -> int:
    return terminal.show(terminal.ask("paint", picture=b"\xff"), lambda document: f"{document['painted']} painted")


COMMAND = Command("paint", "paint it", start, {"paint": Request(PaintArguments, paint)}, {"brush": option(default="")})


def typed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    COMMAND.add_to(parser.add_subparsers())
    return parser.parse_args(["paint", *words])


def test_options_take_type_and_default_from_the_fields_of_the_arguments() -> None:
    options = typed("--colour", "red", "--coats", "3")
    assert (options.what, options.colour, options.coats, options.finish) == ("wall", "red", 3, "matt")
    assert (options.dry_run, options.workspace, options.json, options.brush) == (False, "default", False, "")
    assert typed("door", "--colour", "red", "--dry-run").dry_run


@pytest.mark.parametrize("words", [(), ("--colour", "red", "--finish", "silk"), ("--colour", "red", "--picture", "x")])
def test_what_the_fields_do_not_allow_cannot_be_typed(words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        typed(*words)


def test_what_was_typed_is_sent_without_what_stays_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    sent: list[tuple[str, Mapping[str, Any]]] = []

    def send(name: str, given: Mapping[str, Any]) -> Json:
        sent.append((name, given))
        return paint(None, PaintArguments(**given), Run())

    options = typed("door", "--colour", "red", "--brush", "wide")
    assert options.command.start(Terminal(options.command, options, send)) == 0
    assert capsys.readouterr().out == "door painted\n"
    (request,) = sent
    assert request == (
        "paint",
        {
            "workspace": "default",
            "what": "door",
            "colour": "red",
            "coats": 2,
            "finish": "matt",
            "dry_run": False,
            "picture": b"\xff",
        },
    )


def test_the_app_accepts_what_was_sent_and_nothing_else() -> None:
    request = COMMAND.requests["paint"]
    given = request.read({"colour": "red", "picture": b"\xff"})
    assert request.read(given.body()) == given
    with pytest.raises(BadInput, match="brush"):
        request.read({"colour": "red", "brush": "wide"})
