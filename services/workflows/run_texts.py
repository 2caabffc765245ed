"""The long values of a run, kept once apart from its state, which holds their ids: checkpoints stay small."""

import json
import threading
from collections.abc import Mapping
from typing import Any

from services.accounts.workflow_runs import WorkflowRunStore
from services.core.errors import BadInput

_LONGEST_TEXT = 200
_LONGEST_DOCUMENT = 2_000
_MOST = 4_000_000


class RunTexts:
    """The texts of one run. Any thread may call any method."""

    def __init__(self, store: WorkflowRunStore, run_id: str) -> None:
        self._store, self._run_id = store, run_id
        self._lock = threading.Lock()
        self._known = store.texts(run_id)

    def kept(self, value: Any, field: str) -> Any:
        """Return the value of a field as the state holds it. Raises `BadInput` for one that is too large."""
        small = self._small(value, field)
        if isinstance(small, dict | list) and not _is_reference(small):
            text = json.dumps(small)
            if len(text) > _LONGEST_DOCUMENT:
                return {"$json": self._put(text, field)}
        return small

    def _small(self, value: Any, field: str) -> Any:
        match value:
            case str() if len(value) > _LONGEST_TEXT:
                return {"$text": self._put(value, field)}
            case Mapping():
                return {str(key): self._small(item, f"{field}.{key}") for key, item in value.items()}
            case list() | tuple():
                return [self._small(item, field) for item in value]
            case None | bool() | int() | float() | str():
                return value
        return str(value)

    def _put(self, content: str, field: str) -> str:
        if len(content) > _MOST:
            raise BadInput(f"{field}: the value has {len(content):,} characters; the limit is {_MOST:,}.")
        id = self._store.put_text(self._run_id, content)
        with self._lock:
            self._known[id] = content
        return id

    def resolved(self, value: Any) -> Any:
        """Return a value with its texts put back."""
        return resolved(value, self._known)


def resolved(value: Any, texts: Mapping[str, str]) -> Any:
    """Return a value of a run's state with its texts put back; what is no longer there is empty."""
    match value:
        case {"$text": str(id), **others} if not others:
            return texts.get(id, "")
        case {"$json": str(id), **others} if not others:
            return resolved(json.loads(texts.get(id, "null")), texts)
        case Mapping():
            return {key: resolved(item, texts) for key, item in value.items()}
        case list():
            return [resolved(item, texts) for item in value]
    return value


def _is_reference(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("$text", "$json")
