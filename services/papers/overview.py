"""Overview of papers: unscreened papers, and included ones whose diagram nobody has located."""

from __future__ import annotations

from core.people import Permission
from core.words import counted
from services.acting import ReadContext
from services.overview_contributions import FunnelStep, NextStep, OverviewPart, SubjectStatus
from store.papers import papers

WORDS = {
    "paper.import": "added a paper",
    "paper.duplicate": "added a paper that the study already had",
    "paper.references": "imported references",
    "paper.reference": "added a reference",
    "paper.attach": "added a paper's file",
    "paper.describe": "edited the metadata of a paper",
    "paper.screen": "screened a paper",
    "paper.archive": "archived a paper",
    "paper.restore": "restored a paper",
    "figures.find": "started finding figures on all papers",
    "figures.stop": "stopped finding figures",
    "figure.locate": "located a figure",
    "figure.leave_out": "left out a figure that was found",
    "figure.ask_again": "put a figure back among those found",
    "figure.relocate": "corrected a figure's place",
    "figure.archive": "archived a figure",
    "figure.restore": "restored a figure",
    "figure.take_out": "excluded a figure without a graph",
    "figure.reopen": "returned a declined figure to its annotators",
}


def _current(r: ReadContext) -> SubjectStatus:
    counts = papers.counts(r.session)
    may_curate = r.viewer.may(Permission.CURATE)
    page = "papers" if may_curate else ""
    steps = []
    if may_curate and (unscreened := counts.papers - counts.screened):
        what = f"Screen {counted(unscreened, 'paper')}"
        oldest = papers.oldest_to_screen(r.session)
        assert oldest is not None, "there is one by the counts"
        steps.append(NextStep(what, "Papers without a decision", "papers", {"paper": oldest.id, "tab": "screen"}))
    if may_curate and counts.unlocated:
        what = f"Locate the diagram in {counted(counts.unlocated, 'paper')}"
        steps.append(NextStep(what, "Included, and no figure to transcribe yet", "papers", {"show": "unlocated"}))
    ways = [NextStep("Add the first papers", "Drop PDFs or pictures, or import references", "papers", {})]
    return SubjectStatus(
        {
            "first papers": ways if may_curate and not counts.papers else [],
            "curation": steps,
        },
        (
            FunnelStep("papers", counts.papers, page, {}),
            FunnelStep("screened", counts.screened, page, {"show": "screened"}),
        ),
    )


OVERVIEW = OverviewPart(WORDS, now=_current)
