"""People who leave edges out, each acting through the services as the screen does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from benchmarks.omissions.counting import BareInk, Listed, Pair, folded
from benchmarks.omissions.figures import MadeFigure, TrueEdge
from core.graphs.checks import DoubtKind
from core.graphs.names import fold_name
from core.people import Receipt, Role, Viewer
from core.transcription.arrow_matching import SHARE, SLACK, arrow_id
from core.transcription.proposals import ProposedName
from services.acting import TERMINAL, terminal_viewer
from services.people import people
from services.queue.settings import MOST_PEOPLE
from services.transcription import canvas_edits, practice, proposals, queue, reading, sweeping, transcribing
from store.tables import new_id

UNUSED = DoubtKind.UNUSED_LABEL  # listed among the texts
ALIKE = 0.8  # of difflib's ratio: a name that was misread is still taken for what is printed


def someone(name: str, role: Role) -> Viewer:
    added = people.add_person(terminal_viewer(), name, (role,), None, act_id=new_id())
    practice.waive(terminal_viewer(), added.subject_id, act_id=new_id())
    return Viewer(person_id=added.subject_id, name=name, roles=frozenset({role}), session_id=TERMINAL)


class Annotator:
    """Annotator of one figure, claimed when the object is made."""

    def __init__(self, viewer: Viewer, figure: MadeFigure) -> None:
        self._viewer, self._figure = viewer, figure
        queue.want(terminal_viewer(), [figure.id], MOST_PEOPLE, act_id=new_id())  # each way of working has its own
        self._work = transcribing.take(viewer, figure.id, act_id=new_id()).subject_id
        self._version = reading.transcription(viewer, self._work).version
        self.offered = proposals.open_proposals(viewer, self._work)
        names = dict.fromkeys(name for edge in figure.edges for name in edge.pair)
        self._labels = labels_of(names, self.offered.names)

    def do(self, act: Callable[..., Receipt], *arguments: Any) -> None:
        done = act(self._viewer, self._work, *arguments, seen=self._version, act_id=new_id())
        self._version = done.version or self._version

    def place_names(self) -> None:
        """Put every name on the figure before any edge: clicked where it is printed, corrected if misread, else drawn
        in a row."""
        for number, name in enumerate(dict.fromkeys(name for edge in self._figure.edges for name in edge.pair)):
            label = self._labels.get(name)
            if label is None:
                self.do(canvas_edits.place_node, name, (10.0 * number, 10.0), None, "drawn")
                continue
            box = label.box
            middle = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
            self.do(canvas_edits.place_node, label.text, middle, box, "printed")
            if label.text != name:
                self.do(transcribing.rename_node, label.text, name)

    def draw(self, edges: Sequence[TrueEdge]) -> None:
        for edge in edges:
            self.do(canvas_edits.connect, edge.source, edge.sink, edge.sign, edge.delay)

    def answer_all(self, refused: Collection[Pair]) -> list[TrueEdge]:
        """Answer every proposal, rightly except for `refused`; return the edges without a proposal."""
        true = {folded(edge.pair): edge for edge in self._figure.edges}
        wrong = {folded(pair) for pair in refused}
        pairs = {edge.id: folded((edge.source, edge.sink)) for edge in self.offered.edges}
        accepted = [one for one, pair in pairs.items() if pair in true and pair not in wrong]
        self.do(proposals.accept, accepted)
        self.do(proposals.refuse, [one for one in pairs if one not in accepted])
        return [edge for pair, edge in true.items() if pair not in pairs.values()]

    def attest_all(self) -> None:
        for node in sweeping.coverage(self._viewer, self._work).nodes:
            self.do(sweeping.attest, node.name, True)

    def at_submit(self) -> Listed:
        seen = sweeping.coverage(self._viewer, self._work)
        about = {kind: [one.subjects for one in seen.open_doubts if one.kind is kind] for kind in DoubtKind}
        arrows = proposals.open_proposals(self._viewer, self._work).edges
        meant = self._meant({fold_name(node.name) for node in seen.nodes})
        return Listed(
            arrows=frozenset((edge.source, edge.sink) for edge in arrows),
            texts=frozenset(meant(text.text) for text in seen.unused if not text.is_dismissed),
            refused=frozenset((source, sink) for source, sink in about.pop(DoubtKind.REFUSED_ARROW)),
            ink=self._ink([one.id for one in seen.bare if not one.is_dismissed]),
            alone=frozenset(name for names in about.pop(DoubtKind.ISOLATED_NODE) for name in names),
            doubts=tuple(frozenset(names) for kind, each in about.items() for names in each if kind != UNUSED),
            unswept=frozenset(node.name for node in seen.nodes if not node.swept),
        )

    def _ink(self, bare: Collection[str]) -> tuple[BareInk, ...]:
        """The bare arrows by the names that a person reads at their ends: those of the nearest labels."""
        true = {label.text: name for name, label in self._labels.items()}
        texts = [fold_name(true.get(label.text, label.text)) for label in self.offered.reading.names]

        def near(listed: Sequence[tuple[int, float]]) -> frozenset[str]:
            least = min((away for _place, away in listed), default=0.0)
            return frozenset(texts[place] for place, away in listed if away <= SHARE * least + SLACK)

        arrows = [arrow for arrow in self.offered.reading.arrows if arrow_id(arrow) in bare]
        return tuple(BareInk(near(arrow.tails), near(arrow.tips), arrow.has_line) for arrow in arrows)

    def _meant(self, drawn: Collection[str]) -> Callable[[str], str]:
        """The name that a person reads in an unused text. A misread one whose name is drawn (from typing) is asked
        about too, but leads to no edge: it stays what it is. `drawn`: folded names of nodes."""
        names = {label.text: name for name, label in self._labels.items()}
        return lambda text: text if fold_name(names.get(text, text)) in drawn else names.get(text, text)


def labels_of(names: Collection[str], printed: Sequence[ProposedName]) -> Mapping[str, ProposedName]:
    """Return name → printed label that a person would match: the same, or the nearest of no other name."""
    texts = {fold_name(label.text): label for label in reversed(printed)}
    found = {name: texts.pop(fold_name(name)) for name in names if fold_name(name) in texts}
    for name in names:
        near = get_close_matches(fold_name(name), texts, 1, ALIKE) if name not in found else []
        if near:
            found[name] = texts.pop(near[0])
    return found
