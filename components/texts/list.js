// The list on the right: findings first, then the changes of the stage, of all kinds or of one.

import { make, scrollTo, setText } from "../desk/dom.js";
import { inSlices } from "./slices.js";
import { kindsOf } from "./view.js";
import { findingWords, shortened } from "./words.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */

const SHOWN = 24; // rows, more than the list shows at a time

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
  /** @type {Element[]} */
  let rows = [];
  let filling = inSlices(0, () => {});

  function pressed(attributes, press, ...parts) {
    const button = make("button", { type: "button", tabindex: "-1", ...attributes }, ...parts);
    button.addEventListener("click", press);
    return button;
  }

  function drawKinds(all) {
    const counts = kindsOf(all);
    const signature = JSON.stringify(counts);
    if (signature !== kindsShown) {
      kindsShown = signature;
      kinds.replaceChildren(
        make("option", { value: "", text: `All changes (${all.length.toLocaleString("en")})` }),
        ...counts.map(([kind, n]) => make("option", { value: kind, text: `${kind} (${n.toLocaleString("en")})` })),
      );
    }
    kinds.value = c.ui.kind;
  }

  function drawFindings(found) {
    const signature = JSON.stringify(found);
    if (signature === findingsShown) return;
    findingsShown = signature;
    findings.replaceChildren(
      ...found.map((each, n) =>
        make(
          "li",
          {},
          pressed(
            { "data-finding": n, "data-leak": each.is_structural },
            () => c.commands.chooseFinding(n),
            make("b", { text: findingWords(each) }),
            make("span", { text: shortened(each.text) }),
          ),
        ),
      ),
    );
  }

  /** Draw the changes, once the text with the words that they replace is loaded. */
  function drawChanges(stage, listed) {
    const isThere = c.text.element.dataset.shown === stage.url;
    const signature = isThere ? JSON.stringify([stage.url, stage.id, c.ui.kind, listed.length]) : "";
    if (signature !== changesShown) {
      changesShown = signature;
      filling.stop();
      rows = isThere ? listed.map(() => make("li", {})) : [];
      filling = inSlices(rows.length, (n) => rows[n].append(changeRow(listed[n])));
      changes.replaceChildren(...rows);
    }
    const at = listed.findIndex(({ number }) => number === c.ui.change);
    filling.needAll(Math.max(0, at - SHOWN), Math.max(0, at) + SHOWN);
    for (const [n, row] of rows.entries())
      row.firstElementChild?.toggleAttribute("data-rejected", c.view.isRejected(stage.id, listed[n].number));
  }

  function changeRow(change) {
    const { number, kind, page, put, flagged } = change;
    const parts = [
      make("small", { text: page === null ? kind : `${kind}, p. ${page}` }),
      make("del", { text: shortened(c.text.wasOf(number)) || " " }),
    ];
    if (put.trim() !== "") parts.push(make("ins", { text: shortened(put) }));
    if (flagged.length > 0) parts.push(make("em", { text: `Not in the paper nearby: ${flagged.join(", ")}` }));
    const row = pressed({ "data-change": number }, () => c.commands.chooseChange(number), ...parts);
    row.toggleAttribute("data-rejected", c.view.isRejected(c.stage().id, number));
    return row;
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
      const selector = finding === null ? `[data-change="${change}"]` : `[data-finding="${finding}"]`;
      for (const each of scroller.querySelectorAll("[aria-current]")) {
        each.removeAttribute("aria-current");
        each.setAttribute("tabindex", "-1");
      }
      const chosen = /** @type {HTMLElement | null} */ (scroller.querySelector(selector));
      chosen?.setAttribute("aria-current", "true");
      chosen?.setAttribute("tabindex", "0");
    },
    reveal() {
      const chosen = /** @type {HTMLElement | null} */ (scroller.querySelector("[aria-current]"));
      if (chosen !== null) scrollTo(scroller, chosen);
    },
  };
}
