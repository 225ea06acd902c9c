// What the edge desk shows: the stored graph with the person's waiting acts laid over it, and how an edge is said in
// words. Pure: values in, values out.

/** The graph as it will be when the `waiting` acts are stored: {edges, lines: acts whose edges are not known yet,
 * loners: nodes without edges}. The state of an edge or node is "", "saving" or "gone". */
export function overlayOf({ nodes, edges: stored }, waiting) {
  const nodeNames = new Map(nodes);
  const edges = new Map(stored.map((edge) => [edge.id, { ...edge, state: "" }]));
  const renamed = new Map();
  const gone = new Set();
  const lines = [];
  for (const one of waiting) {
    const edge = edges.get(one.edge_id);
    if (one.kind === "lines") lines.push(one);
    else if (one.kind === "edit_edge" && edge && Object.hasOwn(edge, one.field)) {
      edge[one.field] = one.value;
      edge.state = "saving";
    } else if (one.kind === "delete_edge" && edge) edge.state = "gone";
    else if (one.kind === "rename_node" && nodeNames.has(one.node_id)) {
      renamed.set(nodeNames.get(one.node_id), one.name);
    } else if (one.kind === "delete_node") gone.add(one.node_id);
  }
  for (const edge of edges.values()) renameEnds(edge, renamed);
  const touched = new Set(stored.flatMap((edge) => [edge.source, edge.sink]));
  const loners = nodes
    .filter(([, name]) => !touched.has(name))
    .map(([id, name]) => ({
      id,
      name: renamed.get(name) ?? name,
      state: gone.has(id) ? "gone" : renamed.has(name) ? "saving" : "",
    }));
  return { edges: [...edges.values()], lines, loners };
}

function renameEnds(edge, renamed) {
  for (const end of ["source", "sink"]) {
    if (!renamed.has(edge[end])) continue;
    edge[end] = renamed.get(edge[end]);
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
    edge.flag,
    edge.note && `note: ${edge.note}`,
    edge.warning && `warning: ${edge.warning}`,
    edge.state === "gone" ? "being removed" : edge.state,
  ]
    .filter(Boolean)
    .join(", ");
}
