"""A step redone with other prompts: its requests say what the new file says, and no other step asks anything again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.errors import BadInput
from core.steps import Step
from prompts import loader
from prompts.loader import Prompt
from prompts.placeholders import Placeholders
from protocols import PROTOCOLS
from protocols.exchanges import Answered, Ask, Reading
from protocols.samples import Sample, Samples
from protocols.step_values import Inputs
from services.acting import terminal_viewer
from services.runs import acts, reading
from services.runs.prompts import PromptsChanged, as_text, described
from services.runs.steps import lists as steps
from services.runs.steps import redo_choices, redoing
from services.runs.steps.redoing import StepChanges
from services.study import current_study
from store.runs import runs
from tests.runs import toy_protocol
from tests.runs.begun import model, rows, work
from tests.runs.toy_protocol import MANIFEST, REPEATS, TOY, Toy, begin, told
from tests.runs.toy_protocol import texts as toy_texts
from tests.services.run_parts import act
from tests.services.runs.toy_study import _toy, seen, server

__all__ = ["_toy", "server"]
TEXTS = 2
USERS = {"toy/ask": "Which sign? {text}", "toy/again": "And now? {text}", "toy/shared": "Answer with JSON."}
TASKS = {"ask": "task1", "again": "task2"}


class Prompted(Toy):
    """The toy, whose two steps that ask have a prompt each and one that both send."""

    placeholders = Placeholders(braces=frozenset({"text"}))

    def samples(
        self, step: Step, inputs: Inputs, settings: Mapping[str, Any], start: int = 0, count: int | None = None
    ) -> Samples:
        found = super().samples(step, inputs, settings, start, count)
        return replace(found, samples=tuple(replace(each, task=TASKS[step.name]) for each in found.samples))

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        return ("toy/ask" if task == "task1" else "toy/again", "toy/shared")

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        if prompt.name != "toy/shared" and "text" not in prompt.placeholders:
            raise BadInput(f"The prompt {prompt.name} has no place for the text.")

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        if so_far:
            return super().next(sample, prompts, so_far)
        own, shared = (prompts[name] for name in self.prompt_names(sample.task, sample.variant))
        return Ask((*shared.render(), *own.render(text=sample.slots["text"])))


@pytest.fixture
def base(_toy: None, server: RunningServer, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any) -> str:
    """A run of built-in prompts that waits for people; the server has forgotten what it was asked."""
    built_in = tmp_path_factory.mktemp("prompts")
    (built_in / "toy").mkdir()
    for name, user in USERS.items():
        (built_in / f"{name}.txt").write_text(user + "\n", encoding="utf-8")
    monkeypatch.setattr(loader, "FOLDER", built_in)
    monkeypatch.setitem(PROTOCOLS, TOY.name, Prompted())
    prompts = [loader.load(name, placeholders=Prompted.placeholders) for name in USERS]
    monkeypatch.setattr(toy_protocol, "MANIFEST", {**MANIFEST, "prompts": described((each, ()) for each in prompts)})
    server.play({})
    server.forget()
    store = current_study().store
    with store.writing() as session:
        runs.keep_texts(session, sorted(map(as_text, prompts)))
    run_id = begin(store, model(server.url), toy_texts(TEXTS))
    work(store)
    assert server.log()["requests"] == 2 * TEXTS * REPEATS
    server.forget()
    return run_id


def written(folder: Path, **files: str) -> str:
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return str(folder)


def test_a_step_is_redone_with_another_prompt_and_no_other_step_sends_anything(
    server: RunningServer, base: str, tmp_path: Path
) -> None:
    store, owner = current_study().store, terminal_viewer()
    before = told(store, base)
    changes = StepChanges(prompts_folder=written(tmp_path, again="Say it again: {text}\n", ask="Never sent: {text}\n"))
    assert [each.name for each in redo_choices.redo_choices(owner, base, "again").prompts] == [
        "toy/again",
        "toy/shared",
    ]
    plan = redoing.plan_redo(owner, base, "again", changes)
    assert plan.changes == "prompts: toy/again", "the file of another step's prompt is left alone"
    assert [(each.step, each.requests, each.cached) for each in plan.steps] == [("ask", 0, 6), ("again", 6, 0)]
    assert server.log()["requests"] == 0
    new = redoing.redo(owner, base, "again", changes, **act()).subject_id
    acts.pause(owner, new, **seen(owner, new))
    written(tmp_path, again="Another again: {text}\n")
    with pytest.raises(PromptsChanged, match=r"-Say it again: \{text\}"):
        acts.resume(owner, new, **seen(owner, new))
    written(tmp_path, again="Say it again: {text}\n")
    acts.resume(owner, new, **seen(owner, new))
    work(store)
    assert server.log()["requests"] == TEXTS * REPEATS
    query = "SELECT DISTINCT s.step, r.request_hash FROM run_item i JOIN run_sample s ON s.id = i.sample_id"
    query += " JOIN reply r ON r.request_hash = i.request_hash WHERE i.run_id = :run"
    older, newer = ({(step, key) for step, key in rows(store, query, run=run)} for run in (base, new))
    assert {each for each in older if each[0] == "ask"} == {each for each in newer if each[0] == "ask"}
    assert older.isdisjoint({each for each in newer if each[0] == "again"})
    for step, said in (("ask", "Which sign? Text"), ("again", "Say it again: Text")):
        (item, *_) = steps.group(owner, new, step, "p00").items
        assert [text[: len(said)] for _, text in item.rounds[0].messages] == ["Answer with JSON."[: len(said)], said]
    card = reading.card(owner, new)
    assert [(each.name, each.user, each.origin) for each in card.prompts] == [
        ("toy/ask", USERS["toy/ask"], "built in"),
        ("toy/again", "Say it again: {text}", "drop-in"),
        ("toy/shared", USERS["toy/shared"], "built in"),
    ]
    assert card.deviations[-1].chosen == "prompts: toy/again"
    assert told(store, base) == before


def test_a_prompt_that_cannot_be_changed_for_one_step_is_refused(base: str, tmp_path: Path) -> None:
    for number, (name, text, said) in enumerate(
        (
            (
                "shared",
                "In a word.\n",
                "Step ask also asks with the prompt toy/shared, and only step again is redone. Remove toy/shared from",
            ),
            ("again", "No place for it.\n", "The prompt toy/again has no place for the text."),
            ("again", "Say it again: {paper}\n", "the placeholder {paper} is not known; there are {text}."),
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(BadInput) as refused:
            changes = StepChanges(prompts_folder=written(folder, **{name: text}))
            redoing.redo(terminal_viewer(), base, "again", changes, **act())
        assert said in str(refused.value)
    assert len(reading.runs(terminal_viewer())) == 1
