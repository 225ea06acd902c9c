"""Form of a new run: models and baselines, budget, parameters and prompts."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import links, shell
from components.widgets.choosing import choose_several
from core.people import Permission, Viewer
from pages.runs import form
from pages.runs.form import FORM
from services.runs.judge_exposure import judge_tasks
from services.runs.settings import ModelOption, ProtocolOption, RunOptions

EFFORTS = ("", "minimal", "low", "medium", "high")


def who(viewer: Viewer, run_options: RunOptions, keep: Callable[[], None]) -> None:
    """Draw the choice of models by card, and of baselines, which need neither key nor network."""
    st.markdown("**Models and baselines**")
    if form.protocol(run_options).asks_roles_only:
        _roles(run_options, keep)
        _two_of_a_family(run_options)
        if not run_options.models:
            st.caption("No model card yet. Baselines need none.")
        return
    answering = _answering(run_options)
    names = [each.name for each in answering]
    form.only("models", names, first=[])
    if names:
        words = {each.name: f"{each.name} · {each.endpoint}" if each.endpoint else each.name for each in answering}
        choose_several(
            "Models",
            names,
            key=FORM.key("models"),
            on_change=keep,
            format_func=lambda each: words[each],
            placeholder="Choose models",
        )
    else:
        with st.container(horizontal=True, vertical_alignment="center", key=FORM.key("no_models")):
            rest = " Baselines need none." if form.protocol(run_options).baselines else ""
            st.caption(f"No model card yet.{rest}", width="stretch")
            if viewer.may(Permission.RUN):
                links.page_button("Add model", "runs", {"show": "models"}, key=FORM.key("add_model"))
    for model in run_options.models:
        if model.trouble and model.name in st.session_state.get(FORM.key("models"), []):
            st.caption(f":material/warning: {shell.escaped(model.name)}: {shell.escaped(model.trouble)}")
    _roles(run_options, keep)
    baselines = form.protocol(run_options).baselines
    titles = {each.name: each.title for each in baselines}
    tasks = set(st.session_state.get(FORM.key("tasks")) or ())
    fitting = [each.name for each in baselines if tasks & set(each.tasks)]
    _follow_tasks(list(titles), fitting)
    if titles:
        st.pills(
            "Baselines",
            list(titles),
            selection_mode="multi",
            key=FORM.key("baselines"),
            on_change=_chose,
            args=(list(titles), fitting, keep),
            help="Baselines run on this computer, cost nothing and are listed with the models in every table: "
            + "; ".join(f"{name}: {title}" for name, title in titles.items()),
        )
    st.number_input("Repeats per sample and model", 1, 100, key=FORM.key("repeats"), on_change=keep, width=300)


def _answering(run_options: RunOptions) -> list[ModelOption]:
    """The cards that can answer the chosen tasks: scripted judges label graphs and nothing else."""
    is_judging = bool(judge_tasks() & set(st.session_state.get(FORM.key("tasks")) or ()))
    return [each for each in run_options.models if is_judging or not each.only_judges]


def _roles(run_options: RunOptions, keep: Callable[[], None]) -> None:
    """Draw the choice of cards for further roles; most protocols have none."""
    chosen = form.protocol(run_options)
    titles = {each.name: each.title for each in chosen.baselines}
    for name, role in chosen.roles.items():
        fitting = [*(each.name for each in _answering(run_options) if each.kind.value in role.kinds), *role.baselines]
        field = form.role_field(name)
        selected = st.session_state.get(FORM.key(field))
        if not selected and role.least and role.baselines and FORM.key(f"{field}.seen") not in st.session_state:
            st.session_state[FORM.key(field)] = list(role.baselines)
        st.session_state[FORM.key(f"{field}.seen")] = True
        form.only(field, fitting, first=[])
        choose_several(
            role.title,
            fitting,
            key=FORM.key(field),
            on_change=keep,
            format_func=lambda each: f"{each} · {titles[each]}" if each in titles else each,
            placeholder="Choose models" if role.least else "As the first",
        )


def _two_of_a_family(run_options: RunOptions) -> None:
    families = {each.name: each.family for each in run_options.models if each.family}
    for name, role in form.protocol(run_options).roles.items():
        chosen = [each for each in st.session_state.get(FORM.key(form.role_field(name))) or () if each in families]
        alike = [each for each in chosen if [families[other] for other in chosen].count(families[each]) > 1]
        if alike:
            st.caption(
                f":material/info: {role.title}: {shell.escaped(', '.join(alike))} are of one family. "
                "Their scores may err alike."
            )


def _follow_tasks(known: list[str], fitting: list[str]) -> None:
    """Select all baselines of the chosen tasks, except deselected ones, and those added explicitly."""
    memory = st.session_state
    chosen, off, on = (memory[FORM.key(name)] for name in ("baselines", "baselines_off", "baselines_on"))
    if isinstance(chosen, list) and not isinstance(off, list):  # copied from another run
        off, on = _differing(known, fitting, chosen)
        memory[FORM.key("baselines_off")], memory[FORM.key("baselines_on")] = off, on
    memory[FORM.key("baselines")] = [
        name for name in known if (name in fitting and name not in _list(off)) or name in _list(on)
    ]


def _chose(known: list[str], fitting: list[str], keep: Callable[[], None]) -> None:
    """Store the selection; a callback. Deselected baselines stay so when tasks change."""
    memory = st.session_state
    off, on = _differing(known, fitting, memory[FORM.key("baselines")])
    of_others = [name for name in _list(memory[FORM.key("baselines_off")]) if name not in fitting and name not in on]
    memory[FORM.key("baselines_off")], memory[FORM.key("baselines_on")] = [*off, *of_others], on
    keep()


def _differing(known: list[str], fitting: list[str], chosen: list[str]) -> tuple[list[str], list[str]]:
    """Return (baselines of the tasks that are not chosen, chosen ones that no task has)."""
    off = [name for name in fitting if name not in chosen]
    return off, [name for name in known if name in chosen and name not in fitting]


def _list(value: object) -> list[str]:
    """Return the value if it is a list; a draft may contain another type."""
    return value if isinstance(value, list) else []


def budget(run_options: RunOptions, keep: Callable[[], None]) -> None:
    """Draw the budget of the whole run, which stops when it is reached and can be resumed with a larger one."""
    st.markdown("**Budget**")
    st.caption("The run stops before it exceeds a budget.")
    left, middle, right = st.columns(3)
    with left:
        st.number_input(
            "Budget ($)",
            0.0,
            1_000_000.0,
            None,
            step=1.0,
            format="%.2f",
            key=FORM.key("usd"),
            on_change=keep,
            placeholder="No budget",
        )
    with middle:
        st.number_input(
            "Budget (tokens)", 1, 10**12, None, key=FORM.key("tokens"), on_change=keep, placeholder="No budget"
        )
    with right:
        st.number_input(
            "Budget (requests)", 1, 10**9, None, key=FORM.key("requests"), on_change=keep, placeholder="No budget"
        )


def how(run_options: RunOptions, keep: Callable[[], None]) -> None:
    """Draw request parameters; empty fields use the model card, then the protocol."""
    protocol = form.protocol(run_options)
    left, middle, right = st.columns(3)
    with left:
        st.number_input(
            "Temperature",
            0.0,
            2.0,
            None,
            step=0.1,
            key=FORM.key("temperature"),
            on_change=keep,
            placeholder=_usual(protocol, "temperature"),
        )
    with middle:
        st.number_input(
            "Maximum reply length (tokens)",
            1,
            1_000_000,
            None,
            key=FORM.key("max_tokens"),
            on_change=keep,
            placeholder=_usual(protocol, "max_tokens"),
        )
    with right:
        st.selectbox(
            "Reasoning effort",
            EFFORTS,
            key=FORM.key("reasoning_effort"),
            on_change=keep,
            format_func=lambda each: each or "not set",
        )
    with st.container(horizontal=True, key=FORM.key("switches")):
        st.checkbox(
            "Request log-probabilities",
            key=FORM.key("logprobs"),
            on_change=keep,
            help="Needed for calibration. Models that return none are left out of it.",
        )
        st.checkbox(
            "Request JSON mode",
            key=FORM.key("json_mode"),
            on_change=keep,
            help="Asks the provider for a JSON object. Not every provider supports it.",
        )
    st.text_area(
        "Further parameters (JSON)",
        key=FORM.key("further"),
        on_change=keep,
        height=70,
        max_chars=5_000,
        placeholder='Example: {"top_p": 0.9, "seed": 7}',
    )
    st.text_input(
        "Prompt folder",
        key=FORM.key("prompts_folder"),
        on_change=keep,
        max_chars=500,
        placeholder="Empty: the built-in prompts",
        help=(
            "A folder on the computer that serves Edgewise. A file in it replaces the built-in prompt of the same "
            "name, and its hash is recorded."
        ),
    )


def _usual(protocol: ProtocolOption, name: str) -> str:
    usual = protocol.defaults.get("parameters", {}).get(name)
    return "not set" if usual is None else f"protocol: {usual:,}"
