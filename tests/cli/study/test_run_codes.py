"""`edgewise.py runs codes`: agreement of those who coded failures, as numbers and in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace

from core.people import Role, Viewer
from services.failures import coding
from services.study import Study, use_study
from store.tables import new_id
from tests.cli.calling import run
from tests.pages.run_screens import done, triplets
from tests.services.failures.test_coding import claimed, code, submit, write_codebook
from tests.services.run_parts import place_of


def test_agreement_is_there_once_both_have_submitted(
    sqlite_study: Study, people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    second = newcomer("The second coder", Role.REVIEWER)
    write_codebook(people.owner)
    started = done(sqlite_study, people.researcher, triplets(people.researcher, 8))
    coding.draw(people.researcher, started, 4, 1, act_id=new_id())
    for viewer, codes in ((people.reviewer, "Sign Sign Other Other"), (second, "Sign Sign Other Misread")):
        assert run("runs", "codes", "--store", place_of(sqlite_study)).stdout == b"No list of failures is coded yet.\n"
        use_study(sqlite_study)  # the command closed it
        own = claimed(viewer)
        for item, name in zip(own.items, codes.split(), strict=True):
            code(viewer, item, name)
        submit(viewer, own)
    words = run("runs", "codes", "--store", place_of(sqlite_study)).stdout.decode()
    # of 8 values 4 are Sign, 3 Other, 1 Misread: 1 of 4 pairs differs, 38 of 56 would by chance: 1 - 1/4 * 56/38
    assert words.splitlines()[0] == "4 answers of 1 list: the same codes 0.750, α 0.632"
    data = json.loads(run("runs", "codes", "--json", "--store", place_of(sqlite_study)).stdout)
    assert (data["lists"], data["answers"], data["alpha"]["n"]) == (1, 4, 4)
    assert [(each["code"], each["by_any"], each["by_all"]) for each in data["of_codes"]] == [
        ("Sign", 2, 2),
        ("Misread", 1, 0),
        ("Other", 2, 1),
    ]
