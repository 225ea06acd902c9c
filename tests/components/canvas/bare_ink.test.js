import assert from "node:assert/strict";
import { test } from "node:test";

import { createArrows } from "../../../components/canvas/bare_ink.js";

/** Arrows of these ids; `asked` is what the sweep asks about, `said` what was told. */
function begun(...ids) {
  const path = [
    [0, 0],
    [4, 2],
  ];
  const arrows = new Map(ids.map((id) => [id, path]));
  const said = [];
  const ui = { sweep: null };
  const c = { ui, graph: { view: () => ({ arrows }) }, say: (text) => said.push(text) };
  const goTo = (item) => (ui.sweep = item);
  return { arrows, said, ui, ...createArrows(c, goTo) };
}

test("printed arrows are gone through forwards and back, round the ends", () => {
  const { step, ui } = begun("w1", "w2", "w3");
  const keys = [1, 1, 1, 1, -1, -1].map((by) => {
    step(by);
    return ui.sweep.key;
  });
  assert.deepEqual(keys, ["w1", "w2", "w3", "w1", "w3", "w2"]);
});

test("an arrow that has its edge stays in view, and the next is the one after it", () => {
  const { step, ui, arrows, question, course } = begun("w1", "w2", "w3");
  step(1);
  step(1);
  assert.equal(question("w2"), "Printed arrow 2 of 3 without an edge. Draw it?");
  arrows.delete("w2");
  assert.equal(question("w2"), "✓ This arrow has its edge. 2 arrows left.");
  assert.equal(course(), null);
  step(1);
  assert.equal(ui.sweep.key, "w3");
});

test("after the last arrow the sweep ends and says so", () => {
  const { step, ui, arrows, said } = begun("w1");
  step(1);
  arrows.delete("w1");
  step(1);
  assert.equal(ui.sweep, null);
  assert.deepEqual(said, ["All printed arrows are checked."]);
});
