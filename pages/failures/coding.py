"""Codes of failures: the codebook, lists that two people code blind, their agreement, and answers to settle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import shell, state
from components.desk.work_screen import LineWords, next_card, own_list
from components.widgets import acts
from components.widgets.choosing import choose_line
from components.widgets.data_page import data_page
from components.widgets.number_table import number_table
from core.errors import Missing, Refused
from core.estimate import Estimate
from core.people import Permission, Viewer
from core.runs.codebook import USED_KEYS
from core.runs.filters import FailureFilters
from core.words import counted
from pages.failures import proposed
from pages.failures.parts import LISTED, PAGE, TALLEST, columns_of, number, predicted, run_of, task_text, truth_of
from pages.runs.parts import NO_VALUE, title_of
from pages.work_queue.screens import screen_of
from services.failures import codebook, coding
from services.failures.codebook import Codebook
from services.failures.coding import OwnList
from services.failures.work_kind import LISTS
from services.queue.settings import LARGEST_SEED
from services.queue.work import waiting
from services.results import samples

CODING = state.key(PAGE, "coding")
SCREEN = screen_of(CODING, "claim", LISTS)
BOOK, DRAW, SUBMIT, SKIP, WITHDRAW = (f"{CODING}.form.{name}" for name in ("book", "draw", "submit", "skip", "undo"))
FIRST_WORDS = (
    "A code says why an answer fails. The owner writes the codebook: one code a line, with the key that gives it on an "
    "open answer. Two people then code the same failures without seeing each other's codes, a third person settles "
    "where they differ, and every table can be sliced by code."
)
FORMAT = (
    "One code a line: a key, the name, a colon and the definition. A key is a letter or a digit, except "
    f"{', '.join(USED_KEYS)}. Each saving is a new version; codes of answers name theirs."
)
OF_ONE_RUN = "The items that the filters let through, of one run: choose it under *Runs*."
EXAMPLE = "s Wrong sign: The direction is right, its sign is not.\nm Misread text: The text says otherwise."
HOW = """\
- A **list** is a random sample of the wrong answers of a run, without baselines; where the protocol knows no right and
  wrong, of all its answers; or of what the filters of *List* let through. Two people code it. Nobody sees codes of it
  before both have submitted.
- A model may **propose codes** for a list if the owner turned it on before the list was drawn. A random share of each
  list is coded without, so that the effect is measured. Nobody takes a list while a run proposes codes for it.
- **α** is Krippendorff's alpha, nominal: of whole sets of codes, and of each code as given or not. 1 is agreement, 0 is
  agreement by chance.
- **By both** counts the answers that both coders gave the code, **By any** those that at least one did.
- In tables (*Slice by* code), an answer counts in each of its codes: those of the person who settled it; else those on
  which its coders agree, and *unsettled* where they differ.
"""


def open_claim(viewer: Viewer) -> None:
    """Open the first answer to code of the list that the link names."""
    claim = state.read_param("claim")
    if not claim or state.read_param("item"):
        return
    try:
        own = coding.own_list(viewer, claim)
    except (Missing, Refused) as error:
        state.write_param("claim", "")
        st.error(shell.escaped(str(error)))
        return
    state.write_param("item", own.items[own.next_place])
    state.write_param("at", str(own.next_place))


def show(viewer: Viewer) -> None:
    versions = codebook.codebooks(viewer)
    if not versions[0].number:
        st.caption(FIRST_WORDS)
        if viewer.may(Permission.MANAGE):
            _editor(viewer, versions[0])
        return
    _work(viewer)
    _lists(viewer)
    _differences(viewer)
    _agreement(viewer)
    proposed.show_effect(viewer)
    _codebook(viewer, versions)
    proposed.show_settings(viewer)


# --- own work ----------------------------------------------------------------------------------------------------


def _work(viewer: Viewer) -> None:
    own, waits = coding.own_lists(viewer), waiting(viewer, LISTS)
    unfinished = next((each for each in own if each.state == "open"), None)
    if unfinished is not None:
        words = (f"{counted(len(unfinished.items), 'failure')} of run {unfinished.run_number}", _progress(unfinished))
        verb = "" if _is_coded(unfinished) else "Continue coding"
        next_card(viewer, SCREEN, words, verb, opens=unfinished.assignment_id, below=partial(_ends, viewer, unfinished))
    elif waits.free:
        next_card(viewer, SCREEN, (f"{counted(waits.free, 'list')} to code", "You code blind."), "Code next list")
    others = [each for each in own if each is not unfinished]
    own_list(viewer, SCREEN, "Your lists", others, _words)


def _is_coded(own: OwnList) -> bool:
    return len(own.coded) == len(own.items)


def _progress(own: OwnList) -> str:
    return f"{len(own.coded):,} of {len(own.items):,} coded"


def _words(own: OwnList) -> LineWords:
    return LineWords(f"{counted(len(own.items), 'failure')} of run {own.run_number}", "", _progress(own))


def _ends(viewer: Viewer, own: OwnList) -> None:
    """Draw the ends of a list in hand: submitting it once all is coded, and skipping it."""
    if _is_coded(own):
        st.button("Look again", key=state.key(CODING, "again"), on_click=partial(SCREEN.open, own.assignment_id))
        if st.button("Submit codes", key=state.act_key(SUBMIT), type="primary"):
            acts.keep(
                PAGE,
                SUBMIT,
                lambda act: coding.submit(viewer, own.assignment_id, seen=own.version, act_id=act),
            )
    with st.popover("Skip", key=state.key(CODING, "skip")):
        reason = st.text_input("Reason", key=state.act_key(SKIP, "reason"))
        if st.button("Skip list", key=state.act_key(SKIP, "do"), disabled=not reason.strip()):
            acts.keep(PAGE, SKIP, lambda act: SCREEN.skip(viewer, own.assignment_id, reason, own.version, act))


# --- lists -------------------------------------------------------------------------------------------------------


def _lists(viewer: Viewer) -> None:
    lines = coding.list_lines(viewer)
    if not lines:
        st.caption("No list of failures yet." + ("" if viewer.may(Permission.ASSIGN) else " A researcher draws one."))
    else:
        is_proposing = any(each.share_without is not None for each in lines)
        number_table(
            {
                "Run": [f"{each.run_number}" for each in lines],
                "Failures": [f"{each.items:,}" for each in lines],
                "Codebook": [f"{each.codebook}" for each in lines],
                "Submitted": [f"{each.submitted} of {each.people}" for each in lines],
                "At work": [f"{each.at_work}" for each in lines],
                "Drawn": [shell.moment(each.created_at) for each in lines],
                **({"Proposals": [proposed.words_of(each) for each in lines]} if is_proposing else {}),
                **({"Filters": [each.filters for each in lines]} if any(each.filters for each in lines) else {}),
            },
            key=state.key(CODING, "lists"),
            words=("Drawn", "Proposals", "Filters"),
        )
    if not viewer.may(Permission.ASSIGN):
        return
    with st.container(horizontal=True):
        _draw(viewer)
        proposed.link_to_run(viewer, lines)
        idle = [each for each in lines if not each.submitted and not each.at_work]
        if idle:
            with st.popover("Withdraw list", key=state.key(CODING, "withdraw")):
                by_id = {each.list_id: each for each in idle}
                chosen = st.selectbox(
                    "List that nobody codes",
                    list(by_id),
                    format_func=lambda key: f"Run {by_id[key].run_number}, {counted(by_id[key].items, 'failure')}",
                    key=state.act_key(WITHDRAW, "list"),
                )
                if st.button("Withdraw", key=state.act_key(WITHDRAW, "do")):
                    acts.keep(
                        PAGE,
                        WITHDRAW,
                        lambda act: coding.withdraw(viewer, chosen, seen=by_id[chosen].version, act_id=act),
                    )


def _draw(viewer: Viewer) -> None:
    runs = {run.id: title_of(run.number, run.title, run.tasks) for run in samples.choices(viewer)}
    with st.popover("Draw list", key=state.key(CODING, "draw")):
        if not runs:
            st.caption("No run with scored answers yet.")
            return
        run = st.selectbox("Run", list(runs), format_func=runs.__getitem__, key=state.act_key(DRAW, "run"))
        _draw_of(viewer, run, None)


def draw_filtered(viewer: Viewer, filters: FailureFilters, run: str) -> None:
    """Draw the form of a list of the items that these filters let through; `run` is empty unless they are of one."""
    if not viewer.may(Permission.ASSIGN) or not codebook.codebooks(viewer)[0].number:
        return
    with st.popover("Draw coding list", key=state.key(CODING, "draw.filtered"), disabled=not run, help=OF_ONE_RUN):
        st.caption("Two people code a random sample of what the filters let through, under *Codes*.")
        _draw_of(viewer, run, filters)


def _draw_of(viewer: Viewer, run: str, filters: FailureFilters | None) -> None:
    many = st.number_input("Failures", 1, coding.MOST_ITEMS, 60, key=state.act_key(DRAW, "many"))
    seed = st.number_input("Seed", 0, LARGEST_SEED, 1, key=state.act_key(DRAW, "seed"))
    st.caption("Two people code them blind. Those that are in a list or coded already are left out.")
    if st.button("Draw", key=state.act_key(DRAW, "do")):
        acts.keep(PAGE, DRAW, lambda act: coding.draw(viewer, run, int(many), int(seed), filters, act_id=act))


# --- differences and agreement ----------------------------------------------------------------------------------


def _differences(viewer: Viewer) -> None:
    differing = coding.differences(viewer)
    if not differing:
        return
    lines, left = [each.line for each in differing], sum(not each.is_settled for each in differing)
    st.subheader("Differences", anchor=False)
    st.caption(f"{left:,} of {counted(len(lines), 'answer')} to settle, by someone who did not code them.")
    name, ids = state.key(CODING, "differences"), [line.item_id for line in lines]
    st.session_state[LISTED] = name, ids, 0
    table = {
        "Settled": ["yes" if each.is_settled else "" for each in differing],
        "True": [truth_of(line) for line in lines],
        "Predicted": [predicted(line) for line in lines],
        "Model": [line.model for line in lines],
        "Sample": [line.summary.title for line in lines],
        "Task": [task_text(line) for line in lines],
        "Run": [run_of(line) for line in lines],
    }
    choose_line(ids, table, name=name, columns=columns_of(lines), tallest=TALLEST, verb="Open")


def _agreement(viewer: Viewer) -> None:
    agreement, lists = coding.agreement(viewer)
    if not agreement.answers:
        return
    st.subheader("Agreement", anchor=False)
    with data_page(
        f"Both coders gave the same codes to {_percent(agreement.same)} of **{counted(agreement.answers, 'answer')}** "
        f"of {counted(lists, 'list')}; α of whole sets is {number(agreement.alpha, 2)}.",
        HOW,
        key=CODING,
    ):
        remarks = [each.alpha.reason for each in agreement.of_codes]
        number_table(
            {
                "Code": [each.code for each in agreement.of_codes],
                "Answers": [f"{each.answers:,}" for each in agreement.of_codes],
                "By any": [f"{each.by_any:,}" for each in agreement.of_codes],
                "By both": [f"{each.by_all:,}" for each in agreement.of_codes],
                "α": [number(each.alpha, 2) for each in agreement.of_codes],
                **({"Remark": remarks} if any(remarks) else {}),
            },
            key=state.key(CODING, "agreement"),
            words=("Code", "Remark"),
        )


def _percent(estimate: Estimate) -> str:
    return NO_VALUE if estimate.value is None else f"{estimate.value:.0%}"


# --- codebook ----------------------------------------------------------------------------------------------------


def _codebook(viewer: Viewer, versions: Sequence[Codebook]) -> None:
    st.subheader("Codebook", anchor=False)
    newest = versions[0]
    number = st.selectbox(
        "Version",
        [each.number for each in versions],
        key=state.key(CODING, "version"),
        width=120,
        label_visibility="collapsed",
        format_func=lambda each: f"Version {each}",
    )
    shown = next(each for each in versions if each.number == number)
    st.dataframe(
        {
            "Key": [each.key for each in shown.codes],
            "Code": [each.name for each in shown.codes],
            "Definition": [each.definition for each in shown.codes],
        },
        hide_index=True,
        height="content",
        key=state.key(CODING, "codes"),
    )
    if viewer.may(Permission.MANAGE):
        with st.expander("Edit codebook", key=state.key(CODING, "edit")):
            _editor(viewer, newest)


def _editor(viewer: Viewer, newest: Codebook) -> None:
    with shell.boundary(partial(state.spend, BOOK)):
        seen = state.seen(BOOK, newest.number)
        text = st.text_area(
            "Codes", newest.text, key=state.act_key(BOOK, "text"), height=200, help=FORMAT, placeholder=EXAMPLE
        )
        st.caption(FORMAT)
        if st.button("Save codebook", key=state.act_key(BOOK, "save"), type="primary"):
            acts.keep(
                PAGE,
                BOOK,
                lambda act: codebook.save_codebook(viewer, text, seen=seen, act_id=act),
                reload=partial(state.spend, BOOK),
            )
