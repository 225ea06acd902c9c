// Printed arrows without an edge, visited one by one. Part of the sweep.

import { count, make } from "../desk/dom.js";
import { boundsOf } from "./geometry.js";

const ZOOMED_MS = 200; // after the zoom's glide

/**
 * `goTo(item or null)` of the sweep asks about an item, or ends the question.
 * @param {import("./types.d.ts").Canvas} c
 * @param {(item: import("./sweep.js").Item | null) => void} goTo
 */
export function createArrows(c, goTo) {
  let last = 0; // index of the last question: once that arrow has its edge, the next one has its index

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
    /** Go to the next (1) or the previous one (-1). */
    step(by) {
      const bare = items();
      const { sweep } = c.ui;
      if (bare.length === 0) {
        if (sweep?.kind === "arrow") goTo(null);
        return c.say("All printed arrows are checked.");
      }
      const at = bare.findIndex(({ key }) => sweep?.kind === "arrow" && sweep.key === key);
      const target = at >= 0 ? at + by : last + Math.min(by, 0);
      last = (target + bare.length) % bare.length;
      return goTo(bare[last]);
    },
    /** Path of the current arrow; null if there is none, or it has its edge. */
    course: () => (c.ui.sweep?.kind === "arrow" ? (c.graph.view().arrows.get(c.ui.sweep.key) ?? null) : null),
    question(id) {
      const ids = items().map(({ key }) => key);
      if (ids.includes(id)) return `Printed arrow ${ids.indexOf(id) + 1} of ${ids.length} without an edge. Draw it?`;
      return `✓ This arrow has its edge. ${ids.length === 0 ? "None is" : count(ids.length, "arrow")} left.`;
    },
  };
}

/** On a phone a canvas may be taller than the window: scroll the page to the current arrow, once the zoom has
 * ended. It scrolls to a mark outside the figure's own window, which would be scrolled too, behind its own zoom.
 * @param {import("./types.d.ts").Canvas} c
 * @param {number[]} box */
export function bringIntoView(c, [x, y0, , y1]) {
  setTimeout(() => {
    if (!c.root.isConnected) return;
    const [top, bottom] = [y0, y1].map((y) => c.panZoom.toScreen(x, y).y);
    const mark = make("span", { class: "cv-sight" });
    mark.style.cssText = `top:${top - c.root.getBoundingClientRect().top}px;height:${bottom - top}px`;
    c.root.append(mark);
    mark.scrollIntoView({ block: "nearest" });
    mark.remove();
  }, ZOOMED_MS);
}
