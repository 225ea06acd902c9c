// Unsent choices and text, stored in this browser until they are sent: they outlive a reload and a crash.

import { draftsOf } from "../desk/shelf.js";
import { NO_WHY } from "./view.js";

const MOST_DRAFTS = 300;

const isDraft = (entry) =>
  Array.isArray(entry) && typeof entry[0] === "string" && entry[1] !== null && typeof entry[1] === "object";

/** Drafts of one desk: {of(key), change(key, part), drop(key), place, setPlace(key)}. */
export function createDrafts(subject) {
  const { kept, keep } = draftsOf("ruling", subject, ({ place, drafts: read }) => ({
    place: typeof place === "string" && Array.isArray(read) ? place : null,
    drafts: Array.isArray(read) ? read.filter(isDraft) : [],
  }));
  const drafts = new Map(kept.drafts);
  const keepAll = () => keep({ drafts: [...drafts].slice(-MOST_DRAFTS) });
  return {
    of: (key) => drafts.get(key) ?? {},
    change(key, part) {
      drafts.set(key, { ...drafts.get(key), ...part });
      keepAll();
    },
    drop(key) {
      if (drafts.delete(key)) keepAll();
    },
    get place() {
      return kept.place;
    },
    setPlace(key) {
      if (key !== kept.place) keep({ place: key });
    },
  };
}

/** Reasons of an item: the draft over the ruling. `isChanged`: the two differ. */
export function whyOfItem(item, draft) {
  const stored = item.ruling ?? NO_WHY;
  const reasons = Array.isArray(draft.reasons) ? draft.reasons : stored.reasons;
  const comment = typeof draft.comment === "string" ? draft.comment : stored.comment;
  const isGap = typeof draft.is_gap === "boolean" ? draft.is_gap : stored.is_gap;
  const isChanged = comment !== stored.comment || isGap !== stored.is_gap || reasons.join() !== stored.reasons.join();
  return { reasons, comment, is_gap: isGap, isChanged };
}

/** The choice about a name: A's name for it, how the two differ, and another wording. */
export function nameChoice({ question, ruling }, draft, classes) {
  const ruled = ruling?.reference ?? question.reference ?? question.offers[0] ?? null;
  const reference = draft.reference !== undefined ? draft.reference : ruled;
  const wording = typeof draft.wording === "string" ? draft.wording : (ruling?.wording ?? "");
  return { reference, cls: classOf({ question, ruling }, reference, draft, classes), wording };
}

/** Class of the difference of `reference` and B's name: chosen, ruled, or computed. */
function classOf({ question, ruling }, reference, draft, classes) {
  if (classes.includes(draft.cls)) return draft.cls;
  const isRuled = ruling !== null && ruling.reference === reference && classes.includes(ruling.name_class);
  if (isRuled) return ruling.name_class;
  return question.likely[reference] ?? classes.at(-1); // a name that was not proposed differs most
}
