import assert from "node:assert/strict";
import { test } from "node:test";

import { inNextRow, fullNameOf, nameOf, nextWaiting, stepped, viewOf } from "../../../components/contact_sheet/view.js";

const figures = ["a", "b", "c", "d", "e"].map((id) => ({ id, decision: id === "b" ? "located" : "waiting" }));
const decide = (figure, decision) => ({ kind: "decide_figure", figure, decision });

test("acts that wait for their answer are laid over what the store says, the last one on top", () => {
  const acts = [decide("a", "located"), decide("a", "left out"), decide("gone", "located"), { kind: "other" }];
  const view = viewOf(/** @type {any} */ ({ figures }), /** @type {any} */ (acts));
  assert.deepEqual([...view.decisions.values()], ["left out", "located", "waiting", "waiting", "waiting"]);
  assert.deepEqual([view.waiting, view.decided], [3, 2]);
});

test("after a decision comes the next figure that waits, round the end", () => {
  const ids = figures.map(({ id }) => id);
  const waiting = (...those) => new Map(ids.map((id) => [id, those.includes(id) ? "waiting" : "located"]));
  assert.equal(nextWaiting(ids, waiting("a", "c", "d"), "a"), "c");
  assert.equal(nextWaiting(ids, waiting("a"), "d"), "a");
  assert.equal(nextWaiting(ids, waiting(), "d"), "e");
  assert.equal(nextWaiting(ids, waiting(), "e"), "e");
  assert.equal(nextWaiting(ids, waiting("e"), "e"), "e");
});

test("steps end at the ends", () => {
  assert.equal(stepped(["a", "b"], "a", -1), "a");
  assert.equal(stepped(["a", "b"], "a", 1), "b");
  assert.equal(stepped(["a", "b"], "b", 1), "b");
});

test("up and down lead to the nearest card of the next row", () => {
  const places = [
    { id: "a", left: 0, top: 0 },
    { id: "b", left: 100, top: 0 },
    { id: "c", left: 0, top: 50 },
    { id: "d", left: 100, top: 50 },
    { id: "e", left: 0, top: 100 },
  ];
  assert.equal(inNextRow(places, "b", 1), "d");
  assert.equal(inNextRow(places, "d", 1), "e");
  assert.equal(inNextRow(places, "e", -1), "c");
  assert.equal(inNextRow(places, "a", -1), "a");
  assert.equal(inNextRow(places, "e", 1), "e");
  assert.equal(inNextRow(places, "gone", 1), "gone");
});

test("a figure is called by label and page", () => {
  assert.equal(nameOf(/** @type {any} */ ({ label: "Figure 2", page: 7 })), "Figure 2, page 7");
  const first = /** @type {any} */ ({ label: "Figure 1", page: 1, paper: "Rain" });
  assert.notEqual(fullNameOf(first), fullNameOf({ ...first, paper: "Grain" }));
  assert.equal(nameOf(/** @type {any} */ ({ label: "", page: 7 })), "Figure without a label, page 7");
});
