"""Downloads of reviewers' work: sheets, labels and rulings as CSV or JSON, with pseudonyms."""

from __future__ import annotations

from core.errors import Missing
from core.people import Permission, Viewer
from services.acting import consulting
from services.files import ExportedFile
from services.protocols.recite import reviews
from services.runs.judge_exposure import record_run_exposure, refuse_run
from services.runs.reading import find_run

NOTHING = "Run {number} has no sheets yet. Draw some first."


def export(viewer: Viewer, run_id: str, *, as_json: bool = False) -> tuple[ExportedFile, ...]:
    """Export the review of a run of judges as three CSV files, or one JSON file; recorded as an exposure to all of its
    verdicts. Raises Missing without such a run and without sheets, Refused while the viewer labels its verdicts."""
    with consulting(viewer, Permission.EXPORT) as r:
        row = find_run(r.session, run_id)
        tables = reviews.review_tables(r, row)
        if not tables["sheets"][1]:
            raise Missing(NOTHING.format(number=row.number))
        refuse_run(r, row.id)
        record_run_exposure(r, row.settings, row.id)
        name = f"{r.study.name}-run-{row.number}-review"
        if as_json:
            return (ExportedFile(f"{name}.json", "application/json", reviews.as_json(r, tables)),)
    return tuple(
        ExportedFile(f"{name}-{key}.csv", "text/csv", reviews.as_csv(columns, rows))
        for key, (columns, rows) in tables.items()
    )
