"""Which values of a picture are folded, and into which letters."""

from components.graph_view.folding import folded_uuids, folds_of, letters
from services.core.models import CommonValue
from tests.components.graph_view.graphs import entity, fact

STATUSES = [CommonValue("Final", "HAS_STATUS"), CommonValue("Draft", "HAS_STATUS")]


def test_letters_are_the_first_that_tell_the_names_apart() -> None:
    assert letters(["Final", "Draft", "Accepted", "Active", "Deferred"]) == ["F", "D", "A", "Ac", "De"]
    assert letters(["Standards Track", "Standards", "Stan", "S", ""]) == ["S", "St", "Sta", "S4", "?"]


def test_all_values_of_a_relation_are_folded_once_a_dozen_hang_on_one_of_them() -> None:
    entities = [entity("Final", "Status"), entity("Draft", "Status"), *(entity(f"PEP {n}") for n in range(13))]
    facts = [fact(f"f{n}", f"PEP {n}", "Final" if n else "Draft") for n in range(13)]
    (fold,) = folds_of(STATUSES, entities, facts, ())
    assert (fold.relation, fold.letters) == ("HAS_STATUS", {"Final": "F", "Draft": "D"})
    assert folds_of(STATUSES, entities, facts[:12], ()) == ()
    assert folded_uuids(folds_of(STATUSES, entities, facts, ("Final",))) == {"Draft"}
