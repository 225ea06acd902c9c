import assert from "node:assert/strict";
import { test } from "node:test";

import { overlayOf, spoken } from "../../../components/edge_list/overlay.js";

const edge = (id, source, sink) => ({
  id,
  source,
  sink,
  sign: "",
  delay: false,
  flag: "",
  note: "",
  warning: "",
});
const STORED = {
  nodes: [
    ["a", "A"],
    ["b", "B"],
    ["c", "C"],
  ],
  edges: [edge("e1", "A", "B")],
};

test("what waits is laid over what is stored, and the stored stays as it is", () => {
  const waiting = [
    { kind: "edit_edge", edge_id: "e1", field: "sign", value: "-" },
    { kind: "rename_node", node: "B", name: "Breads" },
    { kind: "rename_node", node: "Breads", name: "Bread" },
    { kind: "lines", text: "A -> C" },
  ];
  const { edges, lines, loners } = overlayOf(STORED, waiting);
  assert.deepEqual(
    edges.map(({ source, sink, sign, state }) => [source, sink, sign, state]),
    [["A", "Bread", "-", "saving"]],
  );
  assert.deepEqual(
    lines.map(({ text }) => text),
    ["A -> C"],
  );
  assert.deepEqual(loners, [{ id: "c", name: "C", state: "" }]);
  assert.deepEqual(STORED.edges, [edge("e1", "A", "B")]);
});

test("a removed edge is seen going, and an act on one that is gone changes nothing", () => {
  const waiting = [
    { kind: "delete_edge", edge_id: "e1" },
    { kind: "edit_edge", edge_id: "e9", field: "sign", value: "+" },
    { kind: "edit_edge", edge_id: "e1", field: "constructor", value: "+" },
    { kind: "delete_node", node: "C" },
  ];
  const { edges, loners } = overlayOf(STORED, waiting);
  assert.deepEqual([edges[0].state, edges[0].sign], ["gone", ""]);
  assert.equal(loners[0].state, "gone");
});

test("an edge is said with all that is marked on it", () => {
  const marked = { ...edge("e1", "A", "B"), sign: "-", delay: true, note: "p. 3", state: "saving" };
  assert.equal(spoken(marked), "A to B, minus, delay, note: p. 3, saving");
  assert.equal(spoken({ ...edge("e1", "A", "B"), state: "gone" }), "A to B, no sign, being removed");
  assert.equal(spoken({ ...edge("e1", "A", "B"), flag: "illegible label" }), "A to B, no sign, illegible name");
});
