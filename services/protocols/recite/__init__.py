"""What graphs from texts and their judges (ReCITE) take from a study, and what their tables count besides."""

from __future__ import annotations

from services.protocols.recite import answers, release, table
from services.protocols.recite.public_tables.form import recite
from services.protocols.recite.reviews import zip_members
from services.protocols.recite.table_files import import_files
from services.protocols.recite.unjudged import unjudged_items
from services.runs.benchmarks import BenchmarkServices, UnaskedItems

SERVICES = BenchmarkServices(
    sources={"release": release.SOURCE, "table": table.SOURCE, "answers": answers.SOURCE},
    import_files=import_files,
    zip_members=zip_members,
    export_forms={"recite": recite},
    unasked=UnaskedItems(runs=lambda row: answers.judged_run_ids(row).values(), items=unjudged_items),
)
