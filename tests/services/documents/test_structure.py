"""A document's sections and chunks, with the lines that they stand on."""

import pytest

from services.documents.chunking import FULL, WHOLE, keywords
from services.documents.sections import anchor
from services.documents.structure import structured
from services.documents.text_formats import readable
from tests.services.documents.texts import document, read

PROFILE = """---
title: Ada
---
Before all headings.

# Profile

Ada is a writer.

## Technical Expertise

- Analysis
- Poetry

#### C++ & more

## Technical Expertise

Twice.
"""
SENTENCE = "The quick brown fox jumps over the lazy dog. "


def test_sections_know_their_place_their_lines_and_their_chunks():
    found = read(PROFILE, "markdown")
    top, first, deep, _ = found.sections
    assert [s.id for s in found.sections] == [
        "file123:section:Level_1_Profile",
        "file123:section:Level_2_Technical_Expertise",
        "file123:section:Level_3_C_more",
        "file123:section:Level_2_Technical_Expertise_2",
    ]
    assert (first.name, first.normalized_name) == ("Technical Expertise", "technical_expertise")
    assert (top.path, top.parent_path) == ("Level 1: Profile", "")
    assert deep.path == "Level 1: Profile > Level 2: Technical Expertise > Level 3: C++ & more"
    assert deep.parent_path == first.path
    assert [s.anchor for s in found.sections] == ["profile", "technical-expertise", "c-more", "technical-expertise-1"]
    assert [(s.start_line, s.end_line) for s in found.sections] == [(6, 19), (10, 16), (15, 16), (17, 19)]
    assert [(s.start_chunk, s.end_chunk, s.chunk_count) for s in found.sections] == [
        (1, 1, 1),
        (2, 2, 1),
        (-1, -1, 0),
        (3, 3, 1),
    ]


def test_chunks_stand_under_their_heading_and_do_not_repeat_it():
    found = read(PROFILE, "markdown")
    assert [(c.text, c.start_line, c.end_line) for c in found.chunks] == [
        ("Before all headings.", 4, 4),
        ("Ada is a writer.", 8, 8),
        ("- Analysis\n- Poetry", 12, 13),
        ("Twice.", 19, 19),
    ]
    assert [c.section_id for c in found.chunks] == ["", *(found.sections[n].id for n in (0, 1, 3))]
    assert found.chunks[1].id == "file123:chunk:1"
    assert found.document.chunk_count == 4


def test_the_header_lines_of_a_pep_stand_under_no_heading():
    text = "PEP: 484\nTitle: Type Hints\n\n\n.. _abstract:\n\nAbstract\n========\n\nText.\n\nMore\n----\n\nText.\n"
    found = read(text, "rst")
    assert [(c.text, c.section_id) for c in found.chunks] == [
        ("PEP: 484\nTitle: Type Hints", ""),
        ("Text.", "file123:section:Level_1_Abstract"),
        ("Text.", "file123:section:Level_2_More"),
    ]
    assert [(s.start_line, s.end_line) for s in found.sections] == [(7, 15), (12, 15)]


@pytest.mark.parametrize("format", ["markdown", "rst", "text"])
@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_a_text_without_words_has_no_chunks(format, text):
    found = read(text, format)
    assert (found.sections, found.chunks, found.document.chunk_count) == ((), (), 0)


def test_a_short_text_is_one_chunk():
    text = "One.\n\nTwo.\n\n# Three\n"
    (chunk,) = read(text, "text").chunks
    assert (chunk.text, chunk.start_line, chunk.end_line) == (text.strip(), 1, 5)


def test_paragraphs_are_put_together_until_a_chunk_is_full():
    paragraph = (SENTENCE * 10).strip()
    chunks = read("\n\n".join([paragraph] * 7), "text").chunks
    assert [(c.start_line, c.end_line) for c in chunks] == [(1, 3), (5, 7), (9, 11), (13, 13)]
    assert chunks[0].text == f"{paragraph}\n\n{paragraph}"


def test_a_short_document_without_headings_is_one_chunk():
    paragraphs = "\n\n".join([(SENTENCE * 15).strip()] * 3)
    assert FULL < len(paragraphs) <= WHOLE
    assert [chunk.text for chunk in read(f"\n{paragraphs}\n", "text").chunks] == [paragraphs]
    assert len(read(f"# Heading\n\n{paragraphs}\n", "markdown").chunks) > 1


def test_a_short_last_chunk_joins_the_one_before():
    paragraph = (SENTENCE * 26).strip()
    (chunk,) = read(f"{paragraph}\n\nThe end.", "text").chunks
    assert chunk.text.endswith("The end.")


def test_a_long_paragraph_is_cut_at_the_ends_of_sentences():
    chunks = read((SENTENCE * 100).strip(), "text").chunks
    assert len(chunks) == 4
    assert all(c.text.startswith("The quick") and c.text.endswith("dog.") and c.start_line == 1 for c in chunks)


def test_without_sentences_it_is_cut_between_words_and_without_words_anywhere():
    assert {word for c in read("word " * 1_000, "text").chunks for word in c.text.split()} == {"word"}
    assert [len(c.text) for c in read("x" * 3_000, "text").chunks] == [FULL, FULL, 600]


@pytest.mark.parametrize(
    ("format", "block"),
    [
        ("markdown", "```python\n" + "x = 1\n\n" * 40 + "```"),
        ("markdown", "\n\n".join(f"- item {n}\n\n  and more" for n in range(20))),
        ("rst", "An example::\n\n" + "    x = 1\n\n" * 30 + "    y = 2"),
        ("text", "| a | b |\n" * 50 + "| a | b |"),
    ],
)
def test_code_lists_and_tables_are_kept_whole(format, block):
    paragraph = (SENTENCE * 22).strip()
    chunks = read("\n\n".join([paragraph, paragraph, block, paragraph]), format).chunks
    assert block in [chunk.text for chunk in chunks]


def test_code_that_is_too_long_is_cut_between_lines():
    code = "\n".join(f"value = {n}. Another" for n in range(300))
    chunks = read(f"```\n{code}\n```", "markdown").chunks
    assert len(chunks) > 1
    assert all(c.text.split("\n")[0] in ("```", f"value = {c.start_line - 2}. Another") for c in chunks)


def test_a_long_list_is_cut_between_items():
    items = "\n".join(f"- item {n}. It has a second sentence\n  and a second line" for n in range(60))
    chunks = read(items, "markdown").chunks
    assert len(chunks) > 1
    assert all(chunk.text.startswith("- item") for chunk in chunks)


def test_the_indentation_of_a_chunk_stays():
    assert read("\n\n    code()\n      more()\n\n", "rst").chunks[0].text == "    code()\n      more()"


def test_html_is_structured_as_the_markdown_that_it_became():
    text, _ = readable("<html><h1>Profile</h1><p>Ada</p>", "html")
    found = structured(document("html"), text)
    assert [(s.name, s.start_line) for s in found.sections] == [("Profile", 1)]
    assert [(c.text, c.start_line) for c in found.chunks] == [("Ada", 3)]


def test_keywords_are_the_most_frequent_words_then_the_longest_then_the_first():
    assert keywords("The cat and the dog. A cat's tail isn't an elephant. x86 42 of it") == (
        "cat",
        "elephant",
        "tail",
        "dog",
    )
    assert len(keywords(" ".join(chr(97 + n) * 4 for n in range(26)))) == 10


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("What is a PEP?", "what-is-a-pep"),
        ("1. The ``__init__`` method", "the-init-method"),
        ("Über große Städte", "uber-grosze-stadte"),
        ("Scopes à la npm", "scopes-a-la-npm"),
        ("Łódź", "lodz"),
        ("北京", ""),
    ],
)
def test_anchors_are_those_of_docutils(name, expected):
    assert anchor(name) == expected


def test_a_heading_without_latin_letters_still_has_an_anchor():
    assert [s.anchor for s in read("# 北京\n\n# 上海\n\n# Section 1\n", "markdown").sections] == [
        "section-1",
        "section-2",
        "section-1-1",
    ]


def test_the_second_of_two_equal_ids_leaves_room_for_a_heading_with_that_number():
    ids = [s.id.rpartition(":")[2] for s in read("# A\n\n# A\n\n# A 2\n", "markdown").sections]
    assert ids == ["Level_1_A", "Level_1_A_2", "Level_1_A_2_2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("text", "x" * 1_000_000),
        ("text", SENTENCE * 22_000),
        ("text", " " * 1_000_000),
        ("rst", "\n" * 1_000_000),
        ("markdown", SENTENCE * 22_000),
        ("markdown", "# Title\n\ntext\n\n" * 20_000),
        ("markdown", "a *b*\n" * 140_000 + "---"),
        ("rst", "Title\n=====\n\ntext\n\n" * 20_000),
        ("rst", "- item\n" * 140_000),
    ],
    ids=[
        "letters",
        "sentences",
        "spaces",
        "line ends",
        "markdown",
        "headings",
        "one long heading",
        "rst headings",
        "items",
    ],
)
@pytest.mark.timeout(60)
def test_a_long_text_takes_no_more_than_its_length_asks(format, text):
    read(text, format)
