"""Scripted answers to queries about a graph, which the demo's models read from the prompt.

    demo:copier   names what is joined to the variables asked about, ignoring directions
    demo:reader   reads the edges, misses one variable in eight, in prose more often, sometimes reads all backwards
    demo:talker   reads like demo:reader, but talks: thinks aloud, answers twice, names what is not there, breaks off

Answers depend on the message only, so that a run can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from core.errors import EdgewiseError
from core.graphs.encodings import Encoding, decode, guess_encoding
from core.graphs.graph import CausalGraph
from core.graphs.naming import reversed_graph
from core.graphs.queries import AnswerShape, Asked, Query, QueryKind, Truths, Variant, answer, shape_of
from runs.scripted.replies import ScriptedAnswer

_SUPPOSE, _SET = "Suppose that ", " is set to a value from outside"
BEFORE, AFTER = "The graph:\n\n", "\n\nAnswer from this graph alone"  # around the graph in the prompt
KINDS: Mapping[str, Asked] = {
    "source": QueryKind.SOURCE,
    "sink": QueryKind.SINK,
    "parent": QueryKind.PARENT,
    "child": QueryKind.CHILD,
    "direct mediator": QueryKind.MEDIATOR,
    "mediator": Variant.MEDIATOR_ANY_PATH,
    "confounder": QueryKind.CONFOUNDER,
    "common ancestor": Variant.CONFOUNDER_COMMON_ANCESTOR,
    "fork": Variant.CONFOUNDER_FORK,
    "variables that change": QueryKind.INTERVENTION,
}
OVERLOOKED = {Encoding.SINGLE: 0.25, Encoding.MULTI: 0.25}
USUALLY_OVERLOOKED = 0.125
BACKWARDS = 0.15


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """A query parsed from a prompt, with the graph and its encoding."""

    graph: CausalGraph
    encoding: Encoding
    query: Query
    message: str

    def chance(self, purpose: str) -> float:
        """Return a number in [0, 1) that depends on the message and the purpose only."""
        digest = sha256(f"{purpose}\n{self.message}".encode("utf-8", "surrogatepass")).hexdigest()
        return int(digest[:12], 16) / 16**12


def graph_question(message: str) -> GraphQuestion | None:
    """Parse a prompt; None if it asks nothing about a graph, or nothing that these models know."""
    encoded, _, request = message.partition(BEFORE)[2].partition(AFTER)
    encoding = guess_encoding(encoded)
    if encoding is None:
        return None
    try:
        query = _query(request.partition("\n")[0])
        return None if query is None else GraphQuestion(decode(encoded, encoding), encoding, query, message)
    except EdgewiseError:
        return None


def _query(request: str) -> Query | None:
    """
    >>> _query("Name all children of A in the graph.").kind, _query("Is M a source in the graph?").node
    (<QueryKind.CHILD: 'child'>, 'M')
    """
    _, is_event, rest = request.partition(_SUPPOSE)
    if is_event:
        event, _, effect = rest.partition(". Does ")
        of, changed = event.partition(_SET)[0], effect.partition(" change because of that")[0]
        return Query(kind=QueryKind.INTERVENTION, of=_name(of), node=_name(changed)) if event.endswith(_SET) else None
    words, is_in, _ = request.partition(" in the graph")
    if not is_in:
        return None
    before, is_list, what = words.partition("Name all ")
    node = None
    if not is_list:
        name, _, what = before.partition("Is ")[2].partition(" a ")
        node = _name(name)
    asked_kind = next((kind for word, kind in KINDS.items() if what.startswith(word)), None)
    if asked_kind is None:
        return None
    variant = asked_kind if isinstance(asked_kind, Variant) else None
    kind = asked_kind.kind if isinstance(asked_kind, Variant) else asked_kind
    shape = shape_of(asked_kind)
    if shape is AnswerShape.ALONE:
        return Query(kind=kind, variant=variant, node=node)
    if kind is QueryKind.INTERVENTION:
        return Query(kind=kind, of=_name(what.partition(" if ")[2].partition(" is set from outside")[0]))
    _, _, named = what.partition(" between " if kind is QueryKind.MEDIATOR and variant is None else " of ")
    if shape is AnswerShape.OF:
        return Query(kind=kind, of=_name(named), node=node)
    if variant is Variant.MEDIATOR_ANY_PATH:
        a, _, b = what.partition(" from ")[2].partition(" to ")
    else:
        a, _, b = named.partition(" and ")
    return Query(kind=kind, variant=variant, between=(_name(a), _name(b)), node=node)


def _name(written: str) -> str:
    return written.strip('"')


# --- answers -----------------------------------------------------------------------------------------------------


def copied(question: GraphQuestion) -> ScriptedAnswer:
    """Answer with the neighbours of the variables asked about; with the first variable if there are none."""
    query = question.query
    about = {*(query.between or ()), *((query.of,) if query.of else ())}
    joined = {a for edge in question.graph.edges for a, b in (edge.pair, edge.pair[::-1]) if b in about} - about
    if not about:
        joined = set(question.graph.nodes[:1])
    return _tagged(_answer_text(question, joined), "These stand beside it in the graph.")


def read(question: GraphQuestion) -> ScriptedAnswer:
    return _tagged(_answer_text(question, _read(question)), "I went through the edges one by one.")


def talked(question: GraphQuestion) -> ScriptedAnswer:
    words = _answer_text(question, _read(question))
    plain = _tagged(words, "Let me look at every edge in turn.")
    draw, odds = question.chance("manner"), 0.0
    for share, manner in MANNERS:
        odds += share
        if draw < odds:
            return manner(question, words)
    return plain


def _read(question: GraphQuestion) -> set[str]:
    """Return the variables of the true answer, without those that are missed."""
    query, graph = question.query, question.graph
    if question.chance("backwards") < BACKWARDS:
        graph = reversed_graph(graph).graph
    whole = Query(kind=query.kind, variant=query.variant, of=query.of, between=query.between)
    names = answer(Truths.of(graph), whole)
    assert isinstance(names, frozenset), "a query of the whole graph"
    share = OVERLOOKED.get(question.encoding, USUALLY_OVERLOOKED)
    return {name for name in names if question.chance(f"overlooked {name}") >= share}


def _answer_text(question: GraphQuestion, chosen: set[str]) -> str:
    if question.query.node is not None:
        return "Yes" if question.query.node in chosen else "No"
    names = [name for name in question.graph.nodes if name in chosen]
    return "[" + ", ".join(f'"{name}"' if "," in name else name for name in names) + "]" if names else "Null"


def _tagged(words: str, before: str) -> ScriptedAnswer:
    return ScriptedAnswer(text=f"{before} <Answer>{words}</Answer>")


def _add_invented_name(question: GraphQuestion, words: str) -> ScriptedAnswer:
    is_list = question.query.node is None
    listed = f"[{words.strip('[]')}, Hidden cause]" if words != "Null" else "[Hidden cause]"
    return _tagged(listed if is_list else words, "Something else may act on it.")


# Share of messages → how the answer is given; the others are one sentence.
MANNERS: tuple[tuple[float, Callable[[GraphQuestion, str], ScriptedAnswer]], ...] = (
    (
        0.15,
        lambda question, words: ScriptedAnswer(
            text=f"<think>Perhaps <Answer>No</Answer>?</think>\nIt follows: <Answer>{words}</Answer>",
            usage={"reasoning": 12},
        ),
    ),
    (
        0.10,
        lambda question, words: ScriptedAnswer(
            text=f"At first <Answer>Null</Answer>. Looking again: <Answer>{words}</Answer>"
        ),
    ),
    (0.10, _add_invented_name),
    (0.05, lambda question, words: ScriptedAnswer(text="It depends on how one reads the edges.")),
    (0.03, lambda question, words: ScriptedAnswer(text=f"So <Answer>{words[:-1]}", finish_reason="length")),
    (0.02, lambda question, words: ScriptedAnswer(text=None, refusal="I would rather not judge this graph.")),
)
HABITS: Mapping[str, Callable[[GraphQuestion], ScriptedAnswer]] = {"copier": copied, "reader": read, "talker": talked}
