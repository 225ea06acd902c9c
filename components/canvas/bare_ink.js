// Bare ink: printed arrows on which no edge stands, gone through one by one. Part of the sweep.

import { count } from "../desk/dom.js";
import { boundsOf } from "./geometry.js";

/**
 * `goTo(item or null)` is the sweep's: it asks about an item, or about nothing.
 * @param {import("./types.d.ts").Canvas} c
 * @param {(item: import("./sweep.js").Item | null) => void} goTo
 */
export function createArrows(c, goTo) {
  let last = 0; // the place of the one last asked about: when it has its edge, the next one has that place

  /** In the order of the page.
   * @returns {import("./sweep.js").Item[]} */
  const items = () =>
    [...c.graph.view().arrows].map(([key, path]) => ({
      kind: "arrow",
      key,
      name: "",
      box: boundsOf(path),
      isOpen: true,
    }));

  return {
    items,
    /** To the next one (1), or to the one before (-1). */
    step(by) {
      const bare = items();
      const { sweep } = c.ui;
      if (bare.length === 0) {
        if (sweep?.kind === "arrow") goTo(null);
        return c.say("No printed arrow is without an edge.");
      }
      const at = bare.findIndex(({ key }) => sweep?.kind === "arrow" && sweep.key === key);
      const wanted = at >= 0 ? at + by : last + Math.min(by, 0);
      last = (wanted + bare.length) % bare.length;
      return goTo(bare[last]);
    },
    /** Of the one that is asked about; null if none is, or it has its edge. */
    course: () => (c.ui.sweep?.kind === "arrow" ? (c.graph.view().arrows.get(c.ui.sweep.key) ?? null) : null),
    question(id) {
      const ids = items().map(({ key }) => key);
      if (ids.includes(id)) return `Printed arrow ${ids.indexOf(id) + 1} of ${ids.length} without an edge. Draw it?`;
      return `✓ This arrow has its edge. ${ids.length === 0 ? "None is" : count(ids.length, "arrow")} left.`;
    },
  };
}
