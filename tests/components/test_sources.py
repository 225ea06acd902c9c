"""How components' scripts reach a browser."""

from components.sources import SCRIPTS, constants, script


def test_a_script_is_kept_under_a_name_that_changes_with_its_content() -> None:
    one, same, other = (script("tried", text) for text in ("let a = 'é';", "let a = 'é';", "let a = 2;"))
    assert one == same != other
    kept = {name: text for name, text in SCRIPTS.items() if name.startswith("tried-")}
    assert sorted(kept.values()) == sorted([b"let a = 2;", "let a = 'é';".encode()])
    assert all(f"/script/{name}" in one + other for name in kept)
    assert len(one) < 1_000, "this is what goes over the connection with every change of a component's data"


def test_parts_are_one_script_in_their_order_with_constants_as_json() -> None:
    said = script("parts", constants(A=[1, "é"], B={"c": None}), "export default () => A;")
    (text,) = (text for name, text in SCRIPTS.items() if f"/script/{name}" in said)
    assert text.decode() == 'const A = [1, "\\u00e9"];\nconst B = {"c": null};\nexport default () => A;'


def test_every_component_hands_its_script_out() -> None:
    from components.adjudication import desk as ruling_desk  # noqa: F401
    from components.canvas import canvas  # noqa: F401
    from components.edge_list import edge_desk  # noqa: F401
    from components.figure import figure_view  # noqa: F401
    from components.graph import view as graph_view  # noqa: F401
    from components.triplets import desk as scoring_desk  # noqa: F401

    held = {name.rpartition("-")[0]: len(text) for name, text in SCRIPTS.items()}
    assert {"canvas", "edge_desk", "figure_view", "graph_library", "graph_view", "ruling_desk", "scoring_desk"} <= set(
        held
    )
    assert held["canvas"] > 100_000
