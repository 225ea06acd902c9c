"""How components' scripts reach a browser."""

from components.sources import SCRIPTS, script


def test_a_script_is_kept_under_a_name_that_changes_with_its_content() -> None:
    one, same, other = (script("tried", text) for text in ("let a = 'é';", "let a = 'é';", "let a = 2;"))
    assert one == same != other
    kept = {name: text for name, text in SCRIPTS.items() if name.startswith("tried-")}
    assert sorted(kept.values()) == sorted([b"let a = 2;", "let a = 'é';".encode()])
    assert all(f"/script/{name}" in one + other for name in kept)
    assert len(one) < 1_000, "this is what goes over the connection with every change of a component's data"


def test_every_component_hands_its_script_out() -> None:
    from components import canvas, edge_desk, figure_view, graph_view, ruling_desk, scoring_desk  # noqa: F401

    held = {name.rpartition("-")[0]: len(text) for name, text in SCRIPTS.items()}
    assert {"canvas", "edge_desk", "figure_view", "graph_library", "graph_view", "ruling_desk", "scoring_desk"} <= set(
        held
    )
    assert held["canvas"] > 100_000
