"""Values of steps without a model: agreed relations, entities, codes, questions, the filter."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.questions.pairs import Scope
from core.questions.plain import plain_question
from core.questions.questions import QuestionRule, questions_of
from core.questions.relation import Relation
from core.runs.options import Settings
from core.triplets.chains import chained
from core.triplets.consensus import ConsensusRule, Extracted, Method, TripletGroup, consensus
from core.triplets.jel_codes import CodeTitle, nearest_codes
from core.words import counted
from protocols.lee_pipeline.abstracts import SourceAbstract
from protocols.lee_pipeline.readers import NO_METHOD
from protocols.lee_pipeline.tasks import (
    ABSTRACTS,
    CHAIN,
    CODES,
    CONSENSUS,
    EASY,
    ENTITIES,
    EXTRACT,
    JEL,
    QUESTIONS,
    SPLIT,
    YES,
    chosen,
    small_cards,
)
from protocols.step_values import VECTORS, Inputs, Making, StepOutput, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

BLOCK = 200  # questions per group of the next step
MOST_COMPARED = 2_000  # phrases of one entity up to which all pairs are compared; a larger entity counts as a chain
SET = "questions"  # key of values about all questions together
NEAR = 1e-5


def rule_of(settings: Settings) -> ConsensusRule:
    """Return the consensus rule. Raises BadInput as `ConsensusRule`."""
    return ConsensusRule(
        Method.LEE,
        runs=int(chosen(settings, "extractions")),
        threshold=int(chosen(settings, "agreeing")),
        similarity=float(chosen(settings, "similarity")),
    )


def vectors_in(inputs: Inputs) -> dict[str, Sequence[float]]:
    return {each.key: each.value for each in inputs.values.get(VECTORS, ())}


def phrases_of(inputs: Inputs) -> tuple[str, ...]:
    """Return the distinct treatments and outcomes of a paper's extractions."""
    rows = (row for each in inputs.values[EXTRACT] for row in each.value["relations"])
    return tuple(dict.fromkeys(phrase for row in rows for phrase in (row["X"], row["Y"])))


# --- consensus ---------------------------------------------------------------------------------------------------


def make_consensus(inputs: Inputs, settings: Settings) -> Making:
    """Return one value: the relations of a paper that enough extractions have, and the others. A paper with an
    unreadable extraction retains no relation, since a failed extraction is not an empty one."""
    runs = [each.value["relations"] for each in inputs.values[EXTRACT]]
    rule = rule_of(settings)
    about: dict[str, Any] = {"runs": len(runs), "mentions": sum(map(len, runs)), "kept": [], "dropped": []}
    if len(runs) < rule.runs:
        flag = f"{len(runs)} of {counted(rule.runs, 'extraction')} could be read; the paper keeps no relation"
        return Making((StepOutput(inputs.key, {**about, "unread": True}, flags=(flag,)),), flags=(flag,))
    vectors = vectors_in(inputs)
    extractions = [
        [Extracted(row["X"], row["Y"], row["d"], vectors[row["X"]], vectors[row["Y"]]) for row in run] for run in runs
    ]
    agreed = consensus(extractions, rule)
    own = _entities_in_paper(phrases_of(inputs), vectors, rule.similarity)
    retained = [_relation(each, runs, own) for each in agreed.kept]
    dropped = [_relation(each, runs, own) for each in agreed.dropped]
    if chosen(settings, "method_needed") == YES:
        dropped += [each for each in retained if each["method"] == NO_METHOD]
        retained = [each for each in retained if each["method"] != NO_METHOD]
    return Making((StepOutput(inputs.key, {**about, "kept": retained, "dropped": dropped}),))


def _entities_in_paper(
    phrases: Sequence[str], vectors: Mapping[str, Sequence[float]], similarity: float
) -> dict[str, str]:
    """Return phrase → its entity within the paper, named by its first phrase."""
    if not phrases:
        return {}
    import numpy as np

    groups = chained(np.array([vectors[phrase] for phrase in phrases], dtype=np.float64), similarity)
    return {phrases[at]: phrases[group[0]] for group in groups for at in group}


def _relation(
    group: TripletGroup, runs: Sequence[Sequence[Mapping[str, str]]], own: Mapping[str, str]
) -> dict[str, Any]:
    rows = [runs[each.run - 1][each.item - 1] for each in group.members]
    methods = Counter(row["method"] for row in rows)
    return {
        "X": rows[0]["X"],
        "d": rows[0]["d"],
        "Y": rows[0]["Y"],
        "X_in_paper": own[rows[0]["X"]],
        "Y_in_paper": own[rows[0]["Y"]],
        "runs": group.runs,
        "method": max(methods, key=lambda name: (methods[name], name != NO_METHOD)),
        "members": [
            {"run": each.run, "item": each.item, "X": row["X"], "Y": row["Y"]}
            for each, row in zip(group.members, rows, strict=True)
        ],
    }


# --- entities ----------------------------------------------------------------------------------------------------


def papers_of_phrases(values: Iterable[Value]) -> dict[str, list[str]]:
    """Return phrase of an agreed relation → its papers, sorted."""
    by_phrase: dict[str, dict[str, None]] = defaultdict(dict)
    for paper in values:
        for row in paper.value["kept"]:
            for name in ("X", "Y"):
                by_phrase[row[name]][paper.key] = None
    return {phrase: sorted(papers) for phrase, papers in sorted(by_phrase.items())}


def make_entities(inputs: Inputs, settings: Settings) -> Making:
    """Return a value for each entity of several phrases, largest first. Any other phrase is an entity of its own."""
    import numpy as np

    papers = papers_of_phrases(inputs.values[CONSENSUS])
    phrases = list(papers)
    if not phrases:
        return Making((), ("no relation is kept",))
    vectors, similarity = vectors_in(inputs), rule_of(settings).similarity
    matrix = np.array([vectors[phrase] for phrase in phrases], dtype=np.float32)
    groups = [group for group in chained(matrix, similarity) if len(group) > 1]
    entities = []
    for group in sorted(groups, key=lambda each: (-len(each), each)):
        least = _least_cosine(matrix[group])
        is_chain = least is None or least < similarity - NEAR
        names = sorted(phrases[at] for at in group)
        value = {
            "entity": names[0],
            "phrases": [{"phrase": phrase, "papers": papers[phrase]} for phrase in names],
            "least": least,
        }
        entities.append(StepOutput(names[0], value, flags=(CHAIN,) if is_chain else ()))
    chains = sum(bool(each.flags) for each in entities)
    return Making(
        tuple(entities),
        (
            f"{counted(len(phrases), 'phrase')} in {len(phrases) - sum(map(len, groups)) + len(groups):,} entities; "
            f"the largest has {max(map(len, groups), default=1):,}; {chains:,} hold together by a chain",
        ),
    )


def _least_cosine(vectors: Array) -> float | None:
    """Return the least cosine of any two; None if there are too many to compare."""
    import numpy as np

    if len(vectors) > MOST_COMPARED:
        return None
    lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
    unit = vectors / lengths
    return round(float((unit @ unit.T).min()), 6)


def entity_names(values: Iterable[Value]) -> dict[str, str]:
    """Return phrase → name of its entity, for entities of several phrases, as people split them."""
    names = {}
    for entity in values:
        parts = entity.value.get("parts") or [[one["phrase"] for one in entity.value["phrases"]]]
        for part in parts:
            for phrase in part:
                names[phrase] = min(part)
    return names


# --- JEL codes ---------------------------------------------------------------------------------------------------


def titles_of(inputs: Inputs) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.value["title"] for each in inputs.values[CODES]))


def make_jel(inputs: Inputs, settings: Settings) -> Making:
    """Return one value: the nearest code of each phrase. Raises BadInput as `nearest_codes`."""
    vectors = vectors_in(inputs)
    codes = [
        CodeTitle(each.value["code"], each.value["title"], vectors[each.value["title"]])
        for each in inputs.values[CODES]
    ]
    phrases = list(papers_of_phrases(inputs.values[CONSENSUS]))
    nearest = nearest_codes([vectors[phrase] for phrase in phrases], codes) if phrases else []
    rows = [
        {
            "variable": phrase,
            "code": each.code and each.code.code,
            "title": each.code and each.code.title,
            "cosine": each.cosine.value,
        }
        for phrase, each in zip(phrases, nearest, strict=True)
    ]
    return Making((StepOutput(SET, {"variables": rows}),))


# --- questions ---------------------------------------------------------------------------------------------------


def relations_of(inputs: Inputs) -> list[Relation]:
    """Return every agreed relation with its entities, letters, year and journal. Letters are those of the two
    variables' codes; in a run without codes those of the paper."""
    papers = {each.key: SourceAbstract.from_json(each.value) for each in inputs.values[ABSTRACTS]}
    entity = entity_names(inputs.values.get(SPLIT) or inputs.values.get(ENTITIES) or ())
    coded = {
        row["variable"]: row["code"]
        for each in inputs.values.get(JEL, ())
        for row in each.value["variables"]
        if row["code"]
    }
    relations = []
    for value in inputs.values[CONSENSUS]:
        paper = papers[value.key]
        for row in value.value["kept"]:
            letters = {coded[row[name]][0] for name in ("X", "Y") if row[name] in coded}
            relations.append(
                Relation(
                    treatment=row["X"],
                    direction=row["d"],
                    outcome=row["Y"],
                    paper=value.key,
                    treatment_entity=entity.get(row["X"], row["X"]),
                    outcome_entity=entity.get(row["Y"], row["Y"]),
                    letters=tuple(sorted(letters)) if coded else paper.letters,
                    year=paper.year,
                    journal=paper.journal,
                )
            )
    return relations


def question_rule(settings: Settings) -> QuestionRule:
    """Return the question rule. Raises BadInput as `QuestionRule`."""
    most = settings.get("most_questions")
    return QuestionRule(
        seed=int(settings.get("seed") or 0),
        scope=Scope(chosen(settings, "scope")),
        share_true=Fraction(str(chosen(settings, "share_true"))),
        most=None if most is None or most == "" else int(most),
    )


def make_questions(inputs: Inputs, settings: Settings) -> Making:
    """Return the questions in blocks, which the next step asks one by one; the first block describes all. Raises
    BadInput if there are none."""
    generated = questions_of(relations_of(inputs), question_rule(settings))
    if not generated.questions:
        raise BadInput("No question can be made: no relation is kept.")
    plain = [plain_question(each) for each in generated.questions]
    about = {
        "questions": len(plain),
        "pairs": {str(kind): count for kind, count in generated.pairs.items()},
        "contradicted": [list(pair) for pair in generated.contradicted],
        "without_false": generated.without_false,
    }
    blocks = [plain[at : at + BLOCK] for at in range(0, len(plain), BLOCK)]
    return Making(
        tuple(
            StepOutput(f"block {number:05d}", {"questions": block, "about": about if number == 1 else None})
            for number, block in enumerate(blocks, 1)
        ),
        (counted(len(plain), "question"),),
    )


def make_filter(inputs: Inputs, settings: Settings) -> Making:
    """Return one value: questions that every small model answered rightly, and those not yet answered by all."""
    cards = small_cards(settings)
    right: dict[str, dict[str, bool]] = defaultdict(dict)
    for answer in inputs.values[EASY]:
        right[answer.value["question"]][answer.model] = bool(answer.value["is_right"])
    easy, waiting = [], []
    for block in inputs.values[QUESTIONS]:
        for question in block.value["questions"]:
            answers = right.get(question["id"], {})
            if any(card not in answers for card in cards):
                waiting.append(question["id"])
            elif all(answers.values()):
                easy.append(question["id"])
    value = {"easy": easy, "waiting": waiting, "cards": list(cards)}
    return Making((StepOutput(SET, value),), (f"{len(easy):,} easy, {len(waiting):,} waiting",))
