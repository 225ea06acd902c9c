"""A sample's step, cell, subject, truth and slots; a row for each combination of labels that samples of a run have

Revision ID: 0014
Revises: 0013
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa
import uuid_utils
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

AT_ONCE = 1_000
STEP = "ask"
INDEX = "ix_run_sample_cell_id_task_variant_answer_id"
"""Of all that lists filter by, so that a filter reads no sample whole."""
KEPT = ("id", "run_id", "place", "task", "variant", "key", "sample_hash", "prompt", "prompt_hash", "messages", "facts")
CELLS = sa.table("run_cell", sa.column("id"), sa.column("run_id"), sa.column("hash"), sa.column("labels", sa.JSON()))
SAMPLES = sa.table(
    "run_sample", sa.column("id"), sa.column("run_id"), sa.column("place"), sa.column("facts", sa.JSON())
)
CELL_OF = sa.table("_cell_of_sample", sa.column("sample_id"), sa.column("cell_id"))


def upgrade() -> None:
    op.create_table(
        "run_cell",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_cell_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_cell")),
        sa.UniqueConstraint("run_id", "hash", name=op.f("uq_run_cell_run_id_hash")),
    )
    op.execute("CREATE TEMPORARY TABLE _cell_of_sample (sample_id VARCHAR PRIMARY KEY, cell_id VARCHAR NOT NULL)")
    _fill_cells()
    if op.get_bind().dialect.name == "sqlite":
        _remake_samples()
    else:
        _change_samples()
    op.execute("DROP TABLE _cell_of_sample")
    op.create_index(op.f(INDEX), "run_sample", ["cell_id", "task", "variant", "answer", "id"], unique=False)


def _fill_cells() -> None:
    """Give every sample a cell by the facts that lists filter by. A run may have more samples than the memory should
    hold, so they come a part at a time."""
    bind = op.get_bind()
    for (run_id,) in bind.execute(sa.text("SELECT id FROM run ORDER BY number")).all():
        cells: dict[str, str] = {}
        for part in _parts(run_id):
            new = []
            cell_of = []
            for sample_id, labels in part:
                key = _hash(labels)
                if key not in cells:
                    cells[key] = str(uuid_utils.uuid7())
                    new.append({"id": cells[key], "run_id": run_id, "hash": key, "labels": labels})
                cell_of.append({"sample_id": sample_id, "cell_id": cells[key]})
            if new:
                bind.execute(sa.insert(CELLS), new)
            bind.execute(sa.insert(CELL_OF), cell_of)


def _parts(run_id: str) -> Iterator[list[tuple[str, dict[str, list[str]]]]]:
    last = -1
    query = sa.select(SAMPLES.c.id, SAMPLES.c.place, SAMPLES.c.facts).where(SAMPLES.c.run_id == run_id)
    while True:
        some = query.where(SAMPLES.c.place > last).order_by(SAMPLES.c.place).limit(AT_ONCE)
        rows = op.get_bind().execute(some).all()
        if not rows:
            return
        last = rows[-1].place
        yield [(row.id, _labels(row.facts)) for row in rows]


def _labels(facts: Mapping[str, Any]) -> dict[str, list[str]]:
    """Year, JEL and domain, which are all that lists could be filtered by until now."""
    jel, domain, year = facts.get("jel"), facts.get("domain"), facts.get("year")
    found = {
        "year": [] if year is None else [str(year)],
        "jel": [str(each) for each in jel] if isinstance(jel, list) else [str(jel)] if jel else [],
        "domain": [str(domain)] if domain else [],
    }
    return {name: sorted(set(values)) for name, values in sorted(found.items()) if values}


def _hash(labels: Mapping[str, list[str]]) -> str:
    text = json.dumps(labels, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _change_samples() -> None:
    op.add_column("run_sample", sa.Column("step", sa.String(), nullable=False, server_default=STEP))
    for name in ("cell_id", "subject_kind", "subject_id"):
        op.add_column("run_sample", sa.Column(name, sa.String(), nullable=True))
    for name in ("truth", "slots"):
        op.add_column("run_sample", sa.Column(name, sa.JSON(), nullable=True))
    op.alter_column("run_sample", "answer", existing_type=sa.String(), nullable=True)
    op.execute(
        "UPDATE run_sample SET cell_id = c.cell_id, subject_id = triplet_id,"
        " subject_kind = CASE WHEN triplet_id IS NULL THEN NULL ELSE 'triplet' END"
        " FROM _cell_of_sample AS c WHERE c.sample_id = run_sample.id"
    )
    op.drop_column("run_sample", "triplet_id")
    op.create_foreign_key(op.f("fk_run_sample_cell_id_run_cell"), "run_sample", "run_cell", ["cell_id"], ["id"])


def _remake_samples() -> None:
    """SQLite drops no column that has a foreign key. Items point at this table: see revision 0008 for why the rows are
    put into a new one of the same name. What lists ask of a sample stands before its long columns."""
    kept = ", ".join(KEPT)
    op.execute("PRAGMA defer_foreign_keys = ON")
    op.execute(f"CREATE TEMPORARY TABLE _before AS SELECT {kept}, answer, triplet_id FROM run_sample")  # noqa: S608 - constants
    op.drop_table("run_sample")
    op.create_table(
        "run_sample",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(), nullable=False, server_default=STEP),
        sa.Column("cell_id", sa.String(), nullable=True),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("subject_kind", sa.String(), nullable=True),
        sa.Column("subject_id", sa.String(), nullable=True),
        sa.Column("sample_hash", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=True),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("prompt_hash", sa.Text(), nullable=False),
        sa.Column("messages", sa.JSON(), nullable=False),
        sa.Column("truth", sa.JSON(), nullable=True),
        sa.Column("slots", sa.JSON(), nullable=True),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_sample_run_id_run")),
        sa.ForeignKeyConstraint(["cell_id"], ["run_cell.id"], name=op.f("fk_run_sample_cell_id_run_cell")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_sample")),
        sa.UniqueConstraint("run_id", "place", name=op.f("uq_run_sample_run_id_place")),
    )
    op.execute(
        f"INSERT INTO run_sample ({kept}, answer, step, cell_id, subject_kind, subject_id)"  # noqa: S608 - constants
        f" SELECT {kept}, answer, '{STEP}', cell_id,"
        " CASE WHEN triplet_id IS NULL THEN NULL ELSE 'triplet' END, triplet_id"
        " FROM _before JOIN _cell_of_sample ON sample_id = id ORDER BY run_id, place"
    )
    op.execute("DROP TABLE _before")


def downgrade() -> None:
    """An answer that is no label becomes an empty one, for the version before knows no other."""
    op.drop_index(op.f(INDEX), table_name="run_sample")
    if op.get_bind().dialect.name == "sqlite":
        _remake_samples_before()
    else:
        op.add_column("run_sample", sa.Column("triplet_id", sa.String(), nullable=True))
        op.execute("UPDATE run_sample SET triplet_id = subject_id WHERE subject_kind = 'triplet'")
        op.execute("UPDATE run_sample SET answer = '' WHERE answer IS NULL")
        op.alter_column("run_sample", "answer", existing_type=sa.String(), nullable=False)
        op.create_foreign_key(op.f("fk_run_sample_triplet_id_triplet"), "run_sample", "triplet", ["triplet_id"], ["id"])
        for name in ("slots", "truth", "subject_id", "subject_kind", "cell_id", "step"):
            op.drop_column("run_sample", name)
    op.drop_table("run_cell")


def _remake_samples_before() -> None:
    kept = ", ".join(KEPT)
    op.execute("PRAGMA defer_foreign_keys = ON")
    op.execute(
        f"CREATE TEMPORARY TABLE _before AS SELECT {kept}, coalesce(answer, '') AS answer,"  # noqa: S608 - constants
        " CASE WHEN subject_kind = 'triplet' THEN subject_id END AS triplet_id FROM run_sample"
    )
    op.drop_table("run_sample")
    op.create_table(
        "run_sample",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("triplet_id", sa.String(), nullable=True),
        sa.Column("sample_hash", sa.String(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("prompt_hash", sa.Text(), nullable=False),
        sa.Column("messages", sa.JSON(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_sample_run_id_run")),
        sa.ForeignKeyConstraint(["triplet_id"], ["triplet.id"], name=op.f("fk_run_sample_triplet_id_triplet")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_sample")),
        sa.UniqueConstraint("run_id", "place", name=op.f("uq_run_sample_run_id_place")),
    )
    op.execute(f"INSERT INTO run_sample ({kept}, answer, triplet_id) SELECT {kept}, answer, triplet_id FROM _before")  # noqa: S608 - constants
    op.execute("DROP TABLE _before")
