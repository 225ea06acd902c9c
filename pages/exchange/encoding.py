"""Choice of a text file's encoding, if it is not UTF-8, over sample lines."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell
from exchange.encodings import ENCODINGS, EncodingSample

NOT_UTF_8 = "The text is not UTF-8. Choose the encoding that shows these lines correctly:"


def choose_encoding(samples: Sequence[EncodingSample], known: str, key: str) -> str:
    """Draw the likely encodings with three lines each; once answered, a list to change the choice.

    Return the current choice: `known` until it is changed.
    """
    if samples:
        options = [sample.encoding for sample in samples]
        chosen = st.radio(
            "Encoding",
            options,
            None,
            format_func=ENCODINGS.__getitem__,
            key=key,
            captions=[shell.escaped(" ⏎ ".join(sample.lines)) for sample in samples],
            label_visibility="collapsed",
        )
        return chosen or known
    every = list(ENCODINGS)
    return st.selectbox(
        "Encoding", every, every.index(known), format_func=ENCODINGS.__getitem__, key=f"{key}.again", width=320
    )
