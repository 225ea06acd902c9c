"""Sources, imports, exports and extra items of graphs from texts and their judges (ReCITE)."""

from __future__ import annotations

from protocols.recite.judge.tasks import ANSWERS
from protocols.recite.tasks import RELEASE, TABLE, TEXTS
from services.protocols.recite import answers, release, reviews, study_texts, table
from services.protocols.recite.judged_rows import judged_rows
from services.protocols.recite.public_tables import form
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(
    sources={RELEASE: release.SOURCE, TABLE: table.SOURCE, TEXTS: study_texts.SOURCE, ANSWERS: answers.SOURCE},
    import_files=table.import_files,
    zip_members={"attempts.jsonl": reviews.zip_members},
    export_forms={"recite": form.export_tables},
    import_runs=form.import_tables,
    judged_rows=judged_rows,
    sends_papers=True,
    judged_runs=lambda row: answers.judged_run_ids(row).values(),
)
