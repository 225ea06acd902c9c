// Both graphs on one picture: what is one is drawn once, where labels differ twice, and nothing moves.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  choicesOf,
  countsOf,
  linked,
  pictureOf,
  stateOfNode,
  typedLink,
} from "../../../components/verdicts/picture.js";

const node = (name, truth, answer) => ({ name, lines: [name], x: 0, y: 0, width: 1, height: 1, truth, answer });
const NONE = { node_precision: {}, node_recall: {}, edge_precision: {}, edge_recall: {} };
/** @type {any} */
const DATA = {
  section: "edge_recall",
  nodes: [node("Flood", 1, 0), node("Rain", 2, 2), node("Deluge", 0, 1), node("Loss", 0, 3)],
  edges: [
    { source: 1, sink: 0, truth: 1, answer: 0 },
    { source: 1, sink: 2, truth: 0, answer: 1 },
    { source: 2, sink: 3, truth: 0, answer: 2 },
  ],
  links: [],
  states: NONE,
};
const MAYBE = { truth: 1, answer: 1, by: "maybe", is_one: false };
const lines = ({ edges }) =>
  edges.map(({ source, sink, truth, answer, state }) => [source, sink, truth, answer, state]);

test("nodes that are one have one place, and their edges become one line", () => {
  const apart = pictureOf(DATA, [MAYBE]);
  assert.deepEqual(apart.into, [0, 1, 2, 3]);
  assert.equal(apart.edges.length, 3);
  assert.deepEqual(
    apart.links.map(({ source, sink }) => [source, sink]),
    [[0, 2]],
  );
  const one = pictureOf(DATA, linked([MAYBE], [{ truth: 1, answer: 1, is_one: true }]));
  assert.deepEqual(one.into, [0, 1, 0, 3]);
  assert.deepEqual(lines(one), [
    [1, 0, 1, 1, ""],
    [0, 3, 0, 2, ""],
  ]);
  assert.deepEqual(one.links, []);
});

test("of alike names the likeliest is drawn, and none to a node that is one with another", () => {
  const second = { truth: 2, answer: 1, by: "maybe", is_one: false };
  const judge = { truth: 2, answer: 3, by: "the judge", is_one: false };
  const ends = (links) => pictureOf(DATA, links).links.map(({ source, sink }) => [source, sink]);
  assert.deepEqual(ends([MAYBE, second, judge]), [
    [0, 2],
    [1, 3],
  ]);
  assert.deepEqual(ends([{ ...MAYBE, by: "you", is_one: true }, second]), []);
});

test("an edge of both graphs is two lines where its labels differ, one where they agree", () => {
  const links = [{ ...MAYBE, by: "you", is_one: true }];
  const states = (recall, precision) => ({ ...NONE, edge_recall: { 1: recall }, edge_precision: { 1: precision } });
  const differ = pictureOf({ ...DATA, states: states("missed", "matched") }, links);
  assert.deepEqual(lines(differ).slice(0, 2), [
    [1, 0, 1, 0, "missed"],
    [1, 0, 0, 1, "matched"],
  ]);
  const agree = pictureOf({ ...DATA, states: states("matched", "matched") }, links);
  assert.deepEqual(lines(agree)[0], [1, 0, 1, 1, "matched"]);
});

test("a person's word goes before others, and what they take back is as it was", () => {
  const judge = { truth: 1, answer: 3, by: "the judge", is_one: true };
  const said = linked([judge, MAYBE], [{ truth: 1, answer: 1, is_one: true }]);
  assert.deepEqual(
    said.map(({ by, is_one }) => [by, is_one]),
    [
      ["you", true],
      ["the judge", false],
    ],
  );
  const back = linked(
    [judge, MAYBE],
    [
      { truth: 1, answer: 1, is_one: true },
      { truth: 1, answer: 1, is_one: false },
    ],
  );
  assert.ok(back.some(({ by }) => by === "maybe") && !back.some(({ by }) => by === "you"));
});

test("a node's own side tells its state first, and both sides are counted apart", () => {
  const states = { ...NONE, node_recall: { 1: "missed", 2: "matched" }, node_precision: { 1: "spurious" } };
  assert.equal(stateOfNode({ ...DATA, states }, { truth: 1, answer: 1 }), "missed");
  assert.equal(stateOfNode({ ...DATA, states, section: "node_precision" }, { truth: 1, answer: 1 }), "spurious");
  const { truth, answer } = countsOf({ ...DATA, states, section: "node_recall" });
  assert.deepEqual([truth.shown, truth.matched, truth.missed], [2, 1, 1]);
  assert.deepEqual([answer.shown, answer.matched, answer.spurious], [1, 0, 1]);
});

test("an item offers who may be one with its nodes, and a typed name is one of the other graph", () => {
  const item = { at: [1, 0] };
  assert.deepEqual(choicesOf(DATA, [MAYBE], item), [{ truth: 1, answer: 1, is_one: true, text: "Flood = Deluge" }]);
  assert.equal(choicesOf(DATA, [{ ...MAYBE, by: "you", is_one: true }], item)[0].text, "Take back: Flood = Deluge");
  assert.deepEqual(typedLink(DATA, 0, " loss "), { truth: 1, answer: 3, is_one: true });
  assert.equal(typedLink(DATA, 0, "rain"), null, "it is one with its own name already");
});
