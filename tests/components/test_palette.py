from components.palette import OTHER, palette


def test_the_same_types_always_look_the_same() -> None:
    assert palette(["PEP", "Person"]) == palette(["PEP", "Person", "PEP"])


def test_twenty_five_types_differ_in_shape_or_colour() -> None:
    looks = palette([f"type {n}" for n in range(25)])
    marks = {(look.shape, look.light) for name, look in looks.items() if name}
    assert len(marks) == 25
    assert OTHER not in [look for name, look in looks.items() if name]


def test_no_type_and_types_past_the_last_look_are_the_ring() -> None:
    looks = palette([f"type {n}" for n in range(26)])
    assert looks[""] == looks["type 25"] == OTHER
