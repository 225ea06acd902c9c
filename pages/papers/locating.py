"""Figures of a page: choose an outlined one or draw a rectangle, enter its label, list located ones."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import state
from components.figure.region_picker import PickedRegion, PickRegion, region_picker
from components.widgets.acts import keep, seen_since
from core.papers.detected_figures import is_same_place
from core.papers.pages import Box, FigureRegion, PageFacts
from core.people import Viewer
from pages.papers import next_paper
from pages.papers.figures import show_located
from pages.papers.links import PAGE, go, scope
from pages.papers.page_navigation import page_url, pages_found, scan_all_pages, turn_page
from services.papers import figures
from services.papers.figures import LocatedFigure
from services.papers.papers import PaperView

NEXT = "Saves this figure, then opens the next paper without a figure."


def show_locating(viewer: Viewer, paper: PaperView) -> None:
    everything = figures.figures_of(viewer, paper.id, with_archived=True)
    located = [figure for figure in everything if not figure.is_archived]
    number = turn_page(viewer, paper)
    searching = st.container()
    left, right = st.columns([3, 2], gap="medium")
    with left:
        facts = figures.page(viewer, paper.id, number)
        pages_found(viewer, paper)[number] = len(facts.regions)
        corrected = next((each for each in located if each.id == state.read_param("figure")), None)
        form = state.key(PAGE, f"correct.{corrected.id}" if corrected else f"locate.{paper.id}.{number}")
        on_page = [figure for figure in located if figure.page == number]
        chosen = _choose(paper, facts, on_page, form, corrected)
    with right:
        if corrected is not None:
            _correct(viewer, paper, facts, corrected, chosen, form)
        elif chosen is not None:
            _locate(viewer, paper, facts, on_page, chosen, form)
        else:
            free = [region for region in facts.regions if _located_at(region.box, on_page) is None]
            if free:
                hint = (
                    "1 figure is outlined. Choose it"
                    if len(free) == 1
                    else f"{len(free)} figures are outlined. Choose one"
                )
                st.text(f"{hint}, or drag a rectangle.")
            else:
                st.text(
                    "Drag a rectangle around the diagram to locate it."
                    if not on_page
                    else "Drag a rectangle to locate another figure."
                )
            whole = Box(0, 0, facts.width, facts.height)
            if not any(is_same_place(region.box, whole) for region in facts.regions):
                st.button("Whole page", key=form + ".whole", on_click=_choose_all, args=(form, whole))
        show_located(viewer, paper, everything)
    with searching:
        scan_all_pages(viewer, paper)


# --- choosing ---------------------------------------------------------------------------------------------------


def _choose(
    paper: PaperView, facts: PageFacts, on_page: list[LocatedFigure], form: str, corrected: LocatedFigure | None
) -> PickedRegion | None:
    """Return the rectangle chosen in this form; None before a choice and after it is used."""
    memory = st.session_state
    choice_key, done_key = form + ".choice", form + ".done"
    before: PickedRegion | None = memory.get(choice_key)
    start = corrected.box if corrected and corrected.page == facts.number else None
    picked = region_picker(
        key=form + ".picker",
        image_url=page_url(paper, facts.number),
        page_width=facts.width,
        page_height=facts.height,
        regions=[
            PickRegion(str(place), _outline_label(region, on_page), region.box)
            for place, region in enumerate(facts.regions)
        ],
        chosen=before.box if before else start,
        alt=f"Page {facts.number} of the paper",
    )
    if picked is not None and picked.n > max(memory.get(done_key, 0), before.n if before else 0):
        memory[choice_key] = before = picked
    return before


def _choose_all(form: str, page: Box) -> None:
    """Choose the whole page; a choice in the picker after it counts again."""
    st.session_state[form + ".choice"] = PickedRegion(page, None, st.session_state.get(form + ".done", 0))


def _clear_choice(form: str) -> None:
    """Mark the choice as used; the picker still returns it, so its number is stored."""
    choice: PickedRegion | None = st.session_state.pop(form + ".choice", None)
    if choice is not None:
        st.session_state[form + ".done"] = choice.n


def _outline_label(region: FigureRegion, on_page: list[LocatedFigure]) -> str:
    figure = _located_at(region.box, on_page)
    return region.label if figure is None else f"{figure.label or region.label or 'Figure'}, located"


def _located_at(box: Box, on_page: list[LocatedFigure]) -> LocatedFigure | None:
    return next((figure for figure in on_page if is_same_place(box, figure.box)), None)


# --- the form ---------------------------------------------------------------------------------------------------


def _locate(
    viewer: Viewer, paper: PaperView, facts: PageFacts, on_page: list[LocatedFigure], chosen: PickedRegion, form: str
) -> None:
    region = facts.regions[int(chosen.region_id)] if chosen.region_id is not None else None
    twin = _located_at(chosen.box, on_page)
    with st.container(border=True, key="papers.form"):
        if twin is not None:
            st.text(f"{twin.label or 'A figure'} is already located here.")
        label = _field(
            "Label", form, "label", region.label if region else "", placeholder="Example: Figure 6", max_chars=200
        )
        place = _field("Place in the paper", form, "place", figures.place_in_words(chosen.box, facts), max_chars=200)
        name = _suggest(form, "caption", region.caption if region else "")
        caption = st.text_area("Caption", key=name, height=90, max_chars=5_000) or ""
        with st.container(horizontal=True):
            is_located = st.button("Locate figure", type="primary", key=state.act_key(form, "submit"))
            is_next = st.button("Save and next", key=state.act_key(form, "next"), help=NEXT)
            st.button(
                "Clear selection",
                type="tertiary",
                key=state.act_key(form, "drop"),
                on_click=_clear_choice,
                args=(form,),
            )
        if is_located or is_next:
            keep(
                scope(paper.id),
                form,
                lambda act: figures.locate(
                    viewer, paper.id, facts.number, chosen.box, place=place, label=label, caption=caption, act_id=act
                ),
                then=partial(_open_next, viewer, paper.id, form) if is_next else partial(_clear_choice, form),
            )


def _open_next(viewer: Viewer, paper_id: str, form: str) -> None:
    _clear_choice(form)
    next_paper.open_next(viewer, paper_id)


def _correct(
    viewer: Viewer,
    paper: PaperView,
    facts: PageFacts,
    figure: LocatedFigure,
    chosen: PickedRegion | None,
    form: str,
) -> None:
    seen = seen_since(scope(paper.id), form, figure.id, figure.version)
    box = chosen.box if chosen else figure.box
    was_written = figure.place == figures.place_in_words(figure.box, facts)
    with st.container(border=True, key="papers.form"):
        st.markdown("**Correct figure**")
        label = _field("Label", form, "label", figure.label, max_chars=200)
        place = _field(
            "Place in the paper",
            form,
            "place",
            figures.place_in_words(box, facts) if was_written else figure.place,
            max_chars=200,
        )
        caption = _field("Caption", form, "caption", figure.caption, max_chars=2_000)
        with st.container(horizontal=True):
            is_saved = st.button("Save correction", type="primary", key=state.act_key(form, "submit"))
            back = {"paper": paper.id, "tab": "locate", "page": str(facts.number)}
            st.button("Cancel", type="tertiary", key=state.act_key(form, "leave"), on_click=_leave, args=(form, back))
        if is_saved:
            keep(
                scope(paper.id),
                form,
                lambda act: figures.relocate(
                    viewer, figure.id, box, place, label, caption=caption, seen=seen, act_id=act
                ),
                reload=partial(_leave, form, back),
                then=partial(_leave, form, back),
            )


def _leave(form: str, back: dict[str, str]) -> None:
    state.forget(form)
    go(**back)


def _field(label: str, form: str, part: str, offer: str, placeholder: str = "", max_chars: int | None = None) -> str:
    name = _suggest(form, part, offer)
    return st.text_input(label, key=name, placeholder=placeholder, max_chars=max_chars) or ""


def _suggest(form: str, part: str, offer: str) -> str:
    """Fill a field with a suggestion unless something else was typed; return its key."""
    name = state.act_key(form, part)
    memory = st.session_state
    if memory.get(name) == memory.get(name + ".offer"):
        memory[name] = offer
    memory[name + ".offer"] = offer
    return name
