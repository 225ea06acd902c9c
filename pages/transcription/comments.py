"""Comments between the annotator and reviewers, below the desk."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.people import Viewer
from pages.transcription.acts import PAGE
from services import drafts
from services.transcription import comments
from services.transcription.reading import Transcription


def show(viewer: Viewer, work: Transcription) -> None:
    """Draw the comments on a transcription, and a form for another."""
    written = comments.comments(viewer, work.id)
    form = state.key(PAGE, f"comment.{work.id}")
    to_viewer, read = sum(each.is_to_viewer for each in written), state.key(PAGE, f"comments.read.{work.id}")
    if to_viewer and st.session_state.get(read) != to_viewer:  # not at every act
        drafts.keep_draft(viewer, comments.READ + work.id, str(to_viewer))
        st.session_state[read] = to_viewer
    with st.expander(f"Comments ({len(written)})", expanded=bool(written), key=state.key(PAGE, "comments")):
        for each in written:
            st.caption(shell.escaped(" · ".join(filter(None, (each.who, shell.moment(each.at), each.edge)))))
            shell.plain(each.text)
        edges = {
            edge.id: f"{work.record.nodes[edge.source_id].name} → {work.record.nodes[edge.sink_id].name}"
            for edge in work.record.edges.values()
        }
        with st.form(state.act_key(form), border=False):
            about = st.selectbox(
                "About",
                ["", *edges],
                format_func=lambda key: edges.get(key, "The figure"),
                key=state.act_key(form, "about"),
            )
            to = "a reviewer" if work.is_mine else "the annotator"
            text = st.text_area(
                "Comment",
                key=state.act_key(form, "text"),
                height=80,
                max_chars=comments.LONGEST,
                placeholder=f"To {to}",
            )
            is_sent = st.form_submit_button("Add comment", key=state.act_key(form, "send"))
        if work.is_mine and work.may_edit:
            st.caption("Reviewers see comments once you have submitted; other annotators do not see them.")
        if is_sent:
            acts.keep(
                form,
                form,
                lambda act_id: comments.write(viewer, work.id, text, about or None, act_id=act_id),
                reload=partial(state.spend, form),
            )
