// The selected edge: one for the figure and the list beside it. Both bars name it, and what they do changes it alone.

/** The page holds it: a selection that each desk held for itself could differ from what the other shows. A module could
 * not, since a script that was fetched a second time has another address and is another module.
 * @returns {{subject: string, id: string | null, undone: string[]}} */
const heldFor = (subject) => {
  if (globalThis.edgewiseSelected?.subject !== subject) globalThis.edgewiseSelected = { subject, id: null, undone: [] };
  return globalThis.edgewiseSelected;
};

const contentOf = ({ source, sink, sign, delay, flag, note }) =>
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

/** The selection as one desk sees it; `hear` is called when another desk changes it. An id may be that of an edge that
 * the desk does not have, or not yet: then nothing is selected there, and no act hits another edge.
 * @param {string} subject
 * @param {() => void} hear */
export function createSelection(subject, hear) {
  let isOwn = false;
  const take = ({ detail }) => detail === subject && !isOwn && hear();
  addEventListener("edgewise:selected", take);

  function select(id) {
    const held = heldFor(subject);
    if (held.id === id) return;
    held.id = id;
    isOwn = true;
    dispatchEvent(new CustomEvent("edgewise:selected", { detail: subject }));
    isOwn = false;
  }

  return {
    id: () => heldFor(subject).id,
    select,
    /** An act was done on a desk: what an undo or redo changes is known when it is answered. */
    acted: ({ kind, id }) => void (["undo", "redo"].includes(kind) && heldFor(subject).undone.push(id)),
    /** New data with the answers `acked`: the one edge that an undo or redo changed is selected, of several none. */
    follow(acked, before, after) {
      const held = heldFor(subject);
      const waiting = held.undone.filter((id) => !acked.includes(id));
      if (waiting.length === held.undone.length) return;
      held.undone = waiting;
      const ids = changedIds(before, after);
      if (ids.length > 0) select(ids.length === 1 ? ids[0] : null);
    },
    close: () => removeEventListener("edgewise:selected", take),
  };
}
