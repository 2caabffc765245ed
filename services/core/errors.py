"""The error tree: what went wrong, and what the reader can do about it.

AsofError
├── GraphUnavailable     the graph database cannot be reached
├── QueryRejected        the database or the mirror refused a question
├── BadInput             a value, a row or a file that cannot be used as it stands
│   └── AlreadyDone      what is asked for was done before, so nothing is left to do
├── MirrorUnavailable    the read model cannot be opened or built
├── AccountsUnavailable  the accounts database cannot be reached
├── EmbedderUnavailable  the service that makes vectors cannot be reached, or refuses
├── ExtractorUnavailable facts cannot be read from texts
├── FetchRefused         an address may not be fetched, or what came from it may not be used
│   └── HostRefused      its host may not be asked, or there is none
├── WriteFailed          a write did not happen; nothing of it is in the graph
└── Cancelled            the analyst stopped it; nothing of it is in the graph
"""


class AsofError(Exception):
    """Something the reader can act on; `hint` says how."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class GraphUnavailable(AsofError):
    """The graph database cannot be reached, or went away during the call."""


class QueryRejected(AsofError):
    """The database or the mirror refused a question."""


class BadInput(AsofError):
    """A value, a row or a file that cannot be used as it stands."""


class AlreadyDone(BadInput):
    """What is asked for was done before, so nothing is left to do."""


class MirrorUnavailable(AsofError):
    """The read model cannot be opened or built."""


class AccountsUnavailable(AsofError):
    """The accounts database cannot be reached, or refuses."""


class EmbedderUnavailable(AsofError):
    """The service that makes vectors cannot be reached, or refuses."""


class WriteFailed(AsofError):
    """A write did not happen; nothing of it is in the graph."""


class Cancelled(AsofError):
    """The analyst stopped it; nothing of it is in the graph."""


class ExtractorUnavailable(AsofError):
    """Facts cannot be read from texts: the language model is not installed, or the endpoint cannot be used."""


class FetchRefused(AsofError):
    """An address may not be fetched, or what came from it may not be used."""


class HostRefused(FetchRefused):
    """The host of an address may not be asked, or there is none of its name."""
