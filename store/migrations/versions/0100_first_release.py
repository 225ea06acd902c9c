"""First release: every table of a study, and the triggers that keep its history, releases and rulings unchanged

Revision ID: 0100
Revises:
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0100"
down_revision = None

MOMENT = sa.DateTime(timezone=True)
ITEM_STATUSES = (
    "status IN ('pending', 'answered', 'unparsable', 'truncated', 'incomplete', 'refused', 'excluded', 'failed')"
)
MARK_KINDS = (
    "kind IN ('swept', 'not a variable', 'distinct', 'same', 'as printed', 'proposal', 'on print', 'not an edge', "
    "'late voice', 'joined')"
)
# Rows of these tables cannot be changed over any connection: (table, reason, the row that an insert repeats).
UNCHANGING = (
    ("event", "the history is append-only", "id = NEW.id OR seq = NEW.seq"),
    ("release", "a release is frozen", "id = NEW.id OR number = NEW.number"),
    ("release_item", "a release is frozen", "release_id = NEW.release_id AND figure_id = NEW.figure_id"),
    ("verdict_override", "overrides of verdicts are append-only", "id = NEW.id"),
)


def _columns(kind: Any, *names: str, nullable: bool = False, **options: Any) -> list[sa.Column[Any]]:
    """Consecutive columns of one type."""
    return [sa.Column(name, kind, nullable=nullable, **options) for name in names]


def upgrade() -> None:
    op.create_table(
        "derived",
        *_columns(sa.String(), "source_hash", "producer", "producer_version", "part", primary_key=True),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
    )
    op.create_table(
        "document_version",
        sa.Column("id", sa.String(), primary_key=True),
        *_columns(sa.String(), "kind", "name"),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.UniqueConstraint("kind", "name", "number"),
    )
    op.create_table(
        "endpoint",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("base_url", sa.String(), nullable=False),
        sa.Column("key_variable", sa.Text(), nullable=False),
        *_columns(sa.Integer(), "requests_per_minute", "tokens_per_minute", nullable=True),
        sa.Column("concurrency", sa.Integer(), nullable=False),
        sa.Column("deadline_s", sa.Float(), nullable=False),
        sa.Column("most_bytes", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("archived_at", MOMENT),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "erasure",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        *_columns(sa.Integer(), "people", "rows"),
        sa.Column("details", sa.JSON(), nullable=False),
    )
    op.create_table(
        "file",
        sa.Column("sha256", sa.String(), primary_key=True),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("original_name", sa.Text(), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=False),
        sa.Column("has_text", sa.Boolean(), nullable=False),
        sa.Column("notices", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("name", sa.Text(), unique=True, nullable=False),
        sa.Column("password_hash", sa.Text()),
        sa.Column("roles", sa.JSON(), nullable=False),
        *_columns(sa.Boolean(), "is_active", "is_demo"),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "queue_entry",
        *_columns(sa.String(), "kind", "subject_id", primary_key=True),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer()),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "release",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), unique=True, nullable=False),
        *_columns(sa.Text(), "title", "notes", "licence"),
        sa.Column("manifest", sa.JSON(), nullable=False),
        *_columns(sa.String(), "sha256", "created_by"),
        sa.Column("created_at", MOMENT, nullable=False),
    )
    op.create_table(
        "reply",
        sa.Column("request_hash", sa.String(), primary_key=True),
        sa.Column("request", sa.JSON(), nullable=False),
        *_columns(sa.String(), "attempt_id", "endpoint", "model"),
        sa.Column("raw", sa.Text(), nullable=False),
        *_columns(sa.Text(), "text", "reasoning", "refusal", nullable=True),
        sa.Column("finish_reason", sa.Text(), nullable=False),
        sa.Column("logprobs", sa.JSON(none_as_null=True)),
        *_columns(sa.Integer(), "tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning", nullable=True),
        sa.Column("cost_usd", sa.Float()),
        sa.Column("latency_s", sa.Float(), nullable=False),
        *_columns(sa.Text(), "provider_model", "provider_id"),
        sa.Column("received_at", MOMENT, nullable=False),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), unique=True, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        *_columns(sa.String(), "protocol", "protocol_version", "state"),
        sa.Column("reason", sa.Text(), nullable=False),
        *_columns(sa.JSON(), "hindered", "settings", "manifest"),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        *_columns(MOMENT, "started_at", "finished_at", "archived_at", nullable=True),
        sa.Column("based_on", sa.String(), sa.ForeignKey("run.id")),
        sa.Column("next_place", sa.Integer()),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'waiting', 'paused', 'stopped', 'done', 'cancelled')", name="state"
        ),
    )
    op.create_table(
        "run_text",
        sa.Column("hash", sa.String(), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_table(
        "sample_table",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        *_columns(sa.Text(), "title", "licence", "file"),
        sa.Column("row_count", sa.Integer(), nullable=False),
        *_columns(sa.JSON(), "columns", "about"),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("archived_at", MOMENT),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('default')", name="kind"),
    )
    op.create_table(
        "sign_in_attempt",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", MOMENT, nullable=False),
        sa.Column("blocked_until", MOMENT),
    )
    op.create_table(
        "study_setting",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "unfinished_import",
        sa.Column("id", sa.String(), primary_key=True),
        *_columns(sa.String(), "kind", "parent_id"),
        sa.CheckConstraint("kind IN ('samples', 'triplets')", name="kind"),
    )
    op.create_table(
        "verdict_counterpart",
        sa.Column("answer", sa.Text(), primary_key=True),
        sa.Column("by", sa.String(), primary_key=True),
        *_columns(sa.Text(), "truth_node", "answer_node", primary_key=True),
        sa.Column("set_at", MOMENT, nullable=False),
    )
    op.create_table(
        "worker",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        *_columns(MOMENT, "started_at", "seen_at"),
        sa.Column("stopped_at", MOMENT),
    )
    op.create_table(
        "draft",
        sa.Column("person_id", sa.String(), sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("saved_at", MOMENT, nullable=False),
    )
    op.create_table(
        "expertise",
        sa.Column("person_id", sa.String(), sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("letters", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "file_content",
        sa.Column("sha256", sa.String(), sa.ForeignKey("file.sha256"), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "invitation",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("token_hash", sa.String(), unique=True, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("roles", sa.JSON(), nullable=False),
        sa.Column("person_id", sa.String(), sa.ForeignKey("person.id")),
        sa.Column("created_by", sa.String(), nullable=False),
        *_columns(MOMENT, "created_at", "expires_at"),
        sa.Column("used_at", MOMENT),
        sa.CheckConstraint("kind IN ('invite', 'reset')", name="kind"),
    )
    op.create_table(
        "milestone",
        sa.Column("person_id", sa.String(), sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("what", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("set_at", MOMENT, nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.CheckConstraint("what IN ('training', 'guidelines')", name="what"),
    )
    op.create_table(
        "model_card",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), unique=True, nullable=False),
        sa.Column("endpoint", sa.String(), sa.ForeignKey("endpoint.name")),
        *_columns(sa.Text(), "model", "provider", "family"),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("parameters_b", sa.Float()),
        sa.Column("is_open_weight", sa.Boolean()),
        sa.Column("knowledge_cutoff", sa.String()),
        sa.Column("context_length", sa.Integer()),
        *_columns(sa.Boolean(), "takes_images", "takes_pdfs", nullable=True),
        *_columns(sa.Integer(), "tokens_per_image", "tokens_per_page", nullable=True),
        *_columns(sa.Float(), "price_input", "price_cached", "price_output", nullable=True),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("archived_at", MOMENT),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('reasoning', 'instruct', 'baseline', 'human')", name="kind"),
    )
    op.create_table(
        "paper",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("authors", sa.JSON(), nullable=False),
        *_columns(sa.Text(), "source", "url"),
        sa.Column("doi", sa.String(), index=True, nullable=False),
        sa.Column("publication_date", sa.String(), nullable=False),
        sa.Column("abstract", sa.Text(), nullable=False),
        sa.Column("domains", sa.JSON(), nullable=False),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.Column("file_sha256", sa.String(), sa.ForeignKey("file.sha256"), index=True),
        sa.Column("screening", sa.String(), nullable=False),
        *_columns(sa.JSON(), "reasons", "automatic"),
        sa.Column("screening_note", sa.Text(), nullable=False),
        sa.Column("screened_by", sa.String()),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("archived_at", MOMENT),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("screening IN ('open', 'included', 'excluded')", name="screening"),
    )
    op.create_table(
        "question_set",
        sa.Column("id", sa.String(), sa.ForeignKey("file.sha256"), primary_key=True),
        sa.Column("number", sa.Integer(), unique=True, nullable=False),
        *_columns(sa.Text(), "title", "licence"),
        sa.Column("question_count", sa.Integer(), nullable=False),
        sa.Column("about", sa.JSON(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("archived_at", MOMENT),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "release_item",
        sa.Column("release_id", sa.String(), sa.ForeignKey("release.id"), primary_key=True),
        sa.Column("figure_id", sa.String(), primary_key=True),
        *_columns(sa.String(), "paper_id", "graph_id"),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
    )
    op.create_table(
        "run_cell",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("run_id", sa.String(), sa.ForeignKey("run.id"), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.UniqueConstraint("run_id", "hash"),
    )
    op.create_table(
        "run_group",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("run_id", sa.String(), sa.ForeignKey("run.id"), nullable=False),
        *_columns(sa.String(), "step", "key", "state"),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("inputs_hash", sa.String(), nullable=False),
        sa.Column("ended_at", MOMENT),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("state IN ('waiting', 'open', 'done', 'blocked', 'deciding')", name="state"),
        sa.UniqueConstraint("run_id", "step", "key"),
    )
    op.create_index("ix_run_group_run_id_state", "run_group", ["run_id", "state"])
    op.create_table(
        "sample_row",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("table_id", sa.String(), sa.ForeignKey("sample_table.id"), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("text_hash", sa.String(), sa.ForeignKey("run_text.hash")),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.UniqueConstraint("table_id", "external_id"),
    )
    op.create_index("ix_sample_row_table_id_place", "sample_row", ["table_id", "place"], unique=True)
    op.create_table(
        "session",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("token_hash", sa.String(), unique=True, nullable=False),
        sa.Column("csrf", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), sa.ForeignKey("person.id"), index=True, nullable=False),
        sa.Column("acting_person_id", sa.String(), sa.ForeignKey("person.id")),
        sa.Column("is_local", sa.Boolean(), nullable=False),
        *_columns(MOMENT, "created_at", "seen_at", "expires_at"),
        sa.Column("ended_at", MOMENT),
    )
    op.create_table(
        "figure",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("paper_id", sa.String(), sa.ForeignKey("paper.id"), index=True, nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        *_columns(sa.Float(), "x0", "y0", "x1", "y1"),
        *_columns(sa.Text(), "place", "label", "caption"),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("archived_at", MOMENT),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "run_made",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("group_id", sa.String(), sa.ForeignKey("run_group.id"), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        *_columns(sa.JSON(), "flags", "rests_on"),
        sa.Column("ruling", sa.JSON(none_as_null=True)),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.UniqueConstraint("group_id", "place"),
    )
    op.create_table(
        "run_sample",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("run_id", sa.String(), sa.ForeignKey("run.id"), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("cell_id", sa.String(), sa.ForeignKey("run_cell.id")),
        *_columns(sa.String(), "task", "variant", "key"),
        *_columns(sa.String(), "subject_kind", "subject_id", nullable=True),
        sa.Column("sample_hash", sa.String(), nullable=False),
        *_columns(sa.Text(), "prompt", "prompt_hash"),
        sa.Column("messages", sa.JSON(), nullable=False),
        sa.Column("answer", sa.String()),
        *_columns(sa.JSON(none_as_null=True), "truth", "slots", nullable=True),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("group_id", sa.String(), sa.ForeignKey("run_group.id")),
        sa.UniqueConstraint("run_id", "place"),
    )
    op.create_index(
        "ix_run_sample_cell_id_task_variant_answer_id", "run_sample", ["cell_id", "task", "variant", "answer", "id"]
    )
    op.create_index(
        "ix_run_sample_group_id",
        "run_sample",
        ["group_id"],
        sqlite_where=sa.text("group_id IS NOT NULL"),
        postgresql_where=sa.text("group_id IS NOT NULL"),
    )
    op.create_index(
        "ix_run_sample_subject_id",
        "run_sample",
        ["subject_id"],
        sqlite_where=sa.text("subject_kind = 'figure'"),
        postgresql_where=sa.text("subject_kind = 'figure'"),
    )
    op.create_table(
        "triplet_paper",
        sa.Column("id", sa.String(), primary_key=True),
        *_columns(sa.String(), "collection", "external_id"),
        *_columns(sa.Text(), "title", "author"),
        sa.Column("year", sa.Integer(), index=True),
        *_columns(sa.Text(), "venue", "domain"),
        sa.Column("jel_codes", sa.Text()),
        sa.Column("jel_letters", sa.JSON(), nullable=False),
        *_columns(sa.Text(), "url", "abstract"),
        sa.Column("paper_id", sa.String(), sa.ForeignKey("paper.id"), index=True),
        sa.UniqueConstraint("collection", "external_id"),
    )
    op.create_table(
        "graph",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), index=True, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("figure_id", sa.String(), sa.ForeignKey("figure.id"), index=True),
        sa.Column("paper_id", sa.String(), sa.ForeignKey("paper.id"), index=True),
        sa.Column("based_on", sa.String(), sa.ForeignKey("graph.id")),
        sa.Column("is_first", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("archived_at", MOMENT),
        sa.Column("layout", sa.JSON(), nullable=False),
        *_columns(sa.Integer(), "undo_depth", "redo_depth", "version"),
        sa.CheckConstraint(
            "kind IN ('transcription', 'ground truth', 'prediction', 'import', 'generated')", name="kind"
        ),
    )
    op.create_index(
        "ix_graph_first",
        "graph",
        ["based_on"],
        unique=True,
        sqlite_where=sa.text("is_first"),
        postgresql_where=sa.text("is_first"),
    )
    op.create_table(
        "node_level",
        sa.Column("text_sha256", sa.String(), primary_key=True),
        sa.Column("figure_id", sa.String(), sa.ForeignKey("figure.id"), primary_key=True),
        sa.Column("rater", sa.String(), primary_key=True),
        sa.Column("node", sa.Text(), primary_key=True),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("set_at", MOMENT, nullable=False),
        sa.CheckConstraint("level IN (1, 2, 3)", name="level"),
    )
    op.create_table(
        "paper_text",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("figure_id", sa.String(), sa.ForeignKey("figure.id"), index=True, nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("based_on", sa.String(), sa.ForeignKey("paper_text.id")),
        sa.Column("content", sa.Text(), nullable=False),
        *_columns(sa.String(), "sha256", "before_sha256", index=True),
        sa.Column("producer", sa.String(), nullable=False),
        sa.Column("file_sha256", sa.String(), sa.ForeignKey("file.sha256"), nullable=False),
        sa.Column("unseen", sa.Integer(), nullable=False),
        sa.Column("truth_sha256", sa.String()),
        *_columns(sa.JSON(), "truth", "guards"),
        *_columns(sa.String(), "state", "created_by"),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("stage IN ('raw', 'markdown', 'normalised')", name="stage"),
        sa.CheckConstraint("state IN ('draft', 'refused', 'ready', 'unfinished')", name="state"),
    )
    op.create_table(
        "region_decision",
        sa.Column("file_sha256", sa.String(), sa.ForeignKey("file.sha256"), primary_key=True),
        sa.Column("part", sa.String(), primary_key=True),
        sa.Column("page", sa.Integer(), nullable=False),
        *_columns(sa.Float(), "x0", "y0", "x1", "y1"),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("figure_id", sa.String(), sa.ForeignKey("figure.id")),
        sa.Column("decided_by", sa.String(), nullable=False),
        sa.Column("decided_at", MOMENT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("decision IN ('waiting', 'located', 'left out')", name="decision"),
    )
    op.create_table(
        "run_item",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("run_id", sa.String(), sa.ForeignKey("run.id"), nullable=False),
        sa.Column("sample_id", sa.String(), sa.ForeignKey("run_sample.id"), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        *_columns(sa.Integer(), "repeat", "shard"),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("request_hash", sa.String(), index=True),
        sa.Column("predicted", sa.String()),
        *_columns(sa.Text(), "rung", "fault"),
        sa.Column("parsed", sa.JSON(none_as_null=True)),
        sa.Column("repaired", sa.Text()),
        sa.Column("probabilities", sa.JSON(none_as_null=True)),
        sa.Column("score", sa.Float()),
        sa.Column("is_right", sa.Boolean()),
        *_columns(sa.JSON(none_as_null=True), "parts", "flags", nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("was_cached", sa.Boolean(), nullable=False),
        sa.Column("done_at", MOMENT),
        sa.CheckConstraint(ITEM_STATUSES, name="status"),
        sa.UniqueConstraint("sample_id", "model", "repeat"),
    )
    op.create_index("ix_run_item_run_id_shard", "run_item", ["run_id", "shard"])
    op.create_index(
        "ix_run_item_run_id_status_is_right_predicted", "run_item", ["run_id", "status", "is_right", "predicted"]
    )
    op.create_table(
        "triplet",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("collection", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("triplet_paper_id", sa.String(), sa.ForeignKey("triplet_paper.id"), index=True, nullable=False),
        *_columns(sa.Text(), "treatment", "outcome"),
        sa.Column("sign", sa.String(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("methods", sa.JSON(none_as_null=True)),
        *_columns(sa.JSON(), "evidence", "details"),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("archived_at", MOMENT),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(), sa.ForeignKey("run.id"), index=True),
        sa.Column("made_id", sa.String(), sa.ForeignKey("run_made.id")),
        sa.CheckConstraint("sign IN ('+', '-', 'None', 'mixed')", name="sign"),
    )
    op.create_index("ix_triplet_collection_place", "triplet", ["collection", "place"])
    op.create_table(
        "alignment",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("reference_id", sa.String(), sa.ForeignKey("graph.id"), nullable=False),
        sa.Column("candidate_id", sa.String(), sa.ForeignKey("graph.id"), nullable=False),
        *_columns(sa.JSON(), "pairs", "classes"),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.UniqueConstraint("reference_id", "candidate_id"),
    )
    op.create_table(
        "assignment",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), index=True, nullable=False),
        sa.Column("person_id", sa.String(), sa.ForeignKey("person.id"), index=True, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("graph_id", sa.String(), sa.ForeignKey("graph.id"), index=True),
        *_columns(sa.Text(), "proposals", "comment"),
        sa.Column("verdict", sa.String()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("claimed_at", MOMENT, nullable=False),
        *_columns(
            MOMENT,
            "expires_at",
            "submitted_at",
            "seen_at",
            "late_opened_at",
            "late_closed_at",
            nullable=True,
        ),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "state IN ('open', 'submitted', 'returned', 'accepted', 'abandoned', 'declined')", name="state"
        ),
        sa.CheckConstraint(
            "verdict IN ('not a causal diagram', 'illegible', 'part of another figure')", name="verdict"
        ),
        sa.UniqueConstraint("kind", "subject_id", "person_id"),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("run_id", sa.String(), sa.ForeignKey("run.id"), nullable=False),
        sa.Column("item_id", sa.String(), sa.ForeignKey("run_item.id"), index=True, nullable=False),
        sa.Column("request_hash", sa.String(), index=True, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        *_columns(sa.String(), "endpoint", "model"),
        sa.Column("worker_id", sa.Text(), sa.ForeignKey("worker.id"), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("http_status", sa.Integer()),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("raw", sa.Text()),
        sa.Column("retry_after_s", sa.Float()),
        *_columns(sa.Integer(), "tokens_in", "tokens_out", nullable=True),
        sa.Column("cost_usd", sa.Float()),
        sa.Column("most_tokens", sa.Integer(), nullable=False),
        sa.Column("most_usd", sa.Float()),
        sa.Column("sent_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT),
        sa.CheckConstraint("state IN ('sent', 'unsent', 'answered', 'error', 'uncertain')", name="state"),
    )
    op.create_index("ix_attempt_run_id_state", "attempt", ["run_id", "state"])
    op.create_table(
        "critic_score",
        sa.Column("triplet_id", sa.String(), sa.ForeignKey("triplet.id"), primary_key=True),
        *_columns(sa.String(), "critic", "criterion", primary_key=True),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("is_synthetic", sa.Boolean(), nullable=False),
        sa.Column("item_id", sa.String(), sa.ForeignKey("run_item.id")),
    )
    op.create_table(
        "event",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, primary_key=True),
        sa.Column("id", sa.String(), unique=True, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("actor", sa.String(), index=True, nullable=False),
        sa.Column("on_behalf_of", sa.String()),
        *_columns(sa.String(), "act", "subject_kind"),
        sa.Column("subject_id", sa.String(), index=True, nullable=False),
        sa.Column("graph_id", sa.Text(), sa.ForeignKey("graph.id")),
        sa.Column("undoes", sa.BigInteger()),
        sa.Column("payload", sa.JSON(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_event_graph_id_seq", "event", ["graph_id", "seq"])
    op.create_index(
        "ix_event_look",
        "event",
        ["subject_id", "act"],
        sqlite_where=sa.text("act LIKE '%.look'"),
        postgresql_where=sa.text("act LIKE '%.look'"),
    )
    op.create_table(
        "mark",
        sa.Column("graph_id", sa.String(), sa.ForeignKey("graph.id"), primary_key=True),
        *_columns(sa.String(), "kind", "key", primary_key=True),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("set_at", MOMENT, nullable=False),
        sa.CheckConstraint(MARK_KINDS, name="kind"),
    )
    op.create_table(
        "node",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("graph_id", sa.String(), sa.ForeignKey("graph.id"), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        *_columns(sa.Float(), "confidence", "x", "y", nullable=True),
        sa.Column("box", sa.JSON(none_as_null=True)),
        sa.Column("name_key", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("graph_id", "name"),
    )
    op.create_index("ix_node_name_key", "node", ["name_key", "graph_id"])
    op.create_table(
        "paper_text_change",
        sa.Column("text_id", sa.String(), sa.ForeignKey("paper_text.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        *_columns(sa.Integer(), "start", "end"),
        *_columns(sa.Text(), "was", "replacement"),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("page", sa.Integer()),
        sa.Column("flagged", sa.JSON(), nullable=False),
        sa.Column("is_rejected", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("ruled_by", sa.String(), nullable=False),
    )
    op.create_table(
        "run_round",
        sa.Column("item_id", sa.String(), sa.ForeignKey("run_item.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("request_hash", sa.String(), index=True, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.CheckConstraint(ITEM_STATUSES, name="status"),
    )
    op.create_table(
        "verdict_reviewed",
        sa.Column("item_id", sa.String(), sa.ForeignKey("run_item.id"), primary_key=True),
        sa.Column("run_id", sa.String(), sa.ForeignKey("run.id"), index=True, nullable=False),
        sa.Column("tally", sa.JSON(), nullable=False),
        sa.Column("score", sa.Float()),
        sa.Column("version", sa.Integer(), nullable=False),
    )
    op.create_table(
        "verdict_sheet",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("run_id", sa.String(), sa.ForeignKey("run.id"), index=True, nullable=False),
        sa.Column("item_id", sa.String(), sa.ForeignKey("run_item.id"), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("section", sa.String(), nullable=False),
        *_columns(sa.JSON(), "numbers", "weights"),
        sa.Column("drawn_by", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer()),
        *_columns(sa.Integer(), "place", "size"),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint("drawn_by IN ('random', 'stratified', 'disagreement', 'chosen')", name="drawn_by"),
        sa.CheckConstraint(
            "section IN ('node_precision', 'node_recall', 'edge_precision', 'edge_recall')", name="section"
        ),
    )
    op.create_index("ix_verdict_sheet_item_id_drawn_by", "verdict_sheet", ["item_id", "drawn_by"])
    op.create_table(
        "edge",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("graph_id", sa.String(), sa.ForeignKey("graph.id"), index=True, nullable=False),
        sa.Column("source_id", sa.String(), sa.ForeignKey("node.id"), nullable=False),
        sa.Column("sink_id", sa.String(), sa.ForeignKey("node.id"), nullable=False),
        sa.Column("sign", sa.String()),
        sa.Column("delay", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("flag", sa.String()),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("confidence", sa.Float()),
        sa.Column("box", sa.JSON(none_as_null=True)),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "flag IN ('ambiguous arrow', 'illegible label', 'arrow without head', 'not causal')", name="flag"
        ),
        sa.CheckConstraint("sign IN ('+', '-')", name="sign"),
    )
    op.create_table(
        "effort",
        sa.Column("assignment_id", sa.String(), sa.ForeignKey("assignment.id"), primary_key=True),
        sa.Column("day", sa.String(), primary_key=True),
        sa.Column("active_s", sa.Float(), nullable=False),
        sa.Column("last_at", MOMENT, nullable=False),
        sa.Column("beats", sa.JSON(), nullable=False),
    )
    op.create_table(
        "expert_score",
        sa.Column("assignment_id", sa.String(), sa.ForeignKey("assignment.id"), primary_key=True),
        sa.Column("criterion", sa.String(), primary_key=True),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("set_at", MOMENT, nullable=False),
    )
    op.create_table(
        "person_label",
        sa.Column("assignment_id", sa.String(), sa.ForeignKey("assignment.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        *_columns(sa.String(), "block", "field", primary_key=True),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("saw_verdict", sa.Boolean(), nullable=False),
        sa.Column("set_at", MOMENT, nullable=False),
        sa.Column("compared_at", MOMENT),
        sa.Column("wording", sa.Integer(), nullable=False),
        sa.CheckConstraint("block IN ('graph', 'text', 'item')", name="block"),
    )
    op.create_table(
        "ruling",
        sa.Column("assignment_id", sa.String(), sa.ForeignKey("assignment.id"), primary_key=True),
        sa.Column("round", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        *_columns(sa.String(), "kind", "choice"),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("is_gap", sa.Boolean(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("ruled_by", sa.String(), nullable=False),
        sa.Column("ruled_at", MOMENT, nullable=False),
    )
    op.create_table(
        "verdict_override",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("item_id", sa.String(), sa.ForeignKey("run_item.id"), nullable=False),
        sa.Column("assignment_id", sa.String(), sa.ForeignKey("assignment.id"), index=True),
        sa.Column("number", sa.Integer(), nullable=False),
        *_columns(sa.Text(), "block", "field"),
        sa.Column("ruling", sa.String(), nullable=False),
        *_columns(sa.Text(), "before", "after", "reason", "note"),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("ruling IN ('override', 'conceded', 'both', 'flagged', 'taken back')", name="ruling"),
    )
    op.create_index("ix_verdict_override_item_id_number", "verdict_override", ["item_id", "number"])
    if op.get_bind().dialect.name == "sqlite":
        _refuse_changes_on_sqlite()
    else:
        _refuse_changes_on_postgresql()


def _refuse_changes_on_sqlite() -> None:
    for table, reason, same in UNCHANGING:
        refuse = f"BEGIN SELECT RAISE(ABORT, '{reason}'); END"
        for act in ("UPDATE", "DELETE"):
            op.execute(f"CREATE TRIGGER {table}_refuse_{act} BEFORE {act} ON {table} {refuse}")
        # INSERT OR REPLACE deletes the row in its way without firing the trigger on DELETE.
        when = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - constants
        op.execute(f"CREATE TRIGGER {table}_refuse_REPLACE BEFORE INSERT ON {table} {when} {refuse}")


def _refuse_changes_on_postgresql() -> None:
    body = "$$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$"
    op.execute(f"CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS {body}")
    for table, reason, _ in UNCHANGING:
        for name, acts, each in (("change", "UPDATE OR DELETE", "ROW"), ("truncate", "TRUNCATE", "STATEMENT")):
            when = f"BEFORE {acts} ON {table} FOR EACH {each}"
            op.execute(f"CREATE TRIGGER {table}_refuse_{name} {when} EXECUTE FUNCTION refuse_change('{reason}')")
