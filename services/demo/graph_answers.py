"""What the demo's made-up models say to a query about a graph: they read the graph in the prompt, each with its habit.

    demo:copier   names what is joined to the variables asked about, whichever way the edges go
    demo:reader   reads the edges, overlooks one variable in eight, in prose more often, now and then reads all of
                  them backwards
    demo:talker   reads like demo:reader, but talks: thinks aloud, answers twice, names what is not there, breaks off

What they answer depends on the message only, so that a run can be made again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from core.errors import EdgewiseError
from core.graphs.encodings import Encoding, decode, looks_like
from core.graphs.graph import CausalGraph
from core.graphs.naming import reversed_graph
from core.graphs.queries import Kind, Query, Truths, answer
from runs.scripted.replies import ScriptedAnswer

BEFORE, AFTER = "The graph:\n\n", "\n\nAnswer from this graph alone"
"""What stands around the graph in the prompt."""
KINDS = {
    "source": Kind.SOURCE,
    "sink": Kind.SINK,
    "parent": Kind.PARENT,
    "child": Kind.CHILD,
    "direct mediator": Kind.MEDIATOR,
    "confounder": Kind.CONFOUNDER,
}
OVERLOOKED = {Encoding.SINGLE: 0.25, Encoding.MULTI: 0.25}
USUALLY_OVERLOOKED = 0.125
BACKWARDS = 0.15


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """A query as it is read out of a prompt, with the graph and how it is told."""

    graph: CausalGraph
    encoding: Encoding
    query: Query
    message: str

    def chance(self, purpose: str) -> float:
        """A number in [0, 1) that depends on the message and the purpose only."""
        digest = sha256(f"{purpose}\n{self.message}".encode("utf-8", "surrogatepass")).hexdigest()
        return int(digest[:12], 16) / 16**12


def graph_question(message: str) -> GraphQuestion | None:
    """None for a message that asks nothing of a graph, or nothing that these models know."""
    told, _, asked = message.partition(BEFORE)[2].partition(AFTER)
    encoding = looks_like(told)
    if encoding is None:
        return None
    try:
        query = _query(asked.partition("\n")[0])
        return None if query is None else GraphQuestion(decode(told, encoding), encoding, query, message)
    except EdgewiseError:
        return None


def _query(asked: str) -> Query | None:
    """
    >>> _query("Name all children of A in the graph.").kind, _query("Is M a source in the graph?").node
    (<Kind.CHILD: 'child'>, 'M')
    """
    words, is_in, _ = asked.partition(" in the graph")
    if not is_in:
        return None
    before, is_list, what = words.partition("Name all ")
    node = None
    if not is_list:
        name, _, what = before.partition("Is ")[2].partition(" a ")
        node = _name(name)
    for word, kind in KINDS.items():
        if what.startswith(word):
            return _of_kind(kind, what, node)
    return None


def _of_kind(kind: Kind, what: str, node: str | None) -> Query:
    if kind in (Kind.SOURCE, Kind.SINK):
        return Query(kind=kind, node=node)
    _, _, named = what.partition(" between " if kind is Kind.MEDIATOR else " of ")
    if kind in (Kind.PARENT, Kind.CHILD):
        return Query(kind=kind, of=_name(named), node=node)
    a, _, b = named.partition(" and ")
    return Query(kind=kind, between=(_name(a), _name(b)), node=node)


def _name(written: str) -> str:
    return written.strip('"')


# --- what each says ----------------------------------------------------------------------------------------------


def copied(question: GraphQuestion) -> ScriptedAnswer:
    """What is joined to the variables asked about by an edge of any direction; of none asked about, the first
    variable."""
    query = question.query
    about = {*(query.between or ()), *((query.of,) if query.of else ())}
    joined = {a for edge in question.graph.edges for a, b in (edge.pair, edge.pair[::-1]) if b in about} - about
    if not about:
        joined = set(question.graph.nodes[:1])
    return _tagged(_words(question, joined), "These stand beside it in the graph.")


def read(question: GraphQuestion) -> ScriptedAnswer:
    return _tagged(_words(question, _read(question)), "I went through the edges one by one.")


def talked(question: GraphQuestion) -> ScriptedAnswer:
    words = _words(question, _read(question))
    plain = _tagged(words, "Let me look at every edge in turn.")
    draw, odds = question.chance("manner"), 0.0
    for share, manner in MANNERS:
        odds += share
        if draw < odds:
            return manner(question, words)
    return plain


def _read(question: GraphQuestion) -> set[str]:
    """The variables that answer, less those that are overlooked."""
    query, graph = question.query, question.graph
    if question.chance("backwards") < BACKWARDS:
        graph = reversed_graph(graph).graph
    whole = Query(kind=query.kind, of=query.of, between=query.between)
    found = answer(Truths.of(graph), whole)
    assert isinstance(found, frozenset), "a query of the whole graph"
    share = OVERLOOKED.get(question.encoding, USUALLY_OVERLOOKED)
    return {name for name in found if question.chance(f"overlooked {name}") >= share}


def _words(question: GraphQuestion, found: set[str]) -> str:
    if question.query.node is not None:
        return "Yes" if question.query.node in found else "No"
    names = [name for name in question.graph.nodes if name in found]
    return "[" + ", ".join(f'"{name}"' if "," in name else name for name in names) + "]" if names else "Null"


def _tagged(words: str, before: str) -> ScriptedAnswer:
    return ScriptedAnswer(text=f"{before} <Answer>{words}</Answer>")


def _with_a_name_of_its_own(question: GraphQuestion, words: str) -> ScriptedAnswer:
    is_list = question.query.node is None
    listed = f"[{words.strip('[]')}, Hidden cause]" if words != "Null" else "[Hidden cause]"
    return _tagged(listed if is_list else words, "Something else may act on it.")


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
    (0.10, _with_a_name_of_its_own),
    (0.05, lambda question, words: ScriptedAnswer(text="It depends on how one reads the edges.")),
    (0.03, lambda question, words: ScriptedAnswer(text=f"So <Answer>{words[:-1]}", finish_reason="length")),
    (0.02, lambda question, words: ScriptedAnswer(text=None, refusal="I would rather not judge this graph.")),
)
"""Share of messages → how the answer comes; what is left comes in one sentence."""
HABITS: Mapping[str, Callable[[GraphQuestion], ScriptedAnswer]] = {"copier": copied, "reader": read, "talker": talked}
