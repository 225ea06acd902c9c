import assert from "node:assert/strict";
import { test } from "node:test";

import { kindsOf, nextKind, placesOfWords, stepped, viewOf } from "../../../components/texts/view.js";
import { changeWords, shortened } from "../../../components/texts/words.js";

const CHANGES = [
  { number: 1, kind: "citation", is_rejected: false },
  { number: 2, kind: "caption", is_rejected: true },
  { number: 5, kind: "citation", is_rejected: false },
];
const DATA = { is_ready: true, stages: [{ id: "t", changes: CHANGES }] };

test("acts that wait lie over what the store said", () => {
  const view = viewOf(DATA, [
    { kind: "reject_change", text: "t", number: 1 },
    { kind: "restore_change", text: "t", number: 2 },
  ]);
  assert.deepEqual(
    [1, 2, 5].map((number) => view.isRejected("t", number)),
    [true, false, false],
  );
  assert.deepEqual([view.isReady, view.isSettling], [false, false]);
  assert.equal(viewOf(DATA, []).isReady, true);
  assert.equal(viewOf(DATA, [{ kind: "ready" }]).isSettling, true);
  assert.equal(viewOf(DATA, []).isRejected("another", 1), false);
});

test("next and previous go round the ends", () => {
  assert.deepEqual(
    [null, 1, 5].map((number) => stepped(CHANGES, number, 1)),
    [1, 2, 1],
  );
  assert.deepEqual(
    [null, 1].map((number) => stepped(CHANGES, number, -1)),
    [5, 5],
  );
  assert.equal(stepped([], null, 1), null);
});

test("kinds are listed by how many there are, and gone through with all at the end", () => {
  assert.deepEqual(kindsOf(CHANGES), [
    ["citation", 2],
    ["caption", 1],
  ]);
  assert.deepEqual(
    ["", "citation", "caption"].map((kind) => nextKind(CHANGES, kind)),
    ["citation", "caption", ""],
  );
});

test("words are found in small letters, and blank ones nowhere", () => {
  assert.deepEqual(placesOfWords("Lake and lake", "LAKE "), [0, 9]);
  assert.deepEqual(placesOfWords("Lake", "  "), []);
  assert.equal(placesOfWords("a".repeat(2_000), "a").length, 500);
});

test("a change is told in a line", () => {
  const told = { kind: "citation", was: "(Berg,\n 2001)", put: "", page: 3 };
  assert.equal(changeWords(told, true), "Rejected, citation, page 3: (Berg, 2001)");
  assert.equal(changeWords({ ...told, put: "then", page: null }, false), "citation: (Berg, 2001) → then");
  assert.equal(shortened("a".repeat(100)).length, 90);
});
