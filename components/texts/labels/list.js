// The nodes to label, each with its three levels.

import { make, scrollTo, setText } from "../../desk/dom.js";
import { LEVELS } from "./view.js";

/** @typedef {import("../../desk/types.d.ts").Frame} Frame */

/** @param {Frame} c */
export function createNodes(c) {
  const rows = make("ol", { class: "tx-rows tx-nodes", "aria-label": "Nodes" });
  const scroller = make("div", { class: "tx-scroll" }, rows);
  const count = make("p", { class: "cv-small tx-count" });
  const element = make("section", { class: "tx-list", "aria-label": "Levels" }, count, scroller);
  let shown = "";

  function rowOf(node) {
    const levels = [...LEVELS].map(([level, word]) => {
      const button = make("button", {
        type: "button",
        class: "tx-level",
        "data-level": level,
        text: `${level} ${word}`,
      });
      button.addEventListener("click", () => c.commands.setLevel(node, level));
      return button;
    });
    const name = make("button", { type: "button", class: "tx-node", text: node });
    name.addEventListener("click", () => c.commands.choose(node));
    return make(
      "li",
      { "data-node": node },
      name,
      make("div", { class: "tx-levels", role: "group", "aria-label": node }, ...levels),
    );
  }

  return {
    element,
    draw() {
      const { nodes } = c.data;
      const signature = JSON.stringify(nodes);
      if (signature !== shown) {
        shown = signature;
        rows.replaceChildren(...nodes.map(rowOf));
      }
      for (const [n, node] of nodes.entries()) {
        const row = rows.children[n];
        row.toggleAttribute("data-current", node === c.ui.node);
        const name = /** @type {HTMLElement} */ (row.querySelector(".tx-node"));
        if (node === c.ui.node) name.setAttribute("aria-current", "true");
        else name.removeAttribute("aria-current");
        for (const button of row.querySelectorAll("[data-level]")) {
          const level = Number(/** @type {HTMLElement} */ (button).dataset.level);
          button.setAttribute("aria-pressed", String(c.view.levels.get(node) === level));
          button.toggleAttribute("disabled", !c.view.isOpen);
        }
      }
      setText(count, `${nodes.length - c.view.missing.length} of ${nodes.length} labelled`);
    },
    reveal() {
      const row = /** @type {HTMLElement | null} */ (rows.querySelector("[data-current]"));
      if (row !== null) scrollTo(scroller, row);
    },
  };
}
