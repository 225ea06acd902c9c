// View of the sheet: the stored data with unanswered acts applied; and targets of keys. Pure.

/** @typedef {import("./types.d.ts").Decision} Decision */

/** Each figure's decision by its id, and the number of decided ones.
 * @param {import("./types.d.ts").SheetData} data @param {import("../desk/types.d.ts").Act[]} acts */
export function viewOf(data, acts) {
  /** @type {Map<string, Decision>} */
  const decisions = new Map(data.figures.map(({ id, decision }) => [id, decision]));
  for (const act of acts)
    if (act.kind === "decide_figure" && decisions.has(act.figure)) decisions.set(act.figure, act.decision);
  const waiting = [...decisions.values()].filter((decision) => decision === "waiting").length;
  return { decisions, waiting, decided: decisions.size - waiting };
}

/** The next figure after `id` that waits, round the end; the one after it if none waits, and `id` itself at the end.
 * @param {string[]} ids @param {Map<string, Decision>} decisions @param {string} id */
export function nextWaiting(ids, decisions, id) {
  const from = ids.indexOf(id);
  const round = [...ids.slice(from + 1), ...ids.slice(0, from + 1)];
  return round.find((each) => each !== id && decisions.get(each) === "waiting") ?? ids[from + 1] ?? id;
}

/** The figure `by` places from `id`; at an end, that end.
 * @param {string[]} ids @param {string} id @param {number} by */
export function stepped(ids, id, by) {
  const to = Math.min(Math.max(ids.indexOf(id) + by, 0), ids.length - 1);
  return ids[to];
}

/** The card nearest to that of `id` in the row above (`by` -1) or below (1); `id` itself in the outermost row.
 * @param {{id: string, left: number, top: number}[]} places @param {string} id @param {-1 | 1} by */
export function inNextRow(places, id, by) {
  const from = places.find((place) => place.id === id);
  if (from === undefined) return id;
  const beyond = places.filter(({ top }) => (top - from.top) * by > 1);
  const row = by > 0 ? Math.min(...beyond.map(({ top }) => top)) : Math.max(...beyond.map(({ top }) => top));
  const inRow = beyond.filter(({ top }) => Math.abs(top - row) <= 1);
  const near = (/** @type {{left: number}} */ { left }) => Math.abs(left - from.left);
  return inRow.reduce((best, each) => (near(each) < near(best) ? each : best), inRow[0] ?? from).id;
}

/** A figure's name: "Figure 3, page 7".
 * @param {import("./types.d.ts").FoundData} figure */
export const nameOf = ({ label, page }) => `${label || "Figure without a label"}, page ${page}`;

/** Name of a figure among those of all papers, several of which have a Figure 1 on page 1.
 * @param {import("./types.d.ts").FoundData} figure */
export const fullNameOf = (figure) => `${nameOf(figure)}, ${figure.paper}`;
