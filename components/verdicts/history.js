// Undo history of the desk: every step in this browser, with the acts that do it and those that undo it.
// A comparison cannot be undone: the judge's labels were seen. Pure, except for the drafts that store it over a reload.

import { laidLabel } from "./view.js";

const MOST_STEPS = 100;

/** @typedef {{kind: string, payload: Record<string, any>}} Step */
/** @typedef {{number: number, forth: Step[], back: Step[]}} Entry */

/** The acts that lead from labels to others, presence first, since it settles what comes after it.
 * @param {any} data @param {number} number @param {Record<string, string>} from @param {Record<string, string>} to
 * @returns {Step[]} */
export function labelSteps(data, number, from, to) {
  const steps = [];
  let own = from;
  const keys = data.fields.map(({ key }) => key);
  const isFirst = (key) => key.endsWith("presence_label");
  for (const key of [...keys.filter(isFirst), ...keys.filter((each) => !isFirst(each))]) {
    if (own[key] === to[key]) continue;
    const [block, field] = key.split(".");
    const payload = { number, block, field, label: to[key] ?? null };
    steps.push({ kind: "label", payload });
    own = laidLabel(data, own, payload);
  }
  return steps;
}

/** Steps that undo a ruling and restore earlier ones of this item.
 * @param {Entry[]} done @returns {Step[]} */
export function rulingBack(done, number) {
  const earlier = [];
  for (const { forth } of done.filter((entry) => entry.number === number))
    for (const step of forth) {
      if (step.kind === "take_back") earlier.length = 0;
      else if (["keep", "concede", "both", "flag"].includes(step.kind)) earlier.push(step);
    }
  return [{ kind: "take_back", payload: { number } }, ...earlier];
}

const isEntry = (each) => Number.isInteger(each?.number) && Array.isArray(each.forth) && Array.isArray(each.back);
/** Stored steps; invalid ones are left out. @returns {Entry[]} */
export const storedSteps = (kept) => (Array.isArray(kept) ? kept.filter(isEntry) : []);

/** {done, note(entry), back(), again(), fix(number), forget()} over `drafts` that keep `done` and `undone`. */
export function createHistory(drafts) {
  const { kept } = drafts;
  return {
    done: () => kept.done,
    /** @param {Entry} entry */
    note: (entry) => drafts.keep({ done: [...kept.done, entry].slice(-MOST_STEPS), undone: [] }),
    /** @returns {Entry | null} */
    back() {
      const last = kept.done.at(-1) ?? null;
      if (last !== null) drafts.keep({ done: kept.done.slice(0, -1), undone: [...kept.undone, last] });
      return last;
    },
    /** @returns {Entry | null} */
    again() {
      const last = kept.undone.at(-1) ?? null;
      if (last !== null) drafts.keep({ undone: kept.undone.slice(0, -1), done: [...kept.done, last] });
      return last;
    },
    /** Labels of an item that is compared stay as they are. */
    fix(number) {
      const stays = (entry) => entry.number !== number || entry.forth.some(({ kind }) => kind !== "label");
      drafts.keep({ done: kept.done.filter(stays), undone: kept.undone.filter(stays) });
    },
    forget: () => drafts.keep({ done: [], undone: [] }),
  };
}
