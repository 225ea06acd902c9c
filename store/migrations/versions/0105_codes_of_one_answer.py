"""The answer and the list that codes are of: an item that is asked again has another answer

Revision ID: 0105
Revises: 0104
"""

import sqlalchemy as sa
from alembic import op

revision = "0105"
down_revision = "0104"

CODES = sa.table("answer_codes", sa.column("item_id"), sa.column("list_id"), sa.column("is_ruling", sa.Boolean))
LISTS = sa.table("coding_list", sa.column("id"), sa.column("items", sa.JSON), sa.column("withdrawn_at"))


def upgrade() -> None:
    with op.batch_alter_table("answer_codes") as table:
        table.add_column(sa.Column("list_id", sa.String(), nullable=True))
        table.add_column(sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True))
        table.create_foreign_key("fk_answer_codes_list_id_coding_list", "coding_list", ["list_id"], ["id"])
    op.execute(
        "UPDATE answer_codes SET answered_at = "
        "(SELECT run_item.done_at FROM run_item WHERE run_item.id = answer_codes.item_id)"
    )
    in_use = sa.select(LISTS.c.id, LISTS.c["items"]).where(LISTS.c.withdrawn_at.is_(None))
    for list_id, items in op.get_bind().execute(in_use).all():
        in_list = CODES.c.item_id.in_(items), CODES.c.is_ruling.is_(sa.false())
        op.execute(sa.update(CODES).where(*in_list).values(list_id=list_id))
