"""The first tables

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


# The history is append-only in the database itself, whoever holds the connection.
SQLITE_GUARD = """
CREATE TRIGGER event_refuse_{act} BEFORE {act} ON event
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END
"""
# INSERT OR REPLACE deletes the row in its way without firing the trigger on DELETE.
SQLITE_REPLACE_GUARD = """
CREATE TRIGGER event_refuse_REPLACE BEFORE INSERT ON event
WHEN EXISTS (SELECT 1 FROM event WHERE id = NEW.id OR seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the history is append-only: an event with this id or place exists'); END
"""
POSTGRESQL_GUARD = """
CREATE FUNCTION event_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the history is append-only'; END $$;
CREATE TRIGGER event_refuse_change BEFORE UPDATE OR DELETE ON event
FOR EACH ROW EXECUTE FUNCTION event_refuse();
CREATE TRIGGER event_refuse_truncate BEFORE TRUNCATE ON event
FOR EACH STATEMENT EXECUTE FUNCTION event_refuse();
"""


def guard_history() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(SQLITE_GUARD.format(act=act))
        op.execute(SQLITE_REPLACE_GUARD)
    else:
        op.execute(POSTGRESQL_GUARD)


def upgrade() -> None:

    op.create_table(
        "derived",
        sa.Column("source_hash", sa.String(), nullable=False),
        sa.Column("producer", sa.String(), nullable=False),
        sa.Column("producer_version", sa.String(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("source_hash", "producer", "producer_version", "part", name=op.f("pk_derived")),
    )
    op.create_table(
        "document_version",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_version")),
        sa.UniqueConstraint("kind", "name", "number", name=op.f("uq_document_version_kind_name_number")),
    )
    op.create_table(
        "file",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("original_name", sa.Text(), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=False),
        sa.Column("has_text", sa.Boolean(), nullable=False),
        sa.Column("notices", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_file")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("roles", sa.JSON(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("is_demo", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("name", name=op.f("uq_person_name")),
    )
    op.create_table(
        "sign_in_attempt",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("blocked_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_sign_in_attempt")),
    )
    op.create_table(
        "study_setting",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_study_setting")),
    )
    op.create_table(
        "draft",
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_draft_person_id_person")),
        sa.PrimaryKeyConstraint("person_id", "key", name=op.f("pk_draft")),
    )
    op.create_table(
        "file_content",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["sha256"], ["file.sha256"], name=op.f("fk_file_content_sha256_file")),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_file_content")),
    )
    op.create_table(
        "invitation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("roles", sa.JSON(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=True),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('invite', 'reset')", name=op.f("ck_invitation_kind")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_invitation_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitation_token_hash")),
    )
    op.create_table(
        "paper",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("authors", sa.JSON(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("doi", sa.String(), nullable=False),
        sa.Column("publication_date", sa.String(), nullable=False),
        sa.Column("abstract", sa.Text(), nullable=False),
        sa.Column("domains", sa.JSON(), nullable=False),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.Column("file_sha256", sa.String(), nullable=True),
        sa.Column("screening", sa.String(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("automatic", sa.JSON(), nullable=False),
        sa.Column("screening_note", sa.Text(), nullable=False),
        sa.Column("screened_by", sa.String(), nullable=True),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("screening IN ('open', 'included', 'excluded')", name=op.f("ck_paper_screening")),
        sa.ForeignKeyConstraint(["file_sha256"], ["file.sha256"], name=op.f("fk_paper_file_sha256_file")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_paper")),
    )
    with op.batch_alter_table("paper", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_paper_doi"), ["doi"], unique=False)
        batch_op.create_index(batch_op.f("ix_paper_file_sha256"), ["file_sha256"], unique=False)

    op.create_table(
        "session",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("csrf", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("acting_person_id", sa.String(), nullable=True),
        sa.Column("is_local", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["acting_person_id"], ["person.id"], name=op.f("fk_session_acting_person_id_person")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_session_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_session_token_hash")),
    )
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_session_person_id"), ["person_id"], unique=False)

    op.create_table(
        "figure",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("paper_id", sa.String(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("x0", sa.Float(), nullable=False),
        sa.Column("y0", sa.Float(), nullable=False),
        sa.Column("x1", sa.Float(), nullable=False),
        sa.Column("y1", sa.Float(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("caption", sa.Text(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["paper_id"], ["paper.id"], name=op.f("fk_figure_paper_id_paper")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_figure")),
    )
    with op.batch_alter_table("figure", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_figure_paper_id"), ["paper_id"], unique=False)

    op.create_table(
        "graph",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("figure_id", sa.String(), nullable=True),
        sa.Column("paper_id", sa.String(), nullable=True),
        sa.Column("based_on", sa.String(), nullable=True),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("layout", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('transcription', 'ground truth', 'prediction', 'import', 'generated')", name=op.f("ck_graph_kind")
        ),
        sa.ForeignKeyConstraint(["based_on"], ["graph.id"], name=op.f("fk_graph_based_on_graph")),
        sa.ForeignKeyConstraint(["figure_id"], ["figure.id"], name=op.f("fk_graph_figure_id_figure")),
        sa.ForeignKeyConstraint(["paper_id"], ["paper.id"], name=op.f("fk_graph_paper_id_paper")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_graph")),
    )
    with op.batch_alter_table("graph", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_graph_figure_id"), ["figure_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_graph_paper_id"), ["paper_id"], unique=False)

    op.create_table(
        "assignment",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("graph_id", sa.String(), nullable=True),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "state IN ('open', 'submitted', 'returned', 'accepted', 'abandoned')", name=op.f("ck_assignment_state")
        ),
        sa.ForeignKeyConstraint(["graph_id"], ["graph.id"], name=op.f("fk_assignment_graph_id_graph")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_assignment_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint("kind", "subject_id", "person_id", name=op.f("uq_assignment_kind_subject_id_person_id")),
    )
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_assignment_graph_id"), ["graph_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_assignment_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_assignment_subject_id"), ["subject_id"], unique=False)

    op.create_table(
        "event",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("on_behalf_of", sa.String(), nullable=True),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("subject_kind", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("graph_id", sa.Text(), nullable=True),
        sa.Column("undoes", sa.BigInteger(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["graph_id"], ["graph.id"], name=op.f("fk_event_graph_id_graph")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_event")),
        sa.UniqueConstraint("id", name=op.f("uq_event_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_event_actor"), ["actor"], unique=False)
        batch_op.create_index(batch_op.f("ix_event_graph_id_seq"), ["graph_id", "seq"], unique=False)
        batch_op.create_index(batch_op.f("ix_event_subject_id"), ["subject_id"], unique=False)

    op.create_table(
        "node",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("graph_id", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("x", sa.Float(), nullable=True),
        sa.Column("y", sa.Float(), nullable=True),
        sa.Column("box", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["graph_id"], ["graph.id"], name=op.f("fk_node_graph_id_graph")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_node")),
        sa.UniqueConstraint("graph_id", "name", name=op.f("uq_node_graph_id_name")),
    )
    op.create_table(
        "edge",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("graph_id", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("sink_id", sa.String(), nullable=False),
        sa.Column("sign", sa.String(), nullable=True),
        sa.Column("delay", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("flag", sa.String(), nullable=True),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("box", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "flag IN ('ambiguous arrow', 'illegible label', 'arrow without head', 'not causal')",
            name=op.f("ck_edge_flag"),
        ),
        sa.CheckConstraint("sign IN ('+', '-')", name=op.f("ck_edge_sign")),
        sa.ForeignKeyConstraint(["graph_id"], ["graph.id"], name=op.f("fk_edge_graph_id_graph")),
        sa.ForeignKeyConstraint(["sink_id"], ["node.id"], name=op.f("fk_edge_sink_id_node")),
        sa.ForeignKeyConstraint(["source_id"], ["node.id"], name=op.f("fk_edge_source_id_node")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_edge")),
    )
    with op.batch_alter_table("edge", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_edge_graph_id"), ["graph_id"], unique=False)
    guard_history()


def downgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION event_refuse() CASCADE")
    with op.batch_alter_table("edge", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_edge_graph_id"))

    op.drop_table("edge")
    op.drop_table("node")
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_event_subject_id"))
        batch_op.drop_index(batch_op.f("ix_event_graph_id_seq"))
        batch_op.drop_index(batch_op.f("ix_event_actor"))

    op.drop_table("event")
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_assignment_subject_id"))
        batch_op.drop_index(batch_op.f("ix_assignment_person_id"))
        batch_op.drop_index(batch_op.f("ix_assignment_graph_id"))

    op.drop_table("assignment")
    with op.batch_alter_table("graph", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_graph_paper_id"))
        batch_op.drop_index(batch_op.f("ix_graph_figure_id"))

    op.drop_table("graph")
    with op.batch_alter_table("figure", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_figure_paper_id"))

    op.drop_table("figure")
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_session_person_id"))

    op.drop_table("session")
    with op.batch_alter_table("paper", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_paper_file_sha256"))
        batch_op.drop_index(batch_op.f("ix_paper_doi"))

    op.drop_table("paper")
    op.drop_table("invitation")
    op.drop_table("file_content")
    op.drop_table("draft")
    op.drop_table("study_setting")
    op.drop_table("sign_in_attempt")
    op.drop_table("person")
    op.drop_table("file")
    op.drop_table("document_version")
    op.drop_table("derived")
