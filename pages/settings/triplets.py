"""Assignment of triplets for scoring: form, raters, sample by year, collections, visibility of critics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from components import links, shell, state
from components.desk.work_screen import settings_form
from components.widgets.choosing import choose_several
from components.widgets.number_table import number_table
from core.people import Permission, Viewer
from core.triplets.forms import Rubric
from core.words import counted
from pages.settings.study import PAGE
from pages.work_queue.screens import idle_hours
from services.queue.settings import LARGEST_SEED, MOST_PEOPLE
from services.triplets import lists, settings
from services.triplets.lists import Collection
from services.triplets.settings import MOST_PER_YEAR, ScoringSettings

FORM = state.key(PAGE, "triplets")
HOW = """\
- **Raters per triplet**: this many experts score each triplet of the sample, blind to each other. Each submitted or
  open scoring takes a place. Nobody gets a triplet twice, nor its copy from another file.
- The **next** triplet is one from your fields (JEL letters of the paper). Among equals, a triplet that someone has
  started comes first.
- The **sample** is a random draw of this many triplets per publication year, or all of a year with fewer. The draw
  depends on the seed, the collection and the place in the file. The same seed draws the same triplets wherever the
  files are imported, and a larger sample contains the smaller one. Repeated triplets count once.
- A claim **expires** this many hours after it was taken, or after its last score. Its scores are kept, and the expert
  can resume while a place is free.
- Scores on one form are kept when you choose the other form.
"""


def show_triplets(viewer: Viewer) -> None:
    with shell.boundary():
        now = settings.settings(viewer)
        collections = lists.collections(viewer)
        if not collections:
            st.caption("No triplets yet. Import a file of extracted triplets.")
            if viewer.may(Permission.CURATE):
                links.page_button("Import triplets", "exchange", {}, key=state.key(PAGE, "import"))
        save = partial(settings.save_settings, viewer)
        preview = partial(_preview, viewer)
        settings_form(PAGE, FORM, now.version, partial(_widgets, now, collections), save, HOW, preview=preview)


def _widgets(now: ScoringSettings, collections: Sequence[Collection]) -> ScoringSettings:
    rubric = st.radio(
        "Form",
        list(Rubric),
        list(Rubric).index(now.rubric),
        format_func=lambda one: one.label,
        key=state.act_key(FORM, "rubric"),
        horizontal=True,
    )
    left, right = st.columns(2)
    with left:
        overlap = st.number_input(
            "Raters per triplet", 1, MOST_PEOPLE, now.overlap, key=state.act_key(FORM, "overlap"), format="%d"
        )
        seed = st.number_input("Random seed", 0, LARGEST_SEED, now.seed, key=state.act_key(FORM, "seed"))
    with right:
        per_year = st.number_input(
            "Triplets per year",
            1,
            MOST_PER_YEAR,
            now.per_year,
            key=state.act_key(FORM, "per_year"),
            placeholder="All",
            help="Per publication year. Empty: all triplets.",
        )
        idle = idle_hours(FORM, now.idle_hours)
    chosen = _collections(now, collections)
    shows = st.checkbox(
        "Show experts the critics' scores once they have submitted",
        now.shows_critics,
        key=state.act_key(FORM, "critics"),
        help="Before that, no scores of critics or other experts are sent to their browser.",
    )
    return ScoringSettings(
        rubric=rubric or now.rubric,
        overlap=int(overlap),
        per_year=None if per_year is None else int(per_year),
        seed=int(seed),
        shows_critics=shows,
        idle_hours=idle,
        collections=chosen,
    )


def _collections(now: ScoringSettings, collections: Sequence[Collection]) -> tuple[str, ...]:
    titles: Mapping[str, str] = {one.id: one.title for one in collections}
    # A collection archived since stays selected; its title is not available here.
    options = [*titles, *(key for key in now.collections if key not in titles)]
    picked = choose_several(
        "Collections",
        options,
        list(now.collections),
        placeholder="All",
        format_func=lambda key: titles.get(key, "an archived collection"),
        key=state.act_key(FORM, "collections"),
    )
    return tuple(picked)


def _preview(viewer: Viewer, new_settings: ScoringSettings) -> None:
    years = settings.sample(viewer, new_settings)
    available, drawn = sum(year.triplets for year in years), sum(year.drawn for year in years)
    scorings = drawn * new_settings.overlap
    people = f"{counted(new_settings.overlap, 'rater')} each"
    st.markdown(f"**{drawn:,} of {available:,} triplets, {people}: {counted(scorings, 'scoring')}**")
    if not years:
        st.caption("No triplets in the chosen collections.")
        return
    with st.container(height=360, border=False):
        number_table(
            {
                "Year": ["not known" if year.year is None else str(year.year) for year in years],
                "Triplets": [f"{year.triplets:,}" for year in years],
                "Drawn": [f"{year.drawn:,}" for year in years],
            },
            key=state.key(PAGE, "sample"),
            words=("Year",),
        )
