"""Values of steps without a model: parts of raw text, Markdown and normalised texts with their guards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import BadInput
from core.texts.guard_json import leaks_as_json, word_loss_json
from core.texts.leaks import find_leaks
from core.texts.word_loss import word_loss
from protocols.recite_texts.normalising import UNFINISHED, flags_of
from protocols.recite_texts.papers import NO_LAYER, TextSourcePaper, text_sha256
from protocols.recite_texts.parts import joined, parts_of
from protocols.recite_texts.tasks import GUARDS, MARKDOWN, NORMALISE, PAPERS
from protocols.step_values import Inputs, Making, StepOutput, Value

DRAFT, REFUSED = "draft", "refused"


def paper_in(inputs: Inputs) -> TextSourcePaper:
    (paper,) = inputs.values[PAPERS]
    return TextSourcePaper.from_json(paper.value)


def make_parts(inputs: Inputs) -> Making:
    """Split the raw text. Raises BadInput for a file without words."""
    paper = paper_in(inputs)
    if not paper.has_words:
        raise BadInput(paper.no_blocks or NO_LAYER)
    parts = parts_of(paper.blocks, paper.reply_tokens)
    return Making(
        tuple(
            StepOutput(paper.key, {"part": number, "parts": len(parts), "text": text})
            for number, text in enumerate(parts, 1)
        )
    )


def guard_markdown(inputs: Inputs) -> Making:
    """Return one text per model that returned all parts, with guard 1; models that lack a part are flagged."""
    paper = paper_in(inputs)
    texts, lacking = list[StepOutput](), list[str]()
    by_model: dict[str, list[Value]] = {}
    for reply in inputs.values[MARKDOWN]:
        by_model.setdefault(reply.model, []).append(reply)
    for model, replies in by_model.items():
        parts = {each.value["part"]: each for each in replies}
        count = replies[0].value["parts"]
        missing = [str(number) for number in range(1, count + 1) if number not in parts]
        if missing:
            lacking.append(f"{model}: no text of part {', '.join(missing)} of {count}")
            continue
        text = joined([parts[number].value["text"] for number in range(1, count + 1)])
        losses = word_loss(paper.blocks, text, paper.shares["lost_share"], paper.shares["invented_share"])
        value = {
            **of_paper(paper),
            "stage": "markdown",
            "state": DRAFT if losses.passes else REFUSED,
            "by": model,
            "sha256": text_sha256(text),
            "text": text,
            "reasons": list(losses.reasons),
            "shares": dict(paper.shares),
            "kept": word_loss_json(losses),
        }
        texts.append(StepOutput(paper.key, value, flags=losses.reasons, rests_on=tuple(each.hash for each in replies)))
    return Making(tuple(texts), tuple(lacking))


def make_texts(inputs: Inputs) -> Making:
    """Return each normalised text with guard 2. Markdown refused by guard 1, or of a paper without a ground truth, is
    passed on unchanged for people to see."""
    paper = paper_in(inputs)
    bases = {text_sha256(each.value["text"]): each for each in inputs.values.get(GUARDS, ())}
    texts = [
        StepOutput(paper.key, each.value, flags=each.flags, rests_on=(each.hash,))
        for each in bases.values()
        if each.value["state"] == REFUSED or paper.graph is None
    ]
    for text in inputs.values[NORMALISE]:
        base = bases.get(text.value["of"])
        assert paper.graph is not None, "what has no ground truth is not normalised"
        leaks = find_leaks(text.value["text"], paper.graph, paper.captions)
        unfinished = text.value["state"] == UNFINISHED
        value = {
            **of_paper(paper),
            "stage": "normalised",
            "state": UNFINISHED if unfinished else DRAFT if leaks.passes else REFUSED,
            "by": base.value["by"] if base else "",
            "normalised_by": text.model,
            "of": text.value["of"],
            "markdown": base.value["text"] if base else paper.text,
            "sha256": text_sha256(text.value["text"]),
            "text": text.value["text"],
            "rounds": text.value["rounds"],
            "truth": paper.graph_hash,
            "reasons": list(leaks.reasons),
            "shares": dict(paper.shares),
            **({"kept": base.value["kept"]} if base else {}),
            "leaks": leaks_as_json(leaks),
        }
        flags = (*flags_of(text.value), *leaks.reasons)
        texts.append(StepOutput(paper.key, value, flags=flags, rests_on=(text.hash, *((base.hash,) if base else ()))))
    return Making(tuple(texts))


def of_paper(paper: TextSourcePaper) -> dict[str, str]:
    """Return the ids by which an accepted text finds its paper."""
    return {"figure": paper.figure, "file": paper.file}


def what_is_wrong(paper: TextSourcePaper, content: Mapping[str, Any] | None) -> str:
    """Return why a text is neither normalised nor labelled; empty if it can be. `content` is a step's text, None the
    paper's own."""
    if paper.graph is None:
        return paper.no_graph
    if content is None:
        return "" if paper.text is not None else paper.no_text
    if content["state"] == UNFINISHED:
        return "the text is unfinished; a person ends its normalisation"
    return "" if content["state"] == DRAFT else f"the text is refused: {' '.join(content['reasons'])}"
