"""Names and texts as SQL writes them."""


def identifier(name: str) -> str:
    """Return a name in quotation marks, as SQL takes any name."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
