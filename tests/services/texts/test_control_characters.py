"""Control characters of a PDF: none in its text, whose release and runs are written as files that import again."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
from sqlmodel import select

from core.errors import BadInput
from core.papers.pages import Box
from exchange.recite_responses import PublicKind
from services.graphs import sample_tables
from services.papers import figures, importing
from services.protocols.recite.public_tables import exporting
from services.protocols.recite.public_tables import importing as public_importing
from services.releases import releasing
from services.releases.files import ReleaseForm
from services.study import Study
from services.texts import edits, reading
from store.papers import texts as stored_texts
from store.tables import PaperTextRow, new_id
from tests.documents.control_pdf import control_pdf
from tests.services.release_parts import lay_truth
from tests.services.releases.test_releasing import freeze
from tests.services.releases.test_texts import license_paper
from tests.services.run_parts import finished, start
from tests.services.runs.narratives import wanted
from tests.services.text_parts import lay_pages
from tests.services.texts.test_labelling import NAMES, make_ready

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
PAGES = [
    [
        b"Rain fills the lake every spring \x00 5 and e\x0ccient pipes carry it to the town,",
        b"the \x03bullet and \x1funit\x01 a\rb c\x0bd e\x1cf \x7f \x85 stand in its reports as they were",
        b"printed in haste \x0e after the great drought.\x1b\x08",
    ],
    [b"In summer the level of the water \x02\x13 falls, and the people of the town must carry", b"buckets of it.\x00"],
]


@pytest.mark.both(usually=False)
def test_a_text_with_control_characters_is_ready_released_exported_and_imported_again(
    study: Study, people: SimpleNamespace
) -> None:
    viewer = people.researcher
    paper = importing.import_file(viewer, "lake.pdf", control_pdf(PAGES), act_id=new_id()).paper_id
    box = Box(100, 300, 300, 400)
    figure = figures.locate(viewer, paper, 1, box, label="Figure 1", act_id=new_id()).subject_id
    lay_truth(study, figure, NAMES)
    make_ready(people, figure)
    with study.store.reading() as session:
        stored = list(session.exec(select(PaperTextRow.content).order_by(PaperTextRow.id)))
    assert len(stored) == 2
    assert [CONTROLS.findall(content) for content in stored] == [[], []]
    assert "spring \ufffd 5 and" in stored[-1]  # a minus may stand there, so it is not dropped
    license_paper(study, SimpleNamespace(paper_id=paper), "CC BY 4.0")
    number = freeze(viewer).version
    released = releasing.export(people.reviewer, number, ReleaseForm.PARQUET).content
    brought = sample_tables.import_samples(viewer, "default.parquet", released, with_faulty=False, act_id=new_id())

    run = start(viewer, wanted(brought.subject_id, baselines=("hub",)))
    finished(study, viewer, run)
    files = {file.name: file.content for file in exporting.export_public(viewer, [run]).files}
    assert files["default.parquet"] == released
    done = public_importing.import_public(
        viewer,
        "responses.parquet",
        files["responses.parquet"],
        PublicKind.RESPONSES,
        with_faulty=False,
        act_id=new_id(),
    )
    assert done.subject_id


def test_words_of_a_page_have_no_control_characters(sqlite_study: Study, people: SimpleNamespace) -> None:
    paper = importing.import_file(people.researcher, "lake.pdf", control_pdf(PAGES), act_id=new_id()).paper_id
    words = figures.page(people.researcher, paper, 1).words
    assert words
    assert CONTROLS.findall(" ".join(word.text + word.printed for word in words)) == []


def test_a_text_stored_with_nul_by_an_earlier_version_is_exported_to_what_imports_again(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    lay_pages(sqlite_study, a_figure.sha256)
    lay_truth(sqlite_study, a_figure.id, NAMES)
    make_ready(people, a_figure.id)
    license_paper(sqlite_study, a_figure, "CC BY 4.0")
    as_before(sqlite_study, a_figure.id)
    number = freeze(people.researcher).version
    content = releasing.export(people.reviewer, number, ReleaseForm.PARQUET).content
    (row,) = pq.read_table(io.BytesIO(content)).to_pylist()
    assert row["input_text"].startswith("\ufffd\ufffd\ufffd\n")
    brought = sample_tables.import_samples(
        people.researcher, "default.parquet", content, with_faulty=False, act_id=new_id()
    )
    assert sample_tables.sample_tables(people.researcher)[0].with_text == 1
    run = start(people.researcher, wanted("", baselines=("hub",), options={"release": number}))
    finished(sqlite_study, people.researcher, run)
    file = exporting.export_public(people.researcher, [run]).files[0]
    read = sample_tables.preview_samples(people.researcher, file.name, file.content)
    assert (read.samples, read.faults, read.error) == (1, (), "")
    assert brought.subject_id


def as_before(study: Study, figure_id: str) -> None:
    """The figure's ready text with NUL and others in front, as texts were stored by earlier versions."""
    with study.store.writing() as session:
        wanted_stage = PaperTextRow.stage == "markdown"
        last = session.exec(select(PaperTextRow).where(PaperTextRow.figure_id == figure_id, wanted_stage)).one()
        last.content = f"\x00\x03\x1b\r\n{last.content}"
        last.sha256 = stored_texts.text_hash(last.content)
        session.add(last)


@pytest.mark.parametrize("said", ["\x00", "a \x0crac", "b\x08eta", "x\x85"])
def test_new_words_with_a_control_character_are_refused_and_those_of_windows_are_not(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, said: str
) -> None:
    lay_pages(sqlite_study, a_figure.sha256)
    lay_truth(sqlite_study, a_figure.id, NAMES)
    make_ready(people, a_figure.id)
    view = reading.view(people.researcher, a_figure.id)
    assert view is not None
    text = reading.content(people.researcher, view.last.sha256)
    start = text.index("old pipe")

    def replace(words: str) -> None:
        edits.replace(
            people.researcher,
            a_figure.id,
            view.last.text_id,
            start,
            start + 8,
            words,
            was="old pipe",
            seen=view.version,
            act_id=new_id(),
        )

    with pytest.raises(
        BadInput, match=r"The new words contain a control character \(U\+00\w\w\) at position \d; remove"
    ):
        replace(said)
    replace("old\r\nwater pipe")
    now = reading.view(people.researcher, a_figure.id)
    assert now is not None
    assert "one old\nwater pipe that" in reading.content(people.researcher, now.last.sha256)
