"""Abstracts of the papers that triplets come from

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

HEADINGS = ("abstract", "paper_abstract")


def upgrade() -> None:
    op.add_column("triplet_paper", sa.Column("abstract", sa.Text(), nullable=False, server_default=""))
    _fill()


def _fill() -> None:
    """Files that were imported before kept the column beside each triplet, where it stays, so that an export gives
    back every cell; a paper gets what its first row says."""
    bind = op.get_bind()
    triplet = sa.table(
        "triplet",
        sa.column("collection"),
        sa.column("place"),
        sa.column("triplet_paper_id"),
        sa.column("details", sa.JSON()),
    )
    papers = sa.table("triplet_paper", sa.column("id"), sa.column("abstract"))
    said = sa.select(triplet.c.triplet_paper_id, triplet.c.details).where(
        sa.func.lower(sa.cast(triplet.c.details, sa.Text())).like("%abstract%")
    )
    found: dict[str, str] = {}
    for paper_id, details in bind.execute(said.order_by(triplet.c.collection, triplet.c.place)):
        cells = {heading.strip().casefold(): cell for heading, cell in details.items()}
        text = next((cells[name] for name in HEADINGS if isinstance(cells.get(name), str)), "")
        if text:
            found.setdefault(paper_id, text)
    for paper_id, text in found.items():
        bind.execute(sa.update(papers).where(papers.c.id == paper_id).values(abstract=text))


def downgrade() -> None:
    op.drop_column("triplet_paper", "abstract")
