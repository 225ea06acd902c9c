import assert from "node:assert/strict";
import { test } from "node:test";

import { selectedText } from "../../../components/desk/edges.js";
import { createSelection } from "../../../components/desk/selection.js";

/** A selection as two panes have it, and which of them heard of a change. */
function selected() {
  const heard = [];
  const selection = createSelection();
  const [figure, list] = ["figure", "list"].map((name) => selection.paneOf(() => heard.push(name)));
  return { selection, figure, list, heard };
}

test("two panes have one selection, and the other one hears of a change", () => {
  const { figure, list, heard } = selected();
  assert.equal(list.id(), null);
  figure.select("a");
  figure.select("a");
  assert.deepEqual([figure.id(), list.id(), heard], ["a", "a", ["list"]]);
  list.select(null);
  assert.deepEqual([figure.id(), list.id(), heard], [null, null, ["list", "figure"]]);
});

const edge = (id, sign) => ({ id, source_id: "n1", sink_id: "n2", sign, delay: false, flag: "", note: "" });

test("what an undo changed is selected when it is answered: one edge, or none of several", () => {
  const { selection, figure, list, heard } = selected();
  figure.select("a");
  selection.acted({ kind: "edit_edge", id: "1" });
  selection.follow(["1"], [edge("b", "")], [edge("b", "+")]);
  assert.equal(list.id(), "a", "no undo was answered");
  selection.acted({ kind: "undo", id: "2" });
  selection.follow(["1"], [edge("b", "")], [edge("b", "+")]);
  assert.equal(list.id(), "a", "its answer is on the way");
  heard.length = 0;
  selection.follow(["2"], [edge("a", ""), edge("b", "+")], [edge("a", ""), edge("b", "")]);
  assert.deepEqual([figure.id(), heard], ["b", ["figure", "list"]]);
  selection.acted({ kind: "undo", id: "4" });
  figure.select(null); // a node was chosen before the answer came
  selection.follow(["4"], [edge("c", "")], [edge("c", "+")]);
  assert.equal(figure.id(), null);
  selection.acted({ kind: "redo", id: "3" });
  selection.follow(["3"], [edge("b", "")], [edge("b", ""), edge("c", ""), edge("d", "")]);
  assert.equal(figure.id(), null);
});

test("both bars say the same of an edge", () => {
  const between = { source: "Price", sink: "Demand", sign: "", delay: false };
  assert.equal(selectedText(null), "No edge selected");
  assert.equal(selectedText(between), "Selected edge: Price → Demand");
  assert.equal(selectedText({ ...between, sign: "-", delay: true }), "Selected edge: Price → Demand −, delay");
});
