"""The bare page mounts a component as Streamlit's own page does: what tests on it show holds there too."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bare_page import variables
from tests.browser.component_app import ComponentApp, served
from tests.browser.conftest import settle

SCRIPT = """
import json
import streamlit as st

PROBE = '''
export default (given) => {
  const { data, name, key, parentElement, setStateValue, setTriggerValue } = given;
  const part = parentElement.querySelector("[data-probe]");
  const style = getComputedStyle(part);
  const told = { given: Object.keys(given).sort(), data, name, within: parentElement.constructor.name };
  told.is_keyed = key.startsWith("st-bidi-component-");
  told.theme = Object.fromEntries(data.asked.map((each) => [each, style.getPropertyValue(`--st-${each}`).trim()]));
  told.text = ["color", "font-family", "font-size", "line-height", "letter-spacing"].map((each) => style[each]);
  (window.told ??= []).push(told);
  part.onclick = () => {
    setStateValue("first", { n: 1 });
    setStateValue("second", [2]);
    setTriggerValue("hit", 3);
  };
  return () => window.told.push("removed");
};
'''
probe = st.components.v2.component(
    "probe", html="<button data-probe>Probe</button>", css="[data-probe] {\\n letter-spacing: 3px }", js=PROBE
)
heard = st.session_state.setdefault("heard", [])
data = {"asked": json.loads(st.query_params["asked"]), "n": int(st.button("Other data"))}


def hear():
    heard.append(dict(st.session_state["probe"]))


if not st.button("Take away"):
    found = probe(key="probe", data=data, on_first_change=hear, on_second_change=hear, on_hit_change=hear)
    st.text(f"found {dict(found)}")
st.text(f"heard {heard[-1:]}")
st.button("Same data")
"""
ASKED = sorted(variables("light"))


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComponentApp]:
    with served(tmp_path_factory.mktemp("probe"), SCRIPT) as found:
        yield found


def seen(page: Page, address: str) -> list[Any]:
    """What a component is told and heard to say from its mounting to its end."""
    page.goto(f"{address}?asked={str(ASKED).replace(chr(39), chr(34))}")
    probe = page.get_by_role("button", name="Probe")
    expect(probe).to_be_visible()
    settle(page)
    said = []

    def note() -> None:
        settle(page)
        told = page.evaluate("window.told.splice(0)")
        said.append([each for each, _again in itertools.groupby(told)])
        said.extend(sorted(page.get_by_text("heard ").or_(page.get_by_text("found ")).all_inner_texts()))

    note()
    probe.click()
    expect(page.get_by_text("heard ")).to_contain_text("'hit': 3")
    page.get_by_role("button", name="Same data").click()
    expect(page.get_by_text("found ")).to_contain_text("'hit': None")
    note()
    page.get_by_role("button", name="Other data").click()
    page.wait_for_function("window.told.some(({ data }) => data.n === 1)")
    note()
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("window.told.length > 0")
    note()
    page.get_by_role("button", name="Take away").click()
    page.wait_for_function("window.told.includes('removed')")
    note()
    return said


def test_a_component_is_told_the_same_on_the_bare_page_as_on_streamlits(
    app: ComponentApp, new_page: Callable[..., Page]
) -> None:
    page = new_page(app)
    bare = seen(page, app.bare)
    page.emulate_media(color_scheme="light")  # as at the beginning
    real = seen(page, app.url)
    assert bare == real
    assert real[0][0]["theme"] == variables("light")
