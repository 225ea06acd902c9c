// The list on the right: findings first, then the changes of the stage, of all kinds or of one.

import { make, scrollTo, setText } from "../desk/dom.js";
import { kindsOf } from "./view.js";
import { findingWords, shortened } from "./words.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */

/** @param {Frame} c */
export function createList(c) {
  const kinds = /** @type {HTMLSelectElement} */ (make("select", { "aria-label": "Kind of change (k)" }));
  kinds.addEventListener("change", () => c.commands.listKind(kinds.value));
  const count = make("p", { class: "cv-small tx-count" });
  const findings = make("ol", { class: "tx-rows", "aria-label": "Findings" });
  const changes = make("ol", { class: "tx-rows", "aria-label": "Changes" });
  const scroller = make("div", { class: "tx-scroll" }, findings, changes);
  const element = make(
    "section",
    { class: "tx-list", "aria-label": "Changes and findings" },
    make("div", { class: "cv-row tx-list-head" }, kinds, count),
    scroller,
  );
  let [kindsShown, findingsShown, changesShown] = ["", "", ""];

  function row(attributes, press, ...parts) {
    const button = make("button", { type: "button", tabindex: "-1", ...attributes }, ...parts);
    button.addEventListener("click", press);
    return make("li", {}, button);
  }

  function drawKinds(all) {
    const rows = kindsOf(all);
    const wanted = JSON.stringify(rows);
    if (wanted !== kindsShown) {
      kindsShown = wanted;
      kinds.replaceChildren(
        make("option", { value: "", text: `All changes (${all.length.toLocaleString("en")})` }),
        ...rows.map(([kind, n]) => make("option", { value: kind, text: `${kind} (${n.toLocaleString("en")})` })),
      );
    }
    kinds.value = c.ui.kind;
  }

  function drawFindings(found) {
    const wanted = JSON.stringify(found);
    if (wanted === findingsShown) return;
    findingsShown = wanted;
    findings.replaceChildren(
      ...found.map((each, n) =>
        row(
          { "data-finding": n, "data-leak": each.is_structural },
          () => c.commands.chooseFinding(n),
          make("b", { text: findingWords(each) }),
          make("span", { text: shortened(each.text) }),
        ),
      ),
    );
  }

  function drawChanges(stage, listed) {
    const wanted = JSON.stringify([stage.url, stage.id, c.ui.kind, listed.length, c.text.element.dataset.shown]);
    if (wanted !== changesShown) {
      changesShown = wanted;
      changes.replaceChildren(...listed.map(changeRow));
    }
    for (const [n, { number }] of listed.entries())
      changes.children[n].firstChild.toggleAttribute("data-rejected", c.view.isRejected(stage.id, number));
  }

  function changeRow(change) {
    const { number, kind, page, put, flagged } = change;
    const parts = [
      make("small", { text: page === null ? kind : `${kind}, p. ${page}` }),
      make("del", { text: shortened(c.text.wasOf(number)) || " " }),
    ];
    if (put.trim() !== "") parts.push(make("ins", { text: shortened(put) }));
    if (flagged.length > 0) parts.push(make("em", { text: `Not in the paper nearby: ${flagged.join(", ")}` }));
    return row({ "data-change": number }, () => c.commands.chooseChange(number), ...parts);
  }

  return {
    element,
    draw() {
      const stage = c.stage();
      const listed = c.listed();
      drawKinds(stage.changes);
      drawFindings(c.findings());
      drawChanges(stage, listed);
      const rejected = listed.filter(({ number }) => c.view.isRejected(stage.id, number)).length;
      setText(count, listed.length === 0 ? "" : `${rejected.toLocaleString("en")} rejected`);
      kinds.hidden = stage.changes.length === 0;
      const { change, finding } = c.ui;
      const sought = finding === null ? `[data-change="${change}"]` : `[data-finding="${finding}"]`;
      for (const each of scroller.querySelectorAll("[aria-current]")) {
        each.removeAttribute("aria-current");
        each.setAttribute("tabindex", "-1");
      }
      const chosen = /** @type {HTMLElement | null} */ (scroller.querySelector(sought));
      chosen?.setAttribute("aria-current", "true");
      chosen?.setAttribute("tabindex", "0");
    },
    reveal() {
      const chosen = /** @type {HTMLElement | null} */ (scroller.querySelector("[aria-current]"));
      if (chosen !== null) scrollTo(scroller, chosen);
    },
  };
}
