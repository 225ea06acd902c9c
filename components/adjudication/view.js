// The desk as it will be when every unsent act is stored: the page's data with the acts applied.
//
// A view is {items, byKey, own, agreed, read, ruled, all, left, isUnsettled}. Items are the questions about names, then the
// differences, in the page's order; `isQuiet` ones were settled automatically. A ruling about a name may make other
// differences of B's edges: until it is answered the differences are `isUnsettled` and cannot be ruled on. `read`
// are edges that neither has as the program read them; no answer is required.

import { cleanName } from "../desk/names.js";

export const ownKey = (source, sink) => JSON.stringify(["own", source, sink]);
const pairText = (source, sink) => JSON.stringify([source, sink]);
export const whyOf = ({ reasons, comment, is_gap }) => ({ reasons, comment, is_gap });
export const NO_WHY = { reasons: [], comment: "", is_gap: false };

/** @param {import("./types.d.ts").AdjudicationData} data @param {import("../desk/types.d.ts").Act[]} acts */
export function viewOf(data, acts) {
  const rulings = new Map([...data.names, ...data.differences].map(({ key, ruling }) => [key, ruling]));
  const waiting = new Set(data.waiting);
  const own = new Map(data.own.map((each) => [each.key, each]));
  const names = new Map(data.names.map((question) => [question.name, question]));
  const state = { rulings, waiting, own, names, data, isUnsettled: false };
  for (const act of acts) LAY[act.kind]?.(state, act);
  const agreed = agreedItems(data, own);
  const items = [
    ...data.names.map((question) => {
      const ruling = rulings.get(question.key);
      return {
        type: "name",
        key: question.key,
        question,
        ruling,
        waits: waiting.has(question.key),
        isQuiet: ruling === null && !waiting.has(question.key),
      };
    }),
    ...data.differences.map((found) => ({
      type: "difference",
      key: found.key,
      found,
      ruling: rulings.get(found.key),
      waits: waiting.has(found.key),
      isQuiet: false,
    })),
  ];
  const owned = [...own.values()].map((each) => ({
    type: "own",
    key: each.key,
    own: each,
    ruling: each,
    waits: false,
    isQuiet: false,
  }));
  const questions = items.filter(({ isQuiet }) => !isQuiet);
  const left = questions.filter(({ waits }) => waits).length;
  const read = readItems(data, own, items);
  const byKey = new Map([...items, ...agreed, ...owned, ...read].map((item) => [item.key, item]));
  return {
    items,
    agreed,
    own: owned,
    read,
    byKey,
    all: questions.length,
    left,
    ruled: questions.length - left,
    isUnsettled: state.isUnsettled,
  };
}

/** Edges that both drew alike and that were not overridden. */
function agreedItems(data, own) {
  const doubted = new Set(
    data.differences
      .filter(({ kind }) => kind === "sign" || kind === "delay")
      .map(({ source, sink }) => pairText(source, sink)),
  );
  const pairs = new Map();
  for (const { source, sink, sign, delay, origin } of data.arrows) {
    if (origin !== "both" || doubted.has(pairText(source, sink)) || own.has(ownKey(source, sink))) continue;
    const key = `agreed:${pairText(source, sink)}`;
    const pair = pairs.get(key) ?? { kind: "agreed", source, sink, a: [] };
    pair.a.push({ sign, delay });
    pairs.set(key, pair);
  }
  return [...pairs].map(([key, found]) => ({ type: "agreed", key, found, ruling: null, waits: false, isQuiet: false }));
}

/** Edges that neither has as read, except those overridden since, and those that a difference waits about: what was
 * read there is shown once it is ruled on.
 * @param {import("./types.d.ts").AdjudicationData} data @param {Map<string, any>} own @param {any[]} items */
function readItems(data, own, items) {
  const waiting = new Set(
    items
      .filter(({ type, waits }) => type === "difference" && waits)
      .flatMap(({ found: { source, sink } }) => [pairText(source, sink), pairText(sink, source)]),
  );
  return data.read
    .filter(({ source, sink }) => !own.has(ownKey(source, sink)) && !waiting.has(pairText(source, sink)))
    .map((found) => ({
      type: "read",
      key: `read:${pairText(found.source, found.sink)}`,
      found: { kind: "read", ...found },
      ruling: null,
      waits: false,
      isQuiet: false,
    }));
}

const isVerdict = ({ data }, key) => data.differences.some((found) => found.key === key && found.kind === "verdict");

const LAY = {
  rule(state, act) {
    const { rulings, waiting } = state;
    if (!rulings.has(act.key)) return;
    rulings.set(act.key, { choice: act.choice, ...whyOf(act) });
    waiting.delete(act.key);
    if (isVerdict(state, act.key)) state.isUnsettled = true; // only the store knows whether there is more to rule on
  },
  rule_name(state, act) {
    const question = state.names.get(act.name);
    if (question === undefined) return;
    const { choice, reference, name_class, wording } = act;
    state.rulings.set(question.key, { choice, reference, name_class, wording, ...whyOf(act) });
    state.waiting.delete(question.key);
    if (choice !== "both" || question.reference !== null) state.isUnsettled = true;
  },
  note({ rulings, own }, act) {
    if (rulings.get(act.key)) rulings.set(act.key, { ...rulings.get(act.key), ...whyOf(act) });
    if (own.has(act.key)) own.set(act.key, { ...own.get(act.key), ...whyOf(act) });
  },
  set_arrow({ own, data }, act) {
    const [source, sink] = [act.source, act.sink].map((name) => alignedName(data, name));
    const { is_there, sign, delay } = act;
    own.set(ownKey(source, sink), {
      key: ownKey(source, sink),
      source,
      sink,
      is_there,
      sign,
      delay,
      choice: "neither",
      ...whyOf(act),
    });
  },
  take_back(state, act) {
    if (state.own.delete(act.key) || !state.rulings.get(act.key)) return;
    state.rulings.set(act.key, null);
    const question = state.data.names.find(({ key }) => key === act.key);
    if (question !== undefined || isVerdict(state, act.key)) state.isUnsettled = true;
    if (question === undefined || question.offers.length > 0) state.waiting.add(act.key);
  },
  undo(state) {
    state.isUnsettled = true; // only the store knows what is undone
  },
  redo(state) {
    state.isUnsettled = true;
  },
};

/** Aligned name of a variable for one of its wordings; a new name stays as it is. */
export function alignedName(data, text) {
  const name = cleanName(text);
  const node =
    data.nodes.find(({ wording }) => wording === name) ??
    data.nodes.find((each) => each.a === name || each.b === name || each.name === name);
  return node?.name ?? name;
}

/** The next item that waits after `key` in `items`, round the end; null if nothing waits. */
export function nextWaiting(items, key) {
  const from = items.findIndex((item) => item.key === key);
  return [...items.slice(from + 1), ...items.slice(0, from + 1)].find(({ waits }) => waits) ?? null;
}

/** The key of the first item whose ruling differs between two pages' data; null if none does. */
export function changedKey(before, after) {
  /** @returns {[string, string][]} */
  const rulings = (data) =>
    [...data.names, ...data.differences].map(({ key, ruling }) => [key, JSON.stringify(ruling)]);
  const rulingsByKey = (data) =>
    new Map(rulings(data).concat(data.own.map((each) => [each.key, JSON.stringify(each)])));
  const [old, now] = [rulingsByKey(before), rulingsByKey(after)];
  for (const [key, ruling] of now) if ((old.get(key) ?? "null") !== ruling) return key;
  return null;
}
