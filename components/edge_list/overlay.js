// What the edge desk shows: the stored graph with the person's waiting acts laid over it, and how an edge is said in
// words. Pure: values in, values out.

import { shownWord } from "../desk/stored_words.js";

/** The graph as it will be when the `waiting` acts are stored: {edges, lines: acts whose edges are not known yet,
 * loners: nodes without edges}. The state of an edge or node is "", "saving" or "gone".
 * @param {import("./types.d.ts").EdgeListData} data @param {import("../desk/types.d.ts").Act[]} waiting */
export function overlayOf({ nodes: stored, edges: drawn }, waiting) {
  const nodes = stored.map(([id, name]) => ({ id, name, state: "" }));
  const touched = new Set(drawn.flatMap((edge) => [edge.source, edge.sink]));
  const loners = nodes.filter(({ name }) => !touched.has(name));
  const edges = new Map(drawn.map((edge) => [edge.id, { ...edge, state: "" }]));
  const lines = [];
  for (const one of waiting) {
    const edge = edges.get(one.edge_id);
    const node = nodes.find(({ name }) => name === one.node);
    if (one.kind === "lines") lines.push(one);
    else if (edge) changeEdge(edge, one);
    else if (one.kind === "rename_node" && node) {
      Object.assign(node, { name: one.name, state: "saving" });
      for (const each of edges.values()) renameEnds(each, one);
    } else if (one.kind === "delete_node" && node) node.state = "gone";
  }
  return { edges: [...edges.values()], lines, loners };
}

/** @param {any} edge @param {any} act */
function changeEdge(edge, { kind, field, value }) {
  if (kind === "delete_edge") edge.state = "gone";
  else if (kind === "edit_edge" && Object.hasOwn(edge, field)) Object.assign(edge, { [field]: value, state: "saving" });
}

/** @param {any} edge @param {import("../desk/types.d.ts").Act} act */
function renameEnds(edge, { node, name }) {
  for (const end of ["source", "sink"]) {
    if (edge[end] !== node) continue;
    edge[end] = name;
    edge.state ||= "saving";
  }
}

export const signText = (sign) => (sign === "+" ? "+" : sign === "-" ? "−" : "→");
export const signWord = (sign) => (sign === "+" ? "plus" : sign === "-" ? "minus" : "no sign");

/** An edge for a screen reader. */
export function spoken(edge) {
  return [
    `${edge.source} to ${edge.sink}`,
    signWord(edge.sign),
    edge.delay && "delay",
    shownWord(edge.flag ?? ""),
    edge.note && `note: ${edge.note}`,
    edge.warning && `warning: ${edge.warning}`,
    edge.state === "gone" ? "being removed" : edge.state,
  ]
    .filter(Boolean)
    .join(", ");
}
