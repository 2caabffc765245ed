"""Units in the names of columns and behind numbers, and what they measure."""

import re

_NAMES = (
    ("time", 1, "s sec secs second seconds"),
    ("time", 60, "min mins minute minutes"),
    ("time", 3600, "h hr hrs hour hours"),
    ("time", 86400, "d day days"),
    ("weight", 1, "g gram grams"),
    ("weight", 1000, "kg kgs kilo kilos kilogram kilograms"),
    ("weight", 1_000_000, "t ton tons tonne tonnes"),
    ("length", 0.01, "cm centimetre centimetres centimeter centimeters"),
    ("length", 1, "m metre metres meter meters"),
    ("length", 1000, "km kms kilometre kilometres kilometer kilometers"),
    ("length", 1609.344, "mi mile miles"),
    ("volume", 0.001, "ml millilitre millilitres milliliter milliliters"),
    ("volume", 1, "l lt ltr litre litres liter liters"),
    ("volume", 1000, "cbm m3"),
    ("area", 1, "sqm m2 qm"),
    ("area", 10_000, "ha hectare hectares"),
    ("energy", 1, "wh"),
    ("energy", 1000, "kwh"),
    ("energy", 1_000_000, "mwh"),
    ("euro", 1, "eur euro euros"),
    ("dollar", 1, "usd dollar dollars"),
    ("pound", 1, "gbp pound pounds"),
)
UNITS = {name: (what, float(factor)) for what, factor, names in _NAMES for name in names.split()}
"""What each unit measures, and how many of the smallest it is."""
_PARTS = re.compile(r"[A-Z]?[a-z]+[23]?|[A-Z]+[23]?")


def measured_in(name: str) -> str:
    """Return what a column measures by the unit at the end of its name, such as "weight"; nothing where it has none."""
    last = parts_behind(name, 0)[-1:]
    return UNITS[last[0]][0] if last and last[0] in UNITS else ""


def parts_behind(name: str, first: int = 1) -> list[str]:
    """Return the parts of a column's name from `first` on."""
    return [part.lower() for part in _PARTS.findall(name)[first:]]
