"""Imports are hidden from those who are to draw their figures blind, from nobody else, and looks at them are noted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Role, Viewer
from exchange.forms import GraphForm
from services.acting import terminal_viewer
from services.graphs import blind_settings, exporting, importing, lab
from services.people import access
from services.queue.work import return_claim
from services.study import Study
from services.transcription import lists, practice, queue, reading, transcribing
from services.transcription.work_kind import FIGURES
from tests.services.import_parts import (
    LINES,
    NAMES,
    SECRET,
    WAYS,
    act,
    bring_in,
    draw,
    hand_in,
    looks,
    show_loose,
    titles,
)
from tests.services.queue_hands import take

HIDDEN = "graph is hidden"
KINDS = ("attached", "loose", "loose, like a draft", "loose, like a colleague's work")


def place(kind: str, people: SimpleNamespace, figure_id: str) -> tuple[str, str]:
    """An import of one kind, and the graph that the annotator draws meanwhile; the colleague has handed in."""
    work, own = draw(people.annotator, figure_id)
    theirs = LINES if kind == "loose, like a colleague's work" else "A -> B"
    draw(people.colleague, figure_id, theirs.replace(" grain", " GRAIN"), submit=True)
    if kind == "loose, like a draft":
        seen = reading.transcription(people.annotator, work).version
        transcribing.add_lines(people.annotator, work, LINES.upper(), pasted=False, seen=seen, **act())
    if kind.startswith("loose,"):
        show_loose(people.owner)
    return bring_in(people.owner, figure=figure_id if kind == "attached" else None), own


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.both(usually=False)
def test_who_draws_a_figure_sees_no_import_of_it_by_any_way(
    kind: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id, own = place(kind, people, a_figure.id)
    for name, way in WAYS.items():
        if name != "aligned":  # which is for those who review
            with pytest.raises(Refused, match=HIDDEN):
                way(study, people.annotator, graph_id, own)
    for search in ("", "secret", "secret rain", "title"):
        found = lab.list_graphs(people.annotator, search)
        assert [line.id for line in found.lines] in ([], [own]) and f"{SECRET} title" not in repr(found)
    assert not [look for look in looks(study) if look[2] == people.annotator.person_id]


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[3]])
def test_it_does_not_vanish_for_reviewers_experts_and_the_owner(
    kind: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id, _own = place(kind, people, a_figure.id)
    other = bring_in(people.owner, lines="X -> Y", title="Other")
    for viewer in (people.reviewer, people.researcher, people.owner, people.expert):
        assert f"{SECRET} title" in titles(viewer) and titles(viewer, "secret r"), viewer.name
        for name in ("opened", "file", "as the truth"):
            assert WAYS[name](study, viewer, graph_id, other), name


def test_whoever_holds_the_file_sees_everything(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    draw(people.annotator, a_figure.id)
    graph_id = bring_in(terminal_viewer(), figure=a_figure.id)
    assert lab.open_graph(terminal_viewer(), graph_id)
    assert looks(study) == []


# --- who may still draw it ---------------------------------------------------------------------------------------


def test_an_annotator_sees_no_import_of_a_figure_that_may_still_come_up(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id = bring_in(people.owner, figure=a_figure.id)
    with pytest.raises(Refused, match=HIDDEN):
        lab.open_graph(people.annotator, graph_id)
    assert titles(people.annotator) == titles(people.annotator, "secret") == []


def test_it_opens_once_nobody_can_ask_them_for_the_figure_any_more(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    graph_id = bring_in(people.owner, figure=a_figure.id)
    third = newcomer("The third", Role.ANNOTATOR)
    mine, _ = draw(people.annotator, a_figure.id)
    theirs, _ = draw(people.colleague, a_figure.id)
    for viewer in (people.annotator, people.colleague, third):  # every place is taken, but a claim may lapse
        with pytest.raises(Refused, match=HIDDEN):
            lab.open_graph(viewer, graph_id)
    hand_in(people.annotator, mine)
    assert lab.open_graph(people.annotator, graph_id)  # theirs is in
    for viewer in (people.colleague, third):
        with pytest.raises(Refused, match=HIDDEN):
            lab.open_graph(viewer, graph_id)
    hand_in(people.colleague, theirs)
    assert lab.open_graph(third, graph_id)  # as many as are wanted have handed in
    queue.want(people.owner, [a_figure.id], 3, **act())
    assert lab.open_graph(third, graph_id)  # who has looked is not asked any more
    with pytest.raises(Refused, match="not be blind"):
        take(third, a_figure)


def test_work_that_came_back_hides_it_again(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    graph_id = bring_in(people.owner, figure=a_figure.id)
    work, _ = draw(people.annotator, a_figure.id, submit=True)
    assert lab.open_graph(people.annotator, graph_id)
    transcribing.return_to_annotator(people.reviewer, work, "Again", **act())
    with pytest.raises(Refused, match=HIDDEN):
        lab.open_graph(people.annotator, graph_id)


def test_a_claim_that_was_given_back_or_a_wanted_number_of_none_decides_too(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id = bring_in(people.owner, figure=a_figure.id)
    work, _ = draw(people.annotator, a_figure.id)
    return_claim(people.owner, FIGURES, work, **act())
    with pytest.raises(Refused, match=HIDDEN):  # they may resume it
        lab.open_graph(people.annotator, graph_id)
    queue.want(people.owner, [a_figure.id], 0, **act())
    assert lab.open_graph(people.annotator, graph_id)
    with pytest.raises(Refused):
        take(people.annotator, a_figure)


# --- imports that are attached to no figure ----------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_loose_imports_are_hidden_while_an_annotator_has_figures_to_draw(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    graph_id = bring_in(people.owner, lines="X -> Y", title="Loose")
    assert (titles(people.annotator), lab.list_graphs(people.annotator).hides) == (["Loose"], "")
    figure = another_figure("One")
    assert (titles(people.annotator), lab.list_graphs(people.annotator).hides) == ([], "imports")
    with pytest.raises(Refused, match=HIDDEN):
        lab.open_graph(people.annotator, graph_id)
    draw(people.annotator, figure.id, submit=True)
    assert "Loose" in titles(people.annotator)


def test_the_owner_may_show_them_but_not_those_with_three_names_of_an_open_figure(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    two = bring_in(people.owner, lines=f"{NAMES[0]} -> {NAMES[1]} -> Other", title="Two names")
    three = bring_in(people.owner, title="Three names")
    show_loose(people.owner)
    assert sorted(titles(people.annotator)) == ["Three names", "Two names"]  # nothing was drawn yet
    draw(people.colleague, a_figure.id, " -> ".join(name.upper() for name in NAMES))
    assert (titles(people.annotator), lab.list_graphs(people.annotator).hides) == (["Two names"], "figures")
    assert lab.open_graph(people.annotator, two)
    with pytest.raises(Refused, match=HIDDEN):
        lab.open_graph(people.annotator, three)


@pytest.mark.both(usually=False)
def test_many_figures_and_what_changes_in_them_are_followed(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    """More figures than are asked of the store each time, so that what was found out before is used."""
    show_loose(people.owner)
    figures = many_figures(9)
    work, _graph = draw(people.colleague, figures[7], f"{NAMES[0]} -> {NAMES[1]}")
    bring_in(people.owner, title="Gold")
    for _twice in range(2):
        assert titles(people.annotator) == ["Gold"]
    transcribing.add_lines(people.colleague, work, f"{NAMES[1]} -> {NAMES[2]}", pasted=False, seen=2, **act())
    for _twice in range(2):
        assert titles(people.annotator) == []
    transcribing.undo(people.colleague, work, seen=3, **act())
    assert titles(people.annotator) == ["Gold"]
    bring_in(people.owner, title="More", lines=f"{NAMES[0]} -> {NAMES[1]} -> More")
    assert sorted(titles(people.annotator)) == ["Gold", "More"]


@pytest.mark.usefixtures("untrained")
def test_the_practice_diagram_is_no_figure_of_the_study(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    show_loose(people.owner)
    work = practice.begin(people.annotator, **act()).subject_id
    seen = reading.transcription(people.annotator, work).version
    transcribing.add_lines(people.annotator, work, LINES, pasted=False, seen=seen, **act())
    bring_in(people.owner)
    assert titles(people.annotator) == [f"{SECRET} title"]


def test_an_archived_import_stays_hidden_by_its_link(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id = bring_in(people.owner, figure=a_figure.id)
    importing.archive_graph(people.owner, graph_id, True, seen=1, **act())
    with pytest.raises(Refused, match=HIDDEN):
        lab.open_graph(people.annotator, graph_id)
    with pytest.raises(Missing):
        lab.open_graph(people.annotator, "gone")


# --- those who draw and may see others' work ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["attached", "like"])
def test_a_researcher_sees_it_until_they_draw_the_figure_themselves(
    kind: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    draw(people.colleague, a_figure.id, LINES, submit=True)
    graph_id = bring_in(people.owner, figure=a_figure.id if kind == "attached" else None)
    other = bring_in(people.owner, lines="X -> Y", title="Of nothing")
    assert {f"{SECRET} title", "Of nothing"} <= set(titles(people.researcher))
    _work, own = draw(people.researcher, a_figure.id, "C -> D")
    for name, way in WAYS.items():
        with pytest.raises(Refused, match=HIDDEN):
            way(study, people.researcher, graph_id, own)
        if name == "opened":
            assert way(study, people.researcher, other, own)
    assert f"{SECRET} title" not in titles(people.researcher) and titles(people.researcher, SECRET) == []
    assert lab.list_graphs(people.researcher).hides == "drawn"


@pytest.mark.both(usually=False)
def test_the_list_of_what_was_brought_in_counts_nothing_of_a_figure_one_is_drawing(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    bring_in(people.owner, figure=a_figure.id)
    draw(people.researcher, a_figure.id)
    (theirs,) = importing.imported_graphs(people.researcher)
    assert (theirs.is_blind, theirs.nodes, theirs.edges) == (True, 0, 0)
    (own,) = importing.imported_graphs(people.owner)
    assert (own.is_blind, own.nodes, own.edges) == (False, 3, 2)
    importing.archive_graph(people.researcher, theirs.id, True, seen=theirs.version, **act())  # and can be archived


def test_what_one_brought_in_oneself_stays_open_and_is_noted(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    draw(people.researcher, a_figure.id)
    assert looks(study) == []
    graph_id = bring_in(people.researcher, figure=a_figure.id)
    assert looks(study) == [("figure.look", a_figure.id, people.researcher.person_id)]
    assert lab.open_graph(people.researcher, graph_id) and f"{SECRET} title" in titles(people.researcher)


# --- looks -------------------------------------------------------------------------------------------------------


def barred(viewer: Viewer, figure: SimpleNamespace) -> bool:
    if figure.id in [work.figure_id for work in lists.own_lists(viewer).free]:
        return False
    with pytest.raises(Refused, match="not be blind"):
        take(viewer, figure)
    return True


@pytest.mark.parametrize("way", ["opened", "measured", "paths", "file", "as the truth", "as the prediction"])
def test_who_looked_at_an_import_of_a_figure_does_not_draw_it(
    way: str, sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id, other = bring_in(people.owner, figure=a_figure.id), bring_in(people.owner, lines="X -> Y")
    assert not barred(people.researcher, a_figure)
    for _twice in range(2):
        WAYS[way](sqlite_study, people.researcher, graph_id, other)
    mine = [look for look in looks(sqlite_study) if look[2] == people.researcher.person_id]
    assert ("figure.look", a_figure.id, people.researcher.person_id) in mine
    assert len(mine) == len(set(mine))  # the first look is kept, and no other
    assert barred(people.researcher, a_figure)


def test_a_look_at_a_loose_import_bars_from_the_figure_it_is_like(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    draw(people.colleague, a_figure.id, LINES, submit=True)
    graph_id = bring_in(people.owner)
    lab.open_graph(people.researcher, graph_id)
    who = people.researcher.person_id
    assert {look for look in looks(study) if look[2] == who} == {
        ("graph.look", graph_id, who),
        ("figure.look", a_figure.id, who),
    }
    assert barred(people.researcher, a_figure)


def test_it_may_turn_out_later_what_a_loose_import_was_of(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id = bring_in(people.owner)
    lab.open_graph(people.researcher, graph_id)
    assert looks(study) == [("graph.look", graph_id, people.researcher.person_id)]
    assert not barred(people.researcher, a_figure)
    draw(people.colleague, a_figure.id, LINES)
    assert barred(people.researcher, a_figure)
    assert not barred(people.owner, a_figure)  # who brought it in, before anything was drawn, and never opened it


@pytest.mark.parametrize("kind", ["attached", "like"])
@pytest.mark.both(usually=False)
def test_bringing_in_an_import_of_a_figure_is_a_look(
    kind: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    draw(people.colleague, a_figure.id, LINES, submit=True)
    bring_in(people.researcher, figure=a_figure.id if kind == "attached" else None)
    assert looks(study) == [("figure.look", a_figure.id, people.researcher.person_id)]
    assert barred(people.researcher, a_figure)


def test_who_never_draws_leaves_no_looks(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    graph_id = bring_in(terminal_viewer(), figure=a_figure.id)
    for viewer in (people.reviewer, people.expert, terminal_viewer()):
        lab.open_graph(viewer, graph_id)
    assert looks(study) == []


def test_an_owner_who_works_as_an_annotator_sees_and_is_noted_as_the_annotator(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    demo = newcomer("Demo annotator", Role.ANNOTATOR, is_demo=True)
    local = newcomer("Local owner", Role.OWNER, is_local=True)
    graph_id = bring_in(people.researcher, figure=a_figure.id)
    access.work_as(local, demo.person_id, **act())
    working = replace(local, person_id=demo.person_id, roles=demo.roles, acting_owner=local.person_id)
    with pytest.raises(Refused, match=HIDDEN):
        lab.open_graph(working, graph_id)
    draw(working, a_figure.id, submit=True)
    lab.open_graph(working, graph_id)
    assert looks(study)[-1] == ("figure.look", a_figure.id, demo.person_id)


@pytest.mark.parametrize("kind", ["attached", "loose"])
@pytest.mark.both(usually=False)
def test_no_search_list_or_count_tells_what_an_import_holds_that_one_has_not_opened(
    kind: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    """A letter at a time, a search that finds or does not would spell every name, and leave no look."""
    graph_id = bring_in(terminal_viewer(), figure=a_figure.id if kind == "attached" else None, title="Gold")
    words = [NAMES[0][:length] for length in range(1, len(NAMES[0]) + 1)]
    for viewer in (people.owner, people.researcher):
        assert [titles(viewer, word) for word in words if "g" not in word.lower()] == [[]] * len(words), viewer.name
        (line,) = lab.list_graphs(viewer, "gold").lines
        assert (line.nodes, line.edges, line.signed, line.matched, line.is_unseen) == (0, 0, 0, (), True)
        (line,) = lab.list_graphs(viewer).lines
        assert (line.nodes, line.edges, line.signed, line.is_unseen) == (0, 0, 0, True)
        (brought_in,) = importing.imported_graphs(viewer)
        assert (brought_in.nodes, brought_in.edges, brought_in.is_unseen) == (0, 0, True)
    assert titles(people.reviewer, "secret g") == ["Gold"] and not looks(study)
    lab.open_graph(people.researcher, graph_id)
    (line,) = lab.list_graphs(people.researcher, "secret g").lines
    assert (line.nodes, line.edges, line.matched, line.is_unseen) == (3, 2, (NAMES[1],), False)
    assert importing.imported_graphs(people.researcher)[0].nodes == 3
    assert {person for _act, _subject, person in looks(study)} == {people.researcher.person_id}


@pytest.mark.both(usually=False)
def test_a_search_does_not_look_into_colleagues_work_on_a_figure_that_one_may_yet_draw(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    _work, graph_id = draw(people.colleague, a_figure.id, LINES, submit=True)
    assert titles(people.researcher, "secret") == []
    (line,) = lab.list_graphs(people.researcher).lines
    assert (line.id, line.nodes, line.edges, line.is_unseen) == (graph_id, 0, 0, True)
    lab.open_graph(people.researcher, graph_id)
    assert lab.list_graphs(people.researcher, "secret g").lines[0].matched == (NAMES[1],)


@pytest.mark.both
def test_a_colleagues_work_taken_away_as_a_file_is_a_look(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work, _graph = draw(people.colleague, a_figure.id, LINES, submit=True)
    for viewer in (people.reviewer, people.colleague):  # who never draws, and whose own it is
        exporting.export_transcription(viewer, work, GraphForm.CSV)
    assert not looks(study)
    for _ in range(2):
        exporting.export_transcription(people.researcher, work, GraphForm.CSV)
    assert looks(study) == [("figure.look", a_figure.id, people.researcher.person_id)]
    with pytest.raises(Refused):
        take(people.researcher, a_figure)


@pytest.mark.both
def test_where_no_figure_is_to_be_drawn_every_graph_is_searched(study: Study, people: SimpleNamespace) -> None:
    bring_in(terminal_viewer())
    assert lab.list_graphs(people.researcher, "secret g").lines[0].matched == (NAMES[1],)


# --- the setting -------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_the_setting_is_off_and_the_owners(study: Study, people: SimpleNamespace) -> None:
    assert blind_settings.settings(people.owner) == blind_settings.BlindSettings(False, 0)
    receipt = blind_settings.save_settings(people.owner, True, seen=0, **act())
    assert blind_settings.settings(people.owner) == blind_settings.BlindSettings(True, receipt.version)
    with pytest.raises(Conflict):
        blind_settings.save_settings(people.owner, False, seen=0, **act())
    with pytest.raises(BadInput, match="True or False"):
        blind_settings.save_settings(people.owner, 1, seen=1, **act())  # type: ignore[arg-type]  # no truth value
    for viewer in (people.researcher, people.reviewer, people.annotator):
        with pytest.raises(Refused):
            blind_settings.save_settings(viewer, False, seen=1, **act())
