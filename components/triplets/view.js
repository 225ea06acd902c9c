// View of the scoring desk: the stored data with unanswered acts applied. Pure.

import { VERDICT } from "./words.js";

/** @param {import("./types.d.ts").TripletData} data @param {import("../desk/types.d.ts").Act[]} acts */
export function viewOf(data, acts) {
  const view = {
    scores: new Map(Object.entries(data.scores)),
    verdict: data.own_verdict,
    comment: data.comment,
    sending: "",
  };
  for (const act of acts) LAY[act.kind]?.(view, act);
  const missing = data.criteria.map(({ key }) => key).filter((key) => !view.scores.has(key));
  const isOpen = data.state === "open" && !data.halted && view.sending === "";
  return { ...view, missing, given: data.criteria.length - missing.length, isOpen };
}

const LAY = {
  score(view, { criterion, value }) {
    if (criterion === VERDICT) view.verdict = value === null ? null : value === 1;
    else if (value === null) view.scores.delete(criterion);
    else view.scores.set(criterion, value);
  },
  comment(view, { text }) {
    view.comment = text.trim();
  },
  skip(view) {
    view.sending = "skip";
  },
  submit(view) {
    view.sending = "submit";
  },
};

/** The next criterion after `key` without a score, round the end; null if all have one. */
export function nextMissing(criteria, view, key) {
  const keys = criteria.map((each) => each.key);
  const from = keys.indexOf(key);
  return [...keys.slice(from + 1), ...keys.slice(0, from + 1)].find((each) => view.missing.includes(each)) ?? null;
}

/** The criterion `by` steps from `key`, round the end; from none the first or the last. */
export function stepped(criteria, key, by) {
  const keys = criteria.map((each) => each.key);
  const from = keys.indexOf(key);
  if (from < 0) return by > 0 ? keys[0] : keys.at(-1);
  return keys[(from + by + keys.length) % keys.length];
}

/** The criterion on which critics together are farthest from the user's score; the first of equals. */
export function mostApart(data) {
  const apart = ({ key }) =>
    data.answer.critics.reduce(
      (sum, { scores }) => sum + Math.abs((scores[key] ?? data.scores[key]) - data.scores[key]),
      0,
    );
  return data.criteria.reduce((best, each) => (apart(each) > apart(best) ? each : best), data.criteria[0]).key;
}

/** The default criterion: the previous one (`kept`), else the first without a score; after submission the one
 * on which critics are farthest away. Null if there is none. */
export function firstCurrent(data, view, kept) {
  if (data.state !== "open") return data.answer?.critics.length > 0 ? mostApart(data) : null;
  if (view.missing.length === 0) return null;
  return data.criteria.some(({ key }) => key === kept) ? kept : nextMissing(data.criteria, view, null);
}
