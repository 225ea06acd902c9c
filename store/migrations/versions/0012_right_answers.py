"""What an answer is worth stands beside it: its score, whether it is right, and the parts that these are made of

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run_item", sa.Column("score", sa.Float(), nullable=True))
    op.add_column("run_item", sa.Column("is_right", sa.Boolean(), nullable=True))
    op.add_column("run_item", sa.Column("parts", sa.JSON(none_as_null=True), nullable=True))
    _fill()


def _fill() -> None:
    """Until now an answer was right if it was its sample's label, and wrong if it was another or none at all."""
    names = ("sample_id", "status", "predicted")
    item = sa.table("run_item", *(sa.column(name, sa.String()) for name in names), sa.column("is_right", sa.Boolean()))
    sample = sa.table("run_sample", sa.column("id", sa.String()), sa.column("answer", sa.String()))
    answer = sa.select(sample.c.answer).where(sample.c.id == item.c.sample_id).scalar_subquery()
    is_right = sa.and_(item.c.status == "answered", sa.func.coalesce(item.c.predicted == answer, sa.false()))
    op.execute(sa.update(item).where(item.c.status.in_(("answered", "unparsable"))).values(is_right=is_right))


def downgrade() -> None:
    for name in ("parts", "is_right", "score"):
        op.drop_column("run_item", name)
