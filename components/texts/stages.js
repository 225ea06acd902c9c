// The row on top: the stages in their order with the results of their guards, and whether the text is ready.

import { make, pushButton, setText } from "../desk/dom.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */
/** @typedef {import("./types.d.ts").StageData} StageData */

/** @param {Frame} c */
export function createStages(c) {
  const row = make("div", { class: "tx-stages", role: "group", "aria-label": "Stages" });
  const label = make("span");
  const primary = /** @type {HTMLButtonElement} */ (pushButton("", () => c.commands.enter(), { class: "cv-primary" }));
  primary.append(label, make("kbd", { text: "Enter" }));
  const element = make("div", { class: "cv-row tx-top" }, row, primary);
  let shown = "";

  /** @param {StageData} stage @param {number} n */
  function buttonOf({ label: name, size, guard, has_passed: passed }, n) {
    const button = make(
      "button",
      { type: "button", class: "tx-stage", "data-passed": passed === null ? null : String(passed) },
      make("b", { text: name }),
      make("small", { text: [size, guard].filter(Boolean).join(" · ") }),
    );
    button.addEventListener("click", () => c.commands.openStage(n));
    return button;
  }

  function primaryWords() {
    if (c.view.isSettling) return "Saving…";
    if (!c.isLast()) return `Next: ${c.data.stages[c.ui.stage + 1].label}`;
    return c.view.isReady ? "Ready" : "Make ready";
  }

  return {
    element,
    draw() {
      /** @type {StageData[]} */
      const stages = c.data.stages;
      const signature = JSON.stringify(
        stages.map(({ label: name, size, guard, has_passed: p }) => [name, size, guard, p]),
      );
      if (signature !== shown) {
        shown = signature;
        row.replaceChildren(...stages.map(buttonOf));
      }
      for (const [n, button] of [...row.children].entries()) {
        button.setAttribute("aria-pressed", String(n === c.ui.stage));
      }
      setText(label, primaryWords());
      primary.disabled = c.isLast() && (c.view.isReady || c.view.isSettling || !c.isEditable());
    },
  };
}
