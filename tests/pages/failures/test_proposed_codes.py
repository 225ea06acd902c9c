"""Proposed codes on their screens: turned on by the owner, asked for from the list, decided by keys."""

from __future__ import annotations

from types import SimpleNamespace

from services.failures import codes, proposal_settings
from services.study import Study
from tests.pages.failures.test_coding import keys
from tests.pages.run_screens import draw_failures, draw_runs, labels, opened, press, table, texts
from tests.services.failures.test_coding import claimed, code, submit
from tests.services.failures.test_proposed_codes import config, drawn, world
from tests.services.run_parts import finished, start


def test_coders_decide_by_keys_and_the_screen_compares_with_and_without(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    with world(people, 8) as site:
        finished(sqlite_study, people.researcher, site.run)
        page = opened(draw_failures, people.owner, show="codes")
        assert "Models propose no codes." in texts(page)
        (box,) = [each for each in page.checkbox if "propose codes" in each.label]
        box.check().run()
        press(page, "Save setting")
        assert proposal_settings.settings(people.owner).share_without == 0.25
        assert "Save setting" not in labels(opened(draw_failures, people.researcher, show="codes"))
        line = drawn(people, site.run)
        page = opened(draw_failures, people.researcher, show="codes")
        assert table(page)[0]["Proposals"] == "none yet, 25% without"
        form = opened(draw_runs, people.researcher, show="new", protocol="proposed-codes", coding_list=line.list_id)
        (choice,) = [each for each in form.selectbox if each.label == "Coding list"]
        assert choice.value == line.list_id and choice.options == ["4 failures of run 1"]
        finished(sqlite_study, people.researcher, start(people.researcher, config(line.list_id)))

    own = claimed(people.owner)
    shown = {item: codes.answer_codes(people.owner, item).proposals for item in own.items}
    page = opened(draw_failures, people.reviewer, show="codes")
    press(page, "Code next list")
    for item in own.items:
        assert keys(page).get("Next") is None
        if shown[item]:
            assert 'A model proposes: **Sign**, since “"predicted_sign": "+"” (2 left)' in texts(page)
            assert {name: keys(page)[name] for name in ("Accept", "Reject")} == {"Accept": "y", "Reject": "n"}
            press(page, "Accept")
            press(page, "Reject")
            assert "Accepted: Sign" in texts(page) and "Rejected: Misread" in texts(page)
            assert "Accept" not in labels(page)
            press(page, "Done")
        else:
            press(page, "No code fits")
    press(page, "Submit codes")
    assert "Accepted" not in texts(opened(draw_failures, people.researcher, show="codes"))
    for item in own.items:
        code(people.owner, item, "Sign")
    submit(people.owner, own)
    page = opened(draw_failures, people.researcher, show="codes")
    many = sum(map(bool, shown.values()))
    assert f"People accepted 50% of **{2 * many} proposals** decided" in texts(page)
    rows = {
        row["Proposals"]: row for each in range(len(page.dataframe)) for row in table(page, each) if "Undecided" in row
    }
    assert (rows["With"]["Answers"], rows["With"]["Undecided"]) == (str(many), str(2 * many))
    assert rows["Without"]["Answers"] == str(4 - many) and rows["Without"]["Accepted"] == "–"
