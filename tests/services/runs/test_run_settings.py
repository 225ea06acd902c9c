"""What a run keeps of what was wanted: options stand beside the other settings, as they did before they had a name."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.errors import BadInput
from protocols import PROTOCOLS
from protocols.samples import content_hash
from services.runs import planning
from services.runs.run_settings import (
    applying,
    config_of,
    option_faults,
    read_options,
    settings_json,
    without_faulty_options,
)
from services.runs.settings import RunConfig, SampleSource
from services.runs.steps.roles import read_roles
from services.study import Study
from tests.old_studies.checking import told_before

EXPORTS = told_before()[1]


@pytest.mark.parametrize("number", EXPORTS)
def test_settings_that_were_kept_before_are_read_and_kept_the_same(number: str) -> None:
    manifest = EXPORTS[number]["manifest.json"][0]
    before = manifest["settings"]["wanted"]
    wanted = config_of(before)
    assert settings_json(wanted) == before and config_of(settings_json(wanted)) == wanted
    assert content_hash(settings_json(wanted)) == content_hash(before)


def test_roles_are_kept_only_where_some_are_named() -> None:
    alone = config(is_built=False)
    assert "roles" not in settings_json(alone)
    named = replace(alone, roles={"judge": ("a", "b")})
    assert settings_json(named)["roles"] == {"judge": ["a", "b"]} and config_of(settings_json(named)) == named
    assert read_roles(["judge=a, b", "form=c"]) == {"judge": ("a", "b"), "form": ("c",)}
    for typed, said in ((["judge"], "NAME=CARD is needed"), (["judge=a", "judge=b"], "given twice")):
        with pytest.raises(BadInput, match=said):
            read_roles(typed)


def config(*, is_built: bool = True, **options: object) -> RunConfig:
    return RunConfig(
        title="", source=SampleSource(("c",), is_built), tasks=("task1",), variants=("context",), options=options
    )


def test_options_mean_something_only_where_samples_are_built() -> None:
    names = [each.name for each in applying(config())]
    assert names == ["per_stratum", "embedder", "flip_rule", "threshold", "most_examples"]
    assert applying(config(is_built=False)) == ()


def test_what_is_wrong_with_an_option_is_said_with_what_would_be_right() -> None:
    wrong = config(per_stratum=0, threshold=1.5, most_examples=2.5, flip_rule="none", speed=3)
    assert list(option_faults(wrong).values()) == [
        "Triplets per year and domain: found 0; expected 1 to 1,000,000.",
        "Minimum similarity: found 1.5; expected 0 to 1.",
        "Maximum examples: found 2.5; expected 1 to 100.",
        "False signs: found 'none'; expected one of example-sign, target-sign.",
        "EconCausal has no option “speed”; choose from per_stratum, embedder, flip_rule, threshold, most_examples.",
    ]
    assert option_faults(config(threshold=0.0, per_stratum=1)) == {}
    assert without_faulty_options(replace(wrong, options={**wrong.options, "embedder": "lexical"})).options == {
        "embedder": "lexical"
    }


def test_options_are_read_from_words() -> None:
    typed = ["per-stratum=4", "threshold = 0.5", "embedder=lab/words:64"]
    assert read_options("econcausal", typed) == {"per_stratum": 4, "threshold": 0.5, "embedder": "lab/words:64"}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["threshold"], "Option “threshold”: NAME=VALUE is needed, such as per_stratum=…"),
        (["threshold=high"], "Minimum similarity: found 'high'; expected 0 to 1"),
        (["per_stratum=nan"], "Triplets per year and domain: found 'nan'; expected 1 to"),
        (["threshold=nan"], "Minimum similarity: found nan; expected 0 to 1"),
        (["threshold=0.5", "threshold=0.6"], "The option “threshold” is given twice"),
        (["speed=3"], "EconCausal has no option “speed”"),
    ],
)
def test_words_that_are_no_option_are_refused(typed: list[str], said: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_options("econcausal", typed)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("is_built", [True, False])
def test_a_protocol_that_there_is_not_is_the_fault_of_a_plan_and_nothing_fails(
    is_built: bool, sqlite_study: Study, people: SimpleNamespace
) -> None:
    wanted = replace(config(is_built=is_built), protocol="nobody's", tasks=("task2",), baselines=("majority",))
    plan = planning.plan(people.researcher, wanted)
    assert plan.faults[0].startswith("Unknown protocol “nobody's”")
    assert [name for name in PROTOCOLS if name not in plan.faults[0]] == []
