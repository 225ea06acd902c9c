// Unsent text and choices, stored in this browser: they outlive a reload and a crash.

import { draftsOf } from "../desk/shelf.js";

const MOST_UNDO = 100;

/** {kept: {comment, reason, current, undo}, keep(part), pushUndo(criterion, before), popUndo(), clear()} of one piece of
 * scoring. */
export function createDrafts(subject) {
  const textOr = (value) => (typeof value === "string" ? value : null);
  const drafts = draftsOf("scoring", subject, ({ comment, reason, current, undo }) => ({
    comment: textOr(comment),
    reason: textOr(reason),
    current: textOr(current),
    undo: Array.isArray(undo) ? undo.filter((entry) => Array.isArray(entry) && typeof entry[0] === "string") : [],
  }));
  const { kept, keep } = drafts;
  return {
    ...drafts,
    pushUndo: (criterion, before) => keep({ undo: [...kept.undo, [criterion, before]].slice(-MOST_UNDO) }),
    /** The last score and its previous value; null if none is left. */
    popUndo() {
      const last = kept.undo.at(-1) ?? null;
      keep({ undo: kept.undo.slice(0, -1) });
      return last;
    },
  };
}
