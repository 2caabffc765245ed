"""A text as the network is shown it."""

from services.extraction.learned.passages import MOST_PIECES, SHAPES, passages

LONG = " ".join(f"Ann Lee met number {n} of the Harbour Works in Lisbon." for n in range(60))


def _words(title: str, text: str) -> list[str]:
    (passage,) = passages(title, text)
    return [passage.shown[passage.places[n][0] : passage.places[n][1]] for n in passage.users]


def test_a_long_text_is_cut_between_sentences_and_all_of_it_is_shown():
    cut = list(passages("", LONG))
    assert len(cut) > 1
    assert " ".join(passage.shown.strip() for passage in cut) == LONG
    assert all(passage.shown.startswith("Ann Lee met") for passage in cut)


def test_each_passage_has_the_title_and_knows_where_it_stands_in_the_text():
    for passage in passages("A title", LONG):
        assert passage.shown.startswith("A title :\n")
        start, end = next(place for place in passage.places if passage.shown[slice(*place)] == "Lisbon")
        assert LONG[start + passage.shift : end + passage.shift] == "Lisbon"


def test_a_piece_in_the_title_stands_before_the_text():
    (passage,) = passages("Ann", "She left.")
    assert passage.places[1][0] + passage.shift < 0


def test_a_sentence_without_end_is_cut_off_at_the_most_that_a_passage_has():
    (passage,) = passages("", "harbour works and " * 400)
    assert len(passage.places) == len(passage.states) == len(passage.shapes) == MOST_PIECES


def test_the_user_is_the_beginning_and_each_word_of_the_first_person():
    assert _words("", "I told my boss that US firms pay us. The user left.") == ["", "I", "my", "us", "user"]
    assert _words("", "Users of Wi-Fi 6E said: iMac.") == [""]


def test_shapes_tell_capitals_digits_and_signs_apart():
    (passage,) = passages("", "Ann met ann, ANN and aNN 22")
    shapes = {passage.shown[slice(*place)]: shape for place, shape in zip(passage.places, passage.shapes, strict=True)}
    assert len({shapes[piece] for piece in ("Ann", "ann", "ANN", "22", ",")}) == 5
    assert max(shapes.values()) < SHAPES


def test_an_empty_text_has_no_passage():
    assert list(passages("A title", " \n ")) == []


def test_a_title_as_long_as_a_passage_leaves_room_for_the_text():
    title = "Minutes of the Harbour Works, " * 40
    for passage in passages(title, LONG):
        assert any(start + passage.shift >= 0 for start, end in passage.places if end > start)
        start, end = next(place for place in passage.places if passage.shown[slice(*place)] == "Ann")
        assert LONG[start + passage.shift : end + passage.shift] == "Ann"
