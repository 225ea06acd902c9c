// View of the labelling desk: the stored data with unanswered acts applied. Pure.

/** Words of the levels. */
export const LEVELS = new Map([
  [1, "named"],
  [2, "implied"],
  [3, "absent"],
]);

/** @param {import("../types.d.ts").LabelData} data @param {import("../../desk/types.d.ts").Act[]} acts */
export function viewOf(data, acts) {
  const levels = new Map(Object.entries(data.levels));
  let isSending = false;
  for (const { kind, node, level } of acts) {
    if (kind === "submit_levels") isSending = true;
    else if (kind === "label" && level === null) levels.delete(node);
    else if (kind === "label") levels.set(node, level);
  }
  const missing = data.nodes.filter((node) => !levels.has(node));
  return { levels, missing, isSending, isOpen: data.state === "open" && data.editable && !isSending };
}

/** The next node after `node` without a level, round the end; null if all have one.
 * @param {{missing: string[]}} view
 * @param {string[]} nodes
 * @param {string | null} node */
export function nextMissing({ missing }, nodes, node) {
  const from = nodes.findIndex((each) => each === node);
  return [...nodes.slice(from + 1), ...nodes.slice(0, from + 1)].find((each) => missing.includes(each)) ?? null;
}

/** The node after (1) or before (-1) one, round the ends.
 * @param {string[]} nodes
 * @param {string | null} node
 * @param {number} by */
export function steppedNode(nodes, node, by) {
  if (nodes.length === 0) return null;
  const at = nodes.findIndex((each) => each === node);
  if (at < 0) return nodes.at(by > 0 ? 0 : -1);
  return nodes[(at + by + nodes.length) % nodes.length];
}
