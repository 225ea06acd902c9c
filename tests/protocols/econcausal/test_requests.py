"""The hash of each kind of request that EconCausal asks, as a literal: by it every reply that was kept is found."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from core.messages import Messages, message, size_of
from prompts import loader
from protocols import PROTOCOLS
from protocols.econcausal.matching import build_task2, build_task3
from protocols.econcausal.samples import build_task1, from_rows
from protocols.protocol import first_messages
from protocols.samples import Sample
from runs.endpoint.request import EmbeddingRequest, canonical, embedding_body, hash_of, text_hash
from runs.offline.baseline_replies import answers
from runs.run_plan import RunPlan, read_plan
from services.runs.models import plan_requests
from store.runs.items import OpenItem, StoredRunSample
from store.tables.runs import RunRow
from tests.conftest import NOON
from tests.protocols.triplets import example, examples, paper, triplet
from tests.runs.begun import model

ECONCAUSAL = PROTOCOLS["econcausal"]
URL = "https://models.example.org/v1"
Asked = tuple[Messages, dict[str, Any], int]
USUAL = {"max_tokens": 2_000, "temperature": 0.0}
OTHERS = {
    "temperature": 0.7,
    "top_p": 0.9,
    "max_completion_tokens": 3_000,
    "seed": 11,
    "logprobs": True,
    "top_logprobs": 5,
    "reasoning_effort": "low",
    "stop": ["END", "–"],
    "response_format": {"type": "json_object"},
    "extra": {"top_k": 5, "provider": {"order": ["a", "b"]}},
}
CONTEXT = "In a town – “Zürich” – of 1970.\nTwo lines, </data> and {treatment}."
SHOWN = examples(example("-", context="Context nine."), example("mixed", context="Context ten.", treatment="Duty"))
FLIPPED = examples(example("-", context="Context nine.", original_sign="+"))
ROWS = [
    triplet("Tax rate", context=CONTEXT, question="Say the sign!\n"),
    triplet("Tax rate", place=2, context=CONTEXT, question="Say it beside one!", example_details=SHOWN),
    triplet("Tax rate", place=3, context=CONTEXT, question="Say it again!", example_details=FLIPPED),
]
PAIR = [
    triplet("Tax rates", sign="-", context=CONTEXT),
    triplet("Tax rates", sign="None", of=paper("w2"), place=2, context="Elsewhere."),
]
VECTORS = {"Tax rates": (1.0, 0.0), "Jobs": (0.0, 1.0)}
RELEASED = 'You know.\r\nContext: {context_new}\nPast: {examples}\n{treatment} → {outcome}? {"predicted_sign": …}\n'

REQUESTS: dict[str, str] = {
    "task1 context": "acee25672d7874fc73fac6d8fa864b2eb380e37837eda6df0d5ed95db4ff9172",
    "task1 no-context": "39da693fcdab90d8d902114df3251354148750e6a5c4f9dc7b5d6d0c9ae4d46e",
    "task1 unknown": "a3c372538d255d5fd1eac2570ec7077069c705247ca0435f707594a3877eaaed",
    "task1 unknown-no-context": "ab6918fee0cee7564943f5dd58da4499eac5c8060b18933ae2dd469adefe75af",
    "task1 as-released": "e93c0ae1c1c976fa95d8eb2ac2d7fd13d5f35bebe5d5680a5cc7a5aca3bb7118",
    "task2 context": "19573877a24d0cd13f451aa86c0d77a7caa8b8740e3ebf0c082d000183c33dc3",
    "task2 as-released": "af4087db1ad9a32bde34259cd44e179d85ee9dfc2cda8858c0d8f716726a7769",
    "task3 context": "82d5023426854a81d93f233107e43d5bb026fdadd4e37cf93983705b82c50a76",
    "task3 as-released": "97649b9635591e2ad9b2f32c3440a95976f17c6db86420b1a8d1a76d10516ae2",
    "task1 drawn": "75ad7cda0d71301368fca6ff7c4119a2f32eafb3143183c512ac995bb1ce6339",
    "task3 built by example-sign": "a4f637c3d3e887a9eb28969933b67cc693eddd28268d778366c4850d19dd72a9",
    "task3 built by target-sign": "d2c8e84750cbc268ff9c3bcca598bb88d5f35e989bda7b30a9973750df840467",
    "task2 by a released file": "3e068fe8590db7273523900bf0923149c76fd39682e8c22b75fd09116b5435e8",
    "the third time": "b56c77dde1862b71164e665d42edfdd207d249a33d76a52401f5d3a0b4f14a7a",
    "other parameters": "56300deb15d56ca2654384a180345a064b5c78257c9f249501b3d2555d859a17",
    "four messages": "82c6c43216cd77c57f44baeb02541b06a249a06ad85be9f8d5278aee38fb9bc4",
}
SAMPLES: dict[str, tuple[str, str]] = {
    "task1 context": ("w1/53931b07e8", "53931b07e89d1e48cdae32021dd037a1cd5495836f31a856f3aba80e4d20d648"),
    "task1 no-context": ("w1/461795303d", "461795303dfdb3bc7e73cbb7bb4933fdde54c19f4627aff38d224fc530a0e077"),
    "task1 unknown": ("w1/876c005ec5", "876c005ec54bbd595ddab5dd111dd1cb2bfc3724dae86828495db612a99dc7ff"),
    "task1 unknown-no-context": ("w1/2814d85639", "2814d85639e6d9f844b8876e499b714997a8798704450d3764c69d733de173a2"),
    "task1 as-released": ("w1/f3efba1511", "f3efba1511a39c9f55c97ba76de01bee09f0ea0aefd8b3ed7e7c3362616fcbda"),
    "task2 context": ("w1/d9bafb349e", "d9bafb349e17951a3cf09847c5b1e429f0c16a1fad2d5a5edcf94aebb216833a"),
    "task2 as-released": ("w1/cba00752db", "cba00752dbc825b7633aa9a75710aef4f2e92383f189c8f9908477939887e1ac"),
    "task3 context": ("w1/8d33c0e6da", "8d33c0e6da51b205dedc11645e331e384fc56e1b4f647e0c120fb1fe2bb099c0"),
    "task3 as-released": ("w1/46dccc13b5", "46dccc13b50e43f4ae1b3bd75c4c2c8c23215bdf2ba12d0c81b6791e176894b6"),
    "task1 drawn": ("w1/67c9f09b96", "67c9f09b967d11e3922a97820c3316d74ec4223d69add5bbf74829b2729c84c3"),
    "task3 built by example-sign": (
        "w1/e7e63bdf79",
        "e7e63bdf7979bb39ebf9d6c2d3866eb47ba2a3fa67ea6eabb1c8f26108fc03c0",
    ),
    "task3 built by target-sign": ("w1/3f8b273f4b", "3f8b273f4b9bdcc5e225fef140020ba66d627fe04bdcd984bbeca9241c6d24a0"),
}
BASELINES: dict[str, str] = {
    "always-plus": "bbf3d8a8769dd97bfd940200167d3c721361ea4d4d56d07c35672267707d18b3",
    "copy-examples": "f85d6b0a5c789ea3bcf7685bc70d5aed84afeafed09b13d73c09b629bd01a241",
    "first-not-shown": "5cb62c7d7038ca2bc778633eb5ec4b9ce104963682cb31ced64fdae8f5066234",
    "majority": "4add5dc710fd142e17a07de8e912a470bfa243a7fa9fcd81b5600297a624818e",
}
BODIES: dict[str, str] = {
    "base64": "d18779a7f65bbe6a777df842eaffaf6abec7f28f50ea2346e86b84cd63794115",
    "numbers": "f6fee397fe7a6c15a13dbe1e1a4db6b2e3a7e7193734c1893ab2c7595498df42",
    "short": "6e065695b761c75812ba47251fe4e07e164604c55fd238bf0d0838d079395efb",
}
TEXTS: list[str] = [
    "70352491810975b3d20d035e2b9d08b642e449f3bd2764d5fb6b810f68c6835f",
    "e099e1efcbe72b3ad1ae4717b82742b76bb1bbb4d24c4dc88fb1888e94b4cc44",
]


def messages(sample: Sample, folder: Path | None = None) -> Messages:
    names = ECONCAUSAL.prompt_names(sample.task, sample.variant)
    known, also = ECONCAUSAL.placeholders, ECONCAUSAL.released_names
    loaded = {name: loader.load(name, placeholders=known, folder=folder, also=also.get(name, ())) for name in names}
    return first_messages(ECONCAUSAL, sample, loaded)


def samples() -> dict[str, Sample]:
    """One of every task and variant, as a file's row and as built."""
    kinds = {
        f"{task.name} {variant}": from_rows(ROWS, task.name, variant).samples[0]
        for task in ECONCAUSAL.tasks
        for variant in task.variants
    }
    built = build_task2(PAIR, VECTORS, embedder="words")
    kinds["task1 drawn"] = build_task1(PAIR, "context", seed=1).samples[0]
    for rule in ("example-sign", "target-sign"):
        kinds[f"task3 built by {rule}"] = build_task3(built, rule).samples[1]
    return kinds


def requests(folder: Path) -> dict[str, Asked]:
    """Kind → messages, parameters and repeat."""
    kinds: dict[str, Asked] = {kind: (messages(sample), USUAL, 0) for kind, sample in samples().items()}
    (folder / "task2_context_dependent_sign_prediction.txt").write_text(RELEASED, encoding="utf-8")
    kinds["task2 by a released file"] = (messages(samples()["task2 context"], folder), USUAL, 0)
    kinds["the third time"] = (kinds["task1 context"][0], USUAL, 2)
    kinds["other parameters"] = (kinds["task1 context"][0], OTHERS, 0)
    kinds["four messages"] = (
        (
            message("system", "You are."),
            message("user", "Which sign?"),
            message("assistant", "+"),
            message("user", "Sure?"),
        ),
        {},
        0,
    )
    return kinds


def test_each_kind_of_request_is_known_by_the_hash_it_always_had(tmp_path: Path) -> None:
    found = {}
    for kind, (said, parameters, repeat) in requests(tmp_path).items():
        snapshot = model(URL, "lab-model-1", parameters=parameters)
        request = plan_of({"m": snapshot}).model("m").request(said, repeat)  # as the worker asks
        found[kind] = hash_of(canonical(request))
        planned = plan_requests("m", snapshot, [said], [size_of(said, {})], repeat + 1)  # as a dry run looks it up
        assert planned.hashes[0, repeat] == found[kind]
    assert found == REQUESTS
    assert len(set(found.values())) == len(found)


def test_each_kind_of_sample_is_known_by_the_hash_and_the_key_it_always_had() -> None:
    assert {kind: (sample.key, sample.hash) for kind, sample in samples().items()} == SAMPLES


def test_a_baseline_s_answer_is_kept_under_the_hash_it_always_had() -> None:
    sample = samples()["task2 context"]
    kept = StoredRunSample(
        task=sample.task,
        variant=sample.variant,
        key=sample.key,
        hash=sample.hash,
        answer=sample.answer,
        facts=sample.facts,
        messages=(),
    )
    names = ("always-plus", "copy-examples", "first-not-shown", "majority")
    plan = plan_of(
        {name: {"kind": "baseline", "baseline": name, "majority": {"task2/context": "None"}} for name in names}
    )
    items = [OpenItem(name, name, 0, None, kept, {}) for name in names]
    rows, _outcomes = answers(plan, ECONCAUSAL, items, NOON)
    assert {row["model"]: row["request_hash"] for row in rows} == BASELINES


def test_vectors_are_asked_for_and_found_as_they_always_were() -> None:
    texts = ("Tax rate", "Jobs – “Zürich”")
    bodies = {
        "base64": embedding_body(EmbeddingRequest("lab", URL, "small", texts)),
        "numbers": embedding_body(EmbeddingRequest("lab", URL, "small", texts, as_floats=True)),
        "short": embedding_body(EmbeddingRequest("lab", URL, "small", texts, dimensions=256)),
    }
    assert {form: sha256(body).hexdigest() for form, body in bodies.items()} == BODIES
    assert [text_hash(text) for text in texts] == TEXTS


def plan_of(models: dict[str, Any]) -> RunPlan:
    return read_plan(RunRow(id="r", number=1, protocol="econcausal", settings={"models": models, "budget": {}}))
