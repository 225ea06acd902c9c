"""A benchmark is found by its folder: adding one edits no file, and two of one name are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import protocols

TOY = """
from core.runs.options import OptionKind, RunOption
from core.steps import Step, StepKind

class Toy:
    name = title = {name!r}
    place = {place}
    defaults = {{}}
    sources = ("texts",)
    roles = {{}}
    options = {options}

    def steps(self, settings):
        return ({steps},)

PROTOCOL = Toy()
"""
ASK = 'Step(name="ask", title="Answers", kind=StepKind.ASK, takes=("texts",))'


def add(folder: Path, package: str, name: str, steps: str = ASK, place: int = 2, options: str = "()") -> None:
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("")
    (folder / package / "benchmark.py").write_text(TOY.format(name=name, steps=steps, place=place, options=options))


def test_a_new_package_is_a_protocol_and_readers_of_replies_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = set(protocols.PROTOCOLS)
    assert set(protocols.found()) == known and "econcausal" in known
    add(tmp_path, "toy_that_is_new", "toy")
    (tmp_path / "no_protocol").mkdir()
    (tmp_path / "no_protocol" / "__init__.py").write_text("")
    monkeypatch.setattr(protocols, "__path__", [*protocols.__path__, str(tmp_path)])
    assert set(protocols.found()) == known | {"toy"}


def test_the_usual_protocol_is_the_first_by_its_place_whatever_its_package_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, "a_toy_that_is_last", "a toy", place=99)
    monkeypatch.setattr(protocols, "__path__", [str(tmp_path), *protocols.__path__])
    assert list(protocols.found()) == [*protocols.PROTOCOLS, "a toy"]
    assert protocols.USUAL == "econcausal"


def test_two_protocols_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(tmp_path, "toy_that_is_a_copy", "econcausal")
    monkeypatch.setattr(protocols, "__path__", [*protocols.__path__, str(tmp_path)])
    with pytest.raises(ValueError, match=r"“econcausal”; .*toy_that_is_a_copy"):
        protocols.found()


def test_a_benchmark_without_a_protocol_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(tmp_path, "toy_of_nothing", "toy")
    benchmark = tmp_path / "toy_of_nothing" / "benchmark.py"
    benchmark.write_text(benchmark.read_text().replace("PROTOCOL =", "TOY ="))
    monkeypatch.setattr(protocols, "__path__", [*protocols.__path__, str(tmp_path)])
    said = "protocols.toy_of_nothing is no benchmark: protocols.toy_of_nothing.benchmark has no PROTOCOL"
    with pytest.raises(ValueError, match=said):
        protocols.found()


def test_two_options_of_one_name_and_of_different_kinds_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    option = '(RunOption(name="threshold", title="Least", kind=OptionKind.{kind}),)'
    add(tmp_path, "toy_of_numbers", "numbers", options=option.format(kind="NUMBER"))
    monkeypatch.setattr(protocols, "__path__", [*protocols.__path__, str(tmp_path)])
    assert "numbers" in protocols.found()
    add(tmp_path, "toy_of_texts", "texts", options=option.format(kind="TEXT"))
    said = (
        "“threshold” is of kind number in protocols.econcausal.benchmark and text in protocols.toy_of_texts.benchmark"
    )
    with pytest.raises(ValueError, match=said):
        protocols.found()


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (f"{ASK}, {ASK}", "toy: The name “ask” is that of two steps"),
        (ASK.replace("texts", "graphs"), "toy: Step “ask” takes “graphs”, which is none of ask, texts"),
        (ASK.replace('"ask"', '"vectors"'), "toy: a step is called “vectors”, the name of what steps embed."),
        (ASK.replace('"ask"', '"ask", role="judge"'), "toy: step “ask” asks the role “judge”; it has none"),
    ],
)
def test_steps_that_no_run_can_go_through_are_refused_at_the_import(
    steps: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, f"toy_of_steps_{abs(hash(steps))}", "toy", steps)
    monkeypatch.setattr(protocols, "__path__", [*protocols.__path__, str(tmp_path)])
    with pytest.raises(ValueError, match=why):
        protocols.found()
