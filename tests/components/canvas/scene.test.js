import assert from "node:assert/strict";
import { test } from "node:test";

import { boxOfNode, sceneOf } from "../../../components/canvas/scene.js";

const FIGURE = { width: 110, height: 100, origin: [0, 0] }; // its unit is 1
const WORD = { text: "Price", box: [10, 10, 30, 16] };
const view = ({ nodes = [], edges = [] }) => ({
  nodes: new Map(nodes.map((node) => [node.name, { box: null, at: null, ...node }])),
  edges: new Map(edges.map((edge) => [edge.key, { path: null, ...edge }])),
  proposals: new Map(),
  dismissed: new Set(),
});
const drawn = (parts, words = [WORD], courses = new Map()) => sceneOf(view(parts), { figure: FIGURE, words }, courses);

test("a typed name stands at the print that reads the same, and the print is not offered again", () => {
  const { places, unplaced } = drawn({ nodes: [{ name: "price" }] });
  assert.deepEqual(
    places.map(({ kind, name }) => [kind, name]),
    [["node", "price"]],
  );
  assert.deepEqual(unplaced, []);
});

test("a printed name that no node uses is a word, a name without print waits for its place", () => {
  const { places, unplaced } = drawn({ nodes: [{ name: "Rain" }] });
  assert.deepEqual(
    places.map(({ kind, name }) => [kind, name]),
    [["word", "Price"]],
  );
  assert.deepEqual(
    unplaced.map(({ name }) => name),
    ["Rain"],
  );
});

test("a node that was moved off its print stands where it was put", () => {
  const printed = new Map();
  const moved = boxOfNode({ name: "Price", box: [10, 10, 30, 16], at: [80, 80] }, printed, 1);
  assert.deepEqual(moved, { box: [79, 79, 81, 81], isPoint: true });
  const close = boxOfNode({ name: "Price", box: [10, 10, 30, 16], at: [20, 12] }, printed, 1);
  assert.equal(close.isPoint, false);
});

test("an edge with one end placed is a stub, with none it is not drawn, and twins part", () => {
  const nodes = [{ name: "A", at: [20, 50] }, { name: "B", at: [90, 50] }, { name: "C" }, { name: "D" }];
  const edges = [
    { key: "stub", source: "A", sink: "C" },
    { key: "none", source: "C", sink: "D" },
    { key: "there", source: "A", sink: "B" },
    { key: "back", source: "B", sink: "A" },
  ];
  const { lines } = drawn({ nodes, edges }, []);
  assert.deepEqual(
    lines.map(({ key, isStub }) => [key, isStub]),
    [
      ["stub", true],
      ["there", false],
      ["back", false],
    ],
  );
  assert.notEqual(Math.sign(lines[1].curve.middle.y - 50), Math.sign(lines[2].curve.middle.y - 50));
});

test("a course is kept until an end moves", () => {
  const courses = new Map();
  const nodes = (x) => [
    { name: "A", at: [20, 50] },
    { name: "B", at: [x, 50] },
  ];
  const edges = [{ key: "e", source: "A", sink: "B" }];
  const curve = (x) => drawn({ nodes: nodes(x), edges }, [], courses).lines[0].curve;
  const first = curve(90);
  assert.equal(curve(90), first);
  assert.notEqual(curve(80), first);
});
