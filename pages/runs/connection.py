"""Connection test: a few small requests and their results."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.people import Permission, Viewer
from pages.runs.parts import PAGE
from services.runs import connection_tests
from services.runs.connection_tests import MOST_REQUESTS, ConnectionReport
from services.runs.endpoints import EndpointView


def show(viewer: Viewer, endpoint: EndpointView | None, model: str) -> None:
    if not viewer.may(Permission.RUN) or endpoint is None:
        return
    name = state.key(PAGE, f"test.{endpoint.name}.{model}")
    with st.container(border=True, key=f"{name}.box"):
        tested = model
        if not model:
            tested = st.text_input("Model ID at the endpoint", key=f"{name}.model", max_chars=100) or ""
        if st.button(
            "Test connection",
            key=f"{name}.do",
            icon=":material/network_check:",
            disabled=bool(endpoint.trouble) or not tested.strip(),
        ):
            with st.spinner("Testing…"):
                report = connection_tests.test_connection(viewer, endpoint.name, tested.strip())
                st.session_state[f"{name}.report"] = report
        if endpoint.trouble:
            why = shell.escaped(f"{endpoint.name} cannot be asked from here: {endpoint.trouble}.")
            st.caption(f":material/block: {why} The worker reads its own environment.")
            return
        st.caption(
            f"Sends up to {MOST_REQUESTS} small requests, which may cost a fraction of a cent: one question and, "
            "if it is answered, one test each of log-probabilities and JSON mode."
        )
        last: ConnectionReport | None = st.session_state.get(f"{name}.report")
        if last is not None:
            if not last.ok:
                st.error(shell.escaped(last.message), icon=":material/link_off:")
            else:
                st.success(shell.escaped(last.message), icon=":material/check_circle:")
                known = {True: "yes", False: "no", None: "unknown"}
                st.caption(
                    f"Model in the reply: {shell.escaped(last.model) or 'not given'} · log-probabilities: "
                    f"{known[last.has_logprobs]} · JSON mode: {known[last.has_json_mode]}"
                )
