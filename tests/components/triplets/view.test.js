import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createDrafts } from "../../../components/triplets/drafts.js";
import { firstCurrent, mostApart, nextMissing, stepped, viewOf } from "../../../components/triplets/view.js";
import { apartText, nextVerdict, placeText, scoreText, VERDICT } from "../../../components/triplets/words.js";
import { openWindow } from "../browser.js";

beforeEach(() => openWindow());

const CRITERIA = ["a", "b", "c"].map((key) => ({ key, words: ["none", "some", "all"] }));
const DATA = {
  scores: { a: 2 },
  own_verdict: null,
  comment: "",
  criteria: CRITERIA,
  state: "open",
  halted: false,
};
const score = (criterion, value) => ({ kind: "score", criterion, value });

test("scores that wait for their answer are laid over the stored ones", () => {
  const view = viewOf(DATA, [
    score("b", 1),
    score("a", null),
    score(VERDICT, 0),
    { kind: "comment", text: " see p. 2 " },
  ]);
  assert.deepEqual([...view.scores], [["b", 1]]);
  assert.deepEqual([view.missing, view.given, view.verdict, view.comment], [["a", "c"], 1, false, "see p. 2"]);
  assert.equal(view.isOpen, true);
});

test("a triplet that is being handed in is not open any more", () => {
  const view = viewOf(DATA, [{ kind: "submit" }]);
  assert.deepEqual([view.isOpen, view.sending], [false, "submit"]);
  assert.equal(viewOf({ ...DATA, halted: true }, []).isOpen, false);
  assert.equal(viewOf({ ...DATA, state: "submitted" }, []).isOpen, false);
});

test("the next criterion without a score is sought round the end", () => {
  assert.equal(nextMissing(CRITERIA, { missing: ["a", "b"] }, "b"), "a");
  assert.equal(nextMissing(CRITERIA, { missing: ["c"] }, null), "c");
  assert.equal(nextMissing(CRITERIA, { missing: [] }, "a"), null);
});

test("steps go round the end, and begin at the first or the last", () => {
  assert.deepEqual(
    [stepped(CRITERIA, "c", 1), stepped(CRITERIA, "a", -1), stepped(CRITERIA, null, 1), stepped(CRITERIA, null, -1)],
    ["a", "c", "a", "c"],
  );
});

test("critics are farthest where their distances sum highest; of equals the first", () => {
  const critics = [{ scores: { a: 2, b: 0, c: 1 } }, { scores: { a: 1, b: 1, c: 1 } }];
  const data = { criteria: CRITERIA, scores: { a: 2, b: 2, c: 1 }, answer: { critics } };
  assert.equal(mostApart(data), "b"); // 1, 3 and 0
  assert.equal(mostApart({ ...data, answer: { critics: [] } }), "a");
});

test("a desk begins where one was, at what has no score, or where critics are farthest away", () => {
  const view = { missing: ["b", "c"] };
  assert.equal(firstCurrent(DATA, view, "c"), "c");
  assert.equal(firstCurrent(DATA, view, "gone"), "b");
  assert.equal(firstCurrent(DATA, { missing: [] }, "c"), null);
  const answer = { critics: [{ scores: { a: 2, b: 0, c: 1 } }] };
  const submitted = { ...DATA, state: "submitted", scores: { a: 2, b: 2, c: 1 }, answer };
  assert.equal(firstCurrent(submitted, view, "c"), "b");
  assert.equal(firstCurrent({ ...submitted, answer: null }, view, "c"), null);
});

test("scores and places in words", () => {
  assert.equal(placeText({ missing: ["b", "c"], given: 1 }, CRITERIA, "b"), "Criterion 2 of 3");
  assert.equal(placeText({ missing: ["b", "c"], given: 1 }, CRITERIA, null), "1 of 3 scored");
  assert.equal(placeText({ missing: [], given: 3 }, CRITERIA, "b"), "All 3 scored");
  assert.equal(scoreText(CRITERIA[0], 1), "1: some");
  assert.deepEqual(
    [apartText(2, 1), apartText(0, 2), apartText(1, 1), apartText(undefined, 1)],
    ["1 lower", "2 higher", "", ""],
  );
  assert.deepEqual([null, true, false].map(nextVerdict), [true, false, null]);
});

test("what was scored can be undone after a reload, a hundred steps back", () => {
  const drafts = createDrafts("triplet 1");
  for (let n = 0; n < 120; n += 1) drafts.pushUndo("a", n);
  const again = createDrafts("triplet 1");
  assert.deepEqual(again.popUndo(), ["a", 119]);
  let steps = 1;
  while (again.popUndo() !== null) steps += 1;
  assert.equal(steps, 100);
});

test("a comment that is not sent is kept, and what is no text is not", () => {
  createDrafts("triplet 1").keep({ comment: "see p. 2" });
  assert.equal(createDrafts("triplet 1").kept.comment, "see p. 2");
  localStorage.setItem(
    `edgewise.scoring-draft.${encodeURIComponent("triplet 2")}`,
    JSON.stringify({ comment: 3, undo: [[1], ["a", 2]] }),
  );
  const other = createDrafts("triplet 2");
  assert.deepEqual([other.kept.comment, other.popUndo(), other.popUndo()], [null, ["a", 2], null]);
});
