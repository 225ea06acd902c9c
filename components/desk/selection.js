// The selected edge: one for all panes of a desk. Each bar names it, and what they do changes it alone.

import { contentOf } from "./edges.js";

/** The ids of the edges that only one of two lists has, or that differ in them. */
function changedIds(before, after) {
  const [earlier, now] = [before, after].map((edges) => new Map(edges.map((edge) => [edge.id, contentOf(edge)])));
  return [...new Set([...earlier.keys(), ...now.keys()])].filter((id) => earlier.get(id) !== now.get(id));
}

/** @typedef {{id(): string | null, select(id: string | null): void}} Selection */

/** An id may be that of an edge that is not there yet: then nothing is selected, and no act hits another edge. */
export function createSelection() {
  /** @type {string | null} */
  let selected = null;
  const undone = new Set(); // ids of acts that undo or redo, and are not answered
  const panes = new Map();

  function select(id, by) {
    if (selected === id) return;
    selected = id;
    for (const [pane, hear] of panes) if (pane !== by) hear();
  }

  return {
    /** The selection as one pane has it; `hear` is called when it is changed elsewhere. What a person selects meanwhile is
     * not taken from them by the answer to an undo.
     * @param {() => void} hear
     * @returns {Selection} */
    paneOf(hear) {
      const pane = {
        id: () => selected,
        select(id) {
          undone.clear();
          select(id, pane);
        },
      };
      panes.set(pane, hear);
      return pane;
    },
    /** An act was done on the desk: what an undo or redo changes is known when it is answered. */
    acted: ({ kind, id }) => void (["undo", "redo"].includes(kind) && undone.add(id)),
    /** New data, which answers the acts `done`: the one edge that an undo or redo changed is selected, of several none. */
    follow(done, before, after) {
      const answered = done.filter((id) => undone.delete(id));
      if (answered.length === 0) return;
      const ids = changedIds(before, after);
      if (ids.length > 0) select(ids.length === 1 ? ids[0] : null);
    },
  };
}
