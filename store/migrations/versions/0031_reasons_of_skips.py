"""Reasons for skipping a triplet or a sheet, beside the comment that they replaced

Revision ID: 0031
Revises: 0030
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

SKIPPED = "kind IN ('scoring', 'validation', 'verdict') AND state = 'abandoned' AND expires_at IS NULL"
EVENT = sa.table("event", sa.column("seq"), sa.column("act"), sa.column("subject_id"), sa.column("payload", sa.JSON()))
ASSIGNMENT = sa.table("assignment", sa.column("id"), sa.column("comment"), sa.column("reason"))


def upgrade() -> None:
    """The comment of before is in the event of the skip, also for work that was resumed since."""
    op.execute(f"UPDATE assignment SET reason = comment, comment = '' WHERE {SKIPPED}")  # noqa: S608 - constants
    session = op.get_bind()
    events = sa.select(EVENT.c.subject_id, EVENT.c.payload).where(EVENT.c.act == "scoring.skip").order_by(EVENT.c.seq)
    reasons: dict[str, str] = {}
    comments: dict[str, str] = {}
    for subject_id, payload in session.execute(events):
        if payload["comment"] != reasons.get(subject_id):  # of a second skip it is the reason of the first
            comments[subject_id] = payload["comment"]
        reasons[subject_id] = payload["reason"]
    for subject_id, comment in comments.items():
        reason, columns = reasons[subject_id], ASSIGNMENT.c
        is_replaced = sa.or_(columns.comment == reason, sa.and_(columns.reason == reason, columns.comment == ""))
        session.execute(sa.update(ASSIGNMENT).where(columns.id == subject_id, is_replaced).values(comment=comment))


def downgrade() -> None:
    op.execute(f"UPDATE assignment SET comment = reason, reason = '' WHERE {SKIPPED}")  # noqa: S608 - constants
