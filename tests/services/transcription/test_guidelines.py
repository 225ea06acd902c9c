"""Guidelines: every version stays, nobody writes over another's."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace

import pytest

from core.errors import BadInput, Conflict
from services.study import Study
from services.transcription.guidelines import guideline_versions, guidelines, save_guidelines
from store.tables import new_id


def test_before_any_are_written_there_is_an_empty_version_zero(study: Study, people: SimpleNamespace) -> None:
    assert (guidelines(people.annotator).number, guidelines(people.annotator).text) == (0, "")


@pytest.mark.both
def test_a_new_text_is_a_new_version_and_the_old_ones_stay(study: Study, people: SimpleNamespace) -> None:
    save_guidelines(people.owner, "Draw every arrow.", seen=0, act_id=new_id())
    save_guidelines(people.owner, "Draw every arrow once.", seen=1, act_id=new_id())
    assert [(v.number, v.text) for v in guideline_versions(people.annotator)] == [
        (2, "Draw every arrow once."),
        (1, "Draw every arrow."),
    ]
    assert guidelines(people.annotator).created_at == study.clock()


@pytest.mark.both
def test_a_text_written_after_an_older_version_is_a_conflict(study: Study, people: SimpleNamespace) -> None:
    save_guidelines(people.owner, "One", seen=0, act_id=new_id())
    with pytest.raises(Conflict) as caught:
        save_guidelines(people.owner, "Other", seen=0, act_id=new_id())
    assert (caught.value.seen, caught.value.found) == (0, 1)
    assert guidelines(people.owner).text == "One"


@pytest.mark.both
def test_of_eight_texts_written_at_once_one_is_kept_and_seven_are_told(study: Study, people: SimpleNamespace) -> None:
    together = Barrier(8)

    def write(number: int) -> bool:
        together.wait()
        try:
            save_guidelines(people.owner, f"Text {number}", seen=0, act_id=new_id())
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(write, range(8))) == 1
    assert [version.number for version in guideline_versions(people.owner)] == [1]


@pytest.mark.parametrize(("text", "message"), [(" \n", "empty"), ("x" * 100_001, "100,001 characters")])
def test_an_empty_or_endless_text_is_refused(
    sqlite_study: Study, people: SimpleNamespace, text: str, message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        save_guidelines(people.owner, text, seen=0, act_id=new_id())
