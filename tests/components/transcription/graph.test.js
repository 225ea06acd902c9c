import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { createGraph } from "../../../components/transcription/graph.js";
import { idWithin } from "../../../components/desk/uuid7.js";

const NODES = [
  { id: "a", name: "A" },
  { id: "b", name: "B" },
];
const EDGE = { id: "e1", source_id: "a", sink_id: "b", sign: "", delay: false, flag: "", path: null };
const DATA = { version: 1, words: [], proposals: [], arrows: [], nodes: NODES, edges: [] };

/** The id of the act of this number. */
const actId = (number) => `0198c0de-0000-7000-8000-${String(number).padStart(8, "0")}0000`;

/** A graph with an outbox of its own: act(number, kind, fields) does something, `pending` waits. */
function begun(data = DATA) {
  const pending = [];
  const graph = createGraph(() => pending);
  graph.receive(data);
  const act = (number, kind, fields = {}) => {
    const one = { id: actId(number), kind, ...fields };
    pending.push(one);
    graph.did(one);
  };
  const arrows = () => [...graph.view().edges.values()].map(({ source, sink, sign }) => `${source}>${sink}${sign}`);
  return { graph, pending, act, arrows };
}

const connect = { source: "A", sink: "B", sign: "", delay: false, lit: "" };

test("an undo of one's own act is drawn from memory, and somebody else's act ends that", () => {
  const { graph, pending, act } = begun();
  const count = () => graph.view().edges.size;
  act(1, "connect", connect);
  assert.equal(count(), 1);
  act(2, "undo");
  assert.equal(count(), 0);
  act(3, "redo");
  assert.equal(count(), 1);
  pending.length = 0;
  graph.receive({ ...DATA, version: 4, edges: [EDGE] });
  assert.equal(count(), 1);
  const foreign = { ...EDGE, id: "e2", source_id: "b", sink_id: "a" };
  graph.receive({ ...DATA, version: 5, edges: [EDGE, foreign] });
  act(4, "undo");
  assert.equal(count(), 2); // what it takes back only the store knows
});

test("a refused act is gone with the answer, and the others stay", () => {
  const { graph, pending, act, arrows } = begun();
  act(1, "connect", connect);
  act(2, "connect", { source: "B", sink: "A", sign: "+", delay: false });
  pending.shift();
  graph.receive(DATA);
  assert.deepEqual(arrows(), ["B>A+"]);
});

test("an edge brings the names of its ends with it", () => {
  const { graph, act } = begun({ ...DATA, nodes: [] });
  act(1, "connect", { source: "Rain", sink: "Harvest", sign: "", delay: false });
  assert.deepEqual([...graph.view().nodes.keys()], ["Rain", "Harvest"]);
});

test("an edge keeps the id it was drawn with when its receipt comes, and acts on it stay with it", () => {
  const { graph, pending, act, arrows } = begun();
  act(1, "connect", connect);
  act(2, "edit_edge", { edge_id: actId(1), field: "sign", value: "+" });
  pending.shift();
  graph.receive({ ...DATA, version: 2, edges: [{ ...EDGE, id: actId(1) }] });
  assert.deepEqual([...graph.view().edges.keys()], [actId(1)]);
  assert.deepEqual(arrows(), ["A>B+"]);
});

test("an act kept from the version before is drawn as far as it can be told, and all of it with its receipt", () => {
  const { graph, pending, arrows } = begun();
  const id = actId(1).slice(0, -4) + "beef"; // such ids ended in any 16 bits, and named the edge
  pending.push({ id, kind: "connect", ...connect });
  pending.push({ id: actId(2), kind: "edit_edge", edge_id: id, source: "A", sink: "B", field: "sign", value: "+" });
  pending.push({ id: actId(3), kind: "delete_edge", edge_id: "proposal:p1", source: "B", sink: "A" });
  assert.equal(graph.sync(), true);
  assert.deepEqual(arrows(), ["A>B"]);
  pending.length = 0;
  graph.receive({ ...DATA, version: 3, edges: [{ ...EDGE, id: actId(1), sign: "+" }] });
  assert.deepEqual(arrows(), ["A>B+"]);
});

test("what acts make has the ids that the server gives it", () => {
  // The same acts go through the page in tests/pages/transcription/test_act_ids.py.
  const told = JSON.parse(readFileSync(new URL("../desk/act_ids.json", import.meta.url), "utf8"));
  const idOf = ([number, place]) => idWithin(actId(number), place);
  const proposals = told.proposals.map(([source, sink, sign], place) => {
    return { id: `p${place}`, source, sink, sign, delay: false, path: null };
  });
  const { graph, act } = begun({ ...DATA, nodes: [], proposals });
  told.acts.forEach(({ kind, edge_id: edge, proposal_id: one, proposal_ids: some, ...fields }, place) => {
    if (edge) fields.edge_id = idOf(edge);
    if (one !== undefined) fields.proposal_id = `p${one}`;
    if (some) fields.proposal_ids = some.map((each) => `p${each}`);
    act(place + 1, kind, fields);
  });
  const ids = (made) => Object.fromEntries(Object.entries(made).map(([name, at]) => [name, idOf(at)]));
  const edges = [...graph.view().edges.values()].map((edge) => [`${edge.source} > ${edge.sink} ${edge.sign}`, edge.id]);
  assert.deepEqual(Object.fromEntries(edges), ids(told.edges));
  const nodes = [...graph.view().nodes.values()].map(({ name, id }) => [name, id]);
  assert.deepEqual(Object.fromEntries(nodes), { ...ids(told.nodes), Harvest: idOf([2, 2]) }); // only the server takes it off
});

test("a name that is given to another makes one node of two, and one edge of two alike", () => {
  const nodes = [...NODES, { id: "c", name: "C" }];
  const edges = [EDGE, { ...EDGE, id: "e2", source_id: "c" }, { ...EDGE, id: "e3", source_id: "c", sign: "+" }];
  const { graph, act, arrows } = begun({ ...DATA, nodes, edges });
  act(1, "rename_node", { node: "C", name: "A" });
  assert.deepEqual([...graph.view().nodes.keys()], ["A", "B"]);
  assert.deepEqual(arrows(), ["A>B", "A>B+"]);
});

test("a removed name takes its edges along, a reversed edge its printed course", () => {
  const path = [
    [0, 0],
    [9, 9],
  ];
  const { graph, act, arrows } = begun({ ...DATA, edges: [{ ...EDGE, path }] });
  act(1, "reverse_edge", { edge_id: "e1" });
  assert.deepEqual(arrows(), ["B>A"]);
  assert.deepEqual([...graph.view().edges.values()][0].path, [...path].reverse());
  act(2, "delete_node", { node: "A" });
  assert.deepEqual([arrows(), [...graph.view().nodes.keys()]], [[], ["B"]]);
});

test("an accepted proposal is an edge on its course, a refused one is gone", () => {
  const proposal = { source: "A", sink: "B", sign: "-", delay: true, path: null };
  const proposals = [
    { id: "p1", ...proposal },
    { id: "p2", ...proposal, source: "B", sink: "A" },
  ];
  const { graph, act, arrows } = begun({ ...DATA, proposals });
  act(1, "accept", { proposal_ids: ["p1"] });
  act(2, "refuse", { proposal_ids: ["p2"] });
  assert.deepEqual([arrows(), graph.view().proposals.size], [["A>B-"], 0]);
});

test("acts that come to the outbox by themselves are drawn once it is asked", () => {
  const { graph, pending, arrows } = begun();
  assert.equal(graph.sync(), false);
  pending.push({ id: actId(9), kind: "connect", ...connect });
  assert.equal(graph.sync(), true);
  assert.deepEqual(arrows(), ["A>B"]);
});

test("an act of a kind that is not known changes nothing, also if every object has its name", () => {
  const { act, arrows } = begun({ ...DATA, edges: [EDGE] });
  act(1, "toString");
  act(2, "__proto__");
  assert.deepEqual(arrows(), ["A>B"]);
});

test("an edge drawn at a lit arrow lies on it at once, and the arrow is bare no more; undo brings it back", () => {
  const path = [
    [0, 0],
    [9, 9],
  ];
  const { graph, act } = begun({ ...DATA, arrows: [{ id: "w1", path }] });
  act(1, "connect", { ...connect, lit: "w1" });
  assert.deepEqual([...graph.view().edges.values()][0].path, path);
  assert.equal(graph.view().arrows.size, 0);
  act(2, "undo");
  assert.deepEqual([...graph.view().arrows.keys()], ["w1"]);
});

test("an arrow that is called no edge is bare no more", () => {
  const path = [
    [0, 0],
    [9, 9],
  ];
  const { graph, act } = begun({ ...DATA, arrows: [{ id: "w1", path }] });
  act(1, "not_an_edge", { arrow: "w1", is_none: true });
  assert.equal(graph.view().arrows.size, 0);
});

test("what is printed at an edge's arrow is offered until the edge gets a sign or delay of its own", () => {
  const offered = { ...EDGE, printed_sign: "+", printed_delay: true };
  const { graph, act } = begun({ ...DATA, edges: [offered] });
  const printed = () => {
    const { printed_sign: sign, printed_delay: delay } = [...graph.view().edges.values()][0];
    return [sign, delay];
  };
  act(1, "edit_edge", { edge_id: "e1", field: "flag", value: "" });
  assert.deepEqual(printed(), ["+", true]);
  act(2, "edit_edge", { edge_id: "e1", field: "sign", value: "-" });
  assert.deepEqual(printed(), ["", true]);
  act(3, "edit_edge", { edge_id: "e1", field: "delay", value: true });
  assert.deepEqual(printed(), ["", false]);
});
