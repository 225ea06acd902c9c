"""Protocol options in the form of a new run: pills in full width, fields in two columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from components.widgets.choosing import choose_several
from core.runs.options import OptionKind, RunOption, chosen_in
from pages.runs.form import FORM

BUILT_IN = "built-in vectors"
# Value of an option of IDs before any is chosen.
CHOSEN = "chosen"


def show(options: Sequence[RunOption], keep: Callable[[], None], key_of: Callable[[str], str] = FORM.key) -> None:
    """Draw the options; `key_of` maps an option name to its widget key."""
    for option in options:
        if option.kind is OptionKind.SEVERAL:
            _field(option, keep, key_of(option.name))
    fields = [option for option in options if option.kind is not OptionKind.SEVERAL]
    if not fields:
        return
    half = (len(fields) + 1) // 2
    for column, some in zip(st.columns(2), (fields[:half], fields[half:]), strict=True):
        with column:
            for option in some:
                _field(option, keep, key_of(option.name))


def _field(option: RunOption, keep: Callable[[], None], key: str) -> None:
    if not _can_hold(option, st.session_state.get(key)):  # set by another protocol or version
        st.session_state[key] = option.unset
    match option.kind:
        case OptionKind.WHOLE | OptionKind.NUMBER:
            as_kind = int if option.kind is OptionKind.WHOLE else float
            least, most = (None if bound is None else as_kind(bound) for bound in (option.least, option.most))
            st.number_input(
                option.label,
                least,
                most,
                None,
                step=option.step,
                key=key,
                on_change=keep,
                placeholder=_usual(option),
                help=option.help or None,
            )
        case OptionKind.CHOICE | OptionKind.EMBEDDER:
            words = {
                "": option.empty or BUILT_IN if option.kind is OptionKind.EMBEDDER else _usual(option),
                **option.choices,
            }
            current = st.session_state.get(key) or ""
            st.selectbox(
                option.label,
                list(words) if current in words else [*words, current],
                key=key,
                on_change=keep,
                format_func=lambda each: words.get(each, each),
                help=option.help or None,
            )
        case OptionKind.SEVERAL:
            _several(option, keep, key)
        case OptionKind.TEXT:
            st.text_input(
                option.label,
                key=key,
                on_change=keep,
                max_chars=1_000,
                placeholder=_usual(option),
                help=option.help or None,
            )


def _several(option: RunOption, keep: Callable[[], None], key: str) -> None:
    current = str(st.session_state.get(key) or option.default or "")
    named, pills = chosen_in(current), f"{key}.pills"
    st.session_state[pills] = [each for each in option.choices if each in named or named == ["all"]]
    st.pills(
        option.label,
        list(option.choices),
        selection_mode="multi",
        key=pills,
        format_func=lambda each: option.choices.get(each, each),
        on_change=_store,
        args=(key, pills, keep),
        help=option.help or None,
    )


def _can_hold(option: RunOption, value: object) -> bool:
    match option.kind:
        case OptionKind.WHOLE | OptionKind.NUMBER:
            return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
        case OptionKind.CHOICE:
            return value == "" or value in option.choices
        case _:
            return isinstance(value, str)


def _usual(option: RunOption) -> str:
    """Return the placeholder: the default, or empty for a text without one."""
    if option.default is None and option.empty:
        return f"Empty: {option.empty}"
    if option.default is None:
        return "" if option.kind is OptionKind.TEXT else "protocol default"
    return f"protocol: {option.choices.get(str(option.default), option.default)}"


def choose_ids(
    label: str, words: Mapping[str, str], name: str, keep: Callable[[], None], placeholder: str, none: str = ""
) -> list[str]:
    """Draw a choice of IDs by label; the option stores them separated by commas, or `none`."""
    key, chosen = FORM.key(name), FORM.key(f"{name}.chosen")
    current = str(st.session_state.get(key) or "").split(",")
    st.session_state[chosen] = [each for each in words if each in current]
    return choose_several(
        label,
        list(words),
        key=chosen,
        on_change=_store,
        args=(key, chosen, keep, none),
        placeholder=placeholder,
        format_func=lambda each: words.get(each, each),
    )


def choose_way(
    label: str,
    ways: Mapping[str, str],
    words: Mapping[str, str],
    option: RunOption,
    keep: Callable[[], None],
    help_text: str,
) -> None:
    """Draw a choice of one way, or with `CHOSEN` of IDs; the option stores either."""
    key, way = FORM.key(option.name), FORM.key(f"{option.name}.way")
    current = str(st.session_state.get(key) or option.default)
    st.session_state[way] = current if current in ways else CHOSEN
    st.segmented_control(
        label,
        list(ways),
        format_func=ways.__getitem__,
        key=way,
        label_visibility="collapsed",
        required=True,
        on_change=_store,
        args=(key, way, keep),
        help=help_text,
    )
    if st.session_state[way] == CHOSEN:
        choose_ids(ways[CHOSEN], words, option.name, keep, f"Choose {label.lower()}", CHOSEN)


def choose_one(
    label: str,
    words: Mapping[str, str],
    name: str,
    current: str,
    store: Callable[[str], None],
    keep: Callable[[], None],
    help_text: str = "",
) -> None:
    """Draw a choice of one value by label, at first the first.

    Attributes:
        name: part of the widget key
        store: writes the value to its option
    """
    if current not in words:
        current = next(iter(words))
        store(current)
    key = FORM.key(f"{name}.chosen")
    st.session_state[key] = current
    st.selectbox(
        label,
        list(words),
        key=key,
        format_func=lambda each: words.get(each, each),
        on_change=_store_one,
        args=(key, store, keep),
        help=help_text or None,
    )


def _store_one(widget: str, store: Callable[[str], None], keep: Callable[[], None]) -> None:
    store(st.session_state[widget])
    keep()


def _store(key: str, widget: str, keep: Callable[[], None], none: str = "") -> None:
    chosen = st.session_state[widget]
    st.session_state[key] = chosen if isinstance(chosen, str) else ",".join(chosen) or none
    keep()
