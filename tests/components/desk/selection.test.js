import assert from "node:assert/strict";
import { test } from "node:test";

import { createSelection, selectedText } from "../../../components/desk/selection.js";

const page = new EventTarget();
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"])
  globalThis[name] = page[name].bind(page);

/** Two desks of one subject, and which of them heard of a change. */
function desksOf(subject) {
  const heard = [];
  const [figure, list] = ["figure", "list"].map((name) => createSelection(subject, () => heard.push(name)));
  return { figure, list, heard };
}

test("two desks have one selection, and the other one hears of a change", () => {
  const { figure, list, heard } = desksOf("one");
  assert.equal(list.id(), null);
  figure.select("a");
  figure.select("a");
  assert.deepEqual([figure.id(), list.id(), heard], ["a", "a", ["list"]]);
  list.select(null);
  assert.deepEqual([figure.id(), list.id(), heard], [null, null, ["list", "figure"]]);
  figure.close();
  list.select("b");
  assert.deepEqual(heard, ["list", "figure"]);
  list.close();
});

test("the selection of one transcription is none of another's", () => {
  const first = createSelection("first", () => assert.fail("it is about the second"));
  first.select("a");
  const second = createSelection("second", () => {});
  assert.equal(second.id(), null);
  second.select("b");
  first.close();
  second.close();
});

const edge = (id, sign) => ({ id, source: "Price", sink: "Demand", sign, delay: false, flag: "", note: "" });

test("what an undo changed is selected when it is answered: one edge, or none of several", () => {
  const { figure, list } = desksOf("undone");
  figure.select("a");
  figure.acted({ kind: "edit_edge", id: "1" });
  list.follow(["1"], [edge("b", "")], [edge("b", "+")]);
  assert.equal(list.id(), "a", "no undo was answered");
  figure.acted({ kind: "undo", id: "2" });
  list.follow(["1"], [edge("b", "")], [edge("b", "+")]);
  assert.equal(list.id(), "a", "its answer is on the way");
  list.follow(["1", "2"], [edge("a", ""), edge("b", "+")], [edge("a", ""), edge("b", "")]);
  assert.equal(figure.id(), "b");
  list.acted({ kind: "redo", id: "3" });
  list.follow(["3"], [edge("b", "")], [edge("b", ""), edge("c", ""), edge("d", "")]);
  assert.equal(figure.id(), null);
});

test("both bars say the same of an edge", () => {
  assert.equal(selectedText(null), "No edge selected");
  assert.equal(selectedText(edge("a", "")), "Selected edge: Price → Demand");
  assert.equal(selectedText({ ...edge("a", "-"), delay: true }), "Selected edge: Price → Demand −, delay");
});
