// The body of a text: its chunks, of which the visible ones are filled at once and the others gradually.

import { make } from "../desk/dom.js";
import { inSlices } from "./slices.js";

/** @typedef {import("./types.d.ts").Run} Run */

const FIRST = 2; // chunks, more than a screen shows

export function createBody() {
  const element = make("div", { class: "tx-body" });
  /** @type {ReturnType<typeof import("./paint.js").painted>} */
  let chunks = [];
  let filling = inSlices(0, () => {});
  /** @type {Element[]} */
  let chosen = [];

  /** Elements of `selector` in the meant runs, which are filled with their surroundings.
   * @param {string} selector
   * @param {(run: Run) => boolean} isMeant */
  function find(selector, isMeant) {
    for (const [n, chunk] of chunks.entries()) if (chunk.has(isMeant)) filling.needAll(n - 1, n + 1);
    return [...element.querySelectorAll(selector)];
  }

  return {
    element,
    /** `isAgain`: the same text with other changes, at its scroll position.
     * @param {typeof chunks} next
     * @param {boolean} isAgain */
    draw(next, isAgain) {
      filling.stop();
      chunks = next;
      filling = inSlices(chunks.length, (n) => chunks[n].fill());
      filling.needAll(0, isAgain ? chunks.length - 1 : FIRST - 1);
      element.replaceChildren(...chunks.map((each) => each.element));
    },
    fill: () => filling.needAll(),
    /** Mark the runs of a finding, else of a change.
     * @param {number | null} change
     * @param {number | null} finding */
    choose(change, finding) {
      for (const each of chosen) each.removeAttribute("data-chosen");
      chosen = [];
      if (finding !== null)
        chosen = find(`[data-findings~="${finding}"]`, ({ findings: inside }) => inside.includes(finding));
      else if (change !== null) chosen = find(`[data-number="${change}"]`, ({ number }) => number === change);
      for (const each of chosen) each.setAttribute("data-chosen", "");
    },
    /** The first run that is marked. */
    chosen: () => chosen[0] ?? null,
  };
}
