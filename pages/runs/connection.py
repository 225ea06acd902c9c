"""Connection test: a few small requests and their results."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.people import Permission, Viewer
from pages.runs.parts import PAGE
from services.runs import connection_tests
from services.runs.connection_tests import MOST_REQUESTS, ConnectionReport


def show(viewer: Viewer, endpoint: str, model: str) -> None:
    if not viewer.may(Permission.RUN) or not endpoint:
        return
    name = state.key(PAGE, f"test.{endpoint}.{model}")
    with st.container(border=True, key=f"{name}.box"):
        tested = model
        if not model:
            tested = st.text_input("Model ID at the endpoint", key=f"{name}.model", max_chars=100) or ""
        if st.button("Test connection", key=f"{name}.do", icon=":material/network_check:", disabled=not tested.strip()):
            with st.spinner("Testing…"):
                st.session_state[f"{name}.report"] = connection_tests.test_connection(viewer, endpoint, tested.strip())
        st.caption(
            f"Sends up to {MOST_REQUESTS} small requests, which may cost a fraction of a cent: one question and, "
            "if it is answered, one test each of log-probabilities and JSON mode."
        )
        report: ConnectionReport | None = st.session_state.get(f"{name}.report")
        if report is not None:
            if not report.ok:
                st.error(shell.escaped(report.message), icon=":material/link_off:")
            else:
                st.success(shell.escaped(report.message), icon=":material/check_circle:")
                known = {True: "yes", False: "no", None: "unknown"}
                st.caption(
                    f"Model in the reply: {shell.escaped(report.model) or 'not given'} · log-probabilities: "
                    f"{known[report.has_logprobs]} · JSON mode: {known[report.has_json_mode]}"
                )
