"""Model runs: endpoints, model cards, runs with their samples, items, replies and attempts

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "endpoint",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("base_url", sa.String(), nullable=False),
        sa.Column("key_variable", sa.Text(), nullable=False),
        sa.Column("requests_per_minute", sa.Integer(), nullable=True),
        sa.Column("tokens_per_minute", sa.Integer(), nullable=True),
        sa.Column("concurrency", sa.Integer(), nullable=False),
        sa.Column("deadline_s", sa.Float(), nullable=False),
        sa.Column("most_bytes", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_endpoint")),
    )
    op.create_table(
        "reply",
        sa.Column("request_hash", sa.String(), nullable=False),
        sa.Column("request", sa.JSON(), nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("reasoning", sa.Text(), nullable=True),
        sa.Column("refusal", sa.Text(), nullable=True),
        sa.Column("finish_reason", sa.Text(), nullable=False),
        sa.Column("logprobs", sa.JSON(), nullable=True),
        sa.Column("tokens_in", sa.Integer(), nullable=True),
        sa.Column("tokens_out", sa.Integer(), nullable=True),
        sa.Column("tokens_cached", sa.Integer(), nullable=True),
        sa.Column("tokens_reasoning", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        sa.Column("latency_s", sa.Float(), nullable=False),
        sa.Column("provider_model", sa.Text(), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("request_hash", name=op.f("pk_reply")),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("protocol", sa.String(), nullable=False),
        sa.Column("protocol_version", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("manifest", sa.JSON(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'paused', 'stopped', 'done', 'cancelled')", name=op.f("ck_run_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("number", name=op.f("uq_run_number")),
    )
    op.create_table(
        "run_text",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_run_text")),
    )
    op.create_table(
        "worker",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("stopped_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
    )
    op.create_table(
        "model_card",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("endpoint", sa.String(), nullable=True),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("parameters_b", sa.Float(), nullable=True),
        sa.Column("is_open_weight", sa.Boolean(), nullable=True),
        sa.Column("knowledge_cutoff", sa.String(), nullable=True),
        sa.Column("context_length", sa.Integer(), nullable=True),
        sa.Column("price_input", sa.Float(), nullable=True),
        sa.Column("price_cached", sa.Float(), nullable=True),
        sa.Column("price_output", sa.Float(), nullable=True),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('reasoning', 'instruct', 'baseline', 'human')", name=op.f("ck_model_card_kind")),
        sa.ForeignKeyConstraint(["endpoint"], ["endpoint.name"], name=op.f("fk_model_card_endpoint_endpoint")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_card")),
        sa.UniqueConstraint("name", name=op.f("uq_model_card_name")),
    )
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
    op.create_table(
        "run_item",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("sample_id", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("shard", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("request_hash", sa.String(), nullable=True),
        sa.Column("predicted", sa.String(), nullable=True),
        sa.Column("rung", sa.Text(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.Column("parsed", sa.JSON(), nullable=True),
        sa.Column("repaired", sa.Text(), nullable=True),
        sa.Column("probabilities", sa.JSON(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("was_cached", sa.Boolean(), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('pending', 'answered', 'unparsable', 'truncated', 'refused', 'excluded', 'failed')",
            name=op.f("ck_run_item_status"),
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_item_run_id_run")),
        sa.ForeignKeyConstraint(["sample_id"], ["run_sample.id"], name=op.f("fk_run_item_sample_id_run_sample")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_item")),
        sa.UniqueConstraint("sample_id", "model", "repeat", name=op.f("uq_run_item_sample_id_model_repeat")),
    )
    op.create_index(op.f("ix_run_item_request_hash"), "run_item", ["request_hash"])
    op.create_index(op.f("ix_run_item_run_id_shard"), "run_item", ["run_id", "shard"])
    op.create_index(op.f("ix_run_item_run_id_status"), "run_item", ["run_id", "status"])
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("request_hash", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("worker_id", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=True),
        sa.Column("retry_after_s", sa.Float(), nullable=True),
        sa.Column("tokens_in", sa.Integer(), nullable=True),
        sa.Column("tokens_out", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('sent', 'answered', 'error', 'uncertain')", name=op.f("ck_attempt_state")),
        sa.ForeignKeyConstraint(["item_id"], ["run_item.id"], name=op.f("fk_attempt_item_id_run_item")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_attempt_run_id_run")),
        sa.ForeignKeyConstraint(["worker_id"], ["worker.id"], name=op.f("fk_attempt_worker_id_worker")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
    )
    op.create_index(op.f("ix_attempt_item_id"), "attempt", ["item_id"])
    op.create_index(op.f("ix_attempt_request_hash"), "attempt", ["request_hash"])
    op.create_index(op.f("ix_attempt_run_id_state"), "attempt", ["run_id", "state"])


def downgrade() -> None:
    for table in (
        "attempt",
        "run_item",
        "run_sample",
        "model_card",
        "worker",
        "run_text",
        "run",
        "reply",
        "endpoint",
    ):
        op.drop_table(table)
