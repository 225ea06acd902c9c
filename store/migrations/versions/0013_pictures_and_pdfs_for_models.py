"""What a model card says of pictures and PDFs: whether the model takes them, and what they cost in tokens

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

COLUMNS = {
    "takes_images": sa.Boolean,
    "takes_pdfs": sa.Boolean,
    "tokens_per_image": sa.Integer,
    "tokens_per_page": sa.Integer,
}


def upgrade() -> None:
    """Nothing is known of the cards that there are."""
    for name, kind in COLUMNS.items():
        op.add_column("model_card", sa.Column(name, kind(), nullable=True))


def downgrade() -> None:
    for name in reversed(COLUMNS):
        op.drop_column("model_card", name)
