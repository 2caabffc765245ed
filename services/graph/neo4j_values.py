"""Neo4j's native values as JSON has them: a map with one name, the kind, and everything that makes the value.

The driver takes the zone that is named "UTC" for the offset zero, and so do we. Its dates are given zones of pytz, as
it gives them itself: those of `zoneinfo` read them as if they were Python's own, and end the process.
"""

from datetime import UTC, datetime
from typing import Any

import pytz
from neo4j.spatial import CartesianPoint, Point, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time
from neo4j.vector import Vector


def spelled(value: Any) -> Any:
    """A value for JSON, however deep in lists and maps."""
    if isinstance(value, str | int | float) or value is None:
        return value
    if isinstance(value, list | tuple) and not isinstance(value, Point | Duration):
        return [spelled(item) for item in value]
    if isinstance(value, dict):
        return {name: spelled(item) for name, item in value.items()}
    if isinstance(value, datetime):
        value = DateTime.from_native(value)
    return _spelled(value)


def _spelled(value: Any) -> Any:
    if isinstance(value, DateTime):
        zone = getattr(value.tzinfo, "zone", None)
        return {"datetime": [value.iso_format(), None if zone == "UTC" else zone]}
    if isinstance(value, Date):
        return {"date": value.iso_format()}
    if isinstance(value, Time):
        return {"time": value.iso_format()}
    if isinstance(value, Duration):
        return {"duration": [value.months, value.days, value.seconds, value.nanoseconds]}
    if isinstance(value, Point):
        return {"point": [value.srid, *value]}
    if isinstance(value, Vector):
        return {"vector": [value.dtype.value, value.raw().hex()]}
    return {"bytes": bytes(value).hex()}


def native(value: Any) -> Any:
    """The value that `spelled` spelled."""
    if isinstance(value, list):
        return [native(item) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "datetime":
        text, zone = content
        at = DateTime.from_iso_format(text)
        if zone is not None:
            return at.astimezone(pytz.timezone(zone))
        return at.replace(tzinfo=UTC) if getattr(at.tzinfo, "zone", None) == "UTC" else at
    if kind == "point":
        return _POINTS.get(content[0], Point)(content[1:])
    if kind == "vector":
        return Vector(bytes.fromhex(content[1]), content[0])
    if kind == "duration":
        months, days, seconds, nanoseconds = content
        return Duration(months=months, days=days, seconds=seconds, nanoseconds=nanoseconds)
    return {"date": Date.from_iso_format, "time": Time.from_iso_format, "bytes": bytearray.fromhex}[kind](content)


_POINTS = {7203: CartesianPoint, 9157: CartesianPoint, 4326: WGS84Point, 4979: WGS84Point}
