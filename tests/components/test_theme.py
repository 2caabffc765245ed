"""The tokens: one set of colours, the same in Python, in the stylesheet and in Streamlit's theme, with contrast."""

import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from components.address import View
from components.theme import TOKENS, Chart, Token, add_view_lines, faded

ROOT = Path(__file__).resolve().parents[2]
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())


THEMES = ("light", "dark")


@pytest.mark.parametrize("name", THEMES)
def test_streamlits_theme_has_the_tokens(name: str) -> None:
    theme = CONFIG["theme"][name]
    assert theme["backgroundColor"] == _colour("bg", name)
    assert theme["secondaryBackgroundColor"] == _colour("sub", name)
    assert theme["textColor"] == _colour("text", name)
    assert theme["borderColor"] == _colour("line", name)
    assert theme["linkColor"] == _colour("accent", name)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("text", "bg"),
        ("text", "sub"),
        ("muted", "bg"),
        ("muted", "sub"),
        ("accent", "bg"),
        ("accent", "tint"),
        ("added", "added_bg"),
        ("ended", "ended_bg"),
        ("corrected", "corrected_bg"),
        ("text", "ended_bg"),
    ],
)
def test_text_has_a_contrast_of_four_and_a_half(name: str, text: Token, ground: Token) -> None:
    assert _contrast(_colour(text, name), _colour(ground, name)) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_the_primary_button_can_be_read(name: str) -> None:
    assert _contrast(_colour("on_primary", name), CONFIG["theme"][name]["primaryColor"]) >= 4.5


def test_the_stylesheet_uses_no_colour_and_no_variable_of_its_own() -> None:
    sheet = (ROOT / "components" / "asof.css").read_text()
    assert re.findall(r"#[0-9A-Fa-f]{3,8}\b", sheet) == []
    known = {name.replace("_", "-") for name in TOKENS}
    assert set(re.findall(r"var\(--a-([a-z-]+)\)", sheet)) <= known


def test_every_font_that_the_theme_names_is_in_the_static_folder() -> None:
    for face in CONFIG["theme"]["fontFaces"]:
        assert (ROOT / "pages" / "static" / Path(face["url"]).name).is_file()


def test_a_faded_colour_keeps_its_hue() -> None:
    assert faded("#4B45C6", 0.16) == "rgba(75,69,198,0.16)"


def _colour(token: Token, theme: str) -> str:
    return TOKENS[token][THEMES.index(theme)]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_dates_of_a_comparison_are_days_on_a_chart_unless_they_are_of_one_day() -> None:
    first, last = datetime(2025, 11, 27, tzinfo=UTC), datetime(2026, 11, 27, 7, 40, tzinfo=UTC)
    assert labels_of(View(as_of=first, to=last)) == ["<b>● 2025-11-27</b>", "<b>● 2026-11-27</b>"]
    assert labels_of(View(as_of=last.replace(hour=3), to=last)) == [
        "<b>● 2026-11-27 03:40</b>",
        "<b>● 2026-11-27 07:40</b>",
    ]


def labels_of(view: View) -> list[str]:
    chart = Chart(xaxis={}, yaxis={})
    add_view_lines(chart, view, (datetime(2000, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)))
    return [label["text"] for label in chart.layout["annotations"]]
