// What is chosen or typed but not ruled yet, kept in this browser until it is sent: it outlives a reload and a crash.

import { shelfOf } from "../canvas/parts.js";

const MOST_DRAFTS = 300;

/** Drafts of one desk: {of(key), change(key, part), drop(key), place, setPlace(key)}. */
export function createDrafts(subject) {
  const shelf = shelfOf(`edgewise.ruling-draft.${encodeURIComponent(subject)}`);
  const read = shelf.read();
  const isKept = read !== null && typeof read === "object" && Array.isArray(read.drafts);
  const drafts = new Map(
    isKept
      ? read.drafts.filter(
          (entry) =>
            Array.isArray(entry) && typeof entry[0] === "string" && entry[1] !== null && typeof entry[1] === "object",
        )
      : [],
  );
  let place = isKept && typeof read.place === "string" ? read.place : null;
  const keep = () => shelf.write({ place, drafts: [...drafts].slice(-MOST_DRAFTS) });
  return {
    of: (key) => drafts.get(key) ?? {},
    change(key, part) {
      drafts.set(key, { ...drafts.get(key), ...part });
      keep();
    },
    drop(key) {
      if (drafts.delete(key)) keep();
    },
    get place() {
      return place;
    },
    setPlace(key) {
      if (key === place) return;
      place = key;
      keep();
    },
  };
}

/** Why of an item: what is being written, over what was ruled. `isChanged`: the two differ. */
export function whyOfItem(item, draft) {
  const kept = item.ruling ?? { reasons: [], comment: "", is_gap: false };
  const reasons = Array.isArray(draft.reasons) ? draft.reasons : kept.reasons;
  const comment = typeof draft.comment === "string" ? draft.comment : kept.comment;
  const isGap = typeof draft.is_gap === "boolean" ? draft.is_gap : kept.is_gap;
  const isChanged = comment !== kept.comment || isGap !== kept.is_gap || reasons.join() !== kept.reasons.join();
  return { reasons, comment, is_gap: isGap, isChanged };
}

/** What is being said about a name: A's name for it, how the two differ, and another wording. */
export function nameChoice({ question, ruling }, draft, classes) {
  const ruled = ruling?.reference ?? question.reference;
  const reference = draft.reference !== undefined ? draft.reference : (ruled ?? question.offers[0] ?? null);
  const proposed = question.likely[reference] ?? classes.at(-1); // a name that was not even offered is far off
  const isRuled = ruling !== null && ruling.reference === reference && classes.includes(ruling.name_class);
  const cls = classes.includes(draft.cls) ? draft.cls : isRuled ? ruling.name_class : proposed;
  return { reference, cls, wording: typeof draft.wording === "string" ? draft.wording : (ruling?.wording ?? "") };
}
