"""What holds for every text, whatever its format: nothing is lost, nothing is said twice, all is found again."""

from itertools import pairwise

from hypothesis import given

from services.documents.chunking import FULL, STRETCHED, WHOLE
from services.documents.structure import outline_of
from tests.services.documents.texts import read, texts


@given(texts())
def test_each_chunk_is_found_in_the_text_at_its_lines(made):
    text, format = made
    lines = text.split("\n")
    for chunk in read(text, format).chunks:
        assert chunk.text.strip()
        assert chunk.text in "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
        assert chunk.text.split("\n")[0] in lines[chunk.start_line - 1]
        assert chunk.text.split("\n")[-1] in lines[chunk.end_line - 1]


@given(texts())
def test_chunks_come_in_order_and_do_not_overlap(made):
    text, format = made
    chunks = read(text, format).chunks
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    position = 0
    for chunk in chunks:
        position = text.index(chunk.text, position) + len(chunk.text)


@given(texts())
def test_chunks_stay_within_their_size(made):
    assert all(len(chunk.text) <= WHOLE for chunk in read(*made).chunks)
    assert FULL < STRETCHED < WHOLE


@given(texts())
def test_what_is_no_heading_and_no_front_matter_is_in_chunks(made):
    text, format = made
    outline = outline_of(format, text)
    unread = outline.skipped.union(*(range(h.start, h.end) for h in outline.headings))
    expected = "".join(line for number, line in enumerate(text.split("\n")) if number not in unread)
    assert "".join("".join(chunk.text for chunk in read(text, format).chunks).split()) == "".join(expected.split())


@given(texts())
def test_ids_of_sections_and_their_anchors_are_unique(made):
    sections = read(*made).sections
    assert len({section.id for section in sections}) == len(sections)
    assert len({section.anchor for section in sections} - {""}) == len(sections)


@given(texts())
def test_a_path_has_as_many_parts_as_the_level_says(made):
    for section in read(*made).sections:
        *above, own = section.path.split(" > Level ")
        assert len(above) + 1 >= section.level
        assert section.path == f"{section.parent_path} > Level {own}" if above else section.parent_path == ""
        assert f"Level {section.level}: {section.name}" in section.path


@given(texts())
def test_a_level_is_at_most_one_below_the_one_before_it(made):
    levels = [0, *(section.level for section in read(*made).sections)]
    assert all(1 <= below <= above + 1 for above, below in pairwise(levels))


@given(texts())
def test_sections_and_chunks_agree_on_what_stands_where(made):
    found = read(*made)
    assert found.document.chunk_count == len(found.chunks)
    for section in found.sections:
        own = [chunk.index for chunk in found.chunks if chunk.section_id == section.id]
        assert section.chunk_count == len(own)
        assert (section.start_chunk, section.end_chunk) == ((own[0], own[-1]) if own else (-1, -1))
        assert all(section.start_line < found.chunks[index].start_line for index in own)
        assert all(found.chunks[index].end_line <= section.end_line for index in own)
    under_none = [chunk.index for chunk in found.chunks if not chunk.section_id]
    assert under_none == list(range(len(under_none)))
