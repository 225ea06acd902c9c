"""One act, one id: a repeat is answered with its receipt, another act under the same id is refused."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import Refused
from core.people import Permission, Receipt
from services.acting import Writing, perform
from services.study import Study
from store.tables import new_id

pytestmark = pytest.mark.both(usually=False)


def record(w: Writing) -> Receipt:
    return w.record("table.archive", "setting", "x", version=1)


def test_an_act_with_content_is_refused_under_the_id_of_one_without(study: Study, people: SimpleNamespace) -> None:
    plain, asked = new_id(), new_id()
    perform(people.owner, Permission.MANAGE, plain, record)
    assert perform(people.owner, Permission.MANAGE, plain, record).is_repeat
    perform(people.owner, Permission.MANAGE, asked, record, asked=("a", 1))
    assert perform(people.owner, Permission.MANAGE, asked, record, asked=("a", 1)).is_repeat
    for act_id, content in ((plain, ("a", 1)), (asked, ("a", 2))):
        with pytest.raises(Refused, match="Another act is stored under this act's id"):
            perform(people.owner, Permission.MANAGE, act_id, record, asked=content)
