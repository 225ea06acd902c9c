// The selected edge: one for all panes of a desk. Each bar names it, and acts change it alone.

import { contentOf } from "./edges.js";

/** @typedef {import("./types.d.ts").EdgeContent & {id: string}} Edge */

/** Ids of the edges that are in one of two lists only, or differ.
 * @param {Edge[]} before
 * @param {Edge[]} after */
function changedIds(before, after) {
  const [earlier, now] = [before, after].map((edges) => new Map(edges.map((edge) => [edge.id, contentOf(edge)])));
  return [...new Set([...earlier.keys(), ...now.keys()])].filter((id) => earlier.get(id) !== now.get(id));
}

/** @typedef {{id(): string | null, select(id: string | null): void}} Selection */

/** An id may be of an edge that does not exist yet: then nothing is selected, and no act changes another edge. */
export function createSelection() {
  /** @type {string | null} */
  let selected = null;
  /** @type {Set<string>} */
  const undone = new Set(); // ids of acts that undo or redo, and are not answered
  /** @type {Map<Selection, () => void>} */
  const panes = new Map();

  /** @param {string | null} id @param {Selection} [by] */
  function select(id, by) {
    if (selected === id) return;
    selected = id;
    for (const [pane, hear] of panes) if (pane !== by) hear();
  }

  return {
    /** The selection of one pane; `hear` is called when it is changed elsewhere. The answer to an undo does not replace
     * what the user selects meanwhile.
     * @param {() => void} hear
     * @returns {Selection} */
    paneOf(hear) {
      /** @type {Selection} */
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
    /** Note an act on the desk: the changes of an undo or redo are known when it is answered.
     * @param {{kind: string, id: string}} act */
    acted: ({ kind, id }) => void (["undo", "redo"].includes(kind) && undone.add(id)),
    /** Follow new data, which answers the acts `done`: select the edge that an undo or redo changed; of several none.
     * @param {string[]} done
     * @param {Edge[]} before
     * @param {Edge[]} after */
    follow(done, before, after) {
      const answered = done.filter((id) => undone.delete(id));
      if (answered.length === 0) return;
      const ids = changedIds(before, after);
      if (ids.length > 0) select(ids.length === 1 ? ids[0] : null);
    },
  };
}
