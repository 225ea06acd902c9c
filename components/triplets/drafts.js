// What is typed or chosen but not stored, kept in this browser: it outlives a reload and a crash.

import { shelfOf } from "../canvas/parts.js";

const MOST_UNDO = 100;

/** {comment, reason, current, set(part), pushUndo(criterion, before), popUndo(), hasUndo(), clear()} of one piece of scoring. */
export function createScoringDrafts(subject) {
  const shelf = shelfOf(`edgewise.scoring-draft.${encodeURIComponent(subject)}`);
  const read = shelf.read();
  /** @type {{comment: string | null, reason: string | null, current: string | null, undo: [string, any][]}} */
  const kept = { comment: null, reason: null, current: null, undo: [] };
  for (const name of ["comment", "reason", "current"]) if (typeof read?.[name] === "string") kept[name] = read[name];
  /** @type {[string, any][]} */
  const readUndo = Array.isArray(read?.undo) ? read.undo : [];
  kept.undo = readUndo.filter((entry) => Array.isArray(entry) && typeof entry[0] === "string");
  const keep = () => shelf.write(kept);
  return {
    get comment() {
      return kept.comment;
    },
    get reason() {
      return kept.reason;
    },
    get current() {
      return kept.current;
    },
    set(part) {
      Object.assign(kept, part);
      keep();
    },
    pushUndo(criterion, before) {
      kept.undo.push([criterion, before]);
      kept.undo = kept.undo.slice(-MOST_UNDO);
      keep();
    },
    popUndo() {
      const last = kept.undo.pop() ?? null;
      keep();
      return last;
    },
    hasUndo: () => kept.undo.length > 0,
    clear: () => shelf.write(null),
  };
}
