"""Read "Heron 2.0 was released in 2025" and "Gorse 6.0 came out": a product has a version."""

import re
from dataclasses import replace

from services.extraction.rules import verbs
from services.extraction.rules.findings import SentenceReading
from services.extraction.rules.frames import Frame

_RELEASED = ("release", "ship", "publish", "launch", "issue")
_CAME_OUT = ("come out", "ship", "land", "arrive", "launch", "debut", "go live")
_NAME_AND_NUMBER = re.compile(r"(.+?)\s+(?:version |v\. ?|release )?(v?\d[\w.-]*)", re.IGNORECASE)


def read(reading: SentenceReading, frame: Frame) -> None:
    """Add the versions that a clause says came out."""
    passive = frame.passive and frame.verb.lemma_ in _RELEASED
    if not passive and (frame.lemma not in _CAME_OUT or frame.slots.get("object")):
        return
    times = verbs.when(reading, frame.verb, "event", over=False)
    for one in reading.refer_all(frame.surface):
        match = _NAME_AND_NUMBER.fullmatch(one.name)
        if match and one.type != "Document" and match[1].lower() not in ("version", "release"):
            product, version = replace(one, name=match[1], type="Product"), replace(one, name=match[2], type="Version")
            reading.add(product, "HAS_VERSION", version, times)
