"""The effect of proposed codes, over lists for which a run proposed some and that all their people have submitted."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime

from core.agreement.codes import CodedAnswer
from core.agreement.proposed_codes import CodedWithProposals, ProposalArm, proposal_arms, seconds_of
from core.people import Permission, Viewer
from services.acting import ReadContext, consulting
from services.failures.codebook import codebook_in
from services.failures.proposal_settings import without_proposals
from store.runs import codes, proposed_codes
from store.tables import CodingListRow


def effect(viewer: Viewer) -> tuple[ProposalArm, ProposalArm] | None:
    """Return the answers with proposals and those without; None without such a list. Decisions are counted once their
    list is submitted by all, as its codes are."""
    with consulting(viewer, Permission.REVIEW) as r:
        submitted = codes.submitters(r.session)
        proposing = {proposed_codes.list_of_run(row) for row in proposed_codes.proposing_runs(r.session)}
        done = [row for row in codes.lists(r.session) if row.id in proposing and codes.is_complete(row, submitted)]
        coded = [each for row in done for each in _coded(r, row)]
    return proposal_arms(coded) if coded else None


def _coded(r: ReadContext, row: CodingListRow) -> list[CodedWithProposals]:
    names = tuple(each.name for each in codebook_in(r.session, row.codebook).codes)
    shown = codes.shown_codes(r.session, row.run_id)
    of_list = {
        item: [each for each in shown.get(item, ()) if each.list_id == row.id and not each.is_ruling]
        for item in row.items
    }
    times = defaultdict[str, dict[str, datetime]](dict)
    for item, rows in of_list.items():
        for each in rows:
            times[each.coder][item] = each.coded_at
    seconds = {coder: seconds_of(coded_at) for coder, coded_at in times.items()}
    without = without_proposals(row)
    every = proposed_codes.proposed(r.session, row.id, row.items)
    proposed = Counter(each.item_id for each in every)
    known = {(each.proposed_by, each.code) for each in every}
    decided = Counter(
        (each.item_id, each.is_accepted)
        for each in proposed_codes.decisions(r.session, row.items)
        if each.coder in times and (each.proposed_by, each.code) in known
    )
    return [
        CodedWithProposals(
            with_proposals=item not in without,
            coded=CodedAnswer(names, [each.codes for each in sorted(rows, key=lambda each: each.coder)]),
            seconds=[seconds[each.coder][item] for each in rows if item in seconds[each.coder]],
            proposed=proposed[item] * len(rows),
            accepted=decided[item, True],
            rejected=decided[item, False],
        )
        for item, rows in of_list.items()
        if rows  # else asked again since
    ]
