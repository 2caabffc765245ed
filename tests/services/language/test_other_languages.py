"""Questions that are not in English are told by their letters and small words; names of other languages are no sign."""

import pytest

from services.language.other_languages import other_language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wann wurde PEP 572 angenommen?", "German"),
        ("Wer schrieb PEP 8?", "German"),
        ("Qui a écrit la PEP 484 ?", "French"),
        ("¿Quién escribió el PEP 484?", "Spanish"),
        ("Wie heeft PEP 8 geschreven?", "Dutch"),
        ("誰が書いたか", "Japanese"),
        ("Кто написал это?", "a language in Cyrillic letters"),
    ],
)
def test_another_language_is_recognized(question: str, language: str) -> None:
    assert other_language(question) == language


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote PEP 8?",
        "Who is the author of Die Zeit?",
        "When did Van der Berg join Los Lobos?",
        "status of PEP 484",
        "Who is Дмитрий?",
        "El Salvador La Union president",
        "Die Hard director",
        "Come Together album",
        "Der Spiegel und Die Zeit owner",
        "De la Cruz Van der Berg salary",
        "?",
    ],
)
def test_english_is_left_alone(question: str) -> None:
    assert other_language(question) == ""
