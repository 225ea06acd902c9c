// The selected edge: one for all panes of a desk. Each bar names it, and what they do changes it alone.

const contentOf = ({ source_id: source, sink_id: sink, sign, delay, flag, note }) =>
  JSON.stringify([source, sink, sign, delay, flag, note]);

/** The ids of the edges that only one of two lists has, or that differ in them. */
function changedIds(before, after) {
  const [earlier, now] = [before, after].map((edges) => new Map(edges.map((edge) => [edge.id, contentOf(edge)])));
  return [...new Set([...earlier.keys(), ...now.keys()])].filter((id) => earlier.get(id) !== now.get(id));
}

/** An edge in words that tell it from another one between the same nodes. */
export const edgeText = ({ source, sink, sign, delay }) =>
  `${source} → ${sink}${{ "+": " +", "-": " −" }[sign] ?? ""}${delay ? ", delay" : ""}`;

/** The selected edge in words, for both bars; null or undefined if there is none. */
export const selectedText = (edge) => (edge ? `Selected edge: ${edgeText(edge)}` : "No edge selected");

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
    /** The selection as one pane has it; `hear` is called when it is changed elsewhere.
     * @param {() => void} hear
     * @returns {Selection} */
    paneOf(hear) {
      const pane = { id: () => selected, select: (id) => select(id, pane) };
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
